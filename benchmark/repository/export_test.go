package repository

import (
	"context"
	"maps"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
)

var ReasonOf = reasonOf

const BinDir = binDir

// Toolchain returns shell commands that put a task's programs into BinDir, and the environment of its tests.
func (r *Runner) Toolchain(ctx context.Context, task *benchmark.Task) (programs string, env []string, err error) {
	j, err := r.open(ctx, task)
	if err != nil {
		return "", nil, err
	}
	defer j.root.Close()
	return j.tools.setUp(), j.spec("", nil).Env, nil
}

// JudgeChanges is Judge for changes that were already applied; nil judges the repository as it is.
func (r *Runner) JudgeChanges(ctx context.Context, task *benchmark.Task, changes patch.Changes) (Result, error) {
	j, err := r.ready(ctx, task)
	if err != nil {
		return Result{Outcome: outcomes.EnvironmentError, Message: err.Error()}, context.Cause(ctx)
	}
	defer j.root.Close()
	return j.judge(ctx, maps.Clone(changes))
}
