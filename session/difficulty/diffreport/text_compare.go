package diffreport

import (
	"strings"

	doc "assay/session/report/document"
)

// comparison sets the two benchmarks against each other.
func (w *writer) comparison() {
	c := w.Compared
	first, second := middle(w.Analyses[0].Source.Name, 40), middle(w.Analyses[1].Source.Name, 40)
	s := w.d.Section("comparison", "The two benchmarks compared")
	s.Text("Whether ", doc.Name(first), " and ", doc.Name(second), " ask the same of the same respondents: the k-sample Anderson-Darling test between the two distributions over tasks (", doc.Fixed(taskEval+", section 5.1"), "). ",
		"Difficulties are comparable as far as the respondents are the same: each benchmark has a scale of its own, which its respondents' abilities fix.")
	t := s.Table("comparison", "Distributions over the tasks of "+first+" and "+second, doc.Left("of what"), doc.Right("median, "+first), doc.Right("quartiles"), doc.Right("median, "+second), doc.Right("quartiles"), doc.Right("AD"), doc.Right("p"), doc.Right("Holm"))
	for i := range c.Rows {
		x := &c.Rows[i]
		what := doc.Item(name(x.What))
		if x.Respondent {
			what = doc.Item("expected of ", doc.Name(middle(x.What, 34)))
		}
		row := []any{what}
		for _, q := range []*Quarters{&x.First, &x.Second} {
			row = append(row, w.d.Num(&q.Median, 2), doc.Item(w.d.Num(&q.Low, 2), " to ", w.d.Num(&q.High, 2)))
		}
		if x.Problem != "" {
			t.Row(append(row, doc.Undefined, doc.Undefined, doc.Undefined)...)
			t.Note(name(x.What), ": there is no test: ", doc.Name(x.Problem), ".")
			continue
		}
		t.Row(append(row, w.d.Num(&x.Statistic, 2), w.p(&x.P, x.Capped), w.corrected(&x.Holm, x.Capped))...)
	}
	t.Note("AD: standardised. Holm: corrected over all ", w.d.Count(&c.Tests), " tests of this table.")
	w.extremes(s, first, second)
	var only []string
	for _, x := range c.Only {
		only = append(only, middle(x.Respondent, 40)+" ("+middle(x.Benchmark, 40)+")")
	}
	if len(only) > 0 {
		s.Text("Respondents of one benchmark alone, which are not compared: ", doc.Name(strings.Join(only, ", ")), ".")
	}
}

// extremes tells which benchmark has more tasks that are nearly certain.
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
	if t == nil {
		s.Warn("The two benchmarks have no respondent in common: their difficulties are not comparable.")
	}
}
