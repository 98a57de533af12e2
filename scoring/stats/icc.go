package stats

import (
	"fmt"
	"math"
)

// ICCResult holds the six intraclass correlations of Shrout & Fleiss.
type ICCResult struct {
	ICC1  float64 `json:"icc_1_1"` // one-way random, a single rating
	ICC2  float64 `json:"icc_2_1"` // two-way random: raters drawn from many, absolute agreement
	ICC3  float64 `json:"icc_3_1"` // two-way mixed: these raters only, consistency
	ICC1k float64 `json:"icc_1_k"` // the same of the mean of all k ratings
	ICC2k float64 `json:"icc_2_k"`
	ICC3k float64 `json:"icc_3_k"`

	Targets int `json:"targets"`
	Raters  int `json:"raters"`
}

// ICC returns the share of the ratings' variance that is due to the targets, from a
// complete table of targets × raters, with the mean squares between targets B,
// within W, of raters J and of the rest E:
//
//	(1,1) (B-W)/(B+(k-1)W)   (2,1) (B-E)/(B+(k-1)E+k(J-E)/n)   (3,1) (B-E)/(B+(k-1)E)
//	(1,k) (B-W)/B            (2,k) (B-E)/(B+(J-E)/n)           (3,k) (B-E)/B
//
// (Shrout & Fleiss, Psychological Bulletin 86, 1979.) It may be negative.
// Errors wrap ErrTooFew (under two targets or raters), ErrShape, ErrNotFinite
// and ErrNoVariation (the targets' means are all equal, or a denominator is 0).
func ICC(ratings [][]float64) (ICCResult, error) {
	const statistic = "intraclass correlation"
	if err := rectangle(statistic, ratings, 2, 2); err != nil {
		return ICCResult{}, err
	}
	n, k := float64(len(ratings)), float64(len(ratings[0]))
	targets, raters := make([]float64, len(ratings)), make([]float64, len(ratings[0]))
	for i, row := range ratings {
		targets[i] = Mean(row)
	}
	for j := range raters {
		column := make([]float64, len(ratings))
		for i, row := range ratings {
			column[i] = row[j]
		}
		raters[j] = Mean(column)
	}
	grand := Mean(targets)
	var between, judges, rest, within float64
	for i, row := range ratings {
		between += k * (targets[i] - grand) * (targets[i] - grand)
		for j, v := range row {
			within += (v - targets[i]) * (v - targets[i])
			e := v - targets[i] - raters[j] + grand
			rest += e * e
		}
	}
	for _, r := range raters {
		judges += n * (r - grand) * (r - grand)
	}
	if within+between <= 1e-28*n*k*grand*grand { // equal up to rounding of the means
		return ICCResult{}, fmt.Errorf("%s: all ratings are equal: %w", statistic, ErrNoVariation)
	}
	b, w, j, e := between/(n-1), within/(n*(k-1)), judges/(k-1), rest/((n-1)*(k-1))
	r := ICCResult{Targets: len(ratings), Raters: len(ratings[0])}
	for _, part := range []struct {
		into         *float64
		above, below float64
	}{
		{&r.ICC1, b - w, b + (k-1)*w}, {&r.ICC2, b - e, b + (k-1)*e + k*(j-e)/n}, {&r.ICC3, b - e, b + (k-1)*e},
		{&r.ICC1k, b - w, b}, {&r.ICC2k, b - e, b + (j-e)/n}, {&r.ICC3k, b - e, b},
	} {
		if math.Abs(part.below) <= 1e-13*(b+w+j+e) {
			return ICCResult{}, fmt.Errorf("%s: %w", statistic, ErrNoVariation)
		}
		*part.into = part.above / part.below
	}
	return checked(statistic, r)
}
