package sessions

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
)

// summary writes the first page: the question, the answer with its uncertainty, and the limits of the results.
func (w *writer) summary() {
	s := w.d.Section("summary", "Summary")
	r := w.Report
	if r.Filter != "" {
		s.Text(w.d.Strong("A part of the results:"), " only tasks that match the filter ", w.d.Strong(doc.Name(clean(r.Filter))), " are in this report.")
	}
	switch {
	case r.Counts.Analysed == 0:
		s.Text("No task has a result yet: there is nothing to average.")
	case r.Arms == nil:
		w.answerOfOne(s)
	default:
		w.answerOfArms(s)
	}
	if r.Arena != nil {
		s.Text("Of two answers to each prompt: ", w.d.Strong(doc.Name(r.Arena.Conclusion)))
	}
	w.limits(s)
}

// answerOfOne answers for sessions of one arm.
func (w *writer) answerOfOne(s *doc.Section) {
	r := w.Report
	who := doc.Item(w.d.Count(&r.Testers), plural(" tester", r.Testers))
	if r.allAutomatic() {
		who = doc.Item("An automatic tester")
	}
	s.Text(who, " worked with the model ", r.distinct(func(h Header) string { return h.Model }), " on ", w.d.Count(&r.Tasks), plural(" task", r.Tasks), " of the benchmark ",
		r.distinct(func(h Header) string { return h.Benchmark }), ", at most ", w.d.Count(&r.Tries.K), " attempts each, in ", w.sessionsN(), plural(" session", r.Number), ".")
	s.Text(w.d.Strong(w.share(&r.Tries.Success), " of the ", r.results(), " ended with an answer that satisfied."))
	w.mainResults(s)
	w.Figure(s, "success-by-attempt")
}

// mainResults has a row for each of the main measures.
func (w *writer) mainResults(s *doc.Section) {
	r := w.Report
	t := s.Table("summary", "The main results", doc.Left("measure"), doc.Right("value"), doc.Right("95 % CI"), doc.Right("n"))
	row := func(name []any, e *report.Estimate, decimals int, unit string) {
		t.Row(name, doc.Item(w.d.Num(&e.Value, decimals), unit), w.d.Range(e.Interval, 1, decimals), w.d.Count(&e.N))
	}
	row(doc.Item(w.newer("attempts, at most ", "attempts, #attempt_k with k = "), w.d.Count(&r.Tries.K)), &r.Tries.Mean, 2, "")
	row(doc.Item("completion time, mean"), &r.Times.Completion.Mean, 2, " s")
	t.Row("completion time, median", doc.Item(w.d.Num(&r.Times.Completion.Median, 2), " s"), w.d.Range(r.Times.Completion.MedianRange, 1, 2), w.d.Count(&r.Times.Completion.Mean.N))
	if r.Ratings.Total.Mean.N > 0 {
		row(doc.Item("total quality, of ", w.d.Count(&r.Ratings.Total.Max)), &r.Ratings.Total.Mean, 2, "")
	}
	if r.Tests.PassRate.N > 0 {
		t.Row("final answers accepted by the tests", doc.Item(w.Percent(&r.Tests.Accepted.Estimate), " %"), w.PercentInterval(&r.Tests.Accepted.Estimate), w.d.Count(&r.Tests.Accepted.N))
		row(doc.Item("tests passed, share"), &r.Tests.PassRate, 3, "")
	}
	if r.Six != nil {
		t.Row(doc.Item("six dimensions, final score of ", doc.Fixed("100")), w.span(&r.Six.Final.Low, &r.Six.Final.High), w.d.Range(r.Six.Final.Interval, 1, 2), w.d.Count(&r.Six.N))
	}
	over := "over tasks"
	if r.Testers > 1 {
		over = "over testers; there is none of a median, since tasks of one tester are alike"
	}
	t.Note("n counts ", r.results(), ". Intervals are at ", w.Confidence(), ", ", over, ".")
}

