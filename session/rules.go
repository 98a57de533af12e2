package session

import (
	"fmt"
	"slices"
)

// Rules are what a study asks for in a session besides its tasks. The zero value asks for nothing. They are
// part of the plan, and so of every log.
type Rules struct {
	Labels []Label    `json:"labels,omitzero"`  // asked besides the ratings; empty, as in older plans, means Labels()
	Suffix string     `json:"suffix,omitempty"` // appended to every prompt, such as a request for explanations
	Clock  Clock      `json:"clock,omitempty"`  // whether testers see the time they have worked on a task
	Gate   *Gate      `json:"gate,omitempty"`   // what the practice tasks have to achieve
	Breaks *Breaks    `json:"breaks,omitempty"`
	Resume *Resume    `json:"resume,omitempty"` // what happens to a session continued late; nil: nothing
	Survey []Question `json:"survey,omitempty"` // asked when all tasks are done

	Answers      AnswerView `json:"answers,omitempty"`       // how answers are shown
	HideThinking bool       `json:"hide_thinking,omitempty"` // what the model thinks is not shown; the log keeps it

	Corrections bool `json:"corrections,omitempty"` // the rating of the task closed last may be corrected
	Merge       bool `json:"merge,omitempty"`       // "Would you merge this?" is asked after each repository task
	HandEdit    bool `json:"hand_edit,omitempty"`   // final answers to repository tasks may be edited by hand
	TakeBlock   bool `json:"take_block,omitempty"`  // another block of an answer may be judged; in practice it always may
}

// TakesBlocks reports whether testers may have another block of an answer judged.
func (p Plan) TakesBlocks(practice bool) bool { return p.TakeBlock || practice }

// AnswerView is how an answer is shown: rendered as Markdown, or verbatim with the numbers of its lines. If empty
// the tester switches.
type AnswerView string

// The views of an answer.
const (
	AnswerRendered AnswerView = "rendered"
	AnswerVerbatim AnswerView = "verbatim"
)

// Known reports whether v is a view of an answer, or empty.
func (v AnswerView) Known() bool { return v == "" || v == AnswerRendered || v == AnswerVerbatim }

// Clock determines whether a tester sees a clock. If empty the tester decides.
type Clock string

// The clocks.
const (
	ClockShown  Clock = "shown"
	ClockHidden Clock = "hidden"
)

// Gate keeps counted tasks closed until each practice task has achieved what Needs demands. A practice task
// that falls short is repeated, at most Repeats times; then the session goes on and is flagged.
type Gate struct {
	Needs   string `json:"needs"` // "judged", or "accepted": the last answer passed all tests
	Repeats int    `json:"repeats"`
}

// The values of Gate.Needs.
const (
	GateJudged   = "judged"
	GateAccepted = "accepted"
)

// Breaks are offered after the given number of counted tasks without a break.
type Breaks struct {
	Tasks  int   `json:"tasks"`
	MS     int64 `json:"ms"`               // the least length of a break, in milliseconds
	Forced bool  `json:"forced,omitempty"` // no task is opened before the break was taken
}

// Resume limits how late a session may be continued.
type Resume struct {
	WithinMS int64 `json:"within_ms"`
	Refuse   bool  `json:"refuse,omitempty"` // a late session is not continued; otherwise it is flagged
}

// Check is an attention check: a row among a task's ratings that tells the tester which score to choose.
// The choice is kept apart from the ratings.
type Check struct {
	Text  string `json:"text"`
	Score int    `json:"score"`
}

// CheckID names the attention check among a task's ratings in [Rated].
const CheckID = "attention_check"

// Question is a question of the exit survey.
type Question struct {
	ID       string   `json:"id"`
	Text     string   `json:"text"`
	Choices  []string `json:"choices,omitempty"` // empty: free text
	Optional bool     `json:"optional,omitempty"`
}

// CheckPlace returns the index of the attribute before which an attention check is shown: the middle one.
func (p Plan) CheckPlace() int { return len(p.Attributes) / 2 }

// AskedLabels returns the labels of the plan.
func (p Plan) AskedLabels() []Label {
	if p.Labels == nil {
		return Labels()
	}
	return p.Labels
}

// LabelsFor lists the labels that a task with this outcome needs.
func (p Plan) LabelsFor(outcome Outcome) []Label {
	var needed []Label
	for _, l := range p.AskedLabels() {
		if !l.WhenNotSatisfied || outcome != Satisfied {
			needed = append(needed, l)
		}
	}
	return needed
}

