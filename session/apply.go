package session

import (
	"fmt"
	"slices"
)

// Apply folds one event. An event that the state does not allow is refused with an error that wraps
// ErrNotNow; s must not be used afterwards (decide on a Clone).
func (s *State) Apply(e Event) error {
	if e.Seq != s.Seq+1 {
		return fmt.Errorf("event %d cannot follow event %d", e.Seq, s.Seq)
	}
	if _, first := e.Payload.(Opened); first != (s.Seq == 0) {
		return notNow(e.Payload.Kind(), "a log begins with %s, once", KindOpened)
	}
	if p, ok := e.Payload.(Renamed); ok {
		return s.rename(p, e)
	}
	if s.Closed != "" && !late(e.Payload) {
		return notNow(e.Payload.Kind(), "the session is closed")
	}
	if s.Paused != "" && !background(e.Payload) {
		return notNow(e.Payload.Kind(), "the session is paused")
	}
	if s.Seq > 0 && s.Phase != Ended {
		s.spend(s.interval(e))
	}
	if err := s.apply(e); err != nil {
		return err
	}
	if s.Seq == 0 {
		s.First, s.Origin = e.Stamp, e.Origin
	}
	s.Seq, s.Hash, s.Last = e.Seq, e.Hash, e.Stamp
	return nil
}

// maxName is the longest name of a session, in bytes.
const maxName = 200

// rename leaves the last stamp unchanged, since naming a session ends no interval of time.
func (s *State) rename(p Renamed, e Event) error {
	if s.Closed == "withdrawn" {
		return notNow(p.Kind(), "the session was withdrawn")
	}
	if len(p.Name) > maxName {
		return fmt.Errorf("%s: the name has %d bytes, more than %d", p.Kind(), len(p.Name), maxName)
	}
	s.Name, s.Seq, s.Hash = p.Name, e.Seq, e.Hash
	return nil
}

// late reports whether p may still arrive after the session is closed: the result of work that was under
// way.
func late(p Payload) bool {
	switch p.(type) {
	case CodeExtracted, TreeChanged, VerdictRecorded, MendJudged, Measured, Flagged:
		return true
	}
	return false
}

// background reports whether p may happen during a pause: everything that the tester does not do.
func background(p Payload) bool {
	switch p.(type) {
	case FirstToken, AnswerArrived, AnswerReceived, AnswerFailed, AnswerInterrupted, CodeExtracted, TreeChanged, VerdictRecorded, MendJudged, Measured,
		FocusLost, FocusGained, IdleEnded, Suspended, Heartbeat, Flagged, Resumed, Closed:
		return true
	}
	return false
}

func (s *State) apply(e Event) error {
	switch p := e.Payload.(type) {
	case Opened:
		return s.open(p)
	case Closed:
		return s.close(p)
	case Consented:
		return s.consent(p)
	case Surveyed:
		return s.survey(p)
	case TaskOpened:
		return s.openTask(p)
	case TaskChosen:
		return s.choose(p)
	case TaskClosed:
		return s.closeTask(p)
	case TaskSkipped:
		return s.skip(p)
	case CorrectionBegun:
		return s.beginCorrection(p)
	case EditStarted:
		return s.startEdit(p)
	case DraftSaved:
		return s.edit(p.Kind(), p.Attempt, p.Splice, originTyped)
	case Inserted:
		return s.edit(p.Kind(), p.Attempt, p.Splice, originOf(p.What))
	case PromptSent:
		return s.send(p)
	case FirstToken:
		_, err := s.waiting(p.Kind(), p.Attempt, p.Side)
		return err
	case AnswerArrived:
		return s.arrive(p)
	case AnswerReceived:
		return s.receive(p)
	case AnswerFailed:
		return s.fail(p)
	case AnswerInterrupted:
		return s.interrupt(p)
	case CodeExtracted:
		return s.extract(p)
	case TreeChanged:
		return s.changeTree(p)
	case MergeJudged:
		return s.judgeMerge(p)
	case AnswerMended:
		return s.mend(p)
	case MendJudged:
		return s.judgeMend(p)
	case VerdictRecorded:
		return s.recordVerdict(p)
	case Measured:
		return s.recordMeasures(p)
	case TabShown:
		return s.showTab(p)
	case ScratchRun:
		return s.scratch(p)
	case Picked:
		return s.pick(p, e.Seq)
	case Judged:
		return s.judge(p, e.Seq)
	case Rated:
		return s.rate(p, e.Seq)
	case Labelled:
		return s.label(p, e.Seq)
	case Noted:
		return s.note(p)
	case WordsDrafted:
		return s.draftWords(p)
	case Undone:
		return s.undoLast(p)
	default:
		return s.overlay(e)
	}
}

