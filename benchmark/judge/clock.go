package judge

import (
	"fmt"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// sampleWall is how long a whole sample may be idle: while it loads, in all test cases, while the
// checker works on it, and while its processes end. The start of the boxes does not count.
//
// It is never shorter than the task's own limit for a single test case. Only idle time is bounded in this way, see [sandbox.Usage.Excused]: a program that
// computes reaches its limits of processor time, and one that waits for a processor, on a busy
// machine, gets that time back. So no verdict depends on the machine, and a program that never
// waits, like those of all published tasks, does not come near the bound.
const sampleWall = 60 * time.Second

// checkerGrace is the time the checker has to finish a sample whose time is used up.
const checkerGrace = 10 * time.Second

// clock measures the elapsed time of one sample.
type clock struct {
	most     time.Duration
	checker  time.Duration // processor time that the checker may use
	running  time.Time     // since when; zero: stopped
	elapsed  time.Duration // in earlier intervals
	excused  time.Duration // the part of elapsed in which ended processes and the checker were not idle
	live     time.Duration // the same for the sample's running process, as last measured
	checking time.Duration // the checker's processor time
}

// newClock returns the clock of a sample with a task's limits.
func (j *Judge) newClock(l benchmark.Limits) *clock {
	return &clock{most: max(j.sampleWall, seconds(l.WallSeconds)), checker: j.checkerCPU}
}

func (c *clock) start() {
	if c.running.IsZero() {
		c.running = time.Now()
	}
}

// stop stops the clock: what follows is not the sample's doing.
func (c *clock) stop() {
	if !c.running.IsZero() {
		c.elapsed += time.Since(c.running)
		c.running = time.Time{}
	}
}

// left returns the idle time that remains for the sample.
func (c *clock) left() time.Duration {
	left := c.most - c.elapsed + c.excused + c.live
	if !c.running.IsZero() {
		left -= time.Since(c.running)
	}
	return left
}

// ended records the usage of a process that has ended.
func (c *clock) ended(u sandbox.Usage) { c.excused, c.live = c.excused+u.Excused(), 0 }

// used returns what a process used between two measurements.
func used(before, after sandbox.Usage) sandbox.Usage {
	return sandbox.Usage{CPU: max(after.CPU-before.CPU, 0), Delayed: max(after.Delayed-before.Delayed, 0), Idle: max(after.Idle-before.Idle, 0)}
}

// checked records what the checker used for the sample.
func (c *clock) checked(u sandbox.Usage) {
	c.checking += u.CPU
	c.excused += u.Excused()
}

// forChecker is the budget for the checker's next step for the sample.
func (c *clock) forChecker() sandbox.Budget {
	return sandbox.Budget{
		CPU:    max(c.checker-c.checking, time.Millisecond),
		Wall:   max(c.left()+checkerGrace, time.Millisecond),
		Coarse: true,
	}
}

// usedUp returns why nothing more of the sample may run, or "". The reason never changes back to
// "".
func (r *run) usedUp() string {
	left, total := r.left()
	switch {
	case r.refused != "":
	case r.stopped && (r.spent || left <= 0):
		r.refused = fmt.Sprintf("a test case reached its limit of processor time, and others used up the %v that were left to them", total)
	case r.spent || left <= 0:
		r.reached = true
		r.refused = fmt.Sprintf("the processor time for the whole sample, %v, was used up", total)
	case r.clock.left() <= 0:
		r.refused = r.clock.message()
	case r.hogs >= mostHogs:
		r.refused = fmt.Sprintf("%d cases reached the memory limit", r.hogs)
	}
	return r.refused
}

// mostHogs is how many cases may reach the memory limit before the others are not run. Like
// the processor time of a sample, it is twice what ends a case; a sample that fills the memory
// again for each of its cases takes longer than all others together.
const mostHogs = 2

// leastMemoryMB is the memory that a process always gets, up to its limit.
const leastMemoryMB = 128

// memoryMB returns the memory limit of the next process. Once a case has reached the limit, the
// others get a part of it: filling it takes as long again, and most programs that grow without
// end for one case do so for others.
func (r *run) memoryMB() int {
	limit := r.limits.MemoryMB
	if r.hogs == 0 || r.task.Language != "python" { // other interpreters need much memory themselves
		return limit
	}
	return min(limit, max(limit/remainderShare, leastMemoryMB))
}

// hogged counts a case that failed by reaching the memory limit.
func (r *run) hogged(f callFailure) {
	if f.Status == verdicts.Status(verdicts.MemoryLimit) {
		r.hogs++
	}
}

// idleLimit returns how long a test case may be idle: as long as it may compute, unless the task says. A case
// that computes and waits may so take twice its limit, and one that only waits fails as it does where elapsed
// time is limited, on a machine however busy.
func (r *run) idleLimit() time.Duration {
	if r.limits.set.WallSeconds != 0 {
		return seconds(r.limits.WallSeconds)
	}
	if r.waited {
		return r.limits.perCase() / remainderShare
	}
	return r.limits.perCase()
}

// unnoticed is the idle time of a call that does not count for its case: this process may be as late to notice
// the answer.
const unnoticed = 200 * time.Millisecond

// idled returns why a process that ended as idle did, "" for one that ended otherwise.
func (r *run) idled(cause sandbox.Cause) string {
	if cause != sandbox.Idle {
		return ""
	}
	if r.last {
		r.refused = r.clock.message()
		return r.refused
	}
	limit := r.idleLimit()
	r.waited = true
	return fmt.Sprintf("idle: it was waiting rather than computing for longer than the %.3g s that are allowed for a test case", limit.Seconds())
}

func (c *clock) message() string {
	return fmt.Sprintf("the elapsed time for the whole sample, %v, was used up: idle, it was waiting rather than computing", c.most)
}
