package work_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/desktop"
	"assay/tui/frame"
	"assay/tui/picture"
	"assay/tui/tuitest"
	"assay/tui/work"
	"assay/tui/work/viewer"
)

// Every key that scrolls does what the page of keys says.
func TestScrollKeys(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(60))
	d.Press("home").Shows(0, "Plan").Press("j", "j").Shows(0, "point 1").Press("down").Shows(0, "point 2")
	d.Press("k").Shows(0, "point 1").Press("up", "up").Shows(0, "Plan")
	d.Press("space").Shows(0, "point 17").Press("b").Shows(0, "Plan").Press("pgdown").Shows(0, "point 17").Press("pgup").Shows(0, "Plan")
	d.Press("ctrl+d").Shows(0, "point 8").Press("ctrl+u").Shows(0, "Plan")
	d.Press("G").Shows(17, "That is all.").Press("j").Shows(17, "That is all.").Press("home").Shows(0, "Plan").Press("end").Shows(17, "That is all.")
	d.Press("2").Sees("1-3    passed").Press("1").Shows(17, "That is all.")
	d.Press("tab").Sees("1-3    passed").Press("shift+tab").Shows(17, "That is all.").Press("l").Sees("1-3    passed").Press("h").Shows(17, "That is all.")
}

// What is longer than the screen folds and unfolds, all of it or one part, and what
// stands at the top stays there.
func TestFold(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(60))
	d.Press("home", "z").Shows(6, "… 56 more lines: enter unfolds").Sees("def double", "step_4", "… 57 more lines", "That is all.")
	d.Press("enter").Sees("point 16").Press("G").Sees("… 57 more lines", "That is all.").Press("enter").Sees("step_1 ", "step_6 ")
	d.Press("z").Sees("… 56 more").Press("z").Until("all of it", func(s string) bool { return !strings.Contains(s, "more lines") })
	short, _ := tuitest.Reading(t, work.Options{}, tuitest.RightAnswer)
	short.Press("z").Sees("no part of this answer is longer")
}

// A search counts what it finds, goes round, marks without colours, and looks into what
// is folded.
func TestFind(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(60))
	d.Press("home", "z", "/", "NEEDLE", "enter").Sees(`"NEEDLE": 1 of 120`)
	if raw := d.App.View().Content; !strings.Contains(raw, "\x1b[1;4;7mneedle") {
		t.Errorf("the hit is not marked:\n%q", raw)
	}
	d.Press("n").Sees("2 of 120").Press("N", "N").Sees("120 of 120", "step_60").Press("n").Sees("1 of 120", "point 1 ")
	d.Press("esc").Sees("… 56 more lines")
	d.Press("/", "38;5", "enter").Sees("not found here").Press("esc")
	d.Press("6", "/", "twice the number", "enter").Sees("1 of 1").Press("7", "/", "return", "enter").Sees("1 of 1")
	d.Press("2", "/", "double(2)", "enter").Sees("1 of 1", "double(2)").Press("esc").Sees("1-3    passed")
	d.Press("n").Sees("nothing is searched for")
}

// The code and the whole answer are copied as the model wrote them, and what is said of
// it is true.
func TestCopyKeys(t *testing.T) {
	var copied []string
	opts := work.Options{Options: viewer.Options{Copy: func(text string) tea.Cmd { copied = append(copied, text); return nil }}}
	d, _ := tuitest.Reading(t, opts, tuitest.RightAnswer)
	d.Press("c").Sees("was sent to the terminal (OSC 52); if nothing arrives").Press("C").Sees("The answer (")
	if len(copied) != 2 || copied[0] != "def double(n):\n    return 2 * n\n" && copied[0] != "def double(n):\n    return 2 * n" || copied[1] != tuitest.RightAnswer {
		t.Errorf("copied %q", copied)
	}
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "clipboard")
	fatal.If(t, os.WriteFile(filepath.Join(dir, "xclip"), []byte("#!/bin/sh\nexec cat > "+out+"\n"), 0o755))
	env := map[string]string{"PATH": dir, "DISPLAY": ":0", "TMUX": "x"}
	opts.Desktop = desktop.Find(func(name string) string { return env[name] })
	d, _ = tuitest.Reading(t, opts, tuitest.RightAnswer)
	d.Press("C").Sees("was copied by xclip")
	if got, _ := os.ReadFile(out); string(got) != tuitest.RightAnswer {
		t.Errorf("xclip got %q", got)
	}
	fatal.If(t, os.WriteFile(filepath.Join(dir, "xclip"), []byte("#!/bin/sh\nexit 1\n"), 0o755))
	d.Press("c").Sees("set-clipboard", "xclip did not take the text")
	d, _ = tuitest.Reading(t, opts, "no code")
	d.Press("c").Sees("there is no code in this answer")
}

