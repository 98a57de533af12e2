package sessions

import (
	"slices"
	"strings"

	"assay/session/report"
	doc "assay/session/report/document"
)

// hidden replaces the value of a cell with too few tasks.
const hidden = "few"

// shown are cells of a slice, or the mark that hides them.
func shown(c *Slice, cell ...any) []any {
	if c.Small {
		return doc.Item(hidden)
	}
	return cell
}

func (w *writer) slice(in *doc.Section, by string) {
	sl := w.sliced(by)
	if sl == nil || len(sl.Cells) < 2 || sl.few() {
		return
	}
	s := in.Section("by-"+by, "By "+by)
	w.Figure(s, "results-by-"+by)
	w.sliceTable(s, sl)
	if w.Ratings.Total.Mean.N > 0 {
		w.attributeTable(s, sl)
	}
	w.Figure(s, "attempts-by-"+by)
	w.Figure(s, "completion-time-by-"+by)
	w.Figure(s, "attributes-by-"+by)
	w.trends(s, sl)
	w.differences(s, sl)
}

// sliced returns the slices by a property, nil if there are none.
func (r *Report) sliced(by string) *Slices {
	for i := range r.Slices {
		if r.Slices[i].By == by {
			return &r.Slices[i]
		}
	}
	return nil
}

func (w *writer) sliceTable(s *doc.Section, sl *Slices) {
	columns := []doc.Column{doc.Left(sl.By), doc.Right("tasks")}
	several := w.Testers > 1 && sl.By != "tester"
	if several {
		columns = append(columns, doc.Right("testers"), doc.Right("results"))
	}
	measures := w.means()
	for _, m := range measures {
		columns = append(columns, doc.Right(m.column), doc.Right("95 % CI"))
	}
	t := s.Table("by-"+sl.By, "Results by "+sl.By, columns...)
	judged := false
	for i := range sl.Cells {
		c := &sl.Cells[i]
		judged = judged || c.Accepted.N > 0
		row := []any{doc.Name(named(c.Value)), w.d.Count(&c.Tasks)}
		if several {
			row = append(row, w.d.Count(&c.Testers), w.d.Count(&c.N))
		}
		for _, m := range measures {
			row = append(row, w.mean(c, m)...)
		}
		t.Row(row...)
	}
	w.few(t, sl.Cells)
	w.methods(t, sl.Cells)
	if !judged {
		return
	}
	x := s.Table("tests-by-"+sl.By, "Tests of the final answers by "+sl.By, doc.Left(sl.By), doc.Right("judged"), doc.Right("tests passed"), doc.Right("95 % CI"), doc.Right("accepted, %"), doc.Right("95 % CI"))
	for i := range sl.Cells {
		c := &sl.Cells[i]
		x.Row(doc.Name(named(c.Value)), w.d.Count(&c.Accepted.N), shown(c, w.d.Num(&c.PassRate.Value, 3)), shown(c, w.d.Range(c.PassRate.Interval, 1, 3)),
			shown(c, w.Percent(&c.Accepted.Estimate)), shown(c, w.PercentInterval(&c.Accepted.Estimate)))
	}
	w.few(x, sl.Cells)
}

// means returns the measures in the order of the tables of groups.
func (w *writer) means() []measure {
	all := slices.DeleteFunc(measuresOf(1, 0, nil), func(m measure) bool { return m.place == 0 || m.rated && w.unrated() })
	slices.SortStableFunc(all, func(a, b measure) int { return a.place - b.place })
	return all
}

// mean returns the cells of a group's mean and its interval.
func (w *writer) mean(c *Slice, m measure) []any {
	e := m.at(c)
	if m.share {
		return []any{shown(c, w.Percent(e)), shown(c, w.PercentInterval(e))}
	}
	return []any{shown(c, w.d.Num(&e.Value, 2)), shown(c, w.d.Range(e.Interval, 1, 2))}
}

// few reports whether every cell is too small to be shown.
func (s *Slices) few() bool {
	return !slices.ContainsFunc(s.Cells, func(c Slice) bool { return !c.Small })
}

// tooFew returns the properties of which no group is large enough to be shown.
func (w *writer) tooFew(s *doc.Section) {
	var by []string
	var cells []Slice
	for i := range w.Slices {
		if sl := &w.Slices[i]; len(sl.Cells) > 1 && sl.few() {
			by, cells = append(by, sl.By), append(cells, sl.Cells...)
		}
	}
	if len(by) > 0 {
		s.Note("Not shown by ", doc.Fixed(strings.Join(by, ", ")), ": each group has ", w.fewer(cells), ".")
	}
}

// fewer returns what makes a group too small.
func (w *writer) fewer(cells []Slice) []any {
	small := doc.Item("fewer than ", w.d.Count(&w.Method.Small), " different tasks")
	if slices.ContainsFunc(cells, func(c Slice) bool { return c.Small && c.Tasks >= report.Small }) {
		small = append(small, ", or only two testers where several worked")
	}
	return small
}

// few writes why cells are hidden.
func (w *writer) few(t *doc.Table, cells []Slice) {
	if slices.ContainsFunc(cells, func(c Slice) bool { return c.Small }) {
		t.Note(hidden+": ", w.fewer(cells), "; not shown.")
	}
}

