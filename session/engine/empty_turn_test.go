package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
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

// TestTooLongConversation: what the model refuses as too long is sent again with the newer half of the earlier turns.
func TestTooLongConversation(t *testing.T) {
	ctx := context.Background()
	r, err := enginetest.New(1, func(c *session.Choice) { c.Context = session.Conversation })
	fatal.If(t, err)
	t.Cleanup(r.Bury)
	fatal.If(t, r.Engine.OpenTask(ctx))
	tooLong := &llm.Error{Class: llm.TooLong, Message: "9000 tokens are too many"}
	var sizes []int
	for attempt := 1; attempt <= 4; attempt++ {
		for try := 0; try <= 2; try++ {
			last := attempt < 4 || try == 2
			if last {
				r.Client.Say("def f(): pass")
			} else {
				r.Client.Fail(tooLong)
			}
			fatal.If(t, r.Engine.Send(ctx, "Double"))
			fatal.If(t, r.Until(ctx, func(s *session.State) bool {
				a := s.Attempt()
				return a.Extracted != nil && a.Verdict != nil && a.Measured != nil || s.Phase == session.Compose && a.Failed != nil && a.Tries == try+1
			}))
			if a := r.Engine.State().Attempt(); !last && (a.Failed == nil || !strings.Contains(a.Failed.Advice, "older half")) {
				t.Errorf("the advice is %+v", a.Failed)
			}
			requests := r.Client.Requests()
			sizes = append(sizes, len(requests[len(requests)-1].Messages))
			if last {
				break
			}
		}
		if attempt < 4 {
			fatal.If(t, r.Engine.Judge(ctx, session.DecideRefine, false))
		}
	}
	if want := []int{1, 3, 5, 7, 3, 1}; !slices.Equal(sizes, want) {
		t.Errorf("sent %v turns, want %v", sizes, want)
	}
}
