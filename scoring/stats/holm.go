package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm adjusts p-values for multiple tests, so that the chance of even one false rejection is bounded: in
// ascending order
//
//	p̃ᵢ = max over j ≤ i of min(1, (m-j+1) pⱼ)
//
// (Holm, Scandinavian Journal of Statistics 6, 1979; R's p.adjust.) The result is in the order of p, and no
// value is smaller than in p. It is an error if a value is not from 0 to 1; for NaN it wraps ErrNotFinite.
// No p-values give an empty result.
func Holm(p []float64) ([]float64, error) {
	order, err := ascending("Holm", p)
	if err != nil {
		return nil, err
	}
	adjusted, last := make([]float64, len(p)), 0.0
	for j, i := range order {
		last = max(last, min(1, float64(len(p)-j)*p[i]))
		adjusted[i] = last
	}
	return adjusted, nil
}

// BenjaminiHochberg adjusts p-values for screening many tests by bounding the false discovery rate: of the
// results significant at a level, at most that share is expected to be false. In descending order
//
//	p̃ᵢ = min over j ≥ i of min(1, m/j pⱼ)
//
// (Benjamini & Hochberg, JRSS B 57, 1995; R's p.adjust; for tests that are independent or positively
// dependent, Benjamini & Yekutieli, Annals of Statistics 29, 2001.) Order and errors are those of Holm.
func BenjaminiHochberg(p []float64) ([]float64, error) {
	order, err := ascending("Benjamini-Hochberg", p)
	if err != nil {
		return nil, err
	}
	adjusted, last := make([]float64, len(p)), 1.0
	for j, i := range slices.Backward(order) {
		last = min(last, float64(len(p))/float64(j+1)*p[i])
		adjusted[i] = last
	}
	return adjusted, nil
}

// ascending checks p-values and returns their ascending order.
func ascending(statistic string, p []float64) ([]int, error) {
	if err := finite(statistic, p); err != nil {
		return nil, err
	}
	order := make([]int, len(p))
	for i, v := range p {
		if v < 0 || v > 1 {
			return nil, fmt.Errorf("%s: p-value %d is %v, not from 0 to 1", statistic, i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order, nil
}