func TestChangesKeys(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.Version(1), tuitest.Version(2), tuitest.Version(3))
	d.Press("3").Sees("attempt 2 → attempt 3", "1 line added, 1 deleted", "… 29 lines the same", " -     return 2 * n + 2", " +     return 2 * n + 3")
	if raw := d.App.View().Content; !strings.Contains(raw, "2 * n + \x1b[1;7m3") {
		t.Errorf("the word is not marked: %q", raw)
	}
	d.Press("]").Sees("nothing is nearer than attempt 2").Press("[").Sees("attempt 1 → attempt 3", "2 lines added, 1 deleted", " +     extra = 1")
	d.Press("[").Sees("the reference solution → attempt 3").Press("[").Sees("nothing is further away").Press("]").Sees("attempt 1 →")
	d.Press("enter").Until("the lines in between", func(s string) bool { return strings.Contains(s, "step_9 ") })
	d.Press(".").Shows(1, "extra").Press(".").Sees("return 2 * n + 3").Press(",").Shows(1, "extra").Press(",").Sees("this is the first change")
	d.Press("home", "z").Until("folded or not", func(s string) bool { return strings.Contains(s, "lines the same") || strings.Contains(s, "step_9 ") })
	d.Press("s").Sees("two columns need 110, and this terminal has 80")
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.Press("s").Sees("│ +     extra = 1", "│ +     return 2 * n + 3", " -     return 2 * n + 1").Press("s").Sees(" -     return 2 * n + 1")
}

// With one attempt only the reference solution can be compared with, and only if that is
// asked for.
func TestChangesOfTheFirst(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
	d.Press("3").Sees("nothing to compare with. [ compares with", "return n  # wrong")
	d.Press("[").Sees("the reference solution → attempt 1", " +     return n  # wrong")
}

func TestTestsKeys(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
	d.Press("2").Sees("   ✓ 1 ", " ▸ ✗ 2 ", "expected  4").Press("down").Sees(" ▸ ✓ 3").Press("k", "k").Sees(" ▸ ✓ 1")
	d.Press("f").Sees("only what failed", " ▸ ✗ 2").Until("failures only", func(s string) bool { return !strings.Contains(s, "✓ 1 ") })
	d.Press("f").Sees(" ▸ ✓ 1 ", "✓ 3 ")
	d, _ = tuitest.Reading(t, work.Options{}, tuitest.RightAnswer)
	d.Press("2").Sees(" ▸ ✓ 1-3    passed").Press("f").Sees("no test failed").Press("enter").Sees(" ▸ ✓ 1 ", "   ✓ 3").Press("j", "enter").Sees(" ▸ ✓ 1-3    passed")
}

// How far the tests are is shown in the place where they will stand.
func TestTestsRunning(t *testing.T) {
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	d := tuitest.Drive(t, work.New(rig.Engine, work.Options{}), 80, 24).Press("enter").Sees("your prompt")
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	rig.Client.Say(strings.Replace(tuitest.RightAnswer, "return", "forever()\n    return", 1))
	d.Press("x", "ctrl+s").Sees("tests … running 2 of 3").Press("2").Sees("… running 2 of 3 · 0:00 · limits: 3 s of processor time a test, 20 s in all", "✓ 1      double(1)")
	rig.Clock.Advance(3000)
	d.Tick().Sees("… running 2 of 3 · 0:03 · limits")
	d.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
	d.Sees(" 2 … running 2/3 ", "… running 2 of 3 · 0:03", "double(1)", "6 task")
	d.Press("r").Sees("your next message")
	if a := rig.Engine.State().Tasks[0].Attempts[0]; !a.VerdictSeen {
		t.Error("a test that had ended was on the screen, and the judgement says that nothing had been seen")
	}
}

