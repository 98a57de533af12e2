package work

import (
	"strings"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// arrival is what had arrived of an answer when it failed or was stopped: a part of its text, and what was thought.
type arrival struct{ text, thinking session.Ref }

// arrived returns what had arrived, as far as the study shows it.
func (m *Model) arrived() (got arrival) {
	if a := m.state.Attempt(); a != nil {
		got.text, got.thinking = a.Arrived()
	}
	if m.state.Plan.HideThinking {
		got.thinking = ""
	}
	return got
}

// arrivedText shows it above the editor, as received.
func (m *Model) arrivedText(width int) string {
	got := m.arrived()
	text := " " + m.theme.Strong.Render("what had arrived of the answer: it is not judged")
	if thoughts := m.text(got.thinking); thoughts != "" {
		text += "\n " + m.theme.Dim.Render(thinkingHead(thoughts)) + "\n" + strings.Join(m.dimmed(strings.Split(markdown.AsItCame(thoughts, width), "\n")), "\n") + "\n"
	}
	return text + "\n" + frame.Indent(frame.Wrap(frame.Plain(m.answerText(got.text)), width-2), " ")
}

// arrivedHint names the key that shows it.
func (m *Model) arrivedHint() string {
	if m.arrived() == (arrival{}) {
		return ""
	}
	return m.keyed(" {tab} shows what had arrived.")
}
