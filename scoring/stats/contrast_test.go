package stats

import (
	"math"
	"testing"
)

// TestNoncentralT: as pt(t, df, ncp) of R 4.2.2.
func TestNoncentralT(t *testing.T) {
	for _, c := range []struct{ t, df, delta, want float64 }{
		{1.5, 2, 0.5, 0.748974204101}, {1.5, 2, 3, 0.0876199756134}, {-2, 7, -1, 0.205494988339}, {0.3, 1.5, 0.2, 0.521967845145}, {4, 30, 6, 0.0356609546312},
	} {
		if got := noncentralT(c.t, c.df, c.delta); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("t %v, df %v, δ %v: %.12f, want %.12f", c.t, c.df, c.delta, got, c.want)
		}
	}
}