// validateRules checks the plan's rules and whether the tasks fit them.
func (p Plan) validateRules() error {
	points, ids := 0, map[string]bool{}
	for _, a := range p.Attributes {
		switch {
		case a.ID == "" || a.ID == CheckID || ids[a.ID]:
			return fmt.Errorf("attribute id %q is empty, taken or duplicated in the plan", a.ID)
		case a.Max() < 2 || a.Max() > MaxPoints:
			return fmt.Errorf("attribute %q has %d points, not 2 to %d", a.ID, a.Max(), MaxPoints)
		case points != 0 && a.Max() != points:
			return fmt.Errorf("attribute %q has %d points and another has %d: their sum would be meaningless", a.ID, a.Max(), points)
		}
		points, ids[a.ID] = a.Max(), true
	}
	for _, t := range p.Tasks {
		if c := t.Check; c != nil && (c.Score < MinScore || c.Score > points) {
			return fmt.Errorf("the attention check of task %q wants %d, not %d to %d", t.ID, c.Score, MinScore, points)
		}
	}
	if g := p.Gate; g != nil && (g.Needs != GateJudged && g.Needs != GateAccepted || g.Repeats < 0) {
		return fmt.Errorf("the practice's gate needs %q with %d repeats: it may need %s or %s", g.Needs, g.Repeats, GateJudged, GateAccepted)
	}
	if b := p.Breaks; b != nil && (b.Tasks < 1 || b.MS < 0) {
		return fmt.Errorf("a break of %d ms after %d tasks is not possible", b.MS, b.Tasks)
	}
	if r := p.Resume; r != nil && r.WithinMS < 1 {
		return fmt.Errorf("a session with an allowed gap of %d ms cannot be continued", r.WithinMS)
	}
	if !p.Answers.Known() {
		return fmt.Errorf("answers are shown %q, neither %s nor %s", p.Answers, AnswerRendered, AnswerVerbatim)
	}
	if p.Clock != "" && p.Clock != ClockShown && p.Clock != ClockHidden {
		return fmt.Errorf("the clock is %q, neither %s nor %s", p.Clock, ClockShown, ClockHidden)
	}
	for i, l := range p.AskedLabels() {
		if ids[l.ID] || l.ID == CheckID {
			return fmt.Errorf("label id %q is the id of an attribute or of the attention check", l.ID)
		}
		if l.ID == "" || len(l.Values) < 2 || slices.ContainsFunc(p.AskedLabels()[:i], func(o Label) bool { return o.ID == l.ID }) {
			return fmt.Errorf("label %q has no id, an id twice, or fewer than two values", l.ID)
		}
	}
	for i, q := range p.Survey {
		if q.ID == "" || q.Text == "" || slices.ContainsFunc(p.Survey[:i], func(o Question) bool { return o.ID == q.ID }) {
			return fmt.Errorf("question %q of the survey has no id, an id twice, or no text", q.ID)
		}
	}
	return nil
}

// passed reports whether a closed task meets the gate's needs.
func (g *Gate) passed(t *Task) bool {
	if g == nil || !t.Practice || t.Repeats >= g.Repeats || g.Needs == GateJudged {
		return true
	}
	return t.accepted()
}

// accepted reports whether the task's last answer passed all tests; for a task without tests, whether the
// tester was satisfied.
func (t *Task) accepted() bool {
	if len(t.Attempts) == 0 {
		return false
	}
	v := t.Attempts[len(t.Attempts)-1].Verdict
	return v != nil && (v.Verdict == "accepted" || v.Verdict == "not_judged" && t.Outcome == Satisfied)
}

// measured reports whether all results of the task's answers have arrived.
func (t *Task) measured() bool {
	return !slices.ContainsFunc(t.Attempts, func(a Attempt) bool {
		return a.Answer != nil && (a.Extracted == nil || a.Verdict == nil || a.Measured == nil)
	})
}

// Repeating reports whether the next task is a practice task to be repeated, and whether that is certain
// yet: its tests may still be running.
func (s *State) Repeating() (again, sure bool) {
	next := s.Next()
	if next < 0 || !s.Tasks[next].Closed {
		return false, true
	}
	return true, s.Tasks[next].measured()
}

