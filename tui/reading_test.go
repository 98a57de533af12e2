package tui_test

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
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"assay/benchmark/judge"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/desktop"
	"assay/tui/frame"
	"assay/tui/picture"
	"assay/tui/work"
)

func init() { screens = append(screens, readingScreens...) }

// readingScreens are those of reading an answer beside the ones that every session has.
var readingScreens = []goldenScreen{
	{"wait-streaming", func(t *testing.T) *driver {
		d, s := streaming(t)
		s.say(strings.Repeat("Some words of an answer that is long.\n\n", 30) + "## The code\n\n```python\ndef double(n):\n    \"\"\"Twice\n    n.\"\"\"\n    return 2 *")
		return d.sees("return 2 *")
	}},
	{"review-folded", func(t *testing.T) *driver {
		d, _ := reading(t, work.Options{}, longAnswer(90))
		return d.press("home", "z").sees("86 more lines")
	}},
	{"review-find", func(t *testing.T) *driver {
		d, _ := reading(t, work.Options{}, longAnswer(90))
		return d.press("home", "/", "needle plan", "enter", "n").sees("2 of 90")
	}},
	{"review-tests-filtered", func(t *testing.T) *driver {
		d, _ := reading(t, work.Options{}, wrongAnswer)
		return d.press("2", "f", "enter").sees("only what failed", "differs")
	}},
	{"review-changes-beside", func(t *testing.T) *driver {
		d, _ := reading(t, work.Options{}, version(1), version(2))
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		return d.press("3", "s").sees("│ +     extra = 1")
	}},
	{"review-picture", func(t *testing.T) *driver {
		d, _ := reading(t, work.Options{}, paintingAnswer)
		return d.press("p").sees("painting.png  PNG 320×200")
	}},
	{"review-picture-inline", func(t *testing.T) *driver {
		d, _ := reading(t, work.Options{}, paintingAnswer)
		return d.press("2", "down").sees(" ▸   painting.png")
	}},
}

// From 160 columns on there are three columns, while an answer is read and while the next
// prompt is written.
func TestGoldenWide(t *testing.T) {
	read, _ := reading(t, work.Options{}, wrongAnswer)
	written, _ := refined(t)
	for name, d := range map[string]*driver{"review-wide": read, "compose-wide": written} {
		archive := txtar.Archive{Comment: []byte("The screen " + name + " at sizes with three columns.\n")}
		for _, size := range []frame.Size{{Width: 160, Height: 45}, {Width: 200, Height: 60}} {
			d.look(size, true, false)
			name := fmt.Sprintf("%dx%d", size.Width, size.Height)
			checkFits(t, name, d.screen(), size)
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(visible(d.App.View().Content) + "\n")})
		}
		compare(t, filepath.Join("testdata", "screens", name+".txtar"), txtar.Format(&archive))
	}
}

// longAnswer has numbered lines of prose and of code, more of each than a screen shows.
func longAnswer(lines int) string {
	var b strings.Builder
	b.WriteString("# Plan\n\n")
	for i := range lines {
		fmt.Fprintf(&b, "- point %d of the **needle** plan\n", i+1)
	}
	b.WriteString("\n```python\ndef double(n):\n")
	for i := range lines {
		fmt.Fprintf(&b, "    step_%d = n  # needle\n", i+1)
	}
	b.WriteString("    return 2 * n\n```\n\nThat is all.\n")
	return b.String()
}

// reading is the first answer of a session, rendered, with its verdict.
func reading(t *testing.T, opts work.Options, answers ...string) (*driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(1, func(c *session.Choice) { c.K = 5 })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	if opts.Copy == nil {
		opts.Copy = func(string) tea.Cmd { return nil }
	}
	d := drive(t, work.New(rig.Engine, opts), 80, 24).press("enter").sees("your prompt")
	for i, answer := range answers {
		if i > 0 {
			d.press("r").sees("your next message")
		}
		rig.Client.Say(answer)
		d.press("x", "ctrl+s").sees("satisfied", "of 3", fmt.Sprintf("attempt %d/5", i+1))
	}
	return d.settled(), rig
}

