package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/data/fatal"
)

// Darwin's maize: Fisher, The Design of Experiments, section 21, counts 863 of 32,768
// signs that give a sum of 314 or more, and so 5.267 % on both sides.
func TestSignFlipIsFishers(t *testing.T) {
	maize := []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}
	r, err := SignFlipTest(maize, nil, 0.95)
	if err != nil || r.P != 2*863./32768 || r.Method != Permutation || r.N != 15 || r.Differ != 15 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Interval.Low > 0 || r.Interval.Low < -2 || r.Interval.High < 38 {
		t.Errorf("the interval is %v", *r.Interval)
	}
}

// bruteFlip computes p and the subset means behind the interval by brute force.
func bruteFlip(d []float64, level float64) (p float64, iv Interval) {
	n := len(d)
	total := Sum(d)
	extreme := 0
	var means []float64
	for bits := range 1 << n {
		flipped, sum, size := 0.0, 0.0, 0
		for i, v := range d {
			if bits>>i&1 == 1 {
				flipped, sum, size = flipped-v, sum+v, size+1
			} else {
				flipped += v
			}
		}
		if math.Abs(flipped) >= math.Abs(total)-1e-9 {
			extreme++
		}
		if size > 0 {
			means = append(means, sum/float64(size))
		}
	}
	slices.Sort(means)
	all := math.Ldexp(1, n)
	// The empty subset counts as less than or equal to every δ.
	at := int(math.Floor(level/2*all)) - 1
	return float64(extreme) / all, Interval{means[at], means[len(means)-1-at]}
}

func TestLattice(t *testing.T) {
	for want, sums := range map[float64][]float64{
		1: {3, -7}, 0.25: {0.5, 0.75}, 1e-4: {0.0003, -0.7, 2}, 0: {0.00005, 1}, 1.0 / 3: {1.0 / 3, 2},
	} {
		f := &flips{}
		for _, sum := range sums {
			f.units = append(f.units, flipUnit{sum: sum})
		}
		if got := f.lattice(); got != want {
			t.Errorf("%v: %v, want %v", sums, got, want)
		}
	}
}

func TestSignFlipIsTheBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		n := 6 + random.IntN(7)
		d := make([]float64, n)
		scale := []float64{1, 10, 0}[random.IntN(3)]
		for i := range d {
			switch {
			case scale == 0:
				d[i] = random.NormFloat64() // on no lattice
			case random.IntN(3) > 0:
				d[i] = math.Round(scale*(random.NormFloat64()+0.5)) / scale
			}
		}
		r, err := SignFlipTest(d, nil, 0.95)
		if errors.Is(err, ErrNoVariation) {
			continue
		}
		p, iv := bruteFlip(d, 0.05)
		if err != nil || math.Abs(r.P-p) > 1e-12 || r.Interval == nil || math.Abs(r.Interval.Low-iv.Low) > 2e-3 || math.Abs(r.Interval.High-iv.High) > 2e-3 {
			t.Errorf("%v: %+v %v, %v; by brute force p %v, %v", d, r, r.Interval, err, p, iv)
		}
	}
}

// The p and the interval agree for any differences.
func TestSignFlipAgreesWithItsInterval(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 210 {
		n := []int{1, 5, 6, 7, 12, 40, 164, 500}[round%8]
		if round == 15 {
			n = 4000
		}
		d, clusters := adversarial(random, n, round/8%7), [][]int(nil)
		if round%3 == 0 {
			keys := make([]int, n)
			for i := range keys {
				keys[i] = random.IntN(n/2 + 1)
			}
			clusters = Clusters(keys)
		}
		r, err := SignFlipTest(d, clusters, 0.95)
		if errors.Is(err, ErrNoVariation) {
			continue
		}
		fatal.If(t, err)
		if r.P < r.Least*(1-1e-9) && r.Method == Permutation || r.P <= 0 || r.P > 1 {
			t.Errorf("n = %d: p %v, at least %v", n, r.P, r.Least)
		}
		if r.Interval == nil {
			if r.P <= 0.05 || r.N >= 6 {
				t.Errorf("n = %d: no interval, p %v", n, r.P)
			}
			continue
		}
		outside := r.Interval.Low > 0 || r.Interval.High < 0
		if outside != (r.P <= 0.05) {
			t.Errorf("n = %d, kind %d: p %v, %v", n, round/8%7, r.P, *r.Interval)
		}
		if !(r.Interval.Low <= r.Mean+1e-9 && r.Mean <= r.Interval.High+1e-9) {
			t.Errorf("n = %d, kind %d: the mean %v is not in %v", n, round/8%7, r.Mean, *r.Interval)
		}
	}
}

