package sessions

import (
	"fmt"
	"slices"

	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
)

func (w *writer) attempts(in *doc.Section) {
	a := &w.Tries
	s := in.Section("attempts", "Attempts")
	s.Text(w.newer("Mean number of attempts, at most ", "Mean #attempt_"), w.d.Count(&a.K), ": ", w.d.Strong(w.estimate(&a.Mean, 2)), ", SD ", w.d.Num(&a.SD, 2), ".")
	s.Text("A task without satisfaction counts as ", w.d.Count(&a.K), " attempts, however many were made: this mean is the restricted mean to ", w.d.Count(&a.K), " of the Kaplan-Meier curve below, not the mean number of attempts to success.")
	s.List(
		doc.Item("With tasks given up early as censored: ", w.estimate(&a.Censored, 2), "."),
		doc.Item("Over the satisfied ", w.results(), " alone: ", w.estimate(&a.Happy, 2), "."),
		doc.Item("Satisfied within ", w.d.Count(&a.K), " attempts: ", w.share(&a.Success), " of the analysed ", w.results(), "."),
		doc.Item("Attempts made in all: ", w.d.Count(&a.Made), "; satisfied ", w.results(), " divided by attempts made: ", w.d.Num(&a.PerAttempt, 3), ". Median number of attempts to satisfaction: ", w.d.Num(&a.Median, 0), "."),
	)
	columns := []doc.Column{doc.Right("attempt"), doc.Right("satisfied"), doc.Right("ended without"), doc.Left(""),
		doc.Right("within so many, %"), doc.Right("95 % CI"), doc.Right("at risk"), doc.Right("S")}
	one := w.Testers == 1 // Greenwood's formula takes tasks to be independent
	if one {
		columns = append(columns, doc.Right("SE"), doc.Right("95 % CI, log-log"))
	}
	t := s.Table("success-by-attempt", "Success by attempt", columns...)
	for i := range a.Steps {
		p := &a.Steps[i]
		bar := doc.Bar(float64(p.Within.Value))
		if w.Layout < 4 {
			bar = of(report.Number(p.Satisfied+p.GaveUp), report.Number(w.Counts.Analysed))
		}
		row := []any{w.d.Count(&p.Attempt), w.d.Count(&p.Satisfied), w.d.Count(&p.GaveUp), bar,
			w.Percent(&p.Within.Estimate), w.PercentInterval(&p.Within.Estimate), w.d.Count(&p.AtRisk), w.d.Num(&p.Survival, 3)}
		if one {
			row = append(row, w.d.Num(&p.SE, 3), w.d.Range(p.LogLog, 1, 3))
		}
		t.Row(row...)
	}
	greenwood := ""
	if one {
		greenwood = ", SE Greenwood's, which takes tasks to be independent"
	}
	t.Note("Shares are of all analysed ", w.results(), " (", doc.Fixed(a.Success.Method), "). S is the share not satisfied yet (Kaplan-Meier; what was given up is followed to ", w.d.Count(&a.K), " attempts)", greenwood, ".")
}

func (w *writer) times(in *doc.Section) {
	r := w.Report
	s := in.Section("time", "Completion time")
	s.Text("From opening a task to the judgement that ends it, in seconds; rating is apart.")
	t := s.Table("completion-time", "Durations of a task in seconds", doc.Left("duration"), doc.Right("n"), doc.Right("mean"), doc.Right("95 % CI"), doc.Right("SD"),
		doc.Right("median"), doc.Right("95 % CI"), doc.Right("p90"), doc.Right("min"), doc.Right("max"))
	row := func(name string, d *Durations) {
		if d == nil {
			t.Row(name, "", "not measured", "", "", "", "", "", "", "")
			return
		}
		t.Row(name, w.d.Count(&d.Mean.N), w.d.Num(&d.Mean.Value, 2), w.d.Range(d.Mean.Interval, 1, 2), w.d.Num(&d.SD, 2), w.d.Num(&d.Median, 2), w.d.Range(d.MedianRange, 1, 2), w.d.Num(&d.Quantiles[len(d.Quantiles)/2-1].Value, 2), w.d.Num(&d.Min, 2), w.d.Num(&d.Max, 2))
	}
	row("completion", &r.Times.Completion)
	row("without waiting for the model", r.Times.WithoutModel)
	row("rating", r.Times.Rating)
	t.Note(doc.Fixed("p90 is interpolated linearly (type 7)"), "; the distribution has other definitions.")
	alike := ""
	if w.Testers > 1 {
		alike = "; not tested, since tasks of one tester are alike"
	}
	s.Text("Rank correlation of a task's time with its attempts (Spearman): ", w.d.Num(&r.Times.WithAttempts, 3), " (n = ", w.d.Count(&r.Times.Completion.Mean.N), w.pValue(&r.Times.WithAttemptsP), ")", alike, ".")
	w.Figure(s, "completion-time-ecdf")
	w.phases(s)
}

