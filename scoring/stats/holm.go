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
	if err := finite("Holm", p); err != nil {
		return nil, err
	}
	order := make([]int, len(p))
	for i, v := range p {
		if v < 0 || v > 1 {
			return nil, fmt.Errorf("Holm: p-value %d is %v, not from 0 to 1", i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted, last := make([]float64, len(p)), 0.0
	for j, i := range order {
		last = max(last, min(1, float64(len(p)-j)*p[i]))
		adjusted[i] = last
	}
	return adjusted, nil
}
