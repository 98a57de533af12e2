package sessions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/session"
	"assay/session/report"
)

// told is a session of a random history, with the pseudonym that its tombstone does not tell.
type told struct {
	session.Summary
	consented bool
	same      []string // of a tombstone
}

// history returns the sessions of a study after random steps of its testers and its owner.
func history(rng *rand.Rand) []told {
	var all []told
	find := func(fits func(told) bool) *told {
		for _, i := range rng.Perm(len(all)) {
			if fits(all[i]) {
				return &all[i]
			}
		}
		return nil
	}
	name := func() string { return string(rune('a' + rng.IntN(5))) }
	begin := func(tester, part int, name string) {
		withdrawn, stays := false, false
		for _, x := range all {
			if x.Study.Tester != tester || x.Tester != name {
				continue
			}
			if x.Study.Part == part {
				return // a person does each session once
			}
			out := x.Status == session.StatusWithdrawn
			withdrawn, stays = withdrawn || out, stays || !out
		}
		if withdrawn && !stays {
			return // who comes back is a new person: nothing is known of the other
		}
		all = append(all, told{Summary: session.Summary{
			ID: fmt.Sprintf("%06d-%d", rng.IntN(1_000_000), len(all)), Tester: name, Status: session.StatusOpen,
			Study: &session.Place{Hash: "h", Tester: tester, Part: part},
		}, consented: rng.IntN(4) > 0})
	}
	for range rng.IntN(25) {
		switch rng.IntN(7) {
		case 0, 1: // joins a place, also somebody else's: by a code, a packed file or a file collected
			begin(1+rng.IntN(4), 1+rng.IntN(2), name())
		case 2: // goes on
			if x := find(func(told) bool { return true }); x != nil && x.Status == session.StatusFinished {
				begin(x.Study.Tester, x.Study.Part+1, x.Tester)
			}
		case 3, 4:
			if x := find(told.Open); x != nil && x.consented {
				x.Status = session.StatusFinished
			}
		case 5: // leaves, or the owner closes the session
			if x := find(told.Open); x != nil {
				x.Status = session.StatusAbandoned
			}
		case 6: // as the owner is told to, where two hold a place
			x := find(func(x told) bool { return x.Status != session.StatusWithdrawn })
			if x == nil {
				continue
			}
			for _, o := range all {
				if o.Status != session.StatusWithdrawn && o.SameTester(x.Summary) {
					x.same = append(x.same, o.ID)
				}
			}
			x.Status = session.StatusWithdrawn
		}
	}
	return all
}

// peopleTold returns the people of a history, by their names, and of those with data whether they have a result.
func peopleTold(all []told) Participants {
	people, p := map[string][]told{}, Participants{Reasons: []report.Count{}}
	for _, x := range all {
		who := fmt.Sprint(x.Study.Tester, x.Tester)
		people[who] = append(people[who], x)
	}
	for _, sessions := range people {
		p.Began++
		sessions = slices.DeleteFunc(sessions, func(x told) bool { return x.Status == session.StatusWithdrawn })
		is := func(status session.Status) bool {
			return slices.ContainsFunc(sessions, func(x told) bool { return x.Status == status })
		}
		agreed := slices.ContainsFunc(sessions, func(x told) bool { return x.consented })
		if len(sessions) == 0 {
			p.Withdrew++
			continue
		}
		p.Asked++
		if agreed {
			p.Consented++
		}
		switch {
		case !agreed:
		case is(session.StatusAbandoned):
			p.Left++
		case is(session.StatusOpen):
			p.Working++
		default:
			p.Finished++
		}
		if is(session.StatusFinished) {
			p.Analysed++
		}
	}
	return p
}

// foldedHistory folds the sessions of a history, in any order.
func foldedHistory(rng *rand.Rand, all []told) []folded {
	var logs []folded
	for _, i := range rng.Perm(len(all)) {
		x := all[i]
		s := &session.State{Session: x.ID, Plan: session.Plan{Tester: x.Tester, Study: &session.InStudy{
			Name: "s", Hash: "h", Tester: x.Study.Tester, Part: x.Study.Part, ConsentVersion: "1",
		}}}
		if !x.Open() {
			s.Closed = string(x.Status)
		}
		if x.consented {
			s.Consented = "1"
		}
		f := folded{state: s}
		if x.Status == session.StatusFinished {
			f.header.Counts.Analysed = 1
		}
		if x.Status == session.StatusWithdrawn {
			s.Plan.Tester, s.Consented, s.Same = "", "", x.same
		}
		analysed := f.header.Counts
		f.header = header(s)
		f.header.Counts = analysed
		logs = append(logs, f)
	}
	return logs
}

// Whatever testers and the owner do, each person is counted once and by their own sessions, and nobody is
// counted as withdrawn because another had their place.
func TestPeopleOfRandomHistories(t *testing.T) {
	for seed := range uint64(10_000) {
		rng := rand.New(rand.NewPCG(seed, 56))
		all := history(rng)
		want := peopleTold(all)
		logs := foldedHistory(rng, all)
		r := &Report{Testers: numberTesters(logs)}
		r.People = participantsOf(logs, nil)
		for i := range logs {
			r.Sessions = append(r.Sessions, logs[i].header)
		}
		got := r.People
		got.Reasons = want.Reasons
		c := report.NewCheck("people")
		checkPeople(r, c, participantsTable(logs, nil).Named())
		if fmt.Sprint(got) != fmt.Sprint(want) || len(c.Faults) > 0 {
			t.Fatalf("seed %d: %+v\ngot  %+v\nwant %+v\n%v", seed, all, got, want, c.Faults)
		}
	}
}

// Tombstones of earlier versions list no sessions: one is of whoever else has its place, but not of who did
// that session themselves.
func TestTombstonesWithoutSessions(t *testing.T) {
	at := func(part int, name string) folded {
		s := &session.State{Session: fmt.Sprint(part, name), Plan: session.Plan{Tester: name, Study: &session.InStudy{Name: "s", Hash: "h", Tester: 1, Part: part}}}
		if name == "" {
			s.Closed = "withdrawn"
		}
		return folded{state: s, header: header(s)}
	}
	for _, c := range []struct {
		what            string
		logs            []folded
		began, withdrew int
	}{
		{"one session is out", []folded{at(1, "gus"), at(2, "")}, 1, 0},
		{"another's session is out", []folded{at(1, ""), at(1, "ann"), at(2, "ann")}, 2, 1},
		{"both of another's are out", []folded{at(1, ""), at(2, ""), at(1, "ann")}, 2, 1},
		{"all are out", []folded{at(1, ""), at(2, ""), at(1, "")}, 2, 2},
	} {
		numberTesters(c.logs)
		if p := participantsOf(c.logs, nil); p.Began != c.began || p.Withdrew != c.withdrew {
			t.Errorf("%s: %+v", c.what, p)
		}
	}
}
