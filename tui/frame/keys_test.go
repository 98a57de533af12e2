package frame_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// A press does what its row says, or says why not; a row that is left out, or that has no
// action, leaves the press to others.
func TestPressed(t *testing.T) {
	did, points, empty, gone := "", 3, false, false
	table := []frame.Key{
		{Press: "?", Does: "help", Help: true},
		{Press: "1-9", Does: "rate", Run: func(press string) tea.Cmd { did = "rate " + press; return nil }, Fit: func(k *frame.Key) {
			if k.Press = "1-3"; points == 0 {
				k.Why = "there is no scale"
			}
		}},
		{Press: "u", Does: "undo", Do: frame.Only(func() { did = "undo" }), Not: func() string {
			if empty {
				return "nothing was done"
			}
			return ""
		}},
		{Press: "x", Does: "leave out", Do: frame.Only(func() { did = "x" }), Fit: func(k *frame.Key) {
			if gone {
				k.Press = ""
			}
		}},
	}
	for _, c := range []struct {
		press, did, why string
		taken           bool
		set             func()
	}{
		{press: "2", did: "rate 2", taken: true},
		{press: "8", did: "rate 8", taken: true}, // the screen says that the scale ends before
		{press: "2", why: "not now: there is no scale", taken: true, set: func() { points = 0 }},
		{press: "u", did: "undo", taken: true},
		{press: "u", why: "not now: nothing was done", taken: true, set: func() { empty = true }},
		{press: "x", did: "x", taken: true},
		{press: "x", set: func() { gone = true }},
		{press: "?"},
		{press: "z"},
	} {
		if did = ""; c.set != nil {
			c.set()
		}
		if _, why, taken := frame.Pressed(table, c.press); did != c.did || why != c.why || taken != c.taken {
			t.Errorf("%s: did %q, why %q, taken %v; want %q, %q, %v", c.press, did, why, taken, c.did, c.why, c.taken)
		}
	}
	now := frame.Now(table)
	if len(now) != 3 || now[1].Press != "1-3" || now[1].Why != "there is no scale" || now[2].Why != "nothing was done" {
		t.Errorf("the legend is %+v", now)
	}
}

// Merged has every key once, with all that it does in several tables.
func TestMerged(t *testing.T) {
	got := frame.Merged([]frame.Key{{Press: "enter", Does: "open"}, {Press: "↑↓", Does: "choose"}, frame.HelpKey},
		[]frame.Key{{Press: "enter", Does: "keep"}, {Press: "↑", Does: "choose"}})
	want := [][2]string{{"enter", "open; keep"}, {"↑", "choose"}, {"↓", "choose"}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		if got[i].Press != w[0] || got[i].Does != w[1] {
			t.Errorf("%d: %q %q, want %q", i, got[i].Press, got[i].Does, w)
		}
	}
}

// A list goes on from one on and begins again at the top.
func TestNext(t *testing.T) {
	is := func(wanted int) func(int) bool { return func(i int) bool { return i == wanted } }
	if a, b, c, d := frame.Next(4, 3, is(1)), frame.Next(4, 1, is(1)), frame.Next(4, 9, is(0)), frame.Next(0, 0, is(0)); a != 1 || b != 1 || c != 0 || d != -1 {
		t.Error(a, b, c, d)
	}
}
