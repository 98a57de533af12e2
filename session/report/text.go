package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session"
	doc "assay/session/report/document"
)

// writer puts the report into words.
type writer struct {
	*Report
	d       *doc.Document
	figures map[string]Drawing
}

// Document is the report as a text, with the drawings.
func (r *Report) Document() *doc.Document {
	w := &writer{r, doc.New(r.Title, r), map[string]Drawing{}}
	for _, f := range r.Figures() {
		w.figures[f.Name] = f
	}
	w.d.Subtitle = r.subtitle()
	w.overview()
	w.method()
	w.accounting()
	if r.Counts.Analysed == 0 || !r.Pooled {
		w.arms()
	} else {
		w.attempts()
		w.times()
		w.ratings()
		w.slice("difficulty", "By difficulty")
		w.slice("type", "By type")
		w.grid()
		w.slice("category", "By category")
		w.trend()
		w.tests()
		w.six()
		w.causes()
		w.code()
		w.prompts()
		w.arms()
		w.testers()
	}
	w.checks()
	return w.d
}

func (r *Report) subtitle() string {
	last := r.Sessions[0].Last
	for _, h := range r.Sessions {
		if h.Last.After(last) {
			last = h.Last
		}
	}
	return fmt.Sprintf("assay %s, data up to %s", r.Sessions[0].Assay, last.Format("2006-01-02 15:04 MST"))
}

// figure places a drawing that there are data for.
func (w *writer) figure(s *doc.Section, name string) {
	if f, is := w.figures[name]; is {
		s.Figure(name, f.Figure)
	}
}

// level is the confidence of intervals in percent.
func (w *writer) level() []any { return doc.Item(w.d.Percent(&w.Method.Confidence, 0), " %") }

// estimate is a statistic with its n and interval, in words.
func (w *writer) estimate(e *Estimate, decimals int) []any {
	if e.Interval == nil {
		return doc.Item(w.d.Num(&e.Value, decimals), " (n = ", w.d.Count(&e.N), "; ", doc.Fixed(e.Method), ")")
	}
	return doc.Item(w.d.Num(&e.Value, decimals), " (n = ", w.d.Count(&e.N), "; ", w.level(), " ", w.d.Range(e.Interval, 1, decimals), ", ", doc.Fixed(e.Method), ")")
}

// share is a count with what it is of, in percent with its interval.
func (w *writer) share(s *Share) []any {
	if s.N == 0 {
		return doc.Item("none observed")
	}
	return doc.Item(w.d.Count(&s.Count), " of ", w.d.Count(&s.N), " = ", w.d.Percent(&s.Value, 1), " % (", w.level(), " ", w.d.Range(s.Interval, 100, 1), ")")
}

// short is a share for a table.
func (w *writer) short(s *Share) []any {
	if s.N == 0 {
		return doc.Item(doc.Undefined)
	}
	return doc.Item(w.d.Count(&s.Count), " of ", w.d.Count(&s.N), " = ", w.d.Percent(&s.Value, 1), " %")
}

func of(value, most Number) doc.Span { return doc.Bar(float64(value) / float64(most)) }

func (w *writer) overview() {
	s := w.d.Section("overview", "Overview")
	r := w.Report
	if r.Counts.Analysed == 0 {
		s.Text("No task has a result yet: there is nothing to average.")
	}
	if len(r.Sessions) == 1 {
		w.settings(s, &r.Sessions[0])
		if r.Counts.Analysed == 0 {
			return
		}
	} else {
		s.Text(w.d.Strong(w.sessionsN(), " sessions"), " by ", w.d.Count(&r.Testers), plural(" tester", r.Testers), ", with ", w.d.Count(&r.Counts.Analysed), " tasks that have a result.")
	}
	if !r.Pooled {
		s.Text("The sessions began with different prompt levels or contexts. Levels are never pooled, so that the results stand side by side, and in no common table.")
		return
	}
	if r.Counts.Analysed == 0 {
		return
	}
	t := s.Table("overview", "The main results", doc.Left("measure"), doc.Right("value"), doc.Right("n"), doc.Right("95 % interval"), doc.Left("how"))
	row := func(name []any, e *Estimate, decimals int, unit string) {
		t.Row(name, doc.Item(w.d.Num(&e.Value, decimals), unit), w.d.Count(&e.N), w.d.Range(e.Interval, 1, decimals), doc.Fixed(e.Method))
	}
	percent := func(name string, e *Share) {
		t.Row(name, doc.Item(w.d.Percent(&e.Value, 1), " %"), w.d.Count(&e.N), w.d.Range(e.Interval, 100, 1), doc.Fixed(e.Method))
	}
	row(doc.Item("attempts, #attempt_k with k = ", w.d.Count(&r.Tries.K)), &r.Tries.Mean, 2, "")
	percent("tasks satisfied", &r.Tries.Success)
	row(doc.Item("completion time, mean"), &r.Times.Completion.Mean, 2, " s")
	t.Row("completion time, median", doc.Item(w.d.Num(&r.Times.Completion.Median, 2), " s"), w.d.Count(&r.Times.Completion.Mean.N), doc.Undefined, "")
	if r.Ratings.Total.Mean.N > 0 {
		row(doc.Item("total quality, of ", w.d.Count(&r.Ratings.Total.Max)), &r.Ratings.Total.Mean, 2, "")
	}
	if r.Tests.PassRate.N > 0 {
		percent("final answers accepted by the tests", &r.Tests.Accepted)
		row(doc.Item("share of test cases passed"), &r.Tests.PassRate, 3, "")
	}
	if r.Six != nil {
		t.Row(doc.Item("six dimensions, final score of ", doc.Fixed("100")), w.span(&r.Six.Final.Low, &r.Six.Final.High), w.d.Count(&r.Six.N), w.d.Range(r.Six.Final.Interval, 1, 2), doc.Fixed(r.Six.Final.Method))
	}
}

