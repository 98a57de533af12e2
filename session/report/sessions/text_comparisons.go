package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/scoring/stats"
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
	w.comparisons(s, "comparison-"+id, "The arms compared by "+name, [3]string{"arms", "first", "second"}, rows)
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

func (w *writer) comparisonColumns(heads [3]string, rows []comparedRow) []doc.Column {
	columns := []doc.Column{doc.Left(heads[0]), doc.Right(heads[1]), doc.Right(heads[2]), doc.Right("difference"), doc.Right("95 % CI"), doc.Right("p"), doc.Right("p, corrected")}
	if alike(rows, (*Compared).counts) == "" {
		columns = append(columns, doc.Right("testers"), doc.Right("results"))
	}
	if _, shared := sharedMethod(rows); !shared {
		columns = append(columns, doc.Left("how"))
	}
	return columns
}

// comparisons adds a table with a row for each difference, by the method that decides; what other methods say of it is
// in a fold below. Pages of earlier layouts have these rows after that of the difference.
func (w *writer) comparisons(s *doc.Section, id, caption string, heads [3]string, rows []comparedRow) {
	counted := alike(rows, (*Compared).counts) == ""
	method, shared := sharedMethod(rows)
	t := s.Table(id, caption, w.comparisonColumns(heads, rows)...)
	for _, r := range rows {
		w.comparison(t, r, counted, shared)
		if w.Layout < 4 {
			w.otherMethods(t, r, counted, shared)
		}
	}
	w.comparisonNotes(t, rows, counted, method)
	if w.Layout < 4 {
		w.methodNotes(t, rows)
		return
	}
	if anyOf(rows, func(m *Compared) bool { return m.mixed(w.Arms.Analysis) }) {
		w.mixedNote(t, rows)
	}
	if slices.ContainsFunc(rows, func(r comparedRow) bool {
		return r.of.Prior != nil || r.of.General != nil && !r.of.mixed(w.Arms.Analysis)
	}) {
		s.Fold(doc.Item("The same by other methods"), func(s *doc.Section) {
			t := s.Table(id+"-methods", caption+", by other methods", w.comparisonColumns(heads, rows)...)
			for _, r := range rows {
				w.otherMethods(t, r, counted, shared)
			}
			w.methodNotes(t, rows)
		})
	}
}

// adder adds rows to a table of comparisons. Counted rows say how much they come from; where no method is shared, they
// name theirs.
func adder(t *doc.Table, counted, shared bool) func(counts []any, how any, cells ...any) {
	return func(counts []any, how any, cells ...any) {
		if counted {
			cells = append(cells, counts...)
		}
		if !shared {
			cells = append(cells, how)
		}
		t.Row(cells...)
	}
}

// corrected returns the corrected p of the comparison over testers and of that of the mixed model.
func (w *writer) corrected(m *Compared) (testers, mixed any) {
	if m.mixed(w.Arms.Analysis) {
		return doc.Undefined, w.p(&m.Corrected)
	}
	return w.p(&m.Corrected), doc.Undefined
}

// comparison adds the row of a difference, and that of the ratio or the mixed model where these decide.
func (w *writer) comparison(t *doc.Table, r comparedRow, counted, shared bool) {
	m := r.of
	scale, decimals := declared(m.ID).scale()
	corrected, _ := w.corrected(m)
	p, how := any(w.p(&m.P)), doc.Fixed(m.how())
	byRatio := m.Ratio != nil && w.Layout > 3
	if byRatio {
		p, corrected, how = doc.Undefined, doc.Undefined, doc.Fixed("")
	}
	adder(t, counted, shared)([]any{w.d.Count(&m.Testers), w.d.Count(&m.Results)}, how,
		r.name, w.d.Scaled(&m.First.Value, scale, decimals), w.d.Scaled(&m.Second.Value, scale, decimals), w.d.Scaled(&m.Difference.Value, scale, decimals), w.d.Range(m.Difference.Interval, scale, decimals), p, corrected)
	switch {
	case byRatio:
		w.ratioRow(t, r, counted, shared)
	case w.Layout > 3 && m.mixed(w.Arms.Analysis):
		w.mixedRow(t, r, counted, shared)
	}
}

// otherMethods adds the rows of one comparison with a weak prior and by the mixed model, as far as there are such and they do
// not stand with the difference.
func (w *writer) otherMethods(t *doc.Table, r comparedRow, counted, shared bool) {
	m := r.of
	if m.Ratio != nil && w.Layout < 4 {
		w.ratioRow(t, r, counted, shared)
	}
	if x := m.Prior; x != nil {
		scale, decimals := declared(m.ID).scale()
		if x.Ratio {
			scale, decimals = 1, 2
		}
		adder(t, counted, shared)([]any{"", ""}, "", w.by(r, "weak prior"), "", "", w.d.Scaled(&x.Value, scale, decimals), w.d.Range(&x.Interval, scale, decimals), "", "")
	}
	if m.General != nil && (w.Layout < 4 || !m.mixed(w.Arms.Analysis)) {
		w.mixedRow(t, r, counted, shared)
	}
}

// by names a row by what it compares and how.
func (w *writer) by(r comparedRow, method string) any {
	if w.Layout < 4 {
		return method
	}
	return doc.Item(r.name, ": ", method)
}

func (w *writer) ratioRow(t *doc.Table, r comparedRow, counted, shared bool) {
	m, x := r.of, r.of.Ratio
	how, p, corrected, name := any(""), any(""), any(""), "ratio"
	if w.Layout > 3 {
		decides := &m.P
		if m.mixed(w.Arms.Analysis) {
			decides, name = &m.General.P, "ratio, mixed model"
		}
		how, p, corrected = doc.Fixed(m.how()), w.p(decides), w.p(&m.Corrected)
	}
	adder(t, counted, shared)([]any{"", ""}, how, w.by(r, name), "", "", w.d.Num(&x.Value, 2), w.d.Range(x.Interval, 1, 2), p, corrected)
}

