// Package viewer shows an attempt in tabs, and changes nothing: the open one of a live session, a past one, or two side
// by side. Its files build on one another: the attempt (subject), the reader's place in it (reading), a tab each, which
// lays out a sheet, the viewer of them all, and how it is moved through (motion, keys).
//
// Answers are rendered in commands and kept by content and width.
package viewer

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/overlap"
	"assay/tui/frame"
	"assay/tui/markdown"
	"assay/tui/work/result"
)

// Viewer shows an attempt in tabs: the open one of a live session, or a past one.
type Viewer struct {
	*reading
	answerTab
	testsTab
	changesTab
	measuresTab
}

func New(source Source, state *session.State, opts Options) Viewer {
	if opts.Copy == nil {
		opts.Copy = tea.SetClipboard
	}
	mask := overlap.Unnamed(state)
	if mask != nil {
		source = unnamed{source, mask}
	}
	r := &reading{subject: subject{mask: mask, source: source, State: state, Opts: opts}, Theme: frame.NewTheme(true, true), review: newReviewer()}
	return Viewer{r, answerTab{reading: r}, testsTab{pictures: pictures{reading: r}}, changesTab{reading: r}, measuresTab{reading: r}}
}

// sheet returns the chosen tab laid out for a column.
func (m *Viewer) sheet(size frame.Size) *sheet {
	return m.cached(m.review.tab, size, func() *sheet { return m.tabSheet(size) })
}

// view draws the visible part of the chosen tab.
func (m *Viewer) view(size frame.Size) string {
	if m.streaming() {
		return m.streamText(size)
	}
	s := m.sheet(size)
	top := m.top(s, size.Height)
	rows := slices.Clone(s.rows[top:min(len(s.rows), top+size.Height)])
	m.review.find.Search(s, s.rows)
	m.review.find.Mark(top, rows)
	if m.review.tab == TabTests {
		if at := m.cursor(s); at >= 0 && s.spots[at].row >= top && s.spots[at].row < top+len(rows) {
			i := s.spots[at].row - top
			rows[i] = m.Theme.Ground(" "+m.Theme.Accent.Render("▸")+strings.TrimPrefix(rows[i], "  "), size.Width)
		}
	}
	return strings.Join(m.review.pan.Rows(rows, size.Width, m.Theme), "\n")
}

// tabSheet lays out the chosen tab.
func (m *Viewer) tabSheet(size frame.Size) *sheet {
	a := m.Attempt()
	s := &sheet{}
	if why := m.absent(a); why != "" {
		s.add("\n" + frame.Indent(m.Theme.Dim.Render(frame.Wrap(why, size.Width-2)), " "))
		return s
	}
	switch m.review.tab {
	case TabAnswer:
		return m.answerSheet(a, size)
	case TabTests:
		return m.testsSheet(a, size, false)
	case TabChanges:
		return m.changesSheet(a, size)
	case tabMeasures:
		s.add(m.measuresText(a, size.Width))
	case tabPrompt:
		return m.promptSheet(a, size)
	case tabTask:
		s.add("\n" + Statement(m.Task(), frame.Size{Width: size.Width, Height: m.Size.Height}, m.Theme))
	case tabTranscript:
		m.transcriptText(s, a.Answer, size.Width)
	case tabResult:
		s.add("\n" + result.Task(m.State, m.past.task, m.past.times, size.Width, m.Theme))
	default:
		s.add("")
		s.rows = append(s.rows, markdown.Code(m.Task().Reference, m.Task().ReferenceLanguage(), m.AnswerLook(size.Width))...)
	}
	return s
}

