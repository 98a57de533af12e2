package home

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/models"
	"assay/tui/results"
	"assay/tui/setup"
	"assay/tui/tasks"
	"assay/tui/work"
)

// Library has everything that the home screen continues, begins and opens.
type Library interface {
	Sessions(ctx context.Context) ([]session.Summary, error)
	// Log returns the events of a session.
	Log(ctx context.Context, id string) ([]session.Event, error)
	// Continue reopens a session.
	Continue(ctx context.Context, id string) (*engine.Engine, error)
	// Results is the options of the list of sessions; the home screen sets Continue.
	Results(ctx context.Context) (results.Options, error)
	// Choices are the choices for a new session.
	Choices(ctx context.Context) (setup.Choices, error)
	// Begin opens a new session.
	setup.Beginner
	// Work is the options of a session's screens.
	Work() work.Options
	// Browse is the options of the browser of tasks; the home screen sets Begin.
	Browse(ctx context.Context) (tasks.Options, error)
	// Models is the options of the screen of the models.
	Models(ctx context.Context) (models.Options, error)
	// Next is the next session of the tester's study, nil if there is none.
	Next(ctx context.Context) (*NextSession, error)
}

// NextSession is the next session that a study has planned for its tester.
type NextSession struct {
	Study      string // its name
	Part, Last int    // its number among the tester's sessions, and how many there are
	Begin      func(ctx context.Context) (*engine.Engine, error)
}

// Model is the home screen.
type Model struct {
	lib      Library
	now      func() time.Time
	sessions []session.Summary
	next     *NextSession
	bare     bool // there are neither sessions nor models
	today    today
	twins    map[string]string // see results.Twins
	loaded   bool
	row      int
	lines    []int // the line of each entry
	window   frame.Window
	preview  frame.Latest[previewKey, preview] // of the chosen session
	trouble  string
	notice   string
	form     *setup.Model // the last form for a new session, which keeps its values

	theme   frame.Theme
	tall    bool              // there is room for finished sessions
	opening bool              // a chosen screen is being opened
	held    []tea.KeyPressMsg // keys pressed before the screen that they are for was there
}

// New makes the home screen; now is the time, for dates such as "yesterday".
func New(lib Library, now func() time.Time) *Model { return &Model{lib: lib, now: now} }

// Say shows a notice below the entries until a key is pressed.
func (m *Model) Say(notice string) { m.notice = notice }

type (
	sessionsMsg struct {
		sessions []session.Summary
		next     *NextSession
		bare     bool
		err      error
	}
	openedMsg struct {
		screen frame.Screen
		make   func() frame.Screen // makes the screen on the update path; nil where it is there
		err    error
	}
)

// Init loads the sessions.
func (m *Model) Init() tea.Cmd {
	return func() tea.Msg {
		ctx := context.Background()
		sessions, err := m.lib.Sessions(ctx)
		if err != nil {
			return sessionsMsg{err: err}
		}
		next, err := m.lib.Next(ctx)
		return sessionsMsg{sessions, next, len(sessions) == 0 && m.lacksModels(ctx), err}
	}
}

// lacksModels reports whether no model is configured; recorded answers and what a tester pastes are always there.
func (m *Model) lacksModels(ctx context.Context) bool {
	known, err := m.lib.Models(ctx)
	return err == nil && !slices.ContainsFunc(known.Models, func(of models.Model) bool { return !of.BuiltIn })
}

// Typing is false: every key is a command here.
func (m *Model) Typing() bool { return false }

// entry is one line that can be chosen.
type entry struct {
	group string
	name  string
	right string
	brief string // replaces right on a narrow screen
	press string // the key that opens it
	open  func() tea.Cmd
	of    *session.Summary // nil: no session
}

// Update moves the choice and opens what is chosen.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if cmd, taken := m.preview.Take(msg); taken {
		return cmd
	}
	return tea.Batch(m.update(msg), m.ask())
}

