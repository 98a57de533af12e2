package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"assay/benchmark/judge"
	"assay/session"
	"assay/tui/frame"
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
	tabResult // of sessions that are looked at
)

// tabNames are the tabs as the log names them.
var tabNames = [...]string{"answer", "tests", "changes", "measures", "prompt", "task", "solution", "result"}

// shortened are the tabs that have a shorter name where the line has less room, in
// the order in which they take it.
var shortened = [...]shortName{{tabSolution, "sol."}, {tabMeasures, "code"}, {tabChanges, "diff"}, {tabResult, "end"}}

type shortName struct {
	of   tab
	name string
}

// reviewer is what stays of a review while it lasts.
type reviewer struct {
	tab     tab
	scroll  viewport.Model
	offsets map[tab]int
	follow  bool // the end of a streaming answer is kept in view
	open    bool // passed tests are listed, too
	shown   string

	noting  bool
	finding bool
	line    textinput.Model
	found   string
}

func newReviewer() reviewer {
	line := textinput.New()
	line.SetVirtualCursor(false)
	line.Prompt = ""
	return reviewer{scroll: viewport.New(), offsets: map[tab]int{}, line: line}
}

// begin forgets what belonged to the answer before.
func (r *reviewer) begin() {
	r.tab, r.open, r.shown, r.found = tabAnswer, false, "", ""
	r.offsets = map[tab]int{}
	r.scroll.GotoTop()
}

// tabs lists the tabs of this session. A reference solution that the plan hides stays
// hidden until the session has ended, whichever way an attempt is looked at.
func (m *viewer) tabs() []tab {
	list := []tab{tabAnswer, tabTests, tabChanges, tabMeasures, tabPrompt, tabTask}
	if t := m.task(); t != nil && t.Reference != "" && (m.state.Plan.Reference || m.past != nil && m.state.Closed != "") {
		list = append(list, tabSolution)
	}
	if m.past != nil {
		list = append(list, tabResult)
	}
	return list
}

func (m *Model) reviewKey(msg tea.KeyPressMsg) tea.Cmd {
	if m.review.noting || m.review.finding {
		return m.lineKey(msg)
	}
	switch press := msg.String(); press {
	case "y":
		return m.judgeAs(session.DecideSatisfied)
	case "r":
		if why := frame.Refused(m.reviewKeys(), "r"); why != "" {
			m.notice = why
			return nil
		}
		return m.judgeAs(session.DecideRefine)
	case "g":
		m.ask = &question{
			text: "Give this task up without satisfaction? The last answer is rated next.", yes: "give up",
			do: func() tea.Cmd { return m.judgeAs(session.DecideGiveUp) },
		}
		return nil
	default:
		return m.viewKey(msg)
	}
}

// viewKey handles the keys that look at an answer: while reviewing, and while
// rating with the answer open.
func (m *Model) viewKey(msg tea.KeyPressMsg) tea.Cmd {
	if r := &m.review; msg.String() == "t" {
		r.noting = true
		r.line.SetValue(m.state.Task().Note)
		r.line.CursorEnd()
		return r.line.Focus()
	}
	return tea.Batch(m.viewer.viewKey(msg), m.showTab())
}

// viewKey handles the keys that look at an answer and leave nothing behind.
func (m *viewer) viewKey(msg tea.KeyPressMsg) tea.Cmd {
	r := &m.review
	tabs := m.tabs()
	at := slices.Index(tabs, r.tab)
	switch press := msg.String(); press {
	case "1", "2", "3", "4", "5", "6", "7", "8":
		if i := int(press[0] - '1'); i < len(tabs) {
			m.turn(tabs[i])
		}
	case "tab", "right", "l":
		m.turn(tabs[(at+1)%len(tabs)])
	case "shift+tab", "left", "h":
		m.turn(tabs[(at+len(tabs)-1)%len(tabs)])
	case "enter":
		if r.tab == tabTests {
			r.open = !r.open
		}
	case "c":
		return m.copyCode()
	case "o":
		return m.saveOutputs()
	case "/":
		r.finding = true
		r.line.SetValue(r.found)
		return r.line.Focus()
	case "n":
		m.findNext()
	default:
		return m.scroll(msg)
	}
	return nil
}

// judgeAs records the decision on the answer under review. The outcome of the
// tests stands in the line of tabs from the moment there is one.
func (m *Model) judgeAs(d session.Decision) tea.Cmd {
	a := m.state.Attempt()
	seen := a.Verdict != nil && m.state.Plan.Sees(a) != session.SeeNothing
	return m.intend("judge", func(ctx context.Context) error { return m.eng.Judge(ctx, d, seen) })
}

