package results

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/report"
	"assay/tui/frame"
	"assay/tui/work"
)

// Session is one session as the list has it without reading its log.
type Session struct {
	ID        string
	Status    string // "open", "finished", "abandoned", "withdrawn"
	Benchmark string
	Model     string
	Tester    string
	Done      int // tasks closed with a result
	Planned   int
	Last      time.Time
	Events    uint64 // in its log: another number is another state
	Imported  bool
	Automatic string // the feedback of the program that worked in place of a human, "" for a human
}

// Opened is a session that was read whole.
type Opened struct {
	State  *session.State
	Times  []session.TaskTimes // of its tasks
	Report *report.Report
	Source work.Source
}

// Library is where the sessions are.
type Library interface {
	// Sessions lists them, the latest first.
	Sessions(ctx context.Context) ([]Session, error)
	// Open reads one.
	Open(ctx context.Context, id string) (Opened, error)
	// WriteReport writes the report of one and says where it lies.
	WriteReport(ctx context.Context, id string) (path string, err error)
}

// Options are what the browser works with.
type Options struct {
	Library Library
	// Work is what the screens of attempts need: how to copy, and to save files.
	Work work.Options
}

// Model is the list of sessions.
type Model struct {
	opts  Options
	size  frame.Size
	theme frame.Theme

	sessions []Session
	loaded   bool
	shown    []Session // those that the search chooses
	search   search
	row, top int

	// numbers are read for the rows on the screen, one session after the other.
	numbers map[numbersKey]numbers
	widths  map[fitKey]int // of the columns, over all sessions
	reading frame.Latest[numbersKey, numbers]
	last    *Screen // the session that was opened last, where it was left

	trouble string
}

type numbersKey struct {
	id     string
	events uint64
}

// fitKey is a column, and how wide it may be at most.
type fitKey struct {
	column string
	most   int
}

// numbers are the means of one session.
type numbers struct {
	attempts, seconds, total report.Number
	tasks                    int
	err                      error
}

// New makes the browser.
func New(opts Options) *Model {
	return &Model{opts: opts, search: newSearch(), numbers: map[numbersKey]numbers{}}
}

type sessionsMsg struct {
	sessions []Session
	err      error
}

// Init reads the list.
func (m *Model) Init() tea.Cmd {
	lib := m.opts.Library
	return func() tea.Msg {
		sessions, err := lib.Sessions(context.Background())
		return sessionsMsg{sessions, err}
	}
}

// Typing says whether printable keys are the search.
func (m *Model) Typing() bool { return m.search.typing }

// Settled says whether all numbers on the screen are there.
func (m *Model) Settled() bool { return m.loaded && m.reading.Settled() }

// Leave gives up what is under way.
func (m *Model) Leave() tea.Cmd {
	m.reading.Stop()
	return nil
}

// Update handles a message, then begins to read the next numbers that the screen lacks.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	cmd := m.update(msg)
	return tea.Batch(cmd, m.read())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.size, m.theme = msg.Size, msg.Theme
		m.choose(m.row)
	case frame.ShownMsg:
		return tea.Batch(m.Init(), m.reading.Resume())
	case sessionsMsg:
		m.listed(msg)
	case tea.PasteMsg:
		cmd := m.search.update(msg)
		m.narrow()
		return cmd
	case tea.KeyPressMsg:
		m.trouble = ""
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
	m.sessions, m.widths = msg.sessions, map[fitKey]int{}
	m.narrow()
}

// narrow lists what the search chooses; the same session stays chosen.
func (m *Model) narrow() {
	chosen := m.chosen()
	m.shown = nil
	for _, s := range m.sessions {
		if m.search.finds(s.Benchmark, s.Model, s.Tester, s.Status, s.ID, imported(s), automatic(s)) {
			m.shown = append(m.shown, s)
		}
	}
	m.choose(max(0, slices.IndexFunc(m.shown, func(s Session) bool { return chosen != nil && s.ID == chosen.ID })))
}

func imported(s Session) string {
	if s.Imported {
		return "imported"
	}
	return ""
}

