package sessions

import (
	"slices"

	"assay/session/report"
	doc "assay/session/report/document"
	"assay/session/report/figure"
)

// Participants says what became of the people. Each is counted once, by all of their sessions.
type Participants struct {
	Began     int `json:"began"`     // people with a session
	Withdrew  int `json:"withdrew"`  // whose data were taken out
	Left      int `json:"left"`      // who abandoned a session
	Working   int `json:"working"`   // with an open session
	Finished  int `json:"finished"`  // who finished every session that they began
	Consented int `json:"consented"` // whose sessions record a consent
	Analysed  int `json:"analysed"`  // with a result
}

// participantsOf counts the people of all sessions in which no program worked.
func participantsOf(sessions []Header, tester func(i int) int) Participants {
	type person struct{ withdrew, left, working, consented, analysed bool }
	people := map[int]*person{}
	for i, h := range sessions {
		if h.automatic() {
			continue
		}
		p := people[tester(i)]
		if p == nil {
			p = &person{}
			people[tester(i)] = p
		}
		p.withdrew = p.withdrew || h.Status == "withdrawn"
		p.left = p.left || h.Status == "abandoned"
		p.working = p.working || h.Status == "open"
		p.consented = p.consented || h.Study.Consent != ""
		p.analysed = p.analysed || h.Counts.Analysed > 0
	}
	all := Participants{Began: len(people)}
	for _, p := range people {
		switch {
		case p.withdrew:
			all.Withdrew++
		case p.left:
			all.Left++
		case p.working:
			all.Working++
		default:
			all.Finished++
		}
		all.Consented += int(one(p.consented))
		all.Analysed += int(one(p.analysed))
	}
	return all
}

// flowFigure shows people and the tasks that they were given, step by step.
func (r *Report) flowFigure() figure.Mark {
	p, c := &r.People, &r.Counts
	left := func(name string, n int) figure.Value { return figure.Value{Name: name, Value: float64(n)} }
	f := figure.Flow{About: r.about("What became of participants and tasks", p.Began, "")}
	f.Of = "testers"
	f.Stages = append(f.Stages, figure.Stage{Name: "testers who began", N: p.Began, Left: []figure.Value{left("withdrew, their data are out", p.Withdrew), left("abandoned a session", p.Left), left("still at work", p.Working)}},
		figure.Stage{Name: "testers who finished what they began", N: p.Finished},
		figure.Stage{Name: "tasks given to all testers", N: c.Planned, Left: []figure.Value{left("practice", c.Practice), left("of testers who withdrew", c.Withdrawn), left("skipped", c.Skipped), left("unfinished", c.Unfinished), left("not opened", c.NotOpened)}},
		figure.Stage{Name: "results", N: c.Analysed})
	return f
}

// people says what became of them.
func (w *writer) people(s *doc.Section) {
	p := &w.People
	if p.Began < 2 {
		return
	}
	said := doc.Item("Testers who began: ", w.d.Count(&p.Began), "; who finished every session that they began: ", w.d.Count(&p.Finished), "; with a result: ", w.d.Count(&p.Analysed), ".")
	if slices.ContainsFunc(w.Sessions, func(h Header) bool { return h.Study.Consent != "" }) {
		said = append(said, " A consent is recorded of ", w.d.Count(&p.Consented), ".")
	}
	s.Text(said...)
}

// checkPeople checks that each person is counted once, and none beyond those who began.
func checkPeople(r *Report, c *report.Check) {
	p := &r.People
	c.Equal("people by what became of them", p.Withdrew+p.Left+p.Working+p.Finished, p.Began)
	c.Compared++
	if p.Analysed > p.Began || p.Consented > p.Began {
		c.Fault("of %d people %d have results and %d consented", p.Began, p.Analysed, p.Consented)
	}
}
