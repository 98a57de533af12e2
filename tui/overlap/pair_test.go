package overlap_test

import (
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/scoring/pairs"
	"assay/session/overlap"
	"assay/tui"
	screen "assay/tui/overlap"
	"assay/tui/tuitest"
)

// outcomes are ann's judgements in the order of the work.
func outcomes(t *testing.T, path string) (list []pairs.Outcome) {
	t.Helper()
	s, err := overlap.Open(path)
	fatal.If(t, err)
	for _, e := range s.For("ann") {
		list = append(list, e.Form.Outcome)
	}
	return list
}

// A pair takes two keys. Nothing is preset, models are hidden, undo goes back to the pair, and another program goes on where
// this one ended.
func TestPairs(t *testing.T) {
	path := tuitest.Paired(t, 4)
	d := tuitest.Comparing(t, path, 120, 40).Sees("answer A", "answer B", "which is better?", "It adds the numbers", "0 of 4 judged", "[model] does it")
	for _, hidden := range []string{"alpha", "beta", "✓"} {
		if strings.Contains(d.Screen(), hidden) {
			t.Fatalf("%q is on the screen:\n%s", hidden, d.Screen())
		}
	}
	d.Press("enter").Sees("nothing is chosen for you", "1 of 4")
	d.Press("a").Sees("✓ A is better", "1 of 4 judged").Press("enter").Sees("2 of 4").Press("=").Sees("✓ equal").Press("enter", "0").Sees("✓ neither is usable", "3 of 4").Settled()
	d.Press("u").Sees("taken back", "2 of 4 judged").Press("u").Sees("on this pair", "2 of 4", "1 of 4 judged").Settled()
	d.Press("b", "f12", "both odd", "enter").Sees("✓ B is better · note: both odd").Settled()
	if got := outcomes(t, path); got[0] != "a" || got[1] != "b" || got[2] != "" {
		t.Errorf("%v", got)
	}
	d = tuitest.Comparing(t, copied(t, path), 120, 40).Sees("3 of 4", "2 of 4 judged")
	d.Press("a", "enter", "b", "enter").Sees("All are rated").Press("q").Ends()
}

// On a narrow screen one answer stands at a time, and a key shows the other one; each scrolls for itself.
func TestPairsOnNarrowScreens(t *testing.T) {
	for _, width := range []int{60, 80} {
		d := tuitest.Comparing(t, tuitest.Paired(t, 2), width, 24).Sees("answer A", "one of two").Lacks("answer B")
		d.Press("x").Sees("answer B").Lacks("answer A").Press("x").Sees("answer A").Press("t").Sees("not now: one answer stands here at a time")
		d.Press("6").Sees("to a number").Settled()
		d.Press("b").Sees("✓ B is better").Press("right").Sees("2 of 2", "answer A").Settled()
	}
}

// Side by side, both answers scroll together until they are told not to; words are searched for in both.
func TestPairsScroll(t *testing.T) {
	d := tuitest.Comparing(t, tuitest.Paired(t, 2), 120, 24).Press("x").Sees("not now: both answers stand here")
	both := strings.Count(d.Screen(), "[model] does it")
	d.Press("down", "down", "down", "down", "down", "down").Settled()
	if n := strings.Count(d.Screen(), "[model] does it"); both != 2 || n > 1 {
		t.Errorf("%d beginnings are shown at first, and %d after scrolling", both, n)
	}
	d.Press("t").Sees("scrolls").Press("x").Settled().Press("/", "adds", "enter").Settled().Press("esc").Sees("Which is better?").Press("a").Sees("✓ A is better").Settled()
}

// Where it is asked, how much better an answer is and in what are two more questions: each is answered by one key, none is
// preset, and undo takes back one answer at a time.
func TestReasonsForAPair(t *testing.T) {
	path := tuitest.Paired(t, 2, func(o *overlap.Setup) { o.HowMuch, o.Why = true, []string{"accuracy", "readability"} })
	d := tuitest.Comparing(t, path, 80, 24).Sees("which is better?").Press("3").Sees("changes").Press("1").Sees("[model] does it").Press("tab").Sees("first say which is better")
	d.Press("a").Sees("· A is better · how much?", "0 of 2 judged").Press("enter").Sees("A question is left")
	d.Press("2").Sees("A is better, clearly · in Accuracy?").Press("=").Sees("in Readability?").Press("b").Sees("✓ A is better, clearly · Accuracy = · Readability B", "1 of 2 judged").Settled()
	d.Press("u").Sees("in Readability?", "0 of 2 judged").Press("b").Settled()
	d.Press("tab").Sees("in Accuracy?").Press("a").Sees("✓ A is better, clearly · Accuracy A · Readability B").Settled()
	d.Press("b").Sees("B is better · how much?").Press("3", "enter").Sees("2 of 2").Press("0").Sees("neither is usable · in Accuracy?").Settled()
	s, err := overlap.Open(path)
	fatal.If(t, err)
	first, second := s.For("ann")[0].Form, s.For("ann")[1].Form
	if first.Outcome != pairs.B || first.Much != 3 || first.Why["accuracy"] != pairs.A || first.Why["readability"] != pairs.B || second.Outcome != pairs.Neither {
		t.Errorf("%+v %+v", first, second)
	}
}

// The third view marks where the code of both answers differs.
func TestDifferenceOfAPair(t *testing.T) {
	d := tuitest.Comparing(t, tuitest.Paired(t, 1), 80, 24).Press("3").Sees("answer B → answer A", "total = n + 1", "2 lines added, 1 deleted")
	d.Press("x", "3").Sees("answer A → answer B", "total = n + 1").Settled()
	tuitest.Comparing(t, tuitest.Paired(t, 1), 120, 40).Press("3").Sees("answer B → answer A", "answer A → answer B").Settled()
}

// Where the next pair is chosen by what was judged, it comes after enter, and the count is of the plan.
func TestNextPairOnTheScreen(t *testing.T) {
	path := tuitest.Paired(t, 4, func(o *overlap.Setup) { o.Next, o.PerRater = overlap.Uncertain, 3 })
	d := tuitest.Comparing(t, path, 120, 40).Sees("1 of 3", "0 of 3 judged").Press("enter").Sees("nothing is chosen for you")
	d.Press("a", "enter").Sees("2 of 3", "1 of 3 judged", "which is better?").Press("b", "enter", "=", "enter").Sees("All are rated", "3 of 3 judged").Settled()
	d.Press("u").Sees("taken back", "2 of 3 judged").Press("b").Sees("3 of 3 judged").Press("q").Ends()
	if got := outcomes(t, path); len(got) != 3 || got[2] != "b" {
		t.Errorf("%v", got)
	}
}

// TestFirstPage: the page that is drawn before the terminal has told its size stands.
func TestFirstPage(t *testing.T) {
	f, err := overlap.Change(tuitest.Paired(t, 4))
	fatal.If(t, err)
	defer f.Close()
	app := tui.New(screen.NewRating(screen.RatingOptions{File: f, Rater: "ann", Now: time.Now}), false)
	app.Init()
	if text := app.View().Content; !strings.Contains(text, "which is better?") || strings.Contains(text, "failed") {
		t.Error(text)
	}
}
