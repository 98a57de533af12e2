package work

import tea "charm.land/bubbletea/v2"

// wheelRows is how far a notch of the wheel scrolls.
const wheelRows = 3

// mouse handles what the mouse does in the tabs of an attempt. Its position is relative
// to the body of the page.
func (m *viewer) mouse(msg tea.MouseMsg, x, y int) {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		switch at.Button {
		case tea.MouseWheelUp:
			m.wheel(-wheelRows)
		case tea.MouseWheelDown:
			m.wheel(wheelRows)
		}
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			m.click(x, y)
		}
	}
}

// wheel moves the view and leaves what is chosen where it is.
func (m *viewer) wheel(rows int) {
	size := m.textSize()
	if m.streaming() {
		m.stream.Scroll(rows)
		return
	}
	s := m.sheet(size)
	m.review.tops[m.review.tab] = m.top(s, size.Height) + rows
}

// click chooses a tab by its name, or a test case.
func (m *viewer) click(x, y int) {
	if m.review.full {
		m.review.full = false
		return
	}
	if y == 0 {
		_, names := m.tabLine(m.room())
		for _, n := range names {
			if x >= n.from && x < n.to {
				m.turn(n.of)
			}
		}
		return
	}
	size := m.textSize()
	left, _, _ := m.columns()
	if left > 0 {
		left++ // the line between them
	}
	if m.review.tab != tabTests || y < 2 || x < left || x >= left+size.Width {
		return
	}
	s := m.sheet(size)
	row := m.top(s, size.Height) + y - 2
	for _, spot := range s.spots {
		if row >= spot.row && row < spot.row+spot.rows {
			m.review.chosen = spot.item
		}
	}
}
