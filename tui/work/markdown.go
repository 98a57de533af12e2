package work

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// renderKey identifies a rendering of an answer.
type renderKey struct {
	ref  session.Ref
	task int
	look markdown.Look
}

// renderAnswer starts rendering the answer under review for its current width.
func (m *viewer) renderAnswer() tea.Cmd {
	a := m.attempt()
	if a.Answer == nil {
		return nil
	}
	_, width, _ := m.answerColumns()
	key, source := renderKey{a.Answer.Answer, m.taskIndex(), m.writtenLook(width)}, m.source
	cmd := m.answers.Ask(key, func(context.Context) audited {
		return audit(storedText(source, key.ref), source.Task(key.task), key.look)
	})
	m.endStream() // an answer that equals an earlier one is rendered already
	return cmd
}

// endStream replaces the streamed answer by its rendering, once that is done, and keeps the top of
// the view in place.
func (m *viewer) endStream() {
	a := m.attempt()
	if m.stream == nil || a == nil || a.Answer == nil || !m.isRendered(a) || !m.answers.Settled() {
		return
	}
	place, atEnd := m.stream.Place(), m.stream.Following()
	m.stream = nil
	m.showAnswerAt(place, atEnd)
}

// isRendered reports whether an attempt's answer has been rendered, for whatever width.
func (m *viewer) isRendered(a *session.Attempt) bool {
	key, _, ok := m.answers.Last()
	return ok && key.ref == a.Answer.Answer
}

// showAnswerAt lays out the answer again and scrolls to a place in it, or to its end.
func (m *viewer) showAnswerAt(place markdown.Place, atEnd bool) {
	r := &m.review
	r.changes++
	rows := m.answerSheet(m.attempt(), m.textSize()).rows
	r.tops[tabAnswer] = place.Row(rows)
	if atEnd {
		r.tops[tabAnswer] = len(rows) // drawing knows where that is
	}
}

// takeRendered takes over a rendered answer and keeps the reader's place in it.
func (m *viewer) takeRendered(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	before, _, _ := m.answers.Last()
	if cmd, taken = m.answers.Take(msg); !taken {
		return nil, false
	}
	key, _, _ := m.answers.Last()
	a, kept := m.attempt(), m.review.sheets[tabAnswer].sheet
	switch {
	case m.stream != nil:
		m.endStream()
	case a == nil || a.Answer == nil || a.Answer.Answer != key.ref:
	case kept != nil && before.ref == key.ref:
		m.showAnswerAt(markdown.PlaceOf(kept.rows, m.review.tops[tabAnswer]), false)
	default:
		m.review.changes++
	}
	return cmd, true
}

// streaming reports whether the chosen tab shows an answer as streamed, since it is not rendered
// yet.
func (m *viewer) streaming() bool { return m.stream != nil && m.review.tab == tabAnswer }

// firstBytes is how much of an unrendered answer is shown as received.
const firstBytes = 8 << 10

// blockRows is the number of visible rows of a folded block.
const blockRows = 6

// answerSheet returns the answer under review: rendered or, until that is done, as received.
func (m *viewer) answerSheet(a *session.Attempt, size frame.Size) *sheet {
	s := &sheet{}
	text := m.text(a.Answer.Answer)
	if strings.TrimSpace(text) == "" {
		s.add("\n " + m.theme.Warn.Render("The answer is empty.") + " Refine the prompt, or give up.")
		return s
	}
	if !m.isRendered(a) {
		text = m.told(text)
		s.add(markdown.AsItCame(strings.ToValidUTF8(text[:min(len(text), firstBytes)], ""), size.Width))
		return s
	}
	_, made, _ := m.answers.Last()
	if a.Extracted != nil && a.Extracted.Code == "" && len(made.parts) > 0 {
		s.add(" " + m.theme.Warn.Render("– nothing is judged: ") + frame.Wrap(frame.Plain(a.Extracted.Note), size.Width-4) + "\n")
	}
	m.thoughtApart(s, a, size)
	for i := range made.Blocks {
		s.rows = append(s.rows, made.Gap(i)...)
		block := item{blockItem, i}
		rows, head := m.audited(a, made, i, size.Width)
		s.rows = append(s.rows, head...)
		least := max(size.Height, blockRows)
		if made.thinks(i) > 0 {
			block.kind, least = thinkingItem, blockRows
		}
		m.addBlock(s, block, rows, least)
	}
	if !slices.ContainsFunc(s.rows, visible) { // the text has only escape sequences
		text := fmt.Sprintf("Nothing of this answer can be shown: it has %s. %s copies it as it came.", frame.Count(len(text), "byte"), m.theme.Press(frame.ScopeReview, "C"))
		return &sheet{rows: strings.Split("\n"+frame.Indent(m.theme.Warn.Render(frame.Wrap(text, size.Width-2)), " "), "\n")}
	}
	return s
}

// answerRows returns all rows of an answer.
func (m *viewer) answerRows(a *session.Attempt, made audited, width int) (rows []string) {
	for i := range made.Blocks {
		block, head := m.audited(a, made, i, width)
		rows = slices.Concat(rows, made.Gap(i), head, block)
	}
	return rows
}

// addBlock adds rows that fold if they are more than a number.
func (m *viewer) addBlock(s *sheet, block item, rows []string, least int) {
	s.begin(block, len(rows) > least)
	if s.spots[len(s.spots)-1].folds && m.foldedAway(block) {
		s.rows = append(s.rows, rows[:blockRows]...)
		s.rows = append(s.rows, " "+m.theme.Dim.Render(fmt.Sprintf("… %s more lines: %s unfolds", thousands(len(rows)-blockRows), m.unfolds())))
	} else {
		s.rows = append(s.rows, rows...)
	}
	s.end()
}

// visible reports whether a row has visible characters.
func visible(row string) bool {
	return strings.ContainsFunc(ansi.Strip(row), func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// thousands formats a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// writtenLook returns how the answer's text is shown.
func (m *viewer) writtenLook(width int) markdown.Look {
	look := m.answerLook(width)
	look.Verbatim = m.verbatim()
	return look
}

// verbatim reports whether answers are shown as they were written: as the study wants or, else, the tester.
func (m *viewer) verbatim() bool {
	if fixed := m.state.Plan.Answers; fixed != "" {
		return fixed == session.AnswerVerbatim
	}
	return m.theme.Verbatim
}

// verbatimKey switches between the rendered answer and the verbatim one.
func (m *viewer) verbatimKey() frame.Key {
	return frame.Key{Press: "m", Does: "verbatim", Fit: func(k *frame.Key) {
		if m.verbatim() {
			k.Does = "rendered"
		}
		if m.review.tab != tabAnswer || m.stream != nil && m.stream.Empty() {
			k.Press = ""
		}
	}, Not: func() string {
		if m.state.Plan.Answers != "" {
			return "the study shows answers " + string(m.state.Plan.Answers)
		}
		return ""
	}, Do: func() tea.Cmd { return frame.Verbatim }}
}

func (m *viewer) answerLook(width int) markdown.Look { return markdown.LookOf(m.theme, width) }