// answerOfArms answers for sessions of several arms.
func (w *writer) answerOfArms(s *doc.Section) {
	a := w.Arms
	var names []string
	for _, arm := range a.Arms {
		names = append(names, arm.Name)
	}
	if len(a.Pairs) == 0 {
		s.Text("The sessions belong to the arms ", doc.Name(strings.Join(names, "; ")), ".")
		w.look(s)
		return
	}
	all := w.declaredPairs()
	question := "How do these arms differ?"
	if a.Analysis != nil {
		question = declared(all[0].of.ID).said.question
		list := strings.Join(names[:len(names)-1], ", ") + " or with " + names[len(names)-1]
		s.Text(w.d.Strong(question, " ", doc.Name(list), "?"))
	} else {
		s.Text(w.d.Strong(question, " ", doc.Name(strings.Join(names, "; ")), "."))
	}
	switch id := all[0].of.ID; {
	case len(a.Pairs) == 1:
		w.conclude(s, all[0])
		w.look(s)
		w.pairTable(s, 0)
	default:
		w.concludeAll(s, all)
		w.look(s)
		if len(a.Pairs) <= fewPairs {
			w.measureTable(s, id)
		}
	}
	if w.Drawn("differences") {
		w.Figure(s, "differences")
	} else {
		w.Figure(s, "arms")
	}
}

func (w *writer) declaredPairs() []declaredPair {
	var all []declaredPair
	for i := range w.Arms.Pairs {
		p := &w.Arms.Pairs[i]
		all = append(all, declaredPair{p, primary(p)})
	}
	return all
}

// concludeAll writes which pairs of many arms differ.
func (w *writer) concludeAll(s *doc.Section, all []declaredPair) {
	var found, alike [][]any
	judged := 0
	for _, d := range all {
		difference, _, _ := w.judged(d.of)
		sign, ok := w.sign(d.of)
		if !ok {
			continue
		}
		judged++
		if within, _, _ := w.againstMargin(d.of); within {
			interval := difference.Interval
			scale, decimals := declared(d.of.ID).scale()
			if w.byFactor(d.of) {
				interval, scale, decimals = d.of.Ratio.Interval, 1, 2
			}
			alike = append(alike, doc.Item(doc.Name(d.First+" – "+d.Second), " (", w.d.Range(interval, scale, decimals), ")"))
		}
		if d.of.Corrected >= w.alpha(d.of) || sign == 0 {
			continue
		}
		if difference.Interval == nil {
			found = append(found, doc.Item(doc.Name(d.First+" – "+d.Second), ": ", w.ratio(d.of, &d.of.Corrected)))
			continue
		}
		scale, decimals := declared(d.of.ID).scale()
		found = append(found, doc.Item(doc.Name(d.First+" – "+d.Second), ": ", w.d.Scaled(&difference.Value, scale, decimals), " ", declared(d.of.ID).said.unit,
			" (", w.d.Range(difference.Interval, scale, decimals), w.pValue(&d.of.Corrected), ")"))
	}
	m := all[0].of
	by := "by " + m.Measure
	if w.Layout > 3 {
		if by = "in " + m.Measure; m.ID == "satisfied" {
			by = "in how often testers are satisfied"
		}
		w.meansOfArms(s, m.ID)
	}
	switch {
	case judged == 0:
		s.Text(capital(by), ", no two arms can be told apart: ", doc.Fixed(reason(&m.Difference)), ".")
	case len(found) == 0:
		s.Text(w.d.Strong("No two arms are shown to differ ", by, "."), " After correction for the number of comparisons every p is above ", doc.Fixed(strconv.FormatFloat(float64(w.alpha(m)), 'g', 2, 64)), "; that does not show that the arms are alike.")
	default:
		s.Text(w.d.Strong("These arms differ ", by, ", beyond chance after correction for the number of comparisons:"))
		s.List(found...)
	}
	if len(alike) > 0 {
		s.Text(w.d.Strong("These arms are alike"), " within ", w.margin(m), ", each pair by its own interval:")
		s.List(alike...)
	}
}

