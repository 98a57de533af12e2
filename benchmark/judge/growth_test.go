package judge

import (
	"testing"

	"assay/benchmark/sandbox"
)

// A Judge grows by one where a twentieth of the processors' time was idle since it was
// last asked, up to two samples for each processor.
func TestGrowth(t *testing.T) {
	g := growth{size: 2, most: 4}
	now := sandbox.Processors{Busy: 1000, Idle: 500}
	for _, step := range []struct {
		busy, idle int64
		known, is  bool
		why        string
	}{
		{0, 0, true, false, "nothing to compare with"},
		{95, 5, true, true, "a twentieth was idle"},
		{96, 4, true, false, "less was idle"},
		{0, 0, true, false, "no time went by"},
		{10, 90, false, false, "nothing is known"},
		{10, 90, true, true, "most was idle"},
	} {
		now.Busy, now.Idle = now.Busy+step.busy, now.Idle+step.idle
		if is := g.wanted(now, step.known); is != step.is {
			t.Errorf("%s: wanted is %v", step.why, is)
		}
	}
	g.size = g.most
	now.Idle += 1000
	if g.wanted(now, true) {
		t.Error("it would grow beyond its bound")
	}
}

func TestWorkersThatWereAskedForDoNotGrow(t *testing.T) {
	if g := newGrowth(3); g.size != 3 || g.most != 3 {
		t.Errorf("3 workers are %d, and %d at most", g.size, g.most)
	}
	if g := newGrowth(0); g.size < 1 || g.most != mostPerProcessor*g.size {
		t.Errorf("it begins with %d, and has %d at most", g.size, g.most)
	}
}
