package stats

import (
	"cmp"
	"slices"
)

// Ranks returns the ranks from 1 of the values of x, in the order of x; equal values share the mean of
// their ranks (midranks), so the sum is always n(n+1)/2. A NaN or infinite value is an error that wraps
// ErrNotFinite.
func Ranks(x []float64) ([]float64, error) {
	if err := finite("ranks", x); err != nil {
		return nil, err
	}
	r, _ := midranks(x)
	return r, nil
}

// midranks returns the midranks, and the sizes of the groups of equal values in ascending order; a value
// without ties is a group of one.
func midranks(x []float64) (ranks []float64, groups []int) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	ranks = make([]float64, len(x))
	for i := 0; i < len(order); {
		end := i + 1
		for end < len(order) && x[order[end]] == x[order[i]] {
			end++
		}
		for _, at := range order[i:end] {
			ranks[at] = float64(i+1+end) / 2
		}
		groups = append(groups, end-i)
		i = end
	}
	return ranks, groups
}

// tieSum is Σ(t³-t) over groups of t equal values: the correction for ties in the variance of a rank
// statistic.
func tieSum(groups []int) float64 {
	sum := 0.0
	for _, g := range groups {
		t := float64(g)
		sum += t * (t*t - 1)
	}
	return sum
}