// sessionsN is the number of sessions, which the check counts again.
func (w *writer) sessionsN() doc.Span { return w.d.Count(&w.Report.Number) }

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// settings are one session's, as its log has them.
func (w *writer) settings(s *doc.Section, h *Header) {
	t := s.Table("session", "The session", doc.Left("setting"), doc.Left("value"))
	row := func(name, value string) {
		if value != "" {
			t.Row(name, doc.Name(value))
		}
	}
	model := h.Model
	if h.ModelID != "" {
		model += " (" + h.ModelID + ")"
	}
	if h.Recorded {
		model += ", recorded answers"
	}
	row("session", h.ID)
	row("benchmark", h.Benchmark)
	row("scenario", h.Scenario)
	row("model", model)
	row("provider", h.Provider)
	row("the provider calls itself", strings.Join(h.Reported, ", "))
	t.Row("attempts allowed, k", w.d.Count(&h.K))
	if !h.Imported {
		t.Row("prompt level", w.d.Count(&h.Level))
		row("context", h.Context)
		t.Row("seed", w.d.Count(&h.Seed))
	}
	row("tester", h.Tester)
	row("study", h.Study.words())
	row("satisfaction criterion", h.Criterion)
	if h.Reference {
		row("reference solution", "could be seen while reviewing")
	}
	row("sandbox", h.Sandbox)
	row("consent to run without isolation", h.Consent)
	row("assay", h.Assay)
	row("system", h.OS)
	row("began", h.Began.Format("2006-01-02 15:04:05 MST"))
	row("last event", h.Last.Format("2006-01-02 15:04:05 MST"))
	row("status", h.Status)
	t.Row("log", doc.Item(w.d.Count(&h.Events), " events, sealed by ", doc.Code(h.Hash)))
	row("flags", strings.Join(h.Flags, "; "))
}

func (w *writer) accounting() {
	r := w.Report
	c := &r.Counts
	s := w.d.Section("tasks", "Tasks")
	t := s.Table("tasks", "What became of the planned tasks", doc.Right("planned"), doc.Right("analysed"), doc.Right("satisfied"), doc.Right("given up"), doc.Right("exhausted"),
		doc.Right("skipped"), doc.Right("unfinished"), doc.Right("not opened"), doc.Right("practice"), doc.Right("withdrawn"))
	t.Row(w.d.Count(&c.Planned), w.d.Count(&c.Analysed), w.d.Count(&c.Satisfied), w.d.Count(&c.GaveUp), w.d.Count(&c.Exhausted),
		w.d.Count(&c.Skipped), w.d.Count(&c.Unfinished), w.d.Count(&c.NotOpened), w.d.Count(&c.Practice), w.d.Count(&c.Withdrawn))
	s.Text("Analysed are the tasks that ended satisfied, given up or exhausted. Skipped, unfinished, practice and withdrawn tasks enter no number below.")
	if r.Events.Failures+r.Events.Interruptions > 0 {
		s.Text("Sendings that ended in a provider's error: ", w.d.Count(&r.Events.Failures), "; interrupted answers: ", w.d.Count(&r.Events.Interruptions), ". Neither costs an attempt.")
	}
	if len(r.Sessions) == 1 {
		return
	}
	list := s.Table("sessions", "The sessions", doc.Left("session"), doc.Left("tester"), doc.Left("model"), doc.Right("level"), doc.Left("status"),
		doc.Right("planned"), doc.Right("analysed"), doc.Right("satisfied"), doc.Right("skipped"), doc.Right("other"), doc.Right("events"))
	const most = 50
	for i := range r.Sessions {
		if i == most {
			list.Note("The first ", doc.Fixed(fmt.Sprint(most)), " of ", w.sessionsN(), " sessions; ", doc.Code("report.json"), " has all.")
			break
		}
		h := &r.Sessions[i]
		list.Row(doc.Name(h.ID), doc.Name(cmp.Or(h.Tester, "(none)")), doc.Name(h.Model), w.d.Count(&h.Level), doc.Name(h.Status),
			w.d.Count(&h.Counts.Planned), w.d.Count(&h.Counts.Analysed), w.d.Count(&h.Counts.Satisfied), w.d.Count(&h.Counts.Skipped),
			w.d.Count(&h.Other), w.d.Count(&h.Events))
	}
	list.Note("Other: unfinished, not opened, practice and withdrawn tasks.")
}

