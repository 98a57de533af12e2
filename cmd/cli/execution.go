package cli

import (
	"context"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/sandbox"
	"assay/session/engine"
)

// consentPhrase must be typed, word for word, before assay runs code without a
// sandbox. It is recorded in every session and result that it made possible.
const consentPhrase = "run untrusted code without a sandbox"

// consentFlag offers to run without a sandbox.
func consentFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "no-sandbox", "", fmt.Sprintf("where no sandbox can be had: type `%q` to run code with all your rights", consentPhrase))
}

// The isolations. Both judge alike; strict gives up speed for sharing nothing
// between samples but the kernel.
const (
	isolationWarm   = "warm"
	isolationStrict = "strict"
)

func isolationFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "isolation", isolationWarm, "`mode`: warm forks samples in boxes that live for many of them, each in its own process namespace and files; strict makes a new box for each")
}

// execution is the machine's way of running code, made when it is first needed:
// a session may begin where no sandbox can be had.
type execution struct {
	consent   string
	isolation string // see isolationFlag; empty: warm

	once  sync.Once
	box   sandbox.Box
	judge *judge.Judge
	err   error // why code cannot run, with what to do
}

func newExecution(consent string) (*execution, error) {
	if consent != "" && consent != consentPhrase {
		return nil, usagef("--no-sandbox: type exactly %q to say that you mean it; code then runs with all your rights", consentPhrase)
	}
	return &execution{consent: consent}, nil
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

// makeBox prefers bubblewrap; without it, consent decides.
func (x *execution) makeBox(ctx context.Context) (sandbox.Box, error) {
	box, err := sandbox.NewBubblewrap()
	if err == nil {
		err = box.Probe(ctx)
	}
	if err == nil && x.isolation == isolationStrict {
		return box, nil
	}
	if err == nil {
		return sandbox.NewWarm(box), nil
	}
	if x.consent == "" {
		return nil, err
	}
	return sandbox.NewUnprotected(x.consent == consentPhrase)
}

// Judge makes execution an engine.Judge.
func (x *execution) Judge(ctx context.Context, task *benchmark.Task, code string) (judge.Result, error) {
	return x.judge.Judge(ctx, judge.Submission{Task: task, Code: code})
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
