package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// mouse handles the mouse in the tabs of an attempt. Positions are relative to the body.
func (m *viewer) mouse(msg tea.MouseMsg, x, y int) {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		m.wheel(frame.WheelRows(msg))
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			m.click(x, y)
		}
	}
}

// wheel moves the view but not the cursor.
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
