package session

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Phase is a phase of a session. The phases partition its time.
type Phase string

// The phases.
const (
	Between Phase = "between"    // no task is open
	Read    Phase = "read"       // a task is open, and nothing has been written yet
	Compose Phase = "compose"    // a prompt is being written
	Wait    Phase = "wait_model" // a prompt was sent, and the answer has not arrived
	Pick    Phase = "pick"       // two answers have arrived, and the tester says which is better
	Review  Phase = "review"     // an answer waits to be judged
	Rate    Phase = "rate"       // the last answer was judged; ratings are missing
	Ended   Phase = "ended"      // the session is closed
)

// ErrNotNow is wrapped by the error for an event that the state does not allow.
var ErrNotNow = errors.New("not possible now")

// MissingError is the error for closing a task whose rating is incomplete. It wraps ErrNotNow.
type MissingError struct{ Names []string }

func (e *MissingError) Error() string {
	are := "is"
	if len(e.Names) > 1 {
		are = "are"
	}
	return fmt.Sprintf("the task cannot be closed yet: %s %s not rated, or the rating was not saved; rate again, then close the task", strings.Join(e.Names, ", "), are)
}

// Unwrap makes it an error of the kind ErrNotNow.
func (e *MissingError) Unwrap() error { return ErrNotNow }

// State is the fold of a session's log. Only Apply changes it.
type State struct {
	Session string
	Name    string // given by the tester, empty for none
	Plan    Plan
	Env     Environment
	Origin  string // Imported for a session that was not done with assay

	Seq   uint64 // of the last event, 0 for an empty log
	Hash  string // of the last event
	Last  Stamp  // of the last event
	First Stamp  // of the first event

	Phase   Phase
	Current int      // index of the open task, -1 when none is
	Closed  string   // reason, empty while the session is open
	Same    []string // of a withdrawn session: see [Opened]
	Paused  string   // reason, empty unless it is paused
	Blurred bool     // the terminal does not have the focus
	Idle    bool

	Consented string // version of the consent that the tester agreed to

	Answers map[string]string // to the exit survey, by id of the question

	Tasks   []Task
	Choices []TaskChosen // of an adaptive test, in order

	Flags []string         // reasons of flags, in order
	Words map[Words]string // drafts of words, not submitted yet

	last       int   // the task closed last, counted from 1, until another event follows; otherwise 0
	pausedAt   Stamp // when the current pause began
	sinceBreak int   // counted tasks since the last break of sufficient length
	rested     int64 // milliseconds of breaks since the last task that were too short to count
}

// Task is the progress of one task of the plan.
type Task struct {
	PlanTask
	Opened      bool
	Outcome     Outcome // set when the task is closed; see Decided for an open one
	Closed      bool
	Reason      string // of a skipped task
	Attempts    []Attempt
	Ratings     map[string]int
	Labels      map[string]string
	Note        string
	Merge       *MergeJudged // nil: not answered, or not asked
	Mends       []Mend       // edits of the final answer by hand
	Checked     int          // score chosen in the attention check, 0 if none
	Repeats     int          // how often a practice task was repeated
	Corrections int          // how often its rating was reopened after it was closed

	worked int64 // counted milliseconds
	draft  draft
	undo   []undoable
}

// Attempt is one cycle of prompt and answer. The last attempt of an open task may not have a prompt or an
// answer yet.
type Attempt struct {
	N      int // from 1
	Tries  int // times the prompt was sent; more than 1 after provider errors
	Sent   *PromptSent
	Answer *AnswerReceived
	Failed *AnswerFailed      // the last failure, while there is no answer
	Broken *AnswerInterrupted // the last interruption, while there is no answer

	Arriving []AnswerArrived // pieces of the awaited answer, in order

	Sides  []Attempt // of an arena, once the prompt was sent: what A and B answered; otherwise nil
	Picked *Picked   // which is better; its answer is then the attempt's

	Reflection  *Reflection // of an automatic tester; otherwise nil
	Extracted   *CodeExtracted
	Tree        *TreeChanged // of a repository task
	Verdict     *VerdictRecorded
	Measured    *Measured
	Scratch     []ScratchRun // runs with calls of the tester's own, in order
	Tabs        []string     // tabs shown while reviewing, in the order of first view
	Decision    Decision
	JudgedSeq   uint64 // of the judgement in force
	VerdictSeen bool   // the verdict had been seen when the attempt was judged
	Revealed    bool   // it was judged once, after which its tests are not hidden any more, even if that was undone
}

