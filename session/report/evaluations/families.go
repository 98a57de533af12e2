package evaluations

import (
	"hash/maphash"
	"math"

	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// Family is a set of tests whose p-values are corrected together. A report has one: all differences between runs.
type Family struct {
	Name  string `json:"name"`
	Tests int    `json:"tests"` // different ones: equal differences on the same tasks are one test
}

// corrected is the p of a difference, alone and corrected. NaN: no task differs, or none is common.
type corrected struct {
	p    float64
	holm float64 // Holm: the probability of any wrong rejection
	bh   float64 // Benjamini & Hochberg: the expected share of wrong ones among the rejected
}

// contrasts are the tests of a report's one family, by what is tested.
type contrasts struct {
	at  map[uint64]int
	had map[uint64]float64 // p by what was tested in the report before: nil at first
	p   []float64
	all []corrected
}

// contrasts collects every difference between runs that the report shows: all metrics of each compared pair, and
// the effects of prompts.
func (r *Report) contrasts() *contrasts {
	c := &contrasts{at: map[uint64]int{}, had: r.tested.pByKey()}
	compared := r.compared()
	for metric := range r.Metrics {
		var values []map[string]scoring.TaskValue
		for run := range r.Runs {
			values = append(values, r.valuesOf(run, metric))
		}
		for i := range r.Runs {
			for j := i + 1; j < len(r.Runs); j++ {
				if compared(i, j) || metric == 0 && r.comparable(i, j) { // by which leaderboards rank
					c.add(values[i], values[j])
				}
			}
		}
	}
	for _, e := range r.effectsOf() {
		for _, metric := range []int{0, r.ratioAt()} {
			c.add(r.levelValues(e.to, e.from, metric), r.levelValues(e.from, e.to, metric))
		}
	}
	holm, err := stats.Holm(c.p)
	bh, other := stats.BenjaminiHochberg(c.p)
	if err != nil || other != nil {
		panic("evaluations: a p-value is not from 0 to 1") // they are those of tests
	}
	for i, p := range c.p {
		c.all = append(c.all, corrected{p, holm[i], bh[i]})
	}
	return c
}

// pByKey returns the p of each difference.
func (c *contrasts) pByKey() map[uint64]float64 {
	if c == nil {
		return nil
	}
	all := map[uint64]float64{}
	for key, i := range c.at {
		all[key] = c.p[i]
	}
	return all
}

// add tests a difference that was not tested yet.
func (c *contrasts) add(a, b map[string]scoring.TaskValue) {
	key, differ := contrastKey(a, b)
	if _, known := c.at[key]; known || !differ {
		return
	}
	p, had := c.had[key]
	if !had {
		var err error
		if p, err = scoring.PairedP(a, b); err != nil {
			return // no task in common
		}
	}
	c.at[key] = len(c.p)
	c.p = append(c.p, p)
}

// of returns the p of a difference in the family.
func (c *contrasts) of(a, b map[string]scoring.TaskValue) corrected {
	key, differ := contrastKey(a, b)
	if i, known := c.at[key]; known && differ {
		return c.all[i]
	}
	return corrected{math.NaN(), math.NaN(), math.NaN()}
}

// contrastKey identifies a difference by its values on the tasks that both have, so that
// a metric under two names, as strict accuracy is pass@1, is one test; and so is the same
// difference in two tables, whichever run comes first. Unequal numbers of samples are part of it.
func contrastKey(a, b map[string]scoring.TaskValue) (key uint64, differ bool) {
	var one, other uint64 // of the differences, and of those with the other sign: sums do not depend on the order of tasks
	for id, v := range a {
		w, common := b[id]
		if !common {
			continue
		}
		d := int64(math.Round((v.Value - w.Value) * 1e9)) // binary rounding of quotients must not make equal values differ
		differ = differ || d != 0
		draws := 0
		if v.Draws != w.Draws {
			draws = min(v.Draws, w.Draws)<<32 | max(v.Draws, w.Draws)
		}
		one += maphash.Comparable(contrastSeed, contrastPart{id, d, draws})
		other += maphash.Comparable(contrastSeed, contrastPart{id, -d, draws})
	}
	return min(one, other), differ
}

// contrastPart is what a task adds to the key of a difference.
type contrastPart struct {
	task       string
	difference int64
	draws      int
}

var contrastSeed = maphash.MakeSeed()

// test corrects the differences that the report shows.
func (r *Report) test() {
	r.tested = r.contrasts()
	r.Families = []Family{{"differences between runs", len(r.tested.p)}}
}

func plain(values map[string]scoring.TaskValue) map[string]float64 {
	all := make(map[string]float64, len(values))
	for id, v := range values {
		all[id] = v.Value
	}
	return all
}

// numbers converts a corrected p for the report.
func (c corrected) numbers() (p, holm, bh report.Number) {
	return report.Number(c.p), report.Number(c.holm), report.Number(c.bh)
}
