package evaluations

import (
	"cmp"
	"fmt"
	"strings"

	"assay/benchmark/verdicts"
	doc "assay/session/report/document"
)

// yeo writes the results in the layout of Yeo et al.: their tables and figure 3.
func (w *writer) yeo() {
	title := "Prompts, difficulty and year of publication"
	if w.About == nil && !w.hasPrompts() {
		title = "Single tasks, run time and memory"
	}
	s := w.d.Section("yeo", title)
	s.Note("In the layouts of ", doc.Fixed(yeo+", tables 1 to 5 and figure 3"), ".")
	if w.About != nil {
		t := s.Table("yeo-1", "What the tasks tell", doc.Left("item"), doc.Right("tasks that have it"))
		for i := range w.About.Items {
			if w.About.Items[i].Share.Count == 0 {
				continue
			}
			t.Row(w.About.Items[i].Name, w.share(&w.About.Items[i].Share))
		}
		t.Note("After ", doc.Fixed(yeo+", table 1"), ". What no task has is left out. Prompts and splits are made of these; the human pass rate is for the weights below.")
	}
	w.passFail(s)
	w.groups(s)
	w.examples(s)
	s.Fold(doc.Item("Run time and memory of accepted samples"), w.usage)
}

// passFail is their table 2: as wide as in the paper where there are as few tasks, else
// turned by a quarter.
func (w *writer) passFail(s *doc.Section) {
	if w.hasPrompts() {
		w.promptGrids(s)
		return
	}
	if w.fewTasks() {
		columns := []doc.Column{doc.Left("model or prompt")}
		for i := range w.Tasks {
			columns = append(columns, doc.Left(w.Tasks[i].ID))
		}
		t := s.Table("yeo-2", "Which tasks each run solves", columns...)
		for run := range w.Runs {
			row := []any{doc.Name(w.marked(run))}
			for i := range w.Tasks {
				row = append(row, w.solved(&w.Tasks[i].Runs[run]))
			}
			t.Row(row...)
		}
		w.passFailNote(t)
		return
	}
	columns := []doc.Column{doc.Left("task")}
	for run := range w.Runs[:w.listedRuns()] {
		columns = append(columns, doc.Left(w.head(run)))
	}
	s.Fold(doc.Item("Which tasks each run solves (", doc.Fixed("table 2 of the paper"), ")"), func(inside *doc.Section) {
		t := inside.Table("yeo-2", "Which tasks each run solves", columns...)
		for i := range w.Tasks[:w.listedTasks()] {
			row := []any{doc.Name(w.Tasks[i].ID)}
			for run := range w.Runs[:w.listedRuns()] {
				row = append(row, w.solved(&w.Tasks[i].Runs[run]))
			}
			t.Row(row...)
		}
		w.passFailNote(t)
		w.restNote(t)
	})
}

func (w *writer) passFailNote(t *doc.Table) {
	t.Note("After ", doc.Fixed(yeo+", table 2"), ", whose rows are prompts with growing detail. Of several samples, how many pass.")
}

// solved is pass or fail, or of several samples how many pass.
func (w *writer) solved(x *Result) []any {
	switch {
	case !x.scored():
		return doc.Item(why(x))
	case x.N > 1:
		return doc.Item(w.d.Count(&x.Accepted), " of ", w.d.Count(&x.N))
	case x.Accepted == 1:
		return doc.Item("pass")
	}
	return doc.Item("fail")
}

// groups are their tables 3 and 5, and figure 3.
func (w *writer) groups(s *doc.Section) {
	g := &w.Groups
	if len(g.Missing) > 1 && len(g.Difficulties)*len(g.Years) == 1 {
		return // there is nothing to tell tasks apart by
	}
	if len(g.Missing) > 0 {
		s.Text(w.d.Strong("Not known"), " of all or some tasks: ", strings.Join(g.Missing, " and "), ".")
	}
	columns := []doc.Column{doc.Left("run"), doc.Left("difficulty")}
	for _, year := range g.Years {
		columns = append(columns, doc.Right(notKnown(year)))
	}
	t := s.Table("yeo-3", "Solved tasks by difficulty and year of publication", columns...)
	for run := range w.Runs {
		for d := range g.Difficulties {
			row := []any{doc.Name(w.marked(run)), doc.Name(notKnown(g.Difficulties[d]))}
			for y := range g.Years {
				x := &g.Runs[run][d][y]
				switch {
				case x.N == 0:
					row = append(row, doc.Undefined)
				case w.Runs[run].Most > 1:
					row = append(row, doc.Item(w.d.Num(&x.Expected, 1), " (", w.d.Count(&x.Solved), ") of ", w.d.Count(&x.N)))
				default:
					row = append(row, doc.Item(w.d.Count(&x.Solved), " of ", w.d.Count(&x.N)))
				}
			}
			t.Row(row...)
		}
	}
	t.Note("After ", doc.Fixed(yeo+", table 3"), ".")
	if w.Most > 1 {
		t.Note("Tasks that one sample solves on average, and in brackets those that at least one of the samples solves. The paper's numbers are the former, rounded: each is the number of tasks times the ", doc.Fixed("pass@1 of its table 5"), ".")
	}
	w.Figure(s, "pass-ratio-by-difficulty-and-year")
	w.groupMetrics(s)
}

