package scoring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// conservative is an interval of at least 95 %.
func conservative(what, setting string, few int) calibrate.Rate {
	return calibrate.Rate{What: what, Setting: setting, Nominal: 0.95, Low: 0.93, High: 1, Few: few}
}

func outcome(hit bool) calibrate.Outcome {
	if hit {
		return calibrate.Hit
	}
	return calibrate.Miss
}

// few is the number of data sets for a number of tasks, chosen so that each row takes about as long.
func few(tasks int) int { return max(30, 400/(1+tasks/40)) }

func passed(random *rand.Rand, n int, p float64) int {
	c := 0
	for range n {
		if random.Float64() < p {
			c++
		}
	}
	return c
}

// null is a distribution of paired differences with mean 0.
type null struct {
	name    string
	samples int
	pair    func(*rand.Rand) (first, second float64) // probabilities of one task
	exact   bool                                     // drawn outright: the values are the probabilities
	from    int                                      // tasks from which the test must reject 3 to 6 %
	most    float64                                  // the rate accepted for fewer tasks
}

func nulls() []null {
	same := func(r *rand.Rand) (float64, float64) { p := r.Float64(); return p, p }
	return []null{
		{"exchangeable, 10 samples", 10, same, false, 45, 0.06},
		{"exchangeable, 1 sample", 1, same, false, 164, 0.06},
		{"skewed, 10 samples: 6 of 7 tasks +0.1, 1 of 7 -0.6", 10, func(r *rand.Rand) (float64, float64) {
			if r.IntN(7) > 0 {
				return 0.6, 0.5
			}
			return 0.2, 0.8
		}, false, 20, 0.06},
		{"skewed, few differ: 6 of 10 0, 3 of 10 +0.1, 1 of 10 -0.3", 10, func(r *rand.Rand) (float64, float64) {
			switch v := r.IntN(10); {
			case v < 6:
				return 0.5, 0.5
			case v < 9:
				return 0.6, 0.5
			}
			return 0.2, 0.5
		}, true, 45, 0.1},
		{"skewed, without noise: 6 of 7 tasks +0.1, 1 of 7 -0.6", 10, func(r *rand.Rand) (float64, float64) {
			if r.IntN(7) > 0 {
				return 0.6, 0.5
			}
			return 0.2, 0.8
		}, true, 164, 0.06},
		{"extreme, without noise: 19 of 20 tasks +0.05, 1 of 20 -0.95", 20, func(r *rand.Rand) (float64, float64) {
			if r.IntN(20) > 0 {
				return 0.05, 0
			}
			return 0, 0.95
		}, true, 1000, 0.12},
	}
}

// The test of the mean difference has its nominal level under exchangeable and other null distributions.
// With few samples and tasks it rejects less often, since p has few possible values. With extreme skew no
// test of few tasks can hold its level, since few of the samples contain the rare tasks.
func TestCalibratePairedDifference(t *testing.T) {
	for _, x := range nulls() {
		for _, tasks := range []int{10, 20, 45, 164, 500} {
			draw := func(random *rand.Rand) (first, second map[string]TaskValue, differences []float64) {
				first, second = map[string]TaskValue{}, map[string]TaskValue{}
				for i := range tasks {
					id := strconv.Itoa(i)
					p, q := x.pair(random)
					if x.exact {
						first[id], second[id] = TaskValue{Value: p}, TaskValue{Value: q}
					} else {
						first[id], second[id] = ShareValue(passed(random, x.samples, p), x.samples), ShareValue(passed(random, x.samples, q), x.samples)
					}
					differences = append(differences, snapped(first[id].Value-second[id].Value))
				}
				return first, second, differences
			}
			setting := fmt.Sprintf("%s; %d tasks", x.name, tasks)
			rate := calibrate.TypeI("paired difference, sign-flip", setting, few(tasks))
			if tasks < x.from {
				rate.Low, rate.High = 0, x.most
			}
			rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
				first, second, _ := draw(random)
				d, err := PairedDifference(first, second, nil)
				fatal.If(t, err)
				return outcome(d.Significant())
			})
		}
	}
}

