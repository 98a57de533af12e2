package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session"
	doc "assay/session/report/document"
)

// measureTable compares every pair of arms by one measure.
func (w *writer) measureTable(s *doc.Section, id string) {
	var rows []comparedRow
	name := ""
	for i := range w.Arms.Pairs {
		p := &w.Arms.Pairs[i]
		for j := range p.Measures {
			if m := &p.Measures[j]; m.ID == id {
				name = m.shownAs()
				rows = append(rows, comparedRow{doc.Name(p.First + " – " + p.Second), p, m})
			}
		}
	}
	if why := uncompared(w.Arms.Pairs, func(m *Compared) bool { return m.ID == id }); why != "" {
		s.Text("The arms are not compared by ", name, ": ", doc.Fixed(why), ".")
		return
	}
	w.comparisons(s.Table("comparison-"+id, "The arms compared by "+name, w.comparisonColumns("arms", "first", "second", rows)...), rows)
}

// alike returns the value that all rows share, "" if they differ.
func alike(rows []comparedRow, of func(*Compared) string) string {
	for _, r := range rows[1:] {
		if of(r.of) != of(rows[0].of) {
			return ""
		}
	}
	return of(rows[0].of)
}

// how returns the names of the interval and the test that decide a comparison, "" if it has neither.
func (c *Compared) how() string {
	if c.Ratio != nil {
		return c.Ratio.Method
	}
	var names []string
	if c.Difference.Interval != nil {
		names = append(names, c.Difference.Method)
	}
	if c.Test != "t" && c.Test != "none" {
		names = append(names, c.Test)
	}
	return strings.Join(names, "; ")
}

// sharedMethod returns the method that all rows with an interval or a test share; shared is false if they differ.
func sharedMethod(rows []comparedRow) (method string, shared bool) {
	for _, r := range rows {
		how := r.of.how()
		if how != "" && method != "" && how != method {
			return "", false
		}
		method = cmp.Or(method, how)
	}
	return method, true
}

func scopeOf(m *Compared) string { return m.Scope }

// counts are alike where all rows are of the same testers, tasks and results.
func (c *Compared) counts() string { return fmt.Sprint(c.Testers, c.Tasks, c.Results) }

func (w *writer) comparisonColumns(what, first, second string, rows []comparedRow) []doc.Column {
	columns := []doc.Column{doc.Left(what), doc.Right(first), doc.Right(second), doc.Right("difference"), doc.Right("95 % CI"), doc.Right("p"), doc.Right("p, corrected")}
	if alike(rows, (*Compared).counts) == "" {
		columns = append(columns, doc.Right("testers"), doc.Right("results"))
	}
	if _, shared := sharedMethod(rows); !shared {
		columns = append(columns, doc.Left("how"))
	}
	return columns
}

// comparisons returns rows for the differences over testers, each followed by that of the mixed model if there
// is one.
func (w *writer) comparisons(t *doc.Table, rows []comparedRow) {
	counted := alike(rows, (*Compared).counts) == ""
	method, shared := sharedMethod(rows)
	for _, r := range rows {
		w.comparison(t, r, counted, shared)
	}
	w.comparisonNotes(t, rows, counted, method)
}

// comparison adds the rows of one comparison: the difference, and where there are such, the ratio, the number with a weak
// prior and that of the mixed model. Counted rows say how much they come from; where no method is shared, they name theirs.
func (w *writer) comparison(t *doc.Table, r comparedRow, counted, shared bool) {
	m := r.of
	scale, decimals := declared(m.ID).scale()
	corrected := [2]any{w.p(&m.Corrected), doc.Undefined}
	if m.mixed(w.Arms.Analysis) {
		corrected[0], corrected[1] = corrected[1], corrected[0]
	}
	add := func(counts []any, how any, cells ...any) {
		if counted {
			cells = append(cells, counts...)
		}
		if !shared {
			cells = append(cells, how)
		}
		t.Row(cells...)
	}
	none := []any{"", ""}
	add([]any{w.d.Count(&m.Testers), w.d.Count(&m.Results)}, doc.Fixed(m.how()),
		r.name, w.d.Scaled(&m.First.Value, scale, decimals), w.d.Scaled(&m.Second.Value, scale, decimals), w.d.Scaled(&m.Difference.Value, scale, decimals), w.d.Range(m.Difference.Interval, scale, decimals), w.p(&m.P), corrected[0])
	if x := m.Ratio; x != nil {
		add(none, "", "ratio", "", "", w.d.Num(&x.Value, 2), w.d.Range(x.Interval, 1, 2), "", "")
	}
	if x := m.Prior; x != nil {
		factor, digits := scale, decimals
		if x.Ratio {
			factor, digits = 1, 2
		}
		add(none, "", "weak prior", "", "", w.d.Scaled(&x.Value, factor, digits), w.d.Range(&x.Interval, factor, digits), "", "")
	}
	if e := m.General; e != nil {
		add(none, doc.Fixed(e.Difference.Method), "mixed model", "", "", w.d.Scaled(&e.Difference.Value, scale, decimals), w.d.Range(e.Difference.Interval, scale, decimals), w.p(&e.P), corrected[1])
	}
}