// HasAnswer reports whether the text of an answer is known: tables of another study have none.
func (a *Attempt) HasAnswer() bool { return a.Answer != nil && a.Answer.Answer != "" }

// Arrival is what had arrived of an answer when it failed or was stopped: a part of its text, and what the model had
// thought; "" for nothing.
type Arrival struct {
	Side           Side
	Text, Thinking Ref
}

// Arrived lists what had arrived of the answers that failed or were stopped: of one, or of both sides.
func (a *Attempt) Arrived() (list []Arrival) {
	if a.Failed == nil && a.Broken == nil {
		return nil
	}
	for i, on := range a.Replies() {
		var got Arrival
		switch {
		case on.Failed != nil:
			got.Text, got.Thinking = on.Failed.Partial, on.Failed.Thinking
		case on.Broken != nil:
			got.Text, got.Thinking = on.Broken.Partial, on.Broken.Thinking
		}
		if got == (Arrival{}) {
			continue
		}
		if a.Sides != nil {
			got.Side = Sides()[i]
		}
		list = append(list, got)
	}
	return list
}

// undoable is an event that can be undone, with the value that it replaced.
type undoable struct {
	seq   uint64
	kind  Kind
	key   string
	score int
	value string
	had   bool
}

// New returns the state of an empty log.
func New() *State { return &State{Current: -1, Phase: Between} }

