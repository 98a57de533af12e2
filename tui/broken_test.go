package tui_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/tuitest"
)

// fragile is a screen that fails in the place that a key names.
type fragile struct {
	name string
	fail string
	left *bool
}

func (f *fragile) breaks() { _ = []int{}[len(f.fail)] }
func (f *fragile) Init() tea.Cmd {
	if f.fail == "init" {
		f.breaks()
	}
	return nil
}
func (f *fragile) Typing() bool   { return false }
func (f *fragile) Leave() tea.Cmd { *f.left = true; panic("secret words") }
func (f *fragile) Departure() frame.Departure {
	return frame.Departure{Saving: true, Lost: []frame.Loss{{What: "your prompt", Text: "half a prompt"}}, Why: "no space left on device"}
}
func (f *fragile) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	broken := func() tea.Msg { f.breaks(); return nil }
	switch f.fail = press.String(); f.fail {
	case "u":
		f.breaks()
	case "c":
		return broken
	case "b":
		return tea.Batch(broken, broken)
	case "s":
		return tea.Sequence(func() tea.Msg { return nil }, broken)
	}
	return nil
}
func (f *fragile) Page(frame.Size, frame.Theme) frame.Page {
	if f.fail == "v" {
		f.breaks()
	}
	return frame.Page{Title: f.name, Body: f.name + " is fine"}
}

// A panic in a screen, wherever it comes from, closes that screen alone, tells what to report, and loses no work.
func TestBrokenScreens(t *testing.T) {
	t.Parallel()
	for _, fail := range []string{"u", "v", "c", "b", "s", "init"} {
		t.Run(fail, func(t *testing.T) {
			left, written := false, map[string]string{}
			d := tuitest.Drive(t, &sturdy{}, 80, 24)
			d.App.Own(func(name, text string) (string, error) {
				written[name] = text
				return "/home/me/assay-" + name + ".md", nil
			}, nil)
			top := &fragile{name: "top", left: &left}
			if fail == "init" {
				top.fail = fail
			}
			d.Send(frame.OpenMsg{Screen: top})
			if fail != "init" {
				d.Sees("top is fine").Press(fail)
			}
			d.Sees("This screen has failed", "index out of range", "(*fragile).breaks", "esc close this screen").Lacks("secret words")
			d.Press("w").Sees("written to /home/me/assay-failure.md")
			if !strings.Contains(written["failure"], "broken_test.go") || strings.Contains(written["failure"], "secret words") {
				t.Errorf("the report is\n%s", written["failure"])
			}
			d.Press("esc").Sees("Not saved: your prompt", "no space left").Press("w").Sees("assay-unsaved.md")
			if !strings.Contains(written["unsaved"], "half a prompt") {
				t.Errorf("the work that was rescued is %q", written["unsaved"])
			}
			d.Press("esc").Sees("This screen has failed")
			if left {
				t.Error("it was left before it was closed")
			}
		})
	}
}

// A failed screen without unsaved work is closed at once; the screen below goes on. A report that cannot be written
// says why.
func TestBrokenScreenIsClosed(t *testing.T) {
	t.Parallel()
	home := &sturdy{}
	d := tuitest.Drive(t, home, 80, 24)
	d.App.Own(func(string, string) (string, error) { return "", errors.New("read-only file system") }, nil)
	d.Send(frame.OpenMsg{Screen: &sturdy{breaks: true}})
	d.Press("x").Sees("This screen has failed").Press("w").Sees("✗ read-only file system").Press("esc").Sees("all is well")
	home.breaks = true
	if next, _ := d.App.Update(tea.KeyPressMsg{Code: 'x', Text: "x"}); next != d.App {
		t.Errorf("it goes on with %v", next)
	}
	d.Sees("This screen has failed", "leave assay")
}

// sturdy is a screen without work.
type sturdy struct{ breaks bool }

func (w *sturdy) Init() tea.Cmd { return nil }
func (w *sturdy) Typing() bool  { return false }
func (w *sturdy) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok && w.breaks {
		panic("it breaks")
	}
	return nil
}
func (w *sturdy) Page(frame.Size, frame.Theme) frame.Page { return frame.Page{Body: "all is well"} }
