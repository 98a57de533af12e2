package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"assay/scoring/stats"
)

// An interval of a difference shows likeness, a difference beyond the margin, or neither.
func TestMargins(t *testing.T) {
	for iv, want := range map[stats.Interval][2]bool{
		{Low: -0.04, High: 0.03}:  {true, false},
		{Low: 0.01, High: 0.03}:   {true, false},
		{Low: -0.05, High: 0.03}:  {false, false},
		{Low: 0.06, High: 0.2}:    {false, true},
		{Low: -0.2, High: -0.051}: {false, true},
		{Low: -0.2, High: 0.2}:    {false, false},
	} {
		if got := [2]bool{iv.Within(0.05), iv.Beyond(0.05)}; got != want {
			t.Errorf("%v: %v, want %v", iv, got, want)
		}
	}
}

// With the number of pairs that PairsAlike gives, equal means are called alike as often as it says, and means
// that differ by the margin in at most 2.5 % of data sets.
func TestPairsAlike(t *testing.T) {
	n := stats.PairsAlike(0.25, 0.1, 0.95, 0.8)
	if n != 66 { // (1.960 + 1.282)² · 0.25² / 0.1² = 65.7
		t.Errorf("%v pairs", n)
	}
	random := rand.New(rand.NewPCG(1, 2))
	const runs = 4000
	for truth, bounds := range map[float64][2]float64{0: {0.77, 0.83}, 0.1: {0.015, 0.035}} {
		alike := 0
		for range runs {
			values := make([]float64, int(n))
			for i := range values {
				values[i] = truth + 0.25*random.NormFloat64()
			}
			c := stats.Contrast{Value: stats.Mean(values), SE: stats.SD(values) / math.Sqrt(n), DF: n - 1}
			if iv, err := c.Interval(0.95); err == nil && iv.Within(0.1) {
				alike++
			}
		}
		if share := float64(alike) / runs; share < bounds[0] || share > bounds[1] {
			t.Errorf("means that differ by %v are alike in %v of data sets", truth, share)
		}
	}
}
