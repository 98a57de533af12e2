package viewer

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"assay/tui/frame"
)

// copiedMsg reports whether a program put a text on the clipboard.
type copiedMsg struct {
	what string
	err  error
}

// copyCode copies the code that was extracted from the answer.
func (m *reading) copyCode() tea.Cmd {
	a := m.Attempt()
	if a == nil || a.Extracted == nil || a.Extracted.Code == "" {
		m.Notice = "c: there is no code in this answer"
		return nil
	}
	return m.Copy("The code", m.Text(a.Extracted.Code))
}

// copyAnswer copies the whole answer as the model wrote it.
func (m *reading) copyAnswer() tea.Cmd {
	a := m.Attempt()
	if a == nil || a.Answer == nil {
		m.Notice = "C: there is no answer"
		return nil
	}
	return m.Copy("The answer", m.AnswerText(a.Answer.Answer))
}

// Copy sends a text to the terminal and, if there is one, to a program that has the clipboard.
// Whether the terminal took it cannot be known.
func (m *reading) Copy(what, text string) tea.Cmd {
	what = fmt.Sprintf("%s (%s)", what, frame.Extent(text))
	sent := m.Opts.Copy(text)
	desktop := m.Opts.Desktop
	if desktop.Copier() == "" {
		m.Notice = m.sentText(what)
		return sent
	}
	m.Notice = what + " goes to " + desktop.Copier() + " …"
	return tea.Batch(sent, func() tea.Msg { return copiedMsg{what, desktop.Copy(context.Background(), text)} })
}

func (m *reading) sentText(what string) string {
	text := what + " was sent to the terminal (OSC 52); if nothing arrives, your terminal does not allow it."
	if m.Opts.Desktop.InTmux() {
		text += " tmux passes it on with: set -g set-clipboard on"
	}
	return text
}

func (m *reading) copied(msg copiedMsg) {
	if msg.err != nil {
		m.Notice = m.sentText(msg.what) + " · " + msg.err.Error()
		return
	}
	m.Notice = msg.what + " was copied by " + m.Opts.Desktop.Copier() + "."
}