// meansOfArms writes what each of many arms has of the primary outcome, as far as arms have means of it.
func (w *writer) meansOfArms(s *doc.Section, id string) {
	m := declared(id)
	if m.field == nil {
		return
	}
	scale, decimals := m.scale()
	var items []any
	for i := range w.Arms.Arms {
		a := &w.Arms.Arms[i]
		if i > 0 {
			items = append(items, "; ")
		}
		items = append(items, doc.Name(a.Name), " ")
		items = append(items, shown(&a.Slice, w.bracketed(m.at(&a.Slice), scale, decimals)...)...)
	}
	s.Text(w.d.Strong(capital(m.column)), ", not adjusted, with intervals at ", w.Confidence(), ": ", items, ".")
}

// hasMargin reports whether the plan declares a margin for a measure. Plans of earlier builds have seconds where a factor is
// meant now: what is no factor counts as none.
func (w *writer) hasMargin(m *Compared) bool {
	plan := w.Arms.Analysis
	return plan != nil && plan.Margin > 0 && m.ID == plan.Primary && (!w.byFactor(m) || plan.Margin > 1 && plan.Margin <= session.MostFactor)
}

// byFactor reports whether the margin of a measure is a factor. That of a time was in seconds on pages of earlier layouts.
func (w *writer) byFactor(m *Compared) bool { return w.Layout > 3 && declared(m.ID).ratio }

// againstMargin reports whether the interval that decides lies within the declared margin, or beyond it in one direction.
// The margin of a time is a factor. ok is false without a margin or an interval.
func (w *writer) againstMargin(m *Compared) (within, beyond, ok bool) {
	if !w.hasMargin(m) {
		return false, false, false
	}
	margin := float64(w.Arms.Analysis.Margin)
	if w.byFactor(m) {
		if m.Ratio == nil {
			return false, false, false
		}
		logs := stats.Interval{Low: math.Log(m.Ratio.Interval.Low), High: math.Log(m.Ratio.Interval.High)}
		return logs.Within(math.Log(margin)), logs.Beyond(math.Log(margin)), true
	}
	difference, _, _ := w.judged(m)
	if difference.Interval == nil {
		return false, false, false
	}
	return difference.Interval.Within(margin), difference.Interval.Beyond(margin), true
}

// margin is the declared margin of the primary outcome with its unit.
func (w *writer) margin(m *Compared) []any {
	if w.byFactor(m) {
		return doc.Item("a factor of ", w.d.Scaled(&w.Arms.Analysis.Margin, 1, 2), ", the margin that the plan declared")
	}
	scale, decimals := declared(m.ID).scale()
	return doc.Item(w.d.Scaled(&w.Arms.Analysis.Margin, scale, decimals), " ", declared(m.ID).said.unit, ", the margin that the plan declared")
}

// judged returns the decisive row of a comparison.
func (w *writer) judged(m *Compared) (difference *report.Estimate, p *report.Number, scope string) {
	difference = m.judged(w.Arms.Analysis)
	if m.mixed(w.Arms.Analysis) {
		return difference, &m.General.P, m.General.Scope
	}
	return difference, &m.P, m.Scope
}

