package home

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	twins    map[string]string // see results.Twins
	loaded   bool
	row      int
	lines    []int // the line of each entry in the body
	trouble  string
	notice   string
	form     *setup.Model // the last form for a new session, which keeps its values

	theme   frame.Theme
	wide    bool              // there is room for how long was worked
	opening bool              // a chosen screen is being opened
	held    []tea.KeyPressMsg // keys pressed before the screen that they are for was there
}

// New makes the home screen; now is the time, for dates such as "yesterday".
func New(lib Library, now func() time.Time) *Model { return &Model{lib: lib, now: now} }

type (
	sessionsMsg struct {
		sessions []session.Summary
		next     *NextSession
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
		sessions, err := m.lib.Sessions(context.Background())
		if err != nil {
			return sessionsMsg{err: err}
		}
		next, err := m.lib.Next(context.Background())
		return sessionsMsg{sessions, next, err}
	}
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
}

// Update moves the choice and opens what is chosen.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionsMsg:
		m.loaded = true
		m.sessions, m.next, m.twins = results.NotWithdrawn(msg.sessions), msg.next, results.Twins(msg.sessions)
		if msg.err != nil {
			m.trouble = msg.err.Error()
		}
		m.row = min(m.row, len(m.entries())-1)
		return m.release()
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
		m.theme = msg.Theme
	case frame.ShownMsg:
		m.row = 0
		return m.Init()
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
		if press == frame.HelpKey.Press {
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
		{Press: "↑↓", Does: "choose", Run: m.move}, {Press: "enter", Does: "open", Do: func() tea.Cmd { return m.entries()[m.row].open() }},
		{Press: "n", Does: "new session", Do: func() tea.Cmd { return m.begin(false) }}, {Press: "q", Does: "quit", Do: frame.GoBack},
		frame.HelpKey, frame.CommandsKey,
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
		{Press: "esc", Does: "tells which key quits", More: true, Do: frame.Only(func() {
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
func (m *Model) Mouse(msg tea.MouseMsg, _, y int) tea.Cmd {
	rows := len(m.lines)
	to, means := frame.PointAt(msg, slices.Index(m.lines, y), 0, m.row, rows, rows)
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
	return m.open(func() (frame.Screen, error) {
		opts, err := m.lib.Models(context.Background())
		return models.New(opts), err
	})
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

// maxWidth bounds the width of the entries in columns.
const maxWidth = 110

// recent is the maximum number of open sessions on the home screen.
const recent = 4

func (m *Model) entries() []entry {
	var open, automatic []entry
	count := 0
	for _, s := range m.sessions {
		if !s.Open() {
			continue
		}
		count++
		e := entry{"Continue", frame.OneLine(s.Title()), m.progress(s), m.briefly(s), "", func() tea.Cmd { return m.resume(s.ID) }}
		switch {
		case s.Automatic != "" && len(automatic) < recent:
			e.group, e.open = "Automatic tester, in progress", func() tea.Cmd { return m.look(s.ID) }
			automatic = append(automatic, e)
		case s.Automatic == "" && len(open) < recent:
			open = append(open, e)
		}
	}
	all := entry{"Look", "All " + frame.Count(len(m.sessions), "session"), fmt.Sprintf("%d open: continue, results, name, delete", count), fmt.Sprintf("%d open", count), "r", m.results}
	if count == 0 {
		all.right, all.brief = "none open: results, name, delete", "none open"
	}
	switch len(m.sessions) {
	case 0:
		all.name, all.right, all.brief = "Sessions", "none yet", "none yet"
	case 1:
		all.name = "Sessions"
	}
	if next := m.next; next != nil {
		which := fmt.Sprintf("session %d of %d", next.Part, next.Last)
		open = append(open, entry{"Continue", "Next session of " + frame.OneLine(next.Study), which, which, "", func() tea.Cmd { return m.enter(next.Begin) }})
	}
	list := append(open, automatic...)
	for i := range list {
		list[i].press = fmt.Sprint(i + 1)
	}
	if len(list) > 0 {
		all.group = list[len(list)-1].group
		list = append(list, all)
	}
	list = append(list,
		entry{"Begin", "New session", "", "", "n", func() tea.Cmd { return m.begin(false) }},
		entry{"Begin", "Rehearse with recorded answers", "no model needed", "no model needed", "p", func() tea.Cmd { return m.begin(true) }},
	)
	if all.group == "Look" {
		list = append(list, all)
	}
	return append(list,
		entry{"Look", "Tasks", "search, filter, statistics", "", "t", m.browse},
		entry{"Look", "Models", "which are configured, and how to add yours", "", "m", m.models},
	)
}

// progress tells the progress of a session, in columns, and distinguishes it from others of its title.
func (m *Model) progress(s session.Summary) string {
	bar := frame.Bar(s.Closed(), s.Tasks, 10, m.theme) + "  "
	width := 0
	for _, other := range m.sessions {
		if other.Open() {
			width = max(width, frame.Width(other.Place()))
		}
	}
	place := frame.Cell(s.Place(), width)
	if begun, is := m.twins[s.ID]; is {
		return bar + m.theme.Dim.Render(place+"  begun "+begun)
	}
	return bar + m.theme.Dim.Render(fmt.Sprintf("%s  ‖ %-10s", place, m.ago(s.Last())))
}

// pace tells how long the tester worked in the session worked on last, what is left of it, and how long that takes.
func (m *Model) pace(size frame.Size) string {
	i := slices.IndexFunc(m.sessions, func(s session.Summary) bool { return s.Open() && s.Automatic == "" })
	if i < 0 || m.sessions[i].Done == 0 {
		return ""
	}
	s := m.sessions[i]
	each, left := s.Worked().Seconds()/float64(s.Done), s.Tasks-s.Closed()
	text := fmt.Sprintf("%s left, about %s at %s a task", frame.Count(left, "task"), frame.Duration(each*float64(left)), frame.Duration(each))
	if size.Narrow() {
		return text
	}
	return fmt.Sprintf("%d min worked · %s", int(s.Worked().Minutes()), text)
}

// briefly is progress for a narrow screen.
func (m *Model) briefly(s session.Summary) string {
	if begun, is := m.twins[s.ID]; is {
		return "begun " + begun
	}
	return s.Place()
}

// ago formats a time as people do: just now, 15:04, yesterday, or the date.
func (m *Model) ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	now := m.now()
	t = t.In(now.Location())
	days := int(now.Truncate(24*time.Hour).Sub(t.Truncate(24*time.Hour)) / (24 * time.Hour))
	switch {
	case now.Sub(t) < time.Minute:
		return "just now"
	case days == 0:
		return t.Format("15:04")
	case days == 1:
		return "yesterday"
	}
	return t.Format("2006-01-02")
}

// mark is the name of the program.
const mark = "▄▀█ █▀ █▀ ▄▀█ █ █\n█▀█ ▄█ ▄█ █▀█  █"

// Page draws the entries.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.theme = theme
	body := size.Body()
	var rows, below []string
	if m.trouble != "" {
		below = append(below, "", frame.Indent(theme.Bad.Render(frame.Wrap("✗ "+m.trouble, body.Width-4)), "  "))
	}
	if m.notice != "" {
		below = append(below, "", "  "+theme.Dim.Render(m.notice))
	}
	m.lines = m.lines[:0]
	group := ""
	for i, e := range m.entries() {
		if e.group != group {
			group = e.group
			rows = append(rows, "", "  "+theme.Dim.Render(group))
		}
		m.lines = append(m.lines, len(rows))
		rows = append(rows, m.entryRow(e, i == m.row, size))
	}
	if head := strings.Split("\n"+frame.Indent(mark, "  "), "\n"); len(head)+len(rows)+len(below) < body.Height {
		for i := range head {
			head[i] = theme.Accent.Render(head[i])
		}
		rows = append(head, rows...)
		for i := range m.lines {
			m.lines[i] += len(head)
		}
	}
	p := frame.Page{Scope: frame.ScopeHome, Title: "assay", Place: frame.Count(len(m.sessions), "session"), Day: m.pace(size), Keys: m.keys()}
	if !m.loaded { // entries would move when the sessions are read
		p.Place, m.lines, rows = "reading…", nil, nil
	}
	p.Body = strings.Join(append(rows, below...), "\n")
	return p
}

// entryRow draws an entry, with its key at the end.
func (m *Model) entryRow(e entry, chosen bool, size frame.Size) string {
	mark, name, right := "    ", e.name, e.right
	if chosen {
		mark, name = m.theme.Accent.Render("  ▸ "), m.theme.Strong.Render(e.name)
	}
	if size.Narrow() {
		right = e.brief
	}
	room := min(size.Width, maxWidth)
	right = m.theme.Dim.Render(right) + "  " + m.theme.Accent.Render(frame.Cell(m.theme.Press(frame.ScopeHome, e.press), 3))
	if most := room - frame.Width(right) - 6; frame.Width(name) > most { // the right side tells sessions apart
		name = frame.Cut(name, most)
	}
	return frame.Spread(mark+name, right, room)
}
