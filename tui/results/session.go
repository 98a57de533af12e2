package results

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/tui/desktop"
	"assay/tui/filter"
	"assay/tui/frame"
	"assay/tui/work/result"
	"assay/tui/work/viewer"
)

// Screen shows a session: numbers and figures, tasks, and a task with its attempts.
type Screen struct {
	opts   Options
	id     string
	events uint64 // number of events when the list was read, 0 without a list
	size   frame.Size
	theme  frame.Theme

	opened  frame.Latest[string, openedSession]
	session Opened
	ready   bool
	err     error

	overview result.Overview

	line   *filter.Line // the filter while it is typed; nil: it is not
	search frame.Search
	order  order
	shown  frame.List[int] // indexes of the listed tasks

	opening bool // the session is being continued
	changed bool // it was continued, and must be read again
	atTasks bool // the tasks are shown first

	reading  bool                         // the chosen task is shown, not the list
	attempts frame.List[*session.Attempt] // of the chosen task
	result   frame.Window                 // of the chosen task
	past     *viewer.Past
	pastTask int

	trouble, notice string
}

type openedSession struct {
	Opened
	err error
}

// order is an order of the list of tasks.
type order int

const (
	byPlan order = iota
	byAttempts
	byTime
	byTotal
	orders
)

func (o order) String() string {
	return [orders]string{"as planned", "most attempts first", "longest first", "lowest total first"}[o]
}

// NewScreen makes the screen of a session.
func NewScreen(opts Options, id string) *Screen {
	m := &Screen{opts: opts, id: id, overview: result.NewOverview("tasks")}
	m.search = frame.NewSearch(" find ", m.list, m.shown.Keep)
	m.shown.Same, m.shown.Chose = func(a, b int) bool { return a == b }, m.chose
	return m
}

// NewTasks makes the screen of a session that begins with its tasks, for someone who has seen its numbers.
func NewTasks(opts Options, id string) *Screen {
	s := NewScreen(opts, id)
	s.atTasks = true
	return s
}

// Init reads the session, again if the screen was left meanwhile.
func (m *Screen) Init() tea.Cmd {
	m.trouble, m.notice, m.opening = "", "", false
	lib, id := m.opts.Library, m.id
	begun := m.opened.Ask(id, func(ctx context.Context) openedSession {
		opened, err := lib.Open(ctx, id)
		return openedSession{opened, err}
	})
	if begun != nil {
		return begun
	}
	return m.opened.Resume()
}

// Typing reports whether the search or a filter is being typed.
func (m *Screen) Typing() bool { return m.line != nil || m.search.Typing() }

// Settled reports whether the session is read, and what a typed filter chooses is found.
func (m *Screen) Settled() bool { return m.opened.Settled() && (m.line == nil || m.line.Settled()) }

// Leave gives up what is under way.
func (m *Screen) Leave() tea.Cmd {
	if m.line != nil {
		m.closeFilter()
	}
	m.opened.Stop()
	return nil
}

type writtenMsg struct {
	id, path string
	err      error
}

// Update handles a message.
func (m *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.size, m.theme = msg.Size, msg.Theme
	case frame.ShownMsg:
		if m.past != nil && m.task() == m.pastTask {
			m.attempts.Choose(m.past.Index())
		}
		m.trouble, m.notice, m.opening = "", "", false
		if m.changed {
			m.opened, m.ready, m.changed = frame.Latest[string, openedSession]{}, false, false
			return m.Init()
		}
		return m.opened.Resume()
	case continuedMsg:
		if m.opening = msg.err == nil; !m.opening {
			m.trouble = msg.err.Error()
			return nil
		}
		return frame.OpenOverHome(msg.screen)
	case writtenMsg:
		m.written(msg)
	case desktop.OpenedMsg:
		if m.notice = m.opts.Work.Desktop.Opener() + " opens " + msg.Path; msg.Err != nil {
			m.notice, m.trouble = "", msg.Err.Error()
		}
	case filterMsg:
		if m.line == nil {
			return nil
		}
		if m.trouble = ""; msg.err != nil {
			m.trouble = msg.err.Error()
			return nil
		}
		return m.line.SetBenchmark(msg.tasks)
	case tea.PasteMsg:
		if m.line != nil {
			cmd, _ := m.line.Update(msg)
			return cmd
		}
		return m.search.Update(msg)
	case tea.KeyPressMsg:
		m.trouble, m.notice = "", ""
		return m.key(msg)
	default:
		if m.line != nil {
			if cmd, taken := m.line.Update(msg); taken {
				return cmd
			}
		}
		cmd, taken := m.opened.Take(msg)
		if _, value, ok := m.opened.Last(); taken && ok && !m.ready && m.err == nil {
			m.arrived(value)
		}
		return cmd
	}
	return nil
}