// automatic says by which policy a program worked.
func automatic(s Session) string {
	if s.Automatic == "" {
		return ""
	}
	return "automatic: " + s.Automatic
}

func (m *Model) chosen() *Session {
	if m.row >= len(m.shown) {
		return nil
	}
	return &m.shown[m.row]
}

func (m *Model) choose(row int) {
	m.row = max(0, min(row, len(m.shown)-1))
	m.top = max(0, min(frame.Scroll(m.top, m.row, m.height()), len(m.shown)-m.height()))
}

// height is how many sessions are on the screen: beside them stand the search, the
// heading, a rule, and two lines on the chosen one.
func (m *Model) height() int { return max(1, m.size.Body().Height-6) }

// read begins to read the numbers of the first row on the screen that has none.
func (m *Model) read() tea.Cmd {
	if m.size.Width == 0 {
		return nil
	}
	for i := m.top; i < min(len(m.shown), m.top+m.height()); i++ {
		s := m.shown[i]
		key := numbersKey{s.ID, s.Events}
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
			return numbers{r.Tries.Mean.Value, r.Times.Completion.Mean.Value, r.Ratings.Total.Mean.Value, r.Counts.Analysed, nil}
		})
	}
	return nil
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.search.typing {
		cmd := m.search.update(msg)
		m.narrow()
		return cmd
	}
	if to, moved := frame.Move(msg.String(), m.row, m.height()-1, len(m.shown)); moved {
		m.choose(to)
		return nil
	}
	switch msg.String() {
	case "/":
		return m.search.begin()
	case "enter":
		return m.open()
	case "esc", "q":
		if m.search.words() != "" {
			m.search.clear()
			m.narrow()
			return nil
		}
		return frame.Back
	}
	return nil
}

// open opens the chosen session: where it was left, if it is the one that was opened
// last and nothing has come to it.
func (m *Model) open() tea.Cmd {
	s := m.chosen()
	if s == nil {
		return nil
	}
	if m.last == nil || m.last.id != s.ID || m.last.events != s.Events || m.last.err != nil {
		m.last = NewScreen(m.opts, s.ID)
		m.last.events = s.Events
	}
	return frame.Open(m.last)
}

// Page draws the list.
func (m *Model) Page(size frame.Size, theme frame.Theme) frame.Page {
	m.size, m.theme = size, theme
	p := frame.Page{Scope: frame.ScopeResults, Title: "Results", Place: "reading…", Keys: m.keys()}
	if m.loaded {
		p.Place = plural(len(m.sessions), "session")
		if len(m.shown) != len(m.sessions) {
			p.Place = fmt.Sprintf("%d of %s", len(m.shown), p.Place)
		}
	}
	head, cursor := m.search.view(size.Width, "every session; "+theme.Press(frame.ScopeResults, "/")+" finds some, such as: finished qwen -imported", theme)
	p.Cursor, p.Seen = cursor, frame.Position(m.top, m.height(), len(m.shown))
	rule := theme.Dim.Render(strings.Repeat("─", size.Width))
	var rows string
	switch {
	case !m.loaded:
		rows = "   " + theme.Dim.Render("reading…")
	case len(m.sessions) == 0:
		rows = "   There are no sessions yet.\n\n   " + theme.Dim.Render(theme.Press(frame.ScopeResults, "esc")+", then "+theme.Press(frame.ScopeHome, "n")+" begins one; "+
			theme.Press(frame.ScopeHome, "p")+" rehearses with recorded answers.")
	case len(m.shown) == 0:
		rows = "   " + theme.Dim.Render("No session has all of these words.")
	default:
		t := table[Session]{width: size.Width, columns: m.columns(), theme: theme}
		rows = t.heading() + "\n"
		for i := m.top; i < min(len(m.shown), m.top+m.height()); i++ {
			rows += t.row(m.shown[i], i == m.row) + "\n"
		}
	}
	body := frame.Fit(head+"\n"+rows, frame.Size{Width: size.Width, Height: size.Body().Height - 3})
	p.Body = strings.Join(append(body, rule, m.about()), "\n")
	return p
}

