package evaluations

import (
	"fmt"
	"slices"

	"assay/benchmark/batch"
	"assay/session/report"
	doc "assay/session/report/document"
)

// named names the tasks after a preposition, if a file of tasks was given.
func (w *writer) named(before string) []any {
	if w.About == nil {
		return nil
	}
	return doc.Item(before, doc.Name(w.About.Name))
}

// asked names the tasks that runs are compared on, and how many of all they are where runs have as many and others have none.
func (w *writer) asked() []any {
	first := &w.Runs[0]
	if w.About == nil || first.Left == 0 || slices.ContainsFunc(w.Runs, func(r Run) bool { return r.Left != first.Left || r.Tasks != first.Tasks }) ||
		slices.ContainsFunc(w.Pairs, func(p Pair) bool { return p.OnlyFirst+p.OnlySecond > 0 }) {
		return w.named(" on the tasks of ")
	}
	return doc.Item(" on ", w.d.Count(&first.Tasks), " of the ", w.d.Count(&w.About.Tasks), " tasks of ", doc.Name(w.About.Name))
}

// summary is the first page: the question, the answer with its uncertainty, and what the
// results do not show.
func (w *writer) summary() {
	s := w.d.Section("summary", "Summary")
	metric := doc.Name(w.Metrics[0])
	if w.Filter != "" {
		s.Text(w.d.Strong("A part of the results:"), " only tasks that match the filter ", w.d.Strong(doc.Name(w.Filter)), " are in this report.")
	}
	switch {
	case len(w.Runs) == 1:
		run := &w.Runs[0]
		e := &run.Metrics[0]
		s.Text(w.d.Strong("How many of the tasks", w.named(" of "), " does ", doc.Name(w.marked(0)), " solve?"))
		if run.Scored == 0 {
			s.Text("No task has a result: there is nothing to average.")
			break
		}
		s.Text(w.d.Strong(metric, ": ", w.measured(e)), ", over ", w.d.Count(&e.N), " tasks with ", w.d.Count(&run.Counted), " samples.")
	case len(w.Leaderboards) == 1 && len(w.Leaderboards[0].Rows) == len(w.Runs):
		s.Text(w.d.Strong("Which of the ", doc.Fixed(fmt.Sprint(len(w.Runs))), " runs is best by ", metric, w.asked(), ", and by how much?"))
		w.best(s, &w.Leaderboards[0])
	case len(w.Runs) == 2:
		s.Text(w.d.Strong("Which is better by ", metric, w.asked(), ": ", doc.Name(w.marked(0)), " or ", doc.Name(w.marked(1)), "?"))
		w.better(s)
	default:
		s.Text(w.d.Strong("How do the ", doc.Fixed(fmt.Sprint(len(w.Runs))), " runs compare?"), " They have different types of prompts, which are not ranked with each other.")
	}
	if len(w.Leaderboards) == 1 {
		w.standings(s, 0)
	}
	w.Figure(s, "results")
	w.limits(s)
}

// measured returns a share in percent with its interval.
func (w *writer) measured(e *report.Estimate) []any {
	text := doc.Item(w.Percent(e), " %")
	if e.Interval != nil {
		text = append(text, " (", w.Confidence(), " CI ", w.PercentInterval(e), ")")
	}
	return text
}

// best writes which run is first, and whether that may be chance.
func (w *writer) best(s *doc.Section, l *Leaderboard) {
	first, second := &l.Rows[0], &l.Rows[1]
	if second.Rank == 0 {
		s.Text("Fewer than two runs have a task with a result.")
		return
	}
	s.Text(w.d.Strong(doc.Name(w.marked(first.run)), " with ", w.measured(&first.Metric)), "; next is ", doc.Name(w.marked(second.run)), " with ", w.measured(&second.Metric), ".")
	switch g := &second.Best; {
	case len(first.Ties) == 0:
		s.Text(w.d.Strong("The lead is more than chance explains."), " The next run minus it: ", w.gap(g), ".")
	default:
		s.Text(w.d.Strong("The lead may be due to chance."), " ", doc.Name(w.marked(first.run)), " does not differ significantly from rank ", w.ranks(first), " once p is corrected for the number of comparisons. The next run minus it: ", w.gap(g), ".")
	}
}

// gap returns the difference to a better run.
func (w *writer) gap(g *Gap) []any {
	return append(w.difference(&g.Difference, &g.Holm), ", over the ", w.d.Count(&g.Difference.N), " tasks that both have")
}

