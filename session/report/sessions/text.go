package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/session/report"
	doc "assay/session/report/document"
	"assay/session/simulate"
)

// Document returns the report as a document with the drawings.
func (r *Report) Document() *doc.Document { return r.document(report.Draw(r.marks)) }

func (r *Report) document(drawings []report.Drawing) *doc.Document {
	d := doc.New(r.Title, r)
	w := &writer{r, report.NewWriter(d, &r.Method.Confidence, drawings), d}
	w.d.Subtitle, w.d.Through = r.subtitle(), r.Layout < 4
	w.summary()
	w.participants()
	d.EndLead()
	armsFirst := r.Arms != nil && r.Layout > 2
	if armsFirst {
		w.arms()
	}
	w.method().Lead = true
	if !armsFirst {
		w.together(d.Section, "Results")
	}
	if len(w.Abilities) > 0 && w.comparable() {
		w.abilities(d.Section("adaptive", "Adaptive tests"))
	}
	w.arena()
	if !armsFirst {
		w.arms()
	}
	ratedArms := armsFirst && !w.unrated()
	if !ratedArms {
		w.models(d.Section)
	}
	if r.Counts.Analysed > 0 && r.Pooled {
		w.exploratory()
	} else if len(r.Survey) > 0 {
		w.survey(d.Section("survey-answers", "Survey"))
	}
	w.overlap()
	if armsFirst {
		w.together(d.Aside, "Results of all arms together")
	}
	if ratedArms {
		w.models(d.Aside)
	}
	w.further()
	return w.d
}

// together writes the results of all sessions together.
func (w *writer) together(section func(id, title string) *doc.Section, title string) {
	if w.Counts.Analysed == 0 || !w.Pooled {
		return
	}
	s := section("results", title)
	w.attempts(s)
	w.times(s)
	w.ratings(s)
	w.tests(s)
	w.merge(s)
	w.six(s)
	w.code(s)
}

// exploratory writes the analyses that nobody declared before there were data.
func (w *writer) exploratory() {
	s := w.d.Section("exploratory", "Exploratory analyses")
	w.trend(s)
	if w.Arms != nil && w.Layout > 3 {
		s = w.d.Aside("exploratory-groups", "Exploratory analyses of all arms together")
		if sl := w.sliced("set"); sl != nil && len(sl.Cells) > 1 && !sl.few() {
			w.sliceTable(s, sl)
		}
	}
	for _, by := range []string{"difficulty", "type", "category"} {
		w.slice(s, by)
	}
	w.grid(s)
	w.prompts(s)
	if len(w.Survey) > 0 {
		w.survey(s.Section("survey-answers", "Survey"))
	}
	w.testers(s)
	w.tooFew(s)
}

// further writes what is not printed: definitions, tables of single sessions, self-check.
func (w *writer) further() {
	s := w.d.Aside("further", "Further tables and definitions")
	w.numbers(s.Section("numbers", "How the numbers are made"))
	w.listSessions(s)
	w.agents(s)
	w.tokens(s)
	if w.People.Began > 1 {
		w.tasks(s.Section("planned", "The planned tasks"))
	}
	if w.Counts.Analysed > 0 && w.Pooled {
		w.figures(s.Section("figures", "Further figures"))
		w.distributions(s)
		w.causes(s)
	}
	w.WriteChecks(s, w.Checks)
}

// simulated counts the sessions that are made up.
func (r *Report) simulated() (n int) {
	for _, h := range r.Sessions {
		n += int(one(h.simulated()))
	}
	return n
}

func (h Header) simulated() bool { return h.Assay == simulate.Version }

func (r *Report) subtitle() string {
	last := r.Sessions[0].Last
	for _, h := range r.Sessions {
		if h.Last.After(last) {
			last = h.Last
		}
	}
	if r.simulated() == len(r.Sessions) {
		return "Simulated sessions: the numbers are made up, and tell nothing about any model or person"
	}
	return fmt.Sprintf("assay %s, data up to %s", r.Sessions[0].Assay, last.Format("2006-01-02 15:04 MST"))
}

// settings writes the settings of one session.
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
	row("filter", h.Filter)
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
	if h.automatic() {
		row("feedback after failed attempts", h.Feedback)
	}
	row("study", h.Study.words())
	row("satisfaction criterion", h.Criterion)
	row("appended to prompts", h.Suffix)
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
	log := doc.Item(w.d.Count(&h.Events), " events")
	if h.Hash != "" {
		log = append(log, ", sealed by ", doc.Code(h.Hash))
	}
	t.Row("log", log)
	row("flags", strings.Join(h.Flags, "; "))
}