// row is the n-th row under the line of tabs.
func (d *driver) row(n int) string {
	return strings.TrimRight(strings.Split(d.screen(), "\n")[4+n], " ")
}

func (d *driver) shows(row int, want string) *driver {
	d.T.Helper()
	return d.until(fmt.Sprintf("%q in row %d", want, row), func(string) bool { return strings.Contains(d.row(row), want) })
}

// Every key that scrolls does what the page of keys says.
func TestScrollKeys(t *testing.T) {
	d, _ := reading(t, work.Options{}, longAnswer(60))
	d.press("home").shows(0, "Plan").press("j", "j").shows(0, "point 1").press("down").shows(0, "point 2")
	d.press("k").shows(0, "point 1").press("up", "up").shows(0, "Plan")
	d.press("space").shows(0, "point 17").press("b").shows(0, "Plan").press("pgdown").shows(0, "point 17").press("pgup").shows(0, "Plan")
	d.press("ctrl+d").shows(0, "point 8").press("ctrl+u").shows(0, "Plan")
	d.press("G").shows(17, "That is all.").press("j").shows(17, "That is all.").press("home").shows(0, "Plan").press("end").shows(17, "That is all.")
	d.press("2").sees("1-3    passed").press("1").shows(17, "That is all.")
	d.press("tab").sees("1-3    passed").press("shift+tab").shows(17, "That is all.").press("l").sees("1-3    passed").press("h").shows(17, "That is all.")
}

// What is longer than the screen folds and unfolds, all of it or one part, and what
// stands at the top stays there.
func TestFold(t *testing.T) {
	d, _ := reading(t, work.Options{}, longAnswer(60))
	d.press("home", "z").shows(6, "… 56 more lines: enter unfolds").sees("def double", "step_5", "… 56 more lines", "That is all.")
	d.press("enter").sees("point 16").press("G").sees("… 56 more lines", "That is all.").press("enter").sees("step_1 ", "step_8 ")
	d.press("z").sees("… 56 more").press("z").until("all of it", func(s string) bool { return !strings.Contains(s, "more lines") })
	short, _ := reading(t, work.Options{}, rightAnswer)
	short.press("z").sees("no part of this answer is longer")
}

// A search counts what it finds, goes round, marks without colours, and looks into what
// is folded.
func TestFind(t *testing.T) {
	d, _ := reading(t, work.Options{}, longAnswer(60))
	d.press("home", "z", "/", "NEEDLE", "enter").sees(`"NEEDLE": 1 of 120`)
	if raw := d.App.View().Content; !strings.Contains(raw, "\x1b[1;4;7mneedle") {
		t.Errorf("the hit is not marked:\n%q", raw)
	}
	d.press("n").sees("2 of 120").press("N", "N").sees("120 of 120", "step_60").press("n").sees("1 of 120", "point 1 ")
	d.press("esc").sees("… 56 more lines")
	d.press("/", "38;5", "enter").sees("not found here").press("esc")
	d.press("6", "/", "twice the number", "enter").sees("1 of 1").press("7", "/", "return", "enter").sees("1 of 1")
	d.press("2", "/", "double(2)", "enter").sees("1 of 1", "double(2)").press("esc").sees("1-3    passed")
	d.press("n").sees("nothing is searched for")
}

