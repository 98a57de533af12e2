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
	rank, err := CompareRanking(half(16), c.Chosen, random, 1000)
	fatal.If(t, err)
	t.Logf("tau-b %.3f, 95th percentile of %d random subsets %.3f, above %.1f %%", rank.TauB, len(rank.Random), rank.Quantile95, 100*rank.Below)
	if rank.Below < 0.9 || rank.N != 16 || rank.Size != 40 {
		t.Errorf("%+v", rank.TauB)
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
	for _, items := range [][]int{nil, {5}, {-1}, {1, 1}, {0, 1, 2, 3, 4, 0}} {
		if _, err := CompareRanking(r, items, random, 10); err == nil {
			t.Errorf("items %v are no error", items)
		}
	}
	if _, err := CompareRanking(r, []int{1}, random, 0); err == nil {
		t.Error("no random subset is no error")
	}
	all, err := CompareRanking(r, []int{4, 3, 2, 1, 0}, random, 10)
	if err != nil || math.Abs(all.TauB-1) > 1e-12 || all.Below != 0.5 {
		t.Errorf("all items: %+v %v", all, err)
	}
	if some, err := r.Take([]int{2, 0}); err != nil || some.Items[0] != r.Items[2] || some.Scores[3][1] != r.Scores[3][0] || some.Check() != nil {
		t.Errorf("%+v %v", some, err)
	}
	if _, err := r.Take([]int{5}); !errors.Is(err, stats.ErrShape) {
		t.Errorf("item 5 of 5: %v", err)
	}
}
