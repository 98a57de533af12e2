package evaluations

import (
	"slices"
	"strings"

	"assay/scoring"
	"assay/session/report"
	doc "assay/session/report/document"
)

// results are the metrics and the verdicts.
func (w *writer) results() {
	s := w.d.Section("results", "Results")
	if len(w.Runs) > manyRuns {
		s.Fold(doc.Item("All metrics of all runs"), w.metrics)
	} else {
		w.metrics(s)
	}
	w.verdicts(s)
}

// manyRuns are more than have room side by side in a figure; a leaderboard shows them.
const manyRuns = 12

// shownMetrics are the indices of the metrics that have a row: strict accuracy has none beside pass@1, which it is.
func (r *Report) shownMetrics() (all []int) {
	for m := range r.Metrics {
		if m != r.strictAt() || !slices.Contains(r.Metrics, "pass@1") {
			all = append(all, m)
		}
	}
	return all
}

// metrics is the table of all metrics.
func (w *writer) metrics(s *doc.Section) {
	var how []string
	note := func(name, method string) {
		if line := name + ": " + method; !slices.Contains(how, line) {
			how = append(how, line)
		}
	}
	differ := w.theseDiffer()
	var names []string
	var cells, again [][]any // by metric and run; of the second, for the same tasks
	for _, m := range w.shownMetrics() {
		names, cells, again = append(names, w.Metrics[m]+", %"), append(cells, nil), append(again, nil)
		at := len(cells) - 1
		for i := range w.Runs {
			e, these := &w.Runs[i].Metrics[m], &w.Runs[i].These[m]
			cells[at] = append(cells[at], w.bracketed(e))
			again[at] = append(again[at], doc.Item(w.d.Range(these.Interval, 100, e.PercentDecimals())))
			method := strings.TrimSuffix(e.Method, ", "+scoring.LikeThese)
			if differ {
				method = methods(e.Method, these.Method)
			}
			note(w.Metrics[m], method)
		}
	}
	if six := w.Six.Runs; slices.ContainsFunc(six, func(x SixRun) bool { return x.Final.Low.Defined() }) {
		names, cells = append(names, "six dimensions, of 100"), append(cells, nil)
		at := len(cells) - 1
		for i := range six {
			f := &six[i].Final
			cells[at] = append(cells[at], w.spanned(&f.Points))
			if f.Low.Defined() {
				note("six dimensions", strings.TrimSuffix(f.Method, ", "+scoring.LikeThese))
			}
		}
	}
	if slices.ContainsFunc(w.Runs, func(r Run) bool { return r.Scored != w.Runs[0].Scored || r.Counted != w.Runs[0].Counted }) {
		names, cells = append(names, "tasks", "samples"), append(cells, nil, nil)
		at := len(cells) - 2
		for i := range w.Runs {
			cells[at], cells[at+1] = append(cells[at], w.d.Count(&w.Runs[i].Scored)), append(cells[at+1], w.d.Count(&w.Runs[i].Counted))
		}
	}
	t := w.matrix(s, "results", "The metrics: means over tasks, with their intervals at 95 %", names, cells)
	if slices.ContainsFunc(w.Runs, func(r Run) bool { return r.Scored == 0 }) {
		t.Note("A run without a scored task has no metrics.")
	}
	if differ {
		t := w.matrix(s, "results-these", "The intervals for these tasks, %", names[:len(again)], again)
		t.Note("If the same tasks had been asked again.")
	}
	s.Fold(doc.Item("How the intervals of the metrics are made"), func(s *doc.Section) {
		s.Text("For tasks like these, that is, if other tasks of the kind had been asked, here and wherever no scope is named: ", doc.Fixed(strings.Join(how, "; ")), ".")
		if len(w.shownMetrics()) < len(w.Metrics) {
			s.Text("Strict accuracy is ", doc.Fixed("pass@1"), ".")
		}
	})
}

// matrix is a table of metrics and runs, of which those stand side by side that are fewer.
func (w *writer) matrix(s *doc.Section, id, caption string, names []string, cells [][]any) *doc.Table {
	if len(w.Runs) < len(names) && !w.numbered() {
		t := s.Table(id, caption, w.runColumns("metric")...)
		for m, name := range names {
			t.Row(append([]any{doc.Fixed(name)}, cells[m]...)...)
		}
		return t
	}
	columns := []doc.Column{doc.Left("run")}
	for _, name := range names {
		columns = append(columns, doc.Right(name))
	}
	t := s.Table(id, caption, columns...)
	for i := range w.Runs {
		row := []any{doc.Name(w.marked(i))}
		for m := range names {
			row = append(row, cells[m][i])
		}
		t.Row(row...)
	}
	return t
}

// bracketed returns a share in percent with its interval in brackets.
func (w *writer) bracketed(e *report.Estimate) []any {
	if e.Interval == nil {
		return doc.Item(w.Percent(e))
	}
	return doc.Item(w.Percent(e), " (", w.PercentInterval(e), ")")
}

// spanned returns a score that may be known only as a range, with its interval in brackets.
func (w *writer) spanned(f *Points) []any {
	if f.Interval == nil {
		return w.span(&f.Low, &f.High, 1)
	}
	return doc.Item(w.span(&f.Low, &f.High, 1), " (", w.d.Range(f.Interval, 1, 1), ")")
}

// theseDiffer reports whether intervals for the same tasks differ from those for tasks like these: with one sample
// a task they cannot.
func (w *writer) theseDiffer() bool {
	for i := range w.Runs {
		for m := range w.Metrics {
			if !strings.HasPrefix(w.Runs[i].These[m].Method, "as for tasks like these") {
				return true
			}
		}
	}
	return false
}

// methods names the methods of two intervals, whose scopes stand above them.
func methods(like, these string) string {
	like, these = strings.TrimSuffix(like, ", "+scoring.LikeThese), strings.TrimSuffix(these, ", "+scoring.TheseTasks)
	if these == "" || these == like {
		return like
	}
	return like + "; " + these
}

// span returns a value, or a range where it is not known.
func (w *writer) span(low, high *report.Number, decimals int) []any {
	if *low == *high || !low.Defined() {
		return doc.Item(w.d.Num(low, decimals))
	}
	return doc.Item(w.d.Num(low, decimals), " to ", w.d.Num(high, decimals))
}