// conclude writes the conclusion from the comparison of two arms.
func (w *writer) conclude(s *doc.Section, d declaredPair) {
	m := d.of
	said := declared(m.ID).said
	scale, decimals := declared(m.ID).scale()
	difference, p, scope := w.judged(m)
	if !difference.Value.Defined() {
		s.Text("The arms are not compared: ", doc.Fixed(reason(difference)), ".")
		return
	}
	unit := ""
	if scale == 100 {
		unit = " %"
	}
	number := func(v *report.Number) doc.Span { return w.d.Scaled(v, scale, decimals) }
	measure, inUnit, found := strings.Cut(m.Measure, ", ")
	if found {
		unit = " " + inUnit
	}
	how := ""
	switch {
	case m.mixed(w.Arms.Analysis):
		how = " by the mixed model"
	case m.First.Method == adjustedMean:
		measure += ", adjusted for test set and period"
	case d.Crossed:
		how = ", adjusted for test set and period,"
	}
	result := doc.Item(capital(measure), ": ", number(&m.First.Value), unit, " with ", doc.Name(d.First), ", ", number(&m.Second.Value), unit, " with ", doc.Name(d.Second),
		". Difference", how, ": ", number(&difference.Value), " ", said.unit)
	if iv := difference.Interval; iv != nil {
		result = append(result, " (", w.confidenceOf(m), " CI ", w.d.Range(iv, scale, decimals))
		if m.Ratio == nil {
			result = append(result, w.pValue(p))
		}
		result = append(result, ")")
	}
	if m.Ratio != nil {
		result = append(result, "; ", w.ratio(m, p))
	}
	s.Text(w.d.Strong(result), ", from ", w.from(d.Pair, m), ".")
	if plan := w.Arms.Analysis; w.Layout > 3 && plan.plansMixed() && !m.mixed(plan) && !declared(m.ID).session() {
		s.Text(w.d.Strong("Not as planned."), " ", notAsPlanned)
	}
	s.Text(w.verdict(d, difference, scope))
	if said := w.alike(d); said != nil {
		s.Text(said)
	}
	if m.Prior != nil {
		s.Text(w.pooled(m))
	}
	if m.Unequal && m.General != nil {
		s.Text("Sessions have unequal numbers of results: the mixed model decides, which weighs every result and allows for testers who left after what they had seen. The means are adjusted by sessions.")
	}
}

// verdict returns the conclusion from a difference.
func (w *writer) verdict(d declaredPair, difference *report.Estimate, scope string) []any {
	said := declared(d.of.ID).said
	scale, decimals := declared(d.of.ID).scale()
	sign, ok := w.sign(d.of)
	if !ok {
		return doc.Item("Whether the difference is more than chance cannot be told: ", doc.Fixed(reason(difference)), ".")
	}
	iv := difference.Interval
	if sign != 0 {
		more, none := said.more, " The interval does not include zero"
		if sign < 0 {
			more = said.less
		}
		if d.of.Ratio != nil {
			none = " The interval of the ratio does not include 1"
		}
		if d.of.Corrected.Defined() && d.of.Corrected >= w.alpha(d.of) {
			return doc.Item(w.d.Strong("These results do not show a difference."), none, ", but that is of this comparison alone; after correction for the number of comparisons", w.pValue(&d.of.Corrected), ".")
		}
		return doc.Item(w.d.Strong("More than by chance, ", more, " ", doc.Name(d.First), "."), none, ". The result applies to ", doc.Fixed(scope), ".")
	}
	if iv == nil {
		iv = d.of.Ratio.Interval
		return doc.Item(w.d.Strong("These results neither show a difference nor rule one out."), " The interval of the ratio includes 1: ratios from ", w.d.Scaled(&iv.Low, 1, 2), " to ", w.d.Scaled(&iv.High, 1, 2), " fit these results, for ", doc.Fixed(scope), ".")
	}
	end := func(v *float64) []any { return doc.Item(w.d.Scaled(v, scale, decimals)) }
	return doc.Item(w.d.Strong("These results neither show a difference nor rule one out."), " The interval includes zero: differences from ", end(&iv.Low), " to ", end(&iv.High), " ", said.unit,
		" fit these results, for ", doc.Fixed(scope), ".")
}

