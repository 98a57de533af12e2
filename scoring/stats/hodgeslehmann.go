package stats

import (
	"fmt"
	"math"
	"slices"
)

// Shift is a Hodges-Lehmann estimate with its interval.
type Shift struct {
	Estimate float64  `json:"estimate"` // in the unit of the values
	Interval Interval `json:"interval"`
	// Achieved is the confidence that the interval really has: it is made of
	// order statistics, so that the one asked for is met only nearly, and not at
	// all by very few values. For Normal it is the one asked for.
	Achieved float64 `json:"achieved"`
	N1       int     `json:"n1"`
	N2       int     `json:"n2,omitempty"`
	Method   Method  `json:"method"` // Exact or Normal
}

// mostPairs bounds the averages or differences that are sorted.
const mostPairs = 20_000_000

// HodgesLehmann estimates the centre of a symmetric distribution by the median
// of the Walsh averages (xᵢ+xⱼ)/2, i ≤ j (Hodges & Lehmann, Annals of
// Mathematical Statistics 34, 1963). For paired data hand over the differences.
//
// The interval is that of R's wilcox.test(conf.int = TRUE): the q-th smallest
// and the q-th largest average, q the (1-c)/2 quantile of the signed-rank
// distribution; exact for at most 50 values without ties or zeros, else with q
// from the normal approximation (Hollander & Wolfe 1999, equation 3.41; R
// inverts the test there and may differ a little). Errors wrap ErrTooFew (no
// value), ErrNotFinite and, over 20 million averages, ErrTooMany.
func HodgesLehmann(x []float64, confidence float64) (Shift, error) {
	const what = "Hodges-Lehmann"
	if err := checkConfidence(confidence); err != nil {
		return Shift{}, err
	}
	if err := samples(what, x); err != nil {
		return Shift{}, err
	}
	n := len(x)
	if n*(n+1)/2 > mostPairs {
		return Shift{}, fmt.Errorf("%s of %d values: %w", what, n, ErrTooMany)
	}
	averages := make([]float64, 0, n*(n+1)/2)
	for i, a := range x {
		for _, b := range x[i:] {
			averages = append(averages, a/2+b/2)
		}
	}
	sizes, _, none := differences(x, make([]float64, n), Pratt)
	_, groups := midranks(sizes)
	r := Shift{N1: n, Method: Normal}
	var pmf []float64
	if none == 0 && !tied(groups) && n <= autoSignedRank {
		r.Method, pmf = Exact, signedRankPMF(n)
	}
	size := float64(n)
	r.order(averages, pmf, size*(size+1)/4, math.Sqrt(size*(size+1)*(2*size+1)/24), confidence)
	return checked(what, r)
}

// HodgesLehmannShift estimates by how much x lies above y: the median of all
// differences xᵢ-yⱼ (Hodges & Lehmann 1963). The interval is as in
// HodgesLehmann, with the distribution of Mann-Whitney's U, exact without ties
// and with both samples under 50 values. Errors wrap ErrTooFew (an empty
// sample), ErrNotFinite and, over 20 million pairs, ErrTooMany.
func HodgesLehmannShift(x, y []float64, confidence float64) (Shift, error) {
	const what = "Hodges-Lehmann shift"
	if err := checkConfidence(confidence); err != nil {
		return Shift{}, err
	}
	if err := samples(what, x, y); err != nil {
		return Shift{}, err
	}
	if len(x)*len(y) > mostPairs {
		return Shift{}, fmt.Errorf("%s of %d and %d values: %w", what, len(x), len(y), ErrTooMany)
	}
	differences := make([]float64, 0, len(x)*len(y))
	for _, a := range x {
		for _, b := range y {
			differences = append(differences, a-b)
		}
	}
	_, groups := midranks(append(append([]float64(nil), x...), y...))
	r := Shift{N1: len(x), N2: len(y), Method: Normal}
	var pmf []float64
	if !tied(groups) && max(r.N1, r.N2) < autoRankSum {
		r.Method, pmf = Exact, rankSumPMF(r.N1, r.N2)
	}
	n1, n2 := float64(r.N1), float64(r.N2)
	r.order(differences, pmf, n1*n2/2, math.Sqrt(n1*n2*(n1+n2+1)/12), confidence)
	return checked(what, r)
}

// order sets the median of the values and the order statistics that bound it,
// by the exact distribution if there is one, else by mean and deviation.
func (r *Shift) order(values, pmf []float64, mean, sd, confidence float64) {
	slices.Sort(values)
	r.Estimate = Median(values)
	tail := (1 - confidence) / 2
	r.Achieved = confidence
	q := int(math.Round(mean + NormalQuantile(tail)*sd))
	if pmf != nil {
		q = 0
		for below := 0.0; q < len(pmf); q++ {
			if below += pmf[q]; below >= tail*(1-1e-12) {
				break
			}
		}
	}
	q = min(max(q, 1), (len(values)+1)/2)
	if pmf != nil {
		r.Achieved = max(0, 1-2*Sum(pmf[:q])) // fewer than q on the wrong side
	}
	r.Interval = Interval{values[q-1], values[len(values)-q]}
}
