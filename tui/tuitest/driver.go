package tuitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
	"assay/tui/settings"
)

// During counts the messages that the program gets in a time, by their types.
func (d *Driver) During(span time.Duration) map[string]int {
	count := map[string]int{}
	over := time.NewTimer(span)
	defer over.Stop()
	for {
		select {
		case msg := <-d.Msgs:
			count[reflect.TypeOf(msg).String()]++
			count["all"]++
			d.Send(msg)
			_ = d.App.View()
		case <-over.C:
			return count
		}
	}
}

// Leaves ends the program, and lets the timers that it set run out in fake time.
func (d *Driver) Leaves() {
	d.Press("ctrl+c", "ctrl+c", "y").Ends()
	time.Sleep(2 * time.Minute)
}

// Drafted waits until the log has a draft.
func (d *Driver) Drafted(rig *enginetest.Rig, want string, inserted int) *Driver {
	d.T.Helper()
	return d.Until("the draft "+want, func(string) bool {
		task := rig.Engine.State().Task()
		return task != nil && task.Draft() == want && task.InsertedBytes() == inserted
	})
}

// Tasks returns the ids of the tasks on the screen, in their order.
func (d *Driver) Tasks() (ids []string) {
	for _, line := range strings.Split(d.Screen(), "\n")[4:] {
		for _, word := range strings.Fields(line) {
			if strings.Contains(word, "/") && len(word) > 2 || word == "clock" {
				ids = append(ids, word)
				break
			}
		}
	}
	return ids
}

// Sizes at which every screen must be of use.
var Sizes = []frame.Size{{Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 120, Height: 40}}

// Look shows the screen at a size and in a colour setting, with everything
// rendered that is rendered in the background.
func (d *Driver) Look(size frame.Size, dark, colored bool) {
	d.T.Helper()
	d.App.SetColor(colored)
	d.Send(tea.BackgroundColorMsg{Color: map[bool]color.Color{true: color.Black, false: color.White}[dark]})
	d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
	d.Until("the rendered answer", func(string) bool { return d.App.Settled() })
}

// CheckFits fails when a screen is not exactly as large as the terminal.
func CheckFits(t *testing.T, name, screen string, size frame.Size) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) != size.Height {
		t.Errorf("%s: %d rows are drawn", name, len(lines))
	}
	for i, l := range lines {
		if w := frame.Width(l); w > size.Width {
			t.Errorf("%s: row %d is %d columns wide: %q", name, i+1, w, l)
		}
	}
}

// Lacks fails when a text is on the screen.
func (d *Driver) Lacks(text string) *Driver {
	d.T.Helper()
	if screen := d.Screen(); strings.Contains(screen, text) {
		d.T.Fatalf("the screen shows %q:\n%s", text, screen)
	}
	return d
}

// Words waits until the log has words that are not handed in.
func (d *Driver) Words(rig *enginetest.Rig, which session.Words, want string) *Driver {
	d.T.Helper()
	return d.Until("the draft "+want, func(string) bool { return rig.Engine.State().Words[which] == want })
}

// ErrRefusing is the error of a store that takes nothing.
var ErrRefusing = errors.New("no space left on device")

// State returns what a person sees, with the place of the cursor.
func (d *Driver) State() string {
	v := d.App.View()
	if v.Cursor == nil {
		return v.Content
	}
	return fmt.Sprint(v.Content, v.Cursor.X, v.Cursor.Y)
}

// Use works by the text of a settings file.
func (d *Driver) Use(text string) *Driver {
	d.T.Helper()
	s, err := settings.Parse("settings.toml", text)
	fatal.If(d.T, err)
	s.Path = ""
	d.App.Use(s, Noon)
	return d
}

// Click and wheel are what the mouse does in a column and row of the terminal.
func (d *Driver) Click(text string) *Driver {
	d.T.Helper()
	for y, line := range strings.Split(d.Screen(), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			d.Send(tea.MouseClickMsg{X: frame.Width(before), Y: y, Button: tea.MouseLeft})
			d.Send(tea.MouseReleaseMsg{X: frame.Width(before), Y: y, Button: tea.MouseLeft})
			return d
		}
	}
	d.T.Fatalf("%q is not on the screen:\n%s", text, d.Screen())
	return d
}

func (d *Driver) Wheel(button tea.MouseButton) *Driver {
	d.Send(tea.MouseWheelMsg{X: 3, Y: 8, Button: button})
	return d
}

// Idle handles the messages that are there.
func (d *Driver) Idle() {
	for {
		select {
		case msg := <-d.Msgs:
			d.Send(msg)
		default:
			return
		}
	}
}

func JSONOf(v any) string { text, _ := json.Marshal(v); return string(text) }

// CheckDrawn fails when the screen does not fill the terminal exactly.
func CheckDrawn(t *rapid.T, d *Driver) {
	lines := strings.Split(d.Screen(), "\n")
	for _, size := range Sizes {
		if len(lines) == size.Height {
			for i, l := range lines {
				if frame.Width(l) > size.Width {
					t.Fatalf("row %d is wider than %d columns: %q", i+1, size.Width, l)
				}
			}
			return
		}
	}
	t.Fatalf("the screen has %d rows", len(lines))
}

// ClickIn clicks at the n-th place of a text in the row that a name stands in.
func (d *Driver) ClickIn(name, text string) *Driver {
	d.T.Helper()
	for y, line := range strings.Split(d.Screen(), "\n") {
		if at := strings.Index(line, name); at >= 0 {
			if i := strings.Index(line[at:], text); i >= 0 {
				d.Send(tea.MouseClickMsg{X: frame.Width(line[:at+i]), Y: y, Button: tea.MouseLeft})
				return d
			}
		}
	}
	d.T.Fatalf("%q with %q is not on the screen:\n%s", name, text, d.Screen())
	return d
}

// Row returns the n-th row under the line of tabs.
func (d *Driver) Row(n int) string {
	return strings.TrimRight(strings.Split(d.Screen(), "\n")[4+n], " ")
}

func (d *Driver) Shows(row int, want string) *Driver {
	d.T.Helper()
	return d.Until(fmt.Sprintf("%q in row %d", want, row), func(string) bool { return strings.Contains(d.Row(row), want) })
}

// Settled waits until everything on the screen is what it will be.
func (d *Driver) Settled() *Driver {
	d.T.Helper()
	return d.Until("a settled screen", func(string) bool { return d.App.Settled() })
}

// Hears waits for something to be sent to the terminal beside the screen.
func (d *Driver) Hears(want string) *Driver {
	d.T.Helper()
	return d.Until("a terminal that is sent "+want, func(string) bool { return strings.Contains(d.Raw, want) })
}

// Tick has the next frame drawn, as each second of a wait does.
func (d *Driver) Tick() *Driver {
	d.Send(tea.FocusMsg{})
	return d
}
