package work_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui/tuitest"
	"assay/tui/work"
	"assay/tui/work/live"
	"assay/tui/work/viewer"
)

// Typing and motions: what is undone can come again, and the log follows.
func TestUndoTyping(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("one two", "enter", "three")
	d.Drafted(rig, "one two\nthree", 0)
	d.Press("ctrl+z", "ctrl+z").Drafted(rig, "one two", 0)
	d.Press("ctrl+r").Drafted(rig, "one two\n", 0)
	d.Press("backspace", "home", "zero ").Drafted(rig, "zero one two", 0)
	d.Press("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z").Sees("There is nothing to undo.").Drafted(rig, "", 0)
	d.Press("ctrl+r", "ctrl+r", "ctrl+r", "ctrl+r", "ctrl+r").Sees("There is nothing to redo.")
}

// What undo brings back counts as what it was.
func TestUndoKeepsOrigin(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("typed ")
	d.Send(tea.PasteMsg{Content: "pasted"})
	d.Press(" typed").Drafted(rig, "typed pasted typed", 6)
	d.Press("f9", "delete").Drafted(rig, "", 0)
	d.Press("ctrl+z").Drafted(rig, "typed pasted typed", 6)
	d.Press("ctrl+z", "ctrl+z").Drafted(rig, "typed ", 0)
	d.Press("ctrl+r").Drafted(rig, "typed pasted", 6)
}

// Two edits at different places between two savings are two changes: what was pasted
// between them stays pasted.
func TestFarEditsAreTwoChanges(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt")
	d.Send(tea.PasteMsg{Content: "a long text that was pasted"})
	d.Press("home", "<", "end", ">").Drafted(rig, "<a long text that was pasted>", 27)
}

// Selecting with a mark works on terminals that pass no shifted arrows on; what is cut or
// copied goes to the terminal's clipboard and can be put back.
func TestSelectCutCopyPaste(t *testing.T) {
	t.Parallel()
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	copied := ""
	d := tuitest.Drive(t, work.New(rig.Engine, work.Options{Options: viewer.Options{Copy: func(text string) tea.Cmd { copied = text; return nil }}}), 80, 24)
	d.Press("enter").Sees("your prompt").Press("one two", "ctrl+g").Sees("Nothing is selected").Press("ctrl+v").Sees("Nothing was cut or copied here")
	d.Press("ctrl+space").Sees("motions select").Press("left", "left", "left").Sees("3 characters selected")
	d.Press("ctrl+g").Sees("The text (3 characters) was sent")
	if copied != "two" {
		t.Errorf("copied %q", copied)
	}
	d.Press("esc").Until("no selection", func(screen string) bool { return !strings.Contains(screen, "motions select") }).Press("shift+left", "ctrl+x").Drafted(rig, "onetwo", 0)
	if copied != " " {
		t.Errorf("cut %q", copied)
	}
	d.Press("ctrl+v", "ctrl+v").Drafted(rig, "one  two", 2)
	d.Press("enter", "f9").Sees("2 lines selected").Press("x").Drafted(rig, "x", 0)
	d.Press("esc").Sees("The prompt is saved as it stands.")
}

// The prompts sent before are a list with a preview; whatever is taken of it, the draft
// can be brought back.
func TestPromptsBefore(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("f7").Sees("not now: none was sent in this session")
	rig.Client.Say(tuitest.WrongAnswer)
	d.Press("The first.", "ctrl+s").Sees("tests ✗ 2/3").Press("r").Sees("your next")
	rig.Client.Say(tuitest.WrongAnswer)
	d.Press("The second.", "ctrl+s").Sees("attempt 2 of 10", "tests ✗ 2/3").Press("r").Sees("your next")
	d.Press("Unsent", "f7").Sees("Prompts sent before: 1 of 2", "▸ Double 1 · attempt 2", "The second.", "r replace the draft")
	d.Press("f7").Sees("▸ Double 1 · attempt 1", "The first.").Press("down", "f8").Sees("▸ Double 1 · attempt 2")
	d.Press("esc").Sees("Unsent").Press("f7", "down", "enter").Sees("Unsent", "The first.").Drafted(rig, "Unsent\nThe first.", 11)
	d.Press("ctrl+z").Drafted(rig, "Unsent", 0)
	d.Press("f7", "r").Sees("ctrl+z brings back").Drafted(rig, "The second.", 11)
	d.Press("ctrl+z").Drafted(rig, "Unsent", 0)
}

