package tui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/work"
)

// refined is a session at its second prompt; the first was "Double it, quickly.".
func refined(t *testing.T, adjust ...func(*session.Choice)) (*driver, *enginetest.Rig) {
	t.Helper()
	d, rig := begin(t, 2, adjust...)
	rig.Client.Say(wrongAnswer)
	d.press("enter").sees("your prompt").press("Double it, quickly.", "ctrl+s").sees("tests ✗ 2 of 3").press("r").sees("your next")
	return d, rig
}

// drafted waits until the log has a draft.
func (d *driver) drafted(rig *enginetest.Rig, want string, inserted int) *driver {
	d.T.Helper()
	return d.until("the draft "+want, func(string) bool {
		task := rig.Engine.State().Task()
		return task != nil && task.Draft() == want && task.InsertedBytes() == inserted
	})
}

// Typing and motions: what is undone can come again, and the log follows.
func TestUndoTyping(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("one two", "enter", "three")
	d.drafted(rig, "one two\nthree", 0)
	d.press("ctrl+z", "ctrl+z").drafted(rig, "one two", 0)
	d.press("ctrl+r").drafted(rig, "one two\n", 0)
	d.press("backspace", "home", "zero ").drafted(rig, "zero one two", 0)
	d.press("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z").sees("There is no typing to take back.").drafted(rig, "", 0)
	d.press("ctrl+r", "ctrl+r", "ctrl+r", "ctrl+r", "ctrl+r").sees("Nothing was taken back that could come again.")
}

// What undo brings back counts as what it was.
func TestUndoKeepsOrigin(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("typed ")
	d.send(tea.PasteMsg{Content: "pasted"})
	d.press(" typed").drafted(rig, "typed pasted typed", 6)
	d.press("f9", "delete").drafted(rig, "", 0)
	d.press("ctrl+z").drafted(rig, "typed pasted typed", 6)
	d.press("ctrl+z", "ctrl+z").drafted(rig, "typed ", 0)
	d.press("ctrl+r").drafted(rig, "typed pasted", 6)
}

// Two edits at different places between two savings are two changes: what was pasted
// between them stays pasted.
func TestFarEditsAreTwoChanges(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt")
	d.send(tea.PasteMsg{Content: "a long text that was pasted"})
	d.press("home", "<", "end", ">").drafted(rig, "<a long text that was pasted>", 27)
}

// Selecting with a mark works on terminals that pass no shifted arrows on; what is cut or
// copied goes to the terminal's clipboard and can be put back.
func TestSelectCutCopyPaste(t *testing.T) {
	t.Parallel()
	rig, err := enginetest.New(1)
	if err != nil {
		t.Fatal(err)
	}
	copied := ""
	d := drive(t, work.New(rig.Engine, work.Options{Copy: func(text string) tea.Cmd { copied = text; return nil }}), 80, 24)
	d.press("enter").sees("your prompt").press("one two", "ctrl+g").sees("Nothing is selected").press("ctrl+v").sees("Nothing was cut or copied here")
	d.press("ctrl+space").sees("motions select").press("left", "left", "left").sees("3 characters selected")
	d.press("ctrl+g").sees("The text (3 bytes) was sent")
	if copied != "two" {
		t.Errorf("copied %q", copied)
	}
	d.press("esc").sees("conversation ──").press("shift+left", "ctrl+x").drafted(rig, "onetwo", 0)
	if copied != " " {
		t.Errorf("cut %q", copied)
	}
	d.press("ctrl+v", "ctrl+v").drafted(rig, "one  two", 2)
	d.press("enter", "f9").sees("2 lines selected").press("x").drafted(rig, "x", 0)
	d.press("esc").sees("The prompt is saved as it stands.")
}

