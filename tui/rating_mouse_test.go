package tui_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// A click on a cell of the form rates, one on a row chooses it, at every size, also where
// the form stands beside the answer.
func TestRatingByMouse(t *testing.T) {
	for _, size := range []frame.Size{{Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 120, Height: 40}, {Width: 200, Height: 60}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			d, _ := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
			d.Use("mouse = true")
			d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			d.Press("g").Sees("10 to go").Settled()
			d.ClickIn("Conciseness", "Conciseness").Sees("▸ Conciseness", "10 to go")
			d.ClickIn("Conciseness", "4").Sees("9 to go", "[4]")
			d.ClickIn("Accuracy", " 1 ").Sees("8 to go", "[1]")
			d.ClickIn("Conciseness", " 5 ").Sees("8 to go", "[5]")
			d.Wheel(tea.MouseWheelUp).Sees("8 to go")
			for !strings.Contains(d.Screen(), "d understanding") {
				d.Press("down")
			}
			d.Click("d understanding").Sees("7 to go", "[d understanding]")
			d.Press("u").Sees("8 to go")
			done, _ := tuitest.Reading(t, work.Options{}, tuitest.RightAnswer)
			done.Use("mouse = true")
			done.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			done.Press("y").Sees("to go").Press("12345123", "y").Sees("enter commits").Click("enter commits").Sees("1 of 1 task done")
			if size.Wide() {
				d.Sees("return n  # wrong", "Rate the final answer", " 2/3")
				d.Press("v", "2").Sees("expected  4", "Rate the final answer", "v back to the rating").Press("v").Sees("v answer")
				d.ClickIn("Conciseness", "2").Sees("[2]")
				d.Click("1 answer").Sees("return n  # wrong")
			}
		})
	}
}

// Raters can use the mouse on their form, too.
func TestOverlapByMouse(t *testing.T) {
	for _, width := range []int{80, 140} {
		d := tuitest.Rating(t, tuitest.Shared(t, 3, nil, nil), "ann").Use("mouse = true")
		d.Send(tea.WindowSizeMsg{Width: width, Height: 30})
		d.Settled()
		if width == 80 {
			d.Press("v")
		}
		d.Sees("9 to go").ClickIn("Readability", "Readability").Sees("▸ Readability").ClickIn("Readability", " 3 ").Sees("[3]", "8 to go")
		d.ClickIn("Accuracy", " 5 ").Sees("[5]", "7 to go")
		d.Click("y yes").Sees("[y yes]", "6 to go")
	}
}

// On a large terminal nothing is stretched: no line of prose is wider than can be read.
func TestProseIsNotStretched(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, strings.Repeat("Many words of prose. ", 60)+"\n\n"+tuitest.RightAnswer)
	d.Send(tea.WindowSizeMsg{Width: 200, Height: 60})
	d.Settled()
	for _, tab := range []string{"1", "2", "4", "5", "6"} {
		d.Press(tab).Settled()
		for i, row := range strings.Split(d.Screen(), "\n")[4:58] {
			for part := range strings.SplitSeq(row, "│") {
				if w := frame.Width(strings.TrimSpace(part)); w > 104 && !strings.Contains(row, "──") {
					t.Errorf("tab %s, row %d has %d columns: %q", tab, i, w, part)
				}
			}
		}
	}
}
