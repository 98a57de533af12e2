package judge

import (
	"fmt"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

// sampleWall is how long a whole sample may idle: the elapsed time of loading it, of all
// test cases, of the checker's work on it and of the end of its processes. What the boxes
// do before is not in it.
//
// It is as long as a single test case may idle by default, and never shorter than the
// task lets one. Only idleness is bounded like that, see [sandbox.Usage.Excused]: a
// program that computes reaches its limits of processor time, and one that waits for a
// processor, on a busy machine, has as much time more. So no verdict depends on the
// machine, and a program that never waits, like those of all published tasks, does not
// come near.
const sampleWall = 60 * time.Second

// checkerGrace is what the checker has to finish a sample whose time is used up.
const checkerGrace = 10 * time.Second

// clock is the elapsed time of one sample.
type clock struct {
	most     time.Duration
	running  time.Time     // since when; zero: it stands still
	elapsed  time.Duration // before that
	excused  time.Duration // of that, by processes that have ended and by the checker
	live     time.Duration // and by the sample's process, when it was last measured
	checking time.Duration // the checker's processor time
}

// newClock is that of a sample with a task's limits.
func (j *Judge) newClock(l benchmark.Limits) *clock {
	return &clock{most: max(j.sampleWall, seconds(l.WallSeconds))}
}

func (c *clock) start() {
	if c.running.IsZero() {
		c.running = time.Now()
	}
}

// stop has the clock stand still: what follows is not the sample's doing.
func (c *clock) stop() {
	if !c.running.IsZero() {
		c.elapsed += time.Since(c.running)
		c.running = time.Time{}
	}
}

// left is the idle time that the sample still has.
func (c *clock) left() time.Duration {
	left := c.most - c.elapsed + c.excused + c.live
	if !c.running.IsZero() {
		left -= time.Since(c.running)
	}
	return left
}

// ended takes note of a process that has ended.
func (c *clock) ended(u sandbox.Usage) { c.excused, c.live = c.excused+u.Excused(), 0 }

// used is what a process has used between two measurements.
func used(before, after sandbox.Usage) sandbox.Usage {
	return sandbox.Usage{CPU: max(after.CPU-before.CPU, 0), Delayed: max(after.Delayed-before.Delayed, 0)}
}

// checked takes note of what the checker has used for the sample.
func (c *clock) checked(u sandbox.Usage) {
	c.checking += u.CPU
	c.excused += u.Excused()
}

// forChecker bounds what the checker does next for the sample.
func (c *clock) forChecker() sandbox.Budget {
	return sandbox.Budget{
		CPU:    max(checkerCPU-c.checking, time.Millisecond),
		Wall:   max(c.left()+checkerGrace, time.Millisecond),
		Coarse: true,
	}
}

// usedUp is why nothing more of the sample is run, or "". Once it is so, it stays so.
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
// the processor time of a sample, that is twice what ends a case, and a sample that fills the
// memory again for each of its cases takes longer than all others together.
const mostHogs = 2

// leastMemoryMB is what a process has room for in any case, as far as its limit goes.
const leastMemoryMB = 128

// memoryMB is the limit of the process that begins next. Once a case has reached the limit, the
// others have a part of it: filling it takes as long again, and most programs that grow without
// end for one case do for others.
func (r *run) memoryMB() int {
	limit := r.limits.MemoryMB
	if r.hogs == 0 || r.task.Language != "python" { // other interpreters need much themselves
		return limit
	}
	return min(limit, max(limit/shared, leastMemoryMB))
}

// hogged counts a case that failed if it reached the memory limit.
func (r *run) hogged(f callFailure) {
	if f.Status == Status(MemoryLimit) {
		r.hogs++
	}
}

// idled reports whether a process that ended as idle had all the time that was left.
func (r *run) idled(cause sandbox.Cause) bool {
	if cause != sandbox.Idle || !r.last {
		return false
	}
	r.refused = r.clock.message()
	return true
}

func (c *clock) message() string {
	return fmt.Sprintf("the elapsed time for the whole sample, %v, was used up: idle, it was waiting rather than computing", c.most)
}
