package tasks

import (
	tea "charm.land/bubbletea/v2"
)

// Mouse chooses and opens rows of the lists, and scrolls text.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	if _, moving := msg.(tea.MouseMotionMsg); moving {
		return nil
	}
	m.trouble, m.notice = "", ""
	var cmd tea.Cmd
	switch onTask := m.mode == reading || m.beside() && x > m.listWidth(); {
	case m.mode == filtering, m.mode == naming:
		return nil // only the keyboard edits the line
	case m.mode == loading:
		cmd = m.saved.Mouse(msg, y, m.loadChosen)
	case m.mode == counting:
		m.window.Wheel(msg)
	case onTask:
		m.text.Wheel(msg)
	default:
		cmd = m.shown.Mouse(msg, y, func() tea.Cmd {
			cmd, _ := m.press("enter")
			return cmd
		})
	}
	return tea.Batch(cmd, m.render(), m.count())
}
