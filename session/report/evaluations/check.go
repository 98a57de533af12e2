package evaluations

import (
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"

	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/scoring/stats"
	"assay/session/report"
)

// kind is the kind of these reports.
var kind = report.Kind{Key: "assay_batch_report", Version: FormatVersion, Command: "assay report RESULTS"}

// IsReport reports whether a folder holds a report of this kind.
func IsReport(dir fs.FS) bool { return kind.In(dir) }

// CheckFiles checks the report in a folder; see [report.CheckFiles].
func CheckFiles(dir fs.FS) (*Report, []report.Check, error) {
	return report.CheckFiles(dir, kind, (*Report).whole, func(r *Report, dir fs.FS) ([]report.Check, error) {
		tables, err := report.ReadTables(dir, "runs", "tasks", "samples")
		if err != nil {
			return nil, err
		}
		return r.checkAgainst(tables), nil
	})
}

// whole returns an error if a list does not have the length that the checks rely on.
func (r *Report) whole() error {
	runs, metrics := len(r.Runs), len(r.kinds())
	bad := len(r.Metrics) != metrics || len(r.Groups.Runs) != runs || len(r.Six.Runs) != runs
	cells := func(list []Cell, n int) {
		bad = bad || len(list) != runs
		for _, c := range list {
			bad = bad || len(c.Metrics) != n
		}
	}
	for _, run := range r.Runs {
		bad = bad || len(run.Metrics) != metrics || len(run.These) != metrics
	}
	for _, s := range r.Slices {
		for _, c := range s.Cells {
			cells(c.Runs, metrics)
		}
	}
	for _, c := range r.Six.Categories {
		cells(c.Runs, 1)
	}
	for _, rows := range r.Groups.Runs {
		bad = bad || len(rows) != len(r.Groups.Difficulties)
		for _, row := range rows {
			bad = bad || len(row) != len(r.Groups.Years)
		}
	}
	for i := range r.Six.Runs {
		x := &r.Six.Runs[i]
		bad = bad || len(x.Dimensions) != len(sixSum{}.dimensions) || len(x.Reliability) != len(ratings()) || len(x.Security) != len(ratings())
	}
	for _, p := range r.Pairs {
		bad = bad || len(p.Measures) > metrics
	}
	if bad || !r.wholeAnalyses() {
		return fmt.Errorf("its lists do not fit the %d runs and %d metrics that it names", runs, metrics)
	}
	return nil
}

func (r *Report) checkData() []report.Check {
	tables := map[string]report.Rows{}
	for _, t := range r.Tables() {
		tables[t.Name] = t.Named()
	}
	return r.checkAgainst(tables)
}

// checkAgainst checks a report against tables, which may be those of its files.
func (r *Report) checkAgainst(tables map[string]report.Rows) []report.Check {
	again := r.recompute(tables)
	tested := r.testedAgain(again)
	var all []report.Check
	for _, c := range []*report.Check{r.checkTotals(), r.checkShares(), r.checkAccounts(tables, again), r.checkResults(again), r.checkSix(again), r.checkPairs(again, tested), r.checkAnalyses(tables, again, tested)} {
		all = append(all, *c)
	}
	return all
}

// checkTotals checks the sums.
func (r *Report) checkTotals() *report.Check {
	c := report.NewCheck("Totals agree")
	c.Equal("runs", len(r.Runs), r.Number)
	for i, run := range r.Runs {
		sum := 0
		for _, v := range run.Verdicts {
			sum += v.Count
		}
		c.Equal(run.Name+": verdicts", sum, run.Samples)
		c.Equal(run.Name+": tasks", run.Scored+run.Withheld+run.Unjudged, run.Tasks)
		c.Equal(run.Name+": withheld tasks", len(run.WithheldTasks), run.Withheld)
		for j, m := range run.Metrics {
			c.Equal(run.Name+": tasks with "+r.Metrics[j], m.N, run.Scored)
		}
		for _, s := range r.Slices {
			n := 0
			for _, cell := range s.Cells {
				n += cell.Runs[i].N
			}
			if !s.Overlap {
				c.Equal(run.Name+": tasks by "+s.By, n, run.Scored)
			}
		}
		n, solved := 0, 0
		for _, row := range r.Groups.Runs[i] {
			for _, g := range row {
				n, solved = n+g.N, solved+g.Solved
			}
		}
		c.Equal(run.Name+": tasks by difficulty and year", n, run.Scored)
		c.Equal(run.Name+": tasks solved", solved, r.solved(i))
		totalsOfSix(c, &run, &r.Six.Runs[i])
	}
	return c
}

