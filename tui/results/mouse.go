package results

import (
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// headRows is how many rows stand above the sessions: the search and the heading.
const headRows = 2

// Mouse chooses a session, and opens the chosen one.
func (m *Model) Mouse(msg tea.MouseMsg, _, y int) tea.Cmd {
	if m.search.typing {
		return nil
	}
	switch to, means := frame.PointAt(msg, y-headRows, m.top, m.row, len(m.shown), m.height()); means {
	case frame.PointChosen:
		m.trouble = ""
		m.choose(to)
	case frame.PointOpened:
		return m.open()
	}
	return m.read()
}

// Mouse chooses and opens tasks and attempts, and scrolls the pages.
func (m *Screen) Mouse(msg tea.MouseMsg, _, y int) tea.Cmd {
	wheel, wheeled := msg.(tea.MouseWheelMsg)
	press, turned := frame.WheelKey(wheel)
	switch {
	case m.search.typing || !m.ready:
		return nil
	case m.reading:
		i := m.task()
		rows := len(m.session.State.Tasks[i].Attempts)
		first, height := m.attemptRoom(rows)
		switch to, means := frame.PointAt(msg, y-taskHead, first, m.attempt, rows, height); means {
		case frame.PointChosen:
			m.attempt = to
		case frame.PointOpened:
			return m.openAttempt()
		}
	case m.overview.More() >= 0:
		switch to, means := frame.PointAt(msg, y-listHead, m.top, m.row, len(m.shown), m.height()); means {
		case frame.PointChosen:
			m.choose(to)
		case frame.PointOpened:
			m.reading = true
		}
	case wheeled && turned:
		return m.key(press)
	}
	return nil
}
