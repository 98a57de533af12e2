package sessions

import (
	"fmt"
	"slices"
	"strings"

	"assay/session"
	doc "assay/session/report/document"
)

// primary is the outcome that the study's plan declared, before everything else.
func (w *writer) primary() {
	if w.Arms == nil || w.Arms.Analysis == nil {
		return
	}
	plan := w.Arms.Analysis
	s := w.d.Section("primary", "Primary outcome")
	s.Text("The study's plan declared ", w.d.Strong(doc.Name(plan.Primary)), " as its primary outcome, and a comparison by ", modelWords(plan.Model), ". Everything else in this report is exploratory.")
	if w.Arms.Family.Primary > 1 {
		s.Text("Its ", w.d.Count(&w.Arms.Family.Primary), " comparisons, one for each pair of arms, are corrected by Holm's method.")
	}
	sized := slices.ContainsFunc(w.Arms.Pairs, func(p Pair) bool {
		return effects(p.Measures, func(m *Compared) bool { return m.Primary })
	})
	if why := uncompared(w.Arms.Pairs, func(m *Compared) bool { return m.Primary }); why != "" {
		s.Text("The arms are not compared: ", doc.Fixed(why), ".")
		return
	}
	t := w.comparisonTable(s, "primary", "The primary outcome, arm against arm", "arms", sized)
	for i := range w.Arms.Pairs {
		p := &w.Arms.Pairs[i]
		for j := range p.Measures {
			if m := &p.Measures[j]; m.Primary {
				w.comparison(t, m, doc.Name(p.First+" against "+p.Second), sized)
			}
		}
	}
	w.declared(t)
	w.notCompared(s)
}

// declared notes which of two models is the plan's.
func (w *writer) declared(t *doc.Table) {
	if a := w.Arms.Analysis; a != nil && a.Model == session.ModelMixed {
		t.Note("The plan declared the mixed model: its rows are those that count, and the p that are corrected. Where too few testers or tasks have results for it, there is the comparison over testers alone.")
	}
}

func modelWords(model string) string {
	if model == session.ModelMixed {
		return "a mixed model with testers and tasks as random effects"
	}
	return "testers' means"
}

func (w *writer) arms() {
	a := w.Arms
	if a == nil {
		return
	}
	s := w.d.Section("comparison", "Comparison")
	w.Figure(s, "success-by-attempt-arms")
	w.Figure(s, "arms")
	w.armTables(s)
	for i := range a.Pairs {
		w.pair(s, i)
	}
	w.families(s)
	w.notCompared(s)
}

func (w *writer) notCompared(s *doc.Section) {
	if len(w.Arms.Arms) > maxArms {
		s.Note("The pairs of the first ", doc.Fixed(fmt.Sprint(maxArms)), " arms are compared.")
	}
}

// armTables are the means of each arm with their intervals, not adjusted.
func (w *writer) armTables(s *doc.Section) {
	a := w.Arms
	rated := !w.allAutomatic()
	if !slices.ContainsFunc(a.Arms, func(x Arm) bool { return !x.Small }) {
		t := s.Table("arms", "The arms", doc.Left("arm"), doc.Right("sessions"), doc.Right("testers"), doc.Right("results"))
		var cells []Slice
		for i := range a.Arms {
			x := &a.Arms[i]
			cells = append(cells, x.Slice)
			t.Row(doc.Name(x.Name), w.d.Count(&x.Sessions), w.d.Count(&x.Testers), w.d.Count(&x.Slice.N))
		}
		t.Note("No means: each arm has ", w.fewer(cells), ".")
		return
	}
	t := s.Table("arms", "The arms: counts, and shares of tasks", doc.Left("arm"), doc.Right("sessions"), doc.Right("testers"), doc.Right("results"),
		doc.Right("satisfied"), doc.Right("95 %"), doc.Right("share of tests passed"), doc.Right("95 %"))
	columns := []doc.Column{doc.Left("arm"), doc.Right("attempts"), doc.Right("95 %"), doc.Right("time, s"), doc.Right("95 %")}
	if rated {
		columns = append(columns, doc.Right("total"), doc.Right("95 %"))
	}
	means := s.Table("arm-means", "The arms: means, not adjusted", columns...)
	var cells []Slice
	for i := range a.Arms {
		x := &a.Arms[i]
		cells = append(cells, x.Slice)
		c := &x.Slice
		t.Row(doc.Name(x.Name), w.d.Count(&x.Sessions), w.d.Count(&x.Testers), w.d.Count(&c.N),
			shown(c, w.short(&c.Satisfied)), shown(c, w.PercentInterval(&c.Satisfied.Estimate)), shown(c, w.d.Num(&c.PassRate.Value, 3)), shown(c, w.d.Range(c.PassRate.Interval, 1, 3)))
		row := []any{doc.Name(x.Name), shown(c, w.d.Num(&c.Attempts.Value, 2)), shown(c, w.d.Range(c.Attempts.Interval, 1, 2)), shown(c, w.d.Num(&c.Completion.Value, 1)), shown(c, w.d.Range(c.Completion.Interval, 1, 1))}
		if rated {
			row = append(row, shown(c, w.d.Num(&c.Total.Value, 2)), shown(c, w.d.Range(c.Total.Interval, 1, 2)))
		}
		means.Row(row...)
	}
	w.few(t, cells)
	w.few(means, cells)
	w.methods(means, cells)
}

