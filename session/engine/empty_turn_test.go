package engine_test

import (
	"context"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
)

// TestEmptyTurn: an answer without text is sent back as a turn with text, since many servers refuse an empty one, and
// the log has what was sent.
func TestEmptyTurn(t *testing.T) {
	ctx := context.Background()
	r, err := enginetest.New(1, func(c *session.Choice) { c.Context = session.Conversation })
	fatal.If(t, err)
	t.Cleanup(r.Bury)
	r.Client.Say(" \n")
	r.Client.Say("def f(): pass")
	fatal.If(t, r.Engine.OpenTask(ctx))
	for attempt := 1; attempt <= 2; attempt++ {
		fatal.If(t, r.Engine.Send(ctx, "Double"))
		fatal.If(t, r.Until(ctx, func(s *session.State) bool {
			a := s.Attempt()
			return a.N == attempt && a.Extracted != nil && a.Verdict != nil && a.Measured != nil
		}))
		if attempt == 1 {
			fatal.If(t, r.Engine.Judge(ctx, session.DecideRefine, false))
		}
	}
	sent := r.Client.Requests()[1].Messages
	logged := r.Engine.State().Attempt().Sent.Messages
	if len(sent) != 3 || len(logged) != 3 || sent[1].Text == "" {
		t.Fatalf("sent %q, logged %v", sent, logged)
	}
	for i := range sent {
		stored, err := r.Store.Blob(logged[i].Text)
		if err != nil || string(stored) != sent[i].Text || sent[i].Text == " \n" {
			t.Errorf("turn %d: sent %q, stored %q, %v", i, sent[i].Text, stored, err)
		}
	}
}
