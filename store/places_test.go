package store

import (
	"slices"
	"testing"

	"assay/session/study"
)

// Places in a study depend only on its sessions, not on those of other studies.
func TestPlaces(t *testing.T) {
	row := func(id string, status Status, tester, part int, name string, seated bool) Summary {
		return Summary{ID: id, Status: status, Tester: name, Study: &Place{Hash: "h", Tester: tester, Part: part, Seated: seated}}
	}
	other := row("X", StatusOpen, 2, 3, "ann", true)
	other.Study.Hash = "other"
	rows := []Summary{
		row("A", StatusFinished, 1, 1, "ann", true), row("B", StatusPaused, 1, 2, "ann", true),
		row("C", StatusAbandoned, 2, 1, "ben", true), row("D", StatusWithdrawn, 3, 1, "", false), row("E", StatusOpen, 4, 1, "eve", false),
		other, {ID: "F", Tester: "ann"},
	}
	for tester, want := range map[int]Standing{
		1: {Part: 3, Open: "B", Name: "ann", Seated: true}, 2: {Part: 2, Name: "ben", Seated: true},
		3: {Part: 2}, 4: {Part: 2, Open: "E", Name: "eve"}, 5: {Part: 1},
	} {
		if got := StandingOf(rows, "h", tester); got != want {
			t.Errorf("tester %d stands at %+v, want %+v", tester, got, want)
		}
	}
	for name, want := range map[string]int{"ann": 1, "ben": 0, "eve": 0, "": 0, "cleo": 0} {
		if got := NumberOf(rows, "h", name, true); got != want {
			t.Errorf("%q has the seat %d, want %d", name, got, want)
		}
	}
	want := []study.Taken{{Tester: 1}, {Tester: 2, Lost: true}, {Tester: 3, Lost: true}, {Tester: 4}}
	if got := TakenSeats(rows, "h"); !slices.Equal(got, want) {
		t.Errorf("taken are %+v, want %+v", got, want)
	}
}

func TestStayBlind(t *testing.T) {
	rows := []Summary{{ID: "A", Study: &Place{Hash: "h", Blind: true}}, {ID: "B", Study: &Place{Hash: "g"}}, {ID: "C"}}
	for _, row := range []struct {
		ids       []string
		unblinded []study.Unblinding
		want      bool
	}{
		{[]string{"A", "B"}, nil, true}, {[]string{"B", "C"}, nil, false}, {nil, nil, false},
		{[]string{"A"}, []study.Unblinding{{Hash: "h"}}, false}, {[]string{"A"}, []study.Unblinding{{Hash: "g"}}, true},
	} {
		if got := StayBlind(rows, row.unblinded, row.ids); got != row.want {
			t.Errorf("%v, unblinded %v: %v", row.ids, row.unblinded, got)
		}
	}
}
