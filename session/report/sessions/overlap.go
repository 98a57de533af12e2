package sessions

import (
	"fmt"
	"slices"
	"strings"

	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/session/report"
	doc "assay/session/report/document"
)

// concerns reports whether answers that were rated again are of sessions of the report, and
// whether all are.
func (r *Report) concerns(a *overlap.Analysis) (some, all bool) {
	all = true
	for _, id := range a.Sessions {
		if slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.ID == id }) {
			some = true
		} else {
			all = false
		}
	}
	return some, all
}

// maybe returns a statistic, or why there is none.
func (w *writer) maybe(v *float64, problem string) []any {
	switch {
	case v == nil && problem == "":
		return doc.Item(doc.Undefined)
	case v == nil:
		return doc.Item(doc.Undefined, " ", doc.Name(problem))
	}
	return doc.Item(w.d.Num(v, 3))
}

// withRange returns a statistic with its interval, or why there is none of either.
func (w *writer) withRange(v *float64, r *stats.Interval, problem, noInterval string) []any {
	switch {
	case v == nil || r == nil && noInterval == "":
		return w.maybe(v, problem)
	case r == nil:
		return doc.Item(w.d.Num(v, 3), " (no interval: ", doc.Name(noInterval), ")")
	}
	return doc.Item(w.d.Num(v, 3), " (", w.d.Range(r, 1, 3), ")")
}

// overlap writes the section on ratings of the same answers by several people.
func (w *writer) overlap() {
	a := w.Overlap
	if a == nil {
		return
	}
	s := w.d.Section("overlap", "Overlap ratings")
	s.Text(w.d.Count(&a.Items), " final answers were rated again, each by ", w.d.Count(&a.Overlap), " of ", doc.Fixed(fmt.Sprint(len(a.Raters))),
		" people who did not write the prompts, and saw neither the model's name nor anybody else's ratings. They were dealt by the seed ", w.d.Count(&a.Seed),
		"; ", w.d.Count(&a.Missing), " of these ratings are missing. They were closed by ", doc.Name(a.ClosedBy), " on ", doc.Fixed(a.ClosedAt.Format("2006-01-02")),
		". What raters saw of the tests: ", doc.Name(a.Tests), ". These ratings are part of no other section.")
	if _, all := w.concerns(a); !all {
		s.Text(w.d.Strong("Some of the answers are of sessions that are not in this report."))
	}
	rows := []*overlap.Agreement{}
	for i := range a.Attributes {
		rows = append(rows, &a.Attributes[i])
	}
	rows = append(rows, &a.Total)
	w.overlapAlpha(s, rows)
	w.overlapPairs(s, rows)
	w.overlapLabels(s)
	w.overlapFirst(s, rows)
	w.overlapSettled(s)
	if len(a.Notes) > 0 {
		s.Fold(doc.Item("What raters wrote"), func(inside *doc.Section) {
			for _, n := range a.Notes {
				inside.Passage(clean(n.Rater+" on "+n.Task), clean(n.Text))
			}
		})
	}
}

