package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
)

// replaced is a method that has been replaced by another.
func replaced(what, setting string) calibrate.Rate {
	return calibrate.Rate{What: what + " (before)", Setting: setting, Nominal: 0.95, High: 1, Few: 400}
}

func covered(iv Interval, truth float64) calibrate.Outcome {
	if iv.Low-1e-9 <= truth && truth <= iv.High+1e-9 {
		return calibrate.Hit
	}
	return calibrate.Miss
}

// Shares of few tasks: the exact interval covers every share.
func TestCalibrateShares(t *testing.T) {
	for _, n := range []int{5, 10, 20, 45, 164} {
		for _, p := range []float64{0.5, 0.7, 0.9, 0.98} {
			setting := fmt.Sprintf("%d tasks, %g %% of such tasks", n, 100*p)
			passed := func(r *rand.Rand) (count int) {
				for range n {
					if r.Float64() < p {
						count++
					}
				}
				return count
			}
			rate := calibrate.Coverage("share, exact", setting, 400)
			rate.Low, rate.High = 0.95, 1
			rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
				iv, err := ClopperPearson(passed(r), n, 0.95)
				fatal.If(t, err)
				return covered(iv, p)
			})
			replaced("share, Wilson", setting).Check(t, func(r *rand.Rand) calibrate.Outcome {
				return covered(scoreInterval(float64(passed(r))/float64(n), float64(n), 0.95), p)
			})
		}
	}
}

// Heavy-tailed times of one tester.
func TestCalibrateHeavyTimes(t *testing.T) {
	for _, sd := range []float64{0.8, 1, 1.2} {
		for _, n := range []int{10, 20, 45, 164} {
			setting := fmt.Sprintf("one tester, %d tasks, σ = %g", n, sd)
			draw := func(r *rand.Rand) Units {
				u := Units{Per: 1}
				for range n {
					u.Values = append(u.Values, math.Exp(sd*r.NormFloat64()))
				}
				u.Mean = Mean(u.Values)
				return u
			}
			truth := math.Exp(sd * sd / 2)
			calibrate.Coverage("mean of heavy-tailed times, log-normal or Hall", setting, 400).Check(t, func(r *rand.Rand) calibrate.Outcome {
				iv, _, err := MeanOfSkewed(draw(r), 0.95)
				if err != nil {
					return calibrate.Withheld
				}
				return covered(iv, truth)
			})
			replaced("mean of heavy-tailed times, Hall", setting).Check(t, func(r *rand.Rand) calibrate.Outcome {
				u := draw(r)
				return covered(hall(u, TQuantile(0.975, float64(n-1))), truth)
			})
		}
	}
}