// What the draft changes of the prompt before stands above it, and follows the keys.
func TestDifference(t *testing.T) {
	t.Parallel()
	d, _ := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("f8").Sees("not now: this is the first attempt")
	d, _ = tuitest.Refined(t, func(c *session.Choice) { c.Context = session.Fresh })
	d.Press("f8").Sees("the draft against the prompt before", "Both are the same.")
	d.Press("backspace", " and well.").Sees("Double it, quickly{+ and well+}.")
	d.Press("home", "delete", "delete", "delete", "delete", "delete", "delete", "Triple").Sees("[-Double-]{+Triple+} it, quickly{+ and well+}.")
	d.Press("f8").Sees("twice the number").Press("tab", "tab", "tab").Sees("the draft against the prompt before").Press("tab").Sees("twice the number")
}

// The list of insertions shows what it would insert, and inserts it by its number or by
// enter.
func TestInsertList(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Refined(t)
	d.Press("x", "ctrl+t").Sees("Insert at the cursor", "▸ 1   the statement", "what it inserts", "Return twice the number")
	d.Press("down", "down", "down").Sees("▸ 4   the prompt before", "19 characters", "Double it, quickly.")
	d.Press("down", "down").Sees("▸ 6   the first failing test", "expected 4").Press("enter")
	d.Until("the inserted test", func(string) bool {
		return strings.HasPrefix(rig.Engine.State().Task().Draft(), "x\ndouble(2) fails: expected 4")
	})
	d.Press("f9", "ctrl+t", "4").Drafted(rig, "Double it, quickly.", 19)
	d.Press("ctrl+t", "esc").Sees("your next message")
	fresh, _ := tuitest.Begin(t, 1)
	fresh.Press("enter").Sees("your prompt").Press("ctrl+t", "5").Sees("5: this is the first attempt")
	fresh.Press("7", "8", "9").Sees("9: there are 6 to choose from")
	fresh.Press("end", "enter").Sees("enter: no test has failed")
}

// A draft that has nothing to do with the prompt before is not compared with it by words.
func TestUnrelatedPrompts(t *testing.T) {
	t.Parallel()
	d, _ := tuitest.Refined(t)
	d.Press("f8").Sees("They have little in common", "Double it, quickly.")
	d.Press("Now explain every step in a comment, please").Sees("They have little in common").Lacks("{+")
	d.Press("f9", "delete", "Double it, slowly.").Sees("Double it, [-quickly-]{+slowly+}.")
}

// What can be inserted after code that ran no test case is why it ran none.
func TestInsertWhyNoTestRan(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say("There is no code in this answer.")
	d.Press("enter").Sees("your prompt").Press("Double it.", "ctrl+s").Sees("tests ✗ 0/3").Press("r").Sees("your next")
	d.Press("ctrl+t", "end").Sees("runtime error: there is no code to run").Press("enter").Sees("runtime error: there is no code to run", "your next")
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
			fatal.If(t, os.WriteFile(filepath.Join(dir, step.install), []byte("#!/bin/sh\n"), 0o700))
		}
		env["EDITOR"] = step.set
		if got := live.Editor(getenv); got != step.want {
			t.Errorf("after %+v: %q", step, got)
		}
	}
}

// The legend names the editor that ctrl+o opens, and the list of keys says why there is none.
func TestTheEditorIsNamed(t *testing.T) {
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	for command, want := range map[string]string{"/usr/bin/vim -n": "ctrl+o edit in vim", `"/opt/my editor" -w`: "ctrl+o edit in my editor", "code --wait": "ctrl+o edit in code", "": "no editor was found"} {
		d := tuitest.Drive(t, work.New(rig.Engine, work.Options{Editor: command}), 120, 40).Press("enter").Sees("your prompt")
		if command == "" {
			d.Press("ctrl+o")
		}
		d.Sees(want)
	}
}

// f3 and f6 stand in the legend; the others have tests of their own.
func TestOtherComposeKeys(t *testing.T) {
	t.Parallel()
	d, _ := tuitest.Refined(t)
	d.Press("f1").Sees("ctrl+s", "ctrl+t", "ctrl+o", "f2", "f3", "f4 f5", "f6", "f7", "f8", "ctrl+z", "ctrl+r", "ctrl+space", "ctrl+x").Press("esc")
	d.Press("f3").Sees("Leave this task out?").Press("esc")
	d.Press("f6").Sees("y satisfied")
}

