package session

import (
	"fmt"
	"slices"
)

// This file folds the events of one attempt: writing the prompt, the answer, its measurement, and the
// tester's judgement.

// composing returns the open task if its attempt n is being written.
func (s *State) composing(kind Kind, n int) (*Task, *Attempt, error) {
	t, err := s.inTask(kind, Read, Compose)
	if err != nil {
		return nil, nil, err
	}
	a := s.Attempt()
	if a.N != n {
		return nil, nil, notNow(kind, "attempt %d is being written, not %d", a.N, n)
	}
	return t, a, nil
}

func (s *State) startEdit(p EditStarted) error {
	if _, _, err := s.composing(p.Kind(), p.Attempt); err != nil {
		return err
	}
	if s.Phase != Read {
		return notNow(p.Kind(), "writing has begun already")
	}
	s.Phase = Compose
	return nil
}

func (s *State) edit(kind Kind, attempt int, splice Splice, from origin) error {
	t, _, err := s.composing(kind, attempt)
	if err != nil {
		return err
	}
	if err := t.draft.apply(splice, from); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}

func (s *State) send(p PromptSent) error {
	_, a, err := s.composing(p.Kind(), p.Attempt)
	if err != nil {
		return err
	}
	if p.Bytes == 0 && s.Origin != Imported { // the prompts of imported tables are not known
		return notNow(p.Kind(), "the prompt is empty")
	}
	if p.Reflection {
		if err := s.reflect(p, a); err != nil {
			return err
		}
		s.Phase = Wait
		return nil
	}
	if s.WantsReflection() {
		return notNow(p.Kind(), "the model is to be asked first what was wrong")
	}
	if err := s.sidesOf(p); err != nil {
		return err
	}
	if p.Try != a.Tries+1 {
		return notNow(p.Kind(), "try %d cannot follow try %d", p.Try, a.Tries)
	}
	a.Tries, a.Sent, a.Failed, a.Broken = p.Try, &p, nil, nil
	if s.Plan.Arena != nil {
		a.askBoth(&p)
	}
	s.Phase = Wait
	return nil
}

// waiting returns the attempt, or its side, whose answer is awaited.
func (s *State) waiting(kind Kind, n int, side Side) (*Attempt, error) {
	if _, err := s.inTask(kind, Wait); err != nil {
		return nil, err
	}
	a := s.Attempt()
	if a.N != n {
		return nil, notNow(kind, "attempt %d is awaited, not %d", a.N, n)
	}
	on := a.On(side)
	switch {
	case on == nil:
		return nil, fmt.Errorf("%s: attempt %d has no side %q", kind, n, side)
	case a.Sides != nil && on.ended():
		return nil, notNow(kind, "the answer on side %s is not awaited any more", side)
	}
	return on, nil
}

// replied ends the wait for an answer; next is the phase where one model answers.
func (s *State) replied(side Side, next Phase) {
	if side == "" {
		s.Phase = next
		return
	}
	s.settle(s.Attempt())
}

func (s *State) arrive(p AnswerArrived) error {
	a, err := s.waiting(p.Kind(), p.Attempt, p.Side)
	if err != nil {
		return err
	}
	a.Arriving = append(a.Arriving, p)
	return nil
}

func (s *State) receive(p AnswerReceived) error {
	a, err := s.waiting(p.Kind(), p.Attempt, p.Side)
	if err != nil {
		return err
	}
	a.Arriving = nil
	if a.Reflecting() {
		r := *a.Reflection
		r.Answer = &p
		a.Reflection, s.Phase = &r, Compose
		return nil
	}
	a.Answer = &p
	s.replied(p.Side, Review)
	s.forgetWords(WordsAnswer)
	return nil
}

func (s *State) fail(p AnswerFailed) error {
	a, err := s.waiting(p.Kind(), p.Attempt, p.Side)
	if err != nil {
		return err
	}
	a.Failed, a.Arriving = &p, nil
	s.replied(p.Side, Compose)
	return nil
}

func (s *State) interrupt(p AnswerInterrupted) error {
	a, err := s.waiting(p.Kind(), p.Attempt, p.Side)
	if err != nil {
		return err
	}
	a.Broken, a.Arriving = &p, nil
	s.replied(p.Side, Compose)
	return nil
}

