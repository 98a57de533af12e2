package results

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/session/report"
	"assay/session/report/sessions"
	"assay/tui/frame"
	"assay/tui/work/viewer"
)

// Opened is a session that was read completely.
type Opened struct {
	State  *session.State
	Times  []session.TaskTimes // of its tasks
	Report *sessions.Report
	Source viewer.Source

	Matches []bool // which tasks the filter matches; nil: all
}

// Library has the sessions.
type Library interface {
	// Sessions lists the sessions, latest first.
	Sessions(ctx context.Context) ([]session.Summary, error)
	// Open reads a session.
	Open(ctx context.Context, id string) (Opened, error)
	// Tasks returns the tasks of a session with their texts, for the line in which a filter is typed.
	Tasks(ctx context.Context, id string) (*benchmark.Benchmark, error)
	// Filtered returns the library whose sessions are opened, and reported, with these tasks alone.
	Filtered(filter benchmark.Filter) Library
	// WriteReport writes the report of a session and returns its path.
	WriteReport(ctx context.Context, id string) (path string, err error)
}

// Options configures the browser.
type Options struct {
	Library Library
	// Filter chooses the tasks of the sessions that are opened; "": all. The library applies it.
	Filter string
	// Work is the options of the screens of attempts: copying and saving files.
	Work viewer.Options
	// Continue opens the screens of an open session; nil if sessions cannot be continued.
	Continue func(ctx context.Context, id string) (frame.Screen, error)
	// Manage changes sessions; nil if they cannot be changed.
	Manage Manager
}

// Model is the list of sessions.
type Model struct {
	opts  Options
	size  frame.Size
	theme frame.Theme

	sessions []session.Summary // withdrawn ones, too
	twins    map[string]string
	loaded   bool
	shown    frame.List[session.Summary] // the sessions that match the search
	search   frame.Search

	// numbers are read for the visible rows, one session at a time.
	numbers map[numbersKey]numbers
	widths  map[fitKey]int // widths of the columns, over all sessions
	reading frame.Latest[numbersKey, numbers]
	last    *Screen // the last opened session, which keeps its state

	ask  *question // asked before a session is changed; nil if none is
	busy bool      // a session is being changed, or opened

	trouble, notice string
}

type numbersKey struct {
	id     string
	events uint64
}

// fitKey is a column with its maximum width.
type fitKey struct {
	column string
	most   int
}

// numbers are the means of one session.
type numbers struct {
	attempts, seconds, total report.Number
	tasks                    int
	preview                  Preview
	err                      error
}

// New makes the browser.
func New(opts Options) *Model {
	m := &Model{opts: opts, numbers: map[numbersKey]numbers{}}
	m.search = frame.NewSearch(" find ", m.narrow, m.shown.Keep)
	m.shown.Same = func(a, b session.Summary) bool { return a.ID == b.ID }
	m.shown.Chose = func() { m.trouble = "" }
	return m
}

type (
	sessionsMsg struct {
		sessions []session.Summary
		err      error
	}
	continuedMsg struct {
		screen frame.Screen
		err    error
	}
)

// Init reads the list.
func (m *Model) Init() tea.Cmd { return func() tea.Msg { return m.list() } }

func (m *Model) list() sessionsMsg {
	sessions, err := m.opts.Library.Sessions(context.Background())
	return sessionsMsg{sessions, err}
}

// Typing reports whether printable keys are text.
func (m *Model) Typing() bool { return m.search.Typing() || m.ask != nil && m.ask.line != nil }

// Settled reports whether all numbers on the screen are there.
func (m *Model) Settled() bool { return m.loaded && m.reading.Settled() }

// Leave gives up what is under way.
func (m *Model) Leave() tea.Cmd {
	m.reading.Stop()
	return nil
}

// Update handles a message, then starts to read the next missing numbers.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	cmd := m.update(msg)
	return tea.Batch(cmd, m.read())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.size, m.theme = msg.Size, msg.Theme
		m.shown.Fit(m.height())
	case frame.ShownMsg:
		return tea.Batch(m.Init(), m.reading.Resume())
	case sessionsMsg:
		m.listed(msg)
	case continuedMsg:
		if m.busy = msg.err == nil; !m.busy { // until the session is shown, a key would open another
			m.trouble = msg.err.Error()
			return nil
		}
		return frame.OpenOverHome(msg.screen) // its screens promise that leaving them leads home
	case changedMsg:
		m.busy = false
		if msg.err != nil {
			m.trouble = msg.err.Error()
		} else {
			m.notice = msg.did
		}
		m.listed(msg.list)
	case tea.PasteMsg:
		return m.typed(msg)
	case tea.KeyPressMsg:
		m.trouble, m.notice = "", ""
		return m.key(msg)
	default:
		if cmd, taken := m.reading.Take(msg); taken {
			if key, value, ok := m.reading.Last(); ok {
				m.numbers[key] = value
			}
			return cmd
		}
	}
	return nil
}

