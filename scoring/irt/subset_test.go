package irt

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// A subset chosen with half of the respondents ranks the others more like the complete set than nearly all
// random subsets of its size.
func TestSubsetRanks(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 21))
	r, _ := simulated(random, 32, 164, 1)
	half := func(from int) Responses {
		return Responses{Respondents: r.Respondents[from : from+16], Items: r.Items, Scores: r.Scores[from : from+16], Trials: r.Trials[from : from+16]}
	}
	e, err := Fit(half(0), Options{})
	fatal.If(t, err)
	c, err := Subset(e, 40)
	fatal.If(t, err)
	seen := map[int]bool{}
	for k, j := range c.Chosen {
		seen[j] = true
		if !(c.Variance[k+1] <= c.Variance[k]) {
			t.Errorf("item %d leaves more variance: %v", j, c.Variance[k:k+2])
		}
		if e.Discrimination[j] < 0 {
			t.Errorf("item %d has discrimination %v", j, e.Discrimination[j])
		}
	}
	if len(seen) != 40 || len(c.Chosen) != 40 {
		t.Errorf("%d different items of %d", len(seen), len(c.Chosen))
	}
	others := half(16)
	tau, err := others.concordance(c.Chosen)
	fatal.If(t, err)
	below := 0
	for range 200 {
		other, err := others.concordance(random.Perm(164)[:40])
		fatal.If(t, err)
		if other < tau {
			below++
		}
	}
	if t.Logf("tau-b %.3f, above %d of 200 random subsets", tau, below); below < 180 {
		t.Errorf("tau-b %.3f is above %d of 200 random subsets", tau, below)
	}
}

// Cross-fitting finds that informative items of one-dimensional respondents rank others better than random ones, and that
// they do not where responses are noise; stratified sets have an item of each stratum.
func TestCompareSubsets(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 23))
	fit := func(r Responses) (*Estimates, error) { return Fit(r, Options{Starts: 2}) }
	r, _ := simulated(random, 24, 80, 1)
	c, err := CompareSubsets(r, 12, 4, random, fit)
	fatal.If(t, err)
	if !(c.Informative.Median > c.Random.Median) || c.Splits != 4 || c.Informative.Low > c.Informative.Median || c.Informative.High < c.Informative.Median {
		t.Errorf("%+v", c)
	}
	set := r.Stratified(8, random)
	if slices.Sort(set); len(slices.Compact(set)) != 8 {
		t.Errorf("%v", set)
	}
	few := Responses{Respondents: r.Respondents[:3], Items: r.Items, Scores: [][]float64{r.Scores[0], r.Scores[0], r.Scores[0]}}
	if _, err := CompareSubsets(few, 4, 4, random, fit); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("respondents who are alike: %v", err)
	}
}

// The first item is the best of all, by its definition.
func TestSubsetFirst(t *testing.T) {
	r, _ := simulated(rand.New(rand.NewPCG(22, 22)), 12, 20, 10)
	e, err := Fit(r, Options{})
	fatal.If(t, err)
	c, err := Subset(e, 1)
	fatal.If(t, err)
	s := stats.SD(e.at.t)
	best, most, left := -1, math.Inf(-1), 0.0
	for j := range e.Items {
		logs, variance := 0.0, 0.0
		for i := range e.Respondents {
			info, err := e.ItemInformation(j, e.Ability[i])
			fatal.If(t, err)
			logs += math.Log(1/(s*s) + info)
			variance += 1 / (1/(s*s) + info) / 12
		}
		if logs > most && e.Discrimination[j] >= 0 {
			best, most, left = j, logs, variance
		}
	}
	if c.Chosen[0] != best || math.Abs(c.Variance[1]-left) > 1e-9 || math.Abs(c.Variance[0]-s*s) > 1e-9 {
		t.Errorf("chosen %+v, want %d with %v of %v", c, best, left, s*s)
	}
}

// Items that all or none solve seem informative only because of the prior, and come last.
func TestSubsetLeavesConstantItemsToTheLast(t *testing.T) {
	r, _ := simulated(rand.New(rand.NewPCG(23, 23)), 12, 20, 10)
	for i := range r.Scores {
		r.Scores[i][4], r.Scores[i][9] = 0, 1
	}
	e, err := Fit(r, Options{})
	fatal.If(t, err)
	c, err := Subset(e, 20)
	fatal.If(t, err)
	if last := slices.Sorted(slices.Values(c.Chosen[18:])); !slices.Equal(last, []int{4, 9}) {
		t.Errorf("the last are %v of %v", last, c.Chosen)
	}
}

func TestSubsetRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 23))
	r, _ := simulated(random, 4, 5, 10)
	e, err := Fit(r, Options{})
	fatal.If(t, err)
	for _, size := range []int{0, 6, -1} {
		if _, err := Subset(e, size); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("subset of %d: %v", size, err)
		}
	}
	if some, err := r.Take([]int{2, 0}); err != nil || some.Items[0] != r.Items[2] || some.Scores[3][1] != r.Scores[3][0] {
		t.Errorf("%+v %v", some, err)
	}
	if _, err := r.Take([]int{5}); !errors.Is(err, stats.ErrShape) {
		t.Errorf("item 5 of 5: %v", err)
	}
}
