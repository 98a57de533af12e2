package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// With a wide prior the interval is Student's; with a narrow one it is the prior's, whatever the estimate is.
func TestWithPrior(t *testing.T) {
	for _, df := range []float64{3, 30, 400} {
		flat := stats.Contrast{Value: 1, SE: 0.2, DF: df}
		p, err := flat.WithPrior(1000, 0.95)
		fatal.If(t, err)
		if iv, _ := flat.Interval(0.95); math.Abs(p.Mean-1) > 1e-3 || math.Abs(p.Interval.Low-iv.Low) > 1e-3 || math.Abs(p.Interval.High-iv.High) > 1e-3 {
			t.Errorf("%v degrees of freedom: %+v, Student's is %+v", df, p, iv)
		}
	}
	p, err := stats.Contrast{Value: 5, SE: 2, DF: 3}.WithPrior(0.01, 0.95)
	fatal.If(t, err)
	if math.Abs(p.Mean) > 1e-3 || math.Abs(p.Interval.High-0.0196) > 1e-3 || math.Abs(p.Interval.Low+0.0196) > 1e-3 {
		t.Errorf("%+v", p)
	}
	// Two degrees of freedom: the mean lies between 0 and the estimate, and the interval is shorter than Student's.
	few := stats.Contrast{Value: 0.4, SE: 0.1, DF: 2}
	p, err = few.WithPrior(0.25, 0.95)
	fatal.If(t, err)
	if iv, _ := few.Interval(0.95); !(p.Mean > 0.2 && p.Mean < 0.4) || p.Interval.High-p.Interval.Low > iv.High-iv.Low {
		t.Errorf("%+v, Student's is %+v", p, iv)
	}
	for _, c := range []stats.Contrast{{Value: 1, SE: 0, DF: 3}, {Value: 1, SE: 1, DF: 0}} {
		if _, err := c.WithPrior(1, 0.95); err == nil {
			t.Errorf("%+v has a posterior", c)
		}
	}
	for _, sd := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := few.WithPrior(sd, 0.95); !errors.Is(err, stats.ErrShape) {
			t.Errorf("a prior of %v: %v", sd, err)
		}
	}
}

// TestCalibrateWithPrior: over differences as the prior says, and at no difference, a large and a very large one, the
// credible interval of few testers covers.
func TestCalibrateWithPrior(t *testing.T) {
	for _, testers := range []int{3, 4, 6} {
		for _, truth := range []float64{0, 1, 2, -1} {
			setting := fmt.Sprintf("paired t of %d testers, a difference of %g standard deviations of the prior", testers, truth)
			if truth < 0 {
				setting = fmt.Sprintf("paired t of %d testers, differences as the prior says", testers)
			}
			rate := calibrate.Coverage("difference with a weak prior", setting, 200)
			if rate.High = 1; truth == 2 {
				rate.Low = 0.85 // the prior holds that for unlikely
			}
			rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
				is := truth
				if truth < 0 {
					is = random.NormFloat64()
				}
				d := make([]float64, testers)
				for i := range d {
					d[i] = is + 0.6*random.NormFloat64()
				}
				c, err := stats.OneSample(d)
				fatal.If(t, err)
				p, err := c.WithPrior(1, 0.95)
				fatal.If(t, err)
				if p.Interval.Low <= is && is <= p.Interval.High {
					return calibrate.Hit
				}
				return calibrate.Miss
			})
		}
	}
}
