package evaluations

import (
	"fmt"

	doc "assay/session/report/document"
)

// The tables of Su et al. as reports of sessions had them before layout 4, which are checked by being written again.

func (w *writer) finalsBefore(s *doc.Section) {
	t := s.Table("su-4", "Final scores", doc.Left("run"), doc.Right("final score"), doc.Right("95 % CI"), doc.Right("tasks"), doc.Right("samples"), doc.Left("interval"))
	open, assumed, missing := false, false, false
	for i := range w.Six.Runs {
		x := &w.Six.Runs[i]
		t.Row(doc.Name(w.marked(i)), w.span(&x.Final.Low, &x.Final.High, 1), w.d.Range(x.Final.Interval, 1, 1), w.d.Count(&x.Tasks), w.d.Count(&x.Measured), doc.Fixed(x.Final.Method))
		open, assumed, missing = open || x.Open > 0, assumed || x.Assumed > 0, missing || x.Unmeasured > 0
	}
	t.Note("Of ", doc.Fixed("100"), " points; means over tasks, weighted by difficulty and human pass rate. After ", doc.Fixed(su+", table 4"), ".")
	if open {
		t.Note("A range stands where a person's label of the explanation, or an analyser's rating, is missing: it goes from the least to the most that the score can be, and the interval from the lower end of the one to the upper end of the other.")
	}
	if assumed {
		t.Note("Where difficulty or human pass rate is not known the middle column of the weights is taken; without a difficulty the weight is ", doc.Fixed("1"), ".")
	}
	if missing {
		t.Note("Samples that could not be measured are not in it.")
	}
	columns := []doc.Column{doc.Left("run")}
	for _, d := range w.Six.Runs[0].Dimensions {
		columns = append(columns, doc.Right(fmt.Sprintf("%s, of %d", d.Name, d.Of)))
	}
	p := s.Table("su-dimensions", "Mean points in each dimension", columns...)
	for i := range w.Six.Runs[:w.listedRuns()] {
		row := []any{doc.Name(w.marked(i))}
		for j := range w.Six.Runs[i].Dimensions {
			x := &w.Six.Runs[i].Dimensions[j]
			row = append(row, doc.Item(w.span(&x.Low, &x.High, 1), " (", w.d.Range(x.Interval, 1, 1), ")"))
		}
		p.Row(row...)
	}
	w.runsNote(p)
	p.Note("In brackets the interval at ", w.Confidence(), " of each mean, for tasks like these; of its method ", doc.Code("report.json"), " has the name.")
	p.Note("Means over tasks without weights, so that they do not add up to the final score unless all tasks weigh the same.")
}

func (w *writer) correctnessBefore(s *doc.Section) {
	t := s.Table("su-5", "Correctness", w.runColumns("")...)
	w.row(t, "average pass rate, mean over tasks, %", func(x *SixRun) any { return w.Percent(&x.MeanRate) })
	w.row(t, "its interval", func(x *SixRun) any { return w.PercentInterval(&x.MeanRate) })
	w.row(t, "pass rate of all test cases together, %", func(x *SixRun) any { return w.d.Percent(&x.CaseRate.Value, x.MeanRate.PercentDecimals()) })
	w.row(t, "test cases passed", func(x *SixRun) any { return doc.Item(w.d.Count(&x.CaseRate.Count), " of ", w.d.Count(&x.CaseRate.N)) })
	for o, name := range []string{"correct", "wrong answer", "runtime errors"} {
		w.row(t, name, func(x *SixRun) any {
			out := &x.Outcomes[o]
			return doc.Item(w.d.Count(&out.Count), " (", w.Percent(&out.Share), " %)")
		})
		w.row(t, "its interval, %", func(x *SixRun) any { return w.PercentInterval(&x.Outcomes[o].Share) })
	}
	t.Note("After ", doc.Fixed(su+", table 5"), ", which prints the mean over questions as average pass rate; the rate of all test cases together is another number, in which tasks with many cases weigh more. Samples are counted; percentages are means over tasks. Runtime errors are all verdicts but accepted and wrong_answer.")
	w.runsNote(t)
	w.byQuestion(s)
}

func (w *writer) qualityBefore(s *doc.Section) {
	t := s.Table("su-q2", "Quality of the code", w.runColumns("")...)
	w.row(t, "measured samples", func(x *SixRun) any { return w.d.Count(&x.Measured) })
	w.row(t, "cyclomatic complexity, sum", func(x *SixRun) any { return w.d.Count(&x.Cyclomatic) })
	w.row(t, "cognitive complexity, sum", func(x *SixRun) any { return w.d.Count(&x.Cognitive) })
	w.row(t, "comment rate, mean over tasks, %", func(x *SixRun) any { return w.d.Num(&x.CommentRate.Value, 1) })
	w.row(t, "its interval", func(x *SixRun) any { return w.d.Range(x.CommentRate.Interval, 1, 1) })
	w.grades(t)
	w.row(t, "explanations labelled inaccurate or incomplete", func(x *SixRun) any { return w.d.Count(&x.Inaccurate) })
	w.row(t, "explanations not labelled", func(x *SixRun) any { return w.d.Count(&x.Unlabelled) })
	t.Note("Research question ", doc.Fixed("Q2 of "+su), ". Complexity as SonarQube counts it, of the whole program that was judged. Sums are over samples: compare runs only where they have the same tasks and as many samples. A grade that no sample has is left out.")
	w.runsNote(t)
}
