package scoring

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"assay/scoring/stats"
)

// Difference is how much better the first of two models did on the same tasks.
type Difference struct {
	Metric             // the mean over the common tasks of first minus second; N counts them
	Better, Worse, Tie int
	SD                 float64 // of the differences, with n-1; 0 for one task

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
	return (&Draws{}).PairedDifference(first, second)
}

// PairedDifference is the function of that name.
func (draws *Draws) PairedDifference(first, second map[string]float64) (Difference, error) {
	var d Difference
	var differences []float64
	for _, id := range slices.Sorted(maps.Keys(first)) {
		other, common := second[id]
		if !common {
			d.OnlyFirst = append(d.OnlyFirst, id)
			continue
		}
		difference := snapped(first[id] - other)
		differences = append(differences, difference)
		switch {
		case difference > 0:
			d.Better++
		case difference < 0:
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
	d.Metric = Metric{Value: snapped(stats.Mean(differences)), N: len(differences)}
	if d.N > 1 {
		d.SD = stats.SD(differences)
	}
	if !finite(d.Value) || !finite(d.SD) {
		return Difference{}, fmt.Errorf("paired difference: the sum is too large: %w", stats.ErrNotFinite)
	}
	if !constant(differences) {
		iv, err := stats.BootstrapBCa(differences, stats.Mean, draws.resamples(len(differences)), confidence)
		if err != nil {
			return Difference{}, err
		}
		d.Interval = stats.Interval{Low: snapped(iv.Low), High: snapped(iv.High)}
		d.Method = "BCa, paired by task"
	}
	test, err := stats.WilcoxonSignedRank(differences, make([]float64, len(differences)), stats.Pratt, stats.TwoSided, stats.Auto)
	switch {
	case err == nil:
		d.Test = &test
	case !errors.Is(err, stats.ErrNoVariation):
		return Difference{}, err
	}
	return d, nil
}

// snapped takes away what rounding in binary adds to a difference of quotients of small
// counts: 0.6-0.4 and 0.4-0.2 are ties, which ranks have to see (as R's wilcox.test
// does with digits.rank), and the mean of 0.3, -0.1 and -0.2 is 0.
func snapped(difference float64) float64 {
	const steps = 1e12
	if !(math.Abs(difference) < steps) {
		return difference
	}
	if rounded := math.Round(difference*steps) / steps; rounded != 0 {
		return rounded
	}
	return 0 // and not -0
}
