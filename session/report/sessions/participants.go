package sessions

import (
	"cmp"
	"slices"
	"strings"

	"assay/session"
	"assay/session/report"
	doc "assay/session/report/document"
	"assay/session/report/figure"
)

// Participants counts people by their status. Each is counted once, with all of their sessions.
type Participants struct {
	Places    int `json:"places"`           // of the study's plan; 0: the report was made without the study's file
	Waiting   int `json:"not_begun"`        // places that somebody has who has not begun
	Began     int `json:"began"`            // people with a session
	Withdrew  int `json:"withdrew"`         // whose data were all taken out
	Asked     int `json:"asked_to_consent"` // of those who did not withdraw
	Consented int `json:"consented"`        // of them those who agreed
	Left      int `json:"left"`             // who abandoned a session
	Working   int `json:"working"`          // with an open session
	Finished  int `json:"finished"`         // who finished every session that they began and did not withdraw
	Analysed  int `json:"analysed"`         // with a result

	Reasons []report.Count `json:"left_because"` // why people left
}

// person is a person with all of their sessions.
type person struct {
	number   int
	sessions []*folded

	stayed, working, asked, agreed bool   // by the sessions that were not withdrawn
	left                           string // why; "": they did not
	analysed                       int    // tasks
}

// peopleOf returns the people of all sessions in which no program worked, by number.
func peopleOf(logs []folded) []person {
	var all []person
	for i := range logs {
		f := &logs[i]
		if f.header.automatic() {
			continue
		}
		at := slices.IndexFunc(all, func(p person) bool { return p.number == f.header.Participant })
		if at < 0 {
			at = len(all)
			all = append(all, person{number: f.header.Participant})
		}
		p := &all[at]
		p.sessions = append(p.sessions, f)
		if f.withdrawn() {
			continue
		}
		p.stayed = true
		p.left = cmp.Or(p.left, f.leftBecause())
		p.working = p.working || f.header.Status == "open"
		p.asked = p.asked || f.state.Plan.Study != nil && f.state.Plan.Study.ConsentVersion != ""
		p.agreed = p.agreed || f.header.Study.Consent != ""
		p.analysed += f.header.Counts.Analysed
	}
	slices.SortFunc(all, func(a, b person) int { return a.number - b.number })
	return all
}

// leftBecause returns why the session was abandoned, "" if it was not.
func (f *folded) leftBecause() string {
	if f.header.Status != "abandoned" {
		return ""
	}
	for _, flag := range f.header.Flags {
		if _, reason, closed := strings.Cut(flag, session.ClosedByOwner); closed {
			return reason
		}
	}
	return "abandoned a session"
}

// status returns the status of a person.
func (p *person) status() string {
	switch {
	case !p.stayed:
		return "withdrawn"
	case p.asked && !p.agreed:
		return "not consented"
	case p.left != "":
		return "abandoned"
	case p.working:
		return "open"
	}
	return "finished"
}

func participantsOf(logs []folded, files *StudyFiles) Participants {
	people := peopleOf(logs)
	all := Participants{Began: len(people), Reasons: []report.Count{}}
	if files != nil {
		all.Places, all.Waiting = files.Places, files.Waiting
	}
	for i := range people {
		p := &people[i]
		switch p.status() {
		case "withdrawn":
			all.Withdrew++
		case "abandoned":
			all.Left++
			at := slices.IndexFunc(all.Reasons, func(c report.Count) bool { return c.Name == p.left })
			if at < 0 {
				at = len(all.Reasons)
				all.Reasons = append(all.Reasons, report.Count{Name: p.left})
			}
			all.Reasons[at].Count++
		case "open":
			all.Working++
		case "finished":
			all.Finished++
		}
		all.Analysed += int(one(p.analysed > 0))
		all.Asked += int(one(p.asked))
		all.Consented += int(one(p.asked && p.agreed))
	}
	return all
}

// invited returns the number of people who have begun or have a place.
func (p *Participants) invited() int { return p.Began + p.Waiting }

