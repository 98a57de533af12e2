package difficulty

import (
	"math"
	"strconv"
	"strings"

	"assay/session/difficulty"
	doc "assay/session/report/document"
)

// comparison writes the comparison of the two benchmarks.
func (w *writer) comparison() {
	c := w.Compared
	first, second := middle(w.Analyses[0].Source.Name, 40), middle(w.Analyses[1].Source.Name, 40)
	s := w.d.Section("comparison", "The two benchmarks compared")
	if c.Linked {
		s.Text("One scale: ", doc.Name(first), " and ", doc.Name(second), " were calibrated together, by one fit to the responses of all ", w.d.Count(&c.All), " respondents. ",
			w.d.Count(&c.Shared), " of them answered both and link the two; each respondent has one ability. The unit of the scale is that of the tasks of both together.")
		w.drift(s, first, second)
		if c.Shared < c.All {
			s.Warn("How the difficulties of one benchmark lie to those of the other rests on the ", w.d.Count(&c.Shared), " shared respondents, and on all ", w.d.Count(&c.All), " being drawn from one population of abilities: if those of one benchmark alone are abler, part of that counts as easier tasks.")
		}
		if c.Shared < difficulty.FewestLinks {
			s.Text("One shared respondent does not tell the two apart: the differences in difficulty and discrimination have no interval.")
		}
	} else {
		s.Warn("The difficulties of the two benchmarks are not comparable, and are not tested: ", doc.Name(c.Why), ". Each has a scale of its own, whose unit and middle its own tasks fix: the same respondents may be able on one and unable on the other.")
	}
	s.Text("Whether they ask the same of the same respondents: the k-sample Anderson-Darling test between the two distributions over tasks, as estimated (", doc.Fixed(taskEval+", section 5.1"), ").")
	w.distributions(s, first, second)
	w.extremes(s, first, second)
	w.comparedPeople(s, first, second)
	var only []string
	for _, x := range c.Only {
		only = append(only, middle(x.Respondent, 40)+" ("+middle(x.Benchmark, 40)+")")
	}
	if len(only) > 0 {
		s.Text("Respondents of one benchmark alone, for whom nothing is compared: ", doc.Name(strings.Join(only, ", ")), ".")
	}
}

// drift names the respondents who are abler on one of two linked benchmarks than on the other.
func (w *writer) drift(s *doc.Section, first, second string) {
	j := w.Analyses[0].Joint
	if j.Torn {
		s.Warn("The shared respondents do not agree on how the two benchmarks lie to each other: they are abler on one than on the other by more than chance, and too many of them, or none surely enough, to tell who is the exception, as where tasks were memorised. All link the two, and the differences in difficulty and discrimination have no interval.")
		return
	}
	if len(j.Drifted) == 0 {
		return
	}
	var names []string
	for _, d := range j.Drifted {
		on := first
		if d.Difference < 0 {
			on = second
		}
		names = append(names, middle(d.Respondent, 40)+" (abler on "+on+" by "+strconv.FormatFloat(math.Abs(d.Difference), 'f', 1, 64)+" logits)")
	}
	s.Warn("These shared respondents do not link the two: ", doc.Name(strings.Join(names, ", ")), ". Compared with most others they do better on one benchmark than on the other, as where they have memorised its tasks, so they have an ability on each. The rule: corrected by Holm over the shared respondents, p is at most ", doc.Fixed("0.05"), "; one after the other, as long as five in six of them are left.")
}

// distributions writes the table of the differences.
func (w *writer) distributions(s *doc.Section, first, second string) {
	c := w.Compared
	t := s.Table("comparison", "Distributions over the tasks of "+first+" and "+second, doc.Left("of what"), doc.Right("tasks"), doc.Right("median, "+first), doc.Right("95 % CI"), doc.Right("quartiles"),
		doc.Right("tasks"), doc.Right("median, "+second), doc.Right("95 % CI"), doc.Right("quartiles"), doc.Right("difference of means"), doc.Right("95 % CI"), doc.Right("AD"), doc.Right("p"), doc.Right("Holm"))
	for i := range c.Rows {
		x := &c.Rows[i]
		what := doc.Item(name(x.What))
		if x.Respondent {
			what = doc.Item("expected of ", doc.Name(middle(x.What, 34)))
		}
		row := []any{what}
		for _, q := range []*Quarters{&x.First, &x.Second} {
			row = append(row, w.d.Count(&q.N), w.d.Num(&q.Median, 2), w.d.Range(q.MedianInterval, 1, 2), doc.Item(w.d.Num(&q.Low, 2), " to ", w.d.Num(&q.High, 2)))
		}
		if x.Gap == nil {
			row = append(row, doc.Undefined, doc.Undefined)
		} else {
			row = append(row, w.d.Num(x.Gap, 2), w.d.Range(x.GapInterval, 1, 2))
		}
		if x.Problem == "" {
			t.Row(append(row, w.d.Num(&x.Statistic, 2), w.p(&x.P, x.Capped), w.corrected(&x.Holm, x.Capped))...)
			continue
		}
		t.Row(append(row, doc.Undefined, doc.Undefined, doc.Undefined)...)
		t.Note(name(x.What), ": there is no test: ", doc.Name(x.Problem), ".")
	}
	t.Note("Intervals are over tasks like these, with these respondents: of medians by order statistics, from six tasks on; of the difference of means, ", doc.Name(second), " less ", doc.Name(first), ", by draws of the joint fit for difficulty and discrimination, which hold what is not known of them and of the link, and by Welch's t for expected scores, where a respondent has at least ", doc.Fixed("five"), " trials a task. Those of medians and expected scores take the estimates as they are. None is corrected, and they are of means and medians, AD of whole distributions: the two may disagree. ",
		"AD: standardised. Holm: corrected over one family, all ", w.d.Count(&c.Tests), " tests of this table; what is expected of different respondents follows from the same tasks, so that its rows mostly agree.")
}

// extremes writes which benchmark has more tasks that are nearly certain.
func (w *writer) extremes(s *doc.Section, first, second string) {
	var t *doc.Table
	for i := range w.Compared.Rows {
		x := &w.Compared.Rows[i]
		if !x.Respondent {
			continue
		}
		if t == nil {
			t = s.Table("extremes", "Shares of tasks by the score expected of each respondent, %", doc.Left("respondent"), doc.Right("at most 0.1, "+first), doc.Right(second), doc.Right("0.4 to 0.6, "+first), doc.Right(second), doc.Right("at least 0.9, "+first), doc.Right(second))
		}
		a, b := x.First.Spread, x.Second.Spread
		t.Row(doc.Name(middle(x.What, 40)), w.d.Percent(&a.Hard, 0), w.d.Percent(&b.Hard, 0), w.d.Percent(&a.Open, 0), w.d.Percent(&b.Open, 0), w.d.Percent(&a.Easy, 0), w.d.Percent(&b.Easy, 0))
	}
	if t != nil {
		t.Note("Shares of the tasks of each benchmark, ", w.d.Count(&w.Views[0].Tasks), " and ", w.d.Count(&w.Views[1].Tasks), ", as the model describes these tasks: they have no interval.")
	}
}
