package engine_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
)

// slowFirst is a judge whose first verdict takes until it is stopped.
type slowFirst struct {
	next  enginetest.Judge
	began chan struct{}
	calls atomic.Int32
}

func (j *slowFirst) Judge(ctx context.Context, task *benchmark.Task, code string) (verdicts.Result, error) {
	if j.calls.Add(1) == 1 {
		close(j.began)
		<-ctx.Done()
		return verdicts.Result{}, ctx.Err()
	}
	return j.next.Judge(ctx, task, code)
}

// A session that could not be closed and continues runs the stopped tests again.
func TestStayingRunsTheTestsAgain(t *testing.T) {
	ctx := t.Context()
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	slow := &slowFirst{began: make(chan struct{})}
	rig.Reopen(t, func(cfg *engine.Config) { cfg.Judge = slow })
	rig.Client.Say("```python\ndef double(n):\n    return 2 * n\n```\n")
	fatal.If(t, errors.Join(rig.Engine.OpenTask(ctx), rig.Engine.Send(ctx, "x")))
	<-slow.began
	rig.Store.Fail(errors.New("no space left on device"))
	if err := rig.Engine.Close(ctx); err == nil {
		t.Fatal("it was closed")
	}
	rig.Store.Fail(nil)
	if err := rig.Until(ctx, func(s *session.State) bool { return s.Attempt().Verdict != nil }); err != nil {
		t.Error(err)
	}
	if err := rig.Engine.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