// overlay folds the events that overlay the phases.
func (s *State) overlay(e Event) error {
	switch p := e.Payload.(type) {
	case Paused:
		if s.Phase == Ended {
			return notNow(p.Kind(), "the session is over")
		}
		s.Paused, s.Idle, s.pausedAt = p.Reason, false, e.Stamp
	case Resumed:
		s.rest(e)
		s.Paused, s.Blurred, s.Idle = "", false, false
	case FocusLost:
		s.Blurred = true
	case FocusGained:
		s.Blurred = false
	case IdleStarted:
		s.Idle = true
	case IdleEnded:
		s.Idle = false
	case Flagged:
		s.Flags = append(s.Flags, p.Reason)
	case Suspended, Heartbeat:
	default:
		return fmt.Errorf("%w: %T is not part of a session's log", ErrUnknownKind, p)
	}
	return nil
}

func (s *State) open(p Opened) error {
	if p.Session == "" {
		return fmt.Errorf("%s: the session has no id", p.Kind())
	}
	if err := p.Plan.Validate(); err != nil {
		return fmt.Errorf("%s: %w", p.Kind(), err)
	}
	s.Session, s.Plan, s.Env, s.Same = p.Session, p.Plan, p.Env, p.Same
	s.Tasks = make([]Task, len(p.Plan.Tasks))
	for i, t := range p.Plan.Tasks {
		s.Tasks[i] = Task{PlanTask: t, Ratings: map[string]int{}, Labels: map[string]string{}}
	}
	return nil
}

func (s *State) close(p Closed) error {
	if s.Phase == Wait {
		return notNow(p.Kind(), "an answer is awaited")
	}
	if p.Reason == "finished" && !s.Over() {
		return notNow(p.Kind(), "%d tasks are not done", len(s.Tasks)-s.Done())
	}
	if p.Reason == "finished" && len(s.Asked()) > 0 {
		return notNow(p.Kind(), "%d questions of the survey are open", len(s.Asked()))
	}
	if p.Reason == "" {
		return fmt.Errorf("%s: no reason is given", p.Kind())
	}
	s.Closed, s.Phase, s.Current, s.Paused = p.Reason, Ended, -1, ""
	return nil
}

func (s *State) consent(p Consented) error {
	if !s.WantsConsent() {
		return notNow(p.Kind(), "there is no consent to give")
	}
	if p.Version != s.Plan.Study.ConsentVersion {
		return fmt.Errorf("%s: the study's consent has version %q, not %q", p.Kind(), s.Plan.Study.ConsentVersion, p.Version)
	}
	s.Consented = p.Version
	return nil
}

func (s *State) openTask(p TaskOpened) error {
	if s.Phase != Between {
		return notNow(p.Kind(), "task %q is open", s.Task().ID)
	}
	if s.WantsConsent() {
		return notNow(p.Kind(), "the tester has not agreed to the study's consent")
	}
	if next := s.Next(); next < 0 || p.Index != next {
		return notNow(p.Kind(), "task %d is not the next one (%d)", p.Index, next)
	}
	if s.BreakDue() && s.Plan.Breaks.Forced {
		return notNow(p.Kind(), "the study wants a break first")
	}
	again, sure := s.Repeating()
	if !sure {
		return notNow(p.Kind(), "the tests of the practice task are still running")
	}
	t := &s.Tasks[p.Index]
	if t.ID != p.Task {
		return fmt.Errorf("%s: task %d of the plan is %q, not %q", p.Kind(), p.Index, t.ID, p.Task)
	}
	if again {
		*t = Task{PlanTask: t.PlanTask, Repeats: t.Repeats + 1, Ratings: map[string]int{}, Labels: map[string]string{}}
	}
	t.Opened = true
	t.Attempts = []Attempt{{N: 1}}
	s.Current, s.Phase, s.rested, s.last = p.Index, Read, 0, 0
	return nil
}

