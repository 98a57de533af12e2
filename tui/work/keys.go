package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
)

// Typing reports whether printable keys are text, or may turn out to be when the
// step under way is done.
func (m *Model) Typing() bool { return m.steps > 0 || len(m.held) > 0 || m.typing() }

func (m *Model) typing() bool {
	if m.ask != nil {
		return m.ask.words != nil
	}
	if m.state.Paused != "" {
		return false
	}
	switch m.state.Phase {
	case session.Read, session.Compose:
		return m.compose.list == listNone
	case session.Wait:
		return m.pasting()
	case session.Between:
		return m.surveyTyping()
	case session.Review, session.Rate:
		return m.review.finding
	}
	return false
}

// press takes a key or a paste. While a step to another view is under way they
// are held for that view: else the letters typed right after r would be
// commands of the view that is left.
func (m *Model) press(msg tea.Msg) tea.Cmd {
	if m.Holding() {
		m.held = append(m.held, msg)
		return nil
	}
	return m.pressed(msg)
}

// release hands the held keys, in order, to the view that was arrived at, until
// one of them begins the next step.
func (m *Model) release() tea.Cmd {
	var cmds []tea.Cmd
	for m.steps == 0 && m.predicted == 0 && len(m.held) > 0 {
		msg := m.held[0]
		m.held = m.held[1:]
		cmds = append(cmds, m.pressed(m.translated(msg)))
	}
	return tea.Batch(cmds...)
}

func (m *Model) pressed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.notice = ""
		if msg.String() == "?" && !m.typing() {
			return func() tea.Msg { return frame.HelpMsg{} } // no text after all: the program's key for help
		}
		return tea.Batch(m.active(), m.key(msg))
	case tea.PasteMsg:
		return tea.Batch(m.active(), m.pasteAside(msg))
	}
	return nil
}

// pause saves what is written and stops the clock.
func (m *Model) pause() tea.Cmd {
	return tea.Sequence(m.save(), m.pauseFor(engine.PauseByTester))
}

// key routes a key to the view that is shown.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.ask != nil {
		return m.answerQuestion(msg)
	}
	if m.state.Paused != "" {
		return m.pausedKey(msg)
	}
	if msg.String() == "f2" && m.state.Phase != session.Ended {
		return m.pause()
	}
	if cmd, taken := m.aside(msg.String()); taken {
		return cmd
	}
	switch m.state.Phase {
	case session.Between:
		if m.surveying() {
			return m.surveyKey(msg)
		}
		return m.readyKey(msg)
	case session.Read, session.Compose:
		return m.composeKey(msg)
	case session.Wait:
		return m.waitKey(msg)
	case session.Review:
		return m.reviewKey(msg)
	case session.Rate:
		return m.ratingKey(msg)
	default:
		return m.summaryKey(msg)
	}
}
