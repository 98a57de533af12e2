package difficulty

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session/difficulty"
	"assay/tui/frame"
)

// Answer is one answer to a task.
type Answer struct {
	Model, Prompt string // Prompt may be ""
	Sample        int
	Verdict       string // in words; "" for none
	Accepted      bool
	Passed, Total int
	Text          string
}

// Options are the inputs of the browser.
type Options struct {
	Name     string // of the analysed results
	Analysis *difficulty.Analysis
	// Drawn returns the same analysis with intervals that take long; nil if Analysis has them.
	Drawn func() (*difficulty.Analysis, error)
	Tasks *benchmark.Benchmark // nil: no statements
	// Answers returns the answers to a task; nil if there are none.
	Answers func(ctx context.Context, task string) ([]Answer, error)
	Topics  *difficulty.TopicsFile // nil: topics cannot be changed
}

// mode is what keys currently act on.
type mode int

const (
	listing mode = iota // the list of tasks
	reading             // the text of the task
	topics              // the list of topics
	naming              // a topic's name
)

// Model is the browser.
type Model struct {
	opts  Options
	all   *difficulty.Analysis
	size  frame.Size
	theme frame.Theme
	mode  mode

	filter  frame.Search
	wants   []want
	wrong   string // error of the filter
	topic   int    // the listed topic; 0: all, outside: tasks without a topic
	order   order
	shown   frame.List[*difficulty.Task]
	subset  map[string]int
	suspect int // number of suspect tasks

	tab    tab
	text   frame.Window // of the task
	answer int          // index of the shown answer
	found  frame.Latest[string, answersOf]
	drawn  map[drawnKey][]string // text of the task

	topics   frame.List[*difficulty.Topic] // nil: the tasks without a topic
	merging  int                           // number of the topic to merge into another; 0: none
	name     textinput.Model
	editing  bool                 // the file of topics is being written
	drawing  bool                 // intervals are being computed
	arrived  *difficulty.Analysis // computed, and waiting until the file is written
	undoable bool

	trouble, notice string
}

// outside stands for the tasks without a topic.
const outside = -1

// answersOf has a task's answers, or why there are none.
type answersOf struct {
	list []Answer
	err  error
}

// editedMsg reports that the file of topics was written, or why not.
type editedMsg struct {
	notice   string
	undoable bool
	chosen   string // the topic to choose afterwards; "": the same
	err      error
}

// New returns the browser. It shows all tasks, the hardest first.
func New(opts Options) *Model {
	m := &Model{opts: opts, all: opts.Analysis, name: frame.NewLine(100), subset: map[string]int{}, drawn: map[drawnKey][]string{}}
	if s := m.all.Subset; s != nil {
		for i, id := range s.IDs {
			m.subset[id] = i + 1
		}
	}
	for i := range m.all.Tasks {
		if m.all.Tasks[i].Kind == difficulty.Suspect {
			m.suspect++
		}
	}
	m.filter = frame.NewSearch(" filter ", m.refilter, m.shown.Keep)
	m.shown.Same, m.shown.Chose = func(a, b *difficulty.Task) bool { return a.ID == b.ID }, m.chose
	m.list()
	return m
}

// drawnMsg has the analysis with all intervals.
type drawnMsg struct {
	analysis *difficulty.Analysis
	err      error
}

// Init starts computing the intervals that take long.
func (m *Model) Init() tea.Cmd {
	if m.opts.Drawn == nil {
		return nil
	}
	m.drawing = true
	draw := m.opts.Drawn
	return func() tea.Msg {
		a, err := draw()
		return drawnMsg{a, err}
	}
}

// draw shows the computed intervals. The topics remain those on the screen.
func (m *Model) draw() {
	if m.arrived == nil || m.editing {
		return
	}
	m.all, m.arrived = m.arrived, nil
	if m.opts.Topics != nil {
		m.all.Regroup(&m.opts.Topics.Grouping)
	}
	clear(m.drawn)
	m.list()
}

