package sessions

import (
	"cmp"
	"slices"

	"assay/session/report"
	doc "assay/session/report/document"
)

func (w *writer) tests(in *doc.Section) {
	t := &w.Tests
	s := in.Section("tests", "Tests of the answers")
	if t.PassRate.N == 0 {
		s.Text("No final answer was judged by tests.")
	} else {
		s.List(
			doc.Item("All test cases passed: ", w.share(&t.Accepted), " of the judged final answers."),
			doc.Item("Mean share of test cases passed by a final answer: ", w.estimate(&t.PassRate, 3), "; of its square, pass-ratio: ", w.estimate(&t.PassRatio, 3), "."),
			doc.Item("First answers that passed all: ", w.share(&t.First), "."),
			doc.Item("Judged before the test results had been seen: ", w.share(&t.Unseen), " of the final answers."),
		)
		s.Text("Later attempts depend on the earlier ones, so that the formula of pass@k does not hold for them: success by attempt takes its place.")
		x := s.Table("satisfaction-and-tests", "The tester's judgement against the tests", doc.Left(""), doc.Right("accepted by the tests"), doc.Right("not accepted"))
		x.Row("tester satisfied", w.d.Count(&t.SatisfiedAccepted), w.d.Count(&t.SatisfiedFailed))
		x.Row("tester not satisfied", w.d.Count(&t.UnhappyAccepted), w.d.Count(&t.UnhappyFailed))
		if w.someAutomatic() {
			x.Note("An automatic tester judges by the tests alone.")
		}
		x.Note("Incorrect, but satisfactory: ", w.share(&t.Wrong), " of the satisfying answers that were judged.")
	}
	if t.ToReview.Answers > 0 {
		s.Text(w.d.Count(&t.ToReview.Answers), " resolved answers of all attempts name what could influence tests or their report, or files that neither the reference nor a test names. They ",
			t.ToReview.rule(), "; the log says why a person should look at them.")
	}
	s.Note(w.newer("Final answers without a verdict, not in these numbers: ", "Final answers that say nothing (without a verdict, not_judged and sandbox_error), not in these numbers: "), w.d.Count(&t.NotJudged), ".")
}

// span returns a value, or a range if the value is not known exactly.
func (w *writer) span(low, high *report.Number) []any {
	if *low == *high {
		return doc.Item(w.d.Num(low, 2))
	}
	return doc.Item(w.d.Num(low, 2), w.newer(" to ", "–"), w.d.Num(high, 2))
}

func (w *writer) six(in *doc.Section) {
	x := w.Six
	if x == nil || w.Arms != nil && w.Layout > 0 { // each arm has its own
		return
	}
	s := in.Section("six-dimensions", "Six dimensions of the final answers")
	t := s.Table("six-dimensions", "Mean points", doc.Left("dimension"), doc.Right("points"), doc.Right("95 % CI"), doc.Right("of"), doc.Left(""))
	for i := range x.Dimensions {
		p := &x.Dimensions[i]
		t.Row(p.Name, w.span(&p.Low, &p.High), w.d.Range(p.Interval, 1, 2), w.d.Count(&p.Of), of(p.High, report.Number(p.Of)))
	}
	t.Row(w.d.Strong("final score"), w.d.Strong(w.span(&x.Final.Low, &x.Final.High)), w.d.Range(x.Final.Interval, 1, 2), doc.Fixed("100"), of(x.Final.High, 100))
	t.Note("By Su et al., over the final answers that were run and measured (", w.d.Count(&x.N), "; left out: ", w.d.Count(&x.LeftOut), "). A range stands where labels are missing. Tasks with an assumed weight, since it is not known which share of people solve them: ", w.d.Count(&x.Assumed), ".")
	var items [][]any
	t.Note("Intervals: ", doc.Fixed(x.Final.Method), ". Where points are a range the interval is from the lower end for what is known to the upper end for what is possible.")
	for i := range x.Outcomes {
		o := &x.Outcomes[i]
		items = append(items, doc.Item(doc.Name(o.Name), ": ", w.share(&o.Share), " of the answers."))
	}
	if len(x.Categories) > 1 {
		for i := range x.Categories {
			c := &x.Categories[i]
			if c.Tasks >= report.Small {
				items = append(items, doc.Item("Not correct in ", doc.Name(cmp.Or(c.Name, "no category")), ": ", w.share(&c.Share), "."))
			}
		}
	}
	items = append(items,
		doc.Item("Test cases passed, of all together: ", w.d.Percent(&x.CaseRate, 1), " %. The mean over answers is the correctness above."),
		doc.Item("Cyclomatic complexity ", w.d.Count(&x.Cyclomatic), ", cognitive complexity ", w.d.Count(&x.Cognitive), " in all; comment rate ", w.d.Num(&x.CommentRate, 2), " % on average."),
		doc.Item("Explanations: ", w.d.Count(&x.Inaccurate), " labelled inaccurate or incomplete, ", w.d.Count(&x.Unlabelled), " not labelled."),
	)
	s.List(items...)
}

