package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/session"
	"assay/tui/frame"
	"assay/tui/markdown"
)

// tab is one view of an answer.
type tab int

const (
	tabAnswer tab = iota
	tabTests
	tabChanges
	tabMeasures
	tabPrompt
	tabTask
	tabSolution
	tabResult // for past sessions
	tabTranscript
)

// tabNames are the tabs as the log names them.
var tabNames = [...]string{"answer", "tests", "changes", "measures", "prompt", "task", "solution", "result", "transcript"}

// shortened lists the beginnings of tabs' names in the order in which they are used if the line is too
// long.
var shortened = [...]shortName{{tabSolution, "sol."}, {tabMeasures, "meas."}, {tabTranscript, "tr."}, {tabResult, "res."}, {tabChanges, "ch."}}

type shortName struct {
	of   tab
	name string
}

// tabSeen is a tab as it is on the screen.
type tabSeen struct {
	name     string
	verbatim bool
}

// reviewer is the state of a review.
type reviewer struct {
	tab   tab
	tops  map[tab]int // the first row that is seen
	pan   frame.Pan
	shown tabSeen // what the log knows

	toggled map[item]bool // items that are not in their initial state, folded or unfolded
	chosen  item          // in the tests; a missing item stands for the first failure
	failing bool          // only failed test cases are listed
	tool    string        // only an agent's steps with it are listed; "": all
	beside  bool          // changes are shown side by side
	stacked bool          // those of a repository are not
	against int           // the index in compared() of the text that changes are against
	picture int           // the file whose picture is shown: 0 for the first, n+1 for the n-th, -1 for none
	full    bool          // a picture fills the page

	changes int // counts changes of the fields above, see sheetKey
	sheets  map[tab]keptSheet
	find    finder
}

func newReviewer() reviewer {
	r := reviewer{find: newFinder(), sheets: map[tab]keptSheet{}}
	r.begin()
	return r
}

// begin resets the state for another answer.
func (r *reviewer) begin() {
	r.tab, r.shown, r.chosen = tabAnswer, tabSeen{}, item{}
	r.find.seek("")
	r.failing, r.tool, r.full, r.against, r.picture = false, "", false, 0, 0
	r.tops, r.pan, r.toggled = map[tab]int{}, frame.Pan{}, map[item]bool{}
	r.changes++
}

// tabs lists the tabs of this session. A reference solution that the plan hides is hidden until
// the session has ended, also in results.
func (m *viewer) tabs() []tab {
	list := []tab{tabAnswer, tabTests, tabChanges, tabMeasures, tabPrompt, tabTask}
	if m.ofRepository() { // whose files are not measured
		list = []tab{tabAnswer, tabTests, tabChanges, tabPrompt, tabTask}
	}
	if a := m.attempt(); a != nil && a.Answer != nil && a.Answer.Transcript != "" {
		list = append(list, tabTranscript)
	}
	if t := m.task(); t != nil && t.Reference != "" && (m.state.Plan.Reference || m.past != nil && m.state.Closed != "") {
		list = append(list, tabSolution)
	}
	if m.past != nil && !m.past.blind {
		list = append(list, tabResult)
	}
	return list
}

// judgeAs records the decision on the answer under review.
func (m *Model) judgeAs(d session.Decision) tea.Cmd {
	seen := m.sawTests(m.state.Attempt())
	return m.intend(step(func(ctx context.Context) error { return m.eng.Judge(ctx, d, seen) }))
}

// turn shows another tab at the position where the tester left it.
func (m *viewer) turn(to tab) {
	m.findNothing()
	m.review.tab, m.review.pan = to, frame.Pan{}
}

// showTab records the tab that is shown, once for each tab of an attempt, and how the answer in it is shown.
func (m *Model) showTab() tea.Cmd {
	a := m.state.Attempt()
	rated := m.state.Phase == session.Rate && (m.beside > 0 || m.rating.viewing)
	if a == nil || m.state.Phase != session.Review && !rated || m.state.Paused != "" {
		return nil
	}
	r := &m.review
	now := tabSeen{tabNames[r.tab], r.tab == tabAnswer && m.verbatim()}
	if r.shown == now {
		return nil
	}
	r.shown = now
	return m.intend(intent{do: func(ctx context.Context) error { return m.eng.ShowTab(ctx, now.name, now.verbatim) }})
}

// pasteWords puts clipboard text into the line of the search.
func (m *viewer) pasteWords(msg tea.PasteMsg) (cmd tea.Cmd) {
	if m.review.find.typing {
		m.review.find.line, cmd = m.review.find.line.Update(msg)
	}
	return cmd
}

