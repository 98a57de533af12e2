package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/batch"
	"assay/data/fatal"
	"assay/scoring"
	"assay/scoring/quality"
	"assay/session"
	"assay/session/engine"
)

// TestAnalysersOfASession: each analyser's ratings and findings are kept with the attempt, the worst rating counts, and an
// analyser that fails costs the ratings and nothing else.
func TestAnalysersOfASession(t *testing.T) {
	var failed error
	found := batch.Analysed{
		By:       []scoring.Rated{{Analyser: "one 1", Findings: 1, Reliability: "A", Security: "C"}, {Analyser: "two 2", Reliability: "B"}},
		Findings: []quality.Finding{{Rule: "exec", Severity: quality.Major, Dimension: quality.Security, Line: 2, Message: "runs text", Analyser: "one 1"}},
	}
	r, ctx := rig(t, 1)
	analysis := &batch.Analysis{Rate: func(_ context.Context, _ *benchmark.Task, _ int, code string, _ assemble.Assembly) (batch.Analysed, error) {
		if failed != nil {
			return batch.Analysed{}, failed
		}
		return found, nil
	}}
	e := r.Reopen(t, func(cfg *engine.Config) { cfg.Analysis = analysis })
	measured := func(n int) func(*session.State) bool {
		return func(s *session.State) bool { return judged(n)(s) && s.Attempt().Measured != nil }
	}
	r.Client.Say(right)
	fatal.If(t, e.OpenTask(ctx))
	fatal.If(t, e.Send(ctx, "Double a number"))
	until(t, ctx, r, measured(1))
	m := e.State().Attempt().Measured
	if m.Reliability != "B" || m.Security != "C" || m.Findings != 1 || m.Analyser != "one 1, two 2" || len(m.By) != 2 || m.CodeLines != 2 || m.Unrated != "" {
		t.Errorf("measured %+v", m)
	}
	report, err := e.Inspected(m)
	fatal.If(t, err)
	if report.Reliability != "B" || len(report.Findings) != 1 || report.Findings[0] != found.Findings[0] {
		t.Errorf("the findings are %+v", report)
	}
	fatal.If(t, e.Judge(ctx, session.DecideRefine, false))

	failed = errors.New("two 2 crashed")
	r.Client.Say("")
	fatal.If(t, e.Send(ctx, "Again"))
	until(t, ctx, r, measured(2))
	if m := e.State().Attempt().Measured; m.Unrated != "" || len(m.By) != 0 || !m.NoCode() {
		t.Errorf("an answer without code was rated: %+v", m)
	}
	fatal.If(t, e.Judge(ctx, session.DecideRefine, false))
	r.Client.Say(right)
	fatal.If(t, e.Send(ctx, "And again"))
	until(t, ctx, r, measured(3))
	if m := e.State().Attempt().Measured; m.Unrated != "two 2 crashed" || m.Reliability != "" || m.Security != "" || m.Findings != 0 || m.Analyser != "" || m.CodeLines != 2 {
		t.Errorf("measured %+v", m)
	}
}

// TestMeasuredWithoutAnalysers: the log has no further field where none was named.
func TestMeasuredWithoutAnalysers(t *testing.T) {
	r, ctx := rig(t, 1)
	r.Client.Say(right)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double a number"))
	until(t, ctx, r, func(s *session.State) bool { return judged(1)(s) && s.Attempt().Measured != nil })
	m := r.Engine.State().Attempt().Measured
	text, err := json.Marshal(m)
	fatal.If(t, err)
	var fields map[string]any
	fatal.If(t, json.Unmarshal(text, &fields))
	if fields["by_analyser"] != nil || fields["unrated"] != nil || m.Analyser == "" {
		t.Errorf("without named analysers the log has %s", text)
	}
}
