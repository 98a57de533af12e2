package frame

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// BodyTop is the row of the terminal in which the body begins: below header and rule.
const BodyTop = 2

// Pointed is what the mouse means in a list.
type Pointed int

// What the mouse means in a list.
const (
	PointNothing Pointed = iota
	PointChosen          // another row is chosen
	PointOpened          // the chosen row is opened
)

// PointAt returns what the mouse means in a list: the wheel moves the choice, a click chooses
// the row below it, and a click on the chosen row opens that. Y is counted from the
// list's first row on the screen, which is row top of rows; height of them are seen.
func PointAt(msg tea.MouseMsg, y, top, chosen, rows, height int) (row int, means Pointed) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			return max(0, chosen-1), PointChosen
		case tea.MouseWheelDown:
			return max(0, min(chosen+1, rows-1)), PointChosen
		}
	case tea.MouseClickMsg:
		at := top + y
		switch {
		case msg.Button != tea.MouseLeft || y < 0 || y >= height || at >= rows:
			return chosen, PointNothing
		case at == chosen:
			return at, PointOpened
		}
		return at, PointChosen
	}
	return chosen, PointNothing
}

// WheelKey returns the key that does what the wheel does where a text is read.
func WheelKey(msg tea.MouseWheelMsg) (press tea.KeyPressMsg, ok bool) {
	switch msg.Button {
	case tea.MouseWheelUp:
		return tea.KeyPressMsg{Code: tea.KeyUp}, true
	case tea.MouseWheelDown:
		return tea.KeyPressMsg{Code: tea.KeyDown}, true
	}
	return press, false
}

// TextAt returns the index of the text that stands in a column of a drawn row, -1 for none of
// them.
func TextAt(row string, column int, texts []string) int {
	plain := ansi.Strip(row)
	for i, text := range texts {
		if at := strings.Index(plain, text); at >= 0 {
			if from := ansi.StringWidth(plain[:at]); column >= from && column < from+ansi.StringWidth(text) {
				return i
			}
		}
	}
	return -1
}

// WheelRows returns how many rows a turn of the wheel scrolls a text: down, or up below 0.
func WheelRows(msg tea.MouseMsg) int {
	const rows = 3
	if wheel, is := msg.(tea.MouseWheelMsg); is {
		switch wheel.Button {
		case tea.MouseWheelUp:
			return -rows
		case tea.MouseWheelDown:
			return rows
		}
	}
	return 0
}
