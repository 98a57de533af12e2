package work

import (
	"fmt"
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
	made  markdown.Rendering
	given int // bytes of all answers so far that were given to the renderer of Markdown
}

type renderKey struct {
	ref  session.Ref
	look markdown.Look
}

// renderedMsg is an answer rendered in the background.
type renderedMsg struct {
	key  renderKey
	made markdown.Rendering
}

// renderAnswer starts the rendering of the answer under review where it is missing.
func (m *viewer) renderAnswer() tea.Cmd {
	a := m.attempt()
	if a.Answer == nil {
		return nil
	}
	_, width, _ := m.answerColumns()
	key := renderKey{a.Answer.Answer, m.answerLook(width)}
	if key == m.answer.want {
		return nil
	}
	m.answer.want = key
	text := m.text(key.ref)
	return func() tea.Msg { return renderedMsg{key, markdown.Blocks(text, key.look)} }
}

// rendered keeps a rendering if it is still the one that is wanted. What the reader had
// at the top of the screen stays there.
func (m *viewer) rendered(msg renderedMsg) {
	if msg.key != m.answer.want {
		return
	}
	r := &m.review
	if a := m.attempt(); a == nil || a.Answer == nil || a.Answer.Answer != msg.key.ref { // another is awaited by now
		m.answer.want = m.answer.key
		return
	}
	var place markdown.Place
	atEnd := false
	if m.stream != nil {
		place, atEnd = m.stream.Place(), m.stream.Following()
	} else if kept, ok := r.sheets[tabAnswer]; ok && m.answer.key.ref == msg.key.ref {
		place = markdown.PlaceOf(kept.rows, r.tops[tabAnswer])
	}
	m.answer.key, m.answer.made = msg.key, msg.made
	m.answer.given += msg.made.Given
	m.stream = nil
	r.changes++
	rows := m.answerSheet(m.attempt(), m.textSize()).rows
	r.tops[tabAnswer] = place.Row(rows)
	if atEnd {
		r.tops[tabAnswer] = len(rows) // drawing knows where that is
	}
}

// streaming says whether the tab that is looked at is an answer as it streamed in: its
// rendering is on its way.
func (m *viewer) streaming() bool { return m.stream != nil && m.review.tab == tabAnswer }

// firstBytes of an answer are shown as they came until it is rendered.
const firstBytes = 8 << 10

// blockRows are seen of a folded block.
const blockRows = 6

// answerSheet is the answer under review: rendered, or as it came until that is done.
func (m *viewer) answerSheet(a *session.Attempt, size frame.Size) *sheet {
	s := &sheet{}
	text := m.text(a.Answer.Answer)
	if strings.TrimSpace(text) == "" {
		s.add("\n " + m.theme.Warn.Render("The answer is empty.") + " Refine the prompt, or give up.")
		return s
	}
	if m.answer.key.ref != a.Answer.Answer {
		s.add(markdown.AsItCame(strings.ToValidUTF8(text[:min(len(text), firstBytes)], ""), size.Width))
		return s
	}
	for i, b := range m.answer.made.Blocks {
		if i > 0 {
			s.rows = append(s.rows, "")
		}
		block := item{blockItem, i}
		s.begin(block, len(b.Rows) > size.Height)
		if s.spots[len(s.spots)-1].folds && m.foldedAway(block) {
			s.rows = append(s.rows, b.Rows[:blockRows]...)
			s.rows = append(s.rows, " "+m.theme.Dim.Render(fmt.Sprintf("… %s more lines: enter unfolds", thousands(len(b.Rows)-blockRows))))
		} else {
			s.rows = append(s.rows, b.Rows...)
		}
		s.end()
	}
	return s
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func (m *viewer) answerLook(width int) markdown.Look {
	return markdown.LookOf(m.theme, width)
}
