package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session"
	doc "assay/session/report/document"
)

func (w *writer) arms() {
	a := w.Arms
	if a == nil {
		return
	}
	s := w.d.Section("comparison", "Comparison of the arms")
	if !a.Look.due() {
		w.look(s)
		return
	}
	w.Figure(s, "success-by-attempt-arms")
	w.armTable(s)
	w.armRatings(s)
	w.measureTables(s)
	w.satisfiedWithin(s)
	w.effects(s)
	w.pairNotes(s)
	w.families(s)
}

// measureTables compares several pairs of arms by each measure that the summary does not have. Of many pairs only the
// primary outcome is printed.
func (w *writer) measureTables(s *doc.Section) {
	pairs := w.Arms.Pairs
	if len(pairs) < 2 {
		return
	}
	tables := func(shown func(m *Compared) bool) func(*doc.Section) {
		return func(s *doc.Section) {
			for i := range pairs[0].Measures {
				if m := &pairs[0].Measures[i]; shown(m) {
					w.measureTable(s, m.ID)
				}
			}
		}
	}
	others := tables(func(m *Compared) bool { return !m.Primary })
	switch {
	case len(pairs) <= fewPairs:
		others(s)
	case w.Layout < 4:
		tables(func(*Compared) bool { return true })(s)
	default:
		tables(func(m *Compared) bool { return m.Primary })(s)
		s.Fold(doc.Item("The arms compared by the other outcomes"), others)
	}
}

// fewPairs is the number of pairs of arms whose primary outcome the summary has room for.
const fewPairs = 3

// armTable has the means of each arm with their intervals, not adjusted.
func (w *writer) armTable(s *doc.Section) {
	a := w.Arms
	columns := []doc.Column{doc.Left("arm"), doc.Right("sessions"), doc.Right("testers"), doc.Right("results")}
	measures := slices.DeleteFunc(measuresOf(1, 0, nil), func(m measure) bool {
		judged := slices.ContainsFunc(a.Arms, func(x Arm) bool { return x.PassRate.N > 0 })
		return m.field == nil || m.said == nil || m.rated && w.unrated() || m.judged && !judged
	})
	for _, m := range measures {
		columns = append(columns, doc.Right(m.column))
	}
	t := s.Table("arms", "The arms: means with their intervals, not adjusted", columns...)
	var cells []Slice
	for i := range a.Arms {
		x := &a.Arms[i]
		c := &x.Slice
		cells = append(cells, x.Slice)
		row := []any{doc.Name(x.Name), w.d.Count(&x.Sessions), w.d.Count(&x.Testers), w.d.Count(&c.N)}
		for _, m := range measures {
			scale, decimals := m.scale()
			if m.share {
				decimals = 0
			}
			row = append(row, shown(c, w.bracketed(m.at(c), scale, decimals)))
		}
		t.Row(row...)
	}
	w.few(t, cells)
	w.methods(t, cells)
}

// armRatings compares the arms by each attribute.
func (w *writer) armRatings(s *doc.Section) {
	a, attributes := w.Arms, w.Ratings.Attributes
	if w.Layout < 3 || len(attributes) == 0 || w.Ratings.Total.Mean.N == 0 {
		return
	}
	if len(a.Pairs) != 1 || len(a.Pairs[0].Ratings) == 0 {
		w.armRatingMeans(s)
	}
	var rated []*Pair
	for i := range a.Pairs {
		if p := &a.Pairs[i]; len(p.Ratings) > 0 {
			rated = append(rated, p)
		}
	}
	if len(rated) > 0 {
		w.Figure(s, "arm-ratings")
	}
	switch {
	case len(rated) == 0:
	case len(rated) <= fewPairs:
		w.ratingDifferences(s, rated)
	default:
		s.Fold(doc.Item("Differences in each rating between all pairs of arms"), func(inside *doc.Section) { w.ratingDifferences(inside, rated) })
	}
}

// armRatingMeans has the mean of each attribute by arm, not adjusted.
func (w *writer) armRatingMeans(s *doc.Section) {
	a, attributes := w.Arms, w.Ratings.Attributes
	columns := []doc.Column{doc.Left("attribute")}
	var cells []Slice
	for i := range a.Arms {
		columns = append(columns, doc.Right(a.Arms[i].Name))
		cells = append(cells, a.Arms[i].Slice)
	}
	t := s.Table("arm-ratings", "Ratings of the final answers by arm: means with their intervals, not adjusted", columns...)
	for i := range attributes {
		row := []any{doc.Name(attributes[i].Name)}
		for j := range a.Arms {
			row = append(row, shown(&a.Arms[j].Slice, w.bracketed(&a.Arms[j].Attributes[i], 1, 2)...))
		}
		t.Row(row...)
	}
	w.ratingScale(t)
	w.few(t, cells)
}