// An answer that failed leaves the draft as it was, and what can be undone of it.
func TestUndoOutlivesAFailure(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("one", "enter", "two", "ctrl+s").Sees("waiting for the first words").Press("esc").Sees("You stopped the answer")
	d.Press("ctrl+z").Drafted(rig, "one\n", 0)
}

// The mouse sets the cursor and selects.
func TestComposeMouse(t *testing.T) {
	t.Parallel()
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	m := work.New(rig.Engine, work.Options{})
	d := tuitest.Drive(t, m, 80, 24)
	d.Press("enter").Sees("your prompt").Press("one two", "enter", "three").Sees("three")
	row := 0
	for i, l := range strings.Split(d.Screen(), "\n") {
		if strings.HasPrefix(l, " one two") {
			row = i - 2 // header and rule
		}
	}
	click := func(x, y int) { d.Run(m.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, x, y)) }
	click(5, row)
	d.Press("x").Drafted(rig, "one xtwo\nthree", 0)
	click(1, row)
	m.Mouse(tea.MouseMotionMsg{Button: tea.MouseLeft}, 3, row+1)
	m.Mouse(tea.MouseReleaseMsg{}, 3, row+1)
	d.Sees("2 lines selected").Press("delete").Drafted(rig, "ree", 0)
	click(5, 1) // the statement is not the editor
	d.Press("x").Drafted(rig, "xree", 0)
}

// On wide screens what came of the attempt before stands beside the statement and the
// editor: its answer first, then what tab chooses. Each is scrolled by itself.
func TestThreePanesWhileComposing(t *testing.T) {
	t.Parallel()
	d, _ := tuitest.Refined(t)
	d.Send(tea.WindowSizeMsg{Width: 200, Height: 60})
	panes := func() []string { return strings.Split(strings.Split(d.Settled().Screen(), "\n")[2], "┬") }
	for _, keys := range []struct{ press, third string }{{"", "the answer before"}, {"tab", "the answer before"}, {"tab", "tests"}, {"tab", "difference"}} {
		if keys.press != "" {
			d.Press(keys.press)
		}
		if cells := panes(); len(cells) != 3 || !strings.Contains(cells[0], "── statement ──") || !strings.Contains(cells[1], "your next message") || !strings.Contains(cells[2], keys.third) {
			t.Errorf("after %s: %q", keys.press, cells)
		}
	}
	d.Press("tab", "tab", "tab").Sees("✗ wrong answer", "expected  4").Press("and again").Sees("│ and again")
	d.Send(tea.WindowSizeMsg{Width: 150, Height: 45})
	if cells := panes(); len(cells) != 2 {
		t.Errorf("%q", cells)
	}
}

// What tab chose of the panes is what f5, f4 and the position are of; the wheel scrolls what
// is under it.
func TestPanesScrollByThemselves(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.LongAnswer(60))
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓ 3/3").Press("r").Sees("your next")
	d.Use("mouse = true").Send(tea.WindowSizeMsg{Width: 160, Height: 20})
	d.Sees("Double 1", "the answer before", "1-14 of 129 · tab chooses it").Press("tab").Sees("1-14 of 129 · f5 down")
	d.Press("f5").Sees("14-27 of 129 · f5 down, f4 up", "Double 1").Press("tab", "tab", "tab").Sees("14-27 of 129 · tab chooses it")
	d.Send(tea.MouseWheelMsg{X: 150, Y: 6, Button: tea.MouseWheelDown})
	d.Sees("17-30 of 129", "Double 1")
}

// What cannot be saved is saved later, with its origin.
func TestUnsavedKeepsOrigin(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("typed ").Drafted(rig, "typed ", 0)
	rig.Store.Fail(os.ErrPermission)
	d.Send(tea.PasteMsg{Content: "pasted"})
	d.Sees("was not saved")
	rig.Store.Fail(nil)
	d.Press("!").Drafted(rig, "typed pasted!", 6)
}

// A prompt that the model's context does not hold is named as such while it is written, before it is sent.
func TestLongPromptIsNamed(t *testing.T) {
	t.Parallel()
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	eng := rig.Reopen(t, func(c *engine.Config) { c.Holds = func(context.Context) int { return 10 } })
	t.Cleanup(func() { _ = eng.Close(context.Background()) })
	d := tuitest.Drive(t, work.New(eng, work.Options{}), 60, 24).Press("enter").Sees("your prompt").Press(strings.Repeat("x", 43))
	if strings.Contains(d.Screen(), "longer than") {
		t.Errorf("43 bytes exceed 10 tokens:\n%s", d.Screen())
	}
	d.Press("x").Sees("longer than the context of 10 tokens")
}
