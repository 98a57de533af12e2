package stats

import "fmt"

// FleissResult is the agreement of a fixed number of raters for each subject.
type FleissResult struct {
	Kappa    float64 `json:"kappa"`
	Randolph float64 `json:"randolph"` // chance as 1/k: Randolph's free-marginal kappa
	Observed float64 `json:"observed_agreement"`
	Expected float64 `json:"expected_agreement"`
	Subjects int     `json:"subjects"`
	Raters   int     `json:"raters"`
}

// FleissKappa returns the agreement beyond chance of m raters for each of N
// subjects, from the counts of each subject's k categories:
//
//	P̄ = Σᵢ Σⱼ nᵢⱼ(nᵢⱼ-1) / (N m(m-1)),  P̄_e = Σⱼ pⱼ²,  κ = (P̄ - P̄_e)/(1 - P̄_e)
//
// (Fleiss, Psychological Bulletin 76, 1971; Randolph 2005.) Errors wrap
// ErrTooFew (no subject, under two raters or categories), ErrShape (subjects
// with different numbers of ratings or categories) and ErrNoVariation (all
// ratings are of one category); a negative count is an error.
func FleissKappa(table [][]int) (FleissResult, error) {
	const statistic = "Fleiss' kappa"
	if len(table) == 0 || len(table[0]) < 2 {
		return FleissResult{}, fmt.Errorf("%s: at least one subject and two categories are needed: %w", statistic, ErrTooFew)
	}
	k, raters, same := len(table[0]), 0, 0.0
	totals := make([]float64, k)
	for i, row := range table {
		if len(row) != k {
			return FleissResult{}, fmt.Errorf("%s: subject %d has %d of %d categories: %w", statistic, i, len(row), k, ErrShape)
		}
		m := 0
		for j, count := range row {
			if count < 0 {
				return FleissResult{}, fmt.Errorf("%s: subject %d, category %d: the count is %d", statistic, i, j, count)
			}
			m += count
			totals[j] += float64(count)
			same += float64(count) * float64(count-1)
		}
		if i == 0 {
			raters = m
		}
		if m != raters {
			return FleissResult{}, fmt.Errorf("%s: subject %d has %d ratings, subject 0 has %d: %w", statistic, i, m, raters, ErrShape)
		}
	}
	if raters < 2 {
		return FleissResult{}, fmt.Errorf("%s of %d raters: at least two are needed: %w", statistic, raters, ErrTooFew)
	}
	n, m := float64(len(table)), float64(raters)
	r := FleissResult{Subjects: len(table), Raters: raters, Observed: same / (n * m * (m - 1))}
	for _, total := range totals {
		if total == n*m {
			return FleissResult{}, fmt.Errorf("%s: all ratings are of one category: %w", statistic, ErrNoVariation)
		}
		r.Expected += total / (n * m) * total / (n * m)
	}
	r.Kappa = (r.Observed - r.Expected) / (1 - r.Expected)
	r.Randolph = (r.Observed - 1/float64(k)) / (1 - 1/float64(k))
	return checked(statistic, r)
}
