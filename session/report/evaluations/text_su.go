package evaluations

import (
	"cmp"
	"fmt"
	"slices"

	"assay/session/report"
	doc "assay/session/report/document"
)

// su writes the results in the layout of Su et al.: their tables, figure 4 and question 2.
func (w *writer) su(s *doc.Section) {
	s.Note("In the layouts of ", doc.Fixed(su+", tables 1 and 4 to 6, figure 4 and research question 2"), ".")
	w.finals(s)
	w.Figure(s, "six-dimensions")
	w.correctness(s)
	w.categories(s)
	w.quality(s)
	w.analysers(s)
	w.causes(s)
	w.weights(s)
}

// runColumns returns a first column and one for each listed run.
func (w *writer) runColumns(first string) []doc.Column {
	columns := []doc.Column{doc.Left(first)}
	for i := range w.Runs[:w.listedRuns()] {
		columns = append(columns, doc.Right(w.head(i)))
	}
	return columns
}

// row adds a cell for each listed run.
func (w *writer) row(t *doc.Table, head any, cell func(*SixRun) any) {
	cells := []any{head}
	for i := range w.Six.Runs[:w.listedRuns()] {
		cells = append(cells, cell(&w.Six.Runs[i]))
	}
	t.Row(cells...)
}

// finals is their table 4, with the dimensions that the score is the sum of.
func (w *writer) finals(s *doc.Section) {
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

// correctness is their table 5: the summary, and question by question.
func (w *writer) correctness(s *doc.Section) {
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
	const few = 50
	if len(w.Tasks) <= few {
		w.questions(s)
		return
	}
	s.Fold(doc.Item("Pass rate of each task"), w.questions)
}

func (w *writer) questions(s *doc.Section) {
	columns := append([]doc.Column{doc.Left("category"), doc.Left("task"), doc.Right("test cases")}, w.runColumns("")[1:]...)
	t := s.Table("su-5-tasks", "Pass rate of each task, in percent", columns...)
	order := make([]int, len(w.Tasks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return knownFirst(w.Tasks[a].Category, w.Tasks[b].Category) })
	for _, i := range order[:w.listedTasks()] {
		x := &w.Tasks[i]
		row := []any{doc.Name(orNone(x.Category)), doc.Name(x.ID), w.d.Count(&x.Cases)}
		for run := range x.Runs[:w.listedRuns()] {
			if result := &x.Runs[run]; result.scored() {
				row = append(row, w.d.Percent(&result.Metrics[w.rateAt()], 0))
			} else {
				row = append(row, why(result))
			}
		}
		t.Row(row...)
	}
	t.Note("The share of test cases passed, of several samples their mean.")
	w.restNote(t)
}

// categories is their table 6.
func (w *writer) categories(s *doc.Section) {
	if len(w.Six.Categories) == 0 {
		s.Text(w.d.Strong("No categories."), " The tasks name no category, or no file of tasks was given: incorrect samples by category (", doc.Fixed("table 6 of the paper"), ") cannot be shown.")
		return
	}
	const most = 3 // runs whose intervals have room
	columns := []doc.Column{doc.Left("category"), doc.Right("tasks")}
	for i := range w.Runs {
		columns = append(columns, doc.Right(w.head(i)))
		if len(w.Runs) <= most {
			columns = append(columns, doc.Right("95 % CI"))
		}
	}
	t := s.Table("su-6", "Incorrect samples by category, in percent", columns...)
	few := false
	for i := range w.Six.Categories {
		c := &w.Six.Categories[i]
		largest := 0
		for run := range c.Runs {
			if c.Runs[run].N > c.Runs[largest].N {
				largest = run
			}
		}
		few = few || c.Runs[largest].Few
		row := []any{doc.Name(orNone(c.Name)), w.number(&c.Runs[largest])}
		for run := range c.Runs {
			row = append(row, w.Percent(&c.Runs[run].Metrics[0]))
			if len(w.Runs) <= most {
				row = append(row, w.PercentInterval(&c.Runs[run].Metrics[0]))
			}
		}
		t.Row(row...)
	}
	t.Note("Means over tasks of the share of samples that are not accepted. After ", doc.Fixed(su+", table 6"), ". Tasks: of the run that has the most.")
	if len(w.Runs) > most {
		t.Note("The intervals are in ", doc.Code("report.json"), ".")
	}
	w.fewNote(t, few)
}

// quality are the quantities of their second research question.
func (w *writer) quality(s *doc.Section) {
	t := s.Table("su-q2", "Quality of the code", w.runColumns("")...)
	w.row(t, "measured samples", func(x *SixRun) any { return w.d.Count(&x.Measured) })
	w.row(t, "cyclomatic complexity, sum", func(x *SixRun) any { return w.d.Count(&x.Cyclomatic) })
	w.row(t, "cognitive complexity, sum", func(x *SixRun) any { return w.d.Count(&x.Cognitive) })
	w.row(t, "comment rate, mean over tasks, %", func(x *SixRun) any { return w.d.Num(&x.CommentRate.Value, 1) })
	w.row(t, "its interval", func(x *SixRun) any { return w.d.Range(x.CommentRate.Interval, 1, 1) })
	for i, name := range []string{"reliability", "security"} {
		for j, rating := range ratings() {
			of := func(x *SixRun) *int {
				if i == 0 {
					return &x.Reliability[j].Count
				}
				return &x.Security[j].Count
			}
			if rating != "A" && !slices.ContainsFunc(w.Six.Runs, func(x SixRun) bool { return *of(&x) > 0 }) {
				continue
			}
			w.row(t, name+" "+cmp.Or(string(rating), "not rated"), func(x *SixRun) any { return w.d.Count(of(x)) })
		}
	}
	w.row(t, "explanations labelled inaccurate or incomplete", func(x *SixRun) any { return w.d.Count(&x.Inaccurate) })
	w.row(t, "explanations not labelled", func(x *SixRun) any { return w.d.Count(&x.Unlabelled) })
	t.Note("Research question ", doc.Fixed("Q2 of "+su), ". Complexity as SonarQube counts it, of the whole program that was judged. Sums are over samples: compare runs only where they have the same tasks and as many samples. A grade that no sample has is left out.")
	w.runsNote(t)
}

// causes is their figure 4.
func (w *writer) causes(s *doc.Section) {
	if !w.Six.Labelled {
		s.Text(w.d.Strong("No labels."), " Whether a sample is not correct because of its code or because the task was misunderstood (", doc.Fixed("figure 4 of the paper"), ") is a person's judgement, which no verdict replaces.")
		if w.source == "" {
			s.Text(doc.Code("--labels FILE"), " gives it, as CSV with the columns ", doc.Code("run,task,sample,explanation,cause"), ".")
		}
		return
	}
	t := s.Table("su-figure-4", "Causes of samples that are not correct, as labelled", w.runColumns("cause")...)
	w.row(t, "code problem", func(x *SixRun) any { return w.d.Count(&x.CodeProblems) })
	w.row(t, "understanding problem", func(x *SixRun) any { return w.d.Count(&x.Misunderstood) })
	w.row(t, "not labelled", func(x *SixRun) any { return w.d.Count(&x.NoCause) })
	t.Note("After ", doc.Fixed(su+", figure 4"), ".")
	w.Figure(s, "causes")
	w.runsNote(t)
}

// weights is their table 1, with how many tasks have each weight.
func (w *writer) weights(s *doc.Section) {
	if w.About == nil {
		return
	}
	t := s.Table("su-1", "Tasks by difficulty and human pass rate, which give their weight", doc.Left("difficulty"), doc.Right("< 40 %"), doc.Right("40–70 %"), doc.Right("> 70 %"), doc.Right("not known"))
	for i := range w.About.Weights {
		x := &w.About.Weights[i]
		t.Row(doc.Name(notKnown(x.Difficulty)), w.d.Count(&x.Low), w.d.Count(&x.Middle), w.d.Count(&x.High), w.d.Count(&x.Unknown))
	}
	t.Note("Weights: easy ", doc.Fixed("1.0, 0.9, 0.8"), ", medium ", doc.Fixed("1.1, 1.0, 0.9"), ", hard ", doc.Fixed("1.2, 1.1, 1.0"), " (", doc.Fixed(su+", table 1"), "); not known: the middle one.")
}

// fewPairs is the number of comparisons that are printed; of more the leaderboard tells who
// differs from whom.
const fewPairs = 6

// drawnPairs is the number of comparisons on the page.
const drawnPairs = manyPairs

// pairs are the comparisons.
func (w *writer) pairs() {
	if len(w.Runs) < 2 {
		return
	}
	s := w.d.Section("comparison", "Comparison, task by task")
	s.Aside = len(w.Pairs) > fewPairs
	if w.Selected {
		s.Text("Of the many pairs of runs those are compared in all metrics that tell most: each run with the next in rank, and the first ones with the best. The leaderboards are made from all pairs. ", doc.Code("--all-pairs"), " compares all in all metrics.")
	}
	w.Figure(s, "comparison")
	for i := range min(len(w.Pairs), drawnPairs) {
		w.pair(s, i)
	}
	if more := len(w.Pairs) - drawnPairs; more > 0 {
		s.Text("The JSON form has the further comparisons.")
	}
}

// pValue returns a p with four decimals, or that it is smaller.
func (w *writer) pValue(p *report.Number) any {
	if *p < 0.001 {
		return doc.Fixed("< 0.001")
	}
	return w.d.Num(p, 4)
}

func (w *writer) pair(s *doc.Section, i int) {
	p := &w.Pairs[i]
	if p.Problem != "" {
		s.Text(doc.Name(w.marked(p.first)), " and ", doc.Name(w.marked(p.second)), " are not compared: ", p.Problem, ".")
		return
	}
	t := s.Table(fmt.Sprintf("comparison-%d", i+1), w.marked(p.first)+" against "+w.marked(p.second), doc.Left("metric"), doc.Right("first, %"), doc.Right("second, %"), doc.Right("difference"), doc.Right("95 %, tasks like these"), doc.Right("95 %, these tasks"), doc.Right("better"), doc.Right("worse"), doc.Right("same"), doc.Right("p"), doc.Right("p, Holm"), doc.Right("p, BH"))
	var mute *Compared // too few tasks differ for any p to be small
	for j := range p.Measures {
		m := &p.Measures[j]
		t.Row(doc.Name(m.Name), w.d.Percent(&m.First.Value, m.Difference.PercentDecimals()), w.d.Percent(&m.Second.Value, m.Difference.PercentDecimals()), w.Percent(&m.Difference), w.PercentInterval(&m.Difference), w.d.Range(m.These.Interval, 100, m.Difference.PercentDecimals()), w.d.Count(&m.Better), w.d.Count(&m.Worse), w.d.Count(&m.Same), w.pValue(&m.P), w.pValue(&m.Holm), w.pValue(&m.BH))
		if float64(m.Least) > significance && mute == nil {
			mute = m
		}
	}
	t.Note("Over the ", w.d.Count(&p.Tasks), " tasks that both have: first minus second in percentage points, mean over tasks, with its interval at ", w.Confidence(), " by the sign-flip test, paired by task; better, worse, same: tasks; p: sign-flip test, two-sided; p, Holm and p, BH: corrected for all ", w.d.Count(&w.Families[0].Tests), " differences between runs that this report tests.")
	if slices.ContainsFunc(p.Measures, func(m Compared) bool { return m.Test == unequalTest }) {
		t.Note("Some tasks have more samples of one run than of the other. Flipped signs would then reject too often: p is the larger one of that test and of permuting samples within tasks, and the interval the wider one.")
	}
	if mute != nil {
		t.Note(w.d.Strong("Cannot reject."), " So few tasks differ in ", doc.Name(mute.Name), " that p cannot be below ", w.d.Num(&mute.Least, 4), ".")
	}
	if left := p.OnlyFirst + p.OnlySecond + p.Withheld; left > 0 {
		t.Note("Left out: ", w.d.Count(&p.OnlyFirst), " tasks of the first alone, ", w.d.Count(&p.OnlySecond), " of the second alone, ", w.d.Count(&p.Withheld), " since the sandbox failed: ", listed(p.LeftOutIDs), ".")
	}
	if p.Changed > 0 {
		t.Note(w.d.Strong("Judged in different versions"), ", by text, tests or library, and compared all the same: ", w.d.Count(&p.Changed), " tasks: ", listed(p.ChangedIDs), ".")
	}
}
