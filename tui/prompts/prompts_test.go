package prompts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session/prompts"
	screen "assay/tui/prompts"
	"assay/tui/tuitest"
)

// states are the reviews of all prompts, without those nobody decided on.
func states(set *prompts.Set) string {
	var list []string
	for _, task := range tuitest.Worded() {
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
	set := tuitest.Written(t, 1)
	d := tuitest.Reviewer(t, set, "ann")
	d.Press("a").Sees("median context-1.1 is accepted.", "median · context-1.2", "1 of 4 decided")
	d.Press("e").Sees("your wording").Press(" Quickly.", "ctrl+z").Sees("in the middle.").Press("ctrl+r").Sees("Quickly.").Press("ctrl+s").Sees("is accepted as you edited it", "median · context-2.1")
	d.Press("r").Sees("Why is it rejected?").Press("it names? things", "enter").Sees("context-2.1 is rejected.", "double · context-1.1", "3 of 4 decided")
	again, err := prompts.Open(set.Path)
	fatal.If(t, err)
	if got, want := states(again), "median 1.1 accepted, median 1.2 edited, median 2.1 rejected"; got != want {
		t.Errorf("the file says %q, want %q", got, want)
	}
	if e := again.Entries(tuitest.Worded()[0], "")[2]; e.Decisions[0].Reason != "it names? things" || !e.Decisions[0].At.Equal(tuitest.Noon()) || e.Decisions[0].Reviewer != "ann" {
		t.Errorf("%+v", e.Decisions)
	}
	d.Press("n").Sees("Another wording of double.", "Another wording of double context-1.1 has arrived", "candidate 2")
	d.Press("a").Sees("All are decided on", "4 of 4 decided")
	d.Press("u").Sees("The decision is taken back.", "double · context-1.1", "· undecided")
	d.Press("u").Sees("the previous one is back", "For example").Press("u").Sees("median · context-2.1", "· undecided").Press("u").Sees("median · context-1.2", "1 of 4 decided").Press("u").Sees("context-1.1", "0 of 4 decided")
	d.Press("u").Sees("not now: you have decided nothing since")
	if got := states(set); got != "" {
		t.Errorf("after all was taken back: %q", got)
	}
	d.Press("q").Ends()
}

// All prompts without a doubt are accepted at once, after a question, and the file says that they were; those that raise one stay.
func TestAcceptWithoutDoubts(t *testing.T) {
	set := tuitest.Written(t, 1)
	d := tuitest.Reviewer(t, set, "ann")
	d.Press("l", "A").Sees("no doubt was found", "accepts all of them unread", "0 of 4 decided")
	d.Press("down", "A").Sees("0 of 4 decided")
	var want []string // those without a doubt
	doubted := 0
	for _, task := range tuitest.Worded() {
		checker, all := prompts.NewChecker(task), []prompts.Prompt{}
		for _, e := range set.Entries(task, "ann") {
			all = append(all, e.Prompt)
		}
		for _, e := range set.Entries(task, "ann") {
			if len(checker.Check(e.Prompt, all)) == 0 {
				want = append(want, task.ID+" "+strings.TrimPrefix(e.Name, "context-")+" accepted")
			} else {
				doubted++
			}
		}
	}
	if len(want) < 2 || doubted == 0 {
		t.Fatalf("%d prompts are without doubts and %d are not", len(want), doubted)
	}
	d.Press("A").Sees("prompts accepted")
	if got := states(set); got != strings.Join(want, ", ") {
		t.Errorf("accepted: %q, want %q", got, want)
	}
	again, err := prompts.Open(set.Path)
	fatal.If(t, err)
	for _, task := range tuitest.Worded() {
		for _, e := range again.Entries(task, "") {
			if e.Review == prompts.Accepted && e.Decisions[0].Reason != "accepted with all in which no doubt was found" {
				t.Errorf("%s %s: %+v", task.ID, e.Name, e.Decisions)
			}
		}
	}
	d.Press("A").Sees("not now: each prompt here raises a doubt or is decided on")
	d.Press("esc", "u").Sees("The decision is taken back.")
}

// Keys pressed faster than the file is written are kept for the prompts to come.
func TestFastReview(t *testing.T) {
	set := tuitest.Written(t, 1)
	d := tuitest.Reviewer(t, set, "ann")
	d.Press("a", "a", "r", "x", "enter", "a").Sees("4 of 4 decided")
	if got, want := states(set), "median 1.1 accepted, median 1.2 accepted, median 2.1 rejected, double 1.1 accepted"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A second reviewer does not see what the first decided before he has; then
// disagreements are listed, and can be settled.
func TestSecondReviewer(t *testing.T) {
	set := tuitest.Written(t, 2)
	tuitest.Reviewer(t, set, "ann").Press("a").Sees("context-1.2").Press("e").Sees("your wording").Press("!", "ctrl+s").Sees("context-2.1")
	d := tuitest.Reviewer(t, set, "bob").Sees("0 of 4 decided", "· undecided", "level 1: inputs")
	if text := d.Screen(); strings.Contains(text, "ann") {
		t.Errorf("bob sees ann:\n%s", text)
	}
	d.Press("s").Sees("not now: nobody disagrees").Press("a").Sees("context-1.2").Press("a").Sees("context-2.1").Press("left").Sees("≠ disputed", "ann edited it · bob accepted it")
	d.Press("c").Sees("as ann edited it", "middle.!").Press("f", "f", "f", "f", "f").Sees("1 disputed", "1 of 1")
	d.Press("s").Sees("settles the disagreement").Press("esc", "s", "e").Sees("your wording", "middle.!").Press("ctrl+s").Sees("and settled", "bob edited it, which settles it")
	if got, want := states(set), "median 1.1 accepted, median 1.2 edited"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.Press("u").Sees("≠ disputed")
}

// Another wording that comes while a reason or an edit is open is shown after it, and the
// decision is about the wording that was read.
func TestAnotherComesMeanwhile(t *testing.T) {
	come := func(err error) (set *prompts.Set, d *tuitest.Driver, comes func()) {
		set = tuitest.Written(t, 1)
		gate := make(chan struct{})
		d = tuitest.Reviewer(t, set, "ann", func(o *screen.Options) {
			another := o.Another
			o.Another = func(ctx context.Context, task *benchmark.Task, level, wording int) error {
				<-gate
				if err != nil {
					return err
				}
				return another(ctx, task, level, wording)
			}
		})
		return set, d, func() { close(gate); d.Settled() }
	}
	about := func(set *prompts.Set, wording int) string {
		text := fatal.Read(t, set.Path)
		var list []string
		for line := range strings.Lines(string(text)) {
			var ev struct{ Decision, Draft *prompts.Decision }
			fatal.If(t, json.Unmarshal([]byte(line), &ev))
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
	d.Press("n").Sees("writes median").Press("r").Sees("Why is it rejected?").Press("bad")
	comes()
	d.Sees("bad", "which returns the median of at least one").Press("enter").Sees("context-1.1 is rejected. Another wording of median context-1.1", "context-1.2")
	if got := about(set, 1); got != "reject 1 bad" {
		t.Errorf("the file says %q", got)
	}
	d.Press("left").Sees("Another wording of median.", "· undecided", "candidate 2")
	d.Press("u").Sees("the previous one is back", "✗ rejected").Press("u").Sees("taken back", "· undecided")

	set, d, comes = come(nil)
	d.Press("n").Sees("writes median").Press("e").Sees("your wording").Press(" Quickly.")
	comes()
	d.Sees("Quickly.", "The other wording has arrived").Press("ctrl+s").Sees("Another wording of median", "context-1.2")
	if got := about(set, 1); !strings.Contains(got, "edit 1 Write median, which") || !strings.HasSuffix(got, "Quickly.") {
		t.Errorf("the file says %q", got)
	}

	// A draft stays with the wording that it is of.
	set, d, comes = come(nil)
	d.Press("n").Sees("writes median").Press("e").Sees("your wording").Press(" Quickly.")
	d.Until("a draft in the file while it is edited", func(string) bool { return strings.HasPrefix(about(set, 1), "draft 1 Write") })
	comes()
	d.Press("esc").Sees("saved with the previous wording, which u brings", "Another wording of median.")
	if got := about(set, 1); !strings.HasPrefix(got, "draft 1 Write") {
		t.Errorf("the file says %q", got)
	}
	d.Press("u").Sees("your draft is saved").Press("e").Sees("your wording", "Quickly.")

	// One leaves the line of the reason, or another prompt's; or there is no other wording.
	set, d, comes = come(nil)
	d.Press("n").Sees("writes median").Press("r").Sees("Why is it rejected?")
	comes()
	d.Press("esc").Sees("Another wording of median.", "candidate 2").Press("a").Sees("context-1.2")
	if got := about(set, 1); got != "accept 2 " {
		t.Errorf("the file says %q", got)
	}
	_, d, comes = come(nil)
	d.Press("n").Sees("writes median").Press("right", "r").Sees("Why is it rejected?", "context-1.2")
	comes()
	d.Press("enter").Sees("context-1.2 is rejected. Another wording of median context-1.1", "context-2.1")
	_, d, comes = come(errors.New("nobody answers"))
	d.Press("n").Sees("writes median").Press("r").Sees("Why is it rejected?")
	comes()
	d.Press("x", "enter").Sees("✗ median context-1.1 is rejected. There is no other wording", "nobody answers")
}

// Filters list what there is now, and stay as they are while one decides.
func TestPromptFilters(t *testing.T) {
	d := tuitest.Reviewer(t, tuitest.Written(t, 1), "ann").Press("f").Sees("4 undecided", "1 of 4")
	d.Press("a").Sees("2 of 4").Press("left").Sees("✓ accepted", "1 of 4").Press("left").Sees("This is the first one")
	d.Press("f").Sees("1 accepted").Press("tab").Sees("no other prompt here is left").Press("f").Sees("No prompt is edited").Press("a").Sees("not now: no prompt is shown")
	d.Press("f", "f", "f").Sees("2 flagged", "context-2.1").Press("l").Sees("! names", "! example").Press("down", "enter").Sees("double · context-1.1", "it still has an example")
	d.Press("f").Sees("4 of 4", "double")
}

// What cannot be done says why: no model, one that fails, one that is stopped, a file that
// cannot be written.
func TestPromptTrouble(t *testing.T) {
	set := tuitest.Written(t, 1)
	tuitest.Reviewer(t, set, "ann", func(o *screen.Options) { o.Another, o.NoWriter = nil, "there is no model \"writer\"" }).Press("n").Sees("not now: there is no model")
	fails := func(o *screen.Options) {
		o.Another = func(context.Context, *benchmark.Task, int, int) error {
			return errors.New("nobody answers there: is the model server running? It is looked for at the usual place")
		}
	}
	tuitest.Reviewer(t, set, "ann", fails).Press("n").Sees("✗ There is no other wording of median context-1.1: nobody answers there", "at the usual place")
	waits := func(o *screen.Options) {
		o.Another = func(ctx context.Context, _ *benchmark.Task, _, _ int) error { <-ctx.Done(); return ctx.Err() }
	}
	d := tuitest.Reviewer(t, set, "ann", waits).Press("n").Sees("… writer writes median context-1.1 anew", "esc stops it")
	d.Press("right").Sees("context-1.2").Press("n").Sees("not now: another wording is being written").Press("esc").Sees("Stopped:")
	d.Press("e").Sees("your wording")
	d.Send(tea.PasteMsg{Content: "pasted"})
	d.Sees("pasted").Press("esc").Sees("e continues it").Press("e").Sees("pasted").Press("f9", "backspace", "ctrl+s").Sees("The prompt is empty").Press("ctrl+z").Sees("pasted")
	// What is being edited is kept when one leaves, and gone on with another time.
	d.Press("right", "!", "ctrl+c").Sees("Leave assay?").Press("y").Ends()
	d = tuitest.Reviewer(t, set, "ann").Press("right").Sees("your draft is saved").Press("e").Sees("pasted!")
	d.Press("f9").Press(strings.Split(tuitest.Worded()[0].Description, "\n")[0]).Press("esc").Sees("continues it").Press("q").Ends()
	d = tuitest.Reviewer(t, set, "bob")
	if text := d.Press("right").Sees("context-1.2").Screen(); strings.Contains(text, "draft") {
		t.Errorf("bob sees a draft of ann's:\n%s", text)
	}
	d.Press("left").Sees("context-1.1")
	fatal.If(t, set.Close())
	d.Press("a", "a").Sees("✗ Not saved", "0 of 4 decided", "context-1.1")
	none := tuitest.Reviewer(t, set, "ann", func(o *screen.Options) { o.Tasks = nil })
	none.Sees("no prompts to decide on").Press("a", "right", "down", "l", "enter", "c", "e").Sees("not now: no prompt is shown")
}

// No sequence of keys panics or draws outside the terminal, and what the screen counts
// is what the file says.
func TestAnyKeysReviewPrompts(t *testing.T) {
	names := []string{"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "tab", "enter", "esc", "space", "backspace", "delete", "ctrl+s", "ctrl+z", "ctrl+r", "ctrl+x", "ctrl+g", "ctrl+v", "ctrl+u", "ctrl+d", "f9", "ctrl+space", "shift+left"}
	rapid.Check(t, func(rt *rapid.T) {
		set := tuitest.Written(t, rapid.IntRange(1, 2).Draw(rt, "reviewers"))
		if rapid.Bool().Draw(rt, "disputed") {
			set = tuitest.Disagree(t)
		}
		d := tuitest.Reviewer(t, set, "ann")
		for range rapid.IntRange(1, 50).Draw(rt, "keys") {
			switch rapid.IntRange(0, 5).Draw(rt, "kind") {
			case 0, 1:
				d.Press(rapid.SampledFrom(names).Draw(rt, "name"))
			case 2:
				size := rapid.SampledFrom(tuitest.Sizes).Draw(rt, "size")
				d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
				d.Send(tea.MouseClickMsg{X: rapid.IntRange(0, 130).Draw(rt, "x"), Y: rapid.IntRange(0, 45).Draw(rt, "y"), Button: tea.MouseLeft})
				d.Send(tea.MouseWheelMsg{X: 3, Y: 8, Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(rt, "wheel")})
				d.Send(tea.PasteMsg{Content: rapid.String().Draw(rt, "paste")})
			default:
				d.Press(rapid.SampledFrom([]string{"a", "e", "r", "n", "u", "s", "f", "c", "l", "[", "]", "j", "G", "x", "é"}).Draw(rt, "letter"))
			}
			d.Idle()
			if d.Quit {
				return
			}
			tuitest.CheckDrawn(rt, d)
		}
		d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.Settled()
		again, err := prompts.Open(set.Path)
		fatal.If(rt, err)
		if a, b := states(set), states(again); a != b {
			rt.Fatalf("%q in memory, %q in the file", a, b)
		}
	})
}

// Harder tasks: the texts to compare with, a rejection, an edit of the statement, and no other wording.
func TestReviewHarderTasks(t *testing.T) {
	d := tuitest.Hardener(t, "ann").Sees("the original", "1 test case · 50 % of the answers solve it")
	d.Press("c").Sees("interface and examples", "floor_tally(xs: list[int]) -> list[int]").Press("c").Sees("the test cases").Press("c").Sees("the new solution", "not compared").Press("c").Sees("the second solution, of other").Press("c").Sees("the original")
	d.Press("n").Sees("a task has one statement").Press("e").Sees("your wording").Press(" First.", "ctrl+s").Sees("floor-tally is accepted as you edited it.", "floor-states-1", "! disagreement: floor_states([-1, 2]): expected")
	d.Press("r").Sees("Why is it rejected?").Press("unclear", "enter").Sees("floor-states-1 is rejected.", "2 of 2 decided")
	d.Press("u").Sees("The decision is taken back.", "1 of 2 decided").Press("s").Sees("nobody disagrees about this task")
}