// models writes the six dimensions of each arm, in the layouts of an evaluation's report.
func (w *writer) models(section func(id, title string) *doc.Section) {
	if w.Models == nil || !w.comparable() {
		return
	}
	s := section("models", "Six dimensions by model")
	s.Text("The final answers as 'assay report' evaluates those of an evaluation: a run is ", map[bool]string{true: "the model", false: "an arm"}[w.Arms == nil], ", a sample a final answer, and several answers to a task, by several testers, count with their mean. Intervals are over tasks, and speak of other tasks like these and of these testers.")
	w.Models.Write(s, w.d, w.Writer, w.Layout < 4)
}

func (w *writer) causes(in *doc.Section) {
	t := &w.Tests
	all := slices.Concat(t.Verdicts, t.All)
	if len(all) == 0 || len(all) == 2 && all[0].Name == "" {
		return
	}
	s := in.Section("errors", "Verdicts and causes of errors")
	v := s.Table("verdicts", "Verdicts", doc.Left("verdict"), doc.Right("final answers"), doc.Right("all attempts"))
	for i := range t.All {
		final := any(doc.Undefined)
		for j := range t.Verdicts {
			if t.Verdicts[j].Name == t.All[i].Name {
				final = w.d.Count(&t.Verdicts[j].Count)
			}
		}
		v.Row(doc.Name(cmp.Or(t.All[i].Name, "no verdict")), final, w.d.Count(&t.All[i].Count))
	}
	if len(w.Code.Causes) > 0 {
		c := s.Table("causes", "What the model got wrong, as the testers labelled it", doc.Left("cause"), doc.Right("answers"))
		for i := range w.Code.Causes {
			c.Row(doc.Name(w.Code.Causes[i].Name), w.d.Count(&w.Code.Causes[i].Count))
		}
	}
}

func (w *writer) code(in *doc.Section) {
	c := &w.Code
	if c.Measured == 0 {
		return
	}
	s := in.Section("code", "Complexity and findings")
	s.Text("Of the final answers' code, as SonarQube counts it. Well formed: ", w.share(&c.Parses), " of the measured answers.")
	t := s.Table("code", "Measures of the code that is well formed", doc.Left("measure"), doc.Right("n"), doc.Right("mean"), doc.Right("95 % CI"), doc.Right("SD"), doc.Right("median"), doc.Right("largest"))
	for i := range c.Measures {
		m := &c.Measures[i]
		name := m.Name
		if m.Unit != "" {
			name += ", " + m.Unit
		}
		t.Row(name, w.d.Count(&m.Mean.N), w.d.Num(&m.Mean.Value, 2), w.d.Range(m.Mean.Interval, 1, 2), w.d.Num(&m.SD, 2), w.d.Num(&m.Median, 1), w.d.Num(&m.Max, 2))
	}
	x := s.Table("code-ratings", "Answers by rating of their code", doc.Left("rating"), doc.Right("reliability"), doc.Right("security"))
	var names []string
	for _, n := range slices.Concat(c.Rated, c.Safe) {
		if !slices.Contains(names, n.Name) {
			names = append(names, n.Name)
		}
	}
	slices.Sort(names)
	of := func(counts []report.Count, name string) any {
		if i := slices.IndexFunc(counts, func(n report.Count) bool { return n.Name == name }); i >= 0 {
			return w.d.Count(&counts[i].Count)
		}
		return doc.Undefined
	}
	for _, name := range names {
		x.Row(doc.Name(cmp.Or(name, "not analysed")), of(c.Rated, name), of(c.Safe, name))
	}
	if c.Unrated > 0 {
		x.Note("Answers that the named analysers could not rate: ", w.d.Count(&c.Unrated), "; the table of attempts says why (", doc.Fixed("unrated"), ").")
	}
}

func (w *writer) prompts(in *doc.Section) {
	p := &w.Prompts
	if len(p.Steps) == 0 {
		return
	}
	s := in.Section("prompts", "Prompts and their refinement")
	t := s.Table("prompts", "Prompts by attempt", doc.Right("attempt"), doc.Right("n"), doc.Right("words"), doc.Right("words edited"), doc.Right("95 % CI"), doc.Right("changed, %"), doc.Right("bytes"), doc.Right("inserted, %"), doc.Right("writing, s"))
	for i := range p.Steps {
		x := &p.Steps[i]
		t.Row(w.d.Count(&x.Attempt), w.d.Count(&x.N), w.d.Num(&x.Words.Value, 1), w.d.Num(&x.Edits.Value, 1), w.d.Range(x.Edits.Interval, 1, 1), w.d.Percent(&x.Changed.Value, 1),
			w.d.Num(&x.Bytes.Value, 1), w.d.Percent(&x.Inserted.Value, 1), w.d.Num(&x.Compose.Value, 1))
	}
	t.Note("Means. Words edited is the edit distance to the prompt before (Levenshtein's, over words); changed is that in percent of the longer prompt; inserted is the part that was not typed.")
	if p.editor {
		t.Note("Text that was written in testers' own editors is not counted as inserted: whether it was typed is not known.")
	}
	if !p.Read {
		t.Note("The texts of the prompts were not at hand: there are no words.")
	}
}
