package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// BenjaminiHochberg adjusts p-values for screening many tests, so that of the rejected
// ones the expected share that is wrong is bounded: in ascending order
//
//	p̃ᵢ = min over j ≥ i of min(1, m pⱼ / j)
//
// (Benjamini & Hochberg, Journal of the Royal Statistical Society B 57, 1995; R's
// p.adjust.) The result keeps the order of p and is never smaller than it. Errors are
// those of Holm.
func BenjaminiHochberg(p []float64) ([]float64, error) {
	const what = "Benjamini-Hochberg"
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
	adjusted, next := make([]float64, len(p)), 1.0
	for j := len(order) - 1; j >= 0; j-- {
		next = min(next, float64(len(p))*p[order[j]]/float64(j+1))
		adjusted[order[j]] = next
	}
	return adjusted, nil
}
