package engine_test

import (
	"context"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
)

// twoBlocks is an answer whose second block is taken.
const twoBlocks = "First:\n\n```python\ndef double(n):\n    return n  # wrong\n```\n\nBetter:\n\n```python\ndef double(n):\n    return 2 * n\n```\n"

// reviewed is a session in which this answer is under review, judged and measured.
func reviewed(t *testing.T, answer string, adjust func(*session.Choice)) *enginetest.Rig {
	t.Helper()
	ctx := t.Context()
	rig, err := enginetest.New(1, adjust)
	fatal.If(t, err)
	rig.Client.Say(answer)
	fatal.If(t, rig.Engine.OpenTask(ctx))
	fatal.If(t, rig.Engine.Edit(ctx, "Double it"))
	fatal.If(t, rig.Engine.Send(ctx, "Double it"))
	fatal.If(t, rig.Until(ctx, settled))
	return rig
}

func settled(s *session.State) bool {
	a := s.Attempt()
	return a != nil && a.Verdict != nil && a.Measured != nil
}

// Another block is judged and measured anew, and both choices are in the log.
func TestTake(t *testing.T) {
	rig := reviewed(t, twoBlocks, func(*session.Choice) {})
	ctx, before := t.Context(), *rig.Engine.State().Attempt()
	if before.Verdict.Verdict != "accepted" || before.Extracted.Candidate != 0 {
		t.Fatalf("%+v, %+v", before.Verdict, before.Extracted)
	}
	fatal.If(t, rig.Engine.Take(ctx, 1))
	fatal.If(t, rig.Until(ctx, settled))
	a := rig.Engine.State().Attempt()
	code, err := rig.Engine.Text(a.Extracted.Code)
	fatal.If(t, err)
	if a.Verdict.Verdict != "wrong_answer" || a.Measured.CommentLines != 1 || a.Extracted.Candidate != 1 || a.Extracted.Method != "tester" || !strings.Contains(code, "wrong") {
		t.Errorf("%+v, %+v, %+v, %q", a.Verdict, a.Measured, a.Extracted, code)
	}
	parts, err := rig.Engine.Blocks()
	fatal.If(t, err)
	if len(parts) != 2 || !parts[0].Chosen || parts[1].Chosen {
		t.Errorf("%+v", parts)
	}
	again := rig.Reopen(t, func(*engine.Config) {})
	if s := again.State().Attempt(); s.Verdict.Verdict != "wrong_answer" || s.Extracted.Candidate != 1 {
		t.Errorf("after a new start: %+v, %+v", s.Verdict, s.Extracted)
	}
}

// Nobody takes another block where the study does not let them, while the answer is judged, or after it was decided on.
func TestTakeIsRefused(t *testing.T) {
	ctx := context.Background()
	rig := reviewed(t, twoBlocks, func(c *session.Choice) { c.Study = &session.InStudy{Name: "s", Part: 1} })
	if err := rig.Engine.Take(ctx, 1); err == nil || !strings.Contains(err.Error(), "the study lets nobody choose") {
		t.Errorf("in a study: %v", err)
	}
	rig = reviewed(t, twoBlocks, func(c *session.Choice) { c.Study = &session.InStudy{Name: "s", Part: 1}; c.Rules.TakeBlock = true })
	fatal.If(t, rig.Engine.Take(ctx, 1))
	fatal.If(t, rig.Until(ctx, settled))
	fatal.If(t, rig.Engine.Judge(ctx, session.DecideSatisfied, true))
	if err := rig.Engine.Take(ctx, 2); err == nil {
		t.Error("after the judgement another block was taken")
	}
	state := rig.Engine.State().Clone()
	for name, p := range map[string]session.CodeExtracted{"another task": {Task: 5, Attempt: 1, Candidate: 1}, "another attempt": {Attempt: 2, Candidate: 1}, "twice": {Attempt: 1}} {
		if err := state.Clone().Apply(session.Event{Seq: state.Seq + 1, Version: 1, Stamp: state.Last, Payload: p}); err == nil {
			t.Errorf("%s is allowed", name)
		}
	}
}