// A study that hides the tests hides how far they are, and offers no keys for them.
func TestHiddenTestsStayHidden(t *testing.T) {
	for _, seen := range []session.TestsSeen{session.SeeNothing, session.SeeVerdict} {
		rig, err := enginetest.New(1, func(c *session.Choice) { c.Tests = seen })
		fatal.If(t, err)
		t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
		d := tuitest.Drive(t, work.New(rig.Engine, work.Options{}), 200, 50).Press("enter").Sees("your prompt")
		rig.Client.Say("```python\ndef double(n):\n    paint(), savefig('plot.png')\n    return n  # wrong\n```\n")
		d.Press("x", "ctrl+s").Sees("satisfied").Until("the verdict", func(string) bool { return rig.Engine.State().Task().Attempts[0].Verdict != nil })
		d.Settled().Press("2", "f", "enter", "down", "p", "x")
		for _, hidden := range []string{"double(2)", "expected  4", "painting.png", "failed only", "picture"} {
			if screen := d.Settled().Screen(); strings.Contains(strings.ReplaceAll(screen, "left no picture", ""), hidden) {
				t.Errorf("%s: %q is on the screen\n%s", seen, hidden, screen)
			}
		}
	}
}

// A picture is shown in the list, full page, and taken back; it is drawn by cells.
func TestPicture(t *testing.T) {
	saved := ""
	opts := work.Options{Options: viewer.Options{SaveOutputs: func(_ context.Context, _, _ string, _ int, files []verdicts.OutputFile) (string, error) {
		saved = files[0].Name
		return "/tmp/outputs", nil
	}}}
	d, _ := tuitest.Reading(t, opts, tuitest.PaintingAnswer)
	d.App.SetColor(true)
	d.Press("2").Sees("painting.png", "▀▀▀▀▀▀▀▀").Settled()
	if raw := d.App.View().Content; !strings.Contains(raw, "38;2;255;0;0;48;2;255;0;0m▀") {
		t.Errorf("no red pixels: %q", raw)
	}
	d.Press("j", "enter").Until("no picture", func(s string) bool { return !strings.Contains(s, "▀") }).Press("enter").Sees("▀▀▀")
	d.Press("p").Sees("esc back", "painting.png  PNG 320×200").Settled()
	rows := 0
	for _, l := range strings.Split(d.Sees("▀▀▀").Screen(), "\n") {
		if strings.Contains(l, "▀") {
			rows++
		}
	}
	if rows != 19 { // all that there are
		t.Errorf("%d rows of picture:\n%s", rows, d.Screen())
	}
	d.Press("y", "r", "o").Sees("The files are in /tmp/outputs").Press("esc", "end").Sees("y satisfied", "saved in /tmp/outputs")
	if saved != "painting.png" {
		t.Errorf("saved %q", saved)
	}
	d.Press("up", "up", "p").Sees("– this picture cannot be shown").Press("p").Sees("y satisfied")
	d.App.SetColor(false)
	d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.Press("home", "down", "p").Sees("▓").Settled()
	plain, _ := tuitest.Reading(t, work.Options{}, tuitest.RightAnswer)
	plain.Press("p").Sees("left no picture")
}

// In kitty the screen has placeholders, which stand for what was sent.
func TestPictureInKitty(t *testing.T) {
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	d := tuitest.Drive(t, work.New(rig.Engine, work.Options{Options: viewer.Options{Pictures: picture.Kitty}}), 80, 24)
	d.App.SetColor(true)
	d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	rig.Client.Say(tuitest.PaintingAnswer)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("tests ✓").Press("2").Sees("painting.png", "\U0010EEEE")
	for _, l := range strings.Split(d.App.View().Content, "\n") {
		if i := strings.Index(l, "\U0010EEEE"); i >= 0 && (!strings.Contains(l[:i], "\x1b[38;5;16m") || ansi.StringWidth(l) > 80) {
			t.Errorf("%q", l)
		}
	}
}

