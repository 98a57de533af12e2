package store

import (
	"testing"

	"assay/data/fatal"
	"assay/scoring/irt/adaptive"
	"assay/session"
	"assay/session/simulate"
)

// The row of an adaptive session counts the tasks of the test, as its state does, while it goes on and when it has
// ended; rebuilt rows are the same.
func TestAdaptiveRow(t *testing.T) {
	plan := session.Plan{Benchmark: "b", K: 2, Context: session.Conversation, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "m", Provider: "command"},
		Adaptive: &session.Adaptive{Rules: adaptive.Rules{Least: 2, Most: 4, SE: 1.2, Among: 1, Exposure: 1}, Solved: session.SolvedWithinK}}
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		plan.Tasks = append(plan.Tasks, session.PlanTask{ID: id, Item: &adaptive.Item{ID: id, Slope: 1}})
	}
	events, texts, err := simulate.Session{ID: "S1", Plan: plan, Seed: 3}.Log()
	fatal.If(t, err)
	s := mustOpen(t, newPath(t), quiet)
	state := session.New()
	for _, e := range events {
		mustAppend(t, s, "S1", []session.Event{e}, texts)
		fatal.If(t, state.Apply(e))
		rows, err := s.Sessions()
		fatal.If(t, err)
		if rows[0].Progress != state.Progress() {
			t.Fatalf("after event %d (%s): %+v, the state has %+v", e.Seq, e.Payload.Kind(), rows[0].Progress, state.Progress())
		}
	}
	if p := state.Progress(); p.Most != 0 || p.Tasks != p.Closed() || p.Tasks < 2 || p.Tasks > 4 {
		t.Errorf("at the end: %+v", p)
	}
	if done, err := s.Rebuild(); err != nil || len(done.Changed) > 0 {
		t.Errorf("rebuilt %v, %v", done, err)
	}
}