// The code and the whole answer are copied as the model wrote them, and what is said of
// it is true.
func TestCopyKeys(t *testing.T) {
	var copied []string
	opts := work.Options{Copy: func(text string) tea.Cmd { copied = append(copied, text); return nil }}
	d, _ := reading(t, opts, rightAnswer)
	d.press("c").sees("was sent to the terminal (OSC 52); if nothing arrives").press("C").sees("The answer (")
	if len(copied) != 2 || copied[0] != "def double(n):\n    return 2 * n\n" && copied[0] != "def double(n):\n    return 2 * n" || copied[1] != rightAnswer {
		t.Errorf("copied %q", copied)
	}
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "clipboard")
	if err := os.WriteFile(filepath.Join(dir, "xclip"), []byte("#!/bin/sh\nexec cat > "+out+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"PATH": dir, "DISPLAY": ":0", "TMUX": "x"}
	opts.Desktop = desktop.Find(func(name string) string { return env[name] })
	d, _ = reading(t, opts, rightAnswer)
	d.press("C").sees("was copied by xclip")
	if got, _ := os.ReadFile(out); string(got) != rightAnswer {
		t.Errorf("xclip got %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "xclip"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.press("c").sees("set-clipboard", "xclip did not take the text")
	d, _ = reading(t, opts, "no code")
	d.press("c").sees("there is no code in this answer")
}

// versions are three answers whose code differs in a word, then in lines.
func version(n int) string {
	var b strings.Builder
	b.WriteString("```python\ndef double(n):\n")
	for i := range 30 {
		fmt.Fprintf(&b, "    step_%d = n\n", i)
		if i == 3 && n > 1 {
			b.WriteString("    extra = 1\n")
		}
	}
	fmt.Fprintf(&b, "    return 2 * n + %d\n```\n", n)
	return b.String()
}

func TestChangesKeys(t *testing.T) {
	d, _ := reading(t, work.Options{}, version(1), version(2), version(3))
	d.press("3").sees("attempt 2 → attempt 3", "+ 0 new, - 0 gone, ~ 1 changed", "… 29 lines the same", " -     return 2 * n + 2", " +     return 2 * n + 3")
	if raw := d.App.View().Content; !strings.Contains(raw, "2 * n + \x1b[1;7m3") {
		t.Errorf("the word is not marked: %q", raw)
	}
	d.press("]").sees("nothing is nearer than attempt 2").press("[").sees("attempt 1 → attempt 3", "+ 1 new", " +     extra = 1")
	d.press("[").sees("the reference solution → attempt 3").press("[").sees("nothing is further away").press("]").sees("attempt 1 →")
	d.press("enter").until("the lines in between", func(s string) bool { return strings.Contains(s, "step_9 ") })
	d.press(".").shows(1, "extra").press(".").sees("return 2 * n + 3").press(",").shows(1, "extra").press(",").sees("this is the first change")
	d.press("home", "z").until("folded or not", func(s string) bool { return strings.Contains(s, "lines the same") || strings.Contains(s, "step_9 ") })
	d.press("s").sees("two columns need 100, and this terminal has 80")
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.press("s").sees("│ +     extra = 1", "│ ~     return 2 * n + 3", " ~     return 2 * n + 1").press("s").sees(" -     return 2 * n + 1")
}

// With one attempt only the reference solution can be compared with, and only if that is
// asked for.
func TestChangesOfTheFirst(t *testing.T) {
	d, _ := reading(t, work.Options{}, wrongAnswer)
	d.press("3").sees("nothing to compare with. [ compares with", "return n  # wrong")
	d.press("[").sees("the reference solution → attempt 1", " +     return n  # wrong")
}

func TestTestsKeys(t *testing.T) {
	d, _ := reading(t, work.Options{}, wrongAnswer)
	d.press("2").sees("   ✓ 1 ", " ▸ ✗ 2 ", "expected  4").press("down").sees(" ▸ ✓ 3").press("k", "k").sees(" ▸ ✓ 1")
	d.press("f").sees("only what failed", " ▸ ✗ 2").until("failures only", func(s string) bool { return !strings.Contains(s, "✓ 1 ") })
	d.press("f").sees(" ▸ ✓ 1 ", "✓ 3 ")
	d.press("down", "enter").sees("differs from character 1 on; 1 character expected, 1 came").press("enter").until("in short", func(s string) bool { return !strings.Contains(s, "differs") })
	d, _ = reading(t, work.Options{}, rightAnswer)
	d.press("2").sees(" ▸ ✓ 1-3    passed").press("f").sees("no test failed").press("enter").sees(" ▸ ✓ 1 ", "   ✓ 3").press("j", "enter").sees(" ▸ ✓ 1-3    passed")
}

// How far the tests are is shown in the place where they will stand.
func TestTestsRunning(t *testing.T) {
	rig, err := enginetest.New(1)
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, work.New(rig.Engine, work.Options{}), 80, 24).press("enter").sees("your prompt")
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	rig.Client.Say(strings.Replace(rightAnswer, "return", "forever()\n    return", 1))
	d.press("x", "ctrl+s").sees("tests … running 2 of 3").press("2").sees("… running 2 of 3 · 0:00 · limits: 3 s of processor time a test, 20 s in all", "✓ 1      double(1)")
	rig.Clock.Advance(3000)
	d.tick().sees("… running 2 of 3 · 0:03 · limits")
	d.send(tea.WindowSizeMsg{Width: 60, Height: 20})
	d.sees(" 2 … running 2/3 ", "… running 2 of 3 · 0:03", "double(1)", "6 task")
	d.press("r").sees("your next message")
	if a := rig.Engine.State().Tasks[0].Attempts[0]; !a.VerdictSeen {
		t.Error("a test that had ended was on the screen, and the judgement says that nothing had been seen")
	}
}

// A study that hides the tests hides how far they are, and offers no keys for them.
func TestHiddenTestsStayHidden(t *testing.T) {
	for _, seen := range []session.TestsSeen{session.SeeNothing, session.SeeVerdict} {
		rig, err := enginetest.New(1, func(c *session.Choice) { c.Tests = seen })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
		d := drive(t, work.New(rig.Engine, work.Options{}), 200, 50).press("enter").sees("your prompt")
		rig.Client.Say("```python\ndef double(n):\n    paint(), savefig('plot.png')\n    return n  # wrong\n```\n")
		d.press("x", "ctrl+s").sees("satisfied").until("the verdict", func(string) bool { return rig.Engine.State().Task().Attempts[0].Verdict != nil })
		d.settled().press("2", "f", "enter", "down", "p", "x")
		for _, hidden := range []string{"double(2)", "expected  4", "painting.png", "failed only", "picture"} {
			if screen := d.settled().screen(); strings.Contains(strings.ReplaceAll(screen, "left no picture", ""), hidden) {
				t.Errorf("%s: %q is on the screen\n%s", seen, hidden, screen)
			}
		}
	}
}

const paintingAnswer = "```python\ndef double(n):\n    paint(), savefig('plot.png')\n    return 2 * n\n```\n"

// A picture is shown in the list, full page, and taken back; it is drawn by cells.
func TestPicture(t *testing.T) {
	saved := ""
	opts := work.Options{SaveOutputs: func(_ context.Context, _, _ string, _ int, files []judge.OutputFile) (string, error) {
		saved = files[0].Name
		return "/tmp/outputs", nil
	}}
	d, _ := reading(t, opts, paintingAnswer)
	d.App.SetColor(true)
	d.press("2").sees("painting.png", "▀▀▀▀▀▀▀▀").settled()
	if raw := d.App.View().Content; !strings.Contains(raw, "38;2;255;0;0;48;2;255;0;0m▀") {
		t.Errorf("no red pixels: %q", raw)
	}
	d.press("j", "enter").until("no picture", func(s string) bool { return !strings.Contains(s, "▀") }).press("enter").sees("▀▀▀")
	d.press("p").sees("p esc back", "painting.png  PNG 320×200").settled()
	rows := 0
	for _, l := range strings.Split(d.sees("▀▀▀").screen(), "\n") {
		if strings.Contains(l, "▀") {
			rows++
		}
	}
	if rows != 19 { // all that there are
		t.Errorf("%d rows of picture:\n%s", rows, d.screen())
	}
	d.press("y", "r", "o").sees("The files are in /tmp/outputs").press("esc", "end").sees("y satisfied", "saved in /tmp/outputs")
	if saved != "painting.png" {
		t.Errorf("saved %q", saved)
	}
	d.press("up", "up", "p").sees("– this picture cannot be shown").press("p").sees("y satisfied")
	d.App.SetColor(false)
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.press("home", "down", "p").sees("▓").settled()
	plain, _ := reading(t, work.Options{}, rightAnswer)
	plain.press("p").sees("left no picture")
}

// In kitty the screen has placeholders, which stand for what was sent.
func TestPictureInKitty(t *testing.T) {
	rig, err := enginetest.New(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	d := drive(t, work.New(rig.Engine, work.Options{Pictures: picture.Kitty}), 80, 24)
	d.App.SetColor(true)
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	rig.Client.Say(paintingAnswer)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("tests ✓").press("2").sees("painting.png", "\U0010EEEE")
	for _, l := range strings.Split(d.App.View().Content, "\n") {
		if i := strings.Index(l, "\U0010EEEE"); i >= 0 && (!strings.Contains(l[:i], "\x1b[38;5;16m") || ansi.StringWidth(l) > 80) {
			t.Errorf("%q", l)
		}
	}
}

// A program of the desktop opens a file only when that is asked for, after it was saved.
func TestOpenOutside(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "opened")
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" > "+out+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"PATH": dir, "DISPLAY": ":0"}
	d, _ := reading(t, work.Options{
		Desktop:     desktop.Find(func(name string) string { return env[name] }),
		SaveOutputs: func(context.Context, string, string, int, []judge.OutputFile) (string, error) { return dir, nil },
	}, paintingAnswer)
	d.press("2", "o").sees("The files are in").press("x").sees("xdg-open opens " + filepath.Join(dir, "painting.png")[:20])
}