// A program of the desktop opens a file only when that is asked for, after it was saved.
func TestOpenOutside(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "opened")
	fatal.If(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" > "+out+"\n"), 0o755))
	env := map[string]string{"PATH": dir, "DISPLAY": ":0"}
	d, _ := tuitest.Reading(t, work.Options{Options: viewer.Options{
		Desktop:     desktop.Find(func(name string) string { return env[name] }),
		SaveOutputs: func(context.Context, string, string, int, []verdicts.OutputFile) (string, error) { return dir, nil },
	}}, tuitest.PaintingAnswer)
	d.Press("2", "o").Sees("The files are in").Press("x").Sees("xdg-open opens " + filepath.Join(dir, "painting.png")[:20])
	d.Until("it is open", func(string) bool { return os.Remove(out) == nil })
	d.Press("down").Sees("▸   painting.png").Press("down", "down").Sees("▸   table.csv").Press("x", "?").Sees("save").Settled()
	if strings.Contains(d.Screen(), "xdg-open") { // what a program of the desktop does with it is not known
		t.Errorf("a table is opened:\n%s", d.Screen())
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a table was opened")
	}
}

// From 160 columns the statement stands at the left of the answer, and the tests at its
// right.
func TestThreeColumns(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
	d.Send(tea.WindowSizeMsg{Width: 200, Height: 60})
	d.Settled()
	cells := strings.Split(d.Sees("Return twice", "✗ wrong answer").Row(0), "│")
	if len(cells) != 3 || !strings.Contains(d.Row(0), "│ Try this:") {
		t.Errorf("%q", cells)
	}
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	if cells := strings.Split(d.Settled().Row(0), "│"); len(cells) != 2 {
		t.Errorf("%q", cells)
	}
}

// The mouse scrolls, chooses a tab by its name and a test case by its rows.
func TestMouseWhileReading(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(60), tuitest.WrongAnswer)
	d.Use("mouse = true")
	click := func(x, y int) { d.Send(tea.MouseClickMsg{X: x, Y: 2 + y, Button: tea.MouseLeft}) }
	line := strings.Split(d.Screen(), "\n")[2]
	click(strings.Index(line, "2 tests"), 0)
	d.Sees(" ▸ ✗ 2 ")
	for y := range 20 {
		if strings.Contains(strings.Split(d.Screen(), "\n")[2+y], "✓ 3 ") {
			click(10, y)
		}
	}
	d.Sees(" ▸ ✓ 3 ")
	click(2, 0)
	d.Sees("Try this:")
	d, _ = tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(60))
	d.Use("mouse = true").Press("home")
	d.Send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
	d.Shows(0, "point 2")
	d.Send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
	d.Shows(0, "Plan")
}

// An answer keeps its place when its rendering comes, and when the terminal changes.
func TestPlaceIsKept(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("x", "ctrl+s").Sees("waiting for the first words")
	rig.Client.Say(tuitest.LongAnswer(60))
	d.Sees("tests ✓").Settled().Press("home")
	for i := 0; i < 200 && !strings.Contains(d.Row(0), "step_20 "); i++ {
		d.Press("down")
	}
	for _, size := range []frame.Size{{Width: 60, Height: 20}, {Width: 120, Height: 40}, {Width: 200, Height: 60}, {Width: 80, Height: 24}} {
		d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		whole := size.Height == 60 // so large that the text ends before the last row
		if d.Settled(); !strings.Contains(d.Row(0), "step_20 ") && !(whole && strings.Contains(d.Screen(), "step_20 ")) {
			t.Errorf("at %d columns the first row is %q", size.Width, d.Row(0))
		}
	}
}

// Whatever keys are pressed and wherever the mouse goes while an answer is read, the
// screen stays as large as the terminal.
func TestAnyReading(t *testing.T) {
	keys := []string{"j", "k", "space", "b", "ctrl+d", "ctrl+u", "home", "end", "enter", "z", "f", "s", "[", "]", ".", ",", "n", "N", "p", "x", "o", "c", "C", "tab", "esc", "1", "2", "3", "4", "5", "6", "7"}
	everySize := append([]frame.Size{{Width: 200, Height: 60}, {Width: 100, Height: 20}}, tuitest.Sizes...)
	rapid.Check(t, func(rt *rapid.T) {
		answers := rapid.SliceOfN(rapid.SampledFrom([]string{tuitest.LongAnswer(60), tuitest.WrongAnswer, tuitest.Version(1), tuitest.Version(2), tuitest.PaintingAnswer, "", "no code"}), 1, 3).Draw(rt, "answers")
		d, _ := tuitest.Reading(t, work.Options{}, answers...)
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "kind") {
			case 0:
				size := rapid.SampledFrom(everySize).Draw(rt, "size")
				d.Look(size, rapid.Bool().Draw(rt, "dark"), rapid.Bool().Draw(rt, "color"))
			case 1:
				d.Send(tea.MouseClickMsg{X: rapid.IntRange(-1, 200).Draw(rt, "x"), Y: rapid.IntRange(-1, 60).Draw(rt, "y"), Button: tea.MouseLeft})
			case 2:
				d.Send(tea.MouseWheelMsg{Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(rt, "wheel")})
			case 3:
				d.Press("/", rapid.SampledFrom([]string{"n", "needle", "return 2", "…", "zz", "\\", "("}).Draw(rt, "needle"), "enter")
			default:
				d.Press(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			d.Idle()
			lines := strings.Split(d.Screen(), "\n")
			if !slices.ContainsFunc(everySize, func(s frame.Size) bool { return s.Height == len(lines) }) {
				rt.Fatalf("%d rows are drawn", len(lines))
			}
			for _, size := range everySize {
				if size.Height == len(lines) && size.Width != 60 && size.Width != 100 {
					for i, l := range lines {
						if frame.Width(l) > size.Width {
							rt.Fatalf("row %d is %d columns wide: %q", i, frame.Width(l), l)
						}
					}
				}
			}
		}
	})
}

