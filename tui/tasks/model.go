package tasks

import (
	"context"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/tui/filter"
	"assay/tui/frame"
)

// SavedFilter is a named, saved filter.
type SavedFilter struct{ Name, Filter string }

// SavedFilters stores filters by name.
type SavedFilters interface {
	// SavedFilters lists the saved filters, by name.
	SavedFilters() ([]SavedFilter, error)
	// SaveFilter saves a filter under a name, replacing an earlier one, and returns the file's
	// path.
	SaveFilter(name, filter string) (path string, err error)
}

// Options are the inputs of the browser.
type Options struct {
	Benchmarks   []*benchmark.Benchmark // at least one
	SavedFilters SavedFilters
	// HideReference reports whether the reference solutions of a benchmark are not shown, since a session over it is open;
	// nil: all are shown.
	HideReference func(benchmark string) bool
	// Begin opens the form for a new session, prefilled with start. It is nil where sessions
	// cannot be started.
	Begin func(ctx context.Context, start session.Choice) (frame.Screen, error)
}

// mode is what keys currently act on.
type mode int

const (
	listing   mode = iota // the list of tasks
	filtering             // the filter's text
	reading               // the text of the task
	counting              // the statistics
	naming                // the name of the filter to save
	loading               // the list of saved filters
)

// Model is the browser.
type Model struct {
	opts  Options
	size  frame.Size
	theme frame.Theme

	bench int // index of the shown benchmark
	line  *filter.Line
	mode  mode

	shown   frame.List[*benchmark.Task]
	lists   int             // number of lists so far, so that statistics are computed once for each
	task    *benchmark.Task // the chosen task, or nil
	columns []frame.Column[*benchmark.Task]

	tab      tab
	revealed *benchmark.Task // task whose reference solution is shown
	text     frame.Window    // of the task
	pan      frame.Pan
	details  frame.Latest[detailKey, []string]

	table  int          // index of the shown table
	window frame.Window // its visible rows
	tables frame.Latest[tableKey, benchmark.CrossTable]

	name  textinput.Model // name of the filter to save
	saved frame.List[SavedFilter]

	opening bool // the form for a session is being opened
	trouble string
	notice  string
}

// New returns the browser, showing the first benchmark.
func New(opts Options) *Model {
	m := &Model{opts: opts, line: filter.New(""), name: frame.NewLine(60)}
	m.columns = columnsOf(m.benchmark())
	m.shown.Same, m.shown.Chose = func(a, b *benchmark.Task) bool { return a == b }, m.chose
	return m
}

func (m *Model) benchmark() *benchmark.Benchmark { return m.opts.Benchmarks[m.bench] }

type (
	keptMsg struct {
		saved []SavedFilter
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

// Init starts listing the tasks.
func (m *Model) Init() tea.Cmd { return m.line.SetBenchmark(m.benchmark()) }

// Typing reports whether printable keys are text.
func (m *Model) Typing() bool { return m.mode == filtering || m.mode == naming }

// Settled reports whether nothing on the screen is about to change by itself.
func (m *Model) Settled() bool { return m.line.Settled() && m.details.Settled() && m.tables.Settled() }

// Leave cancels background work.
func (m *Model) Leave() tea.Cmd {
	m.line.Stop()
	m.details.Stop()
	m.tables.Stop()
	return nil
}

// Update handles a message, then starts computing what the screen now needs.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	cmd := m.update(msg)
	m.follow()
	return tea.Batch(cmd, m.render(), m.count())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		m.size, m.theme = msg.Size, msg.Theme
		return nil
	case frame.ShownMsg:
		return tea.Batch(m.line.Resume(), m.details.Resume(), m.tables.Resume())
	case keptMsg:
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

// follow keeps the same task chosen in a new list.
func (m *Model) follow() {
	found, _ := m.line.Found()
	shown := m.shown.Rows()
	if len(found.Tasks) == len(shown) && (len(shown) == 0 || &found.Tasks[0] == &shown[0]) {
		return
	}
	m.shown.Set(found.Tasks)
	m.lists++
}

// chose shows another task, from its beginning.
func (m *Model) chose() {
	m.task, m.pan, m.revealed = nil, frame.Pan{}, nil
	m.text.To(0)
	if task, ok := m.shown.Chosen(); ok {
		m.task = task
	} else if m.mode == reading {
		m.mode = listing
	}
}

// beside reports whether the task is shown beside the list.
func (m *Model) beside() bool { return m.size.Width >= besideWidth }

// besideWidth is the width in columns from which a task is shown beside the list.
const besideWidth = 100
