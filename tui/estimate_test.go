package tui_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/session/estimate"
	screen "assay/tui/estimate"
)

func init() { screens = append(screens, estimateScreens...) }

// guessed are tasks that are estimated: of the first and the third one people will agree.
func guessed() *benchmark.Benchmark {
	b := &benchmark.Benchmark{Version: 1, Name: "starter"}
	for _, t := range [][2]string{
		{"double", "Return twice the number."},
		{"snake", "Move the snake by one step. It grows where it eats, and it dies where it leaves the board or meets itself."},
		{"median", "Return the median of the numbers. Of an even number of them it is the mean of the two in the middle."},
		{"hex", "Return the number in hexadecimal notation, with capital letters and without leading zeros."},
	} {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: t[0], Title: strings.ToUpper(t[0][:1]) + t[0][1:], Language: "python", EntryPoint: t[0], Description: t[1]})
	}
	return b
}

// round makes the file of a first round; the first task has two phrasings, the second one that
// is long.
func round(t testing.TB) string {
	t.Helper()
	b := guessed()
	var tasks []*benchmark.Task
	for i := range b.Tasks {
		tasks = append(tasks, &b.Tasks[i])
	}
	h, err := estimate.First(b, tasks, estimate.Setup{Estimators: 5, Threshold: 0.6, Rounds: 2, Minutes: estimate.DefaultMinutes()})
	if err != nil {
		t.Fatal(err)
	}
	h.Items[0].Phrasings = append(h.Items[0].Phrasings, estimate.Phrasing{Name: "context-1.1", Text: "Given a number, answer with the number added to itself."})
	h.Items[1].Phrasings[0].Text += strings.Repeat("\n- A board has rows and columns.", 40)
	return roundFile(t, h)
}

// roundFile writes the file of a round.
func roundFile(t testing.TB, h estimate.Header) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), fmt.Sprintf("round%d.jsonl", h.Round))
	if err := estimate.Create(path, h); err != nil {
		t.Fatal(err)
	}
	return path
}