func (w *writer) ratingScale(t *doc.Table) {
	of := &w.Ratings.Attributes[0]
	t.Note("From ", doc.Fixed(fmt.Sprint(session.MinScore)), " (", doc.Name(of.Low), ") to ", doc.Fixed(fmt.Sprint(w.scale())), " (", doc.Name(of.High), "); given-up tasks are rated too.")
}

// ratingDifferences has the difference in each attribute of pairs of arms, by the model that decides.
func (w *writer) ratingDifferences(s *doc.Section, pairs []*Pair) {
	first, second, columns := "first", "second", []doc.Column{doc.Left("attribute")}
	if one := pairs[0]; len(pairs) == 1 {
		first, second = one.First, one.Second
	} else {
		columns = append(columns, doc.Left("arms"))
	}
	columns = append(columns, doc.Right(first), doc.Right(second), doc.Right("difference"), doc.Right("95 % CI"), doc.Right("p"), doc.Right("p, corrected"))
	t := s.Table("arm-rating-differences", "The arms compared by each rating", columns...)
	var rows []comparedRow
	for i := range w.Ratings.Attributes {
		name := w.Ratings.Attributes[i].Name
		for _, p := range pairs {
			at := slices.IndexFunc(p.Ratings, func(m Compared) bool { return m.Measure == name })
			if at < 0 {
				continue
			}
			m := &p.Ratings[at]
			rows = append(rows, comparedRow{name, p, m})
			difference, pValue, _ := w.judged(m)
			row := []any{doc.Name(name)}
			if len(pairs) > 1 {
				row = append(row, doc.Name(p.First+" – "+p.Second))
			}
			t.Row(append(row, w.d.Num(&m.First.Value, 2), w.d.Num(&m.Second.Value, 2), w.d.Num(&difference.Value, 2), w.d.Range(difference.Interval, 1, 2), w.p(pValue), w.p(&m.Corrected))...)
		}
	}
	w.ratingScale(t)
	notes := doc.Item("Difference: the first arm minus the second; where it is adjusted, so are the means, unless that leaves the scale.")
	if slices.ContainsFunc(rows, func(r comparedRow) bool { return r.of.mixed(w.Arms.Analysis) }) {
		notes = append(notes, " By the mixed model where it decides, as for other outcomes.")
	} else if method, shared := sharedMethod(rows); shared && method != "" {
		notes = append(notes, " Method: ", doc.Fixed(method), ".")
	} else {
		notes = append(notes, " The methods are those of the other outcomes; ", doc.Code("report.json"), " names that of each.")
	}
	t.Note(append(notes, " No attribute is a primary outcome; p, corrected: among these alone.")...)
}

// satisfiedWithin has the cumulative incidence of satisfaction of each arm.
func (w *writer) satisfiedWithin(s *doc.Section) {
	a := w.Arms
	columns := []doc.Column{doc.Left("arm")}
	for i := range parts {
		columns = append(columns, doc.Right(fmt.Sprintf("within %.4g s", float64(i+1)/parts*float64(a.Horizon))))
	}
	t := s.Table("satisfied-within", "Results whose tester was satisfied within a time, %", columns...)
	for i := range a.Arms {
		row := []any{doc.Name(a.Arms[i].Name)}
		for j := range a.Arms[i].Within {
			e := &a.Arms[i].Within[j].Within.Estimate
			row = append(row, w.bracketed(e, 100, 0))
		}
		t.Row(row...)
	}
	t.Note("Cumulative incidence, with intervals at ", w.Confidence(), ", not adjusted: giving up is a competing end, after which nobody is satisfied. The time to satisfaction is followed up to ", w.d.Num(&a.Horizon, 1),
		" s, within which ", doc.Fixed("95 %"), " of all results ended; its mean takes this for results that did not satisfy, however soon they ended. The completion time is the time until a task ended, satisfied or given up.")
}

// comparedRow is a row of a table of comparisons.
type comparedRow struct {
	name any
	*Pair
	of *Compared
}