func (m *Screen) arrived(opened openedSession) {
	if m.err = opened.err; m.err != nil {
		return
	}
	m.session, m.ready = opened.Opened, true
	m.overview.Set(m.session.Report)
	if m.list(); m.atTasks {
		m.overview.ShowMore(0)
	}
}

func (m *Screen) written(msg writtenMsg) {
	switch {
	case msg.id != m.id:
	case msg.err != nil:
		m.trouble = "the report was not written: " + msg.err.Error()
	default:
		m.overview.Path, m.notice = msg.path, "the report lies in "+msg.path
	}
}

// list filters and orders the tasks.
func (m *Screen) list() {
	if !m.ready {
		return
	}
	var shown []int
	for i := range m.session.State.Tasks {
		t := &m.session.State.Tasks[i]
		if m.listed(i) && m.search.Finds(t.ID, t.Title, t.Type, t.Category, string(t.Difficulty), t.Set, outcome(t), result.Outcome(t), m.tests(t), practice(t)) {
			shown = append(shown, i)
		}
	}
	tasks := m.session.State.Tasks
	slices.SortStableFunc(shown, func(a, b int) int {
		switch m.order {
		case byAttempts:
			return len(tasks[b].Attempts) - len(tasks[a].Attempts)
		case byTime:
			return int(m.session.Times[b].Completion - m.session.Times[a].Completion)
		case byTotal:
			return m.rank(&tasks[a]) - m.rank(&tasks[b])
		}
		return a - b
	})
	m.shown.Set(shown)
	m.attempts.Set(m.attemptsOf(m.task())) // the session may have been read again
}

// listed reports whether a task is part of the results: an adaptive test chose it, and the filter matches it.
func (m *Screen) listed(i int) bool {
	return !m.session.State.PassedOver(&m.session.State.Tasks[i]) && (m.session.Matches == nil || m.session.Matches[i])
}

func practice(t *session.Task) string {
	if t.Practice {
		return "practice"
	}
	return ""
}

// task returns the index of the chosen task, -1 for none.
func (m *Screen) task() int {
	if i, ok := m.shown.Chosen(); ok {
		return i
	}
	return -1
}

// chose shows another task, beginning with its final attempt.
func (m *Screen) chose() {
	m.result.To(0)
	m.reading = m.reading && m.task() >= 0
	m.attempts.Set(m.attemptsOf(m.task()))
	m.attempts.Choose(m.attempts.Len() - 1)
}

// attemptsOf returns the attempts of a task, none for -1.
func (m *Screen) attemptsOf(task int) (list []*session.Attempt) {
	if task >= 0 {
		of := m.session.State.Tasks[task].Attempts
		for i := range of {
			list = append(list, &of[i])
		}
	}
	return list
}

// openTask shows the chosen task.
func (m *Screen) openTask() tea.Cmd {
	m.reading = m.task() >= 0
	return nil
}

func (m *Screen) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.opening { // a second screen would open, or one that nobody sees
		return nil
	}
	if m.line != nil {
		if cmd, taken := m.line.Update(msg); taken {
			return cmd
		}
	}
	cmd, why, taken := frame.Pressed(m.keys(), msg.String())
	if why != "" {
		m.trouble = why
	}
	if !taken {
		cmd = m.search.Update(msg)
	}
	return cmd
}

