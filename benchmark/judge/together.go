package judge

import (
	"context"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

// Isolation has a price: tests cannot do everything with objects of another process. Where a
// task's reference solution passes in one process with its tests but not in two, a sample that
// fails is also judged in one process, and its result is labelled so. The reference decides,
// never the sample: a sample must not be able to choose a process in which verdicts can be
// forged.

// reference is the result of judging a task's reference solution.
type reference struct {
	seconds  float64 // of the slowest test case; negative: not accepted
	together bool    // accepted only in one process with its tests
}

// reference judges the task's reference solution, once.
func (j *Judge) reference(ctx context.Context, task *benchmark.Task, result verdicts.Result, tool *toolchain, lib *library, worker **checker) (reference, error) {
	key := task.Hash()
	if known, ok := j.references.Load(key); ok {
		return known.(reference), nil
	}
	ctx = verdicts.WithProgress(ctx, func(verdicts.Progress) {}) // progress is the sample's, not the reference's
	s := verdicts.Submission{Task: task, Code: task.Reference}
	l := j.allowed(ctx, task)
	l.CPUSeconds, l.set.CPUSeconds = max(l.CPUSeconds, fitMost), fitMost
	found := reference{seconds: -1}
	r, err := j.judge(ctx, s, l, result, tool, lib, worker)
	if err == nil && r.suspect && mayShareProcess(task) {
		r, err = j.judge(ctx, together(s), l, inOneProcess(result), tool, lib, worker)
		found.together = r.Verdict == verdicts.Accepted
	}
	if err != nil {
		return found, err
	}
	if r.Verdict == verdicts.Accepted {
		found.seconds = 0
		for _, c := range r.Cases {
			found.seconds = max(found.seconds, float64(c.CPUMS)/1000)
		}
	}
	j.references.Store(key, found)
	return found, nil
}

// inseparable reports whether a task's tests must share a process with the program.
func (j *Judge) inseparable(ctx context.Context, task *benchmark.Task, result verdicts.Result, lib *library, worker **checker) bool {
	if !mayShareProcess(task) {
		return false
	}
	found, err := j.reference(ctx, task, result, nil, lib, worker)
	return err == nil && found.together
}

// mayShareProcess reports whether the reference decides if tests and program share a process.
func mayShareProcess(task *benchmark.Task) bool {
	return task.Reference != "" && task.Language == "python" && !task.Tests.InProcess && sharesProcess(task.Tests.Style)
}

// sharesProcess reports whether tests of the style may share a process with the program.
func sharesProcess(style benchmark.Style) bool {
	return style == benchmark.Check || style == benchmark.Asserts || style == benchmark.Unittest
}

// together returns the submission with its tests in the program's process.
func together(s verdicts.Submission) verdicts.Submission {
	task := *s.Task
	task.Tests.InProcess = true
	s.Task = &task
	return s
}

func inOneProcess(result verdicts.Result) verdicts.Result {
	if result.Isolation == "isolated" {
		result.Isolation = verdicts.InProcess
	}
	return result
}
