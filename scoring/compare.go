package scoring

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"assay/scoring/stats"
)

// Difference is how much better the first of two models did on the same tasks.
type Difference struct {
	Metric             // the mean over the common tasks of first minus second; N counts them
	Better, Worse, Tie int

	// Test is Wilcoxon's signed-rank test of the differences, zeros ranked as by
	// Pratt; nil where no task differs.
	Test *stats.SignedRank

	// Tasks that only one of the models has, which are left out.
	OnlyFirst, OnlySecond []string
}

// PairedDifference compares two models by a value for each task they have in
// common, such as pass@1: the task is what they share, so the interval (BCa over
// tasks) is that of the differences, usually narrower than the two intervals
// suggest. If all tasks differ alike there is no interval. It wraps
// stats.ErrTooFew where they have no task in common, and stats.ErrNotFinite.
func PairedDifference(first, second map[string]float64) (Difference, error) {
	var d Difference
	var a, b, differences []float64
	for _, id := range slices.Sorted(maps.Keys(first)) {
		other, common := second[id]
		if !common {
			d.OnlyFirst = append(d.OnlyFirst, id)
			continue
		}
		a, b, differences = append(a, first[id]), append(b, other), append(differences, first[id]-other)
		switch {
		case first[id] > other:
			d.Better++
		case first[id] < other:
			d.Worse++
		default:
			d.Tie++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(second)) {
		if _, common := first[id]; !common {
			d.OnlySecond = append(d.OnlySecond, id)
		}
	}
	if len(differences) == 0 {
		return Difference{}, fmt.Errorf("the two have no task in common: %w", stats.ErrTooFew)
	}
	if _, err := stats.Ranks(differences); err != nil {
		return Difference{}, fmt.Errorf("paired difference: %w", err)
	}
	d.Metric = Metric{Value: stats.Mean(differences), N: len(differences)}
	if !finite(d.Value) {
		return Difference{}, fmt.Errorf("paired difference: the sum is too large: %w", stats.ErrNotFinite)
	}
	if !constant(differences) {
		iv, err := stats.BootstrapBCa(differences, stats.Mean, stats.Resamples(resampler(), len(differences), resampleCount), confidence)
		if err != nil {
			return Difference{}, err
		}
		d.Interval, d.Method = iv.Interval, "BCa, paired by task"
	}
	test, err := stats.WilcoxonSignedRank(a, b, stats.Pratt, stats.TwoSided, stats.Auto)
	switch {
	case err == nil:
		d.Test = &test
	case !errors.Is(err, stats.ErrNoVariation):
		return Difference{}, err
	}
	return d, nil
}