// Typing reports whether printable keys are text.
func (m *Model) Typing() bool { return m.filter.Typing() || m.mode == naming }

// Settled reports whether nothing on the screen is about to change by itself.
func (m *Model) Settled() bool { return m.found.Settled() && !m.editing && !m.drawing }

// Leave cancels background work.
func (m *Model) Leave() tea.Cmd {
	m.found.Stop()
	return nil
}

// Update handles a message, then starts reading what the screen now needs.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return tea.Batch(m.update(msg), m.read()) }

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		if msg.Theme.Name != m.theme.Name || msg.Theme.Color != m.theme.Color || msg.Theme.Dark != m.theme.Dark {
			clear(m.drawn)
		}
		m.size, m.theme = msg.Size, msg.Theme
		return nil
	case frame.ShownMsg:
		return m.found.Resume()
	case editedMsg:
		m.edited(msg)
		m.draw()
		return nil
	case drawnMsg:
		m.drawing = false
		if m.arrived = msg.analysis; msg.err != nil {
			m.arrived, m.trouble = nil, msg.err.Error()
		}
		m.draw()
		return nil
	case tea.KeyPressMsg:
		m.trouble, m.notice = "", ""
		return m.key(msg)
	case tea.PasteMsg:
		return m.typed(msg)
	}
	cmd, _ := m.found.Take(msg)
	return cmd
}

// edited shows the topics of the written file.
func (m *Model) edited(msg editedMsg) {
	m.editing = false
	if msg.err != nil {
		m.trouble = msg.err.Error()
		return
	}
	m.notice, m.undoable, m.merging = msg.notice, msg.undoable, 0
	m.all.Regroup(&m.opts.Topics.Grouping)
	clear(m.drawn)
	m.topic = 0
	m.list()
	m.topics.Pick(func(t *difficulty.Topic) bool { return t != nil && t.Name == msg.chosen })
}

// task returns the chosen task, or nil.
func (m *Model) task() *difficulty.Task {
	if t, ok := m.shown.Chosen(); ok {
		return t
	}
	return nil
}

// list rebuilds the lists of tasks and of topics.
func (m *Model) list() {
	var shown []*difficulty.Task
	for i := range m.all.Tasks {
		if t := &m.all.Tasks[i]; m.listed(t) {
			shown = append(shown, t)
		}
	}
	slices.SortStableFunc(shown, m.order.compare)
	m.shown.Set(shown)
	var topics []*difficulty.Topic
	for i := range m.all.Topics {
		topics = append(topics, &m.all.Topics[i])
	}
	if len(m.all.NoTopic) > 0 {
		topics = append(topics, nil)
	}
	m.topics.Set(topics)
}

// listed reports whether a task is in the list.
func (m *Model) listed(t *difficulty.Task) bool {
	if m.topic > 0 && t.Topic != m.topic || m.topic == outside && t.Topic != 0 {
		return false
	}
	return !slices.ContainsFunc(m.wants, func(w want) bool { return !w(m, t) })
}

// chose shows another task, from its beginning.
func (m *Model) chose() {
	m.text.To(0)
	if m.answer = 0; m.task() == nil && m.mode == reading {
		m.mode = listing
	}
}

// here returns the chosen topic; nil for tasks without a topic.
func (m *Model) here() *difficulty.Topic {
	if t, ok := m.topics.Chosen(); ok {
		return t
	}
	return nil
}

// read starts reading the answers that the screen needs.
func (m *Model) read() tea.Cmd {
	if m.opts.Answers == nil || m.task() == nil || m.tab != answersTab || !m.beside() && m.mode != reading {
		return nil
	}
	id, answers := m.task().ID, m.opts.Answers
	return m.found.Ask(id, func(ctx context.Context) answersOf {
		list, err := answers(ctx, id)
		return answersOf{list, err}
	})
}

// beside reports whether the task is shown beside the list.
func (m *Model) beside() bool { return m.size.Wide() && m.mode != topics && m.mode != naming }
