package sessions

import (
	"slices"

	doc "assay/session/report/document"
)

// trend writes the change of the measures as testers went on.
func (w *writer) trend(in *doc.Section) {
	sl := w.sliced("set")
	if sl == nil || len(w.Order) == 0 || len(sl.Cells) < 2 && len(w.Order[0].Periods) < 2 {
		return
	}
	s := in.Section("sets", "Order and test sets")
	w.Figure(s, "trend")
	if len(w.Order[0].Periods) > 1 {
		adjusted := w.Order[0].Adjust
		caption := "Results by period, not adjusted"
		if adjusted {
			caption = "Results by period, adjusted for test set and arm"
		}
		w.folded(s, caption, func(s *doc.Section) {
			t := w.places(s, "by-period", caption, "period", func(o *Order) []Place { return o.Periods })
			t.Note("A tester's periods are the test sets that they worked on, in the order in which they came to them; practice is not counted.")
			if !adjusted && w.Testers > 1 {
				t.Note("The effects of period and test set cannot be told apart here: a difference between periods may be that of the tasks.")
			}
		})
		w.change(s)
	}
	if len(sl.Cells) > 1 {
		if !sl.few() && (w.Arms == nil || w.Layout < 4) {
			w.sliceTable(s, sl)
		}
		if len(w.Order[0].Sets) > 1 {
			caption := "Results by set, adjusted for period and arm"
			w.folded(s, caption, func(s *doc.Section) {
				w.places(s, "by-set-adjusted", caption, "set", func(o *Order) []Place { return o.Sets })
			})
		}
	}
	w.rank(s)
}

// places has a row for each period or set.
func (w *writer) places(s *doc.Section, id, caption, what string, of func(*Order) []Place) *doc.Table {
	columns := []doc.Column{doc.Left(what), doc.Right("results")}
	for i := range w.Order {
		columns = append(columns, doc.Right(w.Order[i].Measure), doc.Right("95 % CI"))
	}
	t := s.Table(id, caption, columns...)
	intervals := false
	for i := range of(&w.Order[0]) {
		row := []any{doc.Name(of(&w.Order[0])[i].Name), w.d.Count(&of(&w.Order[0])[i].Results)}
		for j := range w.Order {
			p := &of(&w.Order[j])[i]
			intervals = intervals || p.Interval != nil
			row = append(row, w.d.Num(&p.Value, 2), w.d.Range(p.Interval, 1, 2))
		}
		t.Row(row...)
	}
	if intervals {
		t.Note("Means with Student's intervals from the crossover model, of the deviation from the testers' own means: they speak of testers like these and of these tasks, not of how much testers differ.")
	}
	return t
}

// change tests the last period against the first.
func (w *writer) change(s *doc.Section) {
	if !w.Order[0].Adjust {
		return
	}
	columns := []doc.Column{doc.Left("measure"), doc.Right("change"), doc.Right("95 % CI"), doc.Right("testers"), doc.Right("p"), doc.Right("p, Holm"), doc.Left("how")}
	how := w.Order[0].Change.Method
	alike := w.Layout > 3 && !slices.ContainsFunc(w.Order, func(o Order) bool { return o.Change.Method != how })
	if alike {
		columns = slices.Delete(columns, 6, 7)
	}
	t := s.Table("order", "Change from the first period to the last", columns...)
	for i := range w.Order {
		o := &w.Order[i]
		row := []any{o.Measure, w.d.Num(&o.Change.Value, 2), w.d.Range(o.Change.Interval, 1, 2), w.d.Count(&o.Change.N), w.p(&o.P), w.p(&o.Corrected), doc.Fixed(o.Change.Method)}
		t.Row(row[:len(columns)]...)
	}
	if alike {
		t.Note("Method: ", doc.Fixed(how), ".")
	}
	t.Note("These tests are a family of their own. A change may be learning, tiredness, or chance.")
}

// rank writes the correlation with the position of a task, for one tester.
func (w *writer) rank(s *doc.Section) {
	if w.Order[0].Rho == nil {
		return
	}
	t := s.Table("order-rank", "Rank correlation with a task's place, practice not counted", doc.Left("measure"), doc.Right("Spearman's ρ"), doc.Right("tasks"), doc.Right("p"))
	for i := range w.Order {
		if o := &w.Order[i]; o.Rho != nil {
			t.Row(o.Measure, w.d.Num(&o.Rho.Value, 3), w.d.Count(&o.Rho.N), w.p(o.RhoP))
		}
	}
	t.Note("One tester did the tasks in one order: a correlation may be that of the tasks. It is exploratory, and not corrected.")
}
