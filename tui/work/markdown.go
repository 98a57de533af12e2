package work

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// rendering keeps one answer rendered for one width and theme.
type rendering struct {
	key   renderKey
	want  renderKey // being rendered
	lines string
}

type renderKey struct {
	ref  session.Ref
	look markdown.Look
}

// renderedMsg is an answer rendered in the background.
type renderedMsg struct {
	key  renderKey
	text string
}

// take keeps a rendering if it is still the one that is wanted.
func (r *rendering) take(msg renderedMsg) {
	if msg.key == r.want {
		r.key, r.lines = msg.key, msg.text
	}
}

// render starts the rendering of the answer under review where it is missing.
func (m *viewer) render() tea.Cmd {
	a := m.attempt()
	if a == nil || a.Answer == nil || m.size.Width == 0 {
		return nil
	}
	key := renderKey{a.Answer.Answer, m.answerLook(m.answerWidth())}
	if key == m.answer.want {
		return nil
	}
	m.answer.want = key
	text := m.text(key.ref)
	return func() tea.Msg { return renderedMsg{key, markdown.Render(text, key.look)} }
}

// Settled says whether the answer on the screen is rendered as it is wanted.
func (m *viewer) Settled() bool { return m.answer.key == m.answer.want }

// answerText is the answer under review: rendered, or as it came until that is
// done.
func (m *viewer) answerText(a *session.Attempt, width int) string {
	text := m.text(a.Answer.Answer)
	if strings.TrimSpace(text) == "" {
		return "\n " + m.theme.Warn.Render("The answer is empty.") + " Refine the prompt, or give up."
	}
	key := renderKey{a.Answer.Answer, m.answerLook(width)}
	if key == m.answer.key {
		return m.answer.lines
	}
	return markdown.AsItCame(text[:min(len(text), markdown.MaxRendered)], width) // the rest is on its way
}

func (m *viewer) answerLook(width int) markdown.Look {
	return markdown.LookOf(m.theme, width)
}

// streaming draws an answer while it arrives: prose wrapped, the lines of an
// open code fence as they are. It never renders Markdown, whose look could
// still change with the next letter.
func streaming(text string, width int, theme frame.Theme) string {
	var b strings.Builder
	fenced := false
	for _, line := range strings.Split(frame.Plain(text), "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
			b.WriteString("\n")
			continue
		}
		if fenced {
			b.WriteString("   " + theme.Code.Render(line) + "\n")
			continue
		}
		b.WriteString(frame.Indent(frame.Wrap(line, width-2), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
