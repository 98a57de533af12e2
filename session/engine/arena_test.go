package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/pairs"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
)

// wrong is an answer that fails a test.
const wrong = "```python\ndef double(n):\n    return 'wrong'\n```\n"

// measuredBoth reports whether both answers of the open attempt are measured.
func measuredBoth(s *session.State) bool {
	a := s.Attempt()
	return a != nil && len(a.Sides) == 2 && !slices.ContainsFunc(a.Sides, func(on session.Attempt) bool {
		return on.Extracted == nil || on.Verdict == nil || on.Measured == nil
	})
}

// sent lists what a model was sent in a request.
func sent(r llm.Request) (all []string) {
	for _, m := range r.Messages {
		all = append(all, m.Text)
	}
	return all
}

// TestArena: two models answer each prompt, both are measured, and what the tester picks goes on.
func TestArena(t *testing.T) {
	r, ctx := rig(t, 1, enginetest.Arena)
	fatal.If(t, r.Engine.OpenTask(ctx))
	turn := func(text, mine, theirs string, outcome pairs.Outcome) session.Picked {
		t.Helper()
		r.Client.Say(mine)
		r.Rival.Say(theirs)
		fatal.If(t, r.Engine.Send(ctx, text))
		until(t, ctx, r, in(session.Pick))
		until(t, ctx, r, measuredBoth)
		s := r.Engine.State()
		a := s.Attempt()
		for _, side := range session.Sides() {
			want := []string{mine, theirs}[a.Sent.Sides[side.Index()]]
			if got, _ := r.Engine.Text(a.On(side).Answer.Answer); got != want || a.On(side).Answer.Side != side {
				t.Errorf("side %s has %q, want %q", side, got, want)
			}
		}
		if a.Answer != nil || s.CanUndo() != 0 {
			t.Errorf("an answer stands before one was picked: %+v", a)
		}
		fatal.If(t, r.Engine.Pick(ctx, outcome, true))
		a = r.Engine.State().Attempt()
		if r.Engine.State().Phase != session.Review || a.Answer != a.On(a.Picked.Goes).Answer || a.Verdict == nil {
			t.Errorf("%+v does not stand", a.Picked)
		}
		return *a.Picked
	}
	picked := turn("first", right, wrong, pairs.A)
	fatal.If(t, r.Engine.Undo(ctx))
	if a := r.Engine.State().Attempt(); r.Engine.State().Phase != session.Pick || a.Picked != nil || a.Answer != nil {
		t.Errorf("the pick is not taken back: %+v", a)
	}
	fatal.If(t, r.Engine.Pick(ctx, pairs.B, false))
	if picked = *r.Engine.State().Attempt().Picked; picked.Goes != session.SideB {
		t.Errorf("%+v", picked)
	}
	first, _ := r.Engine.Text(r.Engine.State().Attempt().Answer.Answer)
	fatal.If(t, r.Engine.Judge(ctx, session.DecideRefine, true))
	turn("second", right, wrong, pairs.Neither)
	if err := r.Engine.Judge(ctx, session.DecideSatisfied, true); !errors.Is(err, session.ErrNotNow) {
		t.Errorf("satisfied with an unusable answer: %v", err)
	}
	fatal.If(t, r.Engine.Judge(ctx, session.DecideRefine, true))
	if equal := turn("third", right, wrong, pairs.Equal); equal.Goes == "" {
		t.Errorf("%+v", equal)
	}
	for _, c := range []*enginetest.Client{r.Client, &r.Rival} {
		asked := c.Requests()
		if got, want := sent(asked[len(asked)-1]), []string{"first", first, "third"}; !slices.Equal(got, want) {
			t.Errorf("with the third prompt %q was sent, want %q", got, want)
		}
	}
	if sum := r.Engine.State().Account(); sum.Answers != 6 {
		t.Errorf("%d answers are accounted for, want both of 3 prompts", sum.Answers)
	}
	fatal.If(t, r.Engine.Judge(ctx, session.DecideGiveUp, true))
	if err := r.Engine.Undo(ctx); err != nil || r.Engine.State().CanUndo() != 0 {
		t.Errorf("a pick can be taken back after the judgement that showed the tests: %v", err)
	}
}