// From 160 columns the statement stands at the left of the answer, and the tests at its
// right.
func TestThreeColumns(t *testing.T) {
	d, _ := reading(t, work.Options{}, wrongAnswer)
	d.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	d.settled()
	cells := strings.Split(d.sees("Return twice", "✗ wrong answer").row(0), "│")
	if len(cells) != 3 || !strings.Contains(d.row(0), "│ Try this:") {
		t.Errorf("%q", cells)
	}
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	if cells := strings.Split(d.settled().row(0), "│"); len(cells) != 2 {
		t.Errorf("%q", cells)
	}
}

// The mouse scrolls, chooses a tab by its name and a test case by its rows.
func TestMouseWhileReading(t *testing.T) {
	d, _ := reading(t, work.Options{}, longAnswer(60), wrongAnswer)
	d.use("mouse = true")
	click := func(x, y int) { d.send(tea.MouseClickMsg{X: x, Y: 2 + y, Button: tea.MouseLeft}) }
	line := strings.Split(d.screen(), "\n")[2]
	click(strings.Index(line, "2 tests"), 0)
	d.sees(" ▸ ✗ 2 ")
	for y := range 20 {
		if strings.Contains(strings.Split(d.screen(), "\n")[2+y], "✓ 3 ") {
			click(10, y)
		}
	}
	d.sees(" ▸ ✓ 3 ")
	click(2, 0)
	d.sees("Try this:")
	d, _ = reading(t, work.Options{}, longAnswer(60))
	d.use("mouse = true").press("home")
	d.send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
	d.shows(0, "point 2")
	d.send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
	d.shows(0, "Plan")
}

