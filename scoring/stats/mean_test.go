package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// ungrouped are units of one value each.
func ungrouped(x []float64) stats.Units {
	return stats.Units{Mean: stats.Mean(x), Values: x, Per: 1}
}

func TestMedianInterval(t *testing.T) {
	x := []float64{9, 1, 2, 3, 4, 5, 6, 7, 8, 10}
	iv, err := stats.MedianInterval(x, 0.95) // P(at most 1 of 10) = 0.0107, of 2 0.0547
	if err != nil || iv != (stats.Interval{Low: 2, High: 9}) {
		t.Errorf("%v %v", iv, err)
	}
	if _, err := stats.MedianInterval(x[:5], 0.95); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("five values: %v", err)
	}
	if iv, err := stats.MedianInterval(x[:6], 0.95); err != nil || iv != (stats.Interval{Low: 1, High: 9}) {
		t.Errorf("six values: %v %v", iv, err)
	}
}

// Hand values: with p = 0.5 nothing is added for the ends, so that 6 values of variance 0.3 on the scale 0 to 1 count as 5.
// One of 20 at the end has the end of a gamma distribution of shape 1, below Wilson's.
func TestMeanOnScale(t *testing.T) {
	atEnd := func(spread float64) stats.Interval {
		iv, err := stats.MeanOnScale(stats.Units{Mean: 5, Per: 1, Error: spread, Number: 30}, 1, 5, 0.95)
		if err != nil {
			t.Error(err)
		}
		return iv
	}
	if rounding, none, real := atEnd(1e-17), atEnd(0), atEnd(0.5); rounding != none || real != (stats.Interval{Low: 1, High: 5}) {
		t.Errorf("a mean at the end of the scale has the interval %v with no error, %v with one by rounding, and %v with a real one", none, rounding, real)
	}
	iv, err := stats.MeanOnScale(ungrouped([]float64{0, 0, 0, 1, 1, 1}), 0, 1, 0.95)
	a := math.Pow(stats.TQuantile(0.975, 5), 2) / 5
	half := math.Sqrt(0.25*a+a*a/4) / (1 + a)
	if err != nil || math.Abs(iv.Low-(0.5-half)) > 1e-12 || math.Abs(iv.High-(0.5+half)) > 1e-12 {
		t.Errorf("%v %v, want 0.5 ± %v", iv, err, half)
	}
	units := stats.Units{Mean: 0.95, Per: 1, Error: math.Sqrt(0.95 * 0.05 / 20), Number: 21} // 20 values count
	iv, err = stats.MeanOnScale(units, 0, 1, 0.95)
	if size := 20.0; err != nil || math.Abs(iv.High-(1+math.Log(0.95)/size)) > 2e-4 {
		t.Errorf("one of %v at the end: %v %v, want %v", size, iv, err, 1+math.Log(0.95)/size)
	}
	if iv, err := stats.MeanOnScale(ungrouped([]float64{5, 5, 5, 5, 5}), 1, 5, 0.95); err != nil || iv.High != 5 || !(iv.Low < 4.5) {
		t.Errorf("all at the end: %v %v", iv, err)
	}
	for _, x := range [][]float64{{1}, nil} {
		if _, err := stats.MeanOnScale(ungrouped(x), 1, 5, 0.95); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("%v: %v", x, err)
		}
	}
	if _, err := stats.MeanOnScale(ungrouped([]float64{7, 8}), 1, 5, 0.95); err == nil {
		t.Error("a mean beyond the scale: no error")
	}
	if _, _, err := stats.MeanOfSkewed(ungrouped([]float64{1, 1e6, 2, 1}), 0.95); !errors.Is(err, stats.ErrUnbounded) {
		t.Errorf("values that do not bound their mean: %v", err)
	}
	if _, _, err := stats.MeanOfSkewed(ungrouped([]float64{0, 1, 2, 1}), 0.95); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("a zero among few: %v", err)
	}
	g := stats.Grouped([]float64{10, 2}, []float64{4, 1}) // means 2.5 and 2 of 4 and 1 values
	if g.Mean != 2.4 || g.Per != 2.5 || math.Abs(stats.Mean(g.Values)-2.4) > 1e-12 {
		t.Errorf("%+v", g)
	}
}

type population struct {
	name      string
	low, high float64 // 0, 0: no upper end
	draw      func(r *rand.Rand, effect float64) float64
	spread    float64 // of the effect of the tester
}