// pairTable compares one pair of arms by every measure, the primary one first.
func (w *writer) pairTable(s *doc.Section, i int) {
	p := &w.Arms.Pairs[i]
	var rows []comparedRow
	for j := range p.Measures {
		m := &p.Measures[j]
		if m.Primary {
			rows = slices.Insert(rows, 0, comparedRow{w.d.Strong(doc.Name(m.shownAs()), " (primary)"), p, m})
		} else {
			rows = append(rows, comparedRow{doc.Name(m.shownAs()), p, m})
		}
	}
	if why := uncompared(w.Arms.Pairs[i:i+1], func(*Compared) bool { return true }); why != "" {
		s.Text(doc.Name(p.First), " and ", doc.Name(p.Second), " are not compared: ", doc.Fixed(why), ".")
		return
	}
	w.comparisons(s.Table("comparison", "The arms compared", w.comparisonColumns("measure", p.First, p.Second, rows)...), rows)
}

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

// how returns the names of the interval and the test of a comparison, "" if it has neither.
func (c *Compared) how() string {
	var names []string
	if c.Difference.Interval != nil {
		names = append(names, c.Difference.Method)
	}
	if c.Test != "t" && c.Test != testOfLogs && c.Test != "none" {
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
		add(none, doc.Fixed(x.Method), "ratio", "", "", w.d.Num(&x.Value, 2), w.d.Range(x.Interval, 1, 2), "", "")
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
		t.Note("Ratio: the geometric mean of the first arm's times divided by that of the second, with Student's interval of their logarithms, by the same model; p is of a ratio of ", doc.Fixed("1"), ". The difference in seconds has an interval only where neither shows a difference: Student's t does not hold for times that differ.")
	}
	if one(func(m *Compared) bool { return m.Prior != nil }) {
		t.Note("Weak prior: with ", doc.Fixed(fmt.Sprintf("%d to %d", leastPooled, mostPooled)), " testers, mean and credible interval of the difference if it is taken as normal around none, with a standard deviation of a quarter of the scale (of times, of a factor of ", doc.Fixed("2"), "). It decides nothing.")
	}
	m := rows[0].of
	note := doc.Item("Difference: the first arm minus the second, before rounding; where it is adjusted, so are the means, unless that leaves the scale: then they are means of all results.")
	if !counted {
		note = append(note, " From ", w.d.Count(&m.Testers), plural(" tester", m.Testers), ", ", w.d.Count(&m.Tasks), plural(" task", m.Tasks), " and ", w.d.Count(&m.Results), " ", rows[0].unit(m.Results), ".")
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

// effects writes the differences in standard deviations.
func (w *writer) effects(s *doc.Section) {
	several := len(w.Arms.Pairs) > 1
	var t *doc.Table
	unit := ""
	for i := range w.Arms.Pairs {
		p := &w.Arms.Pairs[i]
		for j := range p.Measures {
			m := &p.Measures[j]
			if m.Effect == nil {
				continue
			}
			if t == nil {
				columns := []doc.Column{doc.Left("measure"), doc.Right("g"), doc.Right("95 % CI")}
				if several {
					columns = slices.Insert(columns, 0, doc.Left("arms"))
				}
				t = s.Table("effects", "Standardised differences", columns...)
			}
			row := []any{doc.Name(m.Measure), w.d.Num(&m.Effect.Value, 2), w.d.Range(&m.Effect.Interval, 1, 2)}
			if several {
				row = slices.Insert(row, 0, any(doc.Name(p.First+" – "+p.Second)))
			}
			t.Row(row...)
			unit = m.Effect.Unit
		}
	}
	if t != nil {
		t.Note("g is the difference in standard deviations of ", doc.Fixed(unit), ", corrected for small samples (Hedges), its interval by the noncentral t distribution; there is none of shares.")
	}
}

// carriesOver says what a tester who does tasks twice brings along.
const carriesOver = " What a tester learned with the first arm carries over to the second: the task, its pitfalls, and how to word the prompt."

// pairNotes writes which tasks of two arms are compared.
func (w *writer) pairNotes(s *doc.Section) {
	few := doc.Fixed(fmt.Sprint(fewestTesters))
	pairs := w.Arms.Pairs
	alike := w.Layout > 3 && len(pairs) > 1 && !slices.ContainsFunc(pairs, func(p Pair) bool {
		q := &pairs[0]
		return p.Adaptive != q.Adaptive || p.Crossed != q.Crossed || p.SameTasks != q.SameTasks || p.Paired != q.Paired || p.Tasks != q.Tasks || p.OnlyOne != q.OnlyOne || p.mixed(w.Report) != q.mixed(w.Report)
	})
	if alike {
		pairs = pairs[:1]
	}
	for i := range pairs {
		p := &pairs[i]
		var said []any
		switch {
		case alike:
			said = doc.Item("Of each pair of arms: ")
		case len(pairs) > 1:
			said = doc.Item(doc.Name(p.First+" – "+p.Second), ": ")
		}
		switch {
		case p.Adaptive:
			said = append(said, "Each tester did the tasks that the test chose. What is compared is the score that is expected on all tasks of the pool, and the ability, of each session.")
		case p.Crossed && p.SameTasks:
			said = append(said, "Tasks that both arms have: ", w.d.Count(&p.Tasks), "; that one of them has: ", w.d.Count(&p.OnlyOne), ". Each tester did the same tasks with each arm, in the plan's balanced order of arms.", carriesOver, " The period takes out what that changes on average; what depends on which arm came first stays in.")
		case p.Crossed:
			said = append(said, "Tasks that both arms have: ", w.d.Count(&p.Tasks), "; that one of them has: ", w.d.Count(&p.OnlyOne), ". All are compared: each tester did different tasks with each arm, as the plan dealt them.")
		case p.Paired:
			said = append(said, "Only the ", w.d.Count(&p.Tasks), " tasks that both arms have are compared; ", w.d.Count(&p.OnlyOne), " tasks of one alone are left out.")
		default:
			said = append(said, "The arms have too few tasks in common (", w.d.Count(&p.Tasks), "), so that a difference may be that of their tasks.")
		}
		if p.SameTasks && !p.Crossed {
			said = append(said, " One tester did them with both arms, one after the other.", carriesOver, " With one tester that cannot be told from the difference of the arms.")
		}
		if p.mixed(w.Report) {
			said = append(said, " A program is not drawn from other testers: people are compared with it as it was, on the tasks that both did. From ", few, " people on, interval and test are over people's means; of fewer they are over tasks.")
		}
		s.Text(said...)
	}
}

// families writes which comparisons are corrected together.
func (w *writer) families(s *doc.Section) {
	f := &w.Arms.Family
	if f.Size+f.Primary == 0 {
		return
	}
	defer func() {
		if f.Ratings > 0 {
			s.Text("The ", w.d.Count(&f.Ratings), " ", plural("comparison", f.Ratings), " of single ratings, whose total is in that family, are corrected among themselves by the same method.")
		}
	}()
	if f.Primary > 0 {
		s.Text("Corrections: the primary outcome is a family of its own, of ", w.d.Count(&f.Primary), " ", plural("comparison", f.Primary), " (one is not corrected, several by Holm's method). The ", w.d.Count(&f.Size), " ", plural("comparison", f.Size), " of all other measures and pairs of arms form one family, corrected by ", f.words(), ".")
		return
	}
	s.Text("Corrections: the ", w.d.Count(&f.Size), " ", plural("comparison", f.Size), " of all measures and all pairs of arms form one family, corrected by ", f.words(), ". No plan declared a primary outcome: all are exploratory.")
}

func (w *writer) testers(in *doc.Section) {
	if len(w.Sessions) < 2 {
		return
	}
	s := in.Section("testers", "Testers and sessions")
	if sl := w.sliced("tester"); sl != nil {
		if len(sl.Cells) > 30 {
			s.Text("The means of each of the ", w.d.Count(&w.Testers), " testers are in ", doc.Code("report.json"), ".")
		} else {
			w.sliceTable(s, sl)
		}
	}
	if w.unrated() {
		return
	}
	if w.Same == nil {
		s.Text("Agreement between testers is not computed: no two of them rated the same answer. Each tester wrote prompts of their own and rated what came of them.")
		return
	}
	t := s.Table("agreement", "Agreement on answers that several testers rated", doc.Left("attribute"), doc.Right("answers"), doc.Right("ratings"), doc.Right("Krippendorff's α, ordinal"))
	for i := range w.Same {
		a := &w.Same[i]
		if a.Problem != "" {
			t.Row(doc.Name(a.Attribute), w.d.Count(&a.Answers), w.d.Count(&a.Ratings), a.Problem)
			continue
		}
		t.Row(doc.Name(a.Attribute), w.d.Count(&a.Answers), w.d.Count(&a.Ratings), w.d.Num(&a.Alpha, 3))
	}
}
