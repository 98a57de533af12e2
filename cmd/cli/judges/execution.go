package judges

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/repository/agents"
	"assay/benchmark/repository/patch"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/session/engine"
)

// ConsentPhrase must be typed, word for word, before assay runs code without a sandbox. It is recorded in
// every session and result that depends on it.
const ConsentPhrase = "run untrusted code without a sandbox"

// Execution runs code on this machine. It is created on first use, since a session may begin without a
// sandbox.
type Execution struct {
	Isolation
	Repositories judge.Repositories

	once   sync.Once
	Box    sandbox.Box
	Engine *judge.Judge
	err    error // why code cannot run, with the remedy
}

// NewExecution checks the flags without opening anything.
func NewExecution(o Isolation, getenv func(string) string) (*Execution, error) {
	if err := o.Check(getenv); err != nil {
		return nil, err
	}
	found, err := repositories(getenv)
	return &Execution{Isolation: o, Repositories: found}, err
}

func (x *Execution) open(ctx context.Context) {
	x.once.Do(func() {
		x.Box, x.err = x.MakeBox(ctx)
		if x.err != nil {
			x.err = fmt.Errorf("code is not run: %w", x.err)
			return
		}
		x.Engine, x.err = judge.New(judge.Options{Box: x.Box, Repositories: x.Repositories})
	})
}

// MakeBox creates the requested box and proves that it works. Nothing replaces a box that does not, except
// the one without isolation if the user consented to it.
func (x *Execution) MakeBox(ctx context.Context) (sandbox.Box, error) {
	box, err := OpenBox(ctx, x.Isolation)
	if err == nil || !x.replaceable() {
		return box, err
	}
	if x.Consent == ConsentPhrase {
		return sandbox.NewUnprotected(true)
	}
	return nil, advise(ctx, err)
}

// Judge implements engine.Judge.
func (x *Execution) Judge(ctx context.Context, task *benchmark.Task, code string) (verdicts.Result, error) {
	return x.Engine.Judge(ctx, verdicts.Submission{Task: task, Code: code})
}

// Work implements llm.Agents: agents work in boxes like those in which code runs.
func (x *Execution) Work(ctx context.Context, task *benchmark.Task, p agents.Program) (agents.Work, error) {
	x.open(ctx)
	if x.err != nil {
		return agents.Work{}, x.err
	}
	return x.Engine.Work(ctx, task, p)
}

// Tree implements engine.Trees.
func (x *Execution) Tree(ctx context.Context, task *benchmark.Task) (tree patch.Tree, closes func() error, err error) {
	if x.open(ctx); x.err != nil {
		return nil, nil, x.err
	}
	return x.Engine.Tree(ctx, task)
}

// Ready returns why a task cannot be judged here. It opens the sandbox, which may be what is missing.
func (x *Execution) Ready(ctx context.Context, task *benchmark.Task) error {
	x.open(ctx)
	if x.err != nil {
		return x.err
	}
	return x.Engine.Ready(task)
}

// ForEngine returns the judge of a live session, or why there is none.
func (x *Execution) ForEngine(ctx context.Context) (engine.Judge, error) {
	x.open(ctx)
	if x.err != nil {
		return nil, x.err
	}
	return x, nil
}

// Describe describes in a few words how code runs here.
func (x *Execution) Describe(ctx context.Context) (text string, isolated bool) {
	x.open(ctx)
	switch {
	case x.err != nil:
		return "not at all: " + x.err.Error(), false
	case x.Box.Name() == "none":
		return "without isolation, as you consented", false
	case x.Box.Name() == IsolationLandlock:
		return "isolated (Landlock, without namespaces)", true
	case strings.HasPrefix(x.Box.Name(), "bwrap"): // warm or strict, as each result's enforcement says
		return "isolated (bubblewrap)", true
	}
	return "isolated (" + x.Box.Name() + ")", true
}

// Close closes judge and sandbox.
func (x *Execution) Close() error {
	if x.Engine != nil {
		_ = x.Engine.Close()
	}
	if x.Box != nil {
		return x.Box.Close()
	}
	return nil
}