func (m *Model) reviewPage() frame.Page {
	body := m.size.Body()
	p := frame.Page{Body: m.reviewBody(body), Seen: m.seen()}
	if m.review.find.typing {
		return m.review.find.linePage(p, body, m.theme)
	}
	return p
}

// reviewBody draws the line of tabs and the text of the chosen one. Beside the answer stand the
// tests on a wide screen, beside the tests the code, and also the statement on a wider one.
func (m *viewer) reviewBody(body frame.Size) string {
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
	case m.awaited() && left == 0: // there are no tests yet
		panes = append(panes, beside("statement", besideTask, right))
	case m.review.tab == tabTests:
		panes = append(panes, beside("code", besideCode, right))
	default:
		panes = append(panes, beside("tests", besideTests, right))
	}
	if left > 0 {
		panes = slices.Insert(panes, 0, beside("statement", besideTask, left))
	}
	return line + "\n" + frame.Panes(height, m.theme, panes...)
}

// judged returns the code of the attempt that was run, "" for none, or a repository's changes.
func (m *viewer) judged() string {
	if a := m.attempt(); a != nil && a.Extracted != nil && !m.ofRepository() {
		return m.text(a.Extracted.Code)
	}
	return ""
}

// truncation draws the warnings above an answer, what was thought before a streaming one, or the prompt while nothing
// has come. It does not scroll, since a reader who follows a stream is at the answer's end.
func (m *viewer) truncation() []string {
	a := m.attempt()
	if m.review.tab == tabAnswer && m.awaited() && m.asked != "" {
		_, width, _ := m.columns()
		rows := strings.Split(m.theme.Dim.Render(markdown.Wrapped(m.asked, width-4)), "\n")
		rows = rows[:min(len(rows), max(1, m.size.Body().Height/2))]
		return append([]string{"", " " + m.theme.Dim.Render("sent"), ""}, strings.Split(frame.Indent(strings.Join(rows, "\n"), "   "), "\n")...)
	}
	if m.review.tab == tabAnswer && m.awaited() && m.thought != "" {
		_, width, _ := m.columns()
		return []string{frame.Cut(" "+m.theme.Dim.Render(m.thought), width)}
	}
	if m.review.tab != tabAnswer || a == nil || a.Answer == nil || len(a.Answer.Warnings()) == 0 {
		return nil
	}
	_, width, _ := m.columns()
	text := m.theme.Warn.Render(frame.Wrap("! "+strings.Join(a.Answer.Warnings(), " "), width-2))
	return strings.Split(frame.Indent(text, " "), "\n")
}

// seen returns the position in the chosen tab.
func (m *viewer) seen() string {
	if m.streaming() || m.review.full {
		return ""
	}
	size := m.textSize()
	s := m.sheet(size)
	return frame.Position(m.top(s, size.Height), size.Height, len(s.rows))
}