// unused returns the number of places of the study's plan that nobody has.
func (r *Report) unused() int {
	taken := map[int]bool{}
	for _, h := range r.Sessions {
		if h.Study.Tester > 0 && h.Study.Tester <= r.People.Places {
			taken[h.Study.Tester] = true
		}
	}
	return max(0, r.People.Places-len(taken)-r.People.Waiting)
}

// declined returns the number of people who did not give their consent.
func (p *Participants) declined() int { return p.Asked - p.Consented }

// flowFigure draws the flow of people and of their tasks, step by step.
func (r *Report) flowFigure() figure.Mark {
	p, c := &r.People, &r.Counts
	left := func(name string, n int) figure.Value { return figure.Value{Name: name, Value: float64(n)} }
	f := figure.Flow{About: r.about("What became of participants and tasks", p.Began, "")}
	f.Of = "testers"
	step := func(name string, n int, left ...figure.Value) {
		f.Stages = append(f.Stages, figure.Stage{Name: name, N: n, Left: left})
	}
	if p.Places > 0 {
		invited := "testers who were invited"
		if p.invited() > p.Places-r.unused() {
			invited += ", some in the place of others"
		}
		step("places of the study's plan", p.Places, left("nobody was invited", r.unused()))
		step(invited, p.invited(), left("have not begun", p.Waiting))
	}
	var unfinished []figure.Value
	for _, reason := range p.Reasons {
		unfinished = append(unfinished, left(reason.Name, reason.Count))
	}
	unfinished = append(unfinished, left("still at work", p.Working))
	if p.Asked > 0 {
		step("testers who began", p.Began, left("withdrew, their data are out", p.Withdrew), left("did not consent", p.declined()))
		step("testers who take part", p.Began-p.Withdrew-p.declined(), unfinished...)
	} else {
		step("testers who began", p.Began, append([]figure.Value{left("withdrew, their data are out", p.Withdrew)}, unfinished...)...)
	}
	step("testers who finished what they began", p.Finished)
	step("tasks given to all testers", c.Planned, left("practice", c.Practice), left("of testers who withdrew", c.Withdrawn), left("skipped", c.Skipped), left("unfinished", c.Unfinished), left("not opened", c.NotOpened))
	step("results", c.Analysed)
	return f
}

// people writes the section on participants.
func (w *writer) people(s *doc.Section) {
	p := &w.People
	if p.Began < 2 {
		return
	}
	said := doc.Item("Testers who began: ", w.d.Count(&p.Began), "; who finished every session that they began: ", w.d.Count(&p.Finished), "; with a result: ", w.d.Count(&p.Analysed), ".")
	if w.Layout > 3 && p.Began == p.Finished && p.Began == p.Analysed {
		said = doc.Item("All ", w.d.Count(&p.Began), " testers who began finished every session that they began, and have a result.")
	}
	if p.Asked > 0 {
		said = append(said, " Of ", w.d.Count(&p.Asked), " who were asked for consent, ", w.d.Count(&p.Consented), " gave it.")
	}
	s.Text(said...)
}