func (w *writer) overlapAlpha(s *doc.Section, rows []*overlap.Agreement) {
	a := w.Overlap
	t := s.Table("overlap-agreement", "How far raters agree", doc.Left("attribute"), doc.Right("answers"), doc.Right("ratings"), doc.Right("mean"),
		doc.Right("α, ordinal"), doc.Right("α, interval"), doc.Right("Gwet's AC2"), doc.Right("ICC(2,1)"), doc.Right("ICC(2,k)"))
	for _, x := range rows {
		t.Row(doc.Name(x.Name), w.d.Count(&x.Items), w.d.Count(&x.Ratings), w.maybe(x.Mean, ""), w.withRange(x.Ordinal.Value, x.Ordinal.Range, x.Ordinal.Problem, x.Ordinal.NoneSaid),
			w.withRange(x.Interval.Value, x.Interval.Range, x.Interval.Problem, x.Interval.NoneSaid), w.withRange(x.Gwet.Value, x.Gwet.Range, "", x.Gwet.NoneSaid), w.withRange(x.ICC.Single, x.ICC.SingleRange, "", x.ICC.NoneSaid), w.withRange(x.ICC.Mean, x.ICC.MeanRange, "", x.ICC.NoneSaid))
	}
	t.Note("Krippendorff's α over the answers that two people or more rated, with ", w.d.Percent(&a.Confidence, 0), " % intervals by the jackknife over the answers, for these raters. Gwet's ", doc.Fixed("AC2"), " (linear weights) stays near the agreement that was observed where nearly all scores are the same. ICC(", doc.Fixed("2,1"), ") is of one rating and ICC(", doc.Fixed("2,k"), ") of the mean of all, over the answers that all people rated (Shrout and Fleiss): raters drawn from many, absolute agreement.")
	if p := a.Total.ICC.Problem; p != "" {
		t.Note("There is no ICC: ", doc.Name(p), ".")
	}
}

func (w *writer) overlapPairs(s *doc.Section, rows []*overlap.Agreement) {
	t := (*doc.Table)(nil)
	for _, x := range rows {
		for i := range x.Kappas {
			k := &x.Kappas[i]
			if t == nil {
				t = s.Table("overlap-kappa", "Cohen's kappa of each two raters, linear weights", doc.Left("attribute"), doc.Left("raters"), doc.Right("answers"), doc.Right("kappa"))
			}
			t.Row(doc.Name(x.Name), doc.Name(k.A+", "+k.B), w.d.Count(&k.N), w.withRange(k.Kappa, k.Range, k.Problem, k.NoneSaid))
		}
	}
	if t != nil {
		t.Note("With ", w.d.Percent(&w.Overlap.Confidence, 0), " % intervals by the jackknife over the answers.")
	}
}

func (w *writer) overlapLabels(s *doc.Section) {
	a := w.Overlap
	if len(a.Labels) == 0 {
		return
	}
	t := s.Table("overlap-labels", "How far raters agree on labels", doc.Left("label"), doc.Right("answers"), doc.Right("raters each"), doc.Right("Fleiss' kappa"), doc.Right("pairs that agree, %"))
	for i := range a.Labels {
		l := &a.Labels[i]
		observed := doc.Item(doc.Undefined)
		if l.Observed != nil {
			observed = doc.Item(w.d.Percent(l.Observed, 1))
		}
		t.Row(doc.Name(l.Name), w.d.Count(&l.Items), w.d.Count(&l.Raters), w.withRange(l.Kappa, l.Range, l.Problem, l.NoneSaid), observed)
	}
	t.Note("Over the answers that all of their raters labelled, with intervals by the jackknife over these answers. Labels that depend on whether the tester was satisfied are not asked for: that would tell what the tester decided.")
}

func (w *writer) overlapFirst(s *doc.Section, rows []*overlap.Agreement) {
	t := s.Table("overlap-first", "Who wrote the prompts, as one more rater", doc.Left("attribute"), doc.Right("answers"), doc.Right("mean difference"), doc.Right("α, ordinal"))
	for _, x := range rows {
		t.Row(doc.Name(x.Name), w.d.Count(&x.First.Items), w.maybe(x.First.Difference, ""), w.maybe(x.First.Alpha, x.First.Problem))
	}
	t.Note("The testers' own ratings of the same answers are in this table alone: their mean less the raters' mean, and Krippendorff's α with them beside the raters. They had seen the answers come about.")
}

