package frame

import tea "charm.land/bubbletea/v2"

// Window is the visible part of a text or a list: height lines from a first one on. It does not scroll by itself while
// the text is shorter, as when it is read or drawn again.
type Window struct{ top, height, lines int }

// Fit sets the number of visible lines, and of all lines.
func (w *Window) Fit(height, lines int) { w.height, w.lines = max(1, height), lines }

// Top returns the first visible line.
func (w *Window) Top() int { return max(0, min(w.top, w.lines-w.height)) }

// end returns the line after the last visible one.
func (w *Window) end() int { return min(w.lines, w.Top()+w.height) }

// Below returns the number of lines that are not visible.
func (w *Window) Below() int { return max(0, w.lines-w.height) }

// To scrolls to a line, or as far as there are lines.
func (w *Window) To(line int) { w.top = max(0, min(line, w.Below())) }

// Show scrolls as little as possible so that a line is visible.
func (w *Window) Show(line int) {
	if w.height > 0 {
		w.To(min(max(w.Top(), line-w.height+1), line))
	}
}

// Of returns the visible ones of all lines of a text, of which there is room for height.
func (w *Window) Of(lines []string, height int) []string {
	w.Fit(height, len(lines))
	return lines[w.Top():w.end()]
}

// Move scrolls by a key.
func (w *Window) Move(press string) tea.Cmd {
	if to, moves := Move(press, w.Top(), w.height-1, w.lines); moves {
		w.To(to)
	}
	return nil
}

// Key returns the row of the keys that scroll by lines. Only the list of keys has it while all is visible.
func (w *Window) Key() Key {
	return Key{Press: "↑↓", Also: "k j", Does: "scroll", Run: w.Move, Fit: func(k *Key) { k.More = k.More || w.Below() == 0 }}
}

// Wheel scrolls by the wheel.
func (w *Window) Wheel(msg tea.MouseMsg) { w.To(w.Top() + WheelRows(msg)) }

// At returns the line that is visible in a row of the window; -1 for none.
func (w *Window) At(row int) int {
	if line := w.Top() + row; row >= 0 && line < w.end() {
		return line
	}
	return -1
}

// Seen describes the visible lines, for [Page].
func (w *Window) Seen() string { return Position(w.Top(), w.height, w.lines) }
