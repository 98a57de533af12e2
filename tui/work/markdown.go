package work

import (
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"

	"assay/session"
	"assay/tui/frame"
)

// maxRendered is the size in bytes up to which an answer is rendered as
// Markdown. Beyond it the text is shown as it came: rendering a megabyte takes
// seconds and nobody reads its headings.
const maxRendered = 64 << 10

// rendering keeps one answer rendered for one width and theme.
type rendering struct {
	key   renderKey
	want  renderKey // being rendered
	lines string
}

type renderKey struct {
	ref         session.Ref
	width       int
	dark, color bool
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
func (m *Model) render() tea.Cmd {
	a := m.state.Attempt()
	if a == nil || a.Answer == nil || m.size.Width == 0 {
		return nil
	}
	key := renderKey{a.Answer.Answer, m.answerWidth(), m.theme.Dark, m.theme.Color}
	if key == m.answer.want {
		return nil
	}
	m.answer.want = key
	text := m.text(key.ref)
	return func() tea.Msg { return renderedMsg{key, renderAnswer(text, key)} }
}

// Settled says whether the answer on the screen is rendered as it is wanted.
func (m *Model) Settled() bool { return m.answer.key == m.answer.want }

// answerText is the answer under review: rendered, or as it came until that is
// done.
func (m *Model) answerText(a *session.Attempt, width int) string {
	text := m.text(a.Answer.Answer)
	if strings.TrimSpace(text) == "" {
		return "\n " + m.theme.Warn.Render("The answer is empty.") + " Refine the prompt, or give up."
	}
	key := renderKey{a.Answer.Answer, width, m.theme.Dark, m.theme.Color}
	if key == m.answer.key {
		return m.answer.lines
	}
	return asItCame(text[:min(len(text), maxRendered)], width) // the rest is on its way
}

// asItCame is the text of an answer without any rendering.
func asItCame(text string, width int) string {
	return frame.Indent(frame.Wrap(frame.Plain(text), width-2), " ")
}

// renderAnswer renders an answer for the screen, or only wraps a long one.
func renderAnswer(text string, key renderKey) string {
	if len(text) > maxRendered {
		return asItCame(text, key.width)
	}
	return renderMarkdown(text, key)
}

// trailing is the padding that glamour fills lines with, and the styles of it.
var trailing = regexp.MustCompile(`(?:\x1b\[[0-9;]*m| )+$`)

// renderMarkdown renders an answer for the screen. On any error the text comes
// back as it is.
func renderMarkdown(text string, key renderKey) string {
	text = frame.Clean(text)
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(answerStyle(key.dark, key.color)),
		glamour.WithWordWrap(key.width-2),
		// The formatter of 256 colours picks at random between equally near ones.
		glamour.WithChromaFormatter("terminal16m"),
	)
	if err != nil {
		return frame.Wrap(text, key.width)
	}
	out, err := renderer.Render(text)
	if err != nil {
		return frame.Wrap(text, key.width)
	}
	lines := strings.Split(strings.Trim(out, "\n"), "\n")
	for i, l := range lines {
		lines[i] = " " + trailing.ReplaceAllString(l, "")
		if strings.Contains(lines[i], "\x1b[") {
			lines[i] += "\x1b[m"
		}
	}
	return strings.Join(lines, "\n")
}

// answerStyle is glamour's standard style without its margins and padding, so
// that text can be selected as it stands.
func answerStyle(dark, colored bool) ansi.StyleConfig {
	style := styles.NoTTYStyleConfig
	switch {
	case colored && dark:
		style = styles.DarkStyleConfig
		// By name, because glamour keeps its own code colours in one place for
		// the whole process: the first background would win.
		style.CodeBlock.Chroma, style.CodeBlock.Theme = nil, "github-dark"
	case colored:
		style = styles.LightStyleConfig
		style.CodeBlock.Chroma, style.CodeBlock.Theme = nil, "github"
	}
	none, two := uint(0), uint(2)
	style.Document.Margin = &none
	style.Document.BlockPrefix, style.Document.BlockSuffix = "", ""
	style.CodeBlock.Margin = &two
	if colored {
		style.Code.Prefix, style.Code.Suffix = "", "" // padding would be selected with the text
	}
	return style
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