// TestCalibrateUnequalSamples: with more samples of one model than of the other the test holds its level, where both
// pass each task as often, and where one is better at half of the tasks and the other at the rest.
func TestCalibrateUnequalSamples(t *testing.T) {
	for tasks, few := range map[int]int{10: 100, 24: 100, 40: 100, 164: 30, 500: 10} {
		if tasks == 500 && os.Getenv("ASSAY_SIMULATIONS") == "" {
			continue // each takes a while
		}
		for _, n := range [][2]int{{5, 2}, {10, 1}, {20, 1}} {
			for _, p := range []float64{0.05, 0.5, 0.95, 0.98} {
				for kind, apart := range map[string]float64{"as often": 0, "each better at half of the tasks": 0.8 * p * (1 - p)} {
					rate := calibrate.TypeI("paired difference, unequal samples", fmt.Sprintf("%d samples against %d, %.2f pass, %s; %d tasks", n[0], n[1], p, kind, tasks), few)
					rate.Low = 0
					rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
						first, second := map[string]TaskValue{}, map[string]TaskValue{}
						for i := range tasks {
							id, x := strconv.Itoa(i), apart
							if random.IntN(2) == 0 {
								x = -x
							}
							first[id], second[id] = ShareValue(passed(random, n[0], p+x), n[0]), ShareValue(passed(random, n[1], p-x), n[1])
						}
						d, err := PairedDifference(first, second, nil)
						fatal.If(t, err)
						if excludes := d.Method != "" && (d.Interval.Low > 0 || d.Interval.High < 0); d.Method != "" && excludes != d.Significant() {
							t.Fatalf("p %v, interval %+v", d.P, d.Interval)
						}
						return outcome(d.Significant())
					})
				}
			}
		}
	}
}

// TestUnequalSamples: 232 of 240 samples against 24 of 24 tell nothing.
func TestUnequalSamples(t *testing.T) {
	first, second := map[string]TaskValue{}, map[string]TaskValue{}
	for i := range 24 {
		id, passed := strconv.Itoa(i), 10
		if i < 8 {
			passed = 9
		}
		first[id], second[id] = ShareValue(passed, 10), ShareValue(1, 1)
	}
	d, err := PairedDifference(first, second, nil)
	if err != nil || !d.Unequal || d.Exact || d.P < 0.3 || d.Interval.Low > -0.03 || d.Interval.High < 0 {
		t.Errorf("%+v, %v", d, err)
	}
}

// population is a kind of benchmark: the probability that a sample passes a task has this
// beta distribution.
type population struct {
	name string
	a, b float64
}

func populations() []population {
	return []population{{"mixed", 1, 1}, {"two kinds", 0.3, 0.3}, {"ceiling", 5, 0.3}, {"floor", 0.3, 5}, {"skewed", 0.5, 3}, {"alike", 700, 300}}
}