// turn shows another tab where the tester left it.
func (m *viewer) turn(to tab) {
	r := &m.review
	r.offsets[r.tab] = r.scroll.YOffset()
	r.tab, r.found = to, ""
	r.scroll.SetContent(m.tabText(m.size.Body().Width))
	r.scroll.SetYOffset(r.offsets[to])
}

// showTab tells the log what is looked at, once for each tab of an attempt.
func (m *Model) showTab() tea.Cmd {
	a := m.state.Attempt()
	if a == nil || m.state.Phase != session.Review || m.state.Paused != "" {
		return nil
	}
	r := &m.review
	name := tabNames[r.tab]
	if r.shown == name {
		return nil
	}
	r.shown = name
	return m.intend("tab", func(ctx context.Context) error { return m.eng.ShowTab(ctx, name) })
}

func (m *viewer) copyCode() tea.Cmd {
	a := m.attempt()
	if a.Extracted == nil || a.Extracted.Code == "" {
		m.notice = "c: there is no code in this answer"
		return nil
	}
	m.notice = fmt.Sprintf("The code (%d bytes) was sent to the clipboard.", a.Extracted.Bytes)
	return m.opts.Copy(m.text(a.Extracted.Code))
}

// lineKey edits the one-line note or search text.
func (m *Model) lineKey(msg tea.KeyPressMsg) tea.Cmd {
	if r := &m.review; r.noting && msg.String() == "enter" {
		r.noting = false
		text := r.line.Value()
		return m.intend("note", func(ctx context.Context) error { return m.eng.Note(ctx, text) })
	}
	return m.viewer.lineKey(msg)
}

func (m *viewer) lineKey(msg tea.KeyPressMsg) tea.Cmd {
	r := &m.review
	switch msg.String() {
	case "esc":
		r.noting, r.finding = false, false
		return nil
	case "enter":
		r.finding = false
		r.found = r.line.Value()
		m.findNext()
		return nil
	}
	var cmd tea.Cmd
	r.line, cmd = r.line.Update(msg)
	return cmd
}

// pasteNote puts clipboard text into the note or search line.
func (r *reviewer) pasteNote(msg tea.PasteMsg) tea.Cmd {
	if !r.noting && !r.finding {
		return nil
	}
	var cmd tea.Cmd
	r.line, cmd = r.line.Update(msg)
	return cmd
}

// findNext scrolls to the next line that holds the search text.
func (m *viewer) findNext() {
	r := &m.review
	if r.found == "" {
		m.notice = "n: nothing is searched for; / begins a search"
		return
	}
	lines := strings.Split(m.tabText(m.size.Body().Width), "\n")
	for i := range lines {
		at := (r.scroll.YOffset() + 1 + i) % len(lines)
		if strings.Contains(strings.ToLower(ansi.Strip(lines[at])), strings.ToLower(r.found)) {
			r.scroll.SetYOffset(at)
			return
		}
	}
	m.notice = fmt.Sprintf("%q is not found here", r.found)
}

// scroll moves the view.
func (m *viewer) scroll(msg tea.KeyPressMsg) tea.Cmd {
	s := &m.review.scroll
	switch msg.String() {
	case "home":
		s.GotoTop()
	case "end":
		s.GotoBottom()
	default:
		var cmd tea.Cmd
		*s, cmd = s.Update(msg)
		return cmd
	}
	return nil
}

func (m *Model) reviewPage() frame.Page {
	body := m.size.Body()
	p := frame.Page{Keys: m.reviewKeys(), Status: m.attemptStatus(), Body: m.reviewBody(body)}
	if m.review.noting || m.review.finding {
		return m.linePage(p, body)
	}
	return p
}

// linePage puts the note or search line under the body.
func (m *viewer) linePage(p frame.Page, body frame.Size) frame.Page {
	label := " note: "
	if m.review.finding {
		label = " find: "
	}
	m.review.line.SetWidth(body.Width - len(label) - 2)
	rows := frame.Fit(p.Body, frame.Size{Width: body.Width, Height: body.Height - 1})
	p.Body = strings.Join(rows, "\n") + "\n" + m.theme.Strong.Render(label) + m.review.line.View()
	p.Keys = []frame.Key{{Press: "enter", Does: "keep"}, {Press: "esc", Does: "leave as it was"}}
	if c := m.review.line.Cursor(); c != nil {
		c.X += len(label)
		c.Y = body.Height - 1
		p.Cursor = c
	}
	return p
}

