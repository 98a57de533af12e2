package evaluations

import (
	"errors"
	"fmt"
	"slices"

	"assay/benchmark/batch"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// compare compares runs in pairs, on the tasks that both have. Two runs without a common task are an error, since
// readers would compare them.
func (r *Report) compare() error {
	for i := range r.given {
		for j := i + 1; j < len(r.given); j++ {
			if !r.comparable(i, j) {
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