// unopen tells why the session cannot be continued from here, or is "".
func (m *Screen) unopen() string {
	switch {
	case m.opts.Continue == nil:
		return "sessions are only looked at here"
	case m.session.State.Closed != "":
		return "the session has ended"
	case m.session.State.Plan.Automatic != nil:
		return "a program works in it"
	}
	return ""
}

// goOn continues an open session, which is read again afterwards.
func (m *Screen) goOn() tea.Cmd {
	id := m.id
	m.opening = true
	return func() tea.Msg {
		screen, err := m.opts.Continue(context.Background(), id)
		return continuedMsg{screen, err}
	}
}

func (m *Screen) writeReport() tea.Cmd {
	lib, id := m.opts.Library, m.id
	m.notice = "writing the report…"
	return func() tea.Msg {
		path, err := lib.WriteReport(context.Background(), id)
		return writtenMsg{id, path, err}
	}
}

func (m *Screen) openAttempt() tea.Cmd {
	i := m.task()
	if m.past == nil || m.pastTask != i || m.past.Index() != m.attempts.Row() {
		m.past = viewer.NewPast(m.session.Source, m.session.State, i, m.attempts.Row(), m.session.Times[i], m.opts.Work)
		m.pastTask = i
	}
	return frame.Open(m.past)
}

// Page draws the session.
func (m *Screen) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.size, m.theme = size, theme
	p := frame.Page{Scope: frame.ScopeResults, Title: "Results", Keys: m.keys()}
	body := size.Body()
	note := m.message(body.Width)
	body.Height -= len(note)
	var top []string
	var cursor *tea.Cursor
	if m.line != nil {
		top, cursor = m.line.Typed(body.Width, menuRows, "", theme)
		body.Height -= len(top)
	}
	switch {
	case m.err != nil:
		p.Body = "\n" + frame.Indent(theme.Bad.Render(frame.Wrap("✗ "+frame.Plain(m.err.Error()), body.Width-4)), "  ")
	case !m.ready:
		p.Body = "\n   " + theme.Dim.Render("reading the session…")
	default:
		plan := m.session.State.Plan
		p.Title = frame.OneLine(cmp.Or(m.session.State.Name, plan.Benchmark+" · "+plan.ModelShown()))
		p.Place = m.session.State.First.Time().Format("2006-01-02 15:04") + " UTC"
		switch {
		case m.reading:
			p.Place = fmt.Sprintf("task %d of %d", m.shown.Row()+1, m.shown.Len())
			p.Body, p.Seen = m.taskText(body)
		case m.overview.More() >= 0:
			p.Body, p.Cursor = m.listText(body)
			p.Seen = m.shown.Seen()
			if m.order != byPlan {
				p.Status = m.order.String()
			}
		default:
			p.Body = m.overview.Body(body, theme)
			p.Seen = m.overview.Seen()
		}
		if m.session.State.Origin == session.Imported {
			p.Title += " · imported"
		}
		if plan.Automatic != nil {
			p.Title += " · automatic tester"
		}
		p.Title += filtered(m.opts.Filter)
	}
	if m.line != nil {
		p.Cursor, p.Place = cursor, m.line.Count()
	}
	p.Body = strings.Join(append(append(top, frame.Fit(p.Body, body)...), note...), "\n")
	return p
}

// filtered names the filter of a page.
func filtered(filter string) string {
	if filter == "" {
		return ""
	}
	return " · only " + frame.OneLine(filter)
}

// message returns the problem or notice in a few lines; nil for none.
func (m *Screen) message(width int) []string {
	text, style := m.notice, m.theme.Dim
	if m.trouble != "" {
		text, style = "✗ "+m.trouble, m.theme.Bad
	}
	return frame.Notice(text, style, width, 3)
}
