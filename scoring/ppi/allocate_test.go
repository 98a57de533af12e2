package ppi

import (
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// uneven is a population in which the judge errs much in some strata: people's ratings, the judge's, by stratum.
func uneven(r *rand.Rand, shares, errs []float64) Rated {
	u, h := r.Float64(), 0
	for u > shares[h] && h < len(shares)-1 {
		u -= shares[h]
		h++
	}
	x := r.NormFloat64() + float64(h)
	return Rated{Human: x, Judged: x + errs[h]*r.NormFloat64(), Stratum: h}
}

// The allocation gives at most the variance of proportional allocation of as many ratings, by its formula and simulated,
// and the width that was wanted; where all strata are alike it is proportional.
func TestAllocate(t *testing.T) {
	const total, pilot, width = 4000, 400, 0.25
	shares := []float64{0.7, 0.2, 0.1}
	for _, errs := range [][]float64{{0.1, 1, 3}, {1, 1, 1}, {0.5, 2, 0.5}} {
		r := rand.New(rand.NewPCG(7, uint64(100*errs[0])))
		items := make([]Rated, total)
		for i := range items {
			items[i] = uneven(r, shares, errs)
			if items[i].Cluster = i; i >= pilot {
				items[i].Human = math.NaN()
			}
		}
		b, err := Clustered(items, Scale{-20, 20}, 0.95)
		fatal.If(t, err)
		a, err := b.Allocate(items, shares, width, total, 0.95)
		fatal.If(t, err)
		p, err := b.strata(items, shares)
		fatal.If(t, err)
		p.total = total
		best, even := make([]int, len(shares)), make([]int, len(shares))
		left := a.Optimal
		for h, s := range a.Strata {
			best[h], even[h] = s.Optimal, int(math.Round(s.Share*float64(a.Optimal)))
			left -= even[h]
		}
		even[0] += left
		if a.Optimal == 0 || p.variance(best) > p.variance(even)*(1+1e-12) || a.Optimal > a.Proportional+len(shares) {
			t.Errorf("errors %v: %+v has the variance %v, proportional allocation of as many %v", errs, a, p.variance(best), p.variance(even))
		}
		simulated := map[string]float64{}
		const times = 400
		for name, n := range map[string][]int{"best": best, "even": even} {
			var values []float64
			for range times {
				values = append(values, stratifiedEstimate(r, shares, errs, n, total, b.Lambda))
			}
			sum, m := squares(values)
			simulated[name] = sum / (m - 1)
		}
		const chance = 1.25 // three standard errors of the quotient of two variances of 400 values
		if simulated["best"] > chance*simulated["even"] {
			t.Errorf("errors %v: simulated variances %v", errs, simulated)
		}
		if errs[2] == 3 && simulated["best"] > 0.9*simulated["even"] {
			t.Errorf("errors %v: the allocation gains too little: %v", errs, simulated)
		}
		if errs[2] == 3 && float64(a.Optimal) > 0.8*float64(a.Proportional) {
			t.Errorf("errors %v: %d ratings, in proportion %d", errs, a.Optimal, a.Proportional)
		}
		if sd := math.Sqrt(simulated["best"]); 2*1.96*sd > 1.2*width {
			t.Errorf("errors %v: the width is %v, not %v", errs, 2*1.96*sd, width)
		}
	}
}

// stratifiedEstimate draws a sample with n ratings of each stratum, and returns its estimate.
func stratifiedEstimate(r *rand.Rand, shares, errs []float64, n []int, total int, lambda float64) (value float64) {
	for h, share := range shares {
		one := make([]float64, h+1)
		one[h] = 1
		var left, judged []float64
		for i := range int(share * float64(total)) {
			x := uneven(r, one, errs)
			if judged = append(judged, x.Judged); i < n[h] {
				left = append(left, x.Human-lambda*x.Judged)
			}
		}
		value += share * (stats.Mean(left) + lambda*stats.Mean(judged))
	}
	return value
}

// Strata with few ratings get the deviation of all; a width that nothing reaches has no allocation; bad arguments are
// refused.
func TestAllocateEdges(t *testing.T) {
	var items []Rated
	for i := range 40 {
		r := Rated{Human: float64(i % 5), Judged: float64(i % 3), Cluster: i}
		if i%10 == 0 {
			r.Stratum = 1
		}
		if i >= 20 {
			r.Human = math.NaN()
		}
		items = append(items, r)
	}
	b, err := Clustered(items, Scale{0, 4}, 0.95)
	fatal.If(t, err)
	a, err := b.Allocate(items, []float64{0.9, 0.1}, 1, 40, 0.95)
	fatal.If(t, err)
	if a.Strata[0].Pooled || !a.Strata[1].Pooled || a.Strata[1].SD == 0 || a.Strata[1].Optimal < 2 || a.Strata[1].Optimal > 4 {
		t.Errorf("%+v", a)
	}
	if a, err := b.Allocate(items, []float64{0.9, 0.1}, 1e-6, 40, 0.95); err != nil || a.Optimal != 0 || a.Proportional != 0 {
		t.Errorf("a width that nothing reaches: %+v, %v", a, err)
	}
	for _, bad := range []struct {
		shares     []float64
		width      float64
		total      int
		confidence float64
	}{{[]float64{1}, 1, 40, 0.95}, {[]float64{0.9, 0.1}, 0, 40, 0.95}, {[]float64{0.9, 0.1}, 1, 0, 0.95}, {[]float64{0.9, 0.1}, 1, 40, 1}} {
		if _, err := b.Allocate(items, bad.shares, bad.width, bad.total, bad.confidence); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
