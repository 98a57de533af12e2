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

// TestExceeded: a prompt is compared with the context of the model together with the turns that are sent along.
func TestExceeded(t *testing.T) {
	for _, mode := range []session.Context{session.Conversation, session.Fresh} {
		ctx := context.Background()
		r, err := enginetest.New(1, func(c *session.Choice) { c.Context = mode })
		fatal.If(t, err)
		t.Cleanup(r.Bury)
		r.Client.Say("def f(): pass # " + strings.Repeat("x", 400))
		fatal.If(t, r.Engine.OpenTask(ctx))
		if r.Engine.Exceeded(strings.Repeat("x", 1<<20)) != 0 {
			t.Error("a context that nobody knows is exceeded")
		}
		eng := r.Reopen(t, func(c *engine.Config) { c.Holds = func(context.Context) int { return 100 } })
		fatal.If(t, eng.Send(ctx, strings.Repeat("x", 40)))
		fatal.If(t, r.Until(ctx, func(s *session.State) bool { return s.Attempt().Verdict != nil && s.Attempt().Measured != nil }))
		fatal.If(t, eng.Judge(ctx, session.DecideRefine, false))
		longer := map[int]bool{40: mode == session.Conversation, 403: mode == session.Conversation, 404: true}
		for size, want := range longer {
			if got := eng.Exceeded(strings.Repeat("x", size)); (got == 100) != want {
				t.Errorf("%s, %d bytes: %d", mode, size, got)
			}
		}
	}
}
