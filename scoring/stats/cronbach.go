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
	pseudo, sums := make([]float64, len(units)), newItemSums(answers)
	for g, members := range units {
		alpha, ok := sums.without(members)
		if !ok {
			return Interval{}, fmt.Errorf("%s: without a unit: %w", statistic, ErrNoVariation)
		}
		pseudo[g] = n*centre - (n-1)*math.Log(1-alpha)
	}
	half := TQuantile((1+confidence)/2, n-1) * SD(pseudo) / math.Sqrt(n)
	iv := Interval{1 - math.Exp(centre+half), 1 - math.Exp(centre-half)}
	return checked(statistic, iv)
}

// itemSums are the answers to each item, and then the totals, as deviations from their means, with the sums
// of squares: alpha without some respondents follows from them without another pass over the rest.
type itemSums struct {
	deviations [][]float64 // of each respondent
	squares    []float64
	largest    float64 // total
}

func newItemSums(answers [][]float64) *itemSums {
	k := len(answers[0])
	s := &itemSums{squares: make([]float64, k+1)}
	column := make([]float64, len(answers))
	for _, row := range answers {
		s.deviations = append(s.deviations, append(slices.Clone(row), Sum(row)))
		s.largest = max(s.largest, math.Abs(Sum(row)))
	}
	for j := range s.squares {
		for i, row := range s.deviations {
			column[i] = row[j]
		}
		mean := Mean(column)
		for _, row := range s.deviations {
			row[j] -= mean
			s.squares[j] += row[j] * row[j]
		}
	}
	return s
}

// without returns alpha of all but some respondents; false if it is not defined.
func (s *itemSums) without(members []int) (float64, bool) {
	rest := float64(len(s.deviations) - len(members))
	if rest < 2 {
		return 0, false
	}
	variances := make([]float64, len(s.squares))
	for j := range variances {
		sum, squares := 0.0, s.squares[j]
		for _, i := range members {
			d := s.deviations[i][j]
			sum, squares = sum+d, squares-d*d
		}
		variances[j] = max(0, squares-sum*sum/rest) / (rest - 1)
	}
	k := len(variances) - 1
	total := variances[k]
	// Rounding leaves that much of equal totals.
	if total <= 1e-14*s.squares[k] || total <= 1e-28*s.largest*s.largest {
		return 0, false
	}
	return float64(k) / float64(k-1) * (1 - Sum(variances[:k])/total), true
}

// variance is Σ(x-mean)²/(n-1).
func variance(x []float64) float64 {
	sd := SD(x)
	return sd * sd
}