func (w *writer) attempts() {
	a := &w.Tries
	s := w.d.Section("attempts", "Attempts")
	s.Text("Mean #attempt_", w.d.Count(&a.K), ": ", w.d.Strong(w.estimate(&a.Mean, 2)), ", SD ", w.d.Num(&a.SD, 2), ".")
	s.Text("A task without satisfaction counts as ", w.d.Count(&a.K), " attempts, however many were made: this mean is the restricted mean to ", w.d.Count(&a.K), " of the Kaplan-Meier curve below, not the mean number of attempts to success.")
	s.List(
		doc.Item("Treating a task given up early as unknown from there on: ", w.estimate(&a.Censored, 2), "."),
		doc.Item("Over the satisfied tasks alone: ", w.estimate(&a.Happy, 2), "."),
		doc.Item("Satisfied within ", w.d.Count(&a.K), " attempts: ", w.share(&a.Success), " of the analysed tasks."),
		doc.Item("Attempts made in all: ", w.d.Count(&a.Made), "; satisfied tasks by attempts made: ", w.d.Num(&a.PerAttempt, 3), ". Median attempt of satisfaction: ", w.d.Num(&a.Median, 1), "."),
	)
	w.figure(s, "attempts")
	w.figure(s, "success-by-attempt")
	t := s.Table("success-by-attempt", "Success by attempt", doc.Right("attempt"), doc.Right("satisfied"), doc.Right("ended without"), doc.Left(""),
		doc.Right("within so many, %"), doc.Right("95 %"), doc.Right("at risk"), doc.Right("S"), doc.Right("SE"), doc.Right("95 % (log-log)"))
	for i := range a.Steps {
		p := &a.Steps[i]
		t.Row(w.d.Count(&p.Attempt), w.d.Count(&p.Satisfied), w.d.Count(&p.GaveUp), of(Number(p.Satisfied+p.GaveUp), Number(w.Counts.Analysed)),
			w.d.Percent(&p.Within.Value, 1), w.d.Range(p.Within.Interval, 100, 1), w.d.Count(&p.AtRisk), w.d.Num(&p.Survival, 2), w.d.Num(&p.SE, 6), w.d.Range(p.LogLog, 1, 4))
	}
	t.Note("Shares are of all analysed tasks (", doc.Fixed(a.Success.Method), "). S is the share of tasks not satisfied yet (Kaplan-Meier, given-up tasks followed to ", w.d.Count(&a.K), "), SE Greenwood's, which takes tasks to be independent.")
}

func (w *writer) times() {
	r := w.Report
	s := w.d.Section("time", "Completion time")
	s.Text("From opening a task to the judgement that ends it, in seconds; rating is apart.")
	t := s.Table("completion-time", "Durations of a task in seconds", doc.Left("duration"), doc.Right("n"), doc.Right("mean"), doc.Right("95 %"), doc.Right("SD"),
		doc.Right("median"), doc.Right("min"), doc.Right("max"), doc.Right("geometric mean"))
	q := s.Table("quantiles", "Quantiles of durations in seconds", doc.Left("duration"), doc.Left("type"), doc.Right("p90"), doc.Right("p98"))
	row := func(name string, d *Durations) {
		if d == nil {
			t.Row(name, "", "not measured", "", "", "", "", "", "")
			return
		}
		t.Row(name, w.d.Count(&d.Mean.N), w.d.Num(&d.Mean.Value, 2), w.d.Range(d.Mean.Interval, 1, 2), w.d.Num(&d.SD, 2), w.d.Num(&d.Median, 2), w.d.Num(&d.Min, 2), w.d.Num(&d.Max, 2), w.d.Num(&d.Geometric, 2))
		half := len(d.Quantiles) / 2 // those of one probability
		for i := range half {
			q.Row(name, doc.Name(d.Quantiles[i].Name), w.d.Num(&d.Quantiles[i].Value, 2), w.d.Num(&d.Quantiles[half+i].Value, 2))
		}
	}
	row("completion", &r.Times.Completion)
	row("without waiting for the model", r.Times.WithoutModel)
	row("rating", r.Times.Rating)
	q.Note("The inverse of the ECDF is the smallest time that so many tasks are within; statistical programs differ in which type they print.")
	s.Text("Rank correlation of a task's time with its attempts (Spearman): ", w.d.Num(&r.Times.WithAttempts, 3), w.pValue(&r.Times.WithAttemptsP), ".")
	w.figure(s, "completion-time")
	w.figure(s, "completion-time-ecdf")
	e := s.Table("completion-time-ecdf", "Tasks completed within a time", doc.Right("within, s"), doc.Right("tasks"), doc.Left(""), doc.Right("share, %"), doc.Right("95 %"))
	for i := range r.Times.Completion.ECDF {
		p := &r.Times.Completion.ECDF[i]
		e.Row(w.d.Num(&p.Seconds, 0), w.d.Count(&p.Within.Count), doc.Bar(float64(p.Within.Value)), w.d.Percent(&p.Within.Value, 1), w.d.Range(p.Within.Interval, 100, 1))
	}
	w.phases(s)
}

// pValue is ", p = …" where there is one.
func (w *writer) pValue(p *Number) []any {
	if !p.defined() {
		return nil
	}
	return doc.Item(", p = ", w.d.Num(p, 3))
}