// from says what a comparison of two arms comes from. Crossed arms are compared within testers, so that those with
// results in one session alone give no part of its interval and p.
func (w *writer) from(p *Pair, m *Compared) []any {
	all := doc.Item(w.d.Count(&m.Testers), plural(" tester", m.Testers), ", ", w.d.Count(&m.Tasks), plural(" task", m.Tasks), " and ", w.d.Count(&m.Results), " ", p.unit(m.Results))
	within := &m.Difference.N
	if !p.Crossed || !m.Difference.Value.Defined() || *within == 0 || *within >= m.Testers || m.mixed(w.Arms.Analysis) {
		return all
	}
	return doc.Item(w.d.Count(within), plural(" tester", *within), " with results in two sessions; with those in one, who are left out, there are ", all)
}

// comparisonNotes adds the notes below comparisons, whose method is said once if they share it.
func (w *writer) comparisonNotes(t *doc.Table, rows []comparedRow, counted bool, method string) {
	one := func(has func(*Compared) bool) bool {
		return slices.ContainsFunc(rows, func(r comparedRow) bool { return has(r.of) })
	}
	withheld := map[string]bool{}
	for _, r := range rows {
		if r.of.Difference.Interval == nil && !withheld[r.of.Difference.Method] {
			withheld[r.of.Difference.Method] = true
			t.Note("Without an interval: ", doc.Fixed(reason(&r.of.Difference)), ".")
		}
	}
	if one(func(m *Compared) bool { return m.Ratio != nil }) {
		t.Note("Ratio: the geometric mean of the first arm's times divided by that of the second, with Student's interval of their logarithms, by the same model; p is of a ratio of ", doc.Fixed("1"), ".")
	}
	if one(func(m *Compared) bool { return m.Prior != nil }) {
		t.Note("Weak prior: with ", doc.Fixed(fmt.Sprintf("%d to %d", leastPooled, mostPooled)), " testers, mean and credible interval of the difference if it is taken as normal around none, with a standard deviation of a quarter of the scale (of times, of a factor of ", doc.Fixed("2"), "). It decides nothing.")
	}
	m := rows[0].of
	note := doc.Item("Difference: the first arm minus the second, before rounding; where it is adjusted, so are the means, unless that leaves the scale: then they are means of all results.")
	if !counted {
		note = append(note, " From ", w.from(rows[0].Pair, m), ".")
	}
	note = append(note, " Fewer attempts and a shorter time are better; of all other measures, higher values.")
	if method != "" {
		note = append(note, " Method: ", doc.Fixed(method), ".")
	}
	if scope := alike(rows, scopeOf); scope != "" {
		note = append(note, " Intervals apply to ", scope, ".")
	}
	t.Note(note...)
	switch planned := w.Arms.Analysis != nil && w.Arms.Analysis.Model == session.ModelMixed; {
	case !planned && one(func(m *Compared) bool { return m.Unequal && m.General != nil }):
		t.Note("Sessions have unequal numbers of results: the mixed model decides, its rows are those that count, and the p that are corrected. Where there is none, sessions count alike, however long they are.")
	case planned:
		t.Note("The plan declared the mixed model: its rows are those that count, and the p that are corrected. Where too few testers or tasks have results for it, there is the comparison over testers alone.")
	}
	if e := m.General; e != nil {
		t.Note("Mixed model: ", doc.Fixed(e.Difference.Method), "; it applies to ", e.Scope, ". It is conservative for measures on a scale, such as attempts and satisfied: of equal arms, with ", doc.Fixed("8 to 30"), " testers, its test at ", doc.Fixed("5 %"), " finds a difference in ", doc.Fixed("2 to 3 %"), " of simulations.")
	}
}

// uncompared returns why no measure has a difference, "" if one has.
func uncompared(pairs []Pair, of func(*Compared) bool) (why string) {
	for i := range pairs {
		for j := range pairs[i].Measures {
			m := &pairs[i].Measures[j]
			if of(m) && m.Difference.Value.Defined() {
				return ""
			}
			if of(m) {
				why = reason(&m.Difference)
			}
		}
	}
	return why
}