// difference is one in percentage points, with its interval, if there is one, and p.
func (w *writer) difference(e *report.Estimate, p *report.Number) []any {
	text := doc.Item(w.Percent(e), " percentage points (")
	if e.Interval != nil {
		text = append(text, w.Confidence(), " CI ", w.PercentInterval(e), ", not corrected for the number of comparisons, ")
	}
	return append(text, "corrected p ", w.pValue(p), ")")
}

// better compares two runs.
func (w *writer) better(s *doc.Section) {
	p := &w.Pairs[0]
	if p.Problem != "" {
		s.Text("They are not compared: ", p.Problem, ".")
		return
	}
	m := &p.Measures[0]
	digits := m.Difference.PercentDecimals()
	s.Text(w.d.Strong(doc.Name(w.marked(p.first)), ": ", w.d.Percent(&m.First.Value, digits), " %; ", doc.Name(w.marked(p.second)), ": ", w.d.Percent(&m.Second.Value, digits), " %. Difference: ",
		w.difference(&m.Difference, &m.Holm)), ", over the ", w.d.Count(&p.Tasks), " tasks that both have.")
	switch {
	case m.Difference.Interval == nil && float64(m.Least) > significance:
		s.Text(w.d.Strong("These results cannot show a difference."), " So few tasks differ in ", doc.Name(m.Name), " that p cannot be below ", w.d.Num(&m.Least, 4), ", and there is no interval.")
	case float64(m.Holm) > significance || !m.Holm.Defined():
		s.Text(w.d.Strong("These results neither show a difference nor rule one out."), " The result applies to tasks like these.")
	case m.Difference.Value > 0:
		s.Text(w.d.Strong(doc.Name(w.marked(p.first)), " is better, by more than chance explains."), " The result applies to tasks like these.")
	default:
		s.Text(w.d.Strong(doc.Name(w.marked(p.second)), " is better, by more than chance explains."), " The result applies to tasks like these.")
	}
}

// limits writes what readers must know before they quote results.
func (w *writer) limits(s *doc.Section) {
	var items [][]any
	add := func(of func(*Run) *int, parts ...any) {
		first := of(&w.Runs[0])
		if len(w.Runs) > 1 && *first > 0 && !slices.ContainsFunc(w.Runs, func(r Run) bool { return *of(&r) != *first }) {
			items = append(items, append(doc.Item("Each run: ", w.d.Count(first)), parts...))
			return
		}
		for i := range w.Runs {
			if n := of(&w.Runs[i]); *n > 0 {
				items = append(items, append(doc.Item(doc.Name(w.marked(i)), ": ", w.d.Count(n)), parts...))
			}
		}
	}
	add(func(r *Run) *int { return &r.Withheld }, " tasks are withheld from every metric, since the sandbox failed on a sample. Evaluating again with the same ", doc.Code("--out"), " tries them again.")
	missing := " samples were not judged, since their task has no tests or their interpreter is missing: they are in no metric."
	counts := "count here as resolved"
	switch batch.Reviewing(w.Reviewing) {
	case batch.CountFailed:
		counts = "count here as failed"
	case batch.LeaveOut:
		counts = "are left out here, as samples that were not judged"
		missing = " samples are in no metric: they were not judged, since their task has no tests or their interpreter is missing, or a person has to look at them."
	}
	add(func(r *Run) *int { return &r.Excluded }, missing)
	add(func(r *Run) *int { return &r.Left }, " tasks of the benchmark have no sample: they are in no number.")
	add(func(r *Run) *int { return &r.Other }, " tasks were judged with another text, tests or library than those of the tasks given here.")
	add(func(r *Run) *int { return &r.Repeated }, " samples contain the call whose value was asked for. They count here as judged; LiveCodeBench leaves them out, and ", doc.Code("assay eval"), " has its numbers, too.")
	add(func(r *Run) *int { return &r.Forgeable }, " verdicts could be forged by a program written for it, since it ran in one process with its tests or without isolation.")
	add(func(r *Run) *int { return &r.ToReview }, " resolved samples name what could influence tests or their report, or files that neither the reference nor a test names. They ", counts, "; ", doc.Code("to_review"), " in the results and the table of samples says why a person should look at them.")
	s.List(items...)
	s.Text("Intervals are for tasks like these. They do not cover other versions of a model, or other prompts.")
}
