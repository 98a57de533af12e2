package tasks

import (
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Mouse chooses and opens rows of the lists, and scrolls text.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if _, moving := msg.(tea.MouseMotionMsg); moving {
		return nil
	}
	m.trouble, m.notice = "", ""
	wheel, wheeled := msg.(tea.MouseWheelMsg)
	var cmd tea.Cmd
	switch onTask := m.mode == reading || m.beside() && x > m.listWidth(); {
	case m.mode == filtering, m.mode == naming:
		return nil // only the keyboard edits the line
	case m.mode == loading:
		cmd = m.pointSaved(msg, y-topHeight-1)
	case m.mode == counting || onTask && wheeled:
		if press, ok := frame.WheelKey(wheel); wheeled && ok {
			if m.mode == counting {
				cmd, _ = m.press(press.String())
			} else {
				to, _ := frame.Move(press.String(), m.scroll, 1, len(m.detailLines()))
				m.scrollTo(to)
			}
		}
	case !onTask:
		to, means := frame.PointAt(msg, y-topHeight-1, m.top, m.row, len(m.shown), m.listHeight())
		switch means {
		case frame.PointChosen:
			m.choose(to)
		case frame.PointOpened:
			cmd, _ = m.press("enter")
		}
	}
	return tea.Batch(cmd, m.render(), m.count())
}

// pointSaved chooses and loads a saved filter by mouse.
func (m *Model) pointSaved(msg tea.MouseMsg, y int) tea.Cmd {
	height := m.savedHeight()
	to, means := frame.PointAt(msg, y, frame.Scroll(0, m.savedRow, height), m.savedRow, len(m.saved), height)
	switch means {
	case frame.PointChosen:
		m.savedRow = to
	case frame.PointOpened:
		return m.loadChosen()
	}
	return nil
}
