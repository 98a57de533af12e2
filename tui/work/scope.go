package work

import (
	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
)

// scope is what the keys of the view belong to that the session's state calls for.
func (m *Model) scope() frame.Scope {
	if m.state.Paused != "" {
		return frame.ScopeBetween
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

// Holding reports whether keys are held for a view that is on its way.
func (m *Model) Holding() bool { return m.steps > 0 || len(m.held) > 0 }

// translated is a held key as assay's own, by the view that it was meant for.
func (m *Model) translated(msg tea.Msg) tea.Msg {
	if key, is := msg.(tea.KeyPressMsg); is {
		return m.theme.Keys.Own(m.scope(), m.typing(), key)
	}
	return msg
}

// keyed names keys in a sentence as the tester has them: assay's own stand in braces.
func (m *Model) keyed(sentence string) string {
	return m.theme.Keyed(m.scope(), m.typing(), sentence)
}
