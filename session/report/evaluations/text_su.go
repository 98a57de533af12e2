package evaluations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session/report"
	doc "assay/session/report/document"
)

// su writes the results in the layout of Su et al.: their tables, figure 4 and question 2.
func (w *writer) su(s *doc.Section) {
	s.Note("In the layouts of ", doc.Fixed(su+", tables 1 and 4 to 6, figure 4 and research question 2"), ".")
	finals, correctness, quality := w.finals, w.correctness, w.quality
	if w.before {
		finals, correctness, quality = w.finalsBefore, w.correctnessBefore, w.qualityBefore
	}
	finals(s)
	w.Figure(s, "six-dimensions")
	if w.before {
		correctness(s)
		w.categories(s)
		quality(s)
		w.analysers(s)
		w.causes(s)
		w.weights(s)
		return
	}
	s.Fold(doc.Item("Correctness (", doc.Fixed("table 5 of the paper"), ")"), correctness)
	w.categories(s)
	s.Fold(doc.Item("Quality of the code (", doc.Fixed("question 2 of the paper"), ")"), func(s *doc.Section) {
		quality(s)
		w.analysers(s)
	})
	w.causes(s)
	s.Fold(doc.Item("Weights of the tasks (", doc.Fixed("table 1 of the paper"), ")"), w.weights)
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
	var methods []string
	open, assumed, missing := false, false, false
	for i := range w.Six.Runs {
		x := &w.Six.Runs[i]
		if !slices.Contains(methods, x.Final.Method) {
			methods = append(methods, x.Final.Method)
		}
		open, assumed, missing = open || x.Open > 0, assumed || x.Assumed > 0, missing || x.Unmeasured > 0
	}
	t := s.Table("su-4", "Final scores, and mean points in each dimension", w.runColumns("")...)
	w.row(t, doc.Fixed("final score, of 100"), func(x *SixRun) any { return w.spanned(&x.Final.Points) })
	for j, d := range w.Six.Runs[0].Dimensions {
		w.row(t, doc.Fixed(fmt.Sprintf("%s, of %d", d.Name, d.Of)), func(x *SixRun) any { return w.spanned(&x.Dimensions[j]) })
	}
	if slices.ContainsFunc(w.Six.Runs, func(x SixRun) bool { return x.Tasks != w.Six.Runs[0].Tasks || x.Measured != w.Six.Runs[0].Measured }) {
		w.row(t, "tasks", func(x *SixRun) any { return w.d.Count(&x.Tasks) })
		w.row(t, "samples", func(x *SixRun) any { return w.d.Count(&x.Measured) })
	}
	w.runsNote(t)
	t.Note("The final score is a mean over tasks, weighted by difficulty and human pass rate; those of the dimensions are not weighted. In brackets intervals at ", w.Confidence(), ": ", doc.Fixed(strings.Join(methods, "; ")), ".")
	if open {
		t.Note("A range goes from the least to the most that the score can be, where a person's label of the explanation or an analyser's rating is missing.")
	}
	if assumed {
		t.Note("Where difficulty or human pass rate is not known the middle weight is taken, without a difficulty ", doc.Fixed("1"), ".")
	}
	if missing {
		t.Note("Samples that could not be measured are not in it.")
	}
}

