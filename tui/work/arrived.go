package work

import (
	"assay/session"
	"assay/tui/frame"
)

// arrived is the text that had come of an answer when it failed or was stopped; empty where
// there is none.
func (m *Model) arrived() session.Ref {
	if a := m.state.Attempt(); a != nil {
		return a.Arrived()
	}
	return ""
}

// arrivedText shows it above the editor, as it came.
func (m *Model) arrivedText(width int) string {
	return " " + m.theme.Strong.Render("what had arrived of the answer: it is not judged") + "\n" +
		frame.Indent(frame.Wrap(frame.Plain(m.text(m.arrived())), width-2), " ")
}

// arrivedHint says how to read it.
func (m *Model) arrivedHint() string {
	if m.arrived() == "" {
		return ""
	}
	return m.keyed(" {tab} shows what had arrived.")
}
