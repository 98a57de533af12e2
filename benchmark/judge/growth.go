package judge

import (
	"runtime"
	"sync"

	"assay/benchmark/sandbox"
)

// growth is how many samples a Judge works on at a time. A processor idles while its
// sample waits: for a fork, for the end of a process, for being judged. So a Judge that
// was not told how many begins with one for each processor, and may grow.
type growth struct {
	mu         sync.Mutex
	size, most int
	before     sandbox.Processors // when it was last looked at
}

const (
	mostPerProcessor = 2
	idleShare        = 20 // one over the part of the time in which processors must have idled
)

func newGrowth(workers int) growth {
	if workers > 0 {
		return growth{size: workers, most: workers}
	}
	all, usable := runtime.NumCPU(), runtime.GOMAXPROCS(0)
	if usable < all { // a container's share, mostly, in which processors seem to idle that it may not use
		return growth{size: usable, most: usable}
	}
	return growth{size: all, most: mostPerProcessor * all}
}

// wanted looks at the processors and reports whether one more sample at a time would give
// them something to do. It answers false where they cannot be looked at, and when it is
// asked for the first time.
func (g *growth) wanted(now sandbox.Processors, known bool) bool {
	before := g.before
	g.before = now
	if !known || before == (sandbox.Processors{}) || g.size >= g.most {
		return false
	}
	idle, all := now.Idle-before.Idle, now.Idle-before.Idle+now.Busy-before.Busy
	return idle > 0 && idle*idleShare >= all
}

// Grow lets the Judge work on one more sample at a time if processors were idle since it
// was last asked, and reports whether it does now. Whoever has more samples waiting asks a
// few times a second. A Judge that was told its number of workers never grows, and none
// beyond two samples for each processor, or while samples wait for memory or for one that
// has the machine for itself.
func (j *Judge) Grow() bool {
	now, known := sandbox.ProcessorTimes()
	j.growth.mu.Lock()
	defer j.growth.mu.Unlock()
	if !j.growth.wanted(now, known) || j.ctx.Err() != nil || j.memory.short() || len(j.alone) > 0 {
		return false
	}
	j.growth.size++
	j.workers <- nil // which has room for the most
	return true
}

// Workers is the number of samples judged at the same time.
func (j *Judge) Workers() int {
	j.growth.mu.Lock()
	defer j.growth.mu.Unlock()
	return j.growth.size
}
