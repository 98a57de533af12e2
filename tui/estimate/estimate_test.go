package estimate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/session/estimate"
	screen "assay/tui/estimate"
	"assay/tui/tuitest"
)

// reopened opens a file that another program had open, which died.
func reopened(t testing.TB, path, name string) *tuitest.Driver {
	t.Helper()
	text := fatal.Read(t, path)
	copied := filepath.Join(t.TempDir(), filepath.Base(path))
	fatal.If(t, os.WriteFile(copied, text, 0o644))
	return tuitest.Estimator(t, copied, name)
}

// A whole round: five people estimate four tasks; of two they agree. Five others estimate the
// two that are left, and see what was said before, but not by whom.
func TestTwoRounds(t *testing.T) {
	first := tuitest.FirstRound(t)
	states := func(paths ...string) string {
		var list []string
		for _, r := range tuitest.Guesses(t, paths...).Results() {
			list = append(list, fmt.Sprintf("%s %s %.2f median %d", r.Task, r.State, *r.Agreement, r.Median()))
		}
		return strings.Join(list, ", ")
	}
	if got, want := states(first), "double settled 0.84 median 0, snake another round -0.60 median 5, median settled 0.84 median 2, hex another round -0.60 median 5"; got != want {
		t.Fatalf("after the first round: %s", got)
	}
	second := tuitest.SecondRound(t, first)
	text := fatal.Read(t, second)
	for _, who := range tuitest.Guessers {
		if strings.Contains(string(text), who.Name) {
			t.Errorf("the second round's file names %s", who.Name)
		}
		f, err := estimate.Change(second)
		fatal.If(t, err)
		if err := f.MayOpen(who.Name); err == nil || !strings.Contains(err.Error(), "in an earlier round") {
			t.Errorf("%s may estimate again: %v", who.Name, err)
		}
		fatal.If(t, f.Close())
	}
	for i, name := range []string{"fay", "gus", "hal", "ida", "jon"} {
		f, err := estimate.Change(second)
		fatal.If(t, err)
		d := tuitest.Drive(t, screen.New(screen.Options{File: f, Estimator: name, Now: tuitest.Noon}), 80, 24).Sees("round 2", "Snake", "1 of 2")
		d.Press("p").Sees("what others said", "time        1 min · more than 40 min · more than 40 min", "difficulty  very easy · very difficult · very difficult", "– because 10 minutes seem right for snake", "– because 60 minutes seem right")
		for _, who := range tuitest.Guessers {
			if shown := d.Screen(); strings.Contains(shown, who.Name) {
				t.Errorf("%s sees %s:\n%s", name, who.Name, shown)
			}
		}
		tuitest.Fill(d, "move a snake", []int{4, 4, 5, 4, 5}[i], 3, "a few conditions on a board").Sees("1 of 2 kept", "2 of 2", "Hex")
		tuitest.Fill(d, "hexadecimal digits", []int{1, 6, 6, 1, 6}[i], 3, "it depends on the library").Sees("All are estimated")
		d.Press("h").Sees("Hand in 2 of 2").Press("y").Sees("✓ handed in").Press("enter").Ends()
		fatal.If(t, f.Close())
	}
	if got, want := states(first, second), "double settled 0.84 median 0, snake settled 0.84 median 3, median settled 0.84 median 2, hex accepted without agreement -0.60 median 5"; got != want {
		t.Errorf("after the second round: %s", got)
	}
	if _, err := tuitest.Guesses(t, first, second).Next(); err == nil || !strings.Contains(err.Error(), "no task needs another round") {
		t.Errorf("a third round: %v", err)
	}
}

// A program that dies in the middle loses nothing that was typed: another one goes on where
// the estimator was.
func TestEstimatesSurvive(t *testing.T) {
	path := tuitest.Round(t)
	d := tuitest.Fill(tuitest.Estimator(t, path, "ann"), "twice a number", 1, 1, "one multiplication, nothing else").Sees("1 of 4 kept", "Snake")
	d.Press("enter", "moves a snake", "enter", "5").Sees("[5 40 min]").Press("down", "enter", "The rules of the ga").Settled()
	// Nobody closes it.
	d = reopened(t, path, "ann").Sees("Snake", "2 of 4", "1 of 4 kept", "moves a snake", "[5 40 min]", "The rules of the ga", "1 to go")
	d.Press("4", "enter", "me").Sees("The rules of the game").Press("ctrl+s").Sees("2 of 4 kept", "Median")
	d.Press("left", "left").Sees("✓ kept", "one multiplication")
	// One comes back where one was, also to what was only read, or changed.
	path = tuitest.Round(t)
	f, err := estimate.Change(path)
	fatal.If(t, err)
	d = tuitest.Drive(t, screen.New(screen.Options{File: f, Estimator: "ann", Now: tuitest.Noon}), 80, 24).Sees("1 of 4")
	d.Press("right", "right").Sees("3 of 4", "Median").Press("q").Ends()
	fatal.If(t, f.Close())
	d = tuitest.Estimator(t, path, "ann").Sees("3 of 4", "Median")
	tuitest.Fill(d, "the middle one", 2, 2, "sort them, then look").Sees("4 of 4").Press("left", "down", "4").Sees("! changed, not kept").Settled()
	reopened(t, path, "ann").Sees("3 of 4", "! changed, not kept", "the middle one")
}

