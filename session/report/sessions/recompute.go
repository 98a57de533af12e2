package sessions

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"assay/scoring/stats"
	"assay/session/report"
)

// checkAccounts compares the counts with the rows of the tables, which include everything that was left out,
// interrupted or dropped.
func checkAccounts(r *Report, tables map[string]report.Rows) *report.Check {
	c, reflected := report.NewCheck("Everything left out is accounted for"), 0
	known, per := tallied(c, tables)
	for _, h := range r.Sessions {
		c.Compared++
		id := report.CSVCell(h.ID) // as the tables have it
		if !known[id] {
			c.Fault("session %s is not in the table of sessions", h.ID)
		}
		delete(known, id)
		if h.Status == "withdrawn" {
			continue
		}
		found := per[id]
		if found == nil {
			found = &Counts{}
		}
		found.Unobserved = h.Counts.Unobserved // times are compared apart
		c.Compared++
		if *found != h.Counts {
			c.Fault("session %s: the table of tasks has %+v, not %+v", h.ID, *found, h.Counts)
		}
		delete(per, id)
	}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		c.Fault("session %s is in the table of sessions alone", id)
	}
	for _, id := range slices.Sorted(maps.Keys(per)) {
		c.Fault("session %s is in the table of tasks alone", id)
	}
	checkPeople(r, c, tables["participants"])
	checkSurvey(r, c, tables["participants"])
	checkMerge(r, c, tables["tasks"])
	checkChoices(r, c, tables["choices"])
	judged, unjudged, truncated := 0, 0, 0
	for row := range tables["attempts"] {
		switch row.Text("finish_reason") {
		case "length", "content_filter", "refusal", "limit":
			truncated++
		}
		switch {
		case row.Text("decision") == "":
			unjudged++
		case row.Is("analysed"):
			judged++
		}
		if row.Text("reflection") != "" {
			reflected++
		}
	}
	c.Equal("judged attempts of analysed tasks", judged, r.Events.Judged)
	withdrawn, failures, broken := false, 0, 0
	for _, h := range r.Sessions {
		failures, broken = failures+h.Failures, broken+h.Interruptions
		withdrawn = withdrawn || h.Status == "withdrawn"
	}
	if !withdrawn {
		c.Equal("attempts without a judgement", unjudged, r.Events.Unjudged)
		c.Equal("truncated answers", truncated, r.Events.Truncated)
		c.Equal("reflections", reflected, r.Events.Reflections)
	}
	c.Equal("provider errors", failures, r.Events.Failures)
	c.Equal("interrupted answers", broken, r.Events.Interruptions)
	return c
}

// tallied returns which sessions have a row, and the counts of each session's tasks.
func tallied(c *report.Check, tables map[string]report.Rows) (known map[string]bool, per map[string]*Counts) {
	known, per = map[string]bool{}, map[string]*Counts{}
	for row := range tables["sessions"] {
		id := row.Text("session")
		if known[id] {
			c.Fault("session %s has two rows", id)
		}
		known[id] = true
	}
	for row := range tables["tasks"] {
		id := row.Text("session")
		if per[id] == nil {
			per[id] = &Counts{}
		}
		per[id].tally(row)
	}
	return known, per
}

func (c *Counts) tally(row report.Row) {
	c.Planned++
	switch outcome := row.Text("outcome"); {
	case row.Is("practice"):
		c.Practice++
		return
	case outcome == "satisfied":
		c.Satisfied++
	case outcome == "gave_up":
		c.GaveUp++
	case outcome == "exhausted":
		c.Exhausted++
	case outcome == "skipped":
		c.Skipped++
	case row.Text("attempts") != "":
		c.Unfinished++
	default:
		c.NotOpened++
	}
	c.Analysed = c.Satisfied + c.GaveUp + c.Exhausted
}

// recomputed has sums over tasks in the table.
type recomputed struct {
	n, satisfied, accepted, judged int
	attempts, totals, seconds      []float64
	rates                          float64
}

