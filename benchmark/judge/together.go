package judge

import (
	"context"

	"assay/benchmark"
)

// Isolation has a price: tests cannot do everything with objects that live in another
// process. Where a task's own reference solution is right in one process and not apart
// from its tests, a sample that fails is judged in one process, too, and its result says
// so. The reference decides, and never what a sample does: a sample must not be able to
// choose a process in which verdicts can be forged.

// inseparable reports whether a task's tests have to share a process with the program.
func (j *Judge) inseparable(ctx context.Context, task *benchmark.Task, result Result, lib *library, worker **checker) bool {
	if task.Reference == "" || task.Language != "python" || task.Tests.InProcess || !sharesProcess(task.Tests.Style) {
		return false
	}
	key := task.Hash()
	if known, ok := j.together.Load(key); ok {
		return known.(bool)
	}
	ctx = WithProgress(ctx, func(Progress) {}) // which is the sample's
	reference := Submission{Task: task, Code: task.Reference}
	l := limits{Limits: task.Limits.WithDefaults()}
	_, suspect, err := j.judge(ctx, reference, l, result, nil, lib, worker)
	needed := false
	if err == nil && suspect {
		var one Result
		one, _, err = j.judge(ctx, together(reference), l, inOneProcess(result), nil, lib, worker)
		needed = one.Verdict == Accepted
	}
	if err == nil {
		j.together.Store(key, needed)
	}
	return needed
}

// sharesProcess reports whether tests of the style may share a process with the program.
func sharesProcess(style benchmark.Style) bool {
	return style == benchmark.Check || style == benchmark.Asserts || style == benchmark.Unittest
}

// together is the submission with its tests in its own process.
func together(s Submission) Submission {
	task := *s.Task
	task.Tests.InProcess = true
	s.Task = &task
	return s
}

func inOneProcess(result Result) Result {
	if result.Isolation == "isolated" {
		result.Isolation = InProcess
	}
	return result
}
