package irt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"assay/scoring/stats"
)

// Ranking compares the ranking of respondents by a subset of items with their ranking by all items.
type Ranking struct {
	Size int `json:"size"` // items of the subset
	N    int `json:"n"`    // respondents
	// TauB is Kendall's tau-b between the respondents' mean scores on the subset
	// and on all items.
	TauB float64 `json:"tau_b"`
	// Random lists the tau-b of random subsets of the same size in ascending order; Undefined is how many
	// subsets had none because all means were equal.
	Random    []float64 `json:"random"`
	Undefined int       `json:"undefined,omitempty"`
	// Quantile95 is the 95th percentile (type 7) of Random.
	Quantile95 float64 `json:"quantile_95"`
	// Below is the share of random subsets with a lower tau-b; ties count half.
	Below float64 `json:"below"`
}

// CompareRanking ranks the respondents by their mean scores on the chosen items and on all, and does the
// same for random subsets of that size, drawn without replacement. The respondents should be other ones
// than the subset was chosen with; on the same ones it looks better than it is. Means are over the cells
// present. Fewer than two respondents, a respondent without a response to the subset, and means that are
// all equal are errors that wrap stats.ErrTooFew and stats.ErrNoVariation.
func CompareRanking(r Responses, items []int, random *rand.Rand, subsets int) (Ranking, error) {
	if err := r.Check(); err != nil {
		return Ranking{}, fmt.Errorf("ranking by a subset: %w", err)
	}
	if len(items) == 0 || len(items) > len(r.Items) {
		return Ranking{}, fmt.Errorf("ranking by %d of %d items: %w", len(items), len(r.Items), stats.ErrTooFew)
	}
	if subsets < 1 || subsets > 1_000_000 {
		return Ranking{}, fmt.Errorf("ranking by a subset beside %d random ones: there are from 1 to a million", subsets)
	}
	sorted := slices.Sorted(slices.Values(items))
	for k, j := range sorted {
		if j < 0 || j >= len(r.Items) {
			return Ranking{}, fmt.Errorf("ranking by a subset: there is no item %d among %d: %w", j, len(r.Items), stats.ErrShape)
		}
		if k > 0 && sorted[k-1] == j {
			return Ranking{}, fmt.Errorf("ranking by a subset: item %q is chosen twice", r.Items[j])
		}
	}
	all := make([]int, len(r.Items))
	for j := range all {
		all[j] = j
	}
	whole, err := r.means(all)
	if err != nil {
		return Ranking{}, err
	}
	subset, err := r.means(sorted)
	if err != nil {
		return Ranking{}, err
	}
	tau, err := stats.Kendall(subset, whole, stats.Normal)
	if err != nil {
		return Ranking{}, fmt.Errorf("ranking by a subset: %w", err)
	}
	out := Ranking{Size: len(items), N: len(whole), TauB: tau.TauB}
	for range subsets {
		for k := range items { // the first len(items) places become a random subset
			other := k + random.IntN(len(all)-k)
			all[k], all[other] = all[other], all[k]
		}
		means, err := r.means(all[:len(items)])
		if err != nil {
			out.Undefined++
			continue
		}
		t, err := stats.Kendall(means, whole, stats.Normal)
		if err != nil {
			out.Undefined++
			continue
		}
		out.Random = append(out.Random, t.TauB)
	}
	return out.compared()
}

// compared adds the comparison with random subsets.
func (r Ranking) compared() (Ranking, error) {
	if len(r.Random) == 0 {
		return Ranking{}, fmt.Errorf("ranking by a subset: no random subset of %d items ranks the respondents: %w", r.Size, stats.ErrNoVariation)
	}
	slices.Sort(r.Random)
	var err error
	if r.Quantile95, err = stats.Quantile(r.Random, 0.95, stats.Linear); err != nil {
		return Ranking{}, err
	}
	for _, t := range r.Random {
		switch {
		case t < r.TauB:
			r.Below++
		case t == r.TauB:
			r.Below += 0.5
		}
	}
	r.Below /= float64(len(r.Random))
	return r, nil
}

// means returns the respondents' mean scores on the items, summed so that the order of the items does not
// affect the result.
func (r Responses) means(items []int) ([]float64, error) {
	out := make([]float64, len(r.Scores))
	values := make([]float64, 0, len(items))
	for i, row := range r.Scores {
		values = values[:0]
		for _, j := range items {
			if y := row[j]; !math.IsNaN(y) {
				values = append(values, y)
			}
		}
		if len(values) == 0 {
			return nil, fmt.Errorf("ranking by a subset: respondent %q has no response to it: %w", r.Respondents[i], stats.ErrTooFew)
		}
		// Rounded because equal quotients may differ in their last bits.
		out[i] = math.Round(1e12*stats.Mean(values)) / 1e12
	}
	return out, nil
}