// comparisonTable has columns for effect sizes where there are any.
func (w *writer) comparisonTable(s *doc.Section, id, caption, what string, effects bool) *doc.Table {
	columns := []doc.Column{doc.Left(what), doc.Right("first"), doc.Right("second"), doc.Right("difference"), doc.Right("95 %")}
	if effects {
		columns = append(columns, doc.Right("g"), doc.Right("95 %"))
	}
	return s.Table(id, caption, append(columns, doc.Right("p"), doc.Right("p, corrected"), doc.Right("testers"), doc.Right("tasks"), doc.Right("results"), doc.Left("how"), doc.Left("speaks of"))...)
}

// uncompared is the reason why there is no difference of any measure, or nothing.
func uncompared(pairs []Pair, of func(*Compared) bool) (why string) {
	for i := range pairs {
		for j := range pairs[i].Measures {
			m := &pairs[i].Measures[j]
			if of(m) && m.Difference.Value.Defined() {
				return ""
			}
			if of(m) {
				why = strings.TrimPrefix(m.Difference.Method, "no interval: ")
			}
		}
	}
	return why
}

// effects reports whether a measure has an effect size.
func effects(measures []Compared, of func(*Compared) bool) bool {
	return slices.ContainsFunc(measures, func(m Compared) bool { return m.Effect != nil && of(&m) })
}

func (w *writer) pair(s *doc.Section, i int) {
	p := &w.Arms.Pairs[i]
	if why := uncompared(w.Arms.Pairs[i:i+1], func(*Compared) bool { return true }); why != "" {
		s.Text(doc.Name(p.First), " and ", doc.Name(p.Second), " are not compared: ", doc.Fixed(why), ".")
		return
	}
	sized := effects(p.Measures, func(*Compared) bool { return true })
	t := w.comparisonTable(s, fmt.Sprintf("comparison-%d", i+1), p.First+" against "+p.Second, "measure", sized)
	for j := range p.Measures {
		m := &p.Measures[j]
		name := m.Measure
		switch {
		case m.Primary:
			name += " (primary)"
		case w.Arms.Analysis != nil:
			name += " (exploratory)"
		}
		w.comparison(t, m, doc.Name(name), sized)
	}
	t.Note("A difference is the first arm minus the second; of satisfied it is the risk difference, in shares of tasks. First and second are means, adjusted where the difference is.")
	if sized {
		unit := ""
		for j := range p.Measures {
			if e := p.Measures[j].Effect; e != nil {
				unit = e.Unit
			}
		}
		t.Note("g is the difference in standard deviations of ", doc.Fixed(unit), ", corrected for small samples (Hedges), its interval by the noncentral t distribution; there is none of shares.")
	}
	w.declared(t)
	if slices.ContainsFunc(p.Measures, func(m Compared) bool { return m.General != nil }) {
		t.Note("The mixed model is conservative for measures on a scale, such as attempts and satisfied: of equal arms, with ", doc.Fixed("8 to 30"), " testers, its test at ", doc.Fixed("5 %"), " finds a difference in ", doc.Fixed("2 to 3 %"), " of simulations.")
	}
	switch {
	case p.Crossed:
		t.Note("Tasks that both arms have: ", w.d.Count(&p.Tasks), "; that one of them has: ", w.d.Count(&p.OnlyOne), ". All are compared: each tester did different tasks with each arm, as the plan dealt them.")
	case p.Paired:
		t.Note("Only the ", w.d.Count(&p.Tasks), " tasks that both arms have are compared; ", w.d.Count(&p.OnlyOne), " tasks of one alone are left out.")
	default:
		t.Note("The arms have too few tasks in common (", w.d.Count(&p.Tasks), "), so that a difference may be that of their tasks.")
	}
	few := doc.Fixed(fmt.Sprint(fewestTesters))
	if p.mixed(w.Report) {
		t.Note("A program is not drawn from other testers: people are compared with it as it was, on the tasks that both did. From ", few, " people on, interval and test are over people's means; of fewer they are over tasks.")
	}
}

