package report

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"

	"assay/scoring/stats"
)

// Row is one row of a table by the names of its columns.
type Row struct {
	at    map[string]int
	cells []string
}

// Text is a cell as it stands, "" where there is none.
func (r Row) Text(name string) string {
	i, known := r.at[name]
	if !known || i >= len(r.cells) {
		return ""
	}
	return r.cells[i]
}

// Number is a cell's, NaN where the cell is empty or none.
func (r Row) Number(name string) float64 {
	v, err := strconv.ParseFloat(r.Text(name), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Is says whether a boolean cell is true.
func (r Row) Is(name string) bool { return r.Text(name) == "1" }

// Rows are a table's.
type Rows iter.Seq[Row]

// Named are the rows of a table by the names of its columns.
func (t Table) Named() Rows {
	at := map[string]int{}
	for i, c := range t.Columns {
		at[c.Name] = i
	}
	return func(yield func(Row) bool) {
		for cells := range t.Rows {
			if !yield(Row{at, cells}) {
				return
			}
		}
	}
}

// checkAccounts compares the counts with the rows of the tables: nothing that was
// left out, interrupted or dropped may be missing from one of them.
func checkAccounts(r *Report, tables map[string]Rows) *Check {
	c := NewCheck("Everything left out is accounted for")
	per := map[string]*Counts{}
	known := map[string]bool{}
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
	for _, h := range r.Sessions {
		c.Compared++
		id := CSVCell(h.ID) // as the tables have it
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
	judged, unjudged, truncated := 0, 0, 0
	for row := range tables["attempts"] {
		switch row.Text("finish_reason") {
		case "length", "content_filter", "refusal":
			truncated++
		}
		switch {
		case row.Text("decision") == "":
			unjudged++
		case row.Is("analysed"):
			judged++
		}
	}
	c.Equal("judged attempts of analysed tasks", judged, r.Events.Judged)
	withdrawn := false
	failures, broken := 0, 0
	for _, h := range r.Sessions {
		failures, broken = failures+h.Failures, broken+h.Interruptions
		withdrawn = withdrawn || h.Status == "withdrawn"
	}
	if !withdrawn {
		c.Equal("attempts without a judgement", unjudged, r.Events.Unjudged)
		c.Equal("truncated answers", truncated, r.Events.Truncated)
	}
	c.Equal("provider errors", failures, r.Events.Failures)
	c.Equal("interrupted answers", broken, r.Events.Interruptions)
	reflected := 0
	for row := range tables["attempts"] {
		if row.Text("reflection") != "" {
			reflected++
		}
	}
	if !withdrawn {
		c.Equal("reflections", reflected, r.Events.Reflections)
	}
	return c
}

func (n *Counts) tally(row Row) {
	n.Planned++
	switch outcome := row.Text("outcome"); {
	case row.Is("practice"):
		n.Practice++
		return
	case outcome == "satisfied":
		n.Satisfied++
	case outcome == "gave_up":
		n.GaveUp++
	case outcome == "exhausted":
		n.Exhausted++
	case outcome == "skipped":
		n.Skipped++
	case row.Text("attempts") != "":
		n.Unfinished++
	default:
		n.NotOpened++
	}
	n.Analysed = n.Satisfied + n.GaveUp + n.Exhausted
}

// recomputed are the sums of some tasks in the table.
type recomputed struct {
	n, satisfied, accepted, judged int
	attempts, totals, seconds      []float64
	rates                          float64
}

func (x *recomputed) add(row Row) {
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

// checkResults works the results out again from the tables.
func checkResults(r *Report, tables map[string]Rows) *Check {
	c := NewCheck("Results computed again from the tables")
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
	c.results("all", all, r.Tries.Mean, r.Tries.Success, r.Times.Completion.Mean, r.Ratings.Total.Mean, r.Tests.PassRate, r.Tests.Accepted)
	c.Near("median completion time", r.Times.Completion.Median, stats.Median(all.seconds))
	c.Near("SD of attempts", r.Tries.SD, stats.SD(all.attempts))
	for _, s := range r.Slices {
		if by[s.By] == nil {
			continue
		}
		c.Equal("groups by "+s.By, len(s.Cells), len(by[s.By]))
		for _, cell := range s.Cells {
			x := by[s.By][CSVCell(cell.Value)]
			if x == nil {
				c.Fault("%s %q is not in the table of tasks", s.By, cell.Value)
				continue
			}
			c.results(fmt.Sprintf("%s %q", s.By, cell.Value), x, cell.Attempts, cell.Satisfied, cell.Completion, cell.Total, cell.PassRate, cell.Accepted)
		}
	}
	c.ratings(r, tables["ratings"])
	return c
}

func (c *Check) results(what string, x *recomputed, attempts Estimate, satisfied Share, completion, total, passed Estimate, accepted Share) {
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

func (c *Check) ratings(r *Report, table Rows) {
	sums, counts := map[string]float64{}, map[string]int{}
	for row := range table {
		if row.Is("analysed") {
			sums[row.Text("attribute")] += row.Number("score")
			counts[row.Text("attribute")]++
		}
	}
	for _, a := range r.Ratings.Attributes {
		id := CSVCell(a.ID)
		c.Equal("ratings of "+a.Name, counts[id], a.Mean.N)
		if a.Mean.N > 0 {
			c.Near("mean of "+a.Name, a.Mean.Value, sums[id]/float64(counts[id]))
		}
	}
}