// participants writes who took part, and the outcomes of their tasks.
func (w *writer) participants() {
	r := w.Report
	s := w.d.Section("participants", "Participants and tasks")
	if r.Arms != nil || len(r.Sessions) > 1 {
		s.Text(w.d.Count(&r.Testers), plural(" tester", r.Testers), " in ", w.sessionsN(), plural(" session", r.Number), "; ", w.d.Count(&r.Tasks), " different ", plural("task", r.Tasks), " with a result.")
	}
	w.people(s)
	if r.People.Began > 1 {
		c := &r.Counts
		w.Figure(s, "participants")
		if w.Layout < 4 {
			s.Text("Of these results, ", w.d.Count(&c.Satisfied), " ended with a satisfied tester, ", w.d.Count(&c.GaveUp), " by giving up and ", w.d.Count(&c.Exhausted), " with all attempts used. Skipped, unfinished and unopened tasks, practice, and tasks of testers who withdrew are not counted.")
		} else if c.Analysed > 0 {
			said := doc.Item("Of the results, ", w.d.Count(&c.Satisfied), " ended with a satisfied tester")
			if c.GaveUp > 0 {
				said = append(said, ", ", w.d.Count(&c.GaveUp), " by giving up")
			}
			if c.Exhausted > 0 {
				said = append(said, ", ", w.d.Count(&c.Exhausted), " with all attempts used")
			}
			s.Text(append(said, ".")...)
		}
	} else {
		w.tasks(s)
	}
	if r.Events.Failures+r.Events.Interruptions > 0 {
		s.Text("Sendings that ended in a provider's error: ", w.d.Count(&r.Events.Failures), "; interrupted answers: ", w.d.Count(&r.Events.Interruptions), ". Neither costs an attempt.")
	}
	switch {
	case r.Events.Truncated == 0:
	case r.Layout > 3:
		s.Text(w.d.Strong("Truncated answers"), ", stopped before their end: ", w.d.Count(&r.Events.Truncated), ", practice included. They count as attempts; the table of attempts has the finish reason of each.")
	default:
		s.Text(w.d.Strong("Truncated answers"), ", stopped before their end by a length limit, a content filter or a refusal: ", w.d.Count(&r.Events.Truncated), ". They count as attempts; the table of attempts has the finish reason of each.")
	}
	if r.Events.Cut > 0 {
		s.Text(w.d.Strong("Cut prompts"), ": of ", w.d.Count(&r.Events.Cut), " answers the server had read only a part of the prompt, which exceeded the model's context. They count as attempts, and tell little of the model; the table of attempts marks them.")
	}
	w.quality(s)
}

// tasks writes the outcomes of the planned tasks.
func (w *writer) tasks(s *doc.Section) {
	r := w.Report
	c := &r.Counts
	t := s.Table("tasks", "What became of the planned tasks", doc.Right("planned"), doc.Right("analysed"), doc.Right("satisfied"), doc.Right("given up"), doc.Right("exhausted"),
		doc.Right("skipped"), doc.Right("unfinished"), doc.Right("not opened"), doc.Right("practice"), doc.Right("withdrawn"))
	t.Row(w.d.Count(&c.Planned), w.d.Count(&c.Analysed), w.d.Count(&c.Satisfied), w.d.Count(&c.GaveUp), w.d.Count(&c.Exhausted),
		w.d.Count(&c.Skipped), w.d.Count(&c.Unfinished), w.d.Count(&c.NotOpened), w.d.Count(&c.Practice), w.d.Count(&c.Withdrawn))
	once := ""
	if r.Testers > 1 {
		once = " A task is counted once for every tester."
	}
	t.Note("Analysed are the tasks that ended satisfied, given up or exhausted; the others enter no number.", once)
}

// figures writes the figures whose numbers are in tables.
func (w *writer) figures(s *doc.Section) {
	w.Figure(s, "attempts")
	if w.Arms != nil {
		w.Figure(s, "success-by-attempt")
	}
	w.Figure(s, "time-by-phase")
}

