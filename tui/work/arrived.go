package work

import (
	"assay/session"
	"assay/tui/frame"
)

// arrived returns the part of an answer that had arrived when it failed or was stopped, or "".
func (m *Model) arrived() session.Ref {
	if a := m.state.Attempt(); a != nil {
		return a.Arrived()
	}
	return ""
}

// arrivedText shows that part above the editor, as received.
func (m *Model) arrivedText(width int) string {
	return " " + m.theme.Strong.Render("what had arrived of the answer: it is not judged") + "\n" +
		frame.Indent(frame.Wrap(frame.Plain(m.text(m.arrived())), width-2), " ")
}

// arrivedHint names the key that shows it.
func (m *Model) arrivedHint() string {
	if m.arrived() == "" {
		return ""
	}
	return m.keyed(" {tab} shows what had arrived.")
}
