package study

import (
	"slices"
	"testing"
	"time"

	"assay/data/fatal"
)

// Places are told by what their sessions are, and the arms by what was begun.
func TestPlaces(t *testing.T) {
	s, err := Parse("study.toml", Example())
	fatal.If(t, err)
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	day := 24 * time.Hour
	session := func(place, part int, tester, status string, ago time.Duration, flags ...string) Progress {
		return Progress{Session: tester + status, Tester: tester, Number: place, Part: part, Status: status, Done: 2, Tasks: 3, Last: now.Add(-ago), Flags: flags}
	}
	places, arms := s.Places("hash", []Progress{
		session(1, 1, "ann", "finished", 9*day), session(1, 2, "ann", "finished", 8*day, "a flag"),
		session(2, 1, "bob", "finished", 5*day),
		session(3, 1, "cyd", "open", day),
		session(4, 1, "dan", "abandoned", 9*day),
		session(12, 1, "eve", "open", day), session(12, 1, "fay", "open", 2*day),
	}, now.Add(-3*day))
	var status []string
	for _, p := range places {
		said := p.Status
		if p.Late {
			said += ", late"
		}
		status = append(status, said)
	}
	if want := []string{"done", "in progress, late", "in progress", "left", "not begun", "not begun", "not begun", "not begun", "in progress"}; !slices.Equal(status, want) {
		t.Errorf("%q, want %q", status, want)
	}
	if last := places[8]; last.Tester != 12 || !slices.Equal(last.People, []string{"eve", "fay"}) || !last.Last.Equal(now.Add(-day)) || len(last.Sessions) != 3 {
		t.Errorf("%+v", last)
	}
	if places[0].Flags != 1 || places[0].Code != Code("hash", 1) || places[4].Last != nil {
		t.Errorf("%+v, %+v", places[0], places[4])
	}
	planned, begun, finished := 0, 0, 0
	for _, a := range arms {
		planned, begun, finished = planned+a.Planned, begun+a.Begun, finished+a.Finished
		if a.Planned != s.Design.Testers {
			t.Errorf("%+v: every tester works with every arm", a)
		}
	}
	if planned != 16 || begun != 7 || finished != 3 {
		t.Errorf("%d planned, %d begun, %d finished", planned, begun, finished)
	}
}
