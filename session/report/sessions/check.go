package sessions

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// checkData checks the numbers of a report against each other and recomputes the results from its tables.
func (r *Report) checkData() []report.Check {
	tables := map[string]report.Rows{}
	for _, t := range r.tables() {
		tables[t.Name] = t.Named()
	}
	return checkAgainst(r, tables)
}

// checkAgainst checks a report against tables, which may be those of its files.
func checkAgainst(r *Report, tables map[string]report.Rows) []report.Check {
	var all []report.Check
	for _, c := range []*report.Check{checkTotals(r), checkShares(r), checkMeans(r), checkAccounts(r, tables), checkResults(r, tables)} {
		all = append(all, *c)
	}
	return all
}

// checkTotals checks the sums.
func checkTotals(r *Report) *report.Check {
	c := report.NewCheck("Totals agree")
	counts := func(where string, n Counts) {
		c.Equal(where+": planned tasks", n.Analysed+n.Skipped+n.Unfinished+n.NotOpened+n.Practice+n.Withdrawn, n.Planned)
		c.Equal(where+": analysed tasks", n.Satisfied+n.GaveUp+n.Exhausted, n.Analysed)
	}
	counts("all", r.Counts)
	var sum Counts
	for _, h := range r.Sessions {
		counts("session "+h.ID, h.Counts)
		sum.add(h.Counts)
	}
	c.Compared++
	if sum != r.Counts {
		c.Fault("the sessions' tasks add up to %+v, not %+v", sum, r.Counts)
	}
	c.Equal("sessions", len(r.Sessions), r.Number)
	if !r.Pooled {
		return c
	}
	checkAttempts(c, r)
	for _, s := range r.Slices {
		n := 0
		for _, cell := range s.Cells {
			n += cell.N
			at := cell.Never
			for _, x := range cell.Steps {
				at += x
			}
			c.Equal(fmt.Sprintf("%s %q: tasks by attempt", s.By, cell.Value), at, cell.N)
		}
		c.Equal("tasks by "+s.By, n, r.Counts.Analysed)
	}
	checkGrid(c, &r.Grid, r.Counts.Analysed)
	t := &r.Tests
	c.Equal("verdicts of final answers", sumOfCounts(t.Verdicts), r.Counts.Analysed)
	c.Equal("verdicts of all attempts", sumOfCounts(t.All), r.Tries.Made)
	judged := r.Counts.Analysed - t.NotJudged
	c.Equal("judged final answers", t.SatisfiedAccepted+t.SatisfiedFailed+t.UnhappyAccepted+t.UnhappyFailed, judged)
	c.Equal("accepted final answers", t.SatisfiedAccepted+t.UnhappyAccepted, t.Accepted.Count)
	c.Equal("shares of accepted answers", t.Accepted.N, judged)
	for _, a := range r.Ratings.Attributes {
		n := 0
		for _, x := range a.Scores {
			n += x
		}
		c.Equal("scores of "+a.Name, n, a.Mean.N)
	}
	c.Equal("measured answers by reliability", sumOfCounts(r.Code.Rated), r.Code.Measured)
	c.Equal("measured answers by security", sumOfCounts(r.Code.Safe), r.Code.Measured)
	return c
}

func checkAttempts(c *report.Check, r *Report) {
	satisfied, ended := 0, 0
	for i, s := range r.Tries.Steps {
		c.Equal(fmt.Sprintf("attempt %d: tasks at risk", s.Attempt), s.AtRisk, r.Counts.Analysed-satisfied)
		satisfied, ended = satisfied+s.Satisfied, ended+s.GaveUp
		c.Equal(fmt.Sprintf("attempt %d: satisfied within so many", s.Attempt), s.Within.Count, satisfied)
		c.Equal("number of the attempt", s.Attempt, i+1)
	}
	c.Equal("tasks satisfied at some attempt", satisfied, r.Counts.Satisfied)
	c.Equal("tasks that ended without", ended, r.Counts.GaveUp+r.Counts.Exhausted)
	c.Equal("satisfied tasks", r.Tries.Success.Count, r.Counts.Satisfied)
	c.Equal("tasks with a number of attempts", r.Tries.Mean.N, r.Counts.Analysed)
	c.Equal("tasks with a time", r.Times.Completion.Mean.N, r.Counts.Analysed)
	if r.Counts.Analysed == 0 {
		return
	}
	area := 1.0 // the restricted mean is the area under the curve
	for _, s := range r.Tries.Steps[:len(r.Tries.Steps)-1] {
		area += float64(s.Survival)
	}
	c.Near("mean attempts and the area under the survival curve", r.Tries.Mean.Value, area)
}

