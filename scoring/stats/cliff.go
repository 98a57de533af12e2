package stats

import (
	"math"
	"slices"
	"sort"
)

// Cliff is Cliff's delta with its interval.
type Cliff struct {
	Delta    float64  `json:"delta"` // -1 to 1, positive where x tends to be larger
	A12      float64  `json:"a12"`   // Vargha & Delaney's A, (delta+1)/2
	SE       float64  `json:"se"`
	Interval Interval `json:"interval"`
	N1       int      `json:"n1"`
	N2       int      `json:"n2"`
}

// CliffDelta returns the probability that a value of x is larger than one of y minus the probability that it is
// smaller, over all pairs:
//
//	δ = (#(x>y) - #(x<y)) / n₁n₂
//	s² = (n₂²Σ(δᵢ.-δ)² + n₁²Σ(δ.ⱼ-δ)² - ΣΣ(δᵢⱼ-δ)²) / (n₁n₂(n₁-1)(n₂-1)), at least (1-δ²)/(n₁n₂-1)
//	(δ - δ³ ± zs sqrt((1-δ²)² + z²s²)) / (1 - δ² + z²s²)
//
// (Cliff, Ordinal Methods for Behavioral Data Analysis, 1996; the asymmetric interval of Feng & Cliff, J.
// Modern Applied Statistical Methods 3, 2004, with the normal z.) If δ is ±1 the other end is
// ±(n-z²)/(n+z²), with n the size of the smaller sample, as they give it. Errors wrap ErrTooFew (fewer than
// two values in a sample) and ErrNotFinite.
func CliffDelta(x, y []float64, confidence float64) (Cliff, error) {
	const statistic = "Cliff's delta"
	if err := checkConfidence(confidence); err != nil {
		return Cliff{}, err
	}
	if len(x) < 2 || len(y) < 2 {
		return Cliff{}, tooFew(statistic, min(len(x), len(y)), 2)
	}
	if err := samples(statistic, x, y); err != nil {
		return Cliff{}, err
	}
	overX, ties := dominance(x, y)
	overY, _ := dominance(y, x)
	n1, n2 := float64(len(x)), float64(len(y))
	r := Cliff{N1: len(x), N2: len(y), Delta: Sum(overX) / (n1 * n2)}
	r.A12 = (r.Delta + 1) / 2
	d, rows, columns := r.Delta, 0.0, 0.0
	for _, s := range overX {
		rows += (s/n2 - d) * (s/n2 - d)
	}
	for _, s := range overY {
		columns += (s/n1 + d) * (s/n1 + d) // y over x is -(x over y)
	}
	cells := n1*n2 - ties - n1*n2*d*d
	variance := (n2*n2*rows + n1*n1*columns - cells) / (n1 * n2 * (n1 - 1) * (n2 - 1))
	variance = max(variance, (1-d*d)/(n1*n2-1))
	r.SE = math.Sqrt(variance)
	r.Interval = cliffInterval(d, r.SE, min(n1, n2), NormalQuantile((1+confidence)/2))
	return checked(statistic, r)
}

func cliffInterval(d, se, n, z float64) Interval {
	switch end := (n - z*z) / (n + z*z); d {
	case 1:
		return Interval{end, 1}
	case -1:
		return Interval{-1, -end}
	}
	rest, zs := 1-d*d, z*se
	half := zs * math.Sqrt(rest*rest+zs*zs)
	return Interval{max(-1, (d*rest-half)/(rest+zs*zs)), min(1, (d*rest+half)/(rest+zs*zs))}
}

// dominance counts, for each value of x, how many values of y are smaller minus how many are larger; ties
// is the number of tied pairs.
func dominance(x, y []float64) (over []float64, ties float64) {
	sorted := slices.Sorted(slices.Values(y))
	over = make([]float64, len(x))
	for i, v := range x {
		below := sort.SearchFloat64s(sorted, v)
		upTo := sort.Search(len(sorted), func(j int) bool { return sorted[j] > v })
		over[i] = float64(below - (len(sorted) - upTo))
		ties += float64(upTo - below)
	}
	return over, ties
}
