package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// The rating form beside the answer on wide screens, and the mouse on the form.

// reserve reserves room for the form at the right of the answer.
func (m *Model) reserve() {
	m.aside = false
	if m.beside = 0; m.state.Phase == session.Rate && m.state.Paused == "" && !m.rating.merging && m.size.Wide() {
		m.beside = min(max(m.size.Width*9/20, 50), 78) + 1 // and the line between them
		m.aside = !m.rating.viewing
	}
}

// formWidth returns the width of the form.
func (m *Model) formWidth() int {
	if m.beside > 0 {
		return m.beside - 1
	}
	return m.size.Width
}

// rateMouse handles the mouse on the form: a click on a cell sets its score or value, a click
// elsewhere chooses the row, and the wheel moves.
func (m *Model) rateMouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if wheel, is := msg.(tea.MouseWheelMsg); is {
		if press, ok := frame.WheelKey(wheel); ok {
			return m.key(press)
		}
		return nil
	}
	set, ok := m.rating.Click(ratingRows(m.state), msg, x, y)
	if !ok {
		return nil
	}
	m.notice, m.trouble = "", ""
	switch {
	case set.Value != nil:
		return m.labelRow(set.Value.Label, set.Value.Value)
	case set.Score > 0:
		return m.rateRow(set.Score)
	}
	return nil
}
