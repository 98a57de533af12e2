package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// scope returns the scope of the keys in the current view.
func (m *Model) scope() frame.Scope {
	if m.state.Paused != "" {
		return frame.ScopeBetween
	}
	if m.comparing() {
		return frame.ScopeOverlap
	}
	switch m.state.Phase {
	case session.Between:
		return frame.ScopeBetween
	case session.Read, session.Compose:
		return frame.ScopeCompose
	case session.Wait:
		return frame.ScopeWaiting
	case session.Review:
		return frame.ScopeReview
	case session.Rate:
		return frame.ScopeRating
	}
	return frame.ScopeSummary
}

// Holding reports whether keys are held for the next view.
func (m *Model) Holding() bool { return m.steps > 0 || len(m.held) > 0 }

// translated translates a held key into assay's own, by the keymap of the view it was meant for.
func (m *Model) translated(msg tea.Msg) tea.Msg {
	if key, is := msg.(tea.KeyPressMsg); is {
		return m.theme.Keys.Own(m.scope(), m.typing(), key)
	}
	return msg
}

// keyed replaces assay's keys, which stand in braces, by the tester's.
func (m *Model) keyed(sentence string) string { return m.theme.Keyed(m.scope(), m.typing(), sentence) }