// Settled reports whether the preview of the chosen session is there.
func (m *Model) Settled() bool { return m.preview.Settled() }

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionsMsg:
		m.loaded = true
		m.sessions, m.next, m.twins, m.bare = results.NotWithdrawn(msg.sessions), msg.next, results.Twins(msg.sessions), msg.bare
		if msg.err != nil {
			m.trouble = msg.err.Error()
		}
		m.row = min(m.row, len(m.entries())-1)
		now := m.now()
		return tea.Batch(func() tea.Msg { return m.doneBy(context.Background(), now, msg.sessions) }, m.release())
	case today:
		m.today = msg
	case openedMsg:
		if msg.err != nil {
			m.trouble = msg.err.Error()
			m.opening, m.held = false, nil // the keys were for that screen
			return nil
		}
		if msg.make != nil {
			msg.screen = msg.make()
		}
		return func() tea.Msg { return frame.OpenMsg{Screen: msg.screen, Held: m.handOver} }
	case frame.LookMsg:
		m.theme, m.tall = msg.Theme, msg.Size.Height >= tallHeight
		m.row = max(0, min(m.row, len(m.entries())-1))
	case frame.ShownMsg:
		m.row = 0
		return tea.Batch(m.preview.Resume(), m.Init())
	case tea.KeyPressMsg:
		if m.Holding() {
			m.held = append(m.held, msg)
			return nil
		}
		m.trouble, m.notice = "", ""
		return m.key(msg.String())
	}
	return nil
}

// Holding reports whether keys are held, until the sessions are read or a chosen screen is open.
func (m *Model) Holding() bool { return !m.loaded || m.opening }

// handOver returns the held keys to the opened screen.
func (m *Model) handOver() []tea.KeyPressMsg {
	held := m.held
	m.opening, m.held = false, nil
	return held
}

// release handles the keys that were held while the sessions were read.
func (m *Model) release() tea.Cmd {
	var cmds []tea.Cmd
	for !m.Holding() && len(m.held) > 0 {
		press := m.theme.Keys.Own(frame.ScopeHome, false, m.held[0]).String()
		m.held = m.held[1:]
		if press == "?" {
			cmds = append(cmds, func() tea.Msg { return frame.HelpMsg{} })
			continue
		}
		cmds = append(cmds, m.key(press))
	}
	return tea.Batch(cmds...)
}

// open opens a screen that takes a moment to make.
func (m *Model) open(screen func() (frame.Screen, error)) tea.Cmd {
	if m.Holding() {
		return nil
	}
	m.opening = true
	return func() tea.Msg {
		s, err := screen()
		return openedMsg{screen: s, err: err}
	}
}

func (m *Model) key(press string) tea.Cmd {
	cmd, _, _ := frame.Pressed(m.keys(), press)
	return cmd
}

// Keys returns all keys of the screen, for the settings.
func Keys() []frame.Key { return new(Model).keys() }

func (m *Model) keys() []frame.Key {
	return append([]frame.Key{
		{Press: "↑↓", Also: "k j", Does: "choose", Run: m.move}, {Press: "enter", Does: "open", Do: func() tea.Cmd { return m.entries()[m.row].open() }},
		{Press: "n", Does: "new session", Do: func() tea.Cmd { return m.begin(false) }}, {Press: "q", Does: "quit", Do: frame.GoBack},
		frame.HelpKey,
		{Press: "1-8", Does: "continue that session", More: true, Run: m.openNumbered, Fit: func(k *frame.Key) {
			switch n := m.numbered(); n {
			case 0:
				k.Press = ""
			case 1:
				k.Press = "1"
			default:
				k.Press = fmt.Sprintf("1-%d", n)
			}
		}},
		{Press: "p", Does: "rehearse", More: true, Do: func() tea.Cmd { return m.begin(true) }},
		{Press: "r", Does: "all sessions", More: true, Do: m.results}, {Press: "t", Does: "tasks", More: true, Do: m.browse},
		{Press: "m", Does: "models", More: true, Do: m.models},
		{Press: "esc", Does: "how to quit", More: true, Do: frame.Only(func() {
			m.notice = "esc does not quit: " + m.theme.Press(frame.ScopeHome, "q") + " does"
		})},
	}, frame.Motions(m.move)...)
}

// numbered counts the entries that a number opens, which are the first.
func (m *Model) numbered() int {
	list := m.entries()
	return frame.CountIf(list, func(e *entry) bool { return len(e.press) == 1 && unicode.IsDigit(rune(e.press[0])) })
}

func (m *Model) openNumbered(press string) tea.Cmd {
	list := m.entries()
	if i := slices.IndexFunc(list, func(e entry) bool { return e.press == press }); i >= 0 {
		m.row = i
		return list[i].open()
	}
	return nil
}

