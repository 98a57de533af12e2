package viewer

import (
	"testing"

	"assay/session"
)

// By rows and by pages, what is chosen among the tests is in view, or as much of it as fits.
func TestChosenTestIsInView(t *testing.T) {
	s := &sheet{rows: make([]string, 100)}
	for i := range 20 {
		s.spots = append(s.spots, spot{item: item{caseItem, i + 1}, row: 5 * i, rows: 5})
	}
	m := New(nil, session.New(), Options{})
	for _, step := range []struct {
		press       string
		to, n, seen int // the first row that is asked for, the test that is chosen, the first row then
	}{
		{"down", 1, 2, 0}, {"pgdown", 20, 5, 20}, {"pgdown", 42, 10, 42}, {"up", 41, 9, 40}, {"up", 39, 8, 35},
		{"end", 80, 20, 80}, {"pgup", 61, 14, 61}, {"home", 0, 1, 0},
	} {
		if !m.moveCursor(s, step.press, step.to, 20) || m.review.chosen != (item{caseItem, step.n}) || m.top(s, 20) != step.seen {
			t.Errorf("%s: test %d is chosen, from row %d on; want %+v", step.press, m.review.chosen.n, m.top(s, 20), step)
		}
	}
	if m.moveCursor(s, "up", 0, 20) {
		t.Error("there is a test before the first")
	}
}
