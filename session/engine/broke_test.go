package engine_test

import (
	"context"
	"fmt"
	"testing"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/session"
	"assay/session/engine"
)

// breaking is a judge that fails in a way that nobody thought of.
type breaking struct{}

func (breaking) Judge(context.Context, *benchmark.Task, string) (judge.Result, error) {
	panic("the judge broke")
}

// A panic beside the intents is told to whoever shares the process; the session can be left,
// and goes on where it was.
func TestBroken(t *testing.T) {
	r, ctx := rig(t, 1)
	must(t, r.Engine.Close(ctx))
	cfg := r.Config()
	told := make(chan string, 10)
	cfg.Judge, cfg.Broke = breaking{}, func(why any) { told <- fmt.Sprint(why) }
	e, err := engine.Reopen(ctx, cfg, r.ID)
	must(t, err)
	r.Client.Say(right)
	must(t, e.OpenTask(ctx))
	must(t, e.Send(ctx, "Double a number"))
	if why := <-told; why != "the judge broke" {
		t.Errorf("it is told %q", why)
	}
	e.Go(func() { panic("so did what was begun") })
	if why := <-told; why != "so did what was begun" {
		t.Errorf("it is told %q", why)
	}
	must(t, e.Close(ctx)) // nothing hangs
	if s := e.State(); s.Paused == "" || s.Attempt().Answer == nil || s.Attempt().Verdict != nil {
		t.Errorf("%+v", s)
	}
	again, err := engine.Reopen(ctx, r.Config(), r.ID)
	must(t, err)
	r.Engine = again
	until(t, ctx, r, judged(1))
	if len(told) > 0 || again.State().Phase == session.Wait {
		t.Error("more broke", len(told))
	}
}
