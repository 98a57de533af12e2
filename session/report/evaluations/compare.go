package evaluations

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"assay/benchmark/batch"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// compare ranks the runs, and compares them in pairs, on the tasks that both have. Two runs without a common task are an error, since
// readers would compare them.
func (r *Report) compare() error {
	r.rank()
	compared := r.compared()
	for i := range r.given {
		for j := i + 1; j < len(r.given); j++ {
			if !compared(i, j) {
				continue
			}
			p, err := r.pair(i, j)
			if err != nil {
				return err
			}
			r.Pairs = append(r.Pairs, *p)
		}
	}
	return nil
}

// comparable reports whether two runs are compared. Runs that differ in model and type of prompt are not: a
// difference could come from either.
func (r *Report) comparable(i, j int) bool {
	a, b := &r.Runs[i], &r.Runs[j]
	return a.Prompt == b.Prompt || a.Model == b.Model
}

// manyPairs is the number of pairs, of twelve runs, above which not all are compared in all metrics.
const manyPairs = 66

// firstRanks is the number of runs that are compared with the best one, where not all are.
const firstRanks = 12

// selectPairs decides whether all pairs are compared in all metrics.
func (r *Report) selectPairs(all bool) {
	n := 0
	for i := range r.Runs {
		for j := i + 1; j < len(r.Runs); j++ {
			n += b2i(r.comparable(i, j))
		}
	}
	r.Selected = n > manyPairs && !all
}

// compared returns whether two runs are compared in all metrics: of many with the same type of prompt, each with the
// next in rank, and the first ones with the best.
func (r *Report) compared() func(i, j int) bool {
	if !r.Selected {
		return r.comparable
	}
	place := make([]int, len(r.Runs))
	for _, prompt := range r.promptTypes() {
		for at, i := range r.ranked(prompt) {
			place[i] = at
		}
	}
	return func(i, j int) bool {
		a, b := place[i], place[j]
		return r.comparable(i, j) && (r.Runs[i].Prompt != r.Runs[j].Prompt || min(a, b) == 0 && max(a, b) < firstRanks || a-b == 1 || b-a == 1)
	}
}

// ranked returns the runs with a type of prompt, the best first.
func (r *Report) ranked(prompt string) (runs []int) {
	for i := range r.Runs {
		if r.Runs[i].Prompt == prompt {
			runs = append(runs, i)
		}
	}
	slices.SortStableFunc(runs, func(i, j int) int {
		a, b, ratio := &r.Runs[i], &r.Runs[j], r.ratioAt()
		return cmp.Or(descending(a.Metrics[0].Value, b.Metrics[0].Value), descending(a.Metrics[ratio].Value, b.Metrics[ratio].Value), batch.InOrder(a.Name, b.Name))
	})
	return runs
}

func (r *Report) pair(i, j int) (*Pair, error) {
	a, b := &r.given[i], &r.given[j]
	p := &Pair{First: a.Name, Second: b.Name, Measures: []Compared{}, ChangedIDs: []string{}, LeftOutIDs: []string{}, first: i, second: j}
	common := false
	for t := range r.Tasks {
		x, y := r.Tasks[t].Runs[i], r.Tasks[t].Runs[j]
		common = common || x.Samples > 0 && y.Samples > 0
		switch {
		case x.Failed > 0 || y.Failed > 0:
			p.Withheld++
		case x.N > 0 && y.N > 0:
			p.Tasks++
			continue
		case x.N > 0:
			p.OnlyFirst++
		case y.N > 0:
			p.OnlySecond++
		default:
			continue // judged in neither
		}
		p.LeftOutIDs = append(p.LeftOutIDs, r.Tasks[t].ID)
	}
	if !common {
		return nil, fmt.Errorf("%s and %s have no task in common, such as %q and %q: report them apart", a.Name, b.Name, a.Rows[0].TaskID, b.Rows[0].TaskID)
	}
	c, err := batch.Compare(a.Rows, b.Rows, batch.CompareOptions{K: r.K})
	if errors.Is(err, stats.ErrTooFew) {
		p.Problem = "no task has a result in both"
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("comparing %s with %s: %w", a.Name, b.Name, err)
	}
	for _, id := range c.Changed {
		p.ChangedIDs = append(p.ChangedIDs, r.Tasks[a.index[id]].ID)
	}
	slices.SortFunc(p.ChangedIDs, batch.InOrder)
	p.Changed = len(p.ChangedIDs)
	r.measures(p, c)
	return p, nil
}

// measures sets the metrics of a comparison, with the p-values of the report's family.
func (r *Report) measures(p *Pair, c *batch.Comparison) {
	for i, m := range c.Metrics {
		d := m.Difference
		x := Compared{Name: r.Metrics[i], First: estimate(m.First, nil), Second: estimate(m.Second, nil), Difference: estimate(d.Metric, nil), These: onThese(d.Metric),
			Better: d.Better, Worse: d.Worse, Same: d.Tie, Least: undefined(), Test: "none: no task differs"}
		x.P, x.Holm, x.BH = r.tested.of(r.valuesOf(p.first, i), r.valuesOf(p.second, i)).numbers()
		if d.Better+d.Worse > 0 {
			x.Least, x.Test = report.Number(d.Least), testName(&d)
		}
		p.Measures = append(p.Measures, x)
	}
}

// unequalTest is the test where a task has more samples of one run than of the other.
const unequalTest = "sign-flip and permutation of samples within tasks, the larger p"

// testName returns the name of the test of a difference.
func testName(d *scoring.Difference) string {
	if d.Unequal {
		return unequalTest
	}
	if !d.Exact {
		return "sign-flip, saddlepoint approximation"
	}
	return "sign-flip, exact"
}
