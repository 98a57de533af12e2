package engine_test

import (
	"context"
	"fmt"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
)

// breaking is a judge that panics.
type breaking struct{}

func (breaking) Judge(context.Context, *benchmark.Task, string) (verdicts.Result, error) {
	panic("the judge broke")
}

// A panic outside the intents is reported to the owner of the process. If the judge panicked, the verdict
// reports it, and the session continues, since it would panic again each time.
func TestBroken(t *testing.T) {
	r, ctx := rig(t, 1)
	fatal.If(t, r.Engine.Close(ctx))
	cfg := r.Config()
	told := make(chan string, 10)
	cfg.Judge, cfg.Broke = breaking{}, func(why any, goesOn bool) { told <- fmt.Sprint(why, ", goes on: ", goesOn) }
	e, err := engine.Reopen(ctx, cfg, r.ID)
	fatal.If(t, err)
	r.Engine = e
	r.Client.Say(right)
	fatal.If(t, e.OpenTask(ctx))
	fatal.If(t, e.Send(ctx, "Double a number"))
	until(t, ctx, r, judged(1))
	if why := <-told; why != "the judge broke, goes on: true" {
		t.Errorf("it is told %q", why)
	}
	if v := e.State().Attempt().Verdict; v.Verdict != string(verdicts.SandboxError) || v.Message != "judging broke: the details are in the server's log" {
		t.Errorf("the verdict is %+v", v)
	}
	e.Go(func() { panic("so did what was begun") })
	if why := <-told; why != "so did what was begun, goes on: false" {
		t.Errorf("it is told %q", why)
	}
	fatal.If(t, e.Close(ctx)) // nothing hangs
	again, err := engine.Reopen(ctx, cfg, r.ID)
	fatal.If(t, err)
	r.Engine = again
	fatal.If(t, again.Judge(ctx, session.DecideGiveUp, false))
	if len(told) > 0 || again.State().Attempt().Verdict == nil {
		t.Error("more broke", len(told))
	}
}

// A measurement that panicked before a verdict was recorded is repeated when the session is continued; if
// it panics again, the session continues.
func TestBrokenAtEachResume(t *testing.T) {
	r, ctx := rig(t, 1)
	fatal.If(t, r.Engine.Close(ctx))
	cfg := r.Config()
	held := make(chan struct{})
	cfg.Judge = stopped(held)
	e, err := engine.Reopen(ctx, cfg, r.ID)
	fatal.If(t, err)
	r.Client.Say(right)
	fatal.If(t, e.OpenTask(ctx))
	fatal.If(t, e.Send(ctx, "Double a number"))
	<-held
	fatal.If(t, e.Close(ctx))
	if a := e.State().Attempt(); a.Answer == nil || a.Verdict != nil {
		t.Fatalf("%+v", a)
	}
	told := make(chan bool, 10)
	cfg.Judge, cfg.Broke = breaking{}, func(_ any, goesOn bool) { told <- goesOn }
	for range 3 {
		e, err = engine.Reopen(ctx, cfg, r.ID)
		fatal.If(t, err)
		r.Engine = e
		until(t, ctx, r, judged(1))
		fatal.If(t, e.Close(ctx))
	}
	if len(told) != 1 || !<-told {
		t.Errorf("it is told of %d panics", len(told)+1)
	}
}

// stopped is a judge that works until the session is left.
type stopped chan struct{}

func (s stopped) Judge(ctx context.Context, _ *benchmark.Task, _ string) (verdicts.Result, error) {
	close(s)
	<-ctx.Done()
	return verdicts.Result{}, ctx.Err()
}