func (w *writer) phases(s *doc.Section) {
	r := w.Report
	if len(r.Times.Phases) > 0 {
		w.figure(s, "time-by-phase")
		most := Number(0)
		for _, p := range r.Times.Phases {
			most = max(most, p.Seconds)
		}
		t := s.Table("phases", "Time by phase in seconds", doc.Left("phase"), doc.Right("in all"), doc.Left(""), doc.Right("mean of a task"), doc.Right("95 %"))
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

func (w *writer) ratings() {
	r := &w.Ratings
	s := w.d.Section("ratings", "Ratings of the final answers")
	if r.Total.Mean.N == 0 && !slices.ContainsFunc(r.Attributes, func(a Rating) bool { return a.Mean.N > 0 }) {
		s.Text("No final answer was rated.")
		return
	}
	s.Text("From ", doc.Fixed(fmt.Sprint(session.MinScore)), " (poorest) to ", doc.Fixed(fmt.Sprint(session.MaxScore)), " (best); given-up tasks are rated too.")
	w.figure(s, "attributes")
	t := s.Table("ratings", "Attributes", doc.Left("attribute"), doc.Right("n"), doc.Right("mean"), doc.Left(""), doc.Right("95 %"), doc.Right("SD"), doc.Right("of the best, %"), doc.Right("1"), doc.Right("2"), doc.Right("3"), doc.Right("4"), doc.Right("5"))
	for i := range r.Attributes {
		a := &r.Attributes[i]
		cells := []any{doc.Name(a.Name), w.d.Count(&a.Mean.N), w.d.Num(&a.Mean.Value, 2), of(a.Mean.Value, Number(a.Max)), w.d.Range(a.Mean.Interval, 1, 2), w.d.Num(&a.SD, 2), w.d.Percent(&a.Of, 1)}
		for j := range a.Scores {
			cells = append(cells, w.d.Count(&a.Scores[j]))
		}
		t.Row(cells...)
	}
	a := &r.Total
	t.Row(w.d.Strong("Total of ", w.d.Count(&a.Max)), w.d.Count(&a.Mean.N), w.d.Num(&a.Mean.Value, 2), of(a.Mean.Value, Number(a.Max)), w.d.Range(a.Mean.Interval, 1, 2), w.d.Num(&a.SD, 2), w.d.Percent(&a.Of, 1), "", "", "", "", "")
	t.Note("The total is of the tasks with every attribute rated. Cronbach's alpha of the attributes over those: ", w.d.Num(&r.Alpha, 3), " (n = ", w.d.Count(&r.AlphaN), ").")
	if len(r.Labels) > 0 {
		l := s.Table("labels", "Labels of the final answers", doc.Left("label"), doc.Left("value"), doc.Right("of the labelled tasks"))
		for i := range r.Labels {
			x := &r.Labels[i]
			l.Row(doc.Name(x.Name), doc.Name(x.Value), w.share(&x.Share))
		}
	}
	w.figure(s, "attempts-and-quality")
}

// hidden stands where a cell has too few tasks to be shown.
const hidden = "few"

// shown are cells of a slice, or the mark that hides them.
func shown(c *Slice, cell ...any) []any {
	if c.Small {
		return doc.Item(hidden)
	}
	return cell
}

func (w *writer) slice(by, title string) {
	sl := w.slicesOf(by)
	if sl == nil || len(sl.Cells) == 0 || len(sl.Cells) == 1 && sl.Cells[0].Value == "" {
		return
	}
	s := w.d.Section("by-"+by, title)
	w.figure(s, "results-by-"+by)
	w.sliceTable(s, sl)
	if w.Ratings.Total.Mean.N > 0 {
		w.attributeTable(s, sl)
	}
	w.figure(s, "attempts-by-"+by)
	w.figure(s, "completion-time-by-"+by)
	w.figure(s, "attributes-by-"+by)
	w.trends(s, sl)
	w.differences(s, sl)
}

// slicesOf are the report's own slices, into which numbers are traced.
func (w *writer) slicesOf(by string) *Slices {
	for i := range w.Slices {
		if w.Slices[i].By == by {
			return &w.Slices[i]
		}
	}
	return nil
}

func (w *writer) sliceTable(s *doc.Section, sl *Slices) {
	t := s.Table("by-"+sl.By, "Results by "+sl.By, doc.Left(sl.By), doc.Right("n"), doc.Right("attempts"), doc.Right("95 %"), doc.Right("satisfied, %"),
		doc.Right("time, s"), doc.Right("95 %"), doc.Right("total"), doc.Right("95 %"))
	small, judged := false, false
	for i := range sl.Cells {
		c := &sl.Cells[i]
		small, judged = small || c.Small, judged || c.Accepted.N > 0
		t.Row(doc.Name(named(c.Value)), w.d.Count(&c.N), shown(c, w.d.Num(&c.Attempts.Value, 2)), shown(c, w.d.Range(c.Attempts.Interval, 1, 2)), shown(c, w.d.Percent(&c.Satisfied.Value, 1)),
			shown(c, w.d.Num(&c.Completion.Value, 2)), shown(c, w.d.Range(c.Completion.Interval, 1, 2)), shown(c, w.d.Num(&c.Total.Value, 2)), shown(c, w.d.Range(c.Total.Interval, 1, 2)))
	}
	w.few(t, small)
	if !judged {
		return
	}
	x := s.Table("tests-by-"+sl.By, "Tests of the final answers by "+sl.By, doc.Left(sl.By), doc.Right("judged"), doc.Right("share of tests passed"), doc.Right("95 %"), doc.Right("accepted, %"), doc.Right("95 %"))
	for i := range sl.Cells {
		c := &sl.Cells[i]
		x.Row(doc.Name(named(c.Value)), w.d.Count(&c.Accepted.N), shown(c, w.d.Num(&c.PassRate.Value, 3)), shown(c, w.d.Range(c.PassRate.Interval, 1, 3)),
			shown(c, w.d.Percent(&c.Accepted.Value, 1)), shown(c, w.d.Range(c.Accepted.Interval, 100, 1)))
	}
	w.few(x, small)
}

// few explains what was hidden.
func (w *writer) few(t *doc.Table, small bool) {
	if small {
		t.Note(hidden+": fewer than ", w.d.Count(&w.Method.Small), " tasks, not shown.")
	}
}

// attributeTable has a row for each attribute, or where there are many slices for each
// of those.
func (w *writer) attributeTable(s *doc.Section, sl *Slices) {
	small := slices.ContainsFunc(sl.Cells, func(c Slice) bool { return c.Small })
	id, caption := "attributes-by-"+sl.By, "Mean ratings by "+sl.By
	mean := func(i, j int) []any {
		c := &sl.Cells[i]
		return shown(c, w.d.Num(&c.Attributes[j].Value, 2))
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
	w.few(t, small)
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
		columns = append(columns, doc.Right("Cliff's δ, hard against easy"), doc.Right("95 %"))
	}
	t := s.Table("differences-by-"+sl.By, "Do the groups differ at all?", columns...)
	for i := range sl.Differences {
		x := &sl.Differences[i]
		row := []any{x.Measure, x.Test, w.d.Num(&x.Value, 2), w.d.Count(&x.DF), w.d.Num(&x.P, 3)}
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

func (w *writer) grid() {
	g := &w.Grid
	if len(g.Types) < 2 && len(g.Difficulties) < 2 {
		return
	}
	s := w.d.Section("grid", "Type and difficulty")
	var columns []doc.Column
	columns = append(columns, doc.Left("type"))
	for _, d := range g.Difficulties {
		columns = append(columns, doc.Right(named(d)))
	}
	columns = append(columns, doc.Right("all"))
	t := s.Table("grid-tasks", "Analysed tasks", columns...)
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
	w.figure(s, "total-by-type-and-difficulty")
}

func (w *writer) trend() {
	sl := w.slicesOf("set")
	if sl == nil || len(sl.Cells) < 2 {
		return
	}
	s := w.d.Section("sets", "Test sets in order")
	w.figure(s, "trend")
	w.sliceTable(s, sl)
	t := s.Table("order", "Rank correlation with a task's place in its session", doc.Left("measure"), doc.Right("Spearman's ρ"), doc.Right("n"), doc.Right("95 %"), doc.Right("p"))
	for i := range w.Order {
		o := &w.Order[i]
		t.Row(o.Measure, w.d.Num(&o.Rho.Value, 3), w.d.Count(&o.Rho.N), w.d.Range(o.Rho.Interval, 1, 3), w.d.Num(&o.P, 3))
	}
	if w.Testers > 1 {
		t.Note("The mean over testers, n of them.")
	} else {
		t.Note("n is tasks.")
	}
}

func (w *writer) tests() {
	t := &w.Tests
	s := w.d.Section("tests", "Tests of the answers")
	if t.PassRate.N == 0 {
		s.Text("No final answer was judged by tests.")
	} else {
		s.List(
			doc.Item("All test cases passed: ", w.share(&t.Accepted), " of the judged final answers."),
			doc.Item("Mean share of test cases passed by a final answer: ", w.estimate(&t.PassRate, 3), "; of its square, pass-ratio: ", w.estimate(&t.PassRatio, 3), "."),
			doc.Item("First answers that passed all: ", w.share(&t.First), ", which is pass@", doc.Fixed("1"), " with one sample a task."),
			doc.Item("Judged before the test results had been seen: ", w.share(&t.Unseen), " of the final answers."),
		)
		s.Text("Later attempts depend on the earlier ones, so that the formula of pass@k does not hold for them: success by attempt takes its place.")
		x := s.Table("satisfaction-and-tests", "The tester's judgement against the tests", doc.Left(""), doc.Right("accepted by the tests"), doc.Right("not accepted"))
		x.Row("tester satisfied", w.d.Count(&t.SatisfiedAccepted), w.d.Count(&t.SatisfiedFailed))
		x.Row("tester not satisfied", w.d.Count(&t.UnhappyAccepted), w.d.Count(&t.UnhappyFailed))
		x.Note("Incorrect, but satisfactory: ", w.share(&t.Wrong), " of the satisfying answers that were judged.")
	}
	s.Note("Final answers that say nothing (without a verdict, not_judged and sandbox_error), not in these numbers: ", w.d.Count(&t.NotJudged), ".")
}

// span is a value, or a range where it is not known.
func (w *writer) span(low, high *Number) []any {
	if *low == *high {
		return doc.Item(w.d.Num(low, 2))
	}
	return doc.Item(w.d.Num(low, 2), "–", w.d.Num(high, 2))
}

func (w *writer) six() {
	x := w.Six
	if x == nil {
		return
	}
	s := w.d.Section("six-dimensions", "Six dimensions of the final answers")
	t := s.Table("six-dimensions", "Mean points", doc.Left("dimension"), doc.Right("points"), doc.Right("of"), doc.Left(""))
	for i := range x.Dimensions {
		p := &x.Dimensions[i]
		t.Row(p.Name, w.span(&p.Low, &p.High), w.d.Count(&p.Of), of(p.High, Number(p.Of)))
	}
	t.Row(w.d.Strong("final score"), w.d.Strong(w.span(&x.Final.Low, &x.Final.High)), doc.Fixed("100"), of(x.Final.High, 100))
	t.Note("By Su et al., over the final answers that were run and measured (", w.d.Count(&x.N), "; left out: ", w.d.Count(&x.LeftOut), "). A range stands where labels are missing. Tasks with an assumed weight, since it is not known which share of people solve them: ", w.d.Count(&x.Assumed), ".")
	var items [][]any
	if x.Final.Interval != nil {
		items = append(items, doc.Item("Final score: ", w.level(), " ", w.d.Range(x.Final.Interval, 1, 2), " (", doc.Fixed(x.Final.Method), ")."))
	}
	for i := range x.Outcomes {
		o := &x.Outcomes[i]
		items = append(items, doc.Item(doc.Name(o.Name), ": ", w.share(&o.Share), " of the answers."))
	}
	if len(x.Categories) > 1 {
		for i := range x.Categories {
			c := &x.Categories[i]
			if c.N >= Small {
				items = append(items, doc.Item("Not correct in ", doc.Name(cmp.Or(c.Name, "no category")), ": ", w.share(&c.Share), "."))
			}
		}
	}
	items = append(items,
		doc.Item("Test cases passed, of all together: ", w.d.Percent(&x.CaseRate, 1), " %. The mean over answers is the correctness above."),
		doc.Item("Cyclomatic complexity ", w.d.Count(&x.Cyclomatic), ", cognitive complexity ", w.d.Count(&x.Cognitive), " in all; comment rate ", w.d.Num(&x.CommentRate, 2), " % on average."),
		doc.Item("Explanations: ", w.d.Count(&x.Inaccurate), " labelled inaccurate or incomplete, ", w.d.Count(&x.Unlabelled), " not labelled."),
	)
	s.List(items...)
}

func (w *writer) causes() {
	t := &w.Tests
	all := slices.Concat(t.Verdicts, t.All)
	if len(all) == 0 || len(all) == 2 && all[0].Name == "" {
		return
	}
	s := w.d.Section("errors", "Verdicts and causes of errors")
	v := s.Table("verdicts", "Verdicts", doc.Left("verdict"), doc.Right("final answers"), doc.Right("all attempts"))
	for i := range t.All {
		final := any(doc.Undefined)
		for j := range t.Verdicts {
			if t.Verdicts[j].Name == t.All[i].Name {
				final = w.d.Count(&t.Verdicts[j].Count)
			}
		}
		v.Row(doc.Name(cmp.Or(t.All[i].Name, "no verdict")), final, w.d.Count(&t.All[i].Count))
	}
	if len(w.Code.Causes) > 0 {
		c := s.Table("causes", "What went wrong, as the testers labelled it", doc.Left("cause"), doc.Right("answers"))
		for i := range w.Code.Causes {
			c.Row(doc.Name(w.Code.Causes[i].Name), w.d.Count(&w.Code.Causes[i].Count))
		}
	}
}

func (w *writer) code() {
	c := &w.Code
	if c.Measured == 0 {
		return
	}
	s := w.d.Section("code", "Complexity and findings")
	s.Text("Of the final answers' code, as SonarQube counts it. Well formed: ", w.share(&c.Parses), " of the measured answers.")
	t := s.Table("code", "Measures of the code that is well formed", doc.Left("measure"), doc.Right("n"), doc.Right("mean"), doc.Right("95 %"), doc.Right("SD"), doc.Right("median"), doc.Right("largest"))
	for i := range c.Measures {
		m := &c.Measures[i]
		name := m.Name
		if m.Unit != "" {
			name += ", " + m.Unit
		}
		t.Row(name, w.d.Count(&m.Mean.N), w.d.Num(&m.Mean.Value, 2), w.d.Range(m.Mean.Interval, 1, 2), w.d.Num(&m.SD, 2), w.d.Num(&m.Median, 1), w.d.Num(&m.Max, 2))
	}
	rated := func(id, title string, counts []Count) {
		x := s.Table(id, title, doc.Left("rating"), doc.Right("answers"))
		for i := range counts {
			x.Row(doc.Name(cmp.Or(counts[i].Name, "not analysed")), w.d.Count(&counts[i].Count))
		}
	}
	rated("reliability", "Reliability", c.Rated)
	rated("security", "Security", c.Safe)
}

func (w *writer) prompts() {
	p := &w.Prompts
	if len(p.Steps) == 0 {
		return
	}
	s := w.d.Section("prompts", "Prompts and their refinement")
	t := s.Table("prompts", "Prompts by attempt", doc.Right("attempt"), doc.Right("n"), doc.Right("words"), doc.Right("words edited"), doc.Right("95 %"), doc.Right("changed, %"), doc.Right("bytes"), doc.Right("inserted, %"), doc.Right("writing, s"))
	for i := range p.Steps {
		x := &p.Steps[i]
		t.Row(w.d.Count(&x.Attempt), w.d.Count(&x.N), w.d.Num(&x.Words.Value, 1), w.d.Num(&x.Edits.Value, 1), w.d.Range(x.Edits.Interval, 1, 1), w.d.Percent(&x.Changed.Value, 1),
			w.d.Num(&x.Bytes.Value, 1), w.d.Percent(&x.Inserted.Value, 1), w.d.Num(&x.Compose.Value, 1))
	}
	t.Note("Means. Words edited is the edit distance to the prompt before (Levenshtein's, over words); changed is that in percent of the longer prompt; inserted is the part that was not typed.")
	if !p.Read {
		t.Note("The texts of the prompts were not at hand: there are no words.")
	}
}

func (w *writer) arms() {
	a := w.Arms
	if a == nil {
		return
	}
	s := w.d.Section("comparison", "Comparison")
	w.figure(s, "arms")
	t := s.Table("arms", "The arms", doc.Left("arm"), doc.Right("sessions"), doc.Right("testers"), doc.Right("tasks"), doc.Right("attempts"), doc.Right("95 %"), doc.Right("satisfied"), doc.Right("time, s"), doc.Right("total"), doc.Right("tests passed"))
	small := false
	for i := range a.Arms {
		x := &a.Arms[i]
		c := &x.Slice
		small = small || c.Small
		t.Row(doc.Name(x.Name), w.d.Count(&x.Sessions), w.d.Count(&x.Testers), w.d.Count(&c.N), shown(c, w.d.Num(&c.Attempts.Value, 2)), shown(c, w.d.Range(c.Attempts.Interval, 1, 2)),
			shown(c, w.short(&c.Satisfied)), shown(c, w.d.Num(&c.Completion.Value, 2)), shown(c, w.d.Num(&c.Total.Value, 2)), shown(c, w.d.Num(&c.PassRate.Value, 3)))
	}
	w.few(t, small)
	for i := range a.Pairs {
		w.pair(s, i)
	}
	if len(a.Arms) > maxArms {
		s.Note("The pairs of the first ", doc.Fixed(fmt.Sprint(maxArms)), " arms are compared.")
	}
}

func (w *writer) pair(s *doc.Section, i int) {
	p := &w.Arms.Pairs[i]
	t := s.Table(fmt.Sprintf("comparison-%d", i+1), p.First+" against "+p.Second, doc.Left("measure"), doc.Right("first"), doc.Right("second"), doc.Right("difference"), doc.Right("95 %"), doc.Left("how"), doc.Left("test"), doc.Right("p"), doc.Right("p, Holm"))
	for j := range p.Measures {
		m := &p.Measures[j]
		t.Row(m.Measure, w.d.Num(&m.First.Value, 2), w.d.Num(&m.Second.Value, 2), w.d.Num(&m.Difference.Value, 2), w.d.Range(m.Difference.Interval, 1, 2), doc.Fixed(m.Difference.Method), m.Test, w.d.Num(&m.P, 3), w.d.Num(&m.Holm, 3))
	}
	if p.Paired {
		t.Note("Paired: over the ", w.d.Count(&p.Tasks), " tasks that both arms have; ", w.d.Count(&p.OnlyOne), " tasks of one alone are left out. The difference is between means over tasks. Tests over tasks say nothing about other testers.")
	} else {
		t.Note("Not paired: the arms have too few tasks in common (", w.d.Count(&p.Tasks), "), so that a difference may be that of their tasks.")
	}
}

func (w *writer) testers() {
	if len(w.Sessions) < 2 {
		return
	}
	s := w.d.Section("testers", "Testers and sessions")
	if sl := w.slicesOf("tester"); sl != nil {
		if len(sl.Cells) > 30 {
			s.Text("The means of each of the ", w.d.Count(&w.Testers), " testers are in ", doc.Code("report.json"), ".")
		} else {
			w.sliceTable(s, sl)
		}
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

func (w *writer) checks() {
	if len(w.Checks) == 0 {
		return
	}
	s := w.d.Section("checks", "What this report checked of itself")
	t := s.Table("checks", "Self-check", doc.Left("check"), doc.Right("compared"), doc.Left("result"))
	for i := range w.Checks {
		c := &w.Checks[i]
		result := any("holds")
		if len(c.Faults) > 0 {
			result = w.d.Strong(doc.Name(fmt.Sprintf("%d faults: %s", len(c.Faults), strings.Join(c.Faults[:min(3, len(c.Faults))], "; "))))
		}
		t.Row(c.Name, w.d.Count(&c.Compared), result)
	}
	t.Note("The same checks, on the files as they lie, and on the numbers of this text, each of which is traced to a cell of ", doc.Code("report.json"), ": ", doc.Code("assay report --check DIRECTORY"), ".")
}

func (w *writer) method() {
	r := w.Report
	s := w.d.Section("method", "How the study was made")
	h := &r.Sessions[0]
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Imported }) {
		s.Text(w.d.Strong("Imported"), " from the tables of another study. The tables give one duration for each attempt: what part of it was reading, writing, waiting for the model or reviewing is not known, the wall times are made up from the durations, and prompts and answers are not there.")
	}
	all := func(of func(Header) string) []any {
		var values []string
		for _, h := range r.Sessions {
			if v := of(h); v != "" && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			return doc.Item("not recorded")
		}
		const most = 8
		more := ""
		if len(values) > most {
			values, more = values[:most], ", …"
		}
		return doc.Item(doc.Name(strings.Join(values, ", ") + more))
	}
	list := func(of func(Header) []string) []any {
		return all(func(h Header) string { return strings.Join(of(h), "; ") })
	}
	idle := "Silence is never trimmed; no threshold for idleness was set."
	items := [][]any{
		doc.Item("Process: for each task a tester writes a prompt, reads the answer while it is run and measured in the background, and is satisfied, refines the prompt, or gives up; at most k = ", w.d.Count(&h.K), " attempts. Then the final answer is rated, given up or not (Miah & Zhu)."),
		doc.Item("Satisfaction criterion: ", all(func(h Header) string { return h.Criterion }), ""),
		doc.Item("Tasks: benchmark ", all(func(h Header) string { return h.Benchmark }), "; filter ", all(func(h Header) string { return cmp.Or(h.Scenario, "(none)") }), "."),
		doc.Item("Model: ", all(func(h Header) string { return strings.TrimSpace(h.Model + " " + h.ModelID) }), "; as it calls itself: ", list(func(h Header) []string { return h.Reported }), "."),
		doc.Item("Time: completion runs from opening a task to the judgement that stands; pauses and unobserved time are subtracted, and nothing else. Monotonic clocks within a process; wall time only between processes."),
		doc.Item("Exclusions: practice, skipped, unfinished and withdrawn tasks, each counted below. Provider's errors and interrupted answers are no attempts."),
		doc.Item("Versions: assay ", all(func(h Header) string { return h.Assay }), "; ", all(func(h Header) string { return h.OS }), "."),
	}
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Study.Name != "" }) {
		items = append(items, doc.Item("Study: ", all(func(h Header) string { return h.Study.frozen() }), "; arms: ", all(func(h Header) string { return h.Study.Arm }), "."))
	}
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return !h.Imported }) {
		live := func(of func(Header) string) []any {
			return all(func(h Header) string {
				if h.Imported {
					return ""
				}
				return of(h)
			})
		}
		items = append(items,
			doc.Item("Order and test sets drawn with the seeds ", live(func(h Header) string { return fmt.Sprint(h.Seed) }), "."),
			doc.Item("Prompt level that the editor began with: ", live(func(h Header) string { return fmt.Sprint(h.Level) }), " (from nothing over the description and constraints to examples). Context: ", live(func(h Header) string { return h.Context }), "."),
			doc.Item("Of the tests testers saw, before they judged: ", live(func(h Header) string { return h.Tests }), "."),
			doc.Item("Execution: ", live(func(h Header) string { return h.Sandbox }), "; what was enforced: ", list(func(h Header) []string { return h.Enforced }), "."),
			doc.Item("Code quality by ", list(func(h Header) []string { return h.Analysers }), "."))
	}
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.IdleMS > 0 }) {
		idle = "Silence is never trimmed; it is called idle after "
		items = append(items, doc.Item(idle, all(func(h Header) string { return fmt.Sprintf("%d s", h.IdleMS/1000) }), "."))
	} else {
		items = append(items, doc.Item(idle))
	}
	s.List(items...)
	w.numbers(s)
}