// solved counts the scored tasks that a sample solved.
func (r *Report) solved(run int) int {
	n := 0
	for i := range r.Tasks {
		if run < len(r.Tasks[i].Runs) && r.Tasks[i].Runs[run].scored() && r.Tasks[i].Runs[run].Accepted > 0 {
			n++
		}
	}
	return n
}

func totalsOfSix(c *report.Check, run *Run, x *SixRun) {
	sum := 0
	for _, o := range x.Outcomes {
		sum += o.Count
		c.Equal(run.Name+": samples by outcome", o.Samples, run.Counted)
		if scoring.Outcome(o.Name) == scoring.Correct {
			c.Equal(run.Name+": correct samples", o.Count, run.Accepted)
		}
	}
	c.Equal(run.Name+": outcomes", sum, run.Counted)
	c.Equal(run.Name+": measured and unmeasured samples", x.Measured+x.Unmeasured, run.Counted)
	c.Equal(run.Name+": labels of explanations", x.Accurate+x.Inaccurate+x.Unlabelled, x.Measured)
	c.Equal(run.Name+": causes", x.CodeProblems+x.Misunderstood+x.NoCause, run.Counted-run.Accepted)
	for _, rated := range [][]report.Count{x.Reliability, x.Security} {
		sum := 0
		for _, n := range rated {
			sum += n.Count
		}
		c.Equal(run.Name+": rated samples", sum, x.Measured)
	}
}

// checkShares compares percentages with their counts, and values with their intervals.
func (r *Report) checkShares() *report.Check {
	c := report.NewCheck("Percentages match their counts")
	v := reflect.ValueOf(r).Elem()
	report.Each(v, "", func(path string, s report.Share) {
		c.Compared++
		if s.Count < 0 || s.Count > s.N {
			c.Fault("%s: %d of %d", path, s.Count, s.N)
		}
		if s.N > 0 {
			c.Near(path, s.Value, float64(s.Count)/float64(s.N))
		}
	})
	report.Each(v, "", func(path string, e report.Estimate) { c.Inside(path, e) })
	for i := range r.Six.Runs {
		for _, p := range r.Six.Runs[i].Dimensions {
			c.Compared++
			if p.Low.Defined() && !(0 <= p.Low && p.Low <= p.High && float64(p.High) <= float64(p.Of)+1e-9) {
				c.Fault("%s, %s: %v to %v of %d points", r.Six.Runs[i].Name, p.Name, float64(p.Low), float64(p.High), p.Of)
			}
		}
	}
	return c
}

// checkAccounts compares the counts with the rows of the tables: no sample may be
// missing from one of them.
func (r *Report) checkAccounts(tables map[string]report.Rows, again []*runAgain) *report.Check {
	c := report.NewCheck("Every sample is accounted for")
	rows := 0
	for row := range tables["runs"] {
		i := r.indexOf(row)
		if rows++; i < 0 {
			c.Fault("run %s is in the table of runs alone", row.Text("run"))
			continue
		}
		run := &r.Runs[i]
		for _, n := range []struct {
			column string
			count  int
		}{{"samples", run.Samples}, {"tasks", run.Tasks}, {"scored", run.Scored}, {"withheld", run.Withheld}, {"counted", run.Counted}, {"accepted", run.Accepted},
			{"not_judged", run.Excluded}, {"sandbox_errors", run.Failed}} {
			c.Near(run.Name+": "+n.column+" in the table of runs", report.Number(row.Number(n.column)), float64(n.count))
		}
	}
	c.Equal("rows of runs", rows, r.Number)
	for i, run := range r.Runs {
		a := again[i]
		c.Equal(run.Name+": rows of samples", a.samples, run.Samples)
		c.Equal(run.Name+": rows of tasks", len(a.listed), run.Tasks)
		c.Equal(run.Name+": tasks with samples", len(a.tasks), run.Tasks)
		for _, v := range run.Verdicts {
			c.Equal(run.Name+": samples with "+v.Name, a.verdicts[v.Name], v.Count)
		}
		for _, o := range run.Outcomes {
			c.Equal(run.Name+": samples with "+o.Name, a.outcomes[o.Name], o.Count)
		}
		c.Equal(run.Name+": samples that could not be judged", a.verdicts[string(verdicts.NotJudged)], run.Excluded)
		c.Equal(run.Name+": errors of the sandbox", a.verdicts[string(verdicts.SandboxError)], run.Failed)
		c.Equal(run.Name+": scored tasks", len(a.scored()), run.Scored)
	}
	return c
}

