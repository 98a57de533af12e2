package tui_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/session/prompts"
	screen "assay/tui/prompts"
)

func init() { screens = append(screens, promptScreens...) }

// worded are two tasks that prompts are written for.
func worded() []*benchmark.Task {
	return []*benchmark.Task{
		{
			ID: "median", Title: "Median", Language: "python", EntryPoint: "median",
			Description: "Return the median of the numbers. Of an even number of them it is the mean of the two in the middle.\nFor example, median([3, 1, 2]) returns 2.",
			Constraints: []string{"There is at least one number."},
			Reference:   "def median(numbers):\n    ordered_list = sorted(numbers)\n    half = len(ordered_list) // 2\n    return (ordered_list[half] + ordered_list[~half]) / 2\n",
		},
		{ID: "double", Title: "Double", Language: "python", EntryPoint: "double", Description: "Return twice the number.", Reference: "def double(n):\n    return 2 * n\n"},
	}
}

// written is a file with prompts of both tasks; change adds to it.
func written(t *testing.T, reviewers int) *prompts.Set {
	t.Helper()
	set, err := prompts.Create(filepath.Join(t.TempDir(), "prompts.jsonl"), prompts.Header{Benchmark: "starter", Author: prompts.Author{Name: "writer"}, Reviewers: reviewers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set.Close() })
	tasks := worded()
	for _, p := range []struct {
		task           *benchmark.Task
		level, wording int
		text           string
	}{
		{tasks[0], 1, 1, "Write median, which returns the median of at least one number. Of an even number of them it is the mean of the two in the middle."},
		{tasks[0], 1, 2, "Write a function median. Given at least one number, it answers with the median; where their count is even, with the mean of the two in the middle."},
		{tasks[0], 2, 1, "Write median, which returns the median of at least one number: put them into ordered_list, then average the two in the middle, which are one where the count is odd."},
		{tasks[1], 1, 1, "Write double, which returns twice the number.\nFor example, double(2) returns 4."},
	} {
		if err := set.Propose(prompts.Candidate{Task: p.task.ID, Basis: prompts.Basis(p.task), Level: p.level, Wording: p.wording, Text: p.text, Asked: 1, At: noon()}); err != nil {
			t.Fatal(err)
		}
	}
	return set
}

// reviewer shows the review of a file on the screen, with a model that writes "Another".
func reviewer(t *testing.T, set *prompts.Set, name string, change ...func(*screen.Options)) *driver {
	t.Helper()
	o := screen.Options{Set: set, Tasks: worded(), Reviewer: name, Now: noon, Writer: "writer"}
	o.Another = func(ctx context.Context, task *benchmark.Task, level, wording int) error {
		return set.Propose(prompts.Candidate{Task: task.ID, Basis: prompts.Basis(task), Level: level, Wording: wording, Text: "Another wording of " + task.ID + ".", Asked: 1, At: noon()})
	}
	for _, c := range change {
		c(&o)
	}
	d := drive(t, screen.New(o), 80, 24).sees("Prompts · starter")
	d.settled()
	return d
}

// disagree is what two reviewers made of the first two prompts.
func disagree(t *testing.T) *prompts.Set {
	set := written(t, 2)
	for _, who := range []string{"ann", "bob"} {
		for wording, v := range []prompts.Verdict{prompts.Accept, prompts.Accept} {
			d := prompts.Decision{Task: "median", Level: 1, Wording: wording + 1, Reviewer: who, Verdict: v, At: noon()}
			if who == "bob" && wording == 1 {
				d.Verdict, d.Reason = prompts.Reject, "it says answers with"
			}
			if err := set.Decide(d); err != nil {
				t.Fatal(err)
			}
		}
	}
	return set
}