// distributions writes the shares of results within given times.
func (w *writer) distributions(in *doc.Section) {
	r := w.Report
	s := in.Section("distribution", "Distribution of completion times")
	w.Figure(s, "completion-time")
	q := s.Table("quantiles", "Quantiles of durations in seconds", doc.Left("duration"), doc.Left("type"), doc.Right("p90"), doc.Right("p98"))
	for _, of := range []struct {
		name string
		*Durations
	}{{"completion", &r.Times.Completion}, {"without waiting for the model", r.Times.WithoutModel}, {"rating", r.Times.Rating}} {
		if of.Durations == nil {
			continue
		}
		all := of.Quantiles
		half := len(all) / 2 // those of one probability
		for i := range half {
			q.Row(of.name, doc.Name(all[i].Name), w.d.Num(&all[i].Value, 2), w.d.Num(&all[half+i].Value, 2))
		}
	}
	q.Note("The inverse of the ECDF is the smallest time that so many tasks are within; statistical programs differ in which type they print.")
	e := s.Table("completion-time-ecdf", capital(w.results())+" completed within a time", doc.Right("within, s"), doc.Right(w.results()), doc.Left(""), doc.Right("share, %"), doc.Right("95 % CI"))
	for i := range r.Times.Completion.ECDF {
		p := &r.Times.Completion.ECDF[i]
		e.Row(w.d.Num(&p.Seconds, 0), w.d.Count(&p.Within.Count), doc.Bar(float64(p.Within.Value)), w.Percent(&p.Within.Estimate), w.PercentInterval(&p.Within.Estimate))
	}
}

func (w *writer) phases(s *doc.Section) {
	r := w.Report
	if len(r.Times.Phases) > 0 {
		most := report.Number(0)
		for _, p := range r.Times.Phases {
			most = max(most, p.Seconds)
		}
		t := s.Table("phases", "Time by phase in seconds", doc.Left("phase"), doc.Right("in all"), doc.Left(""), doc.Right("mean of a task"), doc.Right("95 % CI"))
		for i := range r.Times.Phases {
			p := &r.Times.Phases[i]
			t.Row(phaseName(p.Phase), w.d.Num(&p.Seconds, 1), of(p.Seconds, most), w.d.Num(&p.Mean.Value, 2), w.d.Range(p.Mean.Interval, 1, 2))
		}
		t.Note("Paused, and not counted: ", w.d.Num(&r.Times.Paused, 1), " s. Included: ", w.d.Num(&r.Times.Blurred, 1), " s without the terminal's focus, ", w.d.Num(&r.Times.Idle, 1), " s idle.")
	}
	if r.Counts.Unobserved > 0 {
		s.Text("Analysed tasks with unobserved time: ", w.d.Count(&r.Counts.Unobserved), ", at most ", w.d.Num(&r.Times.Unobserved, 1),
			" s together (a crash, or the program was ended). It is not counted: the mean completion time lies between ", w.d.Num(&r.Times.Completion.Mean.Value, 2), " and ", w.d.Num(&r.Times.AtMost, 2), " s.")
	}
}

func (w *writer) ratings(in *doc.Section) {
	r := &w.Ratings
	s := in.Section("ratings", "Ratings of the final answers")
	if len(r.Attributes) == 0 || r.Total.Mean.N == 0 && !slices.ContainsFunc(r.Attributes, func(a Rating) bool { return a.Mean.N > 0 }) {
		if w.allAutomatic() {
			s.Text("There are none: an automatic tester has no opinion, and none is made up for it. Tables of ratings and totals are left out.")
		} else {
			s.Text("No final answer was rated.")
		}
		w.labels(s)
		return
	}
	s.Text("From ", doc.Fixed(fmt.Sprint(session.MinScore)), " (", doc.Name(r.Attributes[0].Low), ") to ", doc.Fixed(fmt.Sprint(w.scale())), " (", doc.Name(r.Attributes[0].High), "); given-up tasks are rated too.")
	w.Figure(s, "attributes")
	columns := []doc.Column{doc.Left("attribute"), doc.Right("n"), doc.Right("mean"), doc.Left(""), doc.Right("95 % CI"), doc.Right("SD"), doc.Right("of the best, %")}
	for score := session.MinScore; score <= w.scale(); score++ {
		columns = append(columns, doc.Right(fmt.Sprint(score)))
	}
	worst := report.Number(0) // where bars begin
	if w.Layout > 3 {
		worst = session.MinScore
	}
	t := s.Table("ratings", "Attributes", columns...)
	for i := range r.Attributes {
		a := &r.Attributes[i]
		cells := []any{doc.Name(a.Name), w.d.Count(&a.Mean.N), w.d.Num(&a.Mean.Value, 2), of(a.Mean.Value-worst, report.Number(a.Max)-worst), w.d.Range(a.Mean.Interval, 1, 2), w.d.Num(&a.SD, 2), w.d.Percent(&a.Of, 1)}
		for j := range a.Scores {
			cells = append(cells, w.d.Count(&a.Scores[j]))
		}
		t.Row(cells...)
	}
	a := &r.Total
	worst *= report.Number(len(r.Attributes))
	cells := []any{w.d.Strong("Total of ", w.d.Count(&a.Max)), w.d.Count(&a.Mean.N), w.d.Num(&a.Mean.Value, 2), of(a.Mean.Value-worst, report.Number(a.Max)-worst), w.d.Range(a.Mean.Interval, 1, 2), w.d.Num(&a.SD, 2), w.d.Percent(&a.Of, 1)}
	for range w.scale() {
		cells = append(cells, "")
	}
	t.Row(cells...)
	t.Note("The total is of the tasks with every attribute rated. Cronbach's alpha of the attributes over those: ", w.estimate(&r.Alpha, 3), ".")
	w.labels(s)
	w.Figure(s, "attempts-and-quality")
}

// labels writes what people said of the final answers beside ratings.
func (w *writer) labels(s *doc.Section) {
	if len(w.Ratings.Labels) == 0 {
		return
	}
	l := s.Table("labels", "Labels of the final answers", doc.Left("label"), doc.Left("value"), doc.Right("of the labelled tasks"))
	for i := range w.Ratings.Labels {
		x := &w.Ratings.Labels[i]
		l.Row(doc.Name(x.Name), doc.Name(x.Value), w.share(&x.Share))
	}
}
