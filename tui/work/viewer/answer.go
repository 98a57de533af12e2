package viewer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/benchmark/extract"
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

// answerTab is the tab of the answer, while it streams and when it is there.
type answerTab struct {
	*reading
	stream  *markdown.Stream // the streaming answer, until it is rendered
	asked   string           // the prompt, while nothing of its answer has come
	thought string           // what the model thought before the streaming answer, in short
	thinks  bool             // the stream shows what the model thinks
	answers frame.Latest[renderKey, audited]
}

// renderAnswer starts rendering the answer under review for its current width.
func (m *answerTab) renderAnswer() tea.Cmd {
	a := m.Attempt()
	if a.Answer == nil {
		return nil
	}
	_, width, _ := m.answerColumns()
	key, source := renderKey{a.Answer.Answer, m.taskIndex(), m.WrittenLook(width)}, m.source
	cmd := m.answers.Ask(key, func(context.Context) audited {
		return audit(storedText(source, key.ref), source.Task(key.task), key.look)
	})
	m.endStream() // an answer that equals an earlier one is rendered already
	return cmd
}

// endStream replaces the streamed answer by its rendering, once that is done, and keeps the top of
// the view in place.
func (m *answerTab) endStream() {
	a := m.Attempt()
	if m.stream == nil || a == nil || a.Answer == nil || !m.isRendered(a) || !m.answers.Settled() {
		return
	}
	place, atEnd := m.stream.Place(), m.stream.Following()
	m.stream = nil
	m.showAnswerAt(place, atEnd)
}

// Parts returns the parts of the answer that could have been the program, once it is rendered.
func (m *answerTab) Parts() []extract.Candidate {
	_, made, _ := m.answers.Last()
	return made.parts
}

// isRendered reports whether an attempt's answer has been rendered, for whatever width.
func (m *answerTab) isRendered(a *session.Attempt) bool {
	key, _, ok := m.answers.Last()
	return ok && key.ref == a.Answer.Answer
}

// showAnswerAt lays out the answer again and scrolls to a place in it, or to its end.
func (m *answerTab) showAnswerAt(place markdown.Place, atEnd bool) {
	r := &m.review
	r.changes++
	rows := m.answerSheet(m.Attempt(), m.textSize()).rows
	r.tops[TabAnswer] = place.Row(rows)
	if atEnd {
		r.tops[TabAnswer] = len(rows) // drawing knows where that is
	}
}

// takeRendered takes over a rendered answer and keeps the reader's place in it.
func (m *answerTab) takeRendered(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	before, _, _ := m.answers.Last()
	if cmd, taken = m.answers.Take(msg); !taken {
		return nil, false
	}
	key, _, _ := m.answers.Last()
	a, kept := m.Attempt(), m.review.sheets[TabAnswer].sheet
	switch {
	case m.stream != nil:
		m.endStream()
	case a == nil || a.Answer == nil || a.Answer.Answer != key.ref:
	case kept != nil && before.ref == key.ref:
		m.showAnswerAt(markdown.PlaceOf(kept.rows, m.review.tops[TabAnswer]), false)
	default:
		m.review.changes++
	}
	return cmd, true
}

// firstBytes is how much of an unrendered answer is shown as received.
const firstBytes = 8 << 10

// answerSheet returns the answer under review: rendered or, until that is done, as received.
func (m *answerTab) answerSheet(a *session.Attempt, size frame.Size) *sheet {
	s := &sheet{}
	text := m.Text(a.Answer.Answer)
	if strings.TrimSpace(text) == "" {
		s.add("\n " + m.Theme.Warn.Render("The answer is empty.") + " Refine the prompt, or give up.")
		return s
	}
	if !m.isRendered(a) {
		text = m.told(text)
		s.add(markdown.AsItCame(strings.ToValidUTF8(text[:min(len(text), firstBytes)], ""), size.Width))
		return s
	}
	_, made, _ := m.answers.Last()
	if a.Extracted != nil && a.Extracted.Code == "" && len(made.parts) > 0 {
		s.add(" " + m.Theme.Warn.Render("– nothing is judged: ") + frame.Wrap(frame.Plain(a.Extracted.Note), size.Width-4) + "\n")
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
		text := fmt.Sprintf("Nothing of this answer can be shown: it has %s. %s copies it as it came.", frame.Count(len(text), "byte"), m.Theme.Press(frame.ScopeReview, "C"))
		return &sheet{rows: strings.Split("\n"+frame.Indent(m.Theme.Warn.Render(frame.Wrap(text, size.Width-2)), " "), "\n")}
	}
	return s
}

// AnswerRows returns all rows of an answer with a text.
func (m *answerTab) AnswerRows(a *session.Attempt, text string, width int) (rows []string) {
	made := audit(text, m.Task(), m.WrittenLook(width))
	for i := range made.Blocks {
		block, head := m.audited(a, made, i, width)
		rows = slices.Concat(rows, made.Gap(i), head, block)
	}
	return rows
}

// visible reports whether a row has visible characters.
func visible(row string) bool {
	return strings.ContainsFunc(ansi.Strip(row), func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// textSize returns the size of the chosen tab's text.
func (m *answerTab) textSize() frame.Size {
	_, width, _ := m.columns()
	height := m.Size.Body().Height - 2 - len(m.truncation())
	if m.Awaited() {
		height -= WaitRows
	}
	return frame.Size{Width: width, Height: max(1, height)}
}

// truncation draws the warnings above an answer, what was thought before a streaming one, or the prompt while nothing
// has come. It does not scroll, since a reader who follows a stream is at the answer's end.
func (m *answerTab) truncation() []string {
	a := m.Attempt()
	if m.review.tab == TabAnswer && m.Awaited() && m.asked != "" {
		_, width, _ := m.columns()
		rows := strings.Split(m.Theme.Dim.Render(markdown.Wrapped(m.asked, width-4)), "\n")
		rows = rows[:min(len(rows), max(1, m.Size.Body().Height/2))]
		return append([]string{"", " " + m.Theme.Dim.Render("sent"), ""}, strings.Split(frame.Indent(strings.Join(rows, "\n"), "   "), "\n")...)
	}
	if m.review.tab == TabAnswer && m.Awaited() && m.thought != "" {
		_, width, _ := m.columns()
		return []string{frame.Cut(" "+m.Theme.Dim.Render(m.thought), width)}
	}
	if m.review.tab != TabAnswer || a == nil || a.Answer == nil || len(a.Answer.Warnings()) == 0 {
		return nil
	}
	_, width, _ := m.columns()
	text := m.Theme.Warn.Render(frame.Wrap("! "+strings.Join(a.Answer.Warnings(), " "), width-2))
	return strings.Split(frame.Indent(text, " "), "\n")
}

// WaitRows is the height of waitLine below the tabs.
const WaitRows = 1