// The prompts sent before are a list with a preview; whatever is taken of it, the draft
// can be brought back.
func TestPromptsBefore(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("f7").sees("not now: none was sent in this session")
	rig.Client.Say(wrongAnswer)
	d.press("The first.", "ctrl+s").sees("tests ✗ 2 of 3").press("r").sees("your next")
	rig.Client.Say(wrongAnswer)
	d.press("The second.", "ctrl+s").sees("attempt 2/10", "tests ✗ 2 of 3").press("r").sees("your next")
	d.press("Unsent", "f7").sees("Prompts sent before: 1 of 2", "▸ Double 1 · attempt 2", "The second.", "r replace the draft")
	d.press("f7").sees("▸ Double 1 · attempt 1", "The first.").press("down", "f8").sees("▸ Double 1 · attempt 2")
	d.press("esc").sees("Unsent").press("f7", "down", "enter").sees("Unsent", "The first.").drafted(rig, "Unsent\nThe first.", 11)
	d.press("ctrl+z").drafted(rig, "Unsent", 0)
	d.press("f7", "r").sees("ctrl+z brings back").drafted(rig, "The second.", 11)
	d.press("ctrl+z").drafted(rig, "Unsent", 0)
}

// What the draft changes of the prompt before stands above it, and follows the keys.
func TestDifference(t *testing.T) {
	t.Parallel()
	d, _ := begin(t, 1)
	d.press("enter").sees("your prompt").press("f8").sees("not now: this is the first attempt")
	d, _ = refined(t, func(c *session.Choice) { c.Context = session.Fresh })
	d.press("f8").sees("the draft against the prompt before", "Both are the same.")
	d.press("backspace", " and well.").sees("Double it, quickly{+ and well+}.")
	d.press("home", "delete", "delete", "delete", "delete", "delete", "delete", "Triple").sees("[-Double-]{+Triple+} it, quickly{+ and well+}.")
	d.press("f8").sees("twice the number").press("tab", "tab", "tab").sees("the draft against the prompt before").press("tab").sees("twice the number")
}

// The list of insertions shows what it would insert, and inserts it by its number or by
// enter.
func TestInsertList(t *testing.T) {
	t.Parallel()
	d, rig := refined(t)
	d.press("x", "ctrl+t").sees("Insert at the cursor", "▸ 1   the statement", "what it inserts", "Return twice the number")
	d.press("down", "down", "down").sees("▸ 4   the prompt before", "19 bytes", "Double it, quickly.")
	d.press("down", "down").sees("▸ 6   the first failing test", "expected 4").press("enter")
	d.until("the inserted test", func(string) bool {
		return strings.HasPrefix(rig.Engine.State().Task().Draft(), "x\ndouble(2) fails: expected 4")
	})
	d.press("f9", "ctrl+t", "4").drafted(rig, "Double it, quickly.", 19)
	d.press("ctrl+t", "esc").sees("your next message")
	fresh, _ := begin(t, 1)
	fresh.press("enter").sees("your prompt").press("ctrl+t", "5").sees("5: this is the first attempt")
	fresh.press("end", "enter").sees("enter: no test has failed")
}

// A draft that has nothing to do with the prompt before is not compared with it by words.
func TestUnrelatedPrompts(t *testing.T) {
	t.Parallel()
	d, _ := refined(t)
	d.press("f8").sees("They have little in common", "Double it, quickly.")
	d.press("Now explain every step in a comment, please").sees("They have little in common").lacks("{+")
	d.press("f9", "delete", "Double it, slowly.").sees("Double it, [-quickly-]{+slowly+}.")
}

// What can be inserted after code that ran no test case is why it ran none.
func TestInsertWhyNoTestRan(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	rig.Client.Say("There is no code in this answer.")
	d.press("enter").sees("your prompt").press("Double it.", "ctrl+s").sees("tests ✗ 0 of 3").press("r").sees("your next")
	d.press("ctrl+t", "end").sees("runtime error: there is no code to run").press("enter").sees("runtime error: there is no code to run", "your next")
}

