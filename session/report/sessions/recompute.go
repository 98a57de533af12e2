package sessions

import (
	"fmt"
	"maps"
	"slices"

	"assay/scoring/stats"
	"assay/session"
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
	checkTokens(r, c, tables)
	checkPeople(r, c, tables["participants"])
	checkSurvey(r, c, tables["participants"])
	checkMerge(r, c, tables["tasks"])
	checkChoices(r, c, tables["choices"])
	checkArena(r, c, tables["picks"])
	judged, unjudged, truncated, cut := 0, 0, 0, 0
	for row := range tables["attempts"] {
		if a := (session.AnswerReceived{FinishReason: row.Text("finish_reason")}); a.Truncated() != "" {
			truncated++
		}
		if row.Is("prompt_cut") {
			cut++
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
		if cut+r.Events.Cut > 0 {
			c.Equal("cut prompts", cut, r.Events.Cut)
		}
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

// recomputed are tasks in the table, with the values of each measure.
type recomputed struct {
	n      int
	values map[string][]float64
}

func (x *recomputed) add(row report.Row) {
	x.n++
	for _, m := range measuresOf(1, 0, nil) {
		if m.read == nil {
			continue
		}
		if v, known := m.read(row); known {
			x.values[m.id] = append(x.values[m.id], v)
		}
	}
}

// check compares the measures of a group.
func (x *recomputed) check(c *report.Check, what string, s *Slice) {
	c.Equal(what+": tasks", x.n, s.Attempts.N)
	for _, m := range measuresOf(1, 0, nil) {
		if m.read == nil {
			continue
		}
		if share, is := m.field(s).(*report.Share); is {
			c.Equal(what+": "+m.name, int(stats.Sum(x.values[m.id])), share.Count)
		} else {
			c.Near(what+": mean "+m.name, m.at(s).Value, stats.Mean(x.values[m.id]))
		}
	}
}

// checkResults recomputes the results from the tables.
func checkResults(r *Report, tables map[string]report.Rows) *report.Check {
	c := report.NewCheck("Results computed again from the tables")
	if !r.Pooled {
		return c
	}
	by := map[string]map[string]*recomputed{}
	for row := range tables["tasks"] {
		if !row.Is("analysed") {
			continue
		}
		for _, name := range []string{"", "difficulty", "type", "category", "set", "session"} {
			if by[name] == nil {
				by[name] = map[string]*recomputed{}
			}
			value := row.Text(name)
			if by[name][value] == nil {
				by[name][value] = &recomputed{values: map[string][]float64{}}
			}
			by[name][value].add(row)
		}
	}
	all := by[""][""]
	if all == nil {
		all = &recomputed{}
	}
	all.check(c, "all", r.whole())
	c.Near("median completion time", r.Times.Completion.Median, stats.Median(all.values["work"]))
	c.Near("SD of attempts", r.Tries.SD, stats.SD(all.values["attempts"]))
	for i := range r.Slices {
		s := &r.Slices[i]
		groups := by[s.By]
		if s.By == "tester" {
			continue // the table has sessions, not people
		}
		c.Equal("groups by "+s.By, len(s.Cells), len(groups))
		for j := range s.Cells {
			if x := groups[report.CSVCell(s.Cells[j].Value)]; x != nil {
				x.check(c, fmt.Sprintf("%s %q", s.By, s.Cells[j].Value), &s.Cells[j])
			} else {
				c.Fault("%s %q is not in the table of tasks", s.By, s.Cells[j].Value)
			}
		}
	}
	checkScores(c, r, tables["ratings"])
	return c
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