// ReviewBody draws the line of tabs and the text of the chosen one. Beside the answer stand the
// tests on a wide screen, beside the tests the code, and also the statement on a wider one.
func (m *Viewer) ReviewBody(body frame.Size) string {
	if m.review.full {
		return m.fullPicture(body)
	}
	line, _ := m.tabLine(body.Width)
	height := body.Height - 2
	left, width, right := m.columns()
	note := m.truncation()
	text := m.view(frame.Size{Width: width, Height: height - len(note)})
	panes := []frame.Pane{{Title: tabNames[m.review.tab], Text: strings.Join(append(note, text), "\n"), Width: width, Focused: true}}
	beside := func(title string, column tab, width int) frame.Pane {
		return frame.Pane{Title: title, Text: m.besideText(column, width, height), Width: width}
	}
	switch {
	case left+right == 0:
		panes[0].Width = body.Width
	case m.Awaited() && left == 0: // there are no tests yet
		panes = append(panes, beside("statement", besideTask, right))
	case m.review.tab == TabTests:
		panes = append(panes, beside("code", besideCode, right))
	default:
		panes = append(panes, beside("tests", besideTests, right))
	}
	if left > 0 {
		panes = slices.Insert(panes, 0, beside("statement", besideTask, left))
	}
	return line + "\n" + frame.Panes(height, m.Theme, panes...)
}

// besideText draws a column beside the answer, with the key that shows the rest.
func (m *Viewer) besideText(column tab, width, height int) string {
	size := frame.Size{Width: width, Height: height}
	s := m.cached(column, size, func() *sheet {
		s := &sheet{}
		if column == besideTests {
			return m.testsSheet(m.Attempt(), size, true)
		}
		if column == besideCode {
			s.rows = append([]string{""}, markdown.Code(m.judged(), m.language(), m.AnswerLook(width))...)
			return s
		}
		s.add(Statement(m.Task(), frame.Size{Width: width, Height: m.Size.Height}, m.Theme))
		return s
	})
	if len(s.rows) <= height {
		return strings.Join(s.rows, "\n")
	}
	scope, key := frame.ScopeReview, "2"
	if m.past != nil {
		scope = frame.ScopeResults
	}
	switch column {
	case besideTask:
		key = "6"
	case besideCode:
		key = "1"
	}
	rest := frame.Position(0, height-1, len(s.rows)) + ": " + m.Theme.Press(scope, key) + " shows all"
	return strings.Join(append(slices.Clone(s.rows[:height-1]), " "+m.Theme.Dim.Render(rest)), "\n")
}

// Finding draws the line of the search below the body of a page, while it is typed.
func (m *Viewer) Finding(p frame.Page, body frame.Size) frame.Page {
	if m.Searching() {
		return m.review.find.LinePage(p, body, m.Theme)
	}
	return p
}

// Seen returns the position in the chosen tab.
func (m *Viewer) Seen() string {
	if m.streaming() || m.review.full {
		return ""
	}
	s, top, height := m.inView()
	return frame.Position(top, height, len(s.rows))
}

// inView returns the chosen tab laid out, its first visible row, and how many rows are visible.
func (m *Viewer) inView() (s *sheet, top, height int) {
	size := m.textSize()
	s = m.sheet(size)
	return s, m.top(s, size.Height), size.Height
}

// absent explains why the chosen tab is empty, or is "".
func (m *reading) absent(a *session.Attempt) string {
	switch m.review.tab {
	case tabSolution:
		if m.Awaited() { // the tester could use it in a prompt without a record in the log
			return "The reference solution is shown with the answer."
		}
		return ""
	case tabTask, tabResult:
		return ""
	}
	switch {
	case m.open() && (a.Failed == nil && a.Broken == nil):
		if m.review.tab != tabPrompt && a.Answer == nil {
			return "There is no answer yet."
		}
		return ""
	case a.Sent != nil && a.Sent.Prompt == "" && !a.HasAnswer():
		return "This session was imported from tables, which have no prompts, answers or code."
	case a.Sent != nil && a.Sent.Prompt == "" && m.review.tab == tabPrompt:
		return "The prompt of this answer was not imported."
	case a.Sent == nil:
		return "No prompt was sent in this attempt."
	case m.review.tab == tabPrompt:
		return ""
	case a.Answer == nil && a.Failed != nil:
		if m.State.Plan.Unnamed() {
			return "There is no answer."
		}
		return "There is no answer: " + frame.Plain(a.Failed.Message)
	case !a.HasAnswer():
		return "There is no answer to this prompt."
	case m.review.tab == TabChanges && a.Extracted == nil && a.Tree == nil:
		return "The code was not taken from this answer."
	case m.review.tab == TabTests && a.Verdict == nil:
		return "The code of this answer was not run."
	case m.review.tab == tabMeasures && a.Measured == nil:
		return "The code of this answer was not measured."
	}
	return ""
}
