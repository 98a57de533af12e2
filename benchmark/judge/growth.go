package judge

import (
	"runtime"
	"sync"

	"assay/benchmark/sandbox"
)

// growth is the number of samples that a Judge works on at a time. A processor is idle while its
// sample waits: for a fork, for the end of a process, for the checker. So unless the number of
// workers is given, a Judge starts with one for each processor, and may grow.
type growth struct {
	mu         sync.Mutex
	size, most int
	before     sandbox.Processors // at the last call of wanted
}

const (
	mostPerProcessor = 2
	idleShare        = 20 // processors must have been idle for 1/idleShare of the time
)

func newGrowth(workers int) growth {
	if workers > 0 {
		return growth{size: workers, most: workers}
	}
	all, usable := runtime.NumCPU(), runtime.GOMAXPROCS(0)
	if usable < all { // as in most containers, where processors seem idle that it may not use
		return growth{size: usable, most: usable}
	}
	return growth{size: all, most: mostPerProcessor * all}
}

// wanted reports whether one more sample at a time would use processors that are idle. It returns
// false on the first call, and where the times of the processors are not known.
func (g *growth) wanted(now sandbox.Processors, known bool) bool {
	before := g.before
	g.before = now
	if !known || before == (sandbox.Processors{}) || g.size >= g.most {
		return false
	}
	idle, all := now.Idle-before.Idle, now.Idle-before.Idle+now.Busy-before.Busy
	return idle > 0 && idle*idleShare >= all
}

// Grow lets the Judge work on one more sample at a time if processors were idle since the last
// call, and reports whether it did. Callers with samples waiting call it a few times a second. A
// Judge with a given number of workers never grows, and no Judge grows beyond two samples for
// each processor, or while samples wait for memory or for one that is judged alone.
func (j *Judge) Grow() bool {
	now, known := sandbox.ProcessorTimes()
	j.growth.mu.Lock()
	defer j.growth.mu.Unlock()
	if !j.growth.wanted(now, known) || j.ctx.Err() != nil || j.memory.short() || len(j.alone) > 0 {
		return false
	}
	j.growth.size++
	j.workers <- nil // never blocks: it has room for the maximum
	return true
}

// Workers returns the number of samples judged at the same time.
func (j *Judge) Workers() int {
	j.growth.mu.Lock()
	defer j.growth.mu.Unlock()
	return j.growth.size
}