// comparison is a row for the difference over testers, and one for that of the mixed
// model.
func (w *writer) comparison(t *doc.Table, m *Compared, name doc.Span, sized bool) {
	var effect, none []any
	switch {
	case m.Effect != nil:
		effect, none = []any{w.d.Num(&m.Effect.Value, 2), w.d.Range(&m.Effect.Interval, 1, 2)}, []any{"", ""}
	case sized:
		effect, none = []any{doc.Undefined, doc.Undefined}, []any{"", ""}
	}
	row := func(head, effect []any, tail ...any) { t.Row(slices.Concat(head, effect, tail)...) }
	how := m.Difference.Method
	if m.Test != "t" && m.Test != "none" {
		how += "; " + m.Test
	}
	corrected := [2]any{w.p(&m.Corrected), doc.Undefined}
	if m.General != nil && w.Arms.Analysis != nil && w.Arms.Analysis.Model == session.ModelMixed {
		corrected[0], corrected[1] = corrected[1], corrected[0]
	}
	row([]any{name, w.d.Num(&m.First.Value, 2), w.d.Num(&m.Second.Value, 2), w.d.Num(&m.Difference.Value, 2), w.d.Range(m.Difference.Interval, 1, 2)}, effect,
		w.p(&m.P), corrected[0], w.d.Count(&m.Testers), w.d.Count(&m.Tasks), w.d.Count(&m.Results), doc.Fixed(how), m.Scope)
	if e := m.General; e != nil {
		row([]any{"", "", "", w.d.Num(&e.Difference.Value, 2), w.d.Range(e.Difference.Interval, 1, 2)}, none, w.p(&e.P), corrected[1], "", "", "", doc.Fixed(e.Difference.Method), e.Scope)
	}
}

// families declare what is corrected with what.
func (w *writer) families(s *doc.Section) {
	f := &w.Arms.Family
	if f.Size+f.Primary == 0 {
		return
	}
	if f.Primary > 0 {
		s.Text("Corrections: the primary outcome is a family of its own, of ", w.d.Count(&f.Primary), " ", plural("comparison", f.Primary), " (one is not corrected, several by Holm's method). The ", w.d.Count(&f.Size), " ", plural("comparison", f.Size), " of all other measures and pairs of arms form one family, corrected by ", f.words(), ".")
		return
	}
	s.Text("Corrections: the ", w.d.Count(&f.Size), " ", plural("comparison", f.Size), " of all measures and all pairs of arms form one family, corrected by ", f.words(), ". No plan declared a primary outcome: all are exploratory.")
}

func (w *writer) testers() {
	if len(w.Sessions) < 2 {
		return
	}
	s := w.d.Section("testers", "Testers and sessions")
	if sl := w.sliced("tester"); sl != nil {
		if len(sl.Cells) > 30 {
			s.Text("The means of each of the ", w.d.Count(&w.Testers), " testers are in ", doc.Code("report.json"), ".")
		} else {
			w.sliceTable(s, sl)
		}
	}
	if w.allAutomatic() {
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
