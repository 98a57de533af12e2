package tui_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/tools/txtar"

	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/tuitest"
	"assay/tui/work"
)

func init() { screens = append(screens, readingScreens...) }

// readingScreens are those of reading an answer beside the ones that every session has.
var readingScreens = []goldenScreen{
	{"wait-streaming", func(t *testing.T) *tuitest.Driver {
		d, s := tuitest.Streaming(t)
		s.Say(strings.Repeat("Some words of an answer that is long.\n\n", 30) + "## The code\n\n```python\ndef double(n):\n    \"\"\"Twice\n    n.\"\"\"\n    return 2 *")
		return d.Sees("Some words", "↓ more").Press("end").Sees("return 2 *")
	}},
	{"review-folded", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(90))
		return d.Press("home", "z").Sees("86 more lines")
	}},
	{"review-find", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Reading(t, work.Options{}, tuitest.LongAnswer(90))
		return d.Press("home", "/", "needle plan", "enter", "n").Sees("2 of 90")
	}},
	{"review-tests-filtered", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
		return d.Press("2", "f").Sees("only what failed", "expected  4")
	}},
	{"review-changes-beside", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Reading(t, work.Options{}, tuitest.Version(1), tuitest.Version(2))
		d.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
		return d.Press("3", "s").Sees("│ +     extra = 1")
	}},
	{"review-picture", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Reading(t, work.Options{}, tuitest.PaintingAnswer)
		return d.Press("p").Sees("painting.png  PNG 320×200")
	}},
	{"review-picture-inline", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Reading(t, work.Options{}, tuitest.PaintingAnswer)
		return d.Press("2", "down").Sees(" ▸   painting.png")
	}},
}

// From 160 columns on there are three columns, while an answer is read and while the next
// prompt is written, and the preview of a session is beside the list.
func TestGoldenWide(t *testing.T) {
	read, _ := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
	written, _ := tuitest.Refined(t)
	listed := tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 200, 60).Sees("2.17 attempts a task")
	for name, d := range map[string]*tuitest.Driver{"review-wide": read, "compose-wide": written, "home-wide": listed} {
		archive := txtar.Archive{Comment: []byte("The screen " + name + " at sizes with more columns.\n")}
		for _, size := range []frame.Size{{Width: 160, Height: 45}, {Width: 200, Height: 60}} {
			d.Look(size, true, true)
			name := fmt.Sprintf("%dx%d", size.Width, size.Height)
			tuitest.CheckFits(t, name, d.Screen(), size)
			archive.Files = append(archive.Files, goldenFiles(d, size)...)
		}
		compare(t, filepath.Join("testdata", "screens", name+".txtar"), txtar.Format(&archive))
	}
}