// TestArenaFailure: where one model fails, the other one's answer is kept for the same prompt, and the failure names no
// model. Another prompt asks both.
func TestArenaFailure(t *testing.T) {
	for _, again := range []string{"Double", "Treble"} {
		r, ctx := rig(t, 1, enginetest.Arena)
		fatal.If(t, r.Engine.OpenTask(ctx))
		r.Client.Say(right)
		r.Rival.Fail(&llm.Error{Class: "timeout", Message: "rival-1 is slow", Advice: "buy a faster rival-1"})
		fatal.If(t, r.Engine.Send(ctx, "Double"))
		until(t, ctx, r, in(session.Compose))
		a := r.Engine.State().Attempt()
		if a.Failed == nil || strings.Contains(a.Failed.Message+a.Failed.Advice, "rival") || a.Answer != nil || len(a.Received()) != 1 {
			t.Fatalf("%+v", a.Failed)
		}
		r.Client.Say(wrong)
		r.Rival.Say(right)
		fatal.If(t, r.Engine.Send(ctx, again))
		until(t, ctx, r, in(session.Pick))
		until(t, ctx, r, measuredBoth)
		want := map[string]int{"Double": 1, "Treble": 2}[again]
		if n := len(r.Client.Requests()); n != want || len(r.Rival.Requests()) != 2 {
			t.Errorf("with %q the model that had answered was asked %d times, want %d, the other %d", again, n, want, len(r.Rival.Requests()))
		}
	}
}

// TestArenaStop: stopping and leaving end the wait for both.
func TestArenaStop(t *testing.T) {
	r, ctx := rig(t, 1, enginetest.Arena)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	r.Engine.Stop()
	until(t, ctx, r, in(session.Compose))
	if a := r.Engine.State().Attempt(); a.Sides[0].Broken == nil || a.Sides[1].Broken == nil || a.Broken == nil {
		t.Errorf("%+v", a)
	}
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	fatal.If(t, r.Engine.Close(ctx))
	if a := r.Engine.State().Attempt(); a.Tries != 2 || a.Broken == nil || a.Broken.Reason != "quit" {
		t.Errorf("%+v", a.Broken)
	}
}

// TestArenaKilled: killed after any of its events, a session with two models goes on without losing an answer, and asks
// only the models whose answers it has not.
func TestArenaKilled(t *testing.T) {
	r, ctx := rig(t, 1, enginetest.Arena)
	fatal.If(t, r.Engine.OpenTask(ctx))
	r.Client.Say(right)
	r.Rival.Say(wrong)
	fatal.If(t, r.Engine.Send(ctx, "Double"))
	until(t, ctx, r, measuredBoth)
	fatal.If(t, r.Engine.Pick(ctx, pairs.A, true))
	whole, err := r.Store.Events(r.ID, 1)
	fatal.If(t, err)
	texts := map[session.Ref][]byte{}
	for _, e := range whole {
		for _, ref := range session.Refs(e.Payload) {
			texts[ref], err = r.Store.Blob(ref)
			fatal.If(t, err)
		}
	}
	for cut := 2; cut <= len(whole); cut++ { // with the task open
		again := &enginetest.Rig{Clock: enginetest.NewClock(), Store: enginetest.NewStore(), Client: &enginetest.Client{}, ID: r.ID}
		_, err := again.Store.Append(ctx, r.ID, whole[:cut], texts)
		fatal.If(t, err)
		fatal.If(t, again.Crash(1000))
		before := again.Engine.State()
		had := map[session.Side]*session.AnswerReceived{}
		if a := before.Attempt(); a != nil && a.Sides != nil {
			for _, side := range session.Sides() {
				had[side] = a.On(side).Answer
			}
		}
		again.Client.Say(right)
		again.Rival.Say(wrong)
		if before.Phase == session.Wait {
			t.Fatalf("after event %d the session waits for nobody", cut)
		}
		if before.Phase == session.Read || before.Phase == session.Compose {
			fatal.If(t, again.Engine.Send(ctx, "Double"))
		}
		until(t, ctx, again, measuredBoth)
		after := again.Engine.State().Attempt()
		missing := 0
		for _, side := range session.Sides() {
			if had[side] == nil {
				missing++
			} else if after.On(side).Answer.Answer != had[side].Answer {
				t.Errorf("after event %d the answer on side %s is lost", cut, side)
			}
		}
		if n := len(again.Client.Requests()) + len(again.Rival.Requests()); n != missing {
			t.Errorf("after event %d, %d models were asked, want the %d whose answer was missing", cut, n, missing)
		}
		log, err := again.Store.Events(r.ID, 1)
		fatal.If(t, err)
		fatal.If(t, enginetest.Verify(log))
		fatal.If(t, again.Engine.Close(ctx))
		again.Bury()
	}
}
