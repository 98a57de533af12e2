package ratings

import (
	"assay/scoring/stats"
	"assay/session/overlap"
	doc "assay/session/report/document"
)

// ratings writes how far raters agree on scores and labels.
func (w *writer) ratings() {
	a := w.Analysis
	s := w.d.Section("agreement", "Agreement of raters")
	s.Text(w.d.Count(&a.Items), " answers, each rated by ", w.d.Count(&a.Overlap), " of ", doc.Fixed(stats.Round(float64(len(a.Raters)), 0)), " people. ", w.d.Count(&a.Missing),
		" ratings are missing. Closed by ", doc.Name(a.ClosedBy), " on ", doc.Fixed(a.ClosedAt.Format("2006-01-02")), ".")
	var rows []*overlap.Agreement
	for i := range a.Attributes {
		rows = append(rows, &a.Attributes[i])
	}
	rows = append(rows, &a.Total)
	t := s.Table("alpha", "Means of people, and Krippendorff's alpha and Gwet's AC2 (95 % CI)", doc.Left("attribute"), doc.Right("answers"), doc.Right("ratings"), doc.Right("mean"), doc.Right("alpha, ordinal"), doc.Right("alpha, interval"), doc.Right("AC2"))
	for _, x := range rows {
		t.Row(doc.Name(x.Name), w.d.Count(&x.Items), w.d.Count(&x.Ratings), w.with(x.Mean, nil, ""), w.with(x.Ordinal.Value, x.Ordinal.Range, x.Ordinal.Problem, x.Ordinal.NoneSaid),
			w.with(x.Interval.Value, x.Interval.Range, x.Interval.Problem, x.Interval.NoneSaid), w.with(x.Gwet.Value, x.Gwet.Range, "", x.Gwet.NoneSaid))
	}
	t = s.Table("icc", "Intraclass correlations over the answers that all rated (95 % CI)", doc.Left("attribute"), doc.Right("answers"), doc.Right("raters"), doc.Right("one rating"), doc.Right("mean of all"))
	for _, x := range rows {
		t.Row(doc.Name(x.Name), w.d.Count(&x.ICC.Items), w.d.Count(&x.ICC.Raters), w.with(x.ICC.Single, x.ICC.SingleRange, x.ICC.Problem, x.ICC.NoneSaid), w.with(x.ICC.Mean, x.ICC.MeanRange, "", x.ICC.NoneSaid))
	}
	t.Note("ICC(", doc.Fixed("2,1"), ") and ICC(", doc.Fixed("2,k"), ") of Shrout and Fleiss.")
	s.Fold(doc.Item("Kappa of each two raters"), func(s *doc.Section) {
		t := s.Table("kappa", "Cohen's kappa with linear weights (95 % CI)", doc.Left("attribute"), doc.Left("raters"), doc.Right("answers"), doc.Right("kappa"))
		for _, x := range rows {
			for i := range x.Kappas {
				k := &x.Kappas[i]
				t.Row(doc.Name(x.Name), doc.Name(k.A+", "+k.B), w.d.Count(&k.N), w.with(k.Kappa, k.Range, k.Problem, k.NoneSaid))
			}
		}
	})
	if len(a.Labels) > 0 {
		t = s.Table("labels", "Labels (95 % CI)", doc.Left("label"), doc.Right("answers"), doc.Right("raters each"), doc.Right("Fleiss' kappa"), doc.Right("pairs that agree"))
		for i := range a.Labels {
			l := &a.Labels[i]
			t.Row(doc.Name(l.Name), w.d.Count(&l.Items), w.d.Count(&l.Raters), w.with(l.Kappa, l.Range, l.Problem, l.NoneSaid), w.with(l.Observed, nil, ""))
		}
	}
	t = s.Table("first", "Who wrote the prompts, as one more rater", doc.Left("attribute"), doc.Right("answers"), doc.Right("difference"), doc.Right("alpha, ordinal"))
	for _, x := range rows {
		t.Row(doc.Name(x.Name), w.d.Count(&x.First.Items), w.with(x.First.Difference, nil, ""), w.with(x.First.Alpha, nil, x.First.Problem))
	}
	s.Text(w.d.Count(&a.Disputes), " questions on which raters lie ", w.d.Count(&a.Apart), " points apart or label otherwise; ", doc.Fixed(stats.Round(float64(len(a.Settled)), 0)), " are settled.")
	var settled, review [][]any
	for _, x := range a.Settled {
		settled = append(settled, doc.Item(doc.Name(x.Task+", "+x.Name+": "+x.Reason+" ("+x.By+")")))
	}
	for _, x := range a.ToReview {
		review = append(review, doc.Item("to review, ", doc.Name(x.Task+": resolved, but "+x.Reason)))
	}
	s.List(settled...)
	s.List(review...)
}
