package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm adjusts p-values for making several tests, so that the chance of one
// wrong rejection among all is bounded: in ascending order
//
//	p̃ᵢ = max over j ≤ i of min(1, (m-j+1) pⱼ)
//
// (Holm, Scandinavian Journal of Statistics 6, 1979; R's p.adjust.) The result
// keeps the order of p and is never smaller than it. It is an error if a value
// is NaN or not from 0 to 1, wrapping ErrNotFinite for the first; of none it is
// empty.
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

// BenjaminiHochberg adjusts p-values for screening many tests, so that of what is called
// significant at a level at most that share is expected to be wrong: in descending order
//
//	p̃ᵢ = min over j ≥ i of min(1, m/j pⱼ)
//
// (Benjamini & Hochberg, JRSS B 57, 1995; R's p.adjust; for tests that are independent or
// positively dependent, Benjamini & Yekutieli, Annals of Statistics 29, 2001.) Order and
// errors are those of Holm.
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

// ascending is the order of p-values, which are checked.
func ascending(what string, p []float64) ([]int, error) {
	if err := finite(what, p); err != nil {
		return nil, err
	}
	order := make([]int, len(p))
	for i, v := range p {
		if v < 0 || v > 1 {
			return nil, fmt.Errorf("%s: p-value %d is %v, not from 0 to 1", what, i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order, nil
}
