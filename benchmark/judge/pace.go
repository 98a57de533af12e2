package judge

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

// A program needs more processor time on a slow machine, and on one whose processors share caches
// and execution units with other work: an answer to HumanEval/129 took 2.5 s on a quiet machine
// and 2.9 to 3.3 s beside a load of 12, above its limit of 3 s. So when a sample reaches a limit
// that the task does not set, a fixed program is timed while the sample goes on; where that takes
// longer than usual, the limit is longer in proportion.
const (
	yardstick = "def f():\n    x = 1\n    for i in range(300000):\n        x = (x * 7 + i) % 101\nf()\n"

	// yardstickUsual is its time on the machine for which the limit of 3 s was chosen, the lowest
	// of 100 measurements: it took 16.2 to 19.5 ms there, and up to 28 ms beside a load of 9.
	yardstickUsual = 16500 * time.Microsecond
)

// machine is how slow this machine is for one sample.
type machine struct {
	once  sync.Once
	timed func() float64
	times atomic.Uint64 // the bits of a float64; 0: not measured
}

func (j *Judge) newMachine(ctx context.Context) *machine {
	return &machine{timed: func() float64 { return j.pace(ctx) }}
}

// measure times the fixed program, unless it was timed.
func (m *machine) measure() { m.once.Do(func() { m.times.Store(math.Float64bits(m.timed())) }) }

// slowness returns how many times its usual time the fixed program took, at most mostSlowness; 1
// if it was faster, or was not timed.
func (m *machine) slowness() float64 {
	return min(max(1, math.Float64frombits(m.times.Load())), mostSlowness)
}

// slowness returns how many times its usual time the fixed program takes here and now, the median
// of three; 1 where that is unknown.
func (j *Judge) slowness(ctx context.Context) float64 {
	if j.noPython != nil {
		return 1
	}
	var took []time.Duration
	for range 3 {
		used, err := j.timeYardstick(ctx)
		if err != nil {
			return 1
		}
		took = append(took, used)
	}
	slices.Sort(took)
	return float64(took[1]) / float64(yardstickUsual)
}

// timeYardstick measures the processor time of the fixed program.
func (j *Judge) timeYardstick(ctx context.Context) (time.Duration, error) {
	s, err := startSample(ctx, j.box, j.python.sample(sampleLimits(benchmark.Limits{}.WithDefaults())))
	if err != nil {
		return 0, err
	}
	defer s.close()
	if err := s.ready(); err != nil {
		return 0, err
	}
	s.box.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	before := s.usage().CPU
	s.channel.send(map[string]string{"program": yardstick, "entry": "f"})
	var m fromSample
	if err := s.channel.receive(&m); err != nil {
		return 0, err
	}
	return s.usage().CPU - before, nil
}
