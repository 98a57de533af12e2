package engine_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/llm/llmtest"
)

// TestQuirks: of every row of the table of quirks, a session's log has the answer with all that belongs to it; or the
// failure, which costs no attempt and no prompt.
func TestQuirks(t *testing.T) {
	for _, q := range llmtest.Quirks() {
		t.Run(q.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, server, hot, most := t.Context(), q.Server(), 0.2, 100
				m := llm.Model{Name: "m", Provider: q.Provider, BaseURL: q.Base(), Model: "coder", Temperature: &hot, System: "be brief", MaxTokens: &most}
				client, err := m.Client(llm.Deps{Transport: server, Getenv: func(string) string { return "" }})
				fatal.If(t, err)
				r, err := enginetest.New(1)
				fatal.If(t, err)
				t.Cleanup(r.Bury)
				eng := r.Reopen(t, func(c *engine.Config) { c.Client = client })
				fatal.If(t, eng.OpenTask(ctx))
				fatal.If(t, eng.Send(ctx, "Double"))
				fatal.If(t, r.Until(ctx, func(s *session.State) bool { a := s.Attempt(); return a.Failed != nil || a.Measured != nil }))
				events, err := r.Store.Events(r.ID, 1)
				fatal.If(t, err)
				fatal.If(t, enginetest.Verify(events))
				if q.Class == "" {
					checkAnswer(t, q, r, events)
				} else {
					checkFailure(t, q, r, events)
				}
			})
		})
	}
}

// last returns the last event of a kind in a log.
func last[P session.Payload](t *testing.T, events []session.Event) P {
	t.Helper()
	for i := len(events) - 1; i >= 0; i-- {
		if p, is := events[i].Payload.(P); is {
			return p
		}
	}
	var none P
	t.Fatalf("there is no %T", none)
	return none
}

// checkAnswer compares a log's only answer with the row.
func checkAnswer(t *testing.T, q llmtest.Quirk, r *enginetest.Rig, events []session.Event) {
	t.Helper()
	a := last[session.AnswerReceived](t, events)
	text, err := r.Store.Blob(a.Answer)
	fatal.If(t, err)
	thinking := ""
	if a.Thinking != "" {
		stored, err := r.Store.Blob(a.Thinking)
		fatal.If(t, err)
		thinking = string(stored)
	}
	if string(text) != q.Text || thinking != q.Thinking || a.FinishReason != q.Finish || a.InputTokens != q.In || a.OutputTokens != q.Out || a.CachedTokens != q.Cached || a.Reasoning != q.Reasoning {
		t.Errorf("logged %+v, %q after %q; want %+v", a, text, thinking, q)
	}
	if odd := strings.Join(a.Odd, "; "); !strings.Contains(odd, q.Odd) || (odd == "") != (q.Odd == "") {
		t.Errorf("odd: %q, want %q", odd, q.Odd)
	}
	unfinished := map[string]bool{"length": true, "content_filter": true, "refusal": true, "repetition": true}[q.Finish]
	if got := len(a.Warnings()) > 0; got != (unfinished || q.Odd != "") {
		t.Errorf("the tester is told %q", a.Warnings())
	}
	if n := r.Engine.State().Attempt().N; n != 1 {
		t.Errorf("attempt %d", n)
	}
}

// checkFailure compares a log's failure with the row.
func checkFailure(t *testing.T, q llmtest.Quirk, r *enginetest.Rig, events []session.Event) {
	t.Helper()
	f := last[session.AnswerFailed](t, events)
	if f.Class != q.Class || !strings.Contains(f.Message, q.Odd) || !strings.Contains(f.Advice, q.Advice) {
		t.Errorf("logged %+v, want %s, %s, %s", f, q.Class, q.Odd, q.Advice)
	}
	s := r.Engine.State()
	if a := s.Attempt(); s.Phase != session.Compose || a.N != 1 || a.Answer != nil {
		t.Errorf("phase %s, attempt %+v", s.Phase, a)
	}
	fatal.If(t, r.Engine.Send(t.Context(), "Double, please")) // the same attempt is open
}