// promptScreens are those of the review of prompts.
var promptScreens = []goldenScreen{
	{"prompts", func(t *testing.T) *driver { return reviewer(t, written(t, 1), "ann").sees("nothing is doubtful") }},
	{"prompts-flagged", func(t *testing.T) *driver {
		return reviewer(t, written(t, 1), "ann").press("right", "right").sees("ordered_list", "it names what")
	}},
	{"prompts-edit", func(t *testing.T) *driver {
		return reviewer(t, written(t, 1), "ann").press("e").sees("your wording").press(" Quickly.").sees("Quickly.")
	}},
	{"prompts-edited", func(t *testing.T) *driver {
		d := reviewer(t, written(t, 1), "ann").press("e").sees("your wording").press(" Quickly.", "ctrl+s").sees("context-1.2")
		return d.press("left", "c").sees("the model's wording", "candidate, edited")
	}},
	{"prompts-reject", func(t *testing.T) *driver {
		return reviewer(t, written(t, 1), "ann").press("r").sees("Why is it rejected?").press("too long").sees("too long")
	}},
	{"prompts-list", func(t *testing.T) *driver {
		return reviewer(t, written(t, 1), "ann").press("a").sees("1 of 4").press("l").sees("✓ accepted", "! names")
	}},
	{"prompts-disputed", func(t *testing.T) *driver {
		return reviewer(t, disagree(t), "ann").press("left").sees("≠ disputed", "bob rejected it")
	}},
	{"prompts-settle", func(t *testing.T) *driver {
		return reviewer(t, disagree(t), "ann").press("left").sees("≠ disputed").press("s").sees("settles the disagreement")
	}},
	{"prompts-none", func(t *testing.T) *driver {
		return reviewer(t, written(t, 1), "ann").press("f", "f").sees("No prompt is accepted")
	}},
	{"prompts-draft", func(t *testing.T) *driver {
		return reviewer(t, written(t, 1), "ann").press("e").sees("your wording").press("x", "esc").sees("e goes on with it", "your draft is kept")
	}},
	{"prompts-long", func(t *testing.T) *driver {
		set := written(t, 1)
		task := worded()[0]
		long := "Write median.\n" + strings.Repeat("It is one of the numbers, or between two.\n", 40)
		if err := set.Propose(prompts.Candidate{Task: "median", Basis: prompts.Basis(task), Level: 1, Wording: 1, Text: long, Asked: 3, At: noon()}); err != nil {
			t.Fatal(err)
		}
		return reviewer(t, set, "ann").press("down", "down", "down").sees("4-")
	}},
}

// states are the reviews of all prompts, without those nobody decided on.
func states(set *prompts.Set) string {
	var list []string
	for _, task := range worded() {
		for _, e := range set.Entries(task, "") {
			if e.Review != prompts.Unreviewed {
				list = append(list, task.ID+" "+strings.TrimPrefix(e.Name, "context-")+" "+string(e.Review))
			}
		}
	}
	return strings.Join(list, ", ")
}

