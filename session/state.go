package session

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Phase is where a session stands. The phases partition its time.
type Phase string

// The phases.
const (
	Between Phase = "between"    // no task is open
	Read    Phase = "read"       // a task is open and nothing was written yet
	Compose Phase = "compose"    // a prompt is being written
	Wait    Phase = "wait_model" // a prompt was sent, no answer yet
	Review  Phase = "review"     // an answer is there to be judged
	Rate    Phase = "rate"       // the last answer was judged; ratings are missing
	Ended   Phase = "ended"      // the session is closed
)

// ErrNotNow is wrapped by the error of an event that the state does not allow.
var ErrNotNow = errors.New("not possible now")

// MissingError is the error of closing a task that is not rated whole. It wraps ErrNotNow.
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

// State is what a session's log amounts to. It is only changed by Apply.
type State struct {
	Session string
	Name    string // given by the tester, empty for none
	Plan    Plan
	Env     Environment
	Origin  string // Imported for a session brought in from tables

	Seq   uint64 // of the last event, 0 for an empty log
	Hash  string // of the last event
	Last  Stamp  // of the last event
	First Stamp  // of the first event

	Phase   Phase
	Current int    // index of the open task, -1 when none is
	Closed  string // reason, empty while the session is open
	Paused  string // reason, empty while it is not paused
	Blurred bool   // the terminal has lost the focus
	Idle    bool

	Consented string // version of the consent that the tester agreed to

	Answers map[string]string // to the exit survey, by id of the question

	Tasks []Task
	Flags []string         // reasons of flags, in order
	Words map[Words]string // written and not handed in yet

	last       int   // the task that was closed last, counted from 1, while nothing followed; else 0
	pausedAt   Stamp // when the pause under way began
	sinceBreak int   // counted tasks since the last break that was long enough
	rested     int64 // milliseconds of breaks since the last task that were too short
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
	Checked     int // score chosen in the attention check, 0 for none yet
	Repeats     int // times a practice task was begun anew
	Corrections int // times its rating was opened again after it was closed

	worked int64 // milliseconds that count
	draft  draft
	undo   []undoable
}

// Attempt is one prompt→answer cycle. The last attempt of an open task may
// still be without a prompt or an answer.
type Attempt struct {
	N      int // from 1
	Tries  int // times the prompt was sent; more than 1 after provider errors
	Sent   *PromptSent
	Answer *AnswerReceived
	Failed *AnswerFailed      // the last failure, while no answer stands
	Broken *AnswerInterrupted // the last interruption, while no answer stands

	Reflection  *Reflection // of an automatic tester; nil for none
	Extracted   *CodeExtracted
	Verdict     *VerdictRecorded
	Measured    *Measured
	Tabs        []string // shown while reviewing, in order of first sight
	Decision    Decision
	JudgedSeq   uint64 // of the judgement that stands
	VerdictSeen bool   // the verdict had been seen when the attempt was judged
	Revealed    bool   // it was judged once, after which nothing of its tests is hidden: also when that was undone
}

// Arrived is the text that had come of an answer when it failed or was stopped; empty
// where there is none.
func (a *Attempt) Arrived() Ref {
	switch {
	case a.Failed != nil:
		return a.Failed.Partial
	case a.Broken != nil:
		return a.Broken.Partial
	}
	return ""
}

// undoable is an event that may be taken back, with what it replaced.
type undoable struct {
	seq   uint64
	kind  Kind
	key   string
	score int
	value string
	had   bool
}

// New is the state of an empty log.
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

// Clone is an independent copy of s.
func (s *State) Clone() *State {
	c := *s
	c.Flags = slices.Clone(s.Flags)
	c.Answers, c.Words = maps.Clone(s.Answers), maps.Clone(s.Words)
	c.Tasks = slices.Clone(s.Tasks)
	for i := range c.Tasks {
		t := &c.Tasks[i]
		t.Attempts = slices.Clone(t.Attempts)
		for j := range t.Attempts {
			t.Attempts[j].Tabs = slices.Clone(t.Attempts[j].Tabs)
		}
		t.Ratings = maps.Clone(t.Ratings)
		t.Labels = maps.Clone(t.Labels)
		t.undo = slices.Clone(t.undo)
		t.draft.spans = slices.Clone(t.draft.spans)
	}
	return &c
}

// Rest drops what only going on needs: the drafts and what can be undone. No event may
// be applied any more.
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

// Task is the open task, or nil.
func (s *State) Task() *Task {
	if s.Current < 0 {
		return nil
	}
	return &s.Tasks[s.Current]
}

// Attempt is the open task's last attempt, or nil.
func (s *State) Attempt() *Attempt {
	t := s.Task()
	if t == nil || len(t.Attempts) == 0 {
		return nil
	}
	return &t.Attempts[len(t.Attempts)-1]
}

// Next is the index of the first task that was not opened, or of a practice task that
// has to be begun anew, or -1.
func (s *State) Next() int {
	return slices.IndexFunc(s.Tasks, func(t Task) bool {
		if !t.Closed {
			return !t.Opened
		}
		return !s.Plan.Gate.passed(&t)
	})
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

// Draft is the text of the open attempt's prompt so far.
func (t *Task) Draft() string { return t.draft.text }

// InsertedBytes counts the bytes of the draft that were inserted, not typed.
func (t *Task) InsertedBytes() int { return t.draft.inserted() }

// Decided is the outcome that the task's last judgement gives it, or "" while
// it is not judged to an end. K is the number of attempts allowed.
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

// Missing lists the ids of the ratings and labels that the open task still
// needs, in the order they are asked for.
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
		return missing // other studies' tables have ratings, not our labels
	}
	for _, l := range s.Plan.LabelsFor(t.Decided(s.Plan.K)) {
		if _, ok := t.Labels[l.ID]; !ok {
			missing = append(missing, l.ID)
		}
	}
	return missing
}

// named are rows of the form as testers know them, by their ids.
func (s *State) named(ids []string) []string {
	names := map[string]string{CheckID: "the row that says what to choose"}
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

// CanUndo is the sequence number of the event that an undo would take back, or
// 0 when there is none: the last rating, label or judgement of the open task.
func (s *State) CanUndo() uint64 {
	t := s.Task()
	if t == nil || len(t.undo) == 0 {
		return 0
	}
	if s.Phase != Rate && s.Phase != Compose {
		return 0
	}
	if a := s.Attempt(); s.Phase == Compose && a.Tries > 0 {
		return 0 // the next prompt was sent: the judgement before it stands
	}
	return t.undo[len(t.undo)-1].seq
}

// Check reports whether payload may happen now, without changing s.
func (s *State) Check(payload Payload) error {
	return s.Clone().Apply(Event{Seq: s.Seq + 1, Stamp: s.Last, Payload: payload})
}

// notNow is the refusal of an event, with the reason.
func notNow(kind Kind, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", kind, ErrNotNow, fmt.Sprintf(format, args...))
}
