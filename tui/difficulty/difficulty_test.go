package difficulty_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/data/fatal"
	"assay/scoring/irt"
	"assay/session/difficulty"
	screen "assay/tui/difficulty"
	"assay/tui/tuitest"
)

func TestDifficultyOrders(t *testing.T) {
	d := tuitest.Hard(t)
	first := d.Tasks()
	if len(first) != 16 {
		t.Fatalf("%d tasks are listed: %v", len(first), first)
	}
	d.Press("o").Sees("easiest first")
	for i, id := range d.Tasks()[1:] { // ties keep their order, so that the list is not simply turned
		if id == first[0] && i < 12 {
			t.Errorf("the hardest is number %d of the easiest", i)
		}
	}
	d.Press("o").Sees("least discriminating first")
	if got := d.Tasks()[0]; got != "matrix/2" {
		t.Errorf("the task that only the worst solve is not the first but %s", got)
	}
	d.Press("o", "o", "o").Sees("by name")
	if got := d.Tasks(); got[0] != "brackets/0" || got[5] != "clock" {
		t.Errorf("by name: %v", got)
	}
	if d.Press("o").Sees("hardest first"); strings.Join(d.Tasks(), " ") != strings.Join(first, " ") {
		t.Errorf("the order is another one: %v", d.Tasks())
	}
}

func TestDifficultyFilter(t *testing.T) {
	for filter, want := range map[string]string{
		"kind:suspect": "matrix/2", "primes/4": "primes/4", "topic:none": "clock", "WHAT time": "clock", "discrimination<0 kind:suspect": "matrix/2",
		"topic:bracket /3": "brackets/3",
	} {
		d := tuitest.Hard(t).Press("/").Press(filter, "enter").Sees("1 of 16 tasks")
		if got := d.Tasks(); len(got) != 1 || got[0] != want {
			t.Errorf("%s lists %v", filter, got)
		}
		if d.Press("/", "esc").Sees("16 tasks"); len(d.Tasks()) != 16 {
			t.Errorf("%s is not cleared", filter)
		}
	}
	for filter, want := range map[string]string{"kind:x": "write kind:suspect", "subset:x": "write subset:yes", "size>1": "cannot be compared", "difficulty>x": "needs a number"} {
		if d := tuitest.Hard(t).Press("/").Press(filter).Sees(want); len(d.Tasks()) != 16 {
			t.Errorf("%s lists %v", filter, d.Tasks())
		}
	}
	// What was chosen stays so where the filter leaves it, whatever was typed on the way.
	tuitest.Hard(t).Press("/", "kind", "enter").Sees("No task matches").Press("/", "esc").Sees("▸ matrix/4").Press("down", "down", "/", "primes/4 ", "enter").Sees("▸ primes/4").Press("/", "esc").Sees("▸ primes/4", "16 tasks")
	tuitest.Hard(t).Press("/", "subset:yes", "enter").Sees("5 of 16 tasks").Press("enter").Sees("of the subset of 5")
}

// Names and topics that are put together are in the file at once, and undone there.
func TestTopicsOnTheScreen(t *testing.T) {
	topicsPath := ""
	d := tuitest.Hard(t, func(o *screen.Options) { topicsPath = o.Topics.Path })
	before := fatal.Read(t, topicsPath)
	d.Press("t").Sees("3 topics").Press("r").Sees("enter rename")
	for range 60 {
		d.Press("backspace")
	}
	d.Press("Pairs that match", "enter").Sees("is now “Pairs that match”", "▸ Pairs that match")
	if text, _ := os.ReadFile(topicsPath); !strings.Contains(string(text), `name = "Pairs that match"`) {
		t.Errorf("the file has\n%s", text)
	}
	d.Press("r").Sees("enter rename")
	for range 60 {
		d.Press("backspace")
	}
	d.Press("enter").Sees("a topic needs a name")
	d.Press("m", "enter").Sees("choose another topic").Press("esc", "m", "down", "down", "down", "enter").Sees("tasks without a topic").Press("up", "enter").Sees("2 topics", "now part of")
	if text, _ := os.ReadFile(topicsPath); strings.Count(string(text), "\n[[topic]]") != 2 || strings.Contains(string(text), "Pairs") {
		t.Errorf("the file has\n%s", text)
	}
	d.Press("u").Sees("3 topics", "Pairs that match").Press("u").Sees("the last change is undone")
	if text, _ := os.ReadFile(topicsPath); string(text) != string(before) {
		t.Errorf("undone, the file has\n%s", text)
	}
	if d.Press("u").Sees("nothing was changed here"); strings.Contains(d.Screen(), "Pairs") {
		t.Error("the name is still there")
	}
	// Who else writes the file is not overwritten.
	fatal.If(t, os.WriteFile(topicsPath, append(before, "# mine\n"...), 0o644))
	d.Press("m", "down", "enter").Sees("changed meanwhile")
	if text, _ := os.ReadFile(topicsPath); !strings.HasSuffix(string(text), "# mine\n") {
		t.Error("the other's line is gone")
	}
}

