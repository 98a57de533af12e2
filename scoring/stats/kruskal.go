package stats

import "fmt"

// KruskalResult is the result of the Kruskal-Wallis test.
type KruskalResult struct {
	H  float64 `json:"h"` // corrected for ties
	DF int     `json:"df"`
	N  int     `json:"n"`
	P  float64 `json:"p"` // from χ²: an approximation
}

// KruskalWallis tests whether k independent samples come from one distribution:
//
//	H = (12/(N(N+1)) Σ R²/n - 3(N+1)) / (1 - Σ(t³-t)/(N³-N)),  df = k-1
//
// (Kruskal & Wallis, JASA 47, 1952.) Errors wrap ErrTooFew (fewer than two
// samples, or an empty one), ErrNotFinite and ErrNoVariation.
func KruskalWallis(groups ...[]float64) (KruskalResult, error) {
	const statistic = "Kruskal-Wallis"
	if len(groups) < 2 {
		return KruskalResult{}, fmt.Errorf("%s of %d samples: at least two are needed: %w", statistic, len(groups), ErrTooFew)
	}
	if err := samples(statistic, groups...); err != nil {
		return KruskalResult{}, err
	}
	var all []float64
	for _, g := range groups {
		all = append(all, g...)
	}
	ranks, ties := midranks(all)
	if len(ties) < 2 {
		return KruskalResult{}, fmt.Errorf("%s: %w", statistic, ErrNoVariation)
	}
	n, between := float64(len(all)), 0.0
	for _, g := range groups {
		size := float64(len(g))
		d := Sum(ranks[:len(g)])/size - (n+1)/2 // centring on the mean rank avoids cancellation
		between += size * d * d
		ranks = ranks[len(g):]
	}
	r := KruskalResult{N: len(all), DF: len(groups) - 1}
	r.H = 12 / (n * (n + 1)) * between / (1 - tieSum(ties)/(n*n*n-n))
	r.P = upperChiSquare(r.H, r.DF)
	return checked(statistic, r)
}
