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

// CronbachAlpha returns the internal consistency of k items (columns) answered by respondents (rows), with
// variances of divisor n-1:
//
//	α = k/(k-1) (1 - Σ var(item) / var(total))
//
// (Cronbach, Psychometrika 16, 1951.) It may be negative. Errors wrap ErrTooFew (under two respondents or
// items), ErrShape, ErrNotFinite and ErrNoVariation (the totals are all equal).
func CronbachAlpha(answers [][]float64) (CronbachResult, error) {
	const statistic = "Cronbach's alpha"
	if err := rectangle(statistic, answers, 2, 2); err != nil {
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
	if total <= 1e-28*largest*largest { // equal up to rounding of the sums
		return CronbachResult{}, fmt.Errorf("%s: the totals are all equal: %w", statistic, ErrNoVariation)
	}
	r := CronbachResult{Items: len(items), Respondents: len(answers)}
	r.Alpha = k / (k - 1) * (1 - Sum(items)/total)
	return checked(statistic, r)
}

// CronbachInterval returns the confidence interval of alpha over units of respondents, given as indices: the
// jackknife of log(1-α), leaving out one unit at a time, with Student's quantile (Tukey 1958; on that scale
// alpha's error is nearly normal, Bonett, Journal of Educational and Behavioral Statistics 27, 2002). With
// fewer than 10 units, or if alpha is undefined without one of them, the error wraps ErrTooFew. Other
// errors are those of CronbachAlpha.
func CronbachInterval(answers [][]float64, units [][]int, confidence float64) (Interval, error) {
	const statistic, least = "interval of Cronbach's alpha", 10
	if err := checkConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if err := partition(len(answers), units); err != nil {
		return Interval{}, err
	}
	if len(units) < least {
		return Interval{}, tooFew(statistic+", units", len(units), least)
	}
	whole, err := CronbachAlpha(answers)
	if err != nil {
		return Interval{}, err
	}
	n, centre := float64(len(units)), math.Log(1-whole.Alpha)
	pseudo := make([]float64, len(units))
	for g, members := range units {
		without := make(map[int]bool, len(members))
		for _, i := range members {
			without[i] = true
		}
		var rest [][]float64
		for i, row := range answers {
			if !without[i] {
				rest = append(rest, row)
			}
		}
		r, err := CronbachAlpha(rest)
		if err != nil {
			return Interval{}, fmt.Errorf("%s: without a unit: %w", statistic, err)
		}
		pseudo[g] = n*centre - (n-1)*math.Log(1-r.Alpha)
	}
	half := TQuantile((1+confidence)/2, n-1) * SD(pseudo) / math.Sqrt(n)
	iv := Interval{1 - math.Exp(centre+half), 1 - math.Exp(centre-half)}
	return checked(statistic, iv)
}

// variance is Σ(x-mean)²/(n-1).
func variance(x []float64) float64 {
	sd := SD(x)
	return sd * sd
}
