package tui_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/work"
)

// clickIn clicks at the n-th place of a text in the row that a name stands in.
func (d *driver) clickIn(name, text string) *driver {
	d.T.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if at := strings.Index(line, name); at >= 0 {
			if i := strings.Index(line[at:], text); i >= 0 {
				d.send(tea.MouseClickMsg{X: frame.Width(line[:at+i]), Y: y, Button: tea.MouseLeft})
				return d
			}
		}
	}
	d.T.Fatalf("%q with %q is not on the screen:\n%s", name, text, d.screen())
	return d
}

// A click on a cell of the form rates, one on a row chooses it, at every size, also where
// the form stands beside the answer.
func TestRatingByMouse(t *testing.T) {
	for _, size := range []frame.Size{{Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 120, Height: 40}, {Width: 200, Height: 60}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			d, _ := reading(t, work.Options{}, wrongAnswer)
			d.use("mouse = true")
			d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			d.press("g", "y").sees("10 to go").settled()
			d.clickIn("Conciseness", "Conciseness").sees("▸ Conciseness", "10 to go")
			d.clickIn("Conciseness", "4").sees("9 to go", "[4]")
			d.clickIn("Accuracy", " 1 ").sees("8 to go", "[1]")
			d.clickIn("Conciseness", " 5 ").sees("8 to go", "[5]")
			d.wheel(tea.MouseWheelUp).sees("8 to go")
			for !strings.Contains(d.screen(), "d understanding") {
				d.press("down")
			}
			d.click("d understanding").sees("7 to go", "[d understanding]")
			d.press("u").sees("8 to go")
			if size.Width >= 150 {
				d.sees("return n  # wrong", "Rate the final answer", "tests ✗")
				d.press("v", "2").sees("expected  4", "Rate the final answer", "v back to the rating").press("v").sees("v answer")
				d.clickIn("Conciseness", "2").sees("[2]")
				d.click("1 answer").sees("return n  # wrong")
			}
		})
	}
}

// Raters can use the mouse on their form, too.
func TestOverlapByMouse(t *testing.T) {
	for _, width := range []int{80, 140} {
		d := rating(t, shared(t, 3, nil, nil), "ann").use("mouse = true")
		d.send(tea.WindowSizeMsg{Width: width, Height: 30})
		d.settled()
		if width == 80 {
			d.press("v")
		}
		d.sees("9 to go").clickIn("Readability", "Readability").sees("▸ Readability").clickIn("Readability", " 3 ").sees("[3]", "8 to go")
		d.clickIn("Accuracy", " 5 ").sees("[5]", "7 to go")
		d.click("y yes").sees("[y yes]", "6 to go")
	}
}

// On a large terminal nothing is stretched: no line of prose is wider than can be read.
func TestProseIsNotStretched(t *testing.T) {
	d, _ := reading(t, work.Options{}, strings.Repeat("Many words of prose. ", 60)+"\n\n"+rightAnswer)
	d.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	d.settled()
	for _, tab := range []string{"1", "2", "4", "5", "6"} {
		d.press(tab).settled()
		for i, row := range strings.Split(d.screen(), "\n")[4:58] {
			for part := range strings.SplitSeq(row, "│") {
				if w := frame.Width(strings.TrimSpace(part)); w > 104 && !strings.Contains(row, "──") {
					t.Errorf("tab %s, row %d has %d columns: %q", tab, i, w, part)
				}
			}
		}
	}
}