// The editor is the one that is named, else the first of the usual ones that is there.
func TestEditorIsFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	env := map[string]string{"VISUAL": " ", "EDITOR": ""}
	getenv := func(name string) string { return env[name] }
	for _, step := range []struct{ install, set, want string }{
		{"", "", ""}, {"vi", "", "vi"}, {"nano", "", "nano"}, {"editor", "", "editor"}, {"", "emacs -nw", "emacs -nw"},
	} {
		if step.install != "" {
			if err := os.WriteFile(filepath.Join(dir, step.install), []byte("#!/bin/sh\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		env["EDITOR"] = step.set
		if got := work.Editor(getenv); got != step.want {
			t.Errorf("after %+v: %q", step, got)
		}
	}
}

// f3 and f6 stand in the legend; the others have tests of their own.
func TestOtherComposeKeys(t *testing.T) {
	t.Parallel()
	d, _ := refined(t)
	d.press("f1").sees("ctrl+s", "ctrl+t", "ctrl+o", "f2", "f3", "f4 f5", "f6", "f7", "f8", "ctrl+z ctrl+r", "ctrl+space", "ctrl+x ctrl+g ctrl+v").press("esc")
	d.press("f3").sees("Leave this task out?").press("esc")
	d.press("f6").sees("y satisfied")
}

// An answer that failed leaves the draft as it was, and what can be undone of it.
func TestUndoOutlivesAFailure(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("one", "enter", "two", "ctrl+s").sees("waiting for the first words").press("esc").sees("You stopped the answer")
	d.press("ctrl+z").drafted(rig, "one\n", 0)
}

// The mouse sets the cursor and selects.
func TestComposeMouse(t *testing.T) {
	t.Parallel()
	rig, err := enginetest.New(1)
	if err != nil {
		t.Fatal(err)
	}
	m := work.New(rig.Engine, work.Options{})
	d := drive(t, m, 80, 24)
	d.press("enter").sees("your prompt").press("one two", "enter", "three").sees("three")
	row := 0
	for i, l := range strings.Split(d.screen(), "\n") {
		if strings.HasPrefix(l, " one two") {
			row = i - 2 // header and rule
		}
	}
	click := func(x, y int) { d.run(m.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, x, y)) }
	click(5, row)
	d.press("x").drafted(rig, "one xtwo\nthree", 0)
	click(1, row)
	m.Mouse(tea.MouseMotionMsg{Button: tea.MouseLeft}, 3, row+1)
	m.Mouse(tea.MouseReleaseMsg{}, 3, row+1)
	d.sees("2 lines selected").press("delete").drafted(rig, "ree", 0)
	click(5, 1) // the statement is not the editor
	d.press("x").drafted(rig, "xree", 0)
}

// On wide screens what came of the attempt before stands beside the statement and the
// editor: its answer first, then what tab chooses. Each is scrolled by itself.
func TestThreePanesWhileComposing(t *testing.T) {
	t.Parallel()
	d, _ := refined(t)
	d.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	panes := func() []string { return strings.Split(strings.Split(d.settled().screen(), "\n")[2], "│") }
	for _, keys := range []struct{ press, third string }{{"", "the answer before"}, {"tab", "the answer before"}, {"tab", ""}, {"tab", "the draft against the prompt before"}} {
		if keys.press != "" {
			d.press(keys.press)
		}
		if cells := panes(); len(cells) != 3 || strings.TrimSpace(cells[0]) != "Double 1" || !strings.Contains(cells[1], "your next message") || !strings.Contains(cells[2], keys.third) {
			t.Errorf("after %s: %q", keys.press, cells)
		}
	}
	d.press("tab", "tab", "tab").sees("✗ wrong answer", "expected  4").press("and again").sees("│ and again")
	d.send(tea.WindowSizeMsg{Width: 150, Height: 45})
	if cells := panes(); len(cells) != 2 {
		t.Errorf("%q", cells)
	}
}

// What tab chose of the panes is what f5, f4 and the position are of; the wheel scrolls what
// is under it.
func TestPanesScrollByThemselves(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	rig.Client.Say(longAnswer(60))
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓ 3 of 3").press("r").sees("your next")
	d.use("mouse = true").send(tea.WindowSizeMsg{Width: 160, Height: 20})
	d.sees("Double 1", "the answer before", "1-15 of 131 · tab chooses it").press("tab").sees("1-15 of 131 · f5 down")
	d.press("f5").sees("15-29 of 131 · f5 down, f4 up", "Double 1").press("tab", "tab", "tab").sees("15-29 of 131 · tab chooses it")
	d.send(tea.MouseWheelMsg{X: 150, Y: 6, Button: tea.MouseWheelDown})
	d.sees("18-32 of 131", "Double 1")
}

// What cannot be saved is saved later, with its origin.
func TestUnsavedKeepsOrigin(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("typed ").drafted(rig, "typed ", 0)
	rig.Store.Fail(os.ErrPermission)
	d.send(tea.PasteMsg{Content: "pasted"})
	d.sees("was not saved")
	rig.Store.Fail(nil)
	d.press("!").drafted(rig, "typed pasted!", 6)
}
