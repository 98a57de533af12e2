package difficulty

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// Mean scores over tasks at the ceiling and in the middle, of single answers and of shares.
func TestCalibrateMeanScores(t *testing.T) {
	for _, tasks := range []int{5, 6, 12, 45, 164} {
		for _, c := range []struct {
			what string
			mean float64
			draw func(*rand.Rand) float64
		}{
			{"single answers, 50 % solved", 0.5, func(r *rand.Rand) float64 { return float64(r.IntN(2)) }},
			{"single answers, 90 % solved", 0.9, func(r *rand.Rand) float64 { return float64(min(1, r.IntN(10))) }},
			{"shares of 10, most near 0 or 1", 0.6, func(r *rand.Rand) float64 {
				p := 0.05 + 0.9*float64(min(1, r.IntN(5)/2))
				return shareOf(r, 10, p)
			}},
			{"shares of 10, alike", 0.5, func(r *rand.Rand) float64 { return shareOf(r, 10, 0.3+0.4*r.Float64()) }},
		} {
			if c.what[:6] == "shares" && c.mean == 0.6 {
				c.mean = 0.05 + 0.9*0.6
			}
			rate := calibrate.Coverage("mean score by Wilson's interval with t", fmt.Sprintf("%d tasks, %s", tasks, c.what), 400)
			rate.High = 1 // few tasks near the ceiling have few possible means
			rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
				scores := make([]float64, tasks)
				for i := range scores {
					scores[i] = c.draw(random)
				}
				return holds(scoreInterval(scores), c.mean)
			})
		}
	}
}

func shareOf(r *rand.Rand, n int, p float64) float64 {
	hits := 0
	for range n {
		if r.Float64() < p {
			hits++
		}
	}
	return float64(hits) / float64(n)
}

func holds(iv *stats.Interval, truth float64) calibrate.Outcome {
	switch {
	case iv == nil:
		return calibrate.Withheld
	case iv.Low <= truth && truth <= iv.High:
		return calibrate.Hit
	}
	return calibrate.Miss
}

// Means, medians and differences of difficulties, which are skewed.
func TestCalibrateMeansOfTasks(t *testing.T) {
	skewed := func(r *rand.Rand) float64 { return math.Pow(r.Float64(), 1.5) } // median 0.354, mean 0.4
	for _, tasks := range []int{5, 6, 12, 45, 164} {
		draw := func(r *rand.Rand, n int) (all []float64) {
			for range n {
				all = append(all, skewed(r))
			}
			slices.Sort(all)
			return all
		}
		setting := fmt.Sprintf("%d tasks, skewed from 0 to 1", tasks)
		calibrate.Coverage("mean difficulty by t", setting, 400).Check(t, func(r *rand.Rand) calibrate.Outcome {
			return holds(meanInterval(draw(r, tasks)), 0.4)
		})
		median := calibrate.Coverage("median by order statistics", setting, 400)
		median.High = 1 // exact: at least 95 %
		median.Check(t, func(r *rand.Rand) calibrate.Outcome { return holds(MedianInterval(draw(r, tasks)), math.Pow(0.5, 1.5)) })
		calibrate.Coverage("difference of means by Welch's t", setting+"; and 30", 400).Check(t, func(r *rand.Rand) calibrate.Outcome {
			return holds(DifferenceInterval(draw(r, tasks), draw(r, 30)), 0)
		})
	}
}

// By hand: 8 of 10 with z for t is Wilson's 0.490 to 0.943; five values do not bound a median at 95 %, six
// do with the extremes, and ten with the second from each end.
func TestMeanIntervalsByHand(t *testing.T) {
	scores := []float64{1, 1, 1, 1, 1, 1, 1, 1, 0, 0}
	iv, z := scoreInterval(scores), stats.TQuantile(0.975, 9)
	low := (0.8 + z*z/20 - z*math.Sqrt(0.016+z*z/400)) / (1 + z*z/10)
	if math.Abs(iv.Low-low) > 1e-12 {
		t.Errorf("%+v, want from %v", iv, low)
	}
	for n, at := range map[int]int{5: -1, 6: 0, 8: 0, 9: 1, 10: 1, 20: 5, 100: 39} {
		var sorted []float64
		for i := range n {
			sorted = append(sorted, float64(i))
		}
		if iv := MedianInterval(sorted); (iv == nil) != (at < 0) || iv != nil && (iv.Low != float64(at) || iv.High != float64(n-1-at)) {
			t.Errorf("%d values: %+v, want from the value %d", n, iv, at)
		}
	}
	if scoreInterval([]float64{0.5, 0.5, 0.5, 0.5, 0.5}) != nil || meanInterval([]float64{1, 1, 1, 1, 1}) != nil || scoreInterval([]float64{1, 0}) != nil {
		t.Error("what does not vary, or is too little, is bounded")
	}
	if iv := scoreInterval([]float64{1, 1, 1, 1, 1, 1}); iv == nil || iv.High != 1 || iv.Low > 0.6 {
		t.Errorf("all solved: %+v", iv)
	}
}