// gamma draws from the gamma distribution (Marsaglia & Tsang 2000).
func gamma(random *rand.Rand, a float64) float64 {
	if a < 1 {
		return gamma(random, a+1) * math.Pow(random.Float64(), 1/a)
	}
	d := a - 1.0/3
	for {
		x := random.NormFloat64()
		v := 1 + x/math.Sqrt(9*d)
		if v <= 0 {
			continue
		}
		if v = v * v * v; math.Log(random.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

func (p population) draw(random *rand.Rand) float64 {
	x, y := gamma(random, p.a), gamma(random, p.b)
	return x / (x + y)
}

// passAtK is the mean of pass@k over all tasks of the kind: 1 - E(1-p)^k.
func (p population) passAtK(k int) float64 {
	none := 1.0
	for i := range k {
		none *= (p.b + float64(i)) / (p.a + p.b + float64(i))
	}
	return 1 - none
}

// passAllK is the mean of pass^k over all tasks of the kind: E p^k.
func (p population) passAllK(k int) float64 { return 1 - population{a: p.b, b: p.a}.passAtK(k) }

// mean is the mean of pass@k or pass^k over all tasks of the kind.
func (p population) mean(m SampleMetric) float64 {
	if m.Kind == PassAll {
		return p.passAllK(m.K)
	}
	return p.passAtK(m.K)
}

// tasks draws tasks with n samples each, and returns their pass@k or pass^k and the true mean of these tasks.
func (p population) tasks(random *rand.Rand, tasks, n int, metric SampleMetric) (values []TaskValue, plain []float64, these float64) {
	for range tasks {
		chance := p.draw(random)
		if metric.Kind == PassAll {
			these += math.Pow(chance, float64(metric.K)) / float64(tasks)
		} else {
			these += (1 - math.Pow(1-chance, float64(metric.K))) / float64(tasks)
		}
		v, err := metric.Of(passed(random, n, chance), make([]Cases, n))
		if err != nil {
			panic(err)
		}
		values, plain = append(values, v), append(plain, v.Value)
	}
	return values, plain, these
}

const near0 = 1e-9 // of rounding, where an interval ends at 0 or 1

func covers(iv stats.Interval, truth float64) calibrate.Outcome {
	return outcome(iv.Low-near0 <= truth && truth <= iv.High+near0)
}

// drawn is a metric of n samples of each task.
type drawn struct {
	n    int
	kind SampleKind
	k    int
}

func (d drawn) metric() SampleMetric { return SampleMetric{d.kind, d.k} }

// The means over tasks, for tasks like these. The coverage has to be at least 93 %, and higher near the
// ends of the scale, where the interval promises more; the worst case tried was pass@5 at the ceiling (99.9
// %) with 500 tasks.
func TestCalibrateMeans(t *testing.T) {
	for _, p := range populations() {
		for _, m := range []drawn{{1, PassAt, 1}, {10, PassAt, 1}, {10, PassAt, 5}, {10, PassAt, 10}, {10, PassAll, 5}, {10, PassAll, 10}} {
			n, metric := m.n, m.metric()
			for _, tasks := range []int{5, 10, 20, 45, 164, 500} {
				setting := fmt.Sprintf("%s of %d samples, %s (mean %.3f); %d tasks", metric.Name(), n, p.name, p.mean(metric), tasks)
				rate := conservative("mean over tasks, tasks like these", setting, few(tasks))
				if tasks <= 5 || p.name == "mixed" && m.k == 5 && tasks <= 20 {
					rate.Low = 0.92 // few tasks, whose values are few
				}
				rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
					values, _, _ := p.tasks(random, tasks, n, metric)
					m, err := MeanOverTasks(values)
					fatal.If(t, err)
					if m.Method == "" {
						return calibrate.Withheld
					}
					return covers(m.Interval, p.mean(metric))
				})
			}
		}
	}
}

// The same means and their differences, for these tasks: the tasks are fixed, and their samples are drawn
// again.
func TestCalibrateTheseTasks(t *testing.T) {
	for _, p := range populations() {
		for _, m := range []drawn{{1, PassAt, 1}, {2, PassAt, 1}, {10, PassAt, 1}, {5, PassAt, 5}, {10, PassAt, 5}, {10, PassAll, 5}} {
			n, metric := m.n, m.metric()
			for _, tasks := range []int{5, 10, 45, 164} {
				setting := fmt.Sprintf("%s of %d samples, %s; %d tasks", metric.Name(), n, p.name, tasks)
				rate := conservative("mean over tasks, these tasks", setting, few(tasks))
				rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
					values, _, these := p.tasks(random, tasks, n, metric)
					m, err := MeanOverTasks(values)
					fatal.If(t, err)
					return covers(m.These, these)
				})
				rate.What = "paired difference, these tasks"
				if n == 1 && tasks == 5 {
					rate.Low = 0.9 // ten samples in all
				}
				rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
					var sides [2][]TaskValue
					var d Difference
					truth := 0.0
					for i := range sides {
						values, plain, these := p.tasks(random, tasks, n, metric)
						sides[i] = values
						truth, d.Value = truth+these*float64(1-2*i), d.Value+stats.Mean(plain)*float64(1-2*i)
					}
					d.onThese(sides)
					if d.TheseMethod == "" {
						return calibrate.Withheld // as for tasks like these
					}
					return covers(d.These, truth)
				})
			}
		}
	}
}

// The interval of a paired difference, for tasks like these, where one model is better.
func TestCalibratePairedInterval(t *testing.T) {
	for _, p := range populations() {
		for _, tasks := range []int{10, 20, 45, 164} {
			rate := conservative("paired difference, tasks like these", fmt.Sprintf("10 samples, %s, the second fails a tenth of what the first passes; %d tasks", p.name, tasks), few(tasks))
			rate.Low = 0.92
			rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
				first, second := map[string]TaskValue{}, map[string]TaskValue{}
				for i := range tasks {
					chance := p.draw(random)
					first[strconv.Itoa(i)], second[strconv.Itoa(i)] = ShareValue(passed(random, 10, chance), 10), ShareValue(passed(random, 10, 0.9*chance), 10)
				}
				d, err := PairedDifference(first, second, nil)
				fatal.If(t, err)
				if d.Method == "" {
					return calibrate.Withheld
				}
				return covers(d.Interval, 0.1*p.passAtK(1))
			})
		}
	}
}

// Differences of other tasks: a training cutoff.
func TestCalibrateUnpairedDifference(t *testing.T) {
	for _, p := range populations() {
		for _, tasks := range [][2]int{{5, 10}, {10, 45}, {45, 164}} {
			setting := fmt.Sprintf("pass@1 of 5 samples, %s; %d and %d tasks", p.name, tasks[0], tasks[1])
			conservative("unpaired difference, tasks like these", setting, 400).Check(t, func(random *rand.Rand) calibrate.Outcome {
				_, first, _ := p.tasks(random, tasks[0], 5, SampleMetric{PassAt, 1})
				_, second, _ := p.tasks(random, tasks[1], 5, SampleMetric{PassAt, 1})
				d, err := UnpairedDifference(first, second)
				fatal.If(t, err)
				return covers(d.Interval, 0)
			})
		}
	}
}