func (m *Model) listed(msg sessionsMsg) {
	m.loaded = true
	if msg.err != nil {
		m.trouble = msg.err.Error()
		return
	}
	m.sessions, m.twins, m.widths = msg.sessions, Twins(msg.sessions), map[fitKey]int{}
	m.narrow()
}

// narrow lists the sessions that match the search; the same session stays chosen.
func (m *Model) narrow() {
	var shown []session.Summary
	withdrawn := strings.Contains(m.search.Words(), "withdrawn")
	for _, s := range m.sessions {
		if s.Status == "withdrawn" && !withdrawn {
			continue
		}
		if m.search.Finds(s.Title(), s.Of(), s.Tester, status(s.Status), s.ID, m.begun(s), imported(s), automatic(s)) {
			shown = append(shown, s)
		}
	}
	m.shown.Set(shown)
}

func imported(s session.Summary) string {
	if s.Imported {
		return "imported"
	}
	return ""
}

// automatic tells the policy of the program that worked in a session.
func automatic(s session.Summary) string {
	if s.Automatic == "" {
		return ""
	}
	return "automatic: " + s.Automatic
}

// begun is when a session began, precise enough to distinguish it from its twins.
func (m *Model) begun(s session.Summary) string {
	if when, is := m.twins[s.ID]; is {
		return when
	}
	return s.Began().Format(minute)
}

func (m *Model) chosen() *session.Summary {
	if s, ok := m.shown.Chosen(); ok {
		return &s
	}
	return nil
}

// height returns the number of visible sessions, besides search, heading, rule, and two lines about the
// chosen one.
func (m *Model) height() int { return max(1, m.size.Body().Height-6) }

// read starts to read the numbers of the first visible row that lacks them.
func (m *Model) read() tea.Cmd {
	if m.size.Width == 0 {
		return nil
	}
	for _, s := range m.shown.Visible() {
		key := numbersKey{s.ID, s.LastSeq}
		if _, known := m.numbers[key]; known {
			continue
		}
		lib := m.opts.Library
		return m.reading.Ask(key, func(ctx context.Context) numbers {
			opened, err := lib.Open(ctx, key.id)
			if err != nil {
				return numbers{err: err}
			}
			r := opened.Report
			return numbers{r.Tries.Mean.Value, r.Times.Completion.Mean.Value, r.Ratings.Total.Mean.Value, r.Counts.Analysed, PreviewOf(opened.State), nil}
		})
	}
	return nil
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.busy {
		return nil
	}
	cmd, why, taken := frame.Pressed(m.keys(), msg.String())
	if why != "" {
		m.trouble = why
	}
	if !taken {
		return m.typed(msg)
	}
	return cmd
}

// typed hands a key or a paste to the line that is typed.
func (m *Model) typed(msg tea.Msg) (cmd tea.Cmd) {
	switch {
	case m.ask != nil && m.ask.line != nil:
		*m.ask.line, cmd = m.ask.line.Update(msg)
	case m.ask != nil:
		if press, pressed := msg.(tea.KeyPressMsg); pressed && press.String() == "n" {
			m.ask = nil
		} else if pressed {
			m.notice = "y says yes, esc no." // no other key answers, as one pressed twice by mistake
		}
	case m.search.Typing():
		cmd = m.search.Update(msg)
	}
	return cmd
}

// leave leaves the screen.
func (m *Model) leave() tea.Cmd {
	m.busy = true // a session that is opened by a key before this screen has gone would be lost
	return frame.Back
}

// continues reports whether a session can be continued from here. Those of a program cannot.
func (m *Model) continues(s *session.Summary) bool {
	return s != nil && s.Open() && s.Automatic == "" && m.opts.Continue != nil
}

// goOn opens the screens of an open session.
func (m *Model) goOn() tea.Cmd {
	m.busy = true
	id := m.chosen().ID
	return func() tea.Msg {
		screen, err := m.opts.Continue(context.Background(), id)
		return continuedMsg{screen, err}
	}
}

// open opens the results of the chosen session. If it was the last one and has not changed, its
// state is kept.
func (m *Model) open() tea.Cmd {
	s := m.chosen()
	if m.last == nil || m.last.id != s.ID || m.last.events != s.LastSeq || m.last.err != nil {
		m.last = NewScreen(m.opts, s.ID)
		m.last.events = s.LastSeq
	}
	return frame.Open(m.last)
}