// inTask returns the open task if it is in one of the phases.
func (s *State) inTask(kind Kind, phases ...Phase) (*Task, error) {
	if s.Current < 0 {
		return nil, notNow(kind, "no task is open")
	}
	if !slices.Contains(phases, s.Phase) {
		return nil, notNow(kind, "the task is in phase %q", s.Phase)
	}
	return s.Task(), nil
}

func (s *State) closeTask(p TaskClosed) error {
	t, err := s.inTask(p.Kind(), Rate)
	if err != nil {
		return err
	}
	if p.Index != s.Current {
		return notNow(p.Kind(), "task %d is open, not %d", s.Current, p.Index)
	}
	if missing := s.Missing(); len(missing) > 0 {
		return &MissingError{s.rowNames(missing)}
	}
	if decided := t.Decided(s.Plan.K); p.Outcome != decided {
		return notNow(p.Kind(), "the task was judged %q, not %q", decided, p.Outcome)
	}
	t.Outcome, t.Closed, t.undo = p.Outcome, true, nil
	s.forgetWords(WordsAnswer, WordsNote, WordsReason, WordsMerge, WordsCall)
	if !t.Practice {
		s.sinceBreak++
	}
	s.Current, s.Phase, s.last = -1, Between, p.Index+1
	return nil
}

// Correctable returns the index of the task whose rating may be corrected, -1 for none: the task closed last,
// until the next one is opened.
func (s *State) Correctable() int {
	if !s.Plan.Corrections || s.Phase != Between || s.last == 0 {
		return -1
	}
	return s.last - 1
}

func (s *State) beginCorrection(p CorrectionBegun) error {
	if at := s.Correctable(); at < 0 || p.Index != at {
		return notNow(p.Kind(), "only the task that was closed last can be corrected, where the study allows it")
	}
	t := &s.Tasks[p.Index]
	if t.ID != p.Task {
		return fmt.Errorf("%s: task %d of the plan is %q, not %q", p.Kind(), p.Index, t.ID, p.Task)
	}
	t.Outcome, t.Closed = "", false
	t.Corrections++
	if !t.Practice {
		s.sinceBreak = max(0, s.sinceBreak-1)
	}
	s.Current, s.Phase, s.last = p.Index, Rate, 0
	return nil
}

func (s *State) skip(p TaskSkipped) error {
	if s.Phase == Wait {
		return notNow(p.Kind(), "an answer is awaited")
	}
	want := s.Current
	if want < 0 {
		want = s.Next()
	}
	if p.Index != want || want < 0 {
		return notNow(p.Kind(), "task %d is neither open nor next", p.Index)
	}
	t := &s.Tasks[p.Index]
	if t.Practice && s.Plan.Gate != nil {
		return notNow(p.Kind(), "the study asks for the practice before its tasks")
	}
	t.Outcome = Skipped
	if p.Unsolved != s.Unsolved() {
		return notNow(p.Kind(), "whether the task counts as not solved is decided by the tester's rule")
	}
	if p.Unsolved {
		t.Outcome = GaveUp
		t.Attempts = t.Attempts[:len(t.Attempts)-1] // the attempt that could not be sent
	}
	t.Closed, t.Reason, t.undo = true, p.Reason, nil
	s.forgetWords(WordsAnswer, WordsNote, WordsReason, WordsMerge, WordsCall)
	s.Current, s.Phase, s.last = -1, Between, 0
	return nil
}