// listSessions lists one session's settings, or several sessions.
func (w *writer) listSessions(in *doc.Section) {
	r := w.Report
	if len(r.Sessions) == 1 {
		w.settings(in.Section("session", "The session"), &r.Sessions[0])
		return
	}
	s := in.Section("sessions", "The sessions")
	list := s.Table("sessions", "The sessions", doc.Left("session"), doc.Left("tester"), doc.Left("model"), doc.Right("level"), doc.Left("status"),
		doc.Right("planned"), doc.Right("analysed"), doc.Right("satisfied"), doc.Right("skipped"), doc.Right("other"), doc.Right("events"))
	const most = 50
	for i := range r.Sessions {
		if i == most {
			list.Note("The first ", doc.Fixed(fmt.Sprint(most)), " of ", w.sessionsN(), " sessions; ", doc.Code("report.json"), " has all.")
			break
		}
		h := &r.Sessions[i]
		tester := cmp.Or(h.Tester, "(none)")
		if h.automatic() {
			tester += ", " + h.Feedback
		}
		model := h.Model
		if !w.comparable() {
			model = "not shown"
		}
		list.Row(doc.Name(h.ID), doc.Name(tester), doc.Name(model), w.d.Count(&h.Level), doc.Name(h.Status),
			w.d.Count(&h.Counts.Planned), w.d.Count(&h.Counts.Analysed), w.d.Count(&h.Counts.Satisfied), w.d.Count(&h.Counts.Skipped),
			w.d.Count(&h.Other), w.d.Count(&h.Events))
	}
	if !w.comparable() {
		list.Note("Which session is of which arm is shown from the first declared look on. The data files have it.")
	}
	list.Note("Other: unfinished, not opened, practice and withdrawn tasks.")
}

func (w *writer) method() *doc.Section {
	r := w.Report
	s := w.d.Section("method", "Methods")
	h := &r.Sessions[0]
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Imported }) {
		s.Text(w.d.Strong("Imported"), " from the tables of another study or a log of Inspect. They give one duration for each attempt, or one that a task's attempts share equally: what part of it was reading, writing, waiting for the model or reviewing is not known, the wall times are made up from the durations, and prompts are not compared.")
	}
	all := r.distinct
	rated := "Then the final answer is rated, given up or not (Miah & Zhu)."
	switch {
	case r.allAutomatic():
		rated = "The tester is a program, which is satisfied when the code passes all tests; nothing is rated."
	case r.unrated():
		rated = "Nothing is rated."
	}
	filter := doc.Item("; filter ", all(func(h Header) string { return cmp.Or(h.Filter, "(none)") }))
	if w.Layout > 3 && !slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Filter != "" }) {
		filter = nil
	}
	items := [][]any{
		doc.Item("Process: for each task a tester writes a prompt, reads the answer while it is run and measured in the background, and is satisfied, refines the prompt, or gives up; at most k = ", w.d.Count(&h.K), " attempts. ", rated),
		doc.Item("Testers: ", all(func(h Header) string {
			if h.automatic() {
				return "a program, with feedback " + h.Feedback
			}
			if w.Layout > 3 && h.simulated() {
				return "simulated"
			}
			return h.Kind
		}), "."),
		doc.Item("Satisfaction criterion: ", all(func(h Header) string { return h.Criterion }), ""),
		doc.Item("Tasks: benchmark ", all(func(h Header) string { return h.Benchmark }), filter, "."),
		doc.Item("Model: ", all(func(h Header) string { return strings.TrimSpace(h.Model + " " + h.ModelID) }), "; as it calls itself: ", r.lists(func(h Header) []string { return h.Reported }), "."),
		doc.Item("Time: completion runs from opening a task to the judgement that stands; pauses and unobserved time are subtracted, and nothing else.", w.newer("", " Monotonic clocks within a process; wall time only between processes.")),
		doc.Item(w.newer("Exclusions: practice, and tasks that were skipped, not finished, or of testers who withdrew. Provider's errors and interrupted answers are no attempts.",
			"Exclusions: practice, skipped, unfinished and withdrawn tasks, each counted under Participants and tasks. Provider's errors and interrupted answers are no attempts.")),
	}
	settings := w.sessionSettings()
	if w.Layout < 4 {
		s.List(append(items, settings...)...)
	} else {
		s.List(items...)
		s.Fold(doc.Item("Settings of the sessions"), func(s *doc.Section) { s.List(settings...) })
	}
	w.automaticTexts(s)
	w.scopeOf(s)
	return s
}

// lists returns what sessions have several of, each once.
func (r *Report) lists(of func(Header) []string) []any {
	return r.distinct(func(h Header) string { return strings.Join(of(h), "; ") })
}

