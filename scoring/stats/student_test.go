package stats

import (
	"math"
	"testing"
)

// TestTQuantile: values of R's qt.
func TestTQuantile(t *testing.T) {
	for _, c := range []struct{ p, df, want float64 }{
		{0.975, 1, 12.70620473617471}, {0.975, 2, 4.302652729911275}, {0.975, 3, 3.182446305284263}, {0.975, 99, 1.984216951586789},
		{0.025, 4, -2.776445105197793}, {0.5, 7, 0}, {0.9, 10, 1.372183641110336}, {0.995, 1e6, 2.575834}, {1, 3, math.Inf(1)},
	} {
		if got := TQuantile(c.p, c.df); !(math.Abs(got-c.want) <= 1e-6*max(1, math.Abs(c.want))) && got != c.want {
			t.Errorf("t(%v, %v) = %v, want %v", c.p, c.df, got, c.want)
		}
	}
	for _, c := range [][2]float64{{-0.1, 3}, {1.1, 3}, {0.5, 0}, {math.NaN(), 3}, {0.5, math.NaN()}} {
		if got := TQuantile(c[0], c[1]); !math.IsNaN(got) {
			t.Errorf("t(%v, %v) = %v", c[0], c[1], got)
		}
	}
}