// An answer keeps its place when its rendering comes, and when the terminal changes.
func TestPlaceIsKept(t *testing.T) {
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("x", "ctrl+s").sees("waiting for the first words")
	rig.Client.Say(longAnswer(60))
	d.sees("tests ✓").settled().press("home")
	for i := 0; i < 200 && !strings.Contains(d.row(0), "step_20 "); i++ {
		d.press("down")
	}
	for _, size := range []frame.Size{{Width: 60, Height: 20}, {Width: 120, Height: 40}, {Width: 200, Height: 60}, {Width: 80, Height: 24}} {
		d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		whole := size.Height == 60 // so large that the text ends before the last row
		if d.settled(); !strings.Contains(d.row(0), "step_20 ") && !(whole && strings.Contains(d.screen(), "step_20 ")) {
			t.Errorf("at %d columns the first row is %q", size.Width, d.row(0))
		}
	}
}

// Whatever keys are pressed and wherever the mouse goes while an answer is read, the
// screen stays as large as the terminal.
func TestAnyReading(t *testing.T) {
	keys := []string{"j", "k", "space", "b", "ctrl+d", "ctrl+u", "home", "end", "enter", "z", "f", "s", "[", "]", ".", ",", "n", "N", "p", "x", "o", "c", "C", "tab", "esc", "1", "2", "3", "4", "5", "6", "7"}
	everySize := append([]frame.Size{{Width: 200, Height: 60}, {Width: 100, Height: 20}}, sizes...)
	rapid.Check(t, func(rt *rapid.T) {
		answers := rapid.SliceOfN(rapid.SampledFrom([]string{longAnswer(60), wrongAnswer, version(1), version(2), paintingAnswer, "", "no code"}), 1, 3).Draw(rt, "answers")
		d, _ := reading(t, work.Options{}, answers...)
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "kind") {
			case 0:
				size := rapid.SampledFrom(everySize).Draw(rt, "size")
				d.look(size, rapid.Bool().Draw(rt, "dark"), rapid.Bool().Draw(rt, "color"))
			case 1:
				d.send(tea.MouseClickMsg{X: rapid.IntRange(-1, 200).Draw(rt, "x"), Y: rapid.IntRange(-1, 60).Draw(rt, "y"), Button: tea.MouseLeft})
			case 2:
				d.send(tea.MouseWheelMsg{Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(rt, "wheel")})
			case 3:
				d.press("/", rapid.SampledFrom([]string{"n", "needle", "return 2", "…", "zz", "\\", "("}).Draw(rt, "needle"), "enter")
			default:
				d.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			d.idle()
			lines := strings.Split(d.screen(), "\n")
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
	does := func(d *driver, want string) {
		t.Helper()
		d.settled()
		got := "nothing"
		for _, k := range d.App.Page().Keys {
			if k.Press == "enter" {
				got = k.Does
			}
		}
		if got != want {
			t.Errorf("enter is said to do: %s, want %s, on\n%s", got, want, d.screen())
		}
	}
	d, _ := reading(t, work.Options{}, rightAnswer)
	does(d, "nothing") // all of the answer is in view
	d.press("2").sees("▸ ✓ 1-3    passed")
	does(d, "unfold")
	d.press("enter").sees("▸ ✓ 1 ")
	does(d, "fold")
	d.press("enter").sees("▸ ✓ 1-3    passed")
	does(d, "unfold")
	d, _ = reading(t, work.Options{}, wrongAnswer)
	d.press("2").sees(" ▸ ✗ 2 ")
	does(d, "unfold")
	d.press("enter").sees("differs from character")
	does(d, "fold")
	d.press("up").sees(" ▸ ✓ 1 ")
	does(d, "nothing") // a case that passed alone has no more to show
	d, _ = reading(t, work.Options{}, longAnswer(60))
	does(d.press("home"), "fold")
	d.press("enter").sees("… 56 more lines: enter unfolds")
	does(d, "unfold")
}

// Long lines of code are broken with a mark in every view, and run on when they are told to,
// also in the next attempt; a search scrolls sideways to what it finds.
func TestLongLines(t *testing.T) {
	long := "def double(n):\n    return some_function_with_a_long_name(argument_number_one, argument_number_two, needle_at_the_end(n))\n"
	answer := func(n int) string { return fmt.Sprintf("Text.\n\n```python\nx = %d\n%s```\n", n, long) }
	d, rig := reading(t, work.Options{}, answer(1), answer(2))
	broken := "    ↳ argument_number_two, needle"
	d.press("1").sees("return some_function", broken).press("3").sees(broken).press("<").sees("long lines are broken; w lets them run on")
	d.press("1", "w").sees("run on: < and > scroll", "›").lacks("↳")
	d.press(">", ">", ">").sees("needle_at_the_end(n))").lacks("Text.").press("<", "<", "<", "<").sees("Text.")
	d.press("3").settled().sees("›").lacks("↳").press("1")
	d.press("/", "needle", "enter").sees("needle_at_the_end", `"needle": 1 of 1`).press("esc")
	d.press("r").sees("your next message")
	rig.Client.Say(answer(3))
	d.press("x", "ctrl+s").sees("satisfied", "attempt 3/5").settled().sees("›").lacks("↳")
	d.press("w").settled().sees(broken)
}
