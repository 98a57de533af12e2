package repository

import (
	"context"

	"assay/benchmark"
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