// What cannot be done says why.
func TestDifficultyRefusals(t *testing.T) {
	d := tuitest.Hard(t, func(o *screen.Options) { o.Answers, o.Topics = nil, nil })
	d.Press("n").Sees("there are no answers here").Press("t", "r").Sees("there is no file of topics").Press("m").Sees("--topics-file").Press("u").Sees("no file")
	tuitest.Hard(t).Press("n").Sees("4 shows them").Press("t", "down", "down", "down", "r").Sees("belong to no topic")
	a, err := difficulty.Analyse(tuitest.Scored(tuitest.Themed()), difficulty.Options{Seed: 1})
	fatal.If(t, err)
	bare := tuitest.Drive(t, screen.New(screen.Options{Name: "bare", Analysis: a}), 60, 20).Sees("Difficulty")
	bare.Press("t").Sees("--topics finds them").Press("enter", "4").Sees("There are no answers here").Press("1").Sees("--tasks FILE").Press("esc", "esc").Ends()
	d = tuitest.Hard(t).Press("s", "4").Sees("answer 1 of 2").Press("n").Sees("answer 2 of 2", "✓ accepted 7/7").Press("n").Sees("answer 1 of 2").Press("N").Sees("answer 2 of 2")
	d.Press("left").Sees("task 15 of 16").Press("esc", "/", "kind:noise", "enter", "s").Sees("excludes them")
}

// The screen is there before the intervals that take long, which come without moving
// anything, and leave topics as they were changed meanwhile.
func TestIntervalsComeLate(t *testing.T) {
	var quick, full *difficulty.Analysis
	come := make(chan error)
	d := func() *tuitest.Driver {
		return tuitest.Hard(t, func(o *screen.Options) {
			full = o.Analysis
			var err error
			if quick, err = difficulty.Analyse(tuitest.Scored(tuitest.Themed()), difficulty.Options{Tasks: tuitest.Themed(), Topics: true, Grouping: &o.Topics.Grouping, Quick: true, Subset: 5, Seed: 1}); err != nil {
				t.Fatal(err)
			}
			if quick.Fit.Intervals == full.Fit.Intervals {
				t.Fatalf("both are by %s", full.Fit.Intervals)
			}
			o.Analysis = quick
			o.Drawn = func() (*difficulty.Analysis, error) {
				if err := <-come; err != nil {
					return nil, err
				}
				return full, nil
			}
		})
	}
	first := d().Press("down", "down", "enter").Sees("… intervals", "task 3 of 16")
	before := first.Screen()
	first.Press("esc", "t", "m", "down", "enter").Sees("2 topics").Press("t", "enter").Sees("task 3 of 16")
	come <- nil
	first.Until("other intervals", func(s string) bool { return !strings.Contains(s, "… intervals") }).Sees("task 3 of 16")
	if strings.Split(first.Screen(), "\n")[3] == strings.Split(before, "\n")[3] {
		t.Errorf("the intervals are the same:\n%s", before)
	}
	first.Press("esc", "t").Sees("2 topics")
	second := d()
	come <- errors.New("they cannot be drawn")
	second.Sees("they cannot be drawn")
}

// A task's topic's tasks are listed, and one goes back to the topics.
func TestTasksOfATopic(t *testing.T) {
	d := tuitest.Hard(t).Press("t", "end", "enter").Sees("tasks without a topic", "1 of 16")
	d.Press("esc").Sees("3 topics").Press("t").Sees("16 tasks").Press("esc").Ends()
}

// The screen is there at once for thousands of tasks, and a key costs a frame at most.
func BenchmarkDifficultyScreen(b *testing.B) {
	r := irt.Responses{}
	random := rand.New(rand.NewPCG(1, 1))
	for j := range 2000 {
		r.Items = append(r.Items, fmt.Sprintf("task/%d", j))
	}
	for i := range 50 {
		r.Respondents = append(r.Respondents, fmt.Sprintf("model-%d", i))
		var scores []float64
		for j := range r.Items {
			score := 0.0
			if random.Float64() < float64(i+1)/51*float64(j+1)/2001*1.6 {
				score = 1
			}
			scores = append(scores, score)
		}
		r.Scores = append(r.Scores, scores)
	}
	a, err := difficulty.Analyse(r, difficulty.Options{Method: difficulty.MAP, Seed: 1})
	fatal.If(b, err)
	d := tuitest.Drive(b, screen.New(screen.Options{Name: "many", Analysis: a}), 120, 40).Sees("2000 tasks")
	for b.Loop() {
		d.Press("o", "down", "pgdown")
		_ = d.Screen()
	}
}

// TestIntervalsBesideATask: where the list is beside a task, an interval has at least twelve columns, and the task 44.
func TestIntervalsBesideATask(t *testing.T) {
	for _, width := range []int{110, 120, 140, 200} {
		d := tuitest.Hard(t, func(*screen.Options) {})
		d.Send(tea.WindowSizeMsg{Width: width, Height: 30})
		_, columns, found := strings.Cut(d.Screen(), " diff.")
		interval, _, both := strings.Cut(columns, "discr.")
		head, _, _ := strings.Cut(d.Screen(), " diff.")
		row := d.Screen()[strings.LastIndex(head, "\n")+1:]
		list, _, split := strings.Cut(row, "│")
		if room := ansi.StringWidth(interval) - 3; !found || !both || !split || room < 12 {
			t.Errorf("%d columns: an interval has %d\n%s", width, room, d.Screen())
		}
		if task := width - ansi.StringWidth(list) - 1; task < 43 {
			t.Errorf("%d columns: the task has %d", width, task)
		}
	}
}
