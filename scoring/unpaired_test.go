package scoring_test

import (
	"errors"
	"math"
	"testing"

	"assay/scoring"
	"assay/scoring/stats"
)

// Newcombe 1998, table II, example (a): 56/70 and 48/80 differ by 0.2, method 10: 0.0524
// to 0.3339.
func TestUnpairedDifference(t *testing.T) {
	ones := func(k, n int) (all []float64) {
		for i := range n {
			v := 0.0
			if i < k {
				v = 1
			}
			all = append(all, v)
		}
		return all
	}
	d, err := scoring.UnpairedDifference(ones(56, 70), ones(48, 80))
	if err != nil || math.Abs(d.Value-0.2) > 1e-12 || math.Abs(d.Interval.Low-0.0524) > 5e-5 || math.Abs(d.Interval.High-0.3339) > 5e-5 || d.N != 150 {
		t.Errorf("Newcombe: %+v %v", d, err)
	}
	d, err = scoring.UnpairedDifference([]float64{0.1, 0.2, 0.3, 0.4}, []float64{0.2, 0.2, 0.5})
	if err != nil || d.Method != "Newcombe, unpaired, tasks like these" || math.Abs(d.Value+0.05) > 1e-12 || !(d.Interval.Low < d.Value && d.Value < d.Interval.High) {
		t.Errorf("means: %+v %v", d, err)
	}
	if d, err := scoring.UnpairedDifference([]float64{0.5}, []float64{0.2, 0.3}); err != nil || d.Method != "" {
		t.Errorf("one value: %+v %v", d, err)
	}
	if _, err := scoring.UnpairedDifference(nil, ones(1, 2)); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("an empty side: %v", err)
	}
}