// GateMissed reports whether the practice finally failed the gate and the next task is the first counted
// one.
func (s *State) GateMissed() bool {
	g, next := s.Plan.Gate, s.Next()
	begun := slices.ContainsFunc(s.Tasks, func(t Task) bool { return !t.Practice && (t.Opened || t.Closed) })
	if g == nil || g.Needs != GateAccepted || next < 0 || s.Tasks[next].Practice || begun {
		return false
	}
	return slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Practice && !t.accepted() })
}

// BreakDue reports whether the study demands a break before the next task.
func (s *State) BreakDue() bool {
	b := s.Plan.Breaks
	return b != nil && s.Phase == Between && s.Next() >= 0 && s.sinceBreak >= b.Tasks
}

// Rested returns how long, in milliseconds, the tester has rested during the break that is due.
func (s *State) Rested() int64 { return s.rested }

// rest records a pause between tasks that ends at e. Pauses that are too short add up.
func (s *State) rest(e Event) {
	b := s.Plan.Breaks
	if b == nil || s.Phase != Between || s.Paused == "" {
		return
	}
	if s.rested += restedFor(s.pausedAt, e.Stamp); s.rested >= b.MS {
		s.sinceBreak, s.rested = 0, 0
	}
}

// restedFor returns how long a break took, by the longer of both clocks, since the machine may have been
// suspended.
func restedFor(from, to Stamp) int64 { return max(elapsed(from, to), to.Wall-from.Wall) }

// BreakLeft returns how long, in milliseconds, the current break still has to last to count.
func (s *State) BreakLeft(now Stamp) int64 {
	b := s.Plan.Breaks
	if b == nil || s.Phase != Between || s.Paused == "" || s.sinceBreak < b.Tasks {
		return 0
	}
	return max(0, b.MS-s.rested-restedFor(s.pausedAt, now))
}

// elapsed returns the time between two stamps in milliseconds, by the monotonic clock if both come from one
// process.
func elapsed(from, to Stamp) int64 {
	if from.Process == to.Process {
		return to.Mono - from.Mono
	}
	return max(0, to.Wall-from.Wall)
}

// spend adds an interval to its task.
func (s *State) spend(iv Interval) {
	if iv.Task >= 0 && !iv.Paused && !iv.Unobserved {
		s.Tasks[iv.Task].worked += iv.MS
	}
}

// Worked returns how long, in milliseconds, the open task has been worked on by now, without pauses and
// unobserved time.
func (s *State) Worked(now Stamp) int64 {
	t := s.Task()
	if t == nil {
		return 0
	}
	if s.Paused != "" || now.Process != s.Last.Process {
		return t.worked
	}
	return t.worked + max(0, now.Mono-s.Last.Mono)
}

// Late reports whether continuing the session now would be later than the study allows.
func (s *State) Late(now Stamp) bool {
	r := s.Plan.Resume
	return r != nil && s.Closed == "" && s.Seq > 0 && elapsed(s.Last, now) > r.WithinMS
}

// Asked lists the indexes of the survey's unanswered questions; there are none before all tasks are done.
func (s *State) Asked() []int {
	if !s.Over() || s.Closed != "" || s.Phase != Between {
		return nil
	}
	var open []int
	for i, q := range s.Plan.Survey {
		if _, answered := s.Answers[q.ID]; !answered {
			open = append(open, i)
		}
	}
	return open
}

func (s *State) survey(p Surveyed) error {
	if s.Phase != Between || !s.Over() {
		return notNow(p.Kind(), "the survey begins when all tasks are done")
	}
	i := slices.IndexFunc(s.Plan.Survey, func(q Question) bool { return q.ID == p.Question })
	if i < 0 {
		return notNow(p.Kind(), "the study does not ask %q", p.Question)
	}
	q := s.Plan.Survey[i]
	switch {
	case p.Answer == "" && !q.Optional:
		return fmt.Errorf("%s: %q wants an answer", p.Kind(), p.Question)
	case p.Answer != "" && len(q.Choices) > 0 && !slices.Contains(q.Choices, p.Answer):
		return fmt.Errorf("%s: %q is not one of %q", p.Kind(), p.Answer, q.Choices)
	}
	if s.Answers == nil {
		s.Answers = map[string]string{}
	}
	s.Answers[p.Question] = p.Answer
	return nil
}