// checkResults recomputes the metrics from the table of samples.
func (r *Report) checkResults(again []*runAgain) *report.Check {
	c := report.NewCheck("Results computed again from the tables")
	for i, run := range r.Runs {
		a := again[i]
		means(c, run.Name, run.Metrics, r.Metrics, a.scored())
		for id, t := range a.tasks {
			for j := range r.Metrics {
				want := math.NaN()
				if t.scores() {
					want = t.metrics[j]
				}
				c.Near(fmt.Sprintf("%s, task %s: %s", run.Name, id, r.columnOf(j)), report.Number(a.listed[id].Number(r.columnOf(j))), want)
			}
		}
		for _, s := range r.Slices {
			if !slices.Contains([]string{"difficulty", "year", "type", "category"}, s.By) {
				continue // the table has several values in one cell, or none
			}
			for _, cell := range s.Cells {
				of := a.where(func(row report.Row) bool { return row.Text(s.By) == report.CSVCell(cell.Value) })
				what := fmt.Sprintf("%s, %s %q", run.Name, s.By, cell.Value)
				c.Equal(what+": tasks", cell.Runs[i].N, len(of))
				means(c, what, cell.Runs[i].Metrics, r.Metrics, of)
			}
		}
		for d, rows := range r.Groups.Runs[i] {
			for y, g := range rows {
				of := a.where(func(row report.Row) bool {
					return row.Text("difficulty") == report.CSVCell(r.Groups.Difficulties[d]) && within(row.Text("year"), r.Groups.Years[y])
				})
				what := fmt.Sprintf("%s, %s %s", run.Name, r.Groups.Difficulties[d], r.Groups.Years[y])
				expected, solved := 0.0, 0
				for _, t := range of {
					expected += float64(t.accepted) / float64(t.n)
					if t.accepted > 0 {
						solved++
					}
				}
				c.Equal(what+": tasks", g.N, len(of))
				c.Equal(what+": solved", g.Solved, solved)
				c.Near(what+": solved by one sample", g.Expected, expected)
				means(c, what, g.Metrics, r.Metrics, of)
			}
		}
	}
	return c
}

// within reports whether a year belongs to a group of years.
func within(year, group string) bool {
	if last, before := strings.CutPrefix(group, "~"); before {
		return year != "" && batch.InOrder(year, last) <= 0
	}
	return year == group
}

// means compares the means over some tasks.
func means(c *report.Check, what string, got []report.Estimate, names []string, tasks []*taskAgain) {
	for j, e := range got {
		var values []float64
		for _, t := range tasks {
			values = append(values, t.metrics[j])
		}
		c.Equal(what+": tasks with "+names[j], e.N, len(values))
		want := math.NaN()
		if len(values) > 0 {
			want = stats.Mean(values)
		}
		c.Near(what+": "+names[j], e.Value, want)
	}
}

