package tasks

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/tui/filter"
	"assay/tui/frame"
)

// Scenario is a filter that was saved by a name.
type Scenario struct{ Name, Filter string }

// Scenarios keeps filters by name.
type Scenarios interface {
	// Scenarios lists what is kept, by name.
	Scenarios() ([]Scenario, error)
	// SaveScenario keeps a filter under a name, in the place of what had it. It
	// says where.
	SaveScenario(name, filter string) (path string, err error)
}

// Options are what the browser works with.
type Options struct {
	Benchmarks []*benchmark.Benchmark // at least one
	Scenarios  Scenarios
	// Reference says that reference solutions may be seen: not from inside a session.
	Reference bool
	// Begin opens the form for a new session with what start says filled in. It is
	// nil where no session can be begun.
	Begin func(ctx context.Context, start session.Choice) (frame.Screen, error)
}

// mode is what keys are for now.
type mode int

const (
	listing   mode = iota // they move in the list
	filtering             // they are the filter's text
	reading               // they scroll the task
	counting              // the statistics are shown
	naming                // they are the name of the filter to save
	loading               // they choose a saved filter
)

// Model is the browser.
type Model struct {
	opts  Options
	size  frame.Size
	theme frame.Theme

	bench int // the benchmark that is shown
	line  *filter.Line
	mode  mode

	shown   []*benchmark.Task // the list
	lists   int               // counts the lists, so that each is counted once
	task    *benchmark.Task   // the chosen one; nil where there is none
	row     int               // its row
	top     int               // the first row on the screen
	columns []frame.Column[*benchmark.Task]

	tab      tab
	revealed *benchmark.Task // whose reference solution was asked for
	scroll   int             // the first line of the task that is shown
	pan      frame.Pan
	details  frame.Latest[detailKey, []string]

	table    int // of the tables
	tableTop int
	seen     string // which rows of the table are in view
	tables   frame.Latest[tableKey, benchmark.CrossTable]

	name     textinput.Model // of the filter to save
	saved    []Scenario
	savedRow int

	opening bool // the form for a session is on its way
	trouble string
	notice  string
}

// New makes the browser. It shows the first benchmark.
func New(opts Options) *Model {
	m := &Model{opts: opts, line: filter.New(""), name: frame.NewLine(60)}
	m.columns = columnsOf(m.benchmark())
	return m
}

func (m *Model) benchmark() *benchmark.Benchmark { return m.opts.Benchmarks[m.bench] }

type (
	scenariosMsg struct {
		saved []Scenario
		err   error
	}
	savedMsg struct {
		path string
		err  error
	}
	formMsg struct {
		screen frame.Screen
		err    error
	}
)

// Init begins to list the tasks.
func (m *Model) Init() tea.Cmd { return m.line.SetBenchmark(m.benchmark()) }

// Typing reports whether printable keys are text.
func (m *Model) Typing() bool { return m.mode == filtering || m.mode == naming }

// Settled reports whether everything on the screen is what it will be.
func (m *Model) Settled() bool {
	return m.line.Settled() && m.details.Settled() && m.tables.Settled()
}

// Leave gives up what is under way.
func (m *Model) Leave() tea.Cmd {
	m.line.Stop()
	m.details.Stop()
	m.tables.Stop()
	return nil
}

// Update handles a message, then begins to work out what the screen now lacks.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	cmd := m.update(msg)
	m.follow()
	return tea.Batch(cmd, m.render(), m.count())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.size, m.theme = msg.Size, msg.Theme
		m.choose(m.row)
		return nil
	case frame.ShownMsg:
		return tea.Batch(m.line.Resume(), m.details.Resume(), m.tables.Resume())
	case scenariosMsg:
		return m.listed(msg)
	case savedMsg:
		if msg.err != nil {
			m.trouble = msg.err.Error()
		} else {
			m.notice = "saved in " + msg.path
		}
		return nil
	case formMsg:
		m.opening = false
		if msg.err != nil {
			m.trouble = msg.err.Error()
			return nil
		}
		return frame.Open(msg.screen)
	case tea.KeyPressMsg:
		m.trouble, m.notice = "", ""
		return m.key(msg)
	case tea.PasteMsg:
		switch m.mode {
		case filtering:
			cmd, _ := m.line.Update(msg)
			return cmd
		case naming:
			return m.nameTyped(msg)
		}
		return nil
	}
	if cmd, taken := m.details.Take(msg); taken {
		return cmd
	}
	if cmd, taken := m.tables.Take(msg); taken {
		return cmd
	}
	cmd, _ := m.line.Update(msg)
	return cmd
}

// follow keeps the same task chosen when the list is another one.
func (m *Model) follow() {
	found, _ := m.line.Found()
	if len(found.Tasks) == len(m.shown) && (len(m.shown) == 0 || &found.Tasks[0] == &m.shown[0]) {
		return
	}
	m.shown = found.Tasks
	m.lists++
	m.choose(max(0, slices.Index(m.shown, m.task)))
}

// choose moves the choice to a row, or to the nearest one that there is.
func (m *Model) choose(row int) {
	m.row = max(0, min(row, len(m.shown)-1))
	var task *benchmark.Task
	if len(m.shown) > 0 {
		task = m.shown[m.row]
	}
	if task != m.task {
		m.task, m.scroll, m.pan, m.revealed = task, 0, frame.Pan{}, nil
	}
	if task == nil && m.mode == reading {
		m.mode = listing
	}
	m.top = max(0, min(frame.Scroll(m.top, m.row, m.listHeight()), len(m.shown)-m.listHeight()))
}

// beside reports whether the task stands beside the list.
func (m *Model) beside() bool { return m.size.Width >= besideWidth }

// besideWidth is where a task stands beside the list from, in columns.
const besideWidth = 100