// checkPeople checks that each person is counted once, and none beyond those who began, and
// compares the counts with the sessions and with the table of participants.
func checkPeople(r *Report, c *report.Check, table report.Rows) {
	p := &r.People
	began, stayed, analysed, program := map[int]bool{}, map[int]bool{}, map[int]bool{}, 0
	for _, h := range r.Sessions {
		switch {
		case !h.automatic():
			began[h.Participant] = true
			stayed[h.Participant] = stayed[h.Participant] || h.Status != "withdrawn"
			analysed[h.Participant] = analysed[h.Participant] || h.Counts.Analysed > 0
		case h.Status != "withdrawn":
			program = 1
		}
	}
	count := func(people map[int]bool) (n int) {
		for _, is := range people {
			n += int(one(is))
		}
		return n
	}
	// Not counted as compared, so that a report of an earlier version is made again as it was.
	if b, w, a := len(began), len(began)-count(stayed), count(analysed); b != p.Began || w != p.Withdrew || a != p.Analysed || r.Testers != b-w+program {
		c.Fault("by the sessions, %d people began, %d withdrew and %d have results, not %d, %d and %d; %d testers", b, w, a, p.Began, p.Withdrew, p.Analysed, r.Testers)
	}
	c.Equal("people by what became of them", p.Withdrew+p.declined()+p.Left+p.Working+p.Finished, p.Began)
	c.Equal("people who left, by reason", sumOfCounts(p.Reasons), p.Left)
	c.Compared++
	if stayed := p.Began - p.Withdrew; p.Analysed > stayed || p.Consented > p.Asked || p.Asked > stayed {
		c.Fault("of %d people with data, %d have results, and %d of %d consented", stayed, p.Analysed, p.Consented, p.Asked)
	}
	rows := Participants{}
	for row := range table {
		rows.Began++
		rows.Analysed += int(one(row.Number("tasks_analysed") > 0))
		if row.Text("status") != "withdrawn" {
			rows.Asked += int(one(row.Text("consent") != ""))
			rows.Consented += int(one(row.Text("consent") == "given"))
		}
		switch row.Text("status") {
		case "withdrawn":
			rows.Withdrew++
		case "abandoned":
			rows.Left++
		case "open":
			rows.Working++
		case "finished":
			rows.Finished++
		}
	}
	c.Equal("people who did not withdraw", rows.Began-rows.Withdrew, p.Began-p.Withdrew)
	for _, x := range []struct {
		what      string
		got, want int
	}{
		{"with a result", rows.Analysed, p.Analysed}, {"asked for consent", rows.Asked, p.Asked}, {"who consented", rows.Consented, p.Consented},
		{"who left", rows.Left, p.Left}, {"at work", rows.Working, p.Working}, {"who finished", rows.Finished, p.Finished},
	} {
		c.Equal("people "+x.what, x.got, x.want)
	}
}

// participantsTable has one row for each person who did not withdraw everything, with the answers to the survey.
func participantsTable(logs []folded, asked []Asked) report.Table {
	rows := func(yield func(person) bool) {
		for _, p := range peopleOf(logs) {
			p.sessions = slices.DeleteFunc(p.sessions, (*folded).withdrawn)
			if len(p.sessions) > 0 && !yield(p) {
				return
			}
		}
	}
	word := report.Text[person]
	first := func(p person) *folded { return p.sessions[0] }
	columns := []report.ColumnOf[person]{
		report.Integer("participant", "", "number of the person in this report, as in the table of sessions", func(p person) (int64, bool) { return int64(p.number), true }),
		word("tester", "pseudonym of the person", func(p person) string { return first(p).header.Tester }),
		word("study", "name of the study; empty for a person in none", func(p person) string { return first(p).header.Study.Name }),
		report.Integer("study_tester", "", "number of the person's place in the study's plan", func(p person) (int64, bool) {
			return int64(first(p).header.Study.Tester), first(p).header.Study.Name != ""
		}),
		word("arms", "arms of the study in the order worked, with semicolons between them", func(p person) string {
			var arms []string
			for _, f := range p.sessions {
				if arm := f.header.Study.Arm; arm != "" && !slices.Contains(arms, arm) {
					arms = append(arms, arm)
				}
			}
			return strings.Join(arms, "; ")
		}),
		report.Integer("sessions", "", "sessions of the person, without withdrawn ones", func(p person) (int64, bool) { return int64(len(p.sessions)), true }),
		word("status", "what became of the person, by all sessions that they began", func(p person) string { return p.status() }).OneOf("finished", "open", "abandoned", "not consented", "withdrawn"),
		word("consent", "whether the person agreed to what the study asks; empty where it asks nothing", func(p person) string {
			switch {
			case !p.asked:
				return ""
			case p.agreed:
				return "given"
			}
			return "not given"
		}).OneOf("given", "not given"),
		report.Integer("tasks_analysed", "", "tasks of the person that enter the results", func(p person) (int64, bool) { return int64(p.analysed), true }),
	}
	for i, name := range surveyColumns(asked) {
		a := &asked[i]
		columns = append(columns, word(name, "answer to: "+a.Text, func(p person) string { return a.answers[first(p).tester] }).OneOf(a.choices...))
	}
	return report.TableOf("participants", "One row for each person whose data were not all withdrawn, with their answers to the exit survey", columns, rows)
}
