package tui_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/tui/frame"
	"assay/tui/tuitest"
)

// Over the editor, the mouse acts on the list that is shown and not on the hidden text: the wheel and a click choose,
// a click on what is chosen opens or inserts it.
func TestListsOverTheEditorByMouse(t *testing.T) {
	d, _ := tuitest.Shopping(t, nil)
	d.Use("mouse = true")
	d.Press("ctrl+l").Sees("6 of 6 files").Wheel(tea.MouseWheelDown).Wheel(tea.MouseWheelDown).Click("shop/cart.py").Sees("▸ shop/cart.py")
	d.Click("shop/cart.py").Sees("insert file", "def total").Wheel(tea.MouseWheelDown).Sees("4-").Press("esc", "esc")
	d.Press("ctrl+t").Sees("Insert at the cursor").Wheel(tea.MouseWheelDown).Sees("▸ 2   the statement with its constraints")
	d.Click("the statement (level 1)").Sees("▸ 1   the statement").Click("the statement (level 1)").Lacks("Insert at the cursor")
}

// On every screen with a list, at every size, a click chooses the row that is drawn there, and nothing elsewhere; the
// wheel keeps the chosen row visible.
func TestClicksChooseWhatIsDrawn(t *testing.T) {
	lists := []string{
		"compose-insert", "compose-prompts", "commands", "difficulty", "difficulty-topics", "harden-list", "home", "models", "prompts-list", "repository-files",
		"results", "results-task-many", "results-tasks", "tasks", "tasks-load",
	}
	marked := func(d *tuitest.Driver) (rows []string, at int) {
		rows, at = strings.Split(d.Screen(), "\n"), -1
		for y, row := range rows {
			if strings.HasPrefix(strings.TrimLeft(row, " "), "▸") {
				at = y
			}
		}
		return rows, at
	}
	name := func(row string) string { return ansi.Truncate(strings.Trim(row, " ▸"), 10, "") }
	for _, screen := range screens {
		if !slices.Contains(lists, screen.name) {
			continue
		}
		t.Run(screen.name, func(t *testing.T) {
			d := screen.reach(t).Use("mouse = true")
			for _, size := range append(tuitest.Sizes, frame.Size{Width: 70, Height: 22}) {
				d.Look(size, true, true)
				chosen := 0
				for y := frame.BodyTop; y < size.Height-2; y++ {
					before, at := marked(d)
					if at < 0 {
						t.Fatalf("%v: no row is marked:\n%s", size, d.Screen())
					}
					if at == y {
						continue // this would open it
					}
					d.Send(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft})
					after, now := marked(d)
					switch {
					case now == at && name(after[now]) == name(before[at]):
					case now < 0 || name(after[now]) != name(before[y]):
						t.Fatalf("%v: a click on %q marks row %d:\n%s", size, before[y], now, d.Screen())
					default:
						chosen++
					}
				}
				if chosen == 0 {
					t.Errorf("%v: no click chose anything:\n%s", size, d.Screen())
				}
				for range 5 {
					d.Wheel(tea.MouseWheelUp)
					if _, at := marked(d); at < 0 {
						t.Fatalf("%v: the chosen row is not visible:\n%s", size, d.Screen())
					}
				}
			}
		})
	}
}