// move chooses another entry, around the ends.
func (m *Model) move(press string) tea.Cmd {
	last := len(m.entries()) - 1
	to, _ := frame.Move(press, m.row, last+1, last+1)
	switch {
	case to == -1 && m.row == 0:
		to = last
	case to == last+1 && m.row == last:
		to = 0
	}
	m.row = max(0, min(to, last))
	return nil
}

// Mouse chooses the clicked entry; a second click opens it.
func (m *Model) Mouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	rows, at := len(m.lines), slices.Index(m.lines, m.window.At(y))
	if x >= maxWidth { // the preview
		at = -1
	}
	to, means := frame.PointAt(msg, at, 0, m.row, rows, rows)
	switch means {
	case frame.PointChosen:
		m.row = to
	case frame.PointOpened:
		return m.key("enter")
	}
	return nil
}

// begin opens the form for a new session, or for a rehearsal.
func (m *Model) begin(rehearse bool) tea.Cmd {
	if m.Holding() {
		return nil
	}
	m.opening = true
	return func() tea.Msg {
		choices, err := m.lib.Choices(context.Background())
		return openedMsg{err: err, make: func() frame.Screen { return m.filled(choices, rehearse) }}
	}
}

// filled returns the form for a new session. The last form keeps its values.
func (m *Model) filled(choices setup.Choices, rehearse bool) frame.Screen {
	switch {
	case rehearse:
		return setup.New(choices, m.lib, m.lib.Work(), true)
	case m.form == nil || !m.form.Renew(choices):
		m.form = setup.New(choices, m.lib, m.lib.Work(), false)
	}
	return m.form
}

// browse opens the browser of tasks.
func (m *Model) browse() tea.Cmd {
	return m.open(func() (frame.Screen, error) {
		opts, err := m.lib.Browse(context.Background())
		if err != nil {
			return nil, err
		}
		opts.Begin = func(ctx context.Context, start session.Choice) (frame.Screen, error) {
			choices, err := m.lib.Choices(ctx)
			if err != nil {
				return nil, err
			}
			choices.Start = start
			return setup.New(choices, m.lib, m.lib.Work(), false), nil
		}
		return tasks.New(opts), nil
	})
}

func (m *Model) resume(id string) tea.Cmd {
	return m.enter(func(ctx context.Context) (*engine.Engine, error) { return m.lib.Continue(ctx, id) })
}

// enter opens the screens of a session.
func (m *Model) enter(session func(context.Context) (*engine.Engine, error)) tea.Cmd {
	return m.open(func() (frame.Screen, error) { return m.screen(session(context.Background())) })
}

// screen makes the screens of a session.
func (m *Model) screen(eng *engine.Engine, err error) (frame.Screen, error) {
	if err != nil {
		return nil, err
	}
	return work.New(eng, m.lib.Work()), nil
}

// reopened continues a session and makes its screens.
func (m *Model) reopened(ctx context.Context, id string) (frame.Screen, error) {
	return m.screen(m.lib.Continue(ctx, id))
}

// models opens the screen of the models.
func (m *Model) models() tea.Cmd {
	connect := m.bare
	return m.open(func() (frame.Screen, error) {
		opts, err := m.lib.Models(context.Background())
		opts.Connect, opts.Start = connect, m.started
		return models.New(opts), err
	})
}

// started opens a form for a new session from the screen of the models.
func (m *Model) started() tea.Msg {
	choices, err := m.lib.Choices(context.Background())
	if err != nil {
		return openedMsg{err: err}
	}
	return frame.OpenOverHome(setup.New(choices, m.lib, m.lib.Work(), false))()
}

// results opens the list of sessions.
func (m *Model) results() tea.Cmd {
	return m.open(func() (frame.Screen, error) {
		opts, err := m.browser()
		return results.New(opts), err
	})
}

// look opens the results of a session in which a program works.
func (m *Model) look(id string) tea.Cmd {
	return m.open(func() (frame.Screen, error) {
		opts, err := m.browser()
		return results.NewScreen(opts, id), err
	})
}

func (m *Model) browser() (results.Options, error) {
	opts, err := m.lib.Results(context.Background())
	opts.Continue = m.reopened
	return opts, err
}
