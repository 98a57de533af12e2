package results

import (
	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// Mouse chooses a session, and opens the chosen one.
func (m *Model) Mouse(msg tea.MouseMsg, _, y int) tea.Cmd {
	if m.search.Typing() || m.ask != nil || m.busy {
		return nil
	}
	return tea.Batch(m.shown.Mouse(msg, y, m.open), m.read())
}

// Mouse chooses and opens tasks and attempts, and scrolls the pages.
func (m *Screen) Mouse(msg tea.MouseMsg, _, y int) tea.Cmd {
	wheel, wheeled := msg.(tea.MouseWheelMsg)
	press, turned := frame.WheelKey(wheel)
	switch {
	case m.search.Typing() || !m.ready:
		return nil
	case m.reading:
		return m.attempts.Mouse(msg, y, m.openAttempt)
	case m.overview.More() >= 0:
		return m.shown.Mouse(msg, y, m.openTask)
	case wheeled && turned:
		return m.key(press)
	}
	return nil
}
