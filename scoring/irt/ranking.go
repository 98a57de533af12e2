package irt

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"assay/scoring/stats"
)

// Ranking compares the ranking of respondents by a subset of items with their ranking by all items, in analyses of
// version 1.0: from one split of the respondents.
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

// CrossFit compares ways to choose a subset of items by repeated cross-fitting: in each split half of the respondents
// choose it, and the others, which did not, are ranked by their mean scores on it and on all items.
type CrossFit struct {
	Splits int `json:"splits"` // splits in which both halves could be used
	// Kendall's tau-b of both rankings by the most informative items; and the mean over random sets, and over random
	// sets with one item of each stratum of mean scores.
	Informative Spread `json:"informative"`
	Random      Spread `json:"random"`
	Stratified  Spread `json:"stratified"`
}

// Spread is the median and the range over splits.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

func spreadOf(x []float64) Spread { return Spread{stats.Median(x), slices.Min(x), slices.Max(x)} }

// Better reports whether the informative items rank unseen respondents better than stratified random ones.
func (c CrossFit) Better() bool { return c.Informative.Median > c.Stratified.Median }

// randomSets is the number of random sets of a split.
const randomSets = 40

// CompareSubsets cross-fits subsets of a size. Splits that cannot be fitted or ranked are left out; if fewer than half
// remain the error wraps stats.ErrTooFew.
func CompareSubsets(r Responses, size, splits int, random *rand.Rand, fit func(Responses) (*Estimates, error)) (CrossFit, error) {
	var ways [3][]float64
	var last error
	for range splits {
		order := random.Perm(len(r.Respondents))
		choosers, others := r.rows(order[:len(order)/2]), r.rows(order[len(order)/2:])
		tau, err := crossFit(choosers, others, size, random, fit)
		if err != nil {
			last = err
			continue
		}
		for way, v := range tau {
			ways[way] = append(ways[way], v)
		}
	}
	if n := len(ways[0]); 2*n < splits || n == 0 {
		return CrossFit{}, fmt.Errorf("in %d of %d splits the halves cannot be compared (%v): %w", splits-n, splits, last, stats.ErrTooFew)
	}
	return CrossFit{len(ways[0]), spreadOf(ways[0]), spreadOf(ways[1]), spreadOf(ways[2])}, nil
}

func crossFit(choosers, others Responses, size int, random *rand.Rand, fit func(Responses) (*Estimates, error)) (tau [3]float64, err error) {
	e, err := fit(choosers)
	if err != nil {
		return tau, err
	}
	c, err := Subset(e, size)
	if err != nil {
		return tau, err
	}
	if tau[0], err = others.concordance(c.Chosen); err != nil {
		return tau, err
	}
	for way, draw := range []func() []int{
		func() []int { return random.Perm(len(choosers.Items))[:size] },
		func() []int { return choosers.Stratified(size, random) },
	} {
		var values []float64
		for range randomSets {
			if v, err := others.concordance(draw()); err == nil {
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			return tau, fmt.Errorf("no random set ranks the respondents: %w", stats.ErrNoVariation)
		}
		tau[way+1] = stats.Mean(values)
	}
	return tau, nil
}

// Stratified draws a set of items, one of each stratum of items with similar mean scores.
func (r Responses) Stratified(size int, random *rand.Rand) []int {
	order := random.Perm(len(r.Items)) // equal means in random order
	means := make([]float64, len(order))
	for j := range means {
		var column []float64
		for _, row := range r.Scores {
			if !math.IsNaN(row[j]) {
				column = append(column, row[j])
			}
		}
		means[j] = stats.Mean(column)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[a], means[b]) })
	var set []int
	for k := range size {
		from, to := k*len(order)/size, (k+1)*len(order)/size
		set = append(set, order[from+random.IntN(to-from)])
	}
	return set
}

// rows returns the responses of some respondents.
func (r Responses) rows(which []int) Responses {
	some := Responses{Items: r.Items, Second: r.Second}
	for _, i := range which {
		some.Respondents, some.Scores = append(some.Respondents, r.Respondents[i]), append(some.Scores, r.Scores[i])
		if r.Trials != nil {
			some.Trials = append(some.Trials, r.Trials[i])
		}
	}
	return some
}

// concordance returns Kendall's tau-b of the respondents' mean scores on some items with those on all. Means are over
// the cells present. A respondent without a response to the items, and means that are all equal, are errors that wrap
// stats.ErrTooFew and stats.ErrNoVariation.
func (r Responses) concordance(items []int) (float64, error) {
	all := make([]int, len(r.Items))
	for j := range all {
		all[j] = j
	}
	whole, err := r.means(all)
	if err != nil {
		return 0, err
	}
	some, err := r.means(slices.Sorted(slices.Values(items)))
	if err != nil {
		return 0, err
	}
	tau, err := stats.Kendall(some, whole, stats.Normal)
	return tau.TauB, err
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
