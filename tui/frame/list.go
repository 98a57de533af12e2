package frame

import (
	tea "charm.land/bubbletea/v2"
)

// List is a list of rows, of which one is chosen: it keeps the chosen row and the visible ones, and handles the keys
// and the mouse. The screen gives it its rows, filtered and in order, and draws each of them.
type List[T any] struct {
	// Same reports whether two rows show the same thing, which then stays chosen when the rows change; if it is nil,
	// the index stays. A chosen thing that a filter takes out is chosen again when it comes back.
	Same func(a, b T) bool
	// Chose is called when something else is chosen, or nothing any more. It needs Same; nil for nothing to do.
	Chose func()

	window Window
	rows   []T
	row    int
	chosen T
	some   bool // there is a chosen row
	wanted T    // what was chosen last, other than by a change of the rows
	wants  bool
	y      int // the row of the body in which the first visible row was drawn
}

// Set replaces the rows.
func (l *List[T]) Set(rows []T) {
	l.rows = rows
	l.window.Fit(l.window.height, len(rows))
	if l.Same == nil || !l.wants {
		l.Choose(l.row)
		return
	}
	at := l.find(func(row T) bool { return l.Same(row, l.wanted) })
	if at < 0 && l.some {
		at = l.find(func(row T) bool { return l.Same(row, l.chosen) })
	}
	l.choose(max(0, at))
}

// Choose chooses a row, or the nearest one.
func (l *List[T]) Choose(row int) {
	if l.choose(row); l.some {
		l.wanted, l.wants = l.chosen, true
	}
}

// Keep makes what is chosen, after a filter, what stays chosen.
func (l *List[T]) Keep() { l.Choose(l.row) }

func (l *List[T]) choose(row int) {
	was, had := l.chosen, l.some
	l.row, l.some = max(0, min(row, len(l.rows)-1)), len(l.rows) > 0
	if l.some {
		l.chosen = l.rows[l.row]
	}
	l.window.Show(l.row)
	if l.Chose != nil && (had != l.some || l.some && !l.Same(was, l.chosen)) {
		l.Chose()
	}
}

// find returns the first row with a property; -1 if there is none.
func (l *List[T]) find(is func(T) bool) int {
	return Next(len(l.rows), 0, func(i int) bool { return is(l.rows[i]) })
}

// Next chooses the next row with a property, searched on around the end; it returns false if there is none.
func (l *List[T]) Next(is func(T) bool) bool {
	row := Next(len(l.rows), l.row+1, func(i int) bool { return is(l.rows[i]) })
	if row >= 0 {
		l.Choose(row)
	}
	return row >= 0
}

// Pick chooses the first row with a property; it returns false if there is none.
func (l *List[T]) Pick(is func(T) bool) bool {
	row := l.find(is)
	if row >= 0 {
		l.Choose(row)
	}
	return row >= 0
}

// Chosen returns the chosen row; ok is false if there are no rows.
func (l *List[T]) Chosen() (row T, ok bool) { return l.chosen, l.some }

// Row returns the index of the chosen row.
func (l *List[T]) Row() int { return l.row }

// Len returns the number of rows.
func (l *List[T]) Len() int { return len(l.rows) }

// Rows returns the rows, which must not be changed.
func (l *List[T]) Rows() []T { return l.rows }

// Visible returns the visible rows.
func (l *List[T]) Visible() []T { return l.rows[l.window.Top():l.window.end()] }

// After returns the number of rows after the visible ones.
func (l *List[T]) After() int { return len(l.rows) - l.window.end() }

// Seen describes the visible rows, for [Page].
func (l *List[T]) Seen() string { return l.window.Seen() }

// Fit sets the number of visible rows, which drawing does too.
func (l *List[T]) Fit(height int) {
	l.window.Fit(height, len(l.rows))
	l.window.Show(l.row)
}

// Draw draws the visible rows, of which there is room for height, from a row of the body on.
func (l *List[T]) Draw(y, height int, draw func(row T, chosen bool) string) []string {
	l.y = y
	l.Fit(height)
	var rows []string
	for i, row := range l.Visible() {
		rows = append(rows, draw(row, l.window.Top()+i == l.row))
	}
	return rows
}

// Table draws a heading and the visible rows in height rows, from a row of the body on.
func (l *List[T]) Table(y, height int, t Table[T]) []string {
	return append([]string{t.heading()}, l.Draw(y+1, height-1, t.Row)...)
}

// Move chooses the row that a key leads to.
func (l *List[T]) Move(press string) tea.Cmd {
	to, _ := Move(press, l.row, l.window.height-1, len(l.rows))
	l.Choose(to)
	return nil
}

// Key is the row of the keys that choose the next row or the one before; the others are [Motions] of Move.
func (l *List[T]) Key() Key {
	return Key{Press: "↑↓", Also: "k j", Does: "choose", Run: l.Move, Fit: func(k *Key) { k.More = k.More || len(l.rows) < 2 }}
}

// Beside returns the row of the keys that go to the row before and the next one.
func (l *List[T]) Beside(does string) Key {
	return Key{Press: "←→", Also: "[ ]", Does: does, Run: Beside(func(step int) { l.Choose(l.Row() + step) }), Not: func() string {
		if len(l.rows) < 2 {
			return "there is only one"
		}
		return ""
	}}
}

// Mouse chooses by the wheel, and the clicked row; a click on the chosen row opens it. Y is a row of the body.
func (l *List[T]) Mouse(msg tea.MouseMsg, y int, open func() tea.Cmd) tea.Cmd {
	row, means := PointAt(msg, y-l.y, l.window.Top(), l.row, len(l.rows), l.window.height)
	if means != PointNothing {
		l.Choose(row)
	}
	if means == PointOpened {
		return open()
	}
	return nil
}

// Next returns the index of the first of n items with a property, searched from an index on and around
// the end; -1 if there is none.
func Next(n, from int, is func(int) bool) int {
	for step := range n {
		if i := (from + step) % n; is(i) {
			return i
		}
	}
	return -1
}

// CountIf counts the items of a list with a property.
func CountIf[T any](list []T, is func(*T) bool) int {
	n := 0
	for i := range list {
		if is(&list[i]) {
			n++
		}
	}
	return n
}

// Step returns the index of the next or previous of n items. If there is none, why says so.
func Step(at int, forward bool, n int) (to int, why string) {
	switch {
	case forward && at+1 >= n:
		return at, "This is the last one."
	case forward:
		return at + 1, ""
	case at == 0:
		return at, "This is the first one."
	}
	return at - 1, ""
}
