package irt

import (
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// A chain with lag-1 correlation r has an effective size of (1-r)/(1+r) times its length, and a wider
// interval; the effective size of independent draws is their number.
func TestIntervalsAllowForCorrelatedDraws(t *testing.T) {
	const n = 4000
	for r, tail := range map[float64]float64{0: 0.025, 0.9: 0.022, 0.99: 0} {
		random := rand.New(rand.NewPCG(1, 2))
		chain, x := make([]float64, n), random.NormFloat64()
		for i := range chain {
			x = r*x + math.Sqrt(1-r*r)*random.NormFloat64()
			chain[i] = x
		}
		want := n * (1 - r) / (1 + r)
		if got := independent(chain); got < 0.6*want || got > 1.5*want {
			t.Errorf("correlated by %v: worth %.0f of %d, want about %.0f", r, got, n, want)
		}
		iv, err := tails(chain, 0.95)
		fatal.If(t, err)
		below := 0.0
		for _, v := range chain {
			if v < iv.Low {
				below++
			}
		}
		if math.Abs(below/n-tail) > 0.004 {
			t.Errorf("correlated by %v: %.4f is cut off, want about %v", r, below/n, tail)
		}
	}
	if iv, err := tails([]float64{3, 3, 3, 3}, 0.95); err != nil || iv != (stats.Interval{Low: 3, High: 3}) {
		t.Errorf("equal draws: %v, %v", iv, err)
	}
}