// Replay folds a whole log.
func Replay(events []Event) (*State, error) {
	s := New()
	for _, e := range events {
		if err := s.Apply(e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Clone returns an independent copy of s.
func (s *State) Clone() *State {
	c := *s
	c.Flags, c.Choices = slices.Clone(s.Flags), slices.Clone(s.Choices)
	c.Answers, c.Words = maps.Clone(s.Answers), maps.Clone(s.Words)
	c.Tasks = slices.Clone(s.Tasks)
	for i := range c.Tasks {
		t := &c.Tasks[i]
		t.Attempts = slices.Clone(t.Attempts)
		for j := range t.Attempts {
			a := &t.Attempts[j]
			a.Tabs, a.Arriving, a.Scratch = slices.Clone(a.Tabs), slices.Clone(a.Arriving), slices.Clone(a.Scratch)
			a.Sides = slices.Clone(a.Sides)
			for k := range a.Sides {
				a.Sides[k].Arriving = slices.Clone(a.Sides[k].Arriving)
			}
		}
		t.Ratings = maps.Clone(t.Ratings)
		t.Labels = maps.Clone(t.Labels)
		t.Mends = slices.Clone(t.Mends)
		t.undo = slices.Clone(t.undo)
		t.draft.spans = slices.Clone(t.draft.spans)
	}
	return &c
}

// Rest drops what only applying further events needs: drafts and undo history. No event may be applied
// afterwards.
func (s *State) Rest() {
	s.Words = nil
	for i := range s.Tasks {
		s.Tasks[i].draft, s.Tasks[i].undo = draft{}, nil
	}
}

// WantsConsent reports whether the tester has to agree to something before the first task.
func (s *State) WantsConsent() bool {
	return s.Plan.Study != nil && s.Plan.Study.ConsentVersion != "" && s.Consented == ""
}

// Task returns the open task, or nil.
func (s *State) Task() *Task {
	if s.Current < 0 {
		return nil
	}
	return &s.Tasks[s.Current]
}

// Attempt returns the open task's last attempt, or nil.
func (s *State) Attempt() *Attempt {
	t := s.Task()
	if t == nil || len(t.Attempts) == 0 {
		return nil
	}
	return &t.Attempts[len(t.Attempts)-1]
}

// Next returns the index of the first task not opened yet, or of a practice task to be repeated, or -1. In an
// adaptive test it is the chosen task, or -1 before it is chosen.
func (s *State) Next() int {
	next := slices.IndexFunc(s.Tasks, func(t Task) bool {
		if !t.Closed {
			return !t.Opened
		}
		return !s.Plan.Gate.passed(&t)
	})
	if s.Plan.Adaptive == nil || next < 0 || s.Tasks[next].Practice {
		return next
	}
	if len(s.Choices) == 0 {
		return -1
	}
	next = s.Choices[len(s.Choices)-1].Index
	if next >= 0 && (s.Tasks[next].Opened || s.Tasks[next].Closed) {
		return -1
	}
	return next
}

// Begun reports whether a task was opened or skipped.
func (s *State) Begun() bool {
	return slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Opened || t.Closed })
}

// Done counts the closed tasks.
func (s *State) Done() int {
	n := 0
	for _, t := range s.Tasks {
		if t.Closed {
			n++
		}
	}
	return n
}

// Draft returns the text of the open attempt's prompt so far.
func (t *Task) Draft() string { return t.draft.text }

// InsertedBytes counts the bytes of the draft that were inserted, not typed.
func (t *Task) InsertedBytes() int { return t.draft.bytes(originInserted) }

// EditorBytes counts the bytes of the draft that were written in the tester's own editor.
func (t *Task) EditorBytes() int { return t.draft.bytes(originEditor) }

// Decided returns the outcome that the task's last judgement implies, or "" if that does not end the task. K is
// the number of attempts allowed.
func (t *Task) Decided(k int) Outcome {
	if len(t.Attempts) == 0 {
		return ""
	}
	switch last := t.Attempts[len(t.Attempts)-1]; {
	case last.Decision == DecideSatisfied:
		return Satisfied
	case last.Decision == DecideGiveUp && last.N >= k:
		return Exhausted
	case last.Decision == DecideGiveUp:
		return GaveUp
	}
	return ""
}

// Missing lists the ids of the ratings and labels that the open task still needs, in the order they are
// asked for.
func (s *State) Missing() []string {
	t := s.Task()
	if t == nil {
		return nil
	}
	var missing []string
	for i, a := range s.Plan.Attributes {
		if i == s.Plan.CheckPlace() && t.Check != nil && t.Checked == 0 {
			missing = append(missing, CheckID)
		}
		if _, ok := t.Ratings[a.ID]; !ok {
			missing = append(missing, a.ID)
		}
	}
	if s.Origin == Imported {
		return missing // imported tables have ratings, but not our labels
	}
	for _, l := range s.Plan.LabelsFor(t.Decided(s.Plan.K)) {
		if _, ok := t.Labels[l.ID]; !ok {
			missing = append(missing, l.ID)
		}
	}
	if s.AsksMerge() && !t.Merge.Complete() {
		missing = append(missing, MergeID)
	}
	return missing
}

// rowNames returns the names that testers see for the rows of the form with the given ids.
func (s *State) rowNames(ids []string) []string {
	names := map[string]string{CheckID: "the row that says what to choose", MergeID: "whether you would merge the answer, and why not"}
	for _, a := range s.Plan.Attributes {
		names[a.ID] = a.Name
	}
	for _, l := range s.Plan.AskedLabels() {
		names[l.ID] = l.Name
	}
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = cmp.Or(names[id], id)
	}
	return list
}

// CanUndo returns the sequence number of the event that an undo would take back, the last rating, label or
// judgement of the open task; 0 if there is none.
func (s *State) CanUndo() uint64 {
	t := s.Task()
	if t == nil || len(t.undo) == 0 {
		return 0
	}
	last := t.undo[len(t.undo)-1]
	picked := s.Phase == Review && last.kind == KindPicked && !s.Attempt().pickStands()
	if s.Phase != Rate && s.Phase != Compose && !picked {
		return 0
	}
	if a := s.Attempt(); s.Phase == Compose && a.Tries > 0 || last.kind == KindJudged && len(t.Mends) > 0 {
		return 0 // a prompt that was sent, or an edit by hand, makes the judgement final
	}
	return last.seq
}

// notNow returns the error for an event that is not allowed, with the reason.
func notNow(kind Kind, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", kind, ErrNotNow, fmt.Sprintf(format, args...))
}
