package stats_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// Two groups of two, by hand: means 1 and 4; the groups' squares
// are 2 and 8, so within is 10/2 = 5; between the groups 2((1-2.5)²+(4-2.5)²)/1 = 9, so
// (9-5)/2 = 2.
func TestVarianceComponents(t *testing.T) {
	c, err := stats.VarianceComponents([][]float64{{0, 2}, {2, 6}})
	if err != nil || c.Within != 5 || c.Between != 2 {
		t.Errorf("%+v %v", c, err)
	}
	// Groups of other sizes: values 0,0 and 3 (twice) and 6; n₀ = (5-9/5)/2 = 1.6.
	c, err = stats.VarianceComponents([][]float64{{0, 0}, {3, 3}, {6}})
	if err != nil || c.Within != 0 || math.Abs(c.Between-(2*2.4*2.4+2*0.6*0.6+3.6*3.6)/2/1.6) > 1e-12 {
		t.Errorf("%+v %v", c, err)
	}
	for _, groups := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {}}} {
		if _, err := stats.VarianceComponents(groups); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("%v: %v", groups, err)
		}
	}
}

// With a large pilot, assurance equals power: power.t.test as above. A less informative pilot needs more
// pairs; if it leaves the direction open, no number suffices.
func TestPairsAssured(t *testing.T) {
	n, err := stats.Planned{Mean: 0.5, SD: 1, N: 1_000_000}.PairsAssured(0.05, 0.8)
	if err != nil || math.Abs(n-34) > 1 {
		t.Errorf("a large pilot: %v, %v", n, err)
	}
	small, err := stats.Planned{Mean: 0.5, SD: 1, N: 30}.PairsAssured(0.05, 0.8)
	if err != nil || small < 1.3*n {
		t.Errorf("a pilot of 30: %v, %v", small, err)
	}
	fixed, err := stats.Planned{Mean: 0.1, SD: 1, N: 30, Effect: 0.5}.PairsAssured(0.05, 0.8)
	if err != nil || !(fixed >= n && fixed < small) {
		t.Errorf("an effect that matters: %v, %v", fixed, err)
	}
	if _, err := (stats.Planned{Mean: 0.05, SD: 1, N: 30}).PairsAssured(0.05, 0.8); !errors.Is(err, stats.ErrTooMany) {
		t.Errorf("a direction that is open: %v", err)
	}
	for _, p := range []stats.Planned{{Mean: 1, SD: 1, N: 1}, {Mean: 1, N: 5}, {Mean: math.NaN(), SD: 1, N: 5}} {
		if n, err := p.PairsAssured(0.05, 0.8); err == nil {
			t.Errorf("%+v: %v pairs", p, n)
		}
	}
}

// The assurance is how often another study finds the difference, with mean and spread drawn from the
// pilot's distribution of them.
func TestCalibrateAssurance(t *testing.T) {
	pilot := stats.Planned{Mean: 0.3, SD: 1, N: 40}
	pairs, err := pilot.PairsAssured(0.05, 0.8)
	fatal.If(t, err)
	calibrate.Rate{What: "assurance of a planned comparison", Setting: "pilot of 40 pairs", Nominal: 0.8, Low: 0.78, High: 0.82, Few: 400}.Check(t, func(random *rand.Rand) calibrate.Outcome {
		chi := 0.0
		for range pilot.N - 1 {
			z := random.NormFloat64()
			chi += z * z
		}
		sigma := pilot.SD * math.Sqrt(float64(pilot.N-1)/chi)
		delta := pilot.Mean + sigma/math.Sqrt(float64(pilot.N))*random.NormFloat64()
		sum, squares := 0.0, 0.0
		for range int(pairs) {
			d := delta + sigma*random.NormFloat64()
			sum, squares = sum+d, squares+d*d
		}
		mean := sum / pairs
		if mean/math.Sqrt((squares/pairs-mean*mean)/(pairs-1)) > stats.TQuantile(0.975, pairs-1) {
			return calibrate.Hit
		}
		return calibrate.Miss
	})
}