// methods names those of the intervals of the cells that are shown.
func (w *writer) methods(t *doc.Table, cells []Slice) {
	var parts []string
	add := func(what string, method func(*Slice) string) {
		var names []string
		for i := range cells {
			name, _, _ := strings.Cut(method(&cells[i]), ", over ")
			if !cells[i].Small && name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			parts = append(parts, what+": "+strings.Join(names, ", "))
		}
	}
	for _, m := range w.means() {
		add(m.short, func(c *Slice) string { return m.at(c).Method })
	}
	over := "over tasks"
	if w.Testers > 1 {
		over = "over testers where a row has several, else over tasks"
	}
	if len(parts) > 0 {
		t.Note("Intervals of ", doc.Fixed(strings.Join(parts, "; ")), "; ", over, ".")
	}
}

// attributeTable has a row for each attribute, or where there are many slices for each
// of those.
func (w *writer) attributeTable(s *doc.Section, sl *Slices) {
	id, caption := "attributes-by-"+sl.By, "Mean ratings by "+sl.By
	mean := func(i, j int) []any {
		c := &sl.Cells[i]
		a := &c.Attributes[j]
		if c.Small || a.Interval == nil {
			return shown(c, w.d.Num(&a.Value, 2))
		}
		return doc.Item(w.d.Num(&a.Value, 2), " (", w.d.Range(a.Interval, 1, 2), ")")
	}
	var t *doc.Table
	if len(sl.Cells) > 8 {
		columns := []doc.Column{doc.Left(sl.By)}
		for _, a := range w.Ratings.Attributes {
			columns = append(columns, doc.Right(a.Name))
		}
		t = s.Table(id, caption, columns...)
		for i := range sl.Cells {
			row := []any{doc.Name(named(sl.Cells[i].Value))}
			for j := range w.Ratings.Attributes {
				row = append(row, mean(i, j))
			}
			t.Row(row...)
		}
	} else {
		columns := []doc.Column{doc.Left("attribute")}
		for _, c := range sl.Cells {
			columns = append(columns, doc.Right(named(c.Value)))
		}
		t = s.Table(id, caption, columns...)
		for j, a := range w.Ratings.Attributes {
			row := []any{doc.Name(a.Name)}
			for i := range sl.Cells {
				row = append(row, mean(i, j))
			}
			t.Row(row...)
		}
	}
	w.few(t, sl.Cells)
}

func (w *writer) trends(s *doc.Section, sl *Slices) {
	if len(sl.Trends) == 0 {
		return
	}
	t := s.Table("direction", "Direction of the means from easy to hard", doc.Left("measure"), doc.Left("expected"), doc.Left("property"))
	for _, x := range sl.Trends {
		expected := map[string]string{"rises": "never falls", "falls": "never rises"}[x.Direction]
		if x.Holds {
			t.Row(doc.Name(x.Measure), expected, "holds")
		} else {
			t.Row(doc.Name(x.Measure), expected, "broken at "+x.BrokenAt)
		}
	}
	t.Note("As Miah & Zhu found it (section V.C); a check of these means, not a test.")
}

func (w *writer) differences(s *doc.Section, sl *Slices) {
	if len(sl.Differences) == 0 {
		return
	}
	columns := []doc.Column{doc.Left("measure"), doc.Left("test"), doc.Right("value"), doc.Right("df"), doc.Right("p")}
	deltas := slices.ContainsFunc(sl.Differences, func(x Difference) bool { return x.Delta != nil })
	if deltas {
		columns = append(columns, doc.Right("Cliff's δ, hard against easy"), doc.Right("95 % CI"))
	}
	t := s.Table("differences-by-"+sl.By, "Do the groups differ at all?", columns...)
	for i := range sl.Differences {
		x := &sl.Differences[i]
		row := []any{x.Measure, x.Test, w.d.Num(&x.Value, 2), w.d.Count(&x.DF), w.p(&x.P)}
		switch {
		case deltas && x.Delta != nil:
			row = append(row, w.d.Num(x.Delta, 3), w.d.Range(x.Interval, 1, 3))
		case deltas:
			row = append(row, doc.Undefined, doc.Undefined)
		}
		t.Row(row...)
	}
	t.Note("Groups with fewer than ", w.d.Count(&w.Method.Small), " tasks are left out. Many tests find something by chance: these are for looking, and are not corrected.")
}

func (w *writer) grid(in *doc.Section) {
	g := &w.Grid
	if len(g.Types) < 2 && len(g.Difficulties) < 2 || !g.tells() {
		return
	}
	s := in.Section("grid", "Type and difficulty")
	var columns []doc.Column
	columns = append(columns, doc.Left("type"))
	for _, d := range g.Difficulties {
		columns = append(columns, doc.Right(named(d)))
	}
	columns = append(columns, doc.Right("all"))
	t := s.Table("grid-tasks", "Analysed "+w.results(), columns...)
	for i := range g.Types {
		row := []any{doc.Name(named(g.Types[i]))}
		for j := range g.Cells[i] {
			row = append(row, w.d.Count(&g.Cells[i][j].N))
		}
		t.Row(append(row, w.d.Count(&g.ByType[i]))...)
	}
	row := []any{w.d.Strong("all")}
	for j := range g.ByDifficulty {
		row = append(row, w.d.Count(&g.ByDifficulty[j]))
	}
	t.Row(append(row, w.d.Count(&g.Total))...)
	w.Figure(s, "total-by-type-and-difficulty")
}