func (x *recomputed) add(row report.Row) {
	x.n++
	x.attempts = append(x.attempts, row.Number("attempt_k"))
	x.seconds = append(x.seconds, row.Number("completion_ms")/1000)
	if t := row.Number("total"); !math.IsNaN(t) {
		x.totals = append(x.totals, t)
	}
	if row.Is("satisfied") {
		x.satisfied++
	}
	if passed, all := row.Number("tests_passed"), row.Number("tests_total"); !math.IsNaN(passed) {
		x.judged++
		if row.Text("verdict") == "accepted" {
			x.accepted++
		}
		if all > 0 {
			x.rates += passed / all
		}
	}
}

// checkResults recomputes the results from the tables.
func checkResults(r *Report, tables map[string]report.Rows) *report.Check {
	c := report.NewCheck("Results computed again from the tables")
	if !r.Pooled {
		return c
	}
	all := &recomputed{}
	by := map[string]map[string]*recomputed{}
	columns := map[string]string{"difficulty": "difficulty", "type": "type", "category": "category", "set": "set", "session": "session"}
	for name := range columns {
		by[name] = map[string]*recomputed{}
	}
	for row := range tables["tasks"] {
		if !row.Is("analysed") {
			continue
		}
		all.add(row)
		for name, column := range columns {
			value := row.Text(column)
			if by[name][value] == nil {
				by[name][value] = &recomputed{}
			}
			by[name][value].add(row)
		}
	}
	checkPlace(c, "all", all, r.Tries.Mean, r.Tries.Success, r.Times.Completion.Mean, r.Ratings.Total.Mean, r.Tests.PassRate, r.Tests.Accepted)
	c.Near("median completion time", r.Times.Completion.Median, stats.Median(all.seconds))
	c.Near("SD of attempts", r.Tries.SD, stats.SD(all.attempts))
	for _, s := range r.Slices {
		if by[s.By] == nil {
			continue
		}
		c.Equal("groups by "+s.By, len(s.Cells), len(by[s.By]))
		for _, cell := range s.Cells {
			x := by[s.By][report.CSVCell(cell.Value)]
			if x == nil {
				c.Fault("%s %q is not in the table of tasks", s.By, cell.Value)
				continue
			}
			checkPlace(c, fmt.Sprintf("%s %q", s.By, cell.Value), x, cell.Attempts, cell.Satisfied, cell.Completion, cell.Total, cell.PassRate, cell.Accepted)
		}
	}
	checkScores(c, r, tables["ratings"])
	return c
}

func checkPlace(c *report.Check, what string, x *recomputed, attempts report.Estimate, satisfied report.Share, completion, total, passed report.Estimate, accepted report.Share) {
	c.Equal(what+": tasks", x.n, attempts.N)
	c.Equal(what+": satisfied tasks", x.satisfied, satisfied.Count)
	c.Near(what+": mean attempts", attempts.Value, stats.Mean(x.attempts))
	c.Near(what+": mean completion time", completion.Value, stats.Mean(x.seconds))
	c.Near(what+": mean total", total.Value, stats.Mean(x.totals))
	c.Equal(what+": accepted answers", x.accepted, accepted.Count)
	rate := math.NaN()
	if x.judged > 0 {
		rate = x.rates / float64(x.judged)
	}
	c.Near(what+": share of test cases passed", passed.Value, rate)
}

func checkScores(c *report.Check, r *Report, table report.Rows) {
	sums, counts := map[string]float64{}, map[string]int{}
	for row := range table {
		if row.Is("analysed") {
			sums[row.Text("attribute")] += row.Number("score")
			counts[row.Text("attribute")]++
		}
	}
	for _, a := range r.Ratings.Attributes {
		id := report.CSVCell(a.ID)
		c.Equal("ratings of "+a.Name, counts[id], a.Mean.N)
		if a.Mean.N > 0 {
			c.Near("mean of "+a.Name, a.Mean.Value, sums[id]/float64(counts[id]))
		}
	}
}
