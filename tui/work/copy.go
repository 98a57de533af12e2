package work

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
func (m *viewer) copyCode() tea.Cmd {
	a := m.attempt()
	if a == nil || a.Extracted == nil || a.Extracted.Code == "" {
		m.notice = "c: there is no code in this answer"
		return nil
	}
	return m.copy("The code", m.text(a.Extracted.Code))
}

// copyAnswer copies the whole answer as the model wrote it.
func (m *viewer) copyAnswer() tea.Cmd {
	a := m.attempt()
	if a == nil || a.Answer == nil {
		m.notice = "C: there is no answer"
		return nil
	}
	return m.copy("The answer", m.answerText(a.Answer.Answer))
}

// copy sends a text to the terminal and, if there is one, to a program that has the clipboard.
// Whether the terminal took it cannot be known.
func (m *viewer) copy(what, text string) tea.Cmd {
	what = fmt.Sprintf("%s (%s)", what, frame.Extent(text))
	sent := m.opts.Copy(text)
	desktop := m.opts.Desktop
	if desktop.Copier() == "" {
		m.notice = m.sentText(what)
		return sent
	}
	m.notice = what + " goes to " + desktop.Copier() + " …"
	return tea.Batch(sent, func() tea.Msg { return copiedMsg{what, desktop.Copy(context.Background(), text)} })
}

func (m *viewer) sentText(what string) string {
	text := what + " was sent to the terminal (OSC 52); if nothing arrives, your terminal does not allow it."
	if m.opts.Desktop.InTmux() {
		text += " tmux passes it on with: set -g set-clipboard on"
	}
	return text
}

func (m *viewer) copied(msg copiedMsg) {
	if msg.err != nil {
		m.notice = m.sentText(msg.what) + " · " + msg.err.Error()
		return
	}
	m.notice = msg.what + " was copied by " + m.opts.Desktop.Copier() + "."
}