func (w *writer) overlapSettled(s *doc.Section) {
	a := w.Overlap
	s.Text("Questions on which raters lie ", w.d.Count(&a.Apart), " points or more apart, or label otherwise: ", w.d.Count(&a.Disputes), ".")
	if a.Disputes > 0 && len(a.Settled) == 0 {
		s.Text("None of them was settled by an adjudicator.")
	}
	if len(a.Settled) == 0 {
		return
	}
	t := s.Table("overlap-settled", "What an adjudicator settled", doc.Left("task"), doc.Left("question"), doc.Left("raters"), doc.Right("mean"), doc.Right("settled"), doc.Left("why"), doc.Left("by"))
	for i := range a.Settled {
		e := &a.Settled[i]
		mean, settled := doc.Item(doc.Undefined), doc.Item(doc.Name(e.Value))
		if e.Mean != nil {
			mean, settled = doc.Item(w.d.Num(e.Mean, 2)), doc.Item(w.d.Count(&e.Score))
		}
		t.Row(doc.Name(e.Task), doc.Name(e.Name), doc.Name(strings.Join(e.Answers, ", ")), mean, settled, doc.Name(e.Reason), doc.Name(e.By+", "+e.At.Format("2006-01-02")))
	}
	m := s.Table("overlap-means", "Means over answers, of raters and as settled", doc.Left("attribute"), doc.Right("answers"), doc.Right("of raters"), doc.Right("as settled"))
	for j := range a.Attributes {
		x := &a.Attributes[j]
		m.Row(doc.Name(x.Name), w.d.Count(&a.Items), w.maybe(x.Mean, ""), w.maybe(x.Settled, ""))
	}
	m.Row(doc.Item("Total of ", w.d.Count(&a.Total.Max)), w.d.Count(&a.Items), w.maybe(a.Total.Mean, ""), w.maybe(a.Total.Settled, ""))
	m.Note("As settled: the settled score where there is one, else the raters' mean.")
}

// ratersTable has the ratings of every rater.
func ratersTable(a *overlap.Analysis) report.Table {
	word := report.Text[overlap.RaterScore]
	return report.TableOf("raters", "One row for each rating or label that a rater gave to a final answer of others, before any was settled", []report.ColumnOf[overlap.RaterScore]{
		word("item", "the answer: the beginning of a SHA-256 of task, prompts and answers", func(g overlap.RaterScore) string { return g.Item }),
		word("sessions", "ids of the sessions that the answer comes from, with spaces", func(g overlap.RaterScore) string { return strings.Join(g.Sessions, " ") }),
		word("task", "id of the task", func(g overlap.RaterScore) string { return g.Task }),
		word("rater", "letter of the rater", func(g overlap.RaterScore) string { return g.Rater }),
		word("name", "id of the attribute or the label", func(g overlap.RaterScore) string { return g.Name }),
		report.Integer("score", "", "the rating; empty for a label", func(g overlap.RaterScore) (int64, bool) { return int64(g.Score), g.Score > 0 }),
		word("value", "the label's value; empty for an attribute", func(g overlap.RaterScore) string { return g.Value }),
	}, slices.Values(a.Given))
}

// settledTable has the decisions of the adjudicator.
func settledTable(a *overlap.Analysis) report.Table {
	word := report.Text[overlap.Settlement]
	return report.TableOf("settled", "One row for each question on which raters disagreed and an adjudicator decided", []report.ColumnOf[overlap.Settlement]{
		word("item", "the answer, as in the table of raters", func(e overlap.Settlement) string { return e.Item }),
		word("task", "id of the task", func(e overlap.Settlement) string { return e.Task }),
		word("question", "name of the attribute or the label", func(e overlap.Settlement) string { return e.Name }),
		report.Integer("score", "", "the score decided on; empty for a label", func(e overlap.Settlement) (int64, bool) { return int64(e.Score), e.Score > 0 }),
		word("value", "the label's value decided on; empty for an attribute", func(e overlap.Settlement) string { return e.Value }),
		word("reason", "why, in the adjudicator's words", func(e overlap.Settlement) string { return e.Reason }),
		word("by", "who decided", func(e overlap.Settlement) string { return e.By }),
	}, slices.Values(a.Settled))
}