// alike says whether two arms are alike within the declared margin; nil if none is declared for the measure.
func (w *writer) alike(d declaredPair) []any {
	if !w.hasMargin(d.of) {
		return nil
	}
	margin := w.margin(d.of)
	switch within, beyond, ok := w.againstMargin(d.of); {
	case !ok:
		return doc.Item("Without an interval of the ", map[bool]string{true: "ratio", false: "difference"}[w.byFactor(d.of)], " it is not known whether they are alike within ", margin, ".")
	case within:
		return doc.Item(w.d.Strong("The arms are alike"), " within ", margin, ": the whole interval is.")
	case beyond:
		return doc.Item("The difference is larger than ", margin, ": the whole interval is.")
	}
	return doc.Item("They are not shown to be alike within ", margin, ".")
}

// excludesNone returns the sign of all differences in an interval, 0 if it includes 0.
func excludesNone(iv *stats.Interval) int {
	switch {
	case iv.Low > 0:
		return 1
	case iv.High < 0:
		return -1
	}
	return 0
}

// limits writes what readers must know before they quote the results.
func (w *writer) limits(s *doc.Section) {
	r := w.Report
	var items [][]any
	if a := r.Arms; a != nil && len(a.Pairs) > 0 {
		switch {
		case a.Analysis == nil:
			items = append(items, doc.Item("No plan declared a primary outcome before the data were there: every comparison here is exploratory."))
		case a.Family.Primary > 1:
			items = append(items, doc.Item("The plan declared the primary outcome, ", doc.Name(a.Analysis.Primary), "; its ", w.d.Count(&a.Family.Primary), " comparisons are corrected by Holm's method. All others are exploratory."))
		default:
			items = append(items, doc.Item("The plan declared the primary outcome, ", doc.Name(a.Analysis.Primary), ". All other comparisons are exploratory."))
		}
	}
	if a := r.Arms; a != nil && len(a.Pairs) <= fewPairs {
		for _, d := range w.declaredPairs() {
			if d.Dropout != nil {
				items = append(items, w.dropout(d))
			}
		}
	}
	if len(r.Abilities) > 0 && r.Arms != nil {
		items = append(items, doc.Item("Tasks were chosen by the responses before them: means over tasks, elsewhere in this report, are of other tasks for each tester."))
	}
	if !r.Pooled {
		items = append(items, doc.Item("The sessions began with different prompt levels or contexts, or people worked in some and programs in others, or programs by different policies. None of these is pooled: the results stand side by side, and in no common table."))
	}
	if recorded := slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Recorded }); recorded {
		items = append(items, doc.Item(w.d.Strong("Rehearsal:"), " the answers were recorded beforehand, so these results say nothing about a model."))
	}
	if n := r.simulated(); n > 0 && n < len(r.Sessions) { // if all are, the subtitle tells
		items = append(items, doc.Item(w.d.Strong("Made up:"), " some of these sessions are simulated, so that the numbers tell nothing about any model or person."))
	}
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Imported }) {
		items = append(items, doc.Item("Some sessions were imported; their prompts and phases of work are not in these numbers."))
	}
	items = append(items, w.automaticNotes()...)
	if r.Counts.Analysed < r.Counts.Planned-r.Counts.Practice {
		planned := doc.Item("Of ", w.d.Count(&r.Counts.Planned), " tasks in these sessions")
		if r.Counts.Practice > 0 {
			planned = append(planned, ", ", w.d.Count(&r.Counts.Practice), " of them for practice,")
		}
		items = append(items, append(planned, " ", w.d.Count(&r.Counts.Analysed), " have a result; what became of the others is under Participants and tasks."))
	}
	s.List(items...)
	for i := range r.Shared {
		x := &r.Shared[i]
		s.Warn("The place of tester ", w.d.Count(&x.Tester), " in study ", doc.Name(x.Study), " is held by several pseudonyms: ", doc.Name(strings.Join(x.Names, ", ")), ". They are taken as different people, never pooled. If they are one person, or one began anew, withdraw what does not belong.")
	}
}
