package store

import (
	"testing"

	"assay/session"
)

// TestResultsLater: the results of a tester's session stay hidden until the tester's last one has ended, whatever
// other testers did.
func TestResultsLater(t *testing.T) {
	row := func(id string, tester int, later bool, status Status) Summary {
		return Summary{ID: id, Status: status, Study: &session.Place{Hash: "h", Tester: tester, Later: later}}
	}
	rows := []Summary{row("first", 1, true, StatusFinished), row("others", 2, false, StatusFinished)}
	last := row("last", 1, false, StatusOpen)
	for name, c := range map[string]struct {
		rows []Summary
		id   string
		want bool
	}{
		"before the last":      {rows, "first", true},
		"while the last goes":  {append(rows, last), "first", true},
		"when it is finished":  {append(rows, row("last", 1, false, StatusFinished)), "first", false},
		"the last itself":      {append(rows, last), "last", false},
		"of no study":          {append(rows, Summary{ID: "free"}), "free", false},
		"a session of another": {rows, "others", false},
	} {
		if got := ResultsLater(c.rows, c.id); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