// checkSix recomputes the six dimensions.
func (r *Report) checkSix(again []*runAgain) *report.Check {
	c := report.NewCheck("Six dimensions computed again from the tables")
	for i := range r.Six.Runs {
		x, a := &r.Six.Runs[i], again[i].six()
		c.Equal(x.Name+": tasks in six dimensions", x.Tasks, a.tasks)
		c.Near(x.Name+": final score, least", x.Final.Low, a.low/a.weight)
		c.Near(x.Name+": final score, most", x.Final.High, a.high/a.weight) // NaN where nothing was measured
		c.Equal(x.Name+": measured samples", x.Measured, a.measured)
		c.Equal(x.Name+": cyclomatic complexity", x.Cyclomatic, a.cyclomatic)
		c.Equal(x.Name+": cognitive complexity", x.Cognitive, a.cognitive)
		c.Near(x.Name+": comment rate", x.CommentRate.Value, over(a.sum.comments, a.tasks))
		c.Equal(x.Name+": test cases passed", x.CaseRate.Count, a.passed)
		c.Equal(x.Name+": test cases", x.CaseRate.N, a.cases)
		for j, p := range x.Dimensions {
			c.Near(x.Name+": "+p.Name+", least", p.Low, over(a.sum.dimensions[j].Low, a.tasks))
			c.Near(x.Name+": "+p.Name+", most", p.High, over(a.sum.dimensions[j].High, a.tasks))
		}
		for j, rating := range x.Reliability {
			c.Equal(x.Name+": reliability "+rating.Name, rating.Count, a.reliability[rating.Name])
			c.Equal(x.Name+": security "+rating.Name, x.Security[j].Count, a.security[rating.Name])
		}
		for _, o := range x.Outcomes {
			c.Equal(x.Name+": samples that are "+o.Name, o.Count, a.outcomes[o.Name])
		}
		c.Equal(x.Name+": code problems", x.CodeProblems, a.causes[string(scoring.CodeProblem)])
		c.Equal(x.Name+": understanding problems", x.Misunderstood, a.causes[string(scoring.UnderstandingProblem)])
		c.Equal(x.Name+": inaccurate explanations", x.Inaccurate, a.explained["no"])
	}
	return c
}

// checkPairs recomputes the comparisons.
func (r *Report) checkPairs(again []*runAgain, tested *contrasts) *report.Check {
	c := report.NewCheck("Comparisons computed again from the tables")
	for _, p := range r.Pairs {
		i := slices.IndexFunc(r.Runs, func(x Run) bool { return x.Name == p.First })
		j := slices.IndexFunc(r.Runs, func(x Run) bool { return x.Name == p.Second })
		if i < 0 || j < 0 {
			c.Fault("%s and %s are compared, and not both reported", p.First, p.Second)
			continue
		}
		for m, x := range p.Measures {
			var first, second []float64
			better, worse := 0, 0
			for _, id := range again[i].common(again[j]) {
				a, b := again[i].tasks[id].metrics[m], again[j].tasks[id].metrics[m]
				d := math.Round((a-b)*1e12) / 1e12 // equal differences are ties, whatever binary makes of them
				first, second = append(first, a), append(second, b)
				if d > 0 {
					better++
				}
				if d < 0 {
					worse++
				}
			}
			what := fmt.Sprintf("%s against %s: %s", p.First, p.Second, x.Name)
			c.Equal(what+": tasks", x.Difference.N, len(first))
			c.Equal(what+": tasks in common", p.Tasks, len(first))
			c.Equal(what+": better", x.Better, better)
			c.Equal(what+": worse", x.Worse, worse)
			c.Equal(what+": tasks", x.Better+x.Worse+x.Same, len(first))
			if len(first) > 0 {
				c.Near(what+": difference", x.Difference.Value, stats.Mean(first)-stats.Mean(second))
			}
			p := tested.of(r.valuesAgain(again[i], m), r.valuesAgain(again[j], m))
			c.Near(what+": p", x.P, p.p)
			c.Near(what+": corrected p", x.Holm, p.holm)
			c.Near(what+": screened p", x.BH, p.bh)
			if c.Compared++; x.P.Defined() && !(x.Holm >= x.BH && x.BH >= x.P) {
				c.Fault("%s: a corrected p is smaller than a less corrected one", what)
			}
			if c.Compared++; x.P.Defined() && x.Difference.Interval != nil && (x.P <= significance) != (x.Difference.Interval.Low > 0 || x.Difference.Interval.High < 0) {
				c.Fault("%s: p and interval disagree", what)
			}
		}
	}
	return c
}