// estimator opens a round's file on the screen. The clock moves by two seconds at each look.
func estimator(t testing.TB, path, name string) *driver {
	t.Helper()
	f, err := estimate.Change(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	looks := 0
	now := func() time.Time {
		looks++
		return noon().Add(time.Duration(looks) * 2 * time.Second)
	}
	d := drive(t, screen.New(screen.Options{File: f, Estimator: name, Now: now}), 80, 24).sees("Estimate · starter")
	d.settled()
	return d
}

// reopened opens a file that another program had open, which died.
func reopened(t testing.TB, path, name string) *driver {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(copied, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return estimator(t, copied, name)
}

// fill fills in the form of the task that is shown, and keeps it.
func fill(d *driver, summary string, time, difficulty int, reason string) *driver {
	d.T.Helper()
	d.press("enter", summary, "enter", fmt.Sprint(time), fmt.Sprint(difficulty), "enter", reason).sees(reason)
	return d.press("ctrl+s")
}

// guessers is how five people estimate the four tasks: of two they agree.
var guessers = []struct {
	name  string
	times [4]int // keys
}{
	{"ann", [4]int{1, 1, 3, 6}}, {"bob", [4]int{1, 6, 3, 6}}, {"cleo", [4]int{2, 6, 4, 1}}, {"dora", [4]int{1, 1, 3, 1}}, {"emil", [4]int{2, 6, 4, 6}},
}

// firstRound lets the five estimate on the screen, and returns the file.
func firstRound(t testing.TB) string {
	t.Helper()
	path := round(t)
	for _, who := range guessers {
		f, err := estimate.Change(path)
		if err != nil {
			t.Fatal(err)
		}
		d := drive(t, screen.New(screen.Options{File: f, Estimator: who.name, Now: noon}), 80, 24).sees("Estimate · starter")
		for i, task := range guessed().Tasks {
			d.sees(fmt.Sprintf("%d of 4", i+1), task.Title)
			fill(d, "it is "+task.ID, who.times[i], 1+(who.times[i]-1)*4/5, fmt.Sprintf("because %d minutes seem right for %s", who.times[i]*10, task.ID))
			d.sees(fmt.Sprintf("%d of 4 kept", i+1))
		}
		d.sees("All are estimated").press("h").sees("Hand in 4 of 4").press("y").sees("✓ handed in", "4 of 4 tasks").press("q").ends()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// guesses reads files of estimates as one.
func guesses(t testing.TB, paths ...string) *estimate.Study {
	t.Helper()
	var rounds []*estimate.Round
	for _, path := range paths {
		r, err := estimate.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		rounds = append(rounds, r)
	}
	s, err := estimate.Combine(rounds...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// secondRound makes the file of the round after.
func secondRound(t testing.TB, first string) string {
	t.Helper()
	h, err := guesses(t, first).Next()
	if err != nil {
		t.Fatal(err)
	}
	return roundFile(t, h)
}

// estimateScreens are those of an estimation round.
var estimateScreens = []goldenScreen{
	{"estimate", func(t *testing.T) *driver { return estimator(t, round(t), "ann").sees("phrasing 1 of 2", "4 to go") }},
	{"estimate-writing", func(t *testing.T) *driver {
		return estimator(t, round(t), "ann").press("enter", "Twice a number").sees("Twice a number")
	}},
	{"estimate-scale", func(t *testing.T) *driver {
		return estimator(t, round(t), "ann").press("enter", "Twice a number", "enter", "3", "up").sees("[3 10 min]", "2 to go")
	}},
	{"estimate-reason", func(t *testing.T) *driver {
		return estimator(t, round(t), "ann").press("j", "1", "2", "enter", "One multiplication.", "enter", "Nothing to look up.").sees("Nothing to look up.")
	}},
	{"estimate-kept", func(t *testing.T) *driver {
		d := fill(estimator(t, round(t), "ann"), "twice a number", 1, 1, "one multiplication, nothing else").sees("1 of 4 kept", "Snake")
		return d.press("left").sees("✓ kept")
	}},
	{"estimate-long", func(t *testing.T) *driver {
		return estimator(t, round(t), "ann").press("right").sees("Snake").press("pgdown", "pgdown").sees("of 4")
	}},
	{"estimate-missing", func(t *testing.T) *driver { return estimator(t, round(t), "ann").press("ctrl+s").sees("4 still to go") }},
	{"estimate-hand-in", func(t *testing.T) *driver {
		d := fill(estimator(t, round(t), "ann"), "twice a number", 1, 1, "one multiplication, nothing else").sees("1 of 4 kept")
		return d.press("h").sees("Hand in 1 of 4")
	}},
	{"estimate-handed-in", func(t *testing.T) *driver {
		d := fill(estimator(t, round(t), "ann"), "twice a number", 1, 1, "one multiplication, nothing else").sees("1 of 4 kept")
		return d.press("h").sees("Hand in 1 of 4").press("y").sees("✓ handed in")
	}},
	{"estimate-trouble", func(t *testing.T) *driver {
		path := round(t)
		f, err := estimate.Change(path)
		if err != nil {
			t.Fatal(err)
		}
		d := drive(t, screen.New(screen.Options{File: f, Estimator: "ann", Now: noon}), 80, 24).sees("Estimate · starter").settled()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return d.press("j", "1").sees("✗ It is not kept", "closed")
	}},
	{"estimate-again", func(t *testing.T) *driver {
		return estimator(t, secondRound(t, firstRound(t)), "fay").sees("round 2", "Snake").press("down").sees("others: 1 min · >40 min · >40 min")
	}},
	{"estimate-others", func(t *testing.T) *driver {
		return estimator(t, secondRound(t, firstRound(t)), "fay").press("p").sees("5 estimates that did not agree", "1 min · more than 40 min · more than 40 min")
	}},
}

// A whole round: five people estimate four tasks; of two they agree. Five others estimate the
// two that are left, and see what was said before, but not by whom.
func TestTwoRounds(t *testing.T) {
	first := firstRound(t)
	states := func(paths ...string) string {
		var list []string
		for _, r := range guesses(t, paths...).Results() {
			list = append(list, fmt.Sprintf("%s %s %.2f median %d", r.Task, r.State, *r.Agreement, r.Median()))
		}
		return strings.Join(list, ", ")
	}
	if got, want := states(first), "double settled 0.84 median 0, snake another round -0.60 median 5, median settled 0.84 median 2, hex another round -0.60 median 5"; got != want {
		t.Fatalf("after the first round: %s", got)
	}
	second := secondRound(t, first)
	text, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range guessers {
		if strings.Contains(string(text), who.name) {
			t.Errorf("the second round's file names %s", who.name)
		}
		f, err := estimate.Change(second)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.MayOpen(who.name); err == nil || !strings.Contains(err.Error(), "in an earlier round") {
			t.Errorf("%s may estimate again: %v", who.name, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range []string{"fay", "gus", "hal", "ida", "jon"} {
		f, err := estimate.Change(second)
		if err != nil {
			t.Fatal(err)
		}
		d := drive(t, screen.New(screen.Options{File: f, Estimator: name, Now: noon}), 80, 24).sees("round 2", "Snake", "1 of 2")
		d.press("p").sees("what others said", "time        1 min · more than 40 min · more than 40 min", "difficulty  very easy · very difficult · very difficult", "– because 10 minutes seem right for snake", "– because 60 minutes seem right")
		for _, who := range guessers {
			if shown := d.screen(); strings.Contains(shown, who.name) {
				t.Errorf("%s sees %s:\n%s", name, who.name, shown)
			}
		}
		fill(d, "move a snake", []int{4, 4, 5, 4, 5}[i], 3, "a few conditions on a board").sees("1 of 2 kept", "2 of 2", "Hex")
		fill(d, "hexadecimal digits", []int{1, 6, 6, 1, 6}[i], 3, "it depends on the library").sees("All are estimated")
		d.press("h").sees("Hand in 2 of 2").press("y").sees("✓ handed in").press("enter").ends()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := states(first, second), "double settled 0.84 median 0, snake settled 0.84 median 3, median settled 0.84 median 2, hex accepted without agreement -0.60 median 5"; got != want {
		t.Errorf("after the second round: %s", got)
	}
	if _, err := guesses(t, first, second).Next(); err == nil || !strings.Contains(err.Error(), "no task needs another round") {
		t.Errorf("a third round: %v", err)
	}
}

// A program that dies in the middle loses nothing that was typed: another one goes on where
// the estimator was.
func TestEstimatesSurvive(t *testing.T) {
	path := round(t)
	d := fill(estimator(t, path, "ann"), "twice a number", 1, 1, "one multiplication, nothing else").sees("1 of 4 kept", "Snake")
	d.press("enter", "moves a snake", "enter", "5").sees("[5 40 min]").press("down", "enter", "The rules of the ga").settled()
	// Nobody closes it.
	d = reopened(t, path, "ann").sees("Snake", "2 of 4", "1 of 4 kept", "moves a snake", "[5 40 min]", "The rules of the ga", "1 to go")
	d.press("4", "enter", "me").sees("The rules of the game").press("ctrl+s").sees("2 of 4 kept", "Median")
	d.press("left", "left").sees("✓ kept", "one multiplication")
	// One comes back where one was, also to what was only read, or changed.
	path = round(t)
	f, err := estimate.Change(path)
	if err != nil {
		t.Fatal(err)
	}
	d = drive(t, screen.New(screen.Options{File: f, Estimator: "ann", Now: noon}), 80, 24).sees("1 of 4")
	d.press("right", "right").sees("3 of 4", "Median").press("q").ends()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	d = estimator(t, path, "ann").sees("3 of 4", "Median")
	fill(d, "the middle one", 2, 2, "sort them, then look").sees("4 of 4").press("left", "down", "4").sees("! changed, not kept").settled()
	reopened(t, path, "ann").sees("3 of 4", "! changed, not kept", "the middle one")
}

// Everything can be taken back: digits, texts, estimates; and what was kept can be changed.
func TestEstimatesAreUndone(t *testing.T) {
	path := round(t)
	d := estimator(t, path, "ann")
	d.press("u").sees("not now: you have changed nothing")
	fill(d, "twice a number", 2, 1, "one multiplication, nothing else").sees("1 of 4 kept", "Snake")
	d.press("down", "3").sees("[3 10 min]").press("u").sees("The last change is taken back").press("up").lacks("[3 10 min]")
	d.press("u").sees("not kept any more", "Double", "complete, not kept", "0 of 4 kept", "[2 5 min]")
	d.press("u").sees("why so long").press("u").sees("3 medium", "2 to go").press("u").sees("3 to go").press("u").sees("4 to go", "what the task is")
	d.settled()
	fill(d, "twice a number", 2, 1, "one multiplication, nothing else").sees("1 of 4 kept", "Snake")
	d.press("left", "down", "4").sees("! changed, not kept").press("h").sees("counts as it was").press("n").sees("Nothing is handed in")
	d.press("ctrl+s").sees("1 of 4 kept", "Snake").press("left").sees("✓ kept", "[4 20 min]")
	d.settled()
	r, err := estimate.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if given := r.Given("ann"); len(given) != 1 || *given[0].Time != 3 || given[0].Difficulty != 1 || given[0].MS == 0 || given[0].Summary != "twice a number" {
		t.Errorf("%+v", given)
	}
}

// Keys that do nothing say why, and what cannot be says so.
func TestEstimateTrouble(t *testing.T) {
	d := estimator(t, round(t), "ann")
	d.press("3").sees("this row takes words").press("down", "enter").sees("not now: digits answer").press("9").sees("The scale ends at 6").press("left").sees("the first one")
	d.press("h").sees("not now: no estimate is kept").press("right", "p").sees("not now: the task has one phrasing").press("right", "right", "right").sees("the last one")
	d.press("up", "down", "enter", "ctrl+z").sees("no typing to take back").press("ctrl+g").sees("Nothing is selected").press("ctrl+v").sees("Nothing was cut")
	d.send(tea.PasteMsg{Content: "two\nlines"})
	d.sees("two").press("enter").sees("two lines").press("up", "enter").press("ctrl+s").sees("3 still to go")
	d.press("up", "enter", "f9", "ctrl+x").sees("ctrl+v inserts it, too").press("ctrl+v", "shift+tab").press("q").ends()
}

// No sequence of keys panics or draws outside the terminal, and the file can be read.
func TestAnyKeysEstimate(t *testing.T) {
	names := []string{"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "tab", "shift+tab", "enter", "esc", "space", "backspace", "delete", "ctrl+s", "ctrl+z", "ctrl+r", "ctrl+x", "ctrl+v", "ctrl+u", "ctrl+d", "f9", "ctrl+space"}
	rapid.Check(t, func(rt *rapid.T) {
		path := round(t)
		d := estimator(t, path, "ann")
		for range rapid.IntRange(1, 60).Draw(rt, "keys") {
			switch rapid.IntRange(0, 5).Draw(rt, "kind") {
			case 0, 1:
				d.press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 2:
				size := rapid.SampledFrom(sizes).Draw(rt, "size")
				d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
				d.send(tea.MouseWheelMsg{X: 3, Y: 8, Button: tea.MouseWheelDown})
				d.send(tea.MouseClickMsg{X: rapid.IntRange(0, 130).Draw(rt, "x"), Y: rapid.IntRange(0, 45).Draw(rt, "y"), Button: tea.MouseLeft})
				d.send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.press(rapid.SampledFrom([]string{"1", "2", "3", "5", "6", "9", "p", "n", "u", "[", "]", "j", "k", "G", "x", "é", "h", "y"}).Draw(rt, "letter"))
			}
			d.idle()
			if d.Quit {
				return
			}
			checkDrawn(rt, d)
		}
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if _, err := estimate.Open(path); err != nil {
			rt.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			rt.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if !json.Valid([]byte(line)) {
				rt.Fatalf("%q is no JSON", line)
			}
		}
	})
}