// besideText draws a column beside the answer, with the key that shows the rest.
func (m *viewer) besideText(column tab, width, height int) string {
	size := frame.Size{Width: width, Height: height}
	s := m.cached(column, size, func() *sheet {
		s := &sheet{}
		if column == besideTests {
			return m.testsSheet(m.attempt(), size, true)
		}
		if column == besideCode {
			s.rows = append([]string{""}, markdown.Code(m.judged(), m.language(), m.answerLook(width))...)
			return s
		}
		s.add(statement(m.task(), frame.Size{Width: width, Height: m.size.Height}, m.theme))
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
	rest := frame.Position(0, height-1, len(s.rows)) + ": " + m.theme.Press(scope, key) + " shows all"
	return strings.Join(append(slices.Clone(s.rows[:height-1]), " "+m.theme.Dim.Render(rest)), "\n")
}

// threeWidth is the minimum width for statement, answer and tests side by side.
const threeWidth = 160

// columns returns the widths of statement, chosen tab and tests; a missing column is 0. A line
// separates two columns.
func (m *viewer) columns() (left, text, right int) {
	if m.review.tab == tabTests && m.room() >= frame.WideWidth && m.judged() != "" {
		text = min(m.room()*60/100, frame.ProseWidth)
		return 0, text, m.room() - text - 1
	}
	if m.review.tab != tabAnswer {
		if text = m.room(); m.review.tab != tabChanges && m.review.tab != tabSolution {
			text = min(text, frame.ProseWidth)
		}
		return 0, text, 0
	}
	return m.answerColumns()
}

func (m *viewer) answerColumns() (left, text, right int) {
	width := m.room()
	beside := width >= frame.WideWidth && (m.open() || m.attempt().HasAnswer())
	switch {
	case !beside:
		return 0, min(width, frame.ProseWidth), 0
	case width < threeWidth || m.task() == nil:
		text = width * 60 / 100
		return 0, text, width - text - 1
	}
	left, right = width*26/100, width*28/100
	return left, width - left - right - 2, right
}

// tabName is the place of a tab's name in its line, in columns.
type tabName struct {
	of       tab
	from, to int
}

func (m *viewer) tabLine(width int) (string, []tabName) {
	line, names := m.tabLabels(0)
	for short := 1; frame.Width(line) > width && short <= len(shortened)+len(m.tabs()); short++ {
		line, names = m.tabLabels(short)
	}
	return ansi.Truncate(line, width, "…"), names
}

// tabLabels draws the names of the tabs, using the first short entries of shortened and, beyond those, no names for as many
// of the last tabs, but for the chosen one and the tests.
func (m *viewer) tabLabels(short int) (string, []tabName) {
	var b strings.Builder
	var names []tabName
	edge := " "
	if m.room() < frame.FullWidth {
		edge = ""
	}
	at := 0
	for i, t := range m.tabs() {
		name := tabNames[t]
		if i := slices.IndexFunc(shortened[:min(short, len(shortened))], func(s shortName) bool { return s.of == t }); i >= 0 {
			name = shortened[i].name
		}
		if i >= len(m.tabs())+len(shortened)-short && t != m.review.tab {
			name = ""
		}
		if t == tabTests {
			name = m.testsLabel()
		}
		if edge == "" {
			b.WriteString(" ")
			at++
		}
		text := m.theme.Tab(strings.TrimRight(fmt.Sprintf("%d %s", i+1, name), " "), t == m.review.tab)
		if edge == "" {
			text = strings.TrimSpace(text)
		}
		if a := m.attempt(); t == tabTests && m.state.Plan.Sees(a) != session.SeeNothing && a.Verdict != nil {
			text = strings.TrimSuffix(text, " ") + m.theme.Chip(verdictText(a.Verdict, true))
		}
		names = append(names, tabName{t, at, at + frame.Width(text)})
		at += frame.Width(text)
		b.WriteString(text)
	}
	return b.String(), names
}

// testsLabel names the tests in the line of tabs; a verdict follows as a chip.
func (m *viewer) testsLabel() string {
	a := m.attempt()
	tests := "tests "
	if m.room() < frame.FullWidth {
		tests = ""
	}
	switch {
	case m.state.Plan.Sees(a) == session.SeeNothing:
		return tests + "– hidden"
	case a.Verdict == nil && !m.open():
		return tests + "– none"
	case a.Verdict == nil && (a.Answer == nil || m.state.Phase == session.Wait):
		return tests + "–"
	case a.Verdict == nil:
		far := strings.TrimPrefix(m.runningText(), "running")
		if far != "" && tests == "" { // the same width as without
			return "… running" + strings.Replace(far, " of ", "/", 1)
		}
		return "tests … running" + far
	}
	return tests
}

// tabSheet lays out the chosen tab.
func (m *viewer) tabSheet(size frame.Size) *sheet {
	a := m.attempt()
	s := &sheet{}
	if why := m.absent(a); why != "" {
		s.add("\n" + frame.Indent(m.theme.Dim.Render(frame.Wrap(why, size.Width-2)), " "))
		return s
	}
	switch m.review.tab {
	case tabAnswer:
		return m.answerSheet(a, size)
	case tabTests:
		return m.testsSheet(a, size, false)
	case tabChanges:
		return m.changesSheet(a, size)
	case tabMeasures:
		s.add(m.measuresText(a, size.Width))
	case tabPrompt:
		return m.promptSheet(a, size)
	case tabTask:
		s.add("\n" + statement(m.task(), frame.Size{Width: size.Width, Height: m.size.Height}, m.theme))
	case tabTranscript:
		m.transcriptText(s, a.Answer, size.Width)
	case tabResult:
		s.add("\n" + Result(m.state, m.past.task, m.past.times, size.Width, m.theme))
	default:
		s.add("")
		s.rows = append(s.rows, markdown.Code(m.task().Reference, m.task().ReferenceLanguage(), m.answerLook(size.Width))...)
	}
	return s
}
