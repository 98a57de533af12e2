package sessions

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/scoring/stats"
	"assay/session/report"
)

// crossed reports whether one plan assigned both arms to the same testers: then they are compared as a
// crossover study, in which the sessions of a tester are periods.
func crossed(a, b []result) bool {
	if len(a) == 0 || len(b) == 0 || !sameStudy(a[0], b[0]) {
		return false
	}
	in := testersOf(a)
	return slices.ContainsFunc(b, func(r result) bool { return in[r.in.tester] })
}

// sameStudy reports whether two results are of one frozen study.
func sameStudy(a, b result) bool {
	x, y := a.in.header.Study, b.in.header.Study
	return x.Name != "" && x.Name == y.Name && x.Hash == y.Hash
}

// crossings are the models of a report's crossover studies: one for each measure, used for all pairs of arms.
type crossings struct {
	results []result
	plan    *Analysis // nil: no plan declares one
	look    *Look     // nil: the plan declares none
	layout  int       // of the report
	fits    map[string]*crossing
}

// crossing is the model of one measure.
type crossing struct {
	cells []stats.Cell
	arms  map[string]int // by their names in the study
	model *stats.Crossover
	err   error

	testers, dropped int  // with several sessions, and with one
	unequal          bool // sessions have unequal numbers of results
	values           []stats.Single

	mixed *stats.MixedCrossover // nil: not fitted, or too few testers or tasks
	tried bool                  // to fit it
}

// numbers numbers keys in the order of their first use.
type numbers map[string]int

func (n numbers) of(key string) int {
	i, known := n[key]
	if !known {
		i = len(n)
		n[key] = i
	}
	return i
}

// of fits the model of a measure over all arms of a study.
func (cs *crossings) of(m measure, of result) *crossing {
	key := fmt.Sprint(m.id, of.in.header.Study.Name, of.in.header.Study.Hash)
	if kept := cs.fits[key]; kept != nil {
		return kept
	}
	c := &crossing{arms: map[string]int{}}
	cs.fits[key] = c
	sets, tasks := numbers{}, numbers{}
	sums, counts := map[*folded]float64{}, map[*folded]float64{}
	var logs []*folded
	for _, r := range cs.results {
		v, known := m.of(r)
		if !known || !sameStudy(r, of) || r.in.header.automatic() {
			continue
		}
		if counts[r.in] == 0 {
			logs = append(logs, r.in)
		}
		sums[r.in] += v
		counts[r.in]++
		study := r.in.header.Study
		c.values = append(c.values, stats.Single{Subject: r.in.tester, Task: tasks.of(r.same()), Period: max(study.Part-1, 0), Arm: numbers(c.arms).of(study.Arm), Value: v})
	}
	sessions := map[int]int{}
	for _, f := range logs {
		study := f.header.Study
		c.cells = append(c.cells, stats.Cell{Subject: f.tester, Period: max(study.Part-1, 0), Set: sets.of(f.sets()), Arm: numbers(c.arms).of(study.Arm), Value: sums[f] / counts[f]})
		sessions[f.tester]++
		c.unequal = c.unequal || counts[f] != counts[logs[0]]
	}
	for _, n := range sessions {
		if n > 1 {
			c.testers++
		} else {
			c.dropped++
		}
	}
	c.model, c.err = stats.FitCrossover(c.cells, stats.PeriodTerm, stats.SetTerm, stats.ArmTerm)
	return c
}

// sets returns the test sets of a session's plan as a key: testers who did the same sets with different arms
// are compared.
func (f *folded) sets() string {
	var all []string
	for _, t := range f.state.Plan.Tasks {
		if !t.Practice && !slices.Contains(all, t.Set) {
			all = append(all, t.Set)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "+")
}

// crossed compares two arms of a crossover study by Student's t if that keeps its level, else by a
// randomisation test over the assignments that the plan allows, which has no interval.
func (c *Compared) crossed(cross *crossings, m measure, a, b []result) {
	x := cross.of(m, a[0])
	first, second := x.arms[a[0].in.header.Study.Arm], x.arms[b[0].in.header.Study.Arm]
	c.Scope = scopeTesters
	if x.err != nil {
		c.Difference.Value = undefined()
		c.without("no tester has results in two sessions")
		return
	}
	d, err := x.model.Difference(stats.ArmTerm, first, second)
	c.Difference.N = x.testers
	if err != nil {
		c.Difference.Value = undefined()
		c.without(fmt.Sprintf("with %d %s, set, period and arm cannot be told apart", x.testers, plural("tester", x.testers)))
		return
	}
	means := [2]float64{}
	for i, arm := range []int{first, second} {
		mean, err := x.model.Mean(stats.ArmTerm, arm)
		if err != nil {
			mean.Value = math.NaN()
		}
		means[i] = mean.Value
	}
	if m.holds(means[0]) && m.holds(means[1]) {
		for i, e := range []*report.Estimate{&c.First, &c.Second} {
			e.Value, e.Method = report.Number(means[i]), adjustedMean
		}
	}
	c.Unequal = x.unequal && !m.session()
	method := fmt.Sprintf("t, crossover of %d testers adjusted for test set and period", x.testers)
	if x.model.Robust() {
		method += ", errors clustered by tester (CR2)"
	}
	if x.dropped > 0 {
		method += fmt.Sprintf("; %d %s with one session left out", x.dropped, plural("tester", x.dropped))
	}
	c.student(m, d, method, "testers' differences")
	if d.DF >= 5 { // with fewer the interval of g covers 90 % (TestCalibrateStandardised)
		c.standardise(m, d, x.model.Spread, float64(x.testers-1), "testers in a session")
	}
	if x.model.DF == 0 {
		c.without(fmt.Sprintf("with %d %s, nothing is left to estimate the error from", x.testers, plural("tester", x.testers)))
	}
	if c.Difference.Interval == nil {
		c.randomised(x, first, second)
	}
	if mixed := c.Unequal || cross.plan.plansMixed(); !m.session() && (mixed || !m.attribute) {
		c.General = generalOf(x, m, first, second, c.confidence)
	}
}

// adjustedMean is the method of an arm's mean, if those of both arms are on the scale; else they are means of all
// results.
const adjustedMean = "mean adjusted for test set and period"

// randomised tests by randomisation.
func (c *Compared) randomised(x *crossing, first, second int) {
	t, err := stats.RandomiseArms(x.cells, first, second)
	if err != nil || t.Allocations < 2 {
		return
	}
	c.P, c.Floor = report.Number(t.P), report.Number(t.Floor)
	c.Test = fmt.Sprintf("randomisation, %d allocations", t.Allocations)
	if t.Floor > 1-report.Confidence {
		c.Test += fmt.Sprintf("; with %d testers p cannot be below %.3g", x.testers, t.Floor)
	}
}
