package work_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// posed is a session whose task has a statement of so many numbered lines, with the
// editor open.
func posed(t *testing.T, lines int, size frame.Size) (*tuitest.Driver, *enginetest.Rig) {
	t.Helper()
	text := make([]string, lines)
	for i := range text {
		text[i] = fmt.Sprintf("statement-line-%02d.", i+1)
	}
	rig, err := enginetest.New(1, func(c *session.Choice) {
		for i := range c.Benchmark.Tasks {
			c.Benchmark.Tasks[i].Description = strings.Join(text, "\n")
		}
	})
	fatal.If(t, err)
	d := tuitest.Drive(t, work.New(rig.Engine, work.Options{}), size.Width, size.Height)
	d.Press("enter").Sees("your prompt").Until("the open task", func(string) bool { return d.App.Settled() })
	return d, rig
}

// statementSizes are those at which the statement and the editor share a column, around the
// sizes at which the layout changes.
func statementSizes() []frame.Size {
	return []frame.Size{{Width: 80, Height: 24}, {Width: 80, Height: 23}, {Width: 79, Height: 30}, {Width: 60, Height: 20}, {Width: 60, Height: 40}, {Width: 109, Height: 21}}
}

// A statement that fits beside an empty draft is seen whole, one that does not is seen from
// its first line on, and f5 leads through all of it.
func TestStatementIsReachable(t *testing.T) {
	t.Parallel()
	for _, size := range statementSizes() {
		for _, lines := range []int{3, 9, 40} {
			for _, draft := range []string{"", "one line", strings.Repeat("a longer draft\n", 30)} {
				name := fmt.Sprintf("%dx%d, %d lines, draft of %d bytes", size.Width, size.Height, lines, len(draft))
				d, _ := posed(t, lines, size)
				if draft != "" {
					d.Send(tea.PasteMsg{Content: draft})
				}
				if !strings.Contains(d.Screen(), "Double 1\n") && !strings.Contains(d.Screen(), "statement-line-01") {
					t.Fatalf("%s: the statement does not begin with its first line:\n%s", name, d.Screen())
				}
				if fits := size.Height-4 >= lines+1+1+3+4; fits && draft == "" && !strings.Contains(d.Screen(), fmt.Sprintf("statement-line-%02d", lines)) {
					t.Errorf("%s: it would fit, and is cut:\n%s", name, d.Screen())
				}
				seen := map[int]bool{}
				for presses := 0; presses < lines && len(seen) < lines; presses++ {
					for i := range lines {
						if strings.Contains(d.Screen(), fmt.Sprintf("statement-line-%02d.", i+1)) {
							seen[i] = true
						}
					}
					d.Press("f5")
				}
				if len(seen) != lines {
					t.Errorf("%s: f5 leads past %d of %d lines", name, lines-len(seen), lines)
				}
				for presses := 0; presses < lines && !strings.Contains(d.Screen(), "statement-line-01."); presses++ {
					d.Press("f4")
				}
				d.Sees("statement-line-01.")
			}
		}
	}
}

// The position in a long statement is shown, and typing takes no more of its room than the
// draft needs.
func TestStatementPosition(t *testing.T) {
	t.Parallel()
	d, _ := posed(t, 40, frame.Size{Width: 80, Height: 23})
	d.Sees("1-14 of 45 · f5 down\n").Press("f5").Sees("14-27 of 45 · f5 down, f4 up\n").Press("f4").Sees("1-14 of 45 ·")
	d.Press("f5", "f5", "f5").Sees("32-45 of 45 · f4 up\n").Press("f4", "f4", "f4")
	d.Press("one", "enter", "two", "enter", "three").Sees("1-13 of 45 ·")
	d.Use("mouse = true").Wheel(tea.MouseWheelDown).Sees("4-16 of 45 ·").Wheel(tea.MouseWheelUp).Sees("1-13 of 45 ·")
}

// A terminal that is one row shorter has the same words.
func TestOneRowShorter(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say(tuitest.RightAnswer)
	d.Send(tea.WindowSizeMsg{Width: 80, Height: 23})
	d.Press("enter").Sees("your prompt").Press("Double it.", "ctrl+s").Sees("2 tests ✓ 3/3")
	tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 80, 23).Sees("search, filter, statistics", "min worked")
}

// Colours that are changed while a prompt is written are those of the statement, too.
func TestStatementHasTheNewColours(t *testing.T) {
	t.Parallel()
	d, _ := tuitest.Begin(t, 1)
	d.App.SetColor(true)
	d.Press("enter").Sees("your prompt")
	row := func() string { return strings.Join(strings.Split(d.App.View().Content, "\n")[2:8], "\n") }
	before := row()
	d.Press("ctrl+p", "high contrast dark", "enter").Sees("your prompt")
	if now := row(); now == before {
		t.Errorf("still as it was: %q", now)
	}
}