// sessionSettings says how the sessions were set up.
func (w *writer) sessionSettings() [][]any {
	r, all := w.Report, w.distinct
	var settings [][]any
	if w.Layout > 3 {
		settings = append(settings, doc.Item("Clocks: monotonic within a process; wall time only between processes."))
	}
	settings = append(settings,
		doc.Item("Versions: assay ", all(func(h Header) string { return h.Assay }), "; ", all(func(h Header) string { return h.OS }), "."))
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Study.Name != "" }) {
		settings = append(settings, doc.Item("Study: ", all(func(h Header) string { return h.Study.frozen() }), "; arms: ", all(func(h Header) string { return h.Study.Arm }), "."))
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
		settings = append(settings,
			doc.Item("Seed of the order and the test sets: ", live(func(h Header) string { return fmt.Sprint(h.Seed) }), "."),
			doc.Item("Prompt level that the editor began with: ", live(func(h Header) string { return fmt.Sprint(h.Level) }), " (from nothing over the description and constraints to examples). Context: ", live(func(h Header) string { return h.Context }), "."),
			doc.Item("Execution: ", live(func(h Header) string { return h.Sandbox }), "; what was enforced: ", r.lists(func(h Header) []string { return h.Enforced }), "."),
			doc.Item("Code quality by ", r.lists(func(h Header) []string { return h.Analysers }), "."))
	}
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return !h.Imported && !h.automatic() }) {
		settings = append(settings, doc.Item("Of the tests people saw, before they judged: ", all(func(h Header) string {
			if h.Imported || h.automatic() {
				return ""
			}
			return h.Tests
		}), "."))
	}
	if slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.IdleMS > 0 }) {
		settings = append(settings, doc.Item("Silence is never trimmed; it is called idle after ", all(func(h Header) string { return fmt.Sprintf("%d s", h.IdleMS/1000) }), "."))
	} else {
		settings = append(settings, doc.Item("Silence is never trimmed; no threshold for idleness was set."))
	}
	return settings
}

// scopeOf returns the population that intervals apply to.
func (w *writer) scopeOf(s *doc.Section) {
	r := w.Report
	items := doc.Item("Intervals are at ", w.Confidence(), " and speak of ", doc.Fixed(r.Method.Scope), ".")
	switch {
	case r.Testers > 1:
		items = append(items, " Tasks of one tester are alike: an interval is over testers' means, linearised as a ratio (Cochran); with unequal numbers of results its error is cluster-robust, with Satterthwaite's degrees of freedom.")
	case !r.allAutomatic():
		items = append(items, " One tester worked here, so that agreement between testers cannot be computed.")
	}
	s.Text(items)
	if len(r.Sessions) > 1 && slices.ContainsFunc(r.Sessions, func(h Header) bool { return h.Tester == "" && !h.automatic() }) {
		s.Text("Sessions without a tester's name may be of one person, and are taken as one tester's.")
	}
}

// numbers writes the definitions of the intervals.
func (w *writer) numbers(s *doc.Section) {
	s.List(
		doc.Item("Means of values on a scale, such as ratings, ", w.newer("attempts", "#attempt_k"), " and shares of tests: score interval (Wilson) of the share of the scale, with the effective number of values that the variance tells and Student's quantile (“score on the scale”)."),
		doc.Item("Means of values without an upper end, such as times: that of the mean of a log-normal distribution, or, from ten units on, where the logarithms are skewed, too, or a value is zero, Hall's interval, which allows for skewness; with fewer than three, or where they bound the mean too badly, none."),
		doc.Item("Shares of the tasks of one tester: exact (Clopper & Pearson). Differences that can be negative: Student's t."),
		doc.Item("Each method was chosen by simulation: in realistic settings its intervals hold the true value in ", doc.Fixed("93 to 97"), " % of cases; those that say ", doc.Fixed("“at least 95 %”"), " in ", doc.Fixed("94"), " % or more, the more often the fewer units there are, since values on a scale are few; and those of times whose logarithms have a standard deviation of ", doc.Fixed("1.2"), " in ", doc.Fixed("92"), " %."),
	)
	s.Text("Rounding is ", w.Method.Rounding, ".")
}

// scope returns the population that the intervals apply to.
func (r *Report) scope(newTasks bool) string {
	switch {
	case r.allAutomatic():
		return "other tasks like these, and this program"
	case r.Testers < 2:
		return "other tasks like these, and this tester"
	case newTasks:
		return "other testers and other tasks like these"
	}
	return "other testers like these, on these tasks"
}

// frozen names the study with its version and hash.
func (s Study) frozen() string {
	if s.Name == "" {
		return ""
	}
	text := fmt.Sprintf("%s, version %d", s.Name, s.Version)
	if s.Hash != "" {
		text += ", frozen as " + s.Hash[:min(12, len(s.Hash))]
	}
	if s.Blind {
		text += ", blind"
	}
	if s.Unblinded != "" {
		text += "; " + s.Unblinded
	}
	return text
}

// words returns the place of the session in its study.
func (s Study) words() string {
	if s.Name == "" {
		return ""
	}
	return fmt.Sprintf("%s; arm %s, session %d of tester %d", s.frozen(), s.Arm, s.Part, s.Tester)
}
