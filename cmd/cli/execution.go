package cli

import (
	"context"
	"fmt"
	"sync"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/sandbox"
	"assay/session/engine"
)

// consentPhrase must be typed, word for word, before assay runs code without a
// sandbox. It is recorded in every session and result that it made possible.
const consentPhrase = "run untrusted code without a sandbox"

// execution is the machine's way of running code, made when it is first needed:
// a session may begin where no sandbox can be had.
type execution struct {
	isolationOptions

	once  sync.Once
	box   sandbox.Box
	judge *judge.Judge
	err   error // why code cannot run, with what to do
}

func newExecution(o isolationOptions, getenv func(string) string) (*execution, error) {
	if err := o.check(getenv); err != nil {
		return nil, err
	}
	return &execution{isolationOptions: o}, nil
}

func (x *execution) open(ctx context.Context) {
	x.once.Do(func() {
		x.box, x.err = x.makeBox(ctx)
		if x.err != nil {
			x.err = fmt.Errorf("code is not run: %w", x.err)
			return
		}
		x.judge, x.err = judge.New(judge.Options{Box: x.box})
	})
}

// makeBox makes the box that was asked for, and proves that it works. None other
// takes its place, but for the one without isolation that the user consented to.
func (x *execution) makeBox(ctx context.Context) (sandbox.Box, error) {
	box, err := openBox(ctx, x.isolationOptions)
	if err == nil || !x.replaceable() {
		return box, err
	}
	if x.consent == consentPhrase {
		return sandbox.NewUnprotected(true)
	}
	return nil, advise(ctx, err)
}

// Judge makes execution an engine.Judge.
func (x *execution) Judge(ctx context.Context, task *benchmark.Task, code string) (judge.Result, error) {
	return x.judge.Judge(ctx, judge.Submission{Task: task, Code: code})
}

// Ready says why there can be no verdict on a task here. It opens the sandbox, which
// may be what is missing.
func (x *execution) Ready(ctx context.Context, task *benchmark.Task) error {
	x.open(ctx)
	if x.err != nil {
		return x.err
	}
	return x.judge.Ready(task)
}

// forEngine is the judge of a live session, or why there is none.
func (x *execution) forEngine(ctx context.Context) (engine.Judge, error) {
	x.open(ctx)
	if x.err != nil {
		return nil, x.err
	}
	return x, nil
}

// describe says in a few words how code runs here.
func (x *execution) describe(ctx context.Context) (text string, isolated bool) {
	x.open(ctx)
	switch {
	case x.err != nil:
		return "not at all: " + x.err.Error(), false
	case x.box.Name() == "none":
		return "without isolation, as you consented", false
	case x.box.Name() == isolationLandlock:
		return "isolated (landlock, without namespaces)", true
	}
	return "isolated (" + x.box.Name() + ")", true
}

func (x *execution) close() error {
	if x.judge != nil {
		_ = x.judge.Close()
	}
	if x.box != nil {
		return x.box.Close()
	}
	return nil
}