// answered has f change attempt n, or its side, of the task with that index, which must have its answers. Results of
// background work may arrive after the tester has moved on, so the task may be closed.
func (s *State) answered(kind Kind, task, n int, side Side, f func(*Attempt) error) error {
	if task < 0 || task >= len(s.Tasks) {
		return notNow(kind, "the plan has no task %d", task)
	}
	t := &s.Tasks[task]
	i := slices.IndexFunc(t.Attempts, func(a Attempt) bool { return a.N == n })
	if i < 0 || len(t.Attempts[i].Received()) < len(t.Attempts[i].Replies()) {
		return notNow(kind, "attempt %d of task %q has no answer", n, t.ID)
	}
	a := &t.Attempts[i]
	on := a.On(side)
	if on == nil {
		return fmt.Errorf("%s: attempt %d of task %q has no side %q", kind, n, t.ID, side)
	}
	defer a.stand()
	return f(on)
}

func (s *State) extract(p CodeExtracted) error {
	return s.answered(p.Kind(), p.Task, p.Attempt, p.Side, func(a *Attempt) error {
		if p.Candidate > 0 {
			return s.takeCandidate(p, a)
		}
		if a.Extracted != nil {
			return notNow(p.Kind(), "the code of attempt %d is recorded", p.Attempt)
		}
		a.Extracted = &p
		return nil
	})
}

// takeCandidate has another part of the answer under review judged.
func (s *State) takeCandidate(p CodeExtracted, a *Attempt) error {
	t, err := s.inTask(p.Kind(), Review)
	switch {
	case err != nil:
		return err
	case s.Paused != "" || s.Closed != "" || p.Task != s.Current || s.Attempt().N != p.Attempt || s.Attempt().Standing() != p.Side:
		return notNow(p.Kind(), "attempt %d is not under review", p.Attempt)
	case !s.Plan.TakesBlocks(t.Practice):
		return notNow(p.Kind(), "the study lets nobody choose the code that is judged")
	case a.Extracted == nil || a.Verdict == nil || a.Measured == nil:
		return notNow(p.Kind(), "attempt %d is still being judged", p.Attempt)
	}
	a.Extracted, a.Verdict, a.Measured = &p, nil, nil
	return nil
}

func (s *State) recordVerdict(p VerdictRecorded) error {
	return s.answered(p.Kind(), p.Task, p.Attempt, p.Side, func(a *Attempt) error {
		if a.Verdict != nil && a.Verdict.Verdict != sandboxError && a.Verdict.Verdict != notJudged {
			return notNow(p.Kind(), "the verdict on attempt %d is recorded", p.Attempt)
		}
		a.Verdict = &p
		return nil
	})
}

func (s *State) recordMeasures(p Measured) error {
	return s.answered(p.Kind(), p.Task, p.Attempt, p.Side, func(a *Attempt) error {
		if a.Measured != nil {
			return notNow(p.Kind(), "the measures of attempt %d are recorded", p.Attempt)
		}
		a.Measured = &p
		return nil
	})
}

// Verdicts that a later one may replace because they do not depend on the code.
const (
	sandboxError = "sandbox_error"
	notJudged    = "not_judged"
)

func (s *State) showTab(p TabShown) error {
	if _, err := s.inTask(p.Kind(), Review, Rate); err != nil {
		return err
	}
	a := s.Attempt()
	if a.N != p.Attempt {
		return notNow(p.Kind(), "attempt %d is shown, not %d", a.N, p.Attempt)
	}
	if !slices.Contains(a.Tabs, p.Tab) {
		a.Tabs = append(a.Tabs, p.Tab)
	}
	return nil
}

func (s *State) scratch(p ScratchRun) error {
	if _, err := s.inTask(p.Kind(), Review); err != nil {
		return err
	}
	a := s.Attempt()
	switch {
	case a.N != p.Attempt:
		return notNow(p.Kind(), "attempt %d is under review, not %d", a.N, p.Attempt)
	case a.Extracted == nil || a.Extracted.Code == "":
		return notNow(p.Kind(), "there is no code in the answer")
	case s.Plan.Sees(a) != SeeTests:
		return notNow(p.Kind(), "the study does not show the tests")
	}
	a.Scratch = append(a.Scratch, p)
	s.forgetWords(WordsCall)
	return nil
}

