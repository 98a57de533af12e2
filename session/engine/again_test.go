package engine_test

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
)

// An answer that was not judged, since no code could be run, is judged when the session is reopened where
// code can be run.
func TestJudgedAgain(t *testing.T) {
	r, ctx := rig(t, 1)
	verdict := func() string { return r.Engine.State().Attempt().Verdict.Verdict }
	missing := func(c *engine.Config) { c.Judge, c.NoJudge = nil, "there is no python3" }
	r.Reopen(t, missing)
	r.Client.Say(right)
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double a number"))
	until(t, ctx, r, judged(1))
	if got := verdict(); got != "not_judged" {
		t.Fatalf("verdict %s without a judge", got)
	}
	r.Reopen(t, missing) // nothing has changed
	if got := verdict(); got != "not_judged" {
		t.Fatalf("verdict %s without a judge", got)
	}
	r.Reopen(t, func(*engine.Config) {})
	until(t, ctx, r, func(s *session.State) bool { return s.Attempt().Verdict.Verdict == "accepted" })
	n := 0
	for _, k := range kinds(t, r) {
		if k == session.KindVerdictRecorded {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d verdicts in the log, want 2", n)
	}
}

// Code for which there are no tests is run for the tester to look at; what came of it is with the verdict, which is none.
func TestRunWithoutTests(t *testing.T) {
	r, err := enginetest.New(1, func(c *session.Choice) { c.Benchmark.Tasks[1].Tests = benchmark.Tests{} })
	fatal.If(t, err)
	ctx := t.Context()
	r.Client.Say("```python\nopen('big.csv', 'w'), open('gone.csv', 'w')\n```\n")
	fatal.If(t, r.Engine.OpenTask(ctx))
	fatal.If(t, r.Engine.Send(ctx, "Double a number"))
	until(t, ctx, r, judged(1))
	v := r.Engine.State().Attempt().Verdict
	detail, err := r.Engine.Text(v.Detail)
	if err != nil || v.Verdict != "not_judged" || v.Total != 0 || v.Loads || !strings.Contains(detail, `"stdout":"ran `) ||
		v.Message != "the task has no tests: you are its judge" || len(v.Outputs) != 1 || v.Outputs[0].Problem != "it is too large" {
		t.Errorf("%+v, %s, %v", v, detail, err)
	}
}