// reviewBody is the line of tabs over the text of the chosen one. On a wide
// screen the tests stand beside the answer.
func (m *viewer) reviewBody(body frame.Size) string {
	rule := m.theme.Dim.Render(strings.Repeat("─", body.Width))
	head := m.tabLine(body.Width) + "\n" + rule + "\n"
	height := body.Height - 2
	s := &m.review.scroll
	width := m.answerWidth()
	s.SetWidth(width)
	s.SetHeight(height)
	s.SetContent(m.tabText(width))
	if width == body.Width {
		return head + s.View()
	}
	right := body.Width - width - 1
	return head + frame.Columns(s.View(), m.testsText(m.attempt(), right, m.review.open), width, right, height, m.theme)
}

// answerWidth is the width of the answer: half a wide screen, else all of it.
func (m *viewer) answerWidth() int {
	if m.size.Wide() && m.review.tab == tabAnswer && (m.past == nil || m.attempt().Answer != nil && m.state.Origin != session.Imported) {
		return m.size.Width * 60 / 100
	}
	return m.size.Width
}

func (m *viewer) tabLine(width int) string {
	line := m.tabLabels(0)
	for short := 1; frame.Width(line) > width && short <= len(shortened); short++ {
		line = m.tabLabels(short)
	}
	return ansi.Truncate(line, width, "…")
}

// tabLabels names the tabs, the first so many of shortened by their short names.
func (m *viewer) tabLabels(short int) string {
	var parts []string
	edge := " "
	if m.size.Compact() {
		edge = ""
	}
	for i, t := range m.tabs() {
		name := tabNames[t]
		if i := slices.IndexFunc(shortened[:short], func(s shortName) bool { return s.of == t }); i >= 0 {
			name = shortened[i].name
		}
		if t == tabTests {
			name = m.testsLabel()
		}
		text := fmt.Sprintf("%d %s", i+1, name)
		if t == m.review.tab {
			parts = append(parts, m.theme.Chosen.Render(edge+text+edge))
		} else {
			parts = append(parts, edge+text+edge)
		}
	}
	if m.size.Compact() {
		return " " + strings.Join(parts, " ")
	}
	return strings.Join(parts, "")
}

// testsLabel says in two words how the tests stand.
func (m *viewer) testsLabel() string {
	a := m.attempt()
	tests, of := "tests ", " of "
	if m.size.Compact() {
		tests, of = "", "/"
	}
	switch {
	case m.state.Plan.Sees(a) == session.SeeNothing:
		return tests + "– hidden"
	case a.Verdict == nil && m.past != nil:
		return tests + "– none"
	case a.Verdict == nil:
		return "tests … running"
	}
	share := fmt.Sprintf("%d%s%d", a.Verdict.Passed, of, a.Verdict.Total)
	switch judge.Verdict(a.Verdict.Verdict) {
	case judge.Accepted:
		return tests + "✓ " + share
	case judge.NotJudged:
		return tests + "– none"
	}
	return tests + "✗ " + share
}

// tabText is the content of the chosen tab.
func (m *viewer) tabText(width int) string {
	a := m.attempt()
	if m.past != nil {
		if why := m.absent(a); why != "" {
			return "\n" + frame.Indent(m.theme.Dim.Render(frame.Wrap(why, width-2)), " ")
		}
	}
	switch m.review.tab {
	case tabAnswer:
		return m.answerText(a, width)
	case tabTests:
		return m.testsText(a, width, m.review.open)
	case tabChanges:
		return m.changesText(a, width)
	case tabMeasures:
		return m.measuresText(a, width)
	case tabPrompt:
		return m.promptText(a, width)
	case tabTask:
		return "\n" + statement(m.task(), width, m.theme)
	case tabResult:
		return "\n" + Result(m.state, m.past.task, m.past.times, width, m.theme)
	default:
		return "\n" + frame.Indent(frame.Plain(m.task().Reference), "   ")
	}
}

func (m *Model) reviewKeys() []frame.Key {
	a := m.state.Attempt()
	refine := frame.Key{Press: "r", Does: "refine"}
	if a != nil && a.N >= m.state.Plan.K {
		refine.Why = fmt.Sprintf("attempt %d was the last", a.N)
	}
	keys := []frame.Key{
		{Press: "y", Does: "satisfied"}, refine, {Press: "g", Does: "give up"},
		{Press: "1-" + fmt.Sprint(len(m.tabs())), Does: "views"},
	}
	keys = append(keys, m.saveKey()...)
	return append(keys, []frame.Key{
		{Press: "c", Does: "copy code"}, {Press: "/", Does: "find"}, frame.HelpKey,
		{Press: "t", Does: "note on this task", More: true}, {Press: "n", Does: "next hit", More: true},
		{Press: "↑↓ pgup pgdn home end", Does: "scroll", More: true},
		{Press: "enter", Does: "in tests: list what passed, too", More: true},
		{Press: "f2", Does: "pause", More: true},
	}...)
}