func (w *writer) numbers(s *doc.Section) {
	r := w.Report
	s.Text("Intervals are at ", w.level(), ". Those of means are BCa bootstrap intervals (Efron) with ", w.d.Count(&r.Method.Resamples), " resamples, seeded with ", w.d.Count(&r.Method.Seed),
		", which is taken from the sessions' ids; those of shares are Wilson's. With fewer than ", w.d.Count(&r.Method.Small), " values a bootstrap interval is too narrow to be relied on. Rounding is ", r.Method.Rounding, ".")
	if r.Testers > 1 {
		s.Text("Tasks of one tester are alike, so that whole testers are drawn in the bootstrap: the intervals speak of other testers like these. Of fewer than ", doc.Fixed(fmt.Sprint(fewTesters)), " testers they are Student's, with the standard error of a ratio over whole testers (Cochran).")
	} else {
		s.Text("One tester worked here: the intervals speak of other tasks like these, not of other testers, and agreement between testers cannot be computed.")
	}
	if len(r.Sessions) > 1 && slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Tester == "" }) {
		s.Text("Sessions without a tester's name may be of one person, and are taken as one tester's.")
	}
}

// frozen names the study with its version and hash.
func (s Study) frozen() string {
	if s.Name == "" {
		return ""
	}
	text := fmt.Sprintf("%s, version %d", s.Name, s.Version)
	if s.Hash != "" {
		text += ", frozen as " + s.Hash
	}
	if s.Blind {
		text += ", blind"
	}
	return text
}

// words are frozen with the session's place in the study.
func (s Study) words() string {
	if s.Name == "" {
		return ""
	}
	return fmt.Sprintf("%s; arm %s, session %d of tester %d", s.frozen(), s.Arm, s.Part, s.Tester)
}