// notKnown names the metadata that the tasks lack.
func notKnown(value string) string { return cmp.Or(value, "not known") }

// groupMetrics is their table 5.
func (w *writer) groupMetrics(s *doc.Section) {
	g := &w.Groups
	t := s.Table("yeo-5", "Metrics by difficulty and year of publication", append([]doc.Column{doc.Left("run"), doc.Left("difficulty"), doc.Left("year")}, w.metricColumns()...)...)
	few := false
	for run := range w.Runs {
		name := w.marked(run)
		for d := range g.Difficulties {
			difficulty := notKnown(g.Difficulties[d])
			for y := range g.Years {
				x := &g.Runs[run][d][y]
				if x.N == 0 {
					continue
				}
				few = few || x.Few
				t.Row(append([]any{doc.Name(name), doc.Name(difficulty), doc.Name(notKnown(g.Years[y]))}, w.metricCells(&x.Cell)...)...)
			}
		}
	}
	more := ""
	if w.Fewest < w.Most {
		more = " or more"
	}
	t.Note("In percent, means over the tasks of the group; n = ", w.d.Count(&w.Fewest), more, ". After ", doc.Fixed(yeo+", table 5"), ".")
	w.fewNote(t, few)
}

// examples are their table 4, for each run.
func (w *writer) examples(s *doc.Section) {
	const few = 3
	if len(w.Runs) <= few {
		w.exampleTables(s)
		return
	}
	s.Fold(doc.Item("Samples of some tasks (", doc.Fixed("table 4 of the paper"), ")"), w.exampleTables)
}

func (w *writer) exampleTables(s *doc.Section) {
	for run := range w.Runs {
		var of []*Example
		rows, ks := 0, 0
		for i := range w.Samples {
			if e := &w.Samples[i]; e.Run == w.Runs[run].Name {
				of = append(of, e)
				rows, ks = max(rows, len(e.Solutions)), max(ks, len(e.PassAtK))
			}
		}
		if len(of) == 0 {
			continue
		}
		columns := []doc.Column{doc.Left("task")}
		for _, e := range of {
			columns = append(columns, doc.Right(e.Task))
		}
		t := s.Table(fmt.Sprintf("yeo-4-%d", run+1), "Samples of some tasks: "+w.marked(run), columns...)
		row := func(head any, cell func(*Example) any) {
			cells := []any{head}
			for _, e := range of {
				cells = append(cells, cell(e))
			}
			t.Row(cells...)
		}
		row("kind", func(e *Example) any { return e.Kind })
		for i := range rows {
			row(doc.Fixed(fmt.Sprintf("sample %d", i+1)), func(e *Example) any { return w.solution(e, i) })
		}
		for k := range ks {
			row(doc.Fixed(fmt.Sprintf("pass@%d", k+1)), func(e *Example) any {
				if k >= len(e.PassAtK) {
					return doc.Undefined
				}
				return w.d.Percent(&e.PassAtK[k], 1)
			})
		}
		row(doc.Name(w.Metrics[w.ratioAt()]), func(e *Example) any { return w.d.Percent(&e.PassRatio, 1) })
		t.Note("After ", doc.Fixed(yeo+", table 4"), ": the first task of which all samples pass, the first of which some do, and the first of which none does, if there is one that passed some test cases. Passed test cases of all; metrics in percent.")
		for _, e := range of {
			if e.More > 0 {
				t.Note(w.d.Count(&e.More), " more samples of ", doc.Name(e.Task), " are not shown.")
			}
		}
	}
}

func (w *writer) solution(e *Example, i int) any {
	if i >= len(e.Solutions) {
		return doc.Undefined
	}
	x := &e.Solutions[i]
	verdict := "fail"
	if x.Verdict == string(verdicts.Accepted) {
		verdict = "pass"
	}
	return doc.Item(w.d.Count(&x.Passed), "/", w.d.Count(&x.Total), " ("+verdict+")")
}