// Everything can be taken back: digits, texts, estimates; and what was kept can be changed.
func TestEstimatesAreUndone(t *testing.T) {
	path := tuitest.Round(t)
	d := tuitest.Estimator(t, path, "ann")
	d.Press("u").Sees("not now: you have changed nothing")
	tuitest.Fill(d, "twice a number", 2, 1, "one multiplication, nothing else").Sees("1 of 4 kept", "Snake")
	d.Press("down", "3").Sees("[3 10 min]").Press("u").Sees("The last change is taken back").Press("up").Lacks("[3 10 min]")
	d.Press("u").Sees("open again", "Double", "complete, not kept", "0 of 4 kept", "[2 5 min]")
	d.Press("u").Sees("why so long").Press("u").Sees("3 medium", "2 to go").Press("u").Sees("3 to go").Press("u").Sees("4 to go", "what the task is")
	d.Settled()
	tuitest.Fill(d, "twice a number", 2, 1, "one multiplication, nothing else").Sees("1 of 4 kept", "Snake")
	d.Press("left", "down", "4").Sees("! changed, not kept").Press("h").Sees("count as they were").Press("n").Sees("Nothing is handed in")
	d.Press("ctrl+s").Sees("1 of 4 kept", "Snake").Press("left").Sees("✓ kept", "[4 20 min]")
	d.Settled()
	r, err := estimate.Open(path)
	fatal.If(t, err)
	if given := r.Given("ann"); len(given) != 1 || *given[0].Time != 3 || given[0].Difficulty != 1 || given[0].MS == 0 || given[0].Summary != "twice a number" {
		t.Errorf("%+v", given)
	}
}

// Keys that do nothing say why, and what cannot be says so.
func TestEstimateTrouble(t *testing.T) {
	d := tuitest.Estimator(t, tuitest.Round(t), "ann")
	d.Press("3").Sees("this row takes text").Press("down", "enter").Sees("not now: digits answer").Press("9").Sees("The scale ends at 6").Press("left").Sees("the first one")
	d.Press("h").Sees("not now: no estimate is kept").Press("right", "p").Sees("not now: the task has one phrasing").Press("right", "right", "right").Sees("the last one")
	d.Press("up", "down", "enter", "ctrl+z").Sees("nothing to undo").Press("ctrl+g").Sees("Nothing is selected").Press("ctrl+v").Sees("Nothing was cut")
	d.Send(tea.PasteMsg{Content: "two\nlines"})
	d.Sees("two").Press("enter").Sees("two lines").Press("up", "enter").Press("ctrl+s").Sees("3 still to go")
	d.Press("up", "enter", "f9", "ctrl+x").Sees("ctrl+v also inserts it").Press("ctrl+v", "shift+tab").Press("q").Ends()
}

// Worked examples come first for who has done nothing yet, and are a key away for all others. Looking at them is no work:
// nothing is written, and no time counts.
func TestWorkedExamples(t *testing.T) {
	path := tuitest.ExplainedRound(t)
	f, err := estimate.Change(path)
	fatal.If(t, err)
	open := func() *tuitest.Driver {
		return tuitest.Drive(t, screen.New(screen.Options{File: f, Estimator: "ann", Now: tuitest.Noon}), 80, 24)
	}
	d := open().Sees("example 1 of 2", "Longest word", "5 min", "very easy", "0 of 4 kept")
	d.Press("left").Sees("the first one").Press("enter").Sees("example 2 of 2", "Free times").Press("left").Sees("Longest word").Press("q").Ends()
	if last := f.Last("ann"); last != "" {
		t.Errorf("who looked at examples has begun %s", last)
	}
	d = open().Sees("example 1 of 2").Press("enter", "enter").Sees("1 of 4", "Double").Press("e").Sees("example 1 of 2").Press("e").Sees("Double")
	tuitest.Fill(d, "twice a number", 1, 1, "one multiplication, nothing else").Sees("1 of 4 kept").Press("q").Ends()
	open().Sees("2 of 4", "Snake").Press("e").Sees("Longest word")
	fatal.If(t, f.Close())
	tuitest.Estimator(t, tuitest.Round(t), "ann").Press("e").Sees("not now: the round has none")
}

// No sequence of keys panics or draws outside the terminal, and the file can be read.
func TestAnyKeysEstimate(t *testing.T) {
	names := []string{"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "tab", "shift+tab", "enter", "esc", "space", "backspace", "delete", "ctrl+s", "ctrl+z", "ctrl+r", "ctrl+x", "ctrl+v", "ctrl+u", "ctrl+d", "f9", "ctrl+space"}
	rapid.Check(t, func(rt *rapid.T) {
		path := tuitest.Round(t)
		if rapid.Bool().Draw(rt, "examples") {
			path = tuitest.ExplainedRound(t)
		}
		d := tuitest.Estimator(t, path, "ann")
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 5).Draw(rt, "kind") {
			case 0, 1:
				d.Press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 2:
				size := rapid.SampledFrom(tuitest.Sizes).Draw(rt, "size")
				d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
				d.Send(tea.MouseWheelMsg{X: 3, Y: 8, Button: tea.MouseWheelDown})
				d.Send(tea.MouseClickMsg{X: rapid.IntRange(0, 130).Draw(rt, "x"), Y: rapid.IntRange(0, 45).Draw(rt, "y"), Button: tea.MouseLeft})
				d.Send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.Press(rapid.SampledFrom([]string{"1", "2", "3", "5", "6", "9", "p", "n", "u", "[", "]", "j", "k", "G", "x", "é", "e", "h", "y"}).Draw(rt, "letter"))
			}
			d.Idle()
			if d.Quit {
				return
			}
			tuitest.CheckDrawn(rt, d)
		}
		d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if _, err := estimate.Open(path); err != nil {
			rt.Fatal(err)
		}
		text := fatal.Read(rt, path)
		for line := range strings.Lines(string(text)) {
			if !json.Valid([]byte(line)) {
				rt.Fatalf("%q is no JSON", line)
			}
		}
	})
}
