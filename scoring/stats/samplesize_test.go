package stats_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// R: power.t.test(delta = 0.5, sd = 1, power = 0.8, type = "paired") needs n = 33.4,
// delta = 1 n = 9.94, and delta = 0.1 with power 0.9 n = 1052.7.
func TestPairsNeeded(t *testing.T) {
	for _, c := range []struct{ mean, sd, power, want float64 }{{0.5, 1, 0.8, 34}, {-0.5, 1, 0.8, 34}, {1, 1, 0.8, 10}, {0.1, 1, 0.9, 1053}, {1, 0, 0.8, 2}} {
		n, err := stats.PairsNeeded(c.mean, c.sd, 0.05, c.power)
		if err != nil || n != c.want {
			t.Errorf("mean %v, sd %v, power %v: %v pairs, not %v (%v)", c.mean, c.sd, c.power, n, c.want, err)
		}
	}
	if _, err := stats.PairsNeeded(0, 1, 0.05, 0.8); !errors.Is(err, stats.ErrNoVariation) {
		t.Errorf("no difference: %v", err)
	}
	for _, c := range [][4]float64{{math.NaN(), 1, 0.05, 0.8}, {1, -1, 0.05, 0.8}, {1, 1, 0, 0.8}, {1, 1, 0.05, 1}} {
		if _, err := stats.PairsNeeded(c[0], c[1], c[2], c[3]); err == nil {
			t.Errorf("%v is no error", c)
		}
	}
}

// With as many pairs as are said to be needed, the signed-rank test that comparisons use
// finds the difference about as often as was asked for: of pass or fail, and of shares
// of five samples.
func TestPairsNeededSimulated(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	binary := func(win, lose float64) func() float64 {
		return func() float64 {
			switch u := random.Float64(); {
			case u < win:
				return 1
			case u < win+lose:
				return -1
			}
			return 0
		}
	}
	shares := func(p, q float64) func() float64 {
		return func() float64 {
			task, d := 0.6*random.Float64()-0.3, 0
			for range 5 {
				if random.Float64() < p+task {
					d++
				}
				if random.Float64() < q+task {
					d--
				}
			}
			return float64(d) / 5
		}
	}
	for _, c := range []struct {
		name string
		draw func() float64
	}{{"pass or fail, 6 points", binary(0.13, 0.07)}, {"pass or fail, 20 points", binary(0.3, 0.1)}, {"five samples, 5 points", shares(0.55, 0.5)}, {"five samples, 15 points", shares(0.55, 0.4)}} {
		var many []float64
		for range 100_000 {
			many = append(many, c.draw())
		}
		n, err := stats.PairsNeeded(stats.Mean(many), stats.SD(many), 0.05, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		const rounds = 1000
		found := 0
		for range rounds {
			d := make([]float64, int(n))
			for i := range d {
				d[i] = c.draw()
			}
			if test, err := stats.WilcoxonSignedRank(d, make([]float64, len(d)), stats.Pratt, stats.TwoSided, stats.Auto); err == nil && test.P < 0.05 {
				found++
			}
		}
		t.Logf("%s: %v pairs, found in %d of %d", c.name, n, found, rounds)
		if share := float64(found) / rounds; share < 0.74 || share > 0.86 {
			t.Errorf("%s: with %v pairs the difference is found in %.0f %% of cases, not in 80 %%", c.name, n, 100*share)
		}
	}
}

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

// With a large pilot assurance is power: power.t.test as above. The less the pilot tells,
// the more pairs it takes, and where it leaves the direction open none are enough.
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

// The assurance is how often another study finds the difference, if mean and spread are
// drawn from what the pilot leaves open.
func TestCalibrateAssurance(t *testing.T) {
	pilot := stats.Planned{Mean: 0.3, SD: 1, N: 40}
	pairs, err := pilot.PairsAssured(0.05, 0.8)
	if err != nil {
		t.Fatal(err)
	}
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