func (w *writer) mixedRow(t *doc.Table, r comparedRow, counted, shared bool) {
	e := r.of.General
	scale, decimals := declared(r.of.ID).scale()
	_, mixed := w.corrected(r.of)
	adder(t, counted, shared)([]any{"", ""}, doc.Fixed(e.Difference.Method), w.by(r, "mixed model"), "", "", w.d.Scaled(&e.Difference.Value, scale, decimals), w.d.Range(e.Difference.Interval, scale, decimals), w.p(&e.P), mixed)
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
	withheld := map[string]bool{}
	for _, r := range rows {
		if r.of.Difference.Interval == nil && !withheld[r.of.Difference.Method] && (r.of.Ratio == nil || w.Layout < 4) {
			withheld[r.of.Difference.Method] = true
			t.Note("Without an interval: ", doc.Fixed(reason(&r.of.Difference)), ".")
		}
	}
	w.ratioNote(t, rows)
	if w.Layout < 4 {
		w.priorNote(t, rows)
	}
	note := doc.Item(w.newer("Difference: the first arm minus the second.", "Difference: the first arm minus the second, before rounding; where it is adjusted, so are the means, unless that leaves the scale: then they are means of all results."))
	if !counted {
		note = append(note, " From ", w.from(rows[0].Pair, rows[0].of), ".")
	}
	if w.Layout < 4 || anyOf(rows, func(m *Compared) bool { return declared(m.ID).ratio || m.ID == "attempts" }) {
		note = append(note, w.newer(" Fewer attempts and less time are better.", " Fewer attempts and a shorter time are better; of all other measures, higher values."))
	}
	if method != "" {
		note = append(note, " Method: ", doc.Fixed(method), ".")
	}
	mixed := anyOf(rows, func(m *Compared) bool { return m.mixed(w.Arms.Analysis) })
	if scope := alike(rows, scopeOf); scope != "" {
		which := " Intervals apply to "
		if mixed && w.Layout > 3 {
			which = " Intervals by another model than the mixed one apply to "
		}
		note = append(note, which, scope, ".")
	}
	if w.Layout > 3 && len(rows) > 1 {
		note = append(note, " Intervals are not corrected for the number of comparisons.")
	}
	t.Note(note...)
	switch planned := w.Arms.Analysis.plansMixed(); {
	case planned && !mixed && w.Layout > 3:
		if !anyOf(rows, func(m *Compared) bool { return declared(m.ID).session() }) { // which have no mixed model by design
			t.Note(notAsPlanned)
		}
	case !planned && anyOf(rows, func(m *Compared) bool { return m.Unequal && m.General != nil }):
		t.Note("Sessions have unequal numbers of results: the mixed model decides, its rows are those that count, and the p that are corrected. Where there is none, sessions count alike, however long they are.")
	case planned:
		t.Note("The plan declared the mixed model: its rows are those that count, and the p that are corrected. Where too few testers or tasks have results for it, there is the comparison over testers alone.")
	}
}

// notAsPlanned is said where a plan declared the mixed model, and there is none.
var notAsPlanned = fmt.Sprintf("The plan declared the mixed model, which needs results of at least %d testers and %d tasks that vary. It was not fitted here, and the comparison is over testers alone.", stats.MixedSubjects, stats.MixedTasks)

// anyOf reports whether some row has something.
func anyOf(rows []comparedRow, has func(*Compared) bool) bool {
	return slices.ContainsFunc(rows, func(r comparedRow) bool { return has(r.of) })
}

// ratioNote says what the ratios of times are.
func (w *writer) ratioNote(t *doc.Table, rows []comparedRow) {
	if anyOf(rows, func(m *Compared) bool { return m.Ratio != nil }) {
		t.Note(w.newer("Times are compared by their ratio, since they scatter in proportion to their size: a difference in seconds has no interval and no p. ", ""),
			"Ratio: the geometric mean of the first arm's times divided by that of the second, with Student's interval of their logarithms, by the same model; p is of a ratio of ", doc.Fixed("1"), ".")
	}
	if w.Layout > 3 && anyOf(rows, func(m *Compared) bool { return m.ID == "time" }) {
		t.Note("Time to satisfaction: of a result that did not satisfy, and of a longer time, ", w.d.Num(&w.Arms.Horizon, 1), " s, within which ", doc.Fixed("95 %"), " of all results ended. Completion time: until the task ended, satisfied or not.")
	}
}

// priorNote says what the numbers with a weak prior are.
func (w *writer) priorNote(t *doc.Table, rows []comparedRow) {
	if anyOf(rows, func(m *Compared) bool { return m.Prior != nil }) {
		t.Note("Weak prior: with ", doc.Fixed(fmt.Sprintf("%d to %d", leastPooled, mostPooled)), " testers, mean and credible interval of the difference if it is taken as normal around none, with a standard deviation of a quarter of the scale (of times, of a factor of ", doc.Fixed("2"), "). It decides nothing.")
	}
}

// methodNotes says what the other methods are, and what differences and means are.
func (w *writer) methodNotes(t *doc.Table, rows []comparedRow) {
	if w.Layout > 3 {
		w.priorNote(t, rows)
		t.Note("Differences are taken before rounding. Where they are adjusted, so are the means, unless that leaves the scale: then they are means of all results.")
	}
	w.mixedNote(t, rows)
}

// mixedNote says what the mixed model is.
func (w *writer) mixedNote(t *doc.Table, rows []comparedRow) {
	if e := rows[0].of.General; e != nil {
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
