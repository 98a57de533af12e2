package setup

import (
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Mouse chooses a row; a click on the arrows beside its value, or again on the row, turns
// to another value; where a menu is open, a click takes what it offers. The wheel moves.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if m.pick.open {
		m.pick.list.Mouse(msg, y-m.menuAt, func() tea.Cmd { return nil })
		if _, clicked := msg.(tea.MouseClickMsg); clicked { // on what is chosen now
			return m.pick.list.Mouse(msg, y-m.menuAt, m.accept)
		}
		return nil
	}
	if len(m.filter.Offers()) > 0 {
		return nil
	}
	row, means := frame.PointAt(msg, y-m.rowsAt, 0, m.row, rowCount, rowCount)
	switch {
	case means == frame.PointNothing:
		return nil
	case row != m.row:
		m.trouble, m.row = "", row
		return m.focus()
	case means == frame.PointOpened && m.inputs[row] == nil && row != rowFilter:
		return m.turn(x < labelWidth+2) // on the arrow at the left
	}
	return nil
}
