package stats

import "fmt"

// Components are the variances of a one-way random-effects model: between the groups' true means, and of
// values within a group.
type Components struct {
	Between float64 // unbiased, hence below 0 if groups differ less than by chance
	Within  float64
}

// VarianceComponents estimates the variances between and within groups of any sizes by analysis of
// variance:
//
//	within = Σᵢ Σⱼ (xᵢⱼ - x̄ᵢ)² / (N-g);  n₀ = (N - Σnᵢ²/N) / (g-1)
//	between = (Σᵢ nᵢ (x̄ᵢ - x̄)² / (g-1) - within) / n₀
//
// (Searle, Casella & McCulloch, Variance Components, 1992, section 3.6.) Errors wrap ErrTooFew (fewer than
// two groups, an empty one, or no group with two values) and ErrNotFinite.
func VarianceComponents(groups [][]float64) (Components, error) {
	const statistic = "variance components"
	n, squares := 0, 0
	var all []float64
	for i, g := range groups {
		if len(g) == 0 {
			return Components{}, fmt.Errorf("%s: group %d is empty: %w", statistic, i+1, ErrTooFew)
		}
		if err := finite(statistic, g); err != nil {
			return Components{}, err
		}
		n, squares = n+len(g), squares+len(g)*len(g)
		all = append(all, g...)
	}
	if len(groups) < 2 || n == len(groups) {
		return Components{}, fmt.Errorf("%s of %d values in %d groups: %w", statistic, n, len(groups), ErrTooFew)
	}
	mean := Mean(all)
	var between, within []float64
	for _, g := range groups {
		m := Mean(g)
		between = append(between, float64(len(g))*(m-mean)*(m-mean))
		for _, v := range g {
			within = append(within, (v-m)*(v-m))
		}
	}
	degrees := float64(len(groups) - 1)
	c := Components{Within: Sum(within) / float64(n-len(groups))}
	c.Between = (Sum(between)/degrees - c.Within) / ((float64(n) - float64(squares)/float64(n)) / degrees)
	return c, nil
}