// checkGrid checks that both blocks of the table sum to the same total.
func checkGrid(c *report.Check, g *Grid, analysed int) {
	rows, columns := 0, 0
	for i := range g.Cells {
		n := 0
		for _, cell := range g.Cells[i] {
			n += cell.N
		}
		c.Equal("tasks of type "+named(g.Types[i]), n, g.ByType[i])
		rows += g.ByType[i]
	}
	for j, n := range g.ByDifficulty {
		sum := 0
		for i := range g.Cells {
			sum += g.Cells[i][j].N
		}
		c.Equal("tasks of difficulty "+named(g.Difficulties[j]), sum, n)
		columns += n
	}
	c.Equal("tasks by type", rows, analysed)
	c.Equal("tasks by difficulty", columns, analysed)
	c.Equal("tasks of all types and difficulties", g.Total, analysed)
}

// checkShares compares each percentage with its counts.
func checkShares(r *Report) *report.Check {
	c := report.NewCheck("Percentages match their counts")
	report.Each(reflect.ValueOf(r).Elem(), "", func(path string, s report.Share) {
		if s.N == 0 {
			return
		}
		c.Near(path, s.Value, float64(s.Count)/float64(s.N))
		c.Compared++
		if s.Count < 0 || s.Count > s.N {
			c.Fault("%s: %d of %d", path, s.Count, s.N)
		}
		c.Inside(path, s.Estimate)
	})
	for _, a := range append(slices.Clone(r.Ratings.Attributes), r.Ratings.Total) {
		if a.Mean.N > 0 {
			c.Near("share of the best of "+a.Name, a.Of, float64(a.Mean.Value)/float64(a.Max))
		}
	}
	return c
}

// checkMeans reports whether means of whole numbers are possible: whether n times the
// mean is whole (Brown & Heathers 2017, GRIM), to the precision of the export, and as
// they are printed.
func checkMeans(r *Report) *report.Check {
	c := report.NewCheck("Means are possible (GRIM)")
	whole := func(what string, e report.Estimate, low, high float64) {
		if e.N == 0 || !e.Value.Defined() {
			return
		}
		c.Compared++
		sum := float64(e.Value) * float64(e.N)
		printed, err := stats.GRIM(stats.Round(float64(e.Value), 2), e.N, 1, stats.HalfAway)
		switch {
		case math.Abs(sum-math.Round(sum)) > 1e-6*max(1, sum) || err != nil || !printed:
			c.Fault("%s: %v cannot be the mean of %d whole numbers", what, float64(e.Value), e.N)
		case float64(e.Value) < low-1e-9 || float64(e.Value) > high+1e-9:
			c.Fault("%s: %v is not from %v to %v", what, float64(e.Value), low, high)
		}
	}
	k := float64(r.Tries.K)
	most := float64(r.Ratings.Total.Max)
	whole("mean attempts", r.Tries.Mean, 1, k)
	whole("mean attempts of satisfied tasks", r.Tries.Happy, 1, k)
	for _, a := range r.Ratings.Attributes {
		whole("mean of "+a.Name, a.Mean, session.MinScore, float64(a.Max))
		sum := 0
		for i, n := range a.Scores {
			sum += (i + 1) * n
		}
		if a.Mean.N > 0 {
			c.Near("mean of "+a.Name+" and its counts", a.Mean.Value, float64(sum)/float64(a.Mean.N))
		}
	}
	whole("mean total", r.Ratings.Total.Mean, 0, most)
	report.Each(reflect.ValueOf(r).Elem(), "", func(path string, s Slice) {
		what := path
		if s.Value != "" {
			what += " (" + s.Value + ")"
		}
		whole("mean attempts of "+what, s.Attempts, 1, k)
		whole("mean total of "+what, s.Total, 0, most)
		for i, a := range s.Attributes {
			whole(fmt.Sprintf("mean of attribute %d of %s", i+1, what), a, session.MinScore, float64(r.scale()))
		}
		if s.N > 0 {
			sum := s.Never * r.Tries.K
			for i, n := range s.Steps {
				sum += (i + 1) * n
			}
			c.Near("mean attempts of "+what+" and its counts", s.Attempts.Value, float64(sum)/float64(s.N))
		}
	})
	return c
}