// columns are those of the list, in the order in which they find room.
func (m *Model) columns() []column[Session] {
	of := func(get func(numbers) string) func(Session) string {
		return func(s Session) string {
			switch n, known := m.numbers[numbersKey{s.ID, s.Events}]; {
			case !known:
				return "…"
			case n.err != nil:
				return "✗"
			default:
				return get(n)
			}
		}
	}
	fitted := func(place int, name string, most int, of func(Session) string) column[Session] {
		key := fitKey{name, most}
		width, known := m.widths[key]
		if !known {
			width = widest(name, m.sessions, of, most)
			m.widths[key] = width
		}
		return fixed(place, name, width, of)
	}
	name := 11
	if m.size.Wide() {
		name = 30
	}
	return []column[Session]{
		fitted(0, "status", 11, func(s Session) string { return status(s.Status) }),
		fitted(1, "benchmark", name, func(s Session) string { return s.Benchmark }),
		fitted(2, "model", 14, func(s Session) string { return s.Model }).growing(),
		fitted(4, "tasks", 9, func(s Session) string { return fmt.Sprintf("%d/%d", s.Done, s.Planned) }).numeric(),
		fixed(5, "attempts", 8, of(func(n numbers) string { return frame.Number(float64(n.attempts), 2) })).numeric(),
		fixed(7, "total", 5, of(func(n numbers) string { return frame.Number(float64(n.total), 1) })).numeric(),
		fixed(6, "time", 10, of(func(n numbers) string { return frame.Duration(float64(n.seconds)) })).numeric(),
		fitted(3, "tester", 12, func(s Session) string { return orDash(s.Tester) }),
		fixed(8, "last", 10, func(s Session) string { return s.Last.Format(time.DateOnly) }),
	}
}

// status is a glyph and a word.
func status(s string) string {
	switch s {
	case "finished":
		return "✓ finished"
	case "open":
		return "‖ open"
	case "abandoned":
		return "✗ abandoned"
	}
	return "– " + s
}

// about tells of the chosen session what has no room in its row, or what is wrong.
func (m *Model) about() string {
	width := m.size.Width
	if m.trouble != "" {
		return m.theme.Bad.Render(frame.Fit(" ✗ "+frame.OneLine(m.trouble), frame.Size{Width: width, Height: 1})[0])
	}
	s := m.chosen()
	if s == nil {
		return ""
	}
	facts := []string{s.ID}
	if s.Automatic != "" {
		facts = append(facts, automatic(*s))
	}
	facts = append(facts, "last "+s.Last.Format("2006-01-02 15:04"))
	if s.Tester != "" && s.Automatic == "" {
		facts = append(facts, "by "+s.Tester)
	}
	if s.Imported {
		facts = append(facts, "imported from tables")
	}
	second := "… reading"
	if n, known := m.numbers[numbersKey{s.ID, s.Events}]; known {
		switch {
		case n.err != nil:
			second = "✗ " + n.err.Error()
		case n.tasks == 0:
			second = "no task has a result"
		default:
			second = fmt.Sprintf("means over %s: %s attempts, %s, total %s", plural(n.tasks, "task"),
				frame.Number(float64(n.attempts), 2), frame.Duration(float64(n.seconds)), frame.Number(float64(n.total), 1))
		}
	}
	lines := frame.OneLine(strings.Join(facts, " · ")) + "\n " + frame.OneLine(second)
	return m.theme.Dim.Render(" " + strings.Join(frame.Fit(lines, frame.Size{Width: width - 1, Height: 2}), "\n"))
}

func (m *Model) keys() []frame.Key {
	if m.search.typing {
		return searchKeys()
	}
	open := frame.Key{Press: "enter", Does: "open"}
	if m.chosen() == nil {
		open.Why = "there is no session"
	}
	return []frame.Key{
		{Press: "↑↓", Does: "choose"}, open, {Press: "/", Does: "find"}, frame.HelpKey, {Press: "esc", Does: "back"},
		{Press: "pgup pgdn home end", Does: "further", More: true}, frame.VimKeys,
	}
}

// plural writes "1 task", "2 tasks".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