// adversarial returns differences on which tests disagree.
func adversarial(random *rand.Rand, n, kind int) []float64 {
	d := make([]float64, n)
	for i := range d {
		switch kind {
		case 0: // few differ
			if random.IntN(n) < 7 {
				d[i] = 1
			}
		case 1: // rates of ten samples
			d[i] = float64(random.IntN(11)-random.IntN(10)) / 10
		case 2: // all of one sign, and ties
			d[i] = float64(random.IntN(3)) / 4
		case 3: // many small against few large
			if d[i] = 0.1; random.IntN(7) == 0 {
				d[i] = -0.6
			}
		case 4: // on no lattice, skewed
			d[i] = random.ExpFloat64() - 1
		case 5: // quotients of many denominators
			d[i] = float64(random.IntN(4))/float64(3+random.IntN(9)) - 0.3
		case 6: // one of another size
			if d[i] = random.Float64() * 1e-6; i == 0 {
				d[i] = -1
			}
		}
	}
	return d
}

// Whole clusters are flipped: ten equal members are one observation.
func TestSignFlipOfClusters(t *testing.T) {
	var d []float64
	var keys []int
	for c, v := range []float64{0.2, 0.1, 0.4, 0.3, 0.5, 0.2, 0.6} {
		for range 10 {
			d, keys = append(d, v), append(keys, c)
		}
	}
	r, err := SignFlipTest(d, Clusters(keys), 0.95)
	if err != nil || r.N != 7 || r.P != 2./128 || r.Least != 2./128 {
		t.Errorf("%+v, %v", r, err)
	}
	single, err := SignFlipTest([]float64{0.2, 0.1, 0.4, 0.3, 0.5, 0.2, 0.6}, nil, 0.95)
	if err != nil || math.Abs(single.Interval.Low-r.Interval.Low) > 1e-6 || math.Abs(single.Interval.High-r.Interval.High) > 1e-6 {
		t.Errorf("%v of clusters, %v of their means: %v", *r.Interval, *single.Interval, err)
	}
	if _, err := SignFlipTest(d, [][]int{{0}}, 0.95); !errors.Is(err, ErrShape) {
		t.Errorf("%v", err)
	}
}

// The approximation for thousands of units equals the exact tail where both are known.
func TestSaddlepointIsNearTheExactTail(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		n := 100 + random.IntN(200)
		d := make([]float64, n)
		for i := range d {
			d[i] = random.NormFloat64() + 0.2*random.Float64()
		}
		units, _ := flipUnits(d, nil)
		f := newFlips(units)
		exact, _ := f.p()
		near := 2 * min(saddlepointTail(units, 0, true), saddlepointTail(units, 0, false))
		if !f.exact || math.Abs(near/exact-1) > 0.01 {
			t.Errorf("n = %d: %v, exactly %v", n, near, exact)
		}
		low, high := f.interval(0.05, exact <= 0.05), (&flips{units: units, unit: f.unit, exact: true}).interval(0.05, exact <= 0.05)
		if half := low.High - low.Low; math.Abs(low.Low-high.Low) > 0.01*half || math.Abs(low.High-high.High) > 0.01*half {
			t.Errorf("n = %d: %v, by the approximation %v", n, *low, *high)
		}
	}
}
