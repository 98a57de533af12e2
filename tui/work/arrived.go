package work

import (
	"strings"

	"assay/session"
	"assay/tui/markdown"
)

// arrived lists what had arrived of answers that failed or were stopped, as far as the study shows it.
func (m *Model) arrived() (list []session.Arrival) {
	a := m.state.Attempt()
	if a == nil {
		return nil
	}
	for _, got := range a.Arrived() {
		if m.state.Plan.HideThinking {
			got.Thinking = ""
		}
		if got.Text != "" || got.Thinking != "" {
			list = append(list, got)
		}
	}
	return list
}

// arrivedText shows it above the editor.
func (m *Model) arrivedText(width int) string {
	var parts []string
	for _, got := range m.arrived() {
		of := "the answer"
		if got.Side != "" {
			of = sideName(got.Side)
		}
		text := " " + m.theme.Strong.Render("what had arrived of "+of+": it is not judged")
		if thoughts := m.text(got.Thinking); thoughts != "" {
			text += "\n " + m.theme.Dim.Render(thinkingHead(thoughts)) + "\n" + strings.Join(m.dimmed(strings.Split(markdown.AsItCame(thoughts, width), "\n")), "\n") + "\n"
		}
		parts = append(parts, text+"\n"+markdown.Render(m.answerText(got.Text), m.writtenLook(width)))
	}
	return strings.Join(parts, "\n\n")
}

// arrivedHint names the key that shows it.
func (m *Model) arrivedHint() string {
	if len(m.arrived()) == 0 {
		return ""
	}
	return m.keyed(" {tab} shows what had arrived.")
}
