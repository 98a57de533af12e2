package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/scoring/calibrate"
)

// Fisher's tea (The Design of Experiments, chapter 2) and his twins (Statistical Methods, section 21.02: 2 of 15
// dizygotic and 10 of 12 monozygotic twins of criminals; R's fisher.test has 0.0005367241).
func TestFisherExact(t *testing.T) {
	for _, c := range []struct {
		a, n, b, m int
		want       float64
	}{{3, 4, 1, 4, 34.0 / 70}, {2, 17, 10, 13, 0.0005367241}, {0, 5, 0, 9, 1}, {6, 6, 0, 6, 2.0 / 924}} {
		if got := FisherExact(c.a, c.n, c.b, c.m); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d of %d, %d of %d: %.10f, want %.10f", c.a, c.n, c.b, c.m, got, c.want)
		}
	}
}

func TestCalibrateFisherExact(t *testing.T) {
	for _, c := range []struct {
		n int
		p float64
	}{{12, 0.3}, {24, 0.5}, {60, 0.2}} {
		rate := calibrate.TypeI("sessions cut short by arm, Fisher's exact test", fmt.Sprintf("%d and %d sessions, %g cut short", c.n, c.n, c.p), 400)
		rate.Low = 0
		rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
			count := func() (k int) {
				for range c.n {
					if r.Float64() < c.p {
						k++
					}
				}
				return k
			}
			if FisherExact(count(), c.n, count(), c.n) <= 0.05 {
				return calibrate.Hit
			}
			return calibrate.Miss
		})
	}
}
