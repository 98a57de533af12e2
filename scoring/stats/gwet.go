package stats

import "fmt"

// GwetAC returns Gwet's coefficient of agreement of the raters of several units: AC1 if unweighted, else AC2. Each unit
// lists its ratings, from 1 to k, without the missing ones:
//
//	AC = (p_a - p_e)/(1 - p_e),  p_e = T_w/(k(k-1)) Σ π_c(1-π_c),  T_w = Σ w_cd
//	p_a = mean over units with m ≥ 2 ratings of Σ_c n_c(Σ_d w_cd n_d - 1)/(m(m-1)),  π_c = mean over all units of n_c/m
//
// (Gwet, British Journal of Mathematical and Statistical Psychology 61, 2008; Handbook of Inter-Rater Reliability, 4th
// ed., 2014, which has the weights and missing ratings.) Unlike kappa and alpha it stays near the observed agreement where
// nearly all ratings are of one category. Errors wrap ErrTooFew (no unit has two ratings, fewer than two categories); a
// rating that is none of 1 to k is an error.
func GwetAC(units [][]float64, k int, weighting Weighting) (float64, error) {
	const statistic = "Gwet's agreement coefficient"
	if k < 2 {
		return 0, fmt.Errorf("%s of %d categories: at least two are needed: %w", statistic, k, ErrTooFew)
	}
	shares := make([]float64, k)
	observed, rated, paired := 0.0, 0, 0
	for i, unit := range units {
		counts, m := make([]float64, k), float64(len(unit))
		for _, v := range unit {
			if c := int(v); float64(c) != v || c < 1 || c > k {
				return 0, fmt.Errorf("%s: unit %d: %v is no category from 1 to %d", statistic, i, v, k)
			}
			counts[int(v)-1]++
		}
		if m == 0 {
			continue
		}
		rated++
		agreeing := 0.0
		for c, n := range counts {
			shares[c] += n / m
			weighted := -1.0
			for d, other := range counts {
				weighted += weighting.agreement(c, d, k) * other
			}
			agreeing += n * weighted
		}
		if m > 1 {
			paired++
			observed += agreeing / (m * (m - 1))
		}
	}
	if paired == 0 {
		return 0, fmt.Errorf("%s: no unit has two ratings: %w", statistic, ErrTooFew)
	}
	weights, chance := 0.0, 0.0
	for c, share := range shares {
		share /= float64(rated)
		chance += share * (1 - share)
		for d := range k {
			weights += weighting.agreement(c, d, k)
		}
	}
	chance *= weights / float64(k*(k-1))
	observed /= float64(paired)
	return checked(statistic, (observed-chance)/(1-chance))
}