func (s *State) judge(p Judged, seq uint64) error {
	t, err := s.inTask(p.Kind(), Review)
	if err != nil {
		return err
	}
	a := s.Attempt()
	if a.N != p.Attempt {
		return notNow(p.Kind(), "attempt %d is judged, not %d", a.N, p.Attempt)
	}
	if err := s.follows(p, a); err != nil {
		return err
	}
	if p.Decision == DecideSatisfied && a.Unusable() {
		return notNow(p.Kind(), "neither answer of attempt %d is usable, as was said", a.N)
	}
	switch p.Decision {
	case DecideSatisfied, DecideGiveUp:
		s.Phase = Rate
	case DecideRefine:
		if a.N >= s.Plan.K {
			return notNow(p.Kind(), "attempt %d is the last of %d", a.N, s.Plan.K)
		}
		s.Phase = Compose
	default:
		return fmt.Errorf("%s: %q is not a decision", p.Kind(), p.Decision)
	}
	a.Decision, a.JudgedSeq, a.VerdictSeen, a.Revealed = p.Decision, seq, p.VerdictSeen, true
	t.undo = append(t.undo, undoable{seq: seq, kind: p.Kind()})
	if p.Decision == DecideRefine {
		t.Attempts = append(t.Attempts, Attempt{N: a.N + 1})
		t.draft = draft{}
	}
	return nil
}

func (s *State) rate(p Rated, seq uint64) error {
	t, err := s.inTask(p.Kind(), Rate)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.Plan.Attributes, func(a Attribute) bool { return a.ID == p.Attribute })
	check := p.Attribute == CheckID && t.Check != nil
	if i < 0 && !check {
		return fmt.Errorf("%s: the plan has no attribute %q", p.Kind(), p.Attribute)
	}
	if len(s.Plan.Attributes) == 0 {
		return fmt.Errorf("%s: the plan has no attributes, whose scale a check has", p.Kind())
	}
	if most := s.Plan.Attributes[max(i, 0)].Max(); p.Score < MinScore || p.Score > most {
		return fmt.Errorf("%s: %s = %d is outside %d to %d", p.Kind(), p.Attribute, p.Score, MinScore, most)
	}
	if check {
		t.undo = append(t.undo, undoable{seq: seq, kind: p.Kind(), key: CheckID, score: t.Checked})
		t.Checked = p.Score
		return nil
	}
	before, had := t.Ratings[p.Attribute]
	t.undo = append(t.undo, undoable{seq: seq, kind: p.Kind(), key: p.Attribute, score: before, had: had})
	t.Ratings[p.Attribute] = p.Score
	return nil
}

func (s *State) label(p Labelled, seq uint64) error {
	t, err := s.inTask(p.Kind(), Rate)
	if err != nil {
		return err
	}
	labels := s.Plan.LabelsFor(t.Decided(s.Plan.K))
	i := slices.IndexFunc(labels, func(l Label) bool { return l.ID == p.Label })
	if i < 0 {
		return notNow(p.Kind(), "label %q is not asked for here", p.Label)
	}
	if !slices.Contains(labels[i].Values, p.Value) {
		return fmt.Errorf("%s: %s = %q is not one of %v", p.Kind(), p.Label, p.Value, labels[i].Values)
	}
	before, had := t.Labels[p.Label]
	t.undo = append(t.undo, undoable{seq: seq, kind: p.Kind(), key: p.Label, value: before, had: had})
	t.Labels[p.Label] = p.Value
	return nil
}

func (s *State) note(p Noted) error {
	t, err := s.inTask(p.Kind(), Read, Compose, Wait, Review, Rate)
	if err != nil {
		return err
	}
	t.Note = p.Text
	return nil
}

func (s *State) undoLast(p Undone) error {
	if seq := s.CanUndo(); seq == 0 || seq != p.Seq {
		return notNow(p.Kind(), "event %d is not the one that can be taken back (%d)", p.Seq, seq)
	}
	t := s.Task()
	last := t.undo[len(t.undo)-1]
	t.undo = t.undo[:len(t.undo)-1]
	switch last.kind {
	case KindRated:
		if last.key == CheckID {
			t.Checked = last.score
			return nil
		}
		restore(t.Ratings, last.key, last.score, last.had)
	case KindLabelled:
		restore(t.Labels, last.key, last.value, last.had)
	case KindPicked:
		a := s.Attempt()
		a.Picked, s.Phase = nil, Pick
		a.stand()
	case KindJudged:
		if s.Phase == Compose { // refine: the attempt that it opened is removed
			t.Attempts = t.Attempts[:len(t.Attempts)-1]
			t.draft = draft{}
		}
		t.Merge = nil // it was about the final answer
		a := s.Attempt()
		a.Decision, a.JudgedSeq, a.VerdictSeen = "", 0, false
		s.Phase = Review
	}
	return nil
}

// restore puts back the value that a map had under key.
func restore[V any](m map[string]V, key string, before V, had bool) {
	if had {
		m[key] = before
	} else {
		delete(m, key)
	}
}
