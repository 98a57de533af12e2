package stats

import (
	"fmt"
	"math"
	"slices"
)

// CronbachResult is the internal consistency of a scale.
type CronbachResult struct {
	Alpha       float64 `json:"alpha"` // raw, not standardised
	Items       int     `json:"items"`
	Respondents int     `json:"respondents"`
}

// CronbachAlpha is the internal consistency of k items that respondents (rows)
// answered, with variances of divisor n-1:
//
//	α = k/(k-1) (1 - Σ var(item) / var(total))
//
// (Cronbach, Psychometrika 16, 1951.) It may be negative. Errors wrap ErrTooFew
// (under two respondents or items), ErrShape, ErrNotFinite and ErrNoVariation
// (the totals are all equal).
func CronbachAlpha(answers [][]float64) (CronbachResult, error) {
	const what = "Cronbach's alpha"
	if err := rectangle(what, answers, 2, 2); err != nil {
		return CronbachResult{}, err
	}
	items, totals := make([]float64, len(answers[0])), make([]float64, len(answers))
	for j := range items {
		column := make([]float64, len(answers))
		for i, row := range answers {
			column[i] = row[j]
		}
		items[j] = variance(column)
	}
	for i, row := range answers {
		totals[i] = Sum(row)
	}
	total, k := variance(totals), float64(len(items))
	largest := max(math.Abs(slices.Min(totals)), math.Abs(slices.Max(totals)))
	if total <= 1e-28*largest*largest { // equal, up to the rounding of their sums
		return CronbachResult{}, fmt.Errorf("%s: the totals are all equal: %w", what, ErrNoVariation)
	}
	r := CronbachResult{Items: len(items), Respondents: len(answers)}
	r.Alpha = k / (k - 1) * (1 - Sum(items)/total)
	return checked(what, r)
}

// variance is Σ(x-mean)²/(n-1).
func variance(x []float64) float64 {
	sd := SD(x)
	return sd * sd
}
