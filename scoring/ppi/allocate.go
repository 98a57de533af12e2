package ppi

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Stratum is a part of the items, such as those of one verdict, and how many of it people should rate.
type Stratum struct {
	Share        float64 // of all items, from 0 to 1
	Rated        int     // ratings in the pilot
	SD           float64 // of Human - λ Judged in the pilot, in points of the scale
	Pooled       bool    // the pilot has fewer than 5 ratings of it: SD is that within all strata together
	Optimal      int     // ratings by the optimal allocation
	Proportional int     // ratings in proportion to Share
}

// Allocation divides ratings among strata, so that an interval reaches a width.
type Allocation struct {
	Strata       []Stratum
	Optimal      int // ratings by the optimal allocation; 0: not even ratings of all are enough
	Proportional int // ratings in proportion to the strata; 0: not even ratings of all are enough
}

const (
	leastInStratum = 5 // ratings in a pilot, from which a stratum has a deviation of its own
	leastAllocated = 2 // ratings of each stratum, without which its variance could not be estimated
)

// Allocate returns how many ratings of each stratum an interval of a width takes, where a judge rates all of total items,
// of which stratum h has the share W, and ratings and judge are like those of the pilot items:
//
//	width = 2 t √(d (Σ W² σ²/n + λ² Σ W s²/total))
//
// σ is the stratum's deviation of Human - λ Judged, s that of Judged, and d the quotient of the pilot's variance at
// clusters and that of independent ratings. n ∝ W σ makes the sum least (Neyman, Journal of the Royal Statistical
// Society 97, 1934); here it is the best allocation in whole numbers, of at least 2 ratings of a stratum and at most all.
// Proportional allocation has n ∝ W. Both are of simple random samples within strata.
func (b Both) Allocate(items []Rated, shares []float64, width float64, total int, confidence float64) (Allocation, error) {
	if err := checkNeed(width, total, confidence); err != nil {
		return Allocation{}, err
	}
	p, err := b.strata(items, shares)
	if err != nil {
		return Allocation{}, err
	}
	p.total = float64(total)
	out := Allocation{Strata: p.list}
	for _, way := range []struct {
		weight func(Stratum) float64
		sum    *int
		of     func(*Stratum) *int
	}{
		{func(s Stratum) float64 { return s.Share * s.SD }, &out.Optimal, func(s *Stratum) *int { return &s.Optimal }},
		{func(s Stratum) float64 { return s.Share }, &out.Proportional, func(s *Stratum) *int { return &s.Proportional }},
	} {
		n := p.least(way.weight, func(n []int) bool {
			sum := 0
			for _, of := range n {
				sum += of
			}
			df := float64(sum)*float64(b.Clusters)/float64(b.Rated) - 1
			return df >= leastClusters-1 && 2*stats.TQuantile((1+confidence)/2, df)*math.Sqrt(p.variance(n)) <= width
		})
		for h := range n {
			*way.of(&out.Strata[h]) = n[h]
			*way.sum += n[h]
		}
	}
	return out, nil
}

// stratified is a pilot by strata.
type stratified struct {
	list   []Stratum
	design float64 // variance at clusters by that of independent ratings
	judge  float64 // λ² Σ W s²
	total  float64
}

func (b Both) strata(items []Rated, shares []float64) (*stratified, error) {
	residuals, judgements := make([][]float64, len(shares)), make([][]float64, len(shares))
	var all, judged []float64
	for i, r := range items {
		if r.Stratum < 0 || r.Stratum >= len(shares) {
			return nil, fmt.Errorf("item %d is of stratum %d of %d: %w", i, r.Stratum, len(shares), stats.ErrShape)
		}
		judgements[r.Stratum], judged = append(judgements[r.Stratum], r.Judged), append(judged, r.Judged)
		if left := r.Human - b.Lambda*r.Judged; !math.IsNaN(left) {
			residuals[r.Stratum], all = append(residuals[r.Stratum], left), append(all, left)
		}
	}
	p := &stratified{design: 1}
	pooled, df := 0.0, 0.0
	for h := range shares {
		sum, n := squares(residuals[h])
		pooled, df = pooled+sum, df+max(0, n-1)
		s := Stratum{Share: shares[h], Rated: int(n), Pooled: n < leastInStratum}
		if !s.Pooled {
			s.SD = math.Sqrt(sum / (n - 1))
		}
		p.list = append(p.list, s)
		if sum, n = squares(judgements[h]); n > 1 {
			p.judge += b.Lambda * b.Lambda * shares[h] * sum / (n - 1)
		}
	}
	for h := range p.list {
		if s := &p.list[h]; s.Pooled && df > 0 {
			s.SD = math.Sqrt(pooled / df)
		} else if s.Pooled {
			sum, n := squares(all)
			s.SD = math.Sqrt(sum / max(1, n-1))
		}
	}
	sum, n := squares(all)
	byJudge, m := squares(judged)
	if independent := sum/(max(1, n-1)*n) + b.Lambda*b.Lambda*byJudge/(max(1, m-1)*m); independent > 0 {
		p.design = b.SE * b.SE / independent
	}
	_, err := checked(p, p.design, p.judge)
	return p, err
}

// squares returns the sum of squared deviations from the mean, and the number of values.
func squares(x []float64) (sum, n float64) {
	if len(x) == 0 {
		return 0, 0
	}
	mean := stats.Mean(x)
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return sum, float64(len(x))
}

// variance is that of the estimate from so many ratings of each stratum.
func (p *stratified) variance(n []int) float64 {
	v := p.judge / p.total
	for h, s := range p.list {
		v += s.Share * s.Share * s.SD * s.SD / float64(n[h])
	}
	return v * p.design
}

// least returns the smallest allocation by weights that is enough; nil: none is. Each stratum gets the least n with
// n (n+1) ≥ (c weight)², which for the weights Wσ is the best allocation of its sum in whole numbers: no rating would
// reduce the variance more in another stratum (Wright, The American Statistician 66, 2012).
func (p *stratified) least(weight func(Stratum) float64, enough func(n []int) bool) []int {
	at := func(c float64) []int {
		n := make([]int, len(p.list))
		for h, s := range p.list {
			most := max(1, math.Round(s.Share*p.total))
			q := c * weight(s)
			n[h] = int(min(most, max(leastAllocated, math.Ceil((math.Sqrt(1+4*q*q)-1)/2))))
		}
		return n
	}
	low, high := 0.0, 1.0
	for !enough(at(high)) {
		if high > 1e18 {
			return nil
		}
		low, high = high, 2*high
	}
	for range 200 {
		if middle := (low + high) / 2; enough(at(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	return at(high)
}