// correctness is their table 5: the summary, and question by question.
func (w *writer) correctness(s *doc.Section) {
	t := s.Table("su-5", "Correctness", w.runColumns("")...)
	w.row(t, "average pass rate, %", func(x *SixRun) any { return w.bracketed(&x.MeanRate) })
	w.row(t, "all test cases together, %", func(x *SixRun) any { return w.d.Percent(&x.CaseRate.Value, x.MeanRate.PercentDecimals()) })
	w.row(t, "test cases passed", func(x *SixRun) any { return doc.Item(w.d.Count(&x.CaseRate.Count), " of ", w.d.Count(&x.CaseRate.N)) })
	for o, name := range []string{"correct", "wrong answer", "other verdicts"} {
		w.row(t, name+", samples", func(x *SixRun) any { return w.d.Count(&x.Outcomes[o].Count) })
		w.row(t, name+", %", func(x *SixRun) any { return w.bracketed(&x.Outcomes[o].Share) })
	}
	t.Note("After ", doc.Fixed(su+", table 5"), ", which prints the mean over questions as average pass rate; the rate of all test cases together is another number, in which tasks with many cases weigh more. Percentages are means over tasks, with intervals at ", w.Confidence(), ". The paper calls other verdicts runtime errors.")
	w.runsNote(t)
	w.byQuestion(s)
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
		if w.before {
			s.Text(w.d.Strong("No categories."), " The tasks name no category, or no file of tasks was given: incorrect samples by category (", doc.Fixed("table 6 of the paper"), ") cannot be shown.")
		}
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

// byQuestion has the pass rate of each task, folded where there are many.
func (w *writer) byQuestion(s *doc.Section) {
	const few = 50
	if len(w.Tasks) <= few {
		w.questions(s)
		return
	}
	s.Fold(doc.Item("Pass rate of each task"), w.questions)
}

// grades counts the samples of each grade of reliability and security that some run has.
func (w *writer) grades(t *doc.Table) {
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
}

// quality are the quantities of their second research question.
func (w *writer) quality(s *doc.Section) {
	t := s.Table("su-q2", "Quality of the code", w.runColumns("")...)
	w.row(t, "measured samples", func(x *SixRun) any { return w.d.Count(&x.Measured) })
	w.row(t, "cyclomatic complexity, sum", func(x *SixRun) any { return w.d.Count(&x.Cyclomatic) })
	w.row(t, "cognitive complexity, sum", func(x *SixRun) any { return w.d.Count(&x.Cognitive) })
	w.row(t, "comment rate, %", func(x *SixRun) any {
		if x.CommentRate.Interval == nil {
			return w.d.Num(&x.CommentRate.Value, 1)
		}
		return doc.Item(w.d.Num(&x.CommentRate.Value, 1), " (", w.d.Range(x.CommentRate.Interval, 1, 1), ")")
	})
	w.grades(t)
	if slices.ContainsFunc(w.Six.Runs, func(x SixRun) bool { return x.Inaccurate > 0 || x.Unlabelled < x.Measured }) {
		w.row(t, "explanations labelled inaccurate or incomplete", func(x *SixRun) any { return w.d.Count(&x.Inaccurate) })
		w.row(t, "explanations not labelled", func(x *SixRun) any { return w.d.Count(&x.Unlabelled) })
	}
	t.Note("Research question ", doc.Fixed("Q2 of "+su), ". Complexity as SonarQube counts it, of the whole program that was judged. The comment rate is a mean over tasks. Sums are over samples: compare runs only where they have the same tasks and as many samples. A grade that no sample has is left out.")
	w.runsNote(t)
}

// causes is their figure 4.
func (w *writer) causes(s *doc.Section) {
	if !w.Six.Labelled {
		if w.before {
			s.Text(w.d.Strong("No labels."), " Whether a sample is not correct because of its code or because the task was misunderstood (", doc.Fixed("figure 4 of the paper"), ") is a person's judgement, which no verdict replaces.")
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
	if w.About == nil || !w.before && !slices.ContainsFunc(w.About.Weights, func(x Weights) bool { return x.Difficulty != "" || x.Low+x.Middle+x.High > 0 }) {
		return
	}
	t := s.Table("su-1", "Tasks by difficulty and human pass rate, which give their weight", doc.Left("difficulty"), doc.Right("< 40 %"), doc.Right("40–70 %"), doc.Right("> 70 %"), doc.Right("not known"))
	for i := range w.About.Weights {
		x := &w.About.Weights[i]
		t.Row(doc.Name(notKnown(x.Difficulty)), w.d.Count(&x.Low), w.d.Count(&x.Middle), w.d.Count(&x.High), w.d.Count(&x.Unknown))
	}
	t.Note("Weights: easy ", doc.Fixed("1.0, 0.9, 0.8"), ", medium ", doc.Fixed("1.1, 1.0, 0.9"), ", hard ", doc.Fixed("1.2, 1.1, 1.0"), " (", doc.Fixed(su+", table 1"), "); not known: the middle one.")
}

// mostMatrix is the number of runs whose pairs have room in a matrix.
const mostMatrix = 8

// drawnPairs is the number of comparisons on the page.
const drawnPairs = manyPairs

// pairMatrix reports whether the pairs of runs are printed as a matrix, which tells what the gaps of leaderboards do.
func (w *writer) pairMatrix() bool {
	return len(w.Runs) >= fewRanked && len(w.Runs) <= mostMatrix && !w.Selected && slices.ContainsFunc(w.Pairs, func(p Pair) bool { return p.Problem == "" })
}

// pairs are the comparisons.
func (w *writer) pairs() {
	if len(w.Runs) < 2 {
		return
	}
	s := w.d.Section("comparison", "Comparison, task by task")
	if len(w.Pairs) == 1 {
		w.Figure(s, "comparison")
		w.pairTable(s)
		return
	}
	if w.pairMatrix() {
		w.matrixOfPairs(s)
	} else {
		s.Aside = true
		w.Figure(s, "comparison")
	}
	if w.Selected {
		s.Text("Of the many pairs of runs those are compared in all metrics that tell most: each run with the next in rank, and the first ones with the best. The leaderboards are made from all pairs. ", doc.Code("--all-pairs"), " compares all in all metrics.")
	}
	s.Fold(doc.Item("All pairs in all metrics"), w.pairTable)
	if more := len(w.Pairs) - drawnPairs; more > 0 {
		s.Text("The JSON form has the further comparisons.")
	}
}

// matrixOfPairs has the difference of each pair in the metric that ranks: above the diagonal with its interval, below it
// the corrected p.
func (w *writer) matrixOfPairs(s *doc.Section) {
	t := s.Table("comparison-matrix", "Differences in "+w.Metrics[0]+" between the runs", w.runColumns("run")...)
	left := false
	for row := range w.Runs {
		cells := []any{doc.Name(w.marked(row))}
		if w.numbered() {
			cells[0] = w.numberedName(row)
		}
		for column := range w.Runs {
			at := slices.IndexFunc(w.Pairs, func(p Pair) bool {
				return p.Problem == "" && p.first == min(row, column) && p.second == max(row, column)
			})
			if at < 0 {
				cells = append(cells, doc.Undefined)
				continue
			}
			p := &w.Pairs[at]
			left = left || p.OnlyFirst+p.OnlySecond+p.Withheld+p.Changed > 0
			if column < row {
				cells = append(cells, w.pValue(&p.Measures[0].Holm))
			} else {
				cells = append(cells, w.bracketed(&p.Measures[0].Difference))
			}
		}
		t.Row(cells...)
	}
	t.Note("Above the diagonal: the run of the row minus that of the column, in percentage points over the tasks that both have, with its sign-flip interval at ", w.Confidence(), ", each for itself. Below it: p, corrected by Holm for all ", w.d.Count(&w.Families[0].Tests), " differences.")
	if left {
		t.Note("Some pairs leave out tasks that one run lacks, or compare tasks that were judged in different versions: the table of all pairs says which.")
	}
}

// pairTable compares pairs of runs in all metrics.
func (w *writer) pairTable(s *doc.Section) {
	several := len(w.Pairs) > 1
	differ := w.theseDiffer() // with one sample a task both intervals are the same
	columns := []doc.Column{doc.Left("metric"), doc.Right("first, %"), doc.Right("second, %"), doc.Right("difference"), doc.Right("95 %, tasks like these")}
	if differ {
		columns = append(columns, doc.Right("95 %, these tasks"))
	}
	columns = append(columns, doc.Right("better"), doc.Right("worse"), doc.Right("same"), doc.Right("p"), doc.Right("p, Holm"), doc.Right("p, BH"))
	caption := "All pairs of runs"
	if several {
		columns = slices.Insert(columns, 0, doc.Left("first"), doc.Left("second"))
	} else {
		caption = w.marked(w.Pairs[0].first) + " against " + w.marked(w.Pairs[0].second)
	}
	var t *doc.Table
	for i := range w.Pairs[:min(len(w.Pairs), drawnPairs)] {
		p := &w.Pairs[i]
		if p.Problem != "" {
			s.Text(doc.Name(w.marked(p.first)), " and ", doc.Name(w.marked(p.second)), " are not compared: ", p.Problem, ".")
			continue
		}
		if t == nil {
			t = s.Table("comparison", caption, columns...)
			t.Note("First minus second in percentage points, mean over the tasks that both have, with its interval at ", w.Confidence(), " by the sign-flip test, paired by task; better, worse, same: tasks; p: sign-flip test, two-sided; p, Holm and p, BH: corrected for all ", w.d.Count(&w.Families[0].Tests), " differences between runs that this report tests.")
		}
		for _, at := range w.shownMetrics() {
			m := &p.Measures[at]
			row := []any{doc.Name(m.Name), w.d.Percent(&m.First.Value, m.Difference.PercentDecimals()), w.d.Percent(&m.Second.Value, m.Difference.PercentDecimals()), w.Percent(&m.Difference), w.PercentInterval(&m.Difference)}
			if differ {
				row = append(row, w.d.Range(m.These.Interval, 100, m.Difference.PercentDecimals()))
			}
			row = append(row, w.d.Count(&m.Better), w.d.Count(&m.Worse), w.d.Count(&m.Same), w.pValue(&m.P), w.pValue(&m.Holm), w.pValue(&m.BH))
			if several {
				row = slices.Insert(row, 0, any(doc.Name(w.marked(p.first))), any(doc.Name(w.marked(p.second))))
			}
			t.Row(row...)
		}
	}
	if t != nil {
		w.pairNotes(t)
	}
}

// pairNotes says what is special about single pairs.
func (w *writer) pairNotes(t *doc.Table) {
	unequal := false
	for i := range w.Pairs[:min(len(w.Pairs), drawnPairs)] {
		p := &w.Pairs[i]
		unequal = unequal || slices.ContainsFunc(p.Measures, func(m Compared) bool { return m.Test == unequalTest })
		var pair []any
		if len(w.Pairs) > 1 {
			pair = doc.Item(doc.Name(w.marked(p.first)+" and "+w.marked(p.second)), ": ")
		}
		if at := slices.IndexFunc(p.Measures, func(m Compared) bool { return float64(m.Least) > significance }); at >= 0 {
			mute := &p.Measures[at]
			t.Note(pair, w.d.Strong("Cannot reject."), " So few tasks differ in ", doc.Name(mute.Name), " that p cannot be below ", w.d.Num(&mute.Least, 4), ".")
		}
		if left := p.OnlyFirst + p.OnlySecond + p.Withheld; left > 0 {
			t.Note(pair, "Over the ", w.d.Count(&p.Tasks), " tasks that both have. Left out: ", w.d.Count(&p.OnlyFirst), " tasks of the first alone, ", w.d.Count(&p.OnlySecond), " of the second alone, ", w.d.Count(&p.Withheld), " since the sandbox failed: ", listed(p.LeftOutIDs), ".")
		} else if len(w.Pairs) == 1 {
			t.Note("Over the ", w.d.Count(&p.Tasks), " tasks that both have.")
		}
		if p.Changed > 0 {
			t.Note(pair, w.d.Strong("Judged in different versions"), ", by text, tests or library, and compared all the same: ", w.d.Count(&p.Changed), " tasks: ", listed(p.ChangedIDs), ".")
		}
	}
	if unequal {
		t.Note("Some tasks have more samples of one run than of the other. Flipped signs would then reject too often: p is the larger one of that test and of permuting samples within tasks, and the interval the wider one.")
	}
}

// pValue returns a p with four decimals, or that it is smaller.
func (w *writer) pValue(p *report.Number) any {
	if *p < 0.001 {
		return doc.Fixed("< 0.001")
	}
	return w.d.Num(p, 4)
}
