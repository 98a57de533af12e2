package sessions

import (
	"fmt"
	"slices"

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
	if w.Layout < 4 {
		w.armTable(s)
	}
	if w.Layout < 4 {
		w.armRatings(s)
		w.measureTables(s)
	} else {
		w.measureTables(s)
		w.armRatings(s)
		s.Fold(doc.Item("Means of each arm, not adjusted"), func(s *doc.Section) {
			w.armTable(s)
			if w.Drawn("differences") { // which stands in the summary in place of this
				w.Figure(s, "arms")
			}
		})
	}
	w.folded(s, "Satisfied within a time", w.satisfiedWithin)
	w.folded(s, "Standardised differences", w.effects)
	w.folded(s, "Which tasks are compared, and what is corrected", w.pairNotes, w.families)
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
	notes := doc.Item(w.newer("", "Difference: the first arm minus the second; where it is adjusted, so are the means, unless that leaves the scale."))
	if slices.ContainsFunc(rows, func(r comparedRow) bool { return r.of.mixed(w.Arms.Analysis) }) {
		notes = append(notes, " By the mixed model where it decides, as for other outcomes.")
	} else if method, shared := sharedMethod(rows); shared && method != "" {
		if w.Layout < 4 || method != primary(pairs[0]).how() {
			notes = append(notes, " Method: ", doc.Fixed(method), ".")
		}
	} else {
		notes = append(notes, " The methods are those of the other outcomes; ", doc.Code("report.json"), " names that of each.")
	}
	t.Note(append(notes, w.newer(" p, corrected: among these alone.", " No attribute is a primary outcome; p, corrected: among these alone."))...)
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

// primary returns the measure that a plan declared, else the first one.
func primary(p *Pair) *Compared {
	return &p.Measures[max(0, slices.IndexFunc(p.Measures, func(m Compared) bool { return m.Primary }))]
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
	w.comparisons(s, "comparison", "The arms compared", [3]string{"measure", p.First, p.Second}, rows)
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
