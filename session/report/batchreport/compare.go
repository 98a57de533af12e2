package batchreport

import (
	"errors"
	"fmt"
	"slices"

	"assay/scoring/stats"
	"assay/session/batch"
	"assay/session/report"
)

// compare compares each run with each, on the tasks that both have. Two runs that have
// none in common are an error: they cannot be compared, and a reader would.
func (r *Report) compare() error {
	n := min(len(r.given), MaxCompared)
	if n < len(r.given) {
		r.Alone = fmt.Sprintf("The first %d of the %d runs are compared.", n, len(r.given))
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			p, err := r.pair(i, j)
			if err != nil {
				return err
			}
			r.Pairs = append(r.Pairs, *p)
		}
	}
	return nil
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
	c, err := batch.Compare(a.Rows, b.Rows, r.K, nil, nil)
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
	p.measures(c, r.Metrics)
	return p, nil
}

// measures takes a comparison's metrics, with p-values corrected for their number. A
// metric that is another one under a second name, as strict accuracy is pass@1, is no
// further test.
func (p *Pair) measures(c *batch.Comparison, names []string) {
	var tested []float64
	var family []int // of each measure, its place among the tests; -1 where there is none
	for i, m := range c.Metrics {
		d := m.Difference
		x := Compared{Name: names[i], First: estimate(m.First, nil), Second: estimate(m.Second, nil), Difference: estimate(d.Metric, nil),
			Better: d.Better, Worse: d.Worse, Same: d.Tie, P: undefined(), Holm: undefined(), Test: "none: no task differs"}
		place := -1
		if d.Test != nil {
			x.P, x.Test = report.Number(d.Test.P), fmt.Sprintf("Wilcoxon signed-rank, %s, zeros by %s", d.Test.Method, d.Test.ZeroMethod)
			again := slices.IndexFunc(p.Measures, func(o Compared) bool {
				return o.P == x.P && o.First.Value == x.First.Value && o.Second.Value == x.Second.Value
			})
			if again >= 0 {
				place = family[again]
			} else {
				place = len(tested)
				tested = append(tested, d.Test.P)
			}
		}
		p.Measures, family = append(p.Measures, x), append(family, place)
	}
	adjusted, err := stats.Holm(tested)
	if err != nil {
		return // no p is outside of 0 to 1
	}
	for i, place := range family {
		if place >= 0 {
			p.Measures[i].Holm = report.Number(adjusted[place])
		}
	}
}