// What the key of a fold is called follows what it would do.
func TestFoldKeySaysWhatItDoes(t *testing.T) {
	does := func(d *tuitest.Driver, want string) {
		t.Helper()
		d.Settled()
		got := "nothing"
		for _, k := range d.App.Page().Keys {
			if k.Press == "enter" {
				got = k.Does
			}
		}
		if got != want {
			t.Errorf("enter is said to do: %s, want %s, on\n%s", got, want, d.Screen())
		}
	}
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.RightAnswer)
	does(d, "nothing") // all of the answer is in view
	d.Press("2").Sees("▸ ✓ 1-3    passed")
	does(d, "unfold")
	d.Press("enter").Sees("▸ ✓ 1 ")
	does(d, "fold")
	d.Press("enter").Sees("▸ ✓ 1-3    passed")
	does(d, "unfold")
	d, _ = tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
	d.Press("2").Sees(" ▸ ✗ 2 ")
	does(d, "nothing") // neither has a failure that is shown in full
	d.Press("up").Sees(" ▸ ✓ 1 ")
	does(d, "nothing") // a case that passed alone has no more to show
	d, _ = tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(60))
	does(d.Press("home"), "fold")
	d.Press("enter").Sees("… 56 more lines: enter unfolds")
	does(d, "unfold")
}

// What is folded names the keys that unfold it, next to the rating form, too, where enter is the form's.
func TestUnfoldingNextToTheRating(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(60))
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.Settled().Press("z").Sees("more lines: enter unfolds").Press("y").Sees("Rate the final answer", "more lines: v, then enter unfolds")
	d.Press("v").Sees("more lines: enter unfolds").Press("enter").Sees("point 30 ")
}

// Long lines of code are broken with a mark in every view, and run on when they are told to,
// also in the next attempt; a search scrolls sideways to what it finds.
func TestLongLines(t *testing.T) {
	long := "def double(n):\n    return some_function_with_a_long_name(argument_number_one, argument_number_two, needle_at_the_end(n))\n"
	answer := func(n int) string { return fmt.Sprintf("Text.\n\n```python\nx = %d\n%s```\n", n, long) }
	d, rig := tuitest.Reading(t, work.Options{}, answer(1), answer(2))
	broken := "    ↳ argument_number_two, needle"
	d.Press("1").Sees("return some_function", broken).Press("3").Sees(broken).Press("<").Sees("long lines are broken; w lets them run on")
	d.Press("1", "w").Sees("run on: < and > scroll", "›").Lacks("↳")
	d.Press(">", ">", ">").Sees("needle_at_the_end(n))").Lacks("Text.").Press("<", "<", "<", "<").Sees("Text.")
	d.Press("3").Settled().Sees("›").Lacks("↳").Press("1")
	d.Press("/", "needle", "enter").Sees("needle_at_the_end", `"needle": 1 of 1`).Press("esc")
	d.Press("r").Sees("your next message")
	rig.Client.Say(answer(3))
	d.Press("x", "ctrl+s").Sees("satisfied", "attempt 3 of 5").Settled().Sees("›").Lacks("↳")
	d.Press("w").Settled().Sees(broken)
}