// A whole review by keys: each decision is in the file when the next prompt is shown,
// and all of it can be taken back.
func TestReviewPrompts(t *testing.T) {
	set := written(t, 1)
	d := reviewer(t, set, "ann")
	d.press("a").sees("median context-1.1 is accepted.", "median · context-1.2", "1 of 4 decided")
	d.press("e").sees("your wording").press(" Quickly.", "ctrl+z").sees("in the middle.").press("ctrl+r").sees("Quickly.").press("ctrl+s").sees("is accepted as you edited it", "median · context-2.1")
	d.press("r").sees("Why is it rejected?").press("it names? things", "enter").sees("context-2.1 is rejected.", "double · context-1.1", "3 of 4 decided")
	again, err := prompts.Open(set.Path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := states(again), "median 1.1 accepted, median 1.2 edited, median 2.1 rejected"; got != want {
		t.Errorf("the file says %q, want %q", got, want)
	}
	if e := again.Entries(worded()[0], "")[2]; e.Decisions[0].Reason != "it names? things" || !e.Decisions[0].At.Equal(noon()) || e.Decisions[0].Reviewer != "ann" {
		t.Errorf("%+v", e.Decisions)
	}
	d.press("n").sees("Another wording of double.", "Another wording of double context-1.1 is there", "candidate 2")
	d.press("a").sees("All are decided on", "4 of 4 decided")
	d.press("u").sees("The decision is taken back.", "double · context-1.1", "· undecided")
	d.press("u").sees("the one before is back", "For example").press("u").sees("median · context-2.1", "· undecided").press("u").sees("median · context-1.2", "1 of 4 decided").press("u").sees("context-1.1", "0 of 4 decided")
	d.press("u").sees("not now: you have decided nothing since")
	if got := states(set); got != "" {
		t.Errorf("after all was taken back: %q", got)
	}
	d.press("q").ends()
}

// Keys pressed faster than the file is written are kept for the prompts to come.
func TestFastReview(t *testing.T) {
	set := written(t, 1)
	d := reviewer(t, set, "ann")
	d.press("a", "a", "r", "x", "enter", "a").sees("4 of 4 decided")
	if got, want := states(set), "median 1.1 accepted, median 1.2 accepted, median 2.1 rejected, double 1.1 accepted"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A second reviewer does not see what the first decided before he has; then
// disagreements are listed, and can be settled.
func TestSecondReviewer(t *testing.T) {
	set := written(t, 2)
	reviewer(t, set, "ann").press("a").sees("context-1.2").press("e").sees("your wording").press("!", "ctrl+s").sees("context-2.1")
	d := reviewer(t, set, "bob").sees("0 of 4 decided", "· undecided", "level 1: inputs")
	if text := d.screen(); strings.Contains(text, "ann") {
		t.Errorf("bob sees ann:\n%s", text)
	}
	d.press("s").sees("not now: nobody disagrees").press("a").sees("context-1.2").press("a").sees("context-2.1").press("left").sees("≠ disputed", "ann edited it · bob accepted it")
	d.press("c").sees("as ann edited it", "middle.!").press("f", "f", "f", "f", "f").sees("1 disputed", "1 of 1")
	d.press("s").sees("settles the disagreement").press("esc", "s", "e").sees("your wording", "middle.!").press("ctrl+s").sees("and settled", "bob edited it, which settles it")
	if got, want := states(set), "median 1.1 accepted, median 1.2 edited"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.press("u").sees("≠ disputed")
}

// Another wording that comes while a reason or an edit is open is shown after it, and the
// decision is about the wording that was read.
func TestAnotherComesMeanwhile(t *testing.T) {
	come := func(err error) (set *prompts.Set, d *driver, comes func()) {
		set = written(t, 1)
		gate := make(chan struct{})
		d = reviewer(t, set, "ann", func(o *screen.Options) {
			another := o.Another
			o.Another = func(ctx context.Context, task *benchmark.Task, level, wording int) error {
				<-gate
				if err != nil {
					return err
				}
				return another(ctx, task, level, wording)
			}
		})
		return set, d, func() { close(gate); d.settled() }
	}
	about := func(set *prompts.Set, wording int) string {
		text, err := os.ReadFile(set.Path)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for line := range strings.Lines(string(text)) {
			var ev struct{ Decision, Draft *prompts.Decision }
			if err := json.Unmarshal([]byte(line), &ev); err != nil {
				t.Fatal(err)
			}
			if d := ev.Decision; d != nil && d.Wording == wording {
				list = append(list, fmt.Sprintf("%s %d %s", d.Verdict, d.Number, d.Text+d.Reason))
			}
			if d := ev.Draft; d != nil && d.Wording == wording {
				list = append(list, fmt.Sprintf("draft %d %s", d.Number, d.Text))
			}
		}
		return strings.Join(list, ", ")
	}
	set, d, comes := come(nil)
	d.press("n").sees("writes median").press("r").sees("Why is it rejected?").press("bad")
	comes()
	d.sees("bad", "which returns the median of at least one").press("enter").sees("context-1.1 is rejected. Another wording of median context-1.1", "context-1.2")
	if got := about(set, 1); got != "reject 1 bad" {
		t.Errorf("the file says %q", got)
	}
	d.press("left").sees("Another wording of median.", "· undecided", "candidate 2")
	d.press("u").sees("the one before is back", "✗ rejected").press("u").sees("taken back", "· undecided")

	set, d, comes = come(nil)
	d.press("n").sees("writes median").press("e").sees("your wording").press(" Quickly.")
	comes()
	d.sees("Quickly.", "The other wording has come").press("ctrl+s").sees("Another wording of median", "context-1.2")
	if got := about(set, 1); !strings.Contains(got, "edit 1 Write median, which") || !strings.HasSuffix(got, "Quickly.") {
		t.Errorf("the file says %q", got)
	}

	// A draft stays with the wording that it is of.
	set, d, comes = come(nil)
	d.press("n").sees("writes median").press("e").sees("your wording").press(" Quickly.")
	d.until("a draft in the file while it is edited", func(string) bool { return strings.HasPrefix(about(set, 1), "draft 1 Write") })
	comes()
	d.press("esc").sees("kept with the wording before, which u brings", "Another wording of median.")
	if got := about(set, 1); !strings.HasPrefix(got, "draft 1 Write") {
		t.Errorf("the file says %q", got)
	}
	d.press("u").sees("your draft is kept").press("e").sees("your wording", "Quickly.")

	// One leaves the line of the reason, or another prompt's; or there is no other wording.
	set, d, comes = come(nil)
	d.press("n").sees("writes median").press("r").sees("Why is it rejected?")
	comes()
	d.press("esc").sees("Another wording of median.", "candidate 2").press("a").sees("context-1.2")
	if got := about(set, 1); got != "accept 2 " {
		t.Errorf("the file says %q", got)
	}
	_, d, comes = come(nil)
	d.press("n").sees("writes median").press("right", "r").sees("Why is it rejected?", "context-1.2")
	comes()
	d.press("enter").sees("context-1.2 is rejected. Another wording of median context-1.1", "context-2.1")
	_, d, comes = come(errors.New("nobody answers"))
	d.press("n").sees("writes median").press("r").sees("Why is it rejected?")
	comes()
	d.press("x", "enter").sees("✗ median context-1.1 is rejected. There is no other wording", "nobody answers")
}

// Filters list what there is now, and stay as they are while one decides.
func TestPromptFilters(t *testing.T) {
	d := reviewer(t, written(t, 1), "ann").press("f").sees("4 undecided", "1 of 4")
	d.press("a").sees("2 of 4").press("left").sees("✓ accepted", "1 of 4").press("left").sees("This is the first one")
	d.press("f").sees("1 accepted").press("tab").sees("No prompt here is left").press("f").sees("No prompt is edited").press("a").sees("not now: no prompt is shown")
	d.press("f", "f", "f").sees("2 flagged", "context-2.1").press("l").sees("! names", "! example").press("down", "enter").sees("double · context-1.1", "it still has an example")
	d.press("f").sees("4 of 4", "double")
}

// What cannot be done says why: no model, one that fails, one that is stopped, a file that
// cannot be written.
func TestPromptTrouble(t *testing.T) {
	set := written(t, 1)
	reviewer(t, set, "ann", func(o *screen.Options) { o.Another, o.NoWriter = nil, "there is no model \"writer\"" }).press("n").sees("not now: there is no model")
	fails := func(o *screen.Options) {
		o.Another = func(context.Context, *benchmark.Task, int, int) error {
			return errors.New("nobody answers there: is the model server running? It is looked for at the usual place")
		}
	}
	reviewer(t, set, "ann", fails).press("n").sees("✗ There is no other wording of median context-1.1: nobody answers there", "at the usual place")
	waits := func(o *screen.Options) {
		o.Another = func(ctx context.Context, _ *benchmark.Task, _, _ int) error { <-ctx.Done(); return ctx.Err() }
	}
	d := reviewer(t, set, "ann", waits).press("n").sees("… writer writes median context-1.1 anew", "esc stops it")
	d.press("right").sees("context-1.2").press("n").sees("not now: another wording is being written").press("esc").sees("It is stopped")
	d.press("e").sees("your wording")
	d.send(tea.PasteMsg{Content: "pasted"})
	d.sees("pasted").press("esc").sees("e goes on with it").press("e").sees("pasted").press("f9", "backspace", "ctrl+s").sees("The prompt is empty").press("ctrl+z").sees("pasted")
	// What is being edited is kept when one leaves, and gone on with another time.
	d.press("right", "!", "ctrl+c").sees("Leave assay?").press("y").ends()
	d = reviewer(t, set, "ann").press("right").sees("your draft is kept").press("e").sees("pasted!")
	d.press("f9").press(strings.Split(worded()[0].Description, "\n")[0]).press("esc").sees("goes on with it").press("q").ends()
	d = reviewer(t, set, "bob")
	if text := d.press("right").sees("context-1.2").screen(); strings.Contains(text, "draft") {
		t.Errorf("bob sees a draft of ann's:\n%s", text)
	}
	d.press("left").sees("context-1.1")
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	d.press("a", "a").sees("✗ It is not kept", "0 of 4 decided", "context-1.1")
	none := reviewer(t, set, "ann", func(o *screen.Options) { o.Tasks = nil })
	none.sees("no prompts of these tasks").press("a", "right", "down", "l", "enter", "c", "e").sees("not now: no prompt is shown")
}

// No sequence of keys panics or draws outside the terminal, and what the screen counts
// is what the file says.
func TestAnyKeysReviewPrompts(t *testing.T) {
	names := []string{"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "tab", "enter", "esc", "space", "backspace", "delete", "ctrl+s", "ctrl+z", "ctrl+r", "ctrl+x", "ctrl+g", "ctrl+v", "ctrl+u", "ctrl+d", "f9", "ctrl+space", "shift+left"}
	rapid.Check(t, func(rt *rapid.T) {
		set := written(t, rapid.IntRange(1, 2).Draw(rt, "reviewers"))
		if rapid.Bool().Draw(rt, "disputed") {
			set = disagree(t)
		}
		d := reviewer(t, set, "ann")
		for range rapid.IntRange(1, 50).Draw(rt, "keys") {
			switch rapid.IntRange(0, 5).Draw(rt, "kind") {
			case 0, 1:
				d.press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 2:
				size := rapid.SampledFrom(sizes).Draw(rt, "size")
				d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
				d.send(tea.MouseClickMsg{X: rapid.IntRange(0, 130).Draw(rt, "x"), Y: rapid.IntRange(0, 45).Draw(rt, "y"), Button: tea.MouseLeft})
				d.send(tea.MouseWheelMsg{X: 3, Y: 8, Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(rt, "wheel")})
				d.send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.press(rapid.SampledFrom([]string{"a", "e", "r", "n", "u", "s", "f", "c", "l", "[", "]", "j", "G", "x", "é"}).Draw(rt, "letter"))
			}
			d.idle()
			if d.Quit {
				return
			}
			checkDrawn(rt, d)
		}
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.settled()
		again, err := prompts.Open(set.Path)
		if err != nil {
			rt.Fatal(err)
		}
		if a, b := states(set), states(again); a != b {
			rt.Fatalf("%q in memory, %q in the file", a, b)
		}
	})
}