func discrete(name string, low float64, shares ...float64) population {
	return population{name: name, low: low, high: low + float64(len(shares)-1), draw: func(r *rand.Rand, _ float64) float64 {
		u := r.Float64()
		for i, p := range shares {
			if u -= p; u < 0 {
				return low + float64(i)
			}
		}
		return low + float64(len(shares)-1)
	}}
}

func times(name string, sd float64) population {
	return population{name: name, spread: 0.4, draw: func(r *rand.Rand, effect float64) float64 {
		return math.Exp(effect + sd*r.NormFloat64())
	}}
}

func populations() []population {
	return []population{
		discrete("ratings around 3", 1, .1, .2, .4, .2, .1),
		discrete("ratings at the ceiling", 1, .01, .01, .02, .06, .9),
		discrete("ratings alike", 1, 0, 0, .1, .8, .1),
		discrete("#attempt_4, skewed", 1, .6, .2, .1, .1),
		discrete("#attempt_10", 1, .4, .2, .1, .1, .05, .05, .02, .02, .01, .05),
		{"pass rates at the ceiling", 0, 1, func(r *rand.Rand, effect float64) float64 {
			if r.Float64() < 1/(1+math.Exp(-1.8-effect)) {
				return 1
			}
			return r.Float64()
		}, 1},
		{"satisfied, 90 %", 0, 1, func(r *rand.Rand, effect float64) float64 {
			if r.Float64() < 1/(1+math.Exp(-2.2-effect)) {
				return 1
			}
			return 0
		}, 1},
		times("log-normal times, σ = 0.5", 0.5),
		times("log-normal times, σ = 0.8", 0.8),
		times("log-normal times, σ = 1.2", 1.2),
		{"Weibull times, shape 0.7", 0, 0, func(r *rand.Rand, effect float64) float64 {
			return math.Exp(effect) * math.Pow(r.ExpFloat64(), 1/0.7)
		}, 0.3},
		{"exponential times", 0, 0, func(r *rand.Rand, effect float64) float64 { return math.Exp(effect) * r.ExpFloat64() }, 0.3},
	}
}

// truth is the mean of the population, including the variation of testers.
func (p population) truth() float64 {
	r, sum := rand.New(rand.NewPCG(1, 1)), 0.0
	const n = 400_000
	for range n {
		sum += p.draw(r, p.spread*r.NormFloat64())
	}
	return sum / n
}

// Means of one tester's tasks, and of several testers'.
func TestCalibrateMeans(t *testing.T) {
	for _, p := range populations() {
		truth := p.truth()
		for _, testers := range []int{1, 3, 5, 12, 30} {
			for _, tasks := range []int{5, 10, 45} {
				check(t, p, truth, testers, tasks)
			}
		}
	}
}

func check(t *testing.T, p population, truth float64, testers, tasks int) {
	method := "score on the scale"
	if p.low == p.high {
		method = "Hall or log-normal"
	}
	rate := calibrate.Coverage("mean of "+p.name+", "+method, setting(testers, tasks), 250)
	if p.low < p.high {
		rate.High = 1 // it says "at least 95 %"
	}
	alone := testers == 1 // then the tester is given, and tasks are what is drawn
	if alone && p.spread > 0 {
		r, sum := rand.New(rand.NewPCG(1, 1)), 0.0
		for range 200_000 {
			sum += p.draw(r, 0)
		}
		truth = sum / 200_000
	}
	rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
		var single []float64
		sums, weights := make([]float64, testers), make([]float64, testers)
		for g := range testers {
			effect := 0.0
			if !alone {
				effect = p.spread * r.NormFloat64()
			}
			for range tasks {
				v := p.draw(r, effect)
				sums[g], weights[g] = sums[g]+v, weights[g]+1
				single = append(single, v)
			}
		}
		u := stats.Grouped(sums, weights)
		if alone {
			u = ungrouped(single)
		}
		var iv stats.Interval
		var err error
		if p.low < p.high {
			iv, err = stats.MeanOnScale(u, p.low, p.high, 0.95)
		} else {
			iv, _, err = stats.MeanOfSkewed(u, 0.95)
		}
		switch {
		case err != nil:
			return calibrate.Withheld
		case iv.Low-1e-3 <= truth && truth <= iv.High+1e-3: // the truth is simulated
			return calibrate.Hit
		}
		return calibrate.Miss
	})
}

func setting(testers, tasks int) string {
	if testers == 1 {
		return "one tester, " + plural(tasks)
	}
	return fmt.Sprint(testers) + " testers, " + plural(tasks) + " each"
}

func plural(tasks int) string { return fmt.Sprint(tasks) + " tasks" }
