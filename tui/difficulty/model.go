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
	listing   mode = iota // the list of tasks
	filtering             // the filter's text
	reading               // the text of the task
	topics                // the list of topics
	naming                // a topic's name
)

// Model is the browser.
type Model struct {
	opts  Options
	all   *difficulty.Analysis
	size  frame.Size
	theme frame.Theme
	mode  mode

	filter  textinput.Model
	wants   []want
	wrong   string // error of the filter
	topic   int    // the listed topic; 0: all, outside: tasks without a topic
	order   order
	shown   []int // indexes of the analysis' tasks, in the order of the list
	row     int
	top     int
	chosen  string // id of the chosen task
	anchor  string // the task chosen before the filter was typed
	subset  map[string]int
	suspect int // number of suspect tasks

	tab    tab
	scroll int
	answer int // index of the shown answer
	found  frame.Latest[string, answersOf]
	drawn  map[drawnKey][]string // text of the task

	topicRow, topicTop int
	merging            int // number of the topic to merge into another; 0: none
	name               textinput.Model
	editing            bool                 // the file of topics is being written
	drawing            bool                 // intervals are being computed
	arrived            *difficulty.Analysis // computed, and waiting until the file is written
	undoable           bool

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
	m := &Model{opts: opts, all: opts.Analysis, filter: frame.NewLine(200), name: frame.NewLine(100), subset: map[string]int{}, drawn: map[drawnKey][]string{}}
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
func (m *Model) Typing() bool { return m.mode == filtering || m.mode == naming }

// Settled reports whether nothing on the screen is about to change by itself.
func (m *Model) Settled() bool { return m.found.Settled() && !m.editing && !m.drawing }

// Leave cancels background work.
func (m *Model) Leave() tea.Cmd {
	m.found.Stop()
	return nil
}

// Update handles a message, then starts reading what the screen now needs.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(m.update(msg), m.read())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frame.LookMsg:
		if msg.Theme.Name != m.theme.Name || msg.Theme.Color != m.theme.Color || msg.Theme.Dark != m.theme.Dark {
			clear(m.drawn)
		}
		m.size, m.theme = msg.Size, msg.Theme
		m.choose(m.row)
		m.chooseTopic(m.topicRow)
		m.scrollTo(m.scroll)
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
	if i := slices.IndexFunc(m.all.Topics, func(t difficulty.Topic) bool { return t.Name == msg.chosen }); i >= 0 {
		m.topicRow = i
	}
	m.chooseTopic(m.topicRow)
}

// task returns the chosen task, or nil.
func (m *Model) task() *difficulty.Task {
	if m.row >= len(m.shown) {
		return nil
	}
	return &m.all.Tasks[m.shown[m.row]]
}

// list rebuilds the list, and keeps the same task chosen if it is still listed.
func (m *Model) list() {
	m.shown = m.shown[:0]
	for i := range m.all.Tasks {
		if t := &m.all.Tasks[i]; m.listed(t) {
			m.shown = append(m.shown, i)
		}
	}
	slices.SortStableFunc(m.shown, func(a, b int) int { return m.order.compare(&m.all.Tasks[a], &m.all.Tasks[b]) })
	id := m.chosen
	if m.mode == filtering {
		id = m.anchor
	}
	m.choose(max(0, slices.IndexFunc(m.shown, func(i int) bool { return m.all.Tasks[i].ID == id })))
}

// listed reports whether a task is in the list.
func (m *Model) listed(t *difficulty.Task) bool {
	if m.topic > 0 && t.Topic != m.topic || m.topic == outside && t.Topic != 0 {
		return false
	}
	for _, w := range m.wants {
		if !w(m, t) {
			return false
		}
	}
	return true
}

// choose chooses a row, or the nearest existing one.
func (m *Model) choose(row int) {
	m.row = max(0, min(row, len(m.shown)-1))
	id := ""
	if t := m.task(); t != nil {
		id = t.ID
	}
	if id != m.chosen {
		m.chosen, m.scroll, m.answer = id, 0, 0
	}
	if id == "" && m.mode == reading {
		m.mode = listing
	}
	m.top = max(0, min(frame.Scroll(m.top, m.row, m.listHeight()), len(m.shown)-m.listHeight()))
}

// topicRows counts the topics, and one more row for tasks without a topic.
func (m *Model) topicRows() int {
	n := len(m.all.Topics)
	if len(m.all.NoTopic) > 0 {
		n++
	}
	return n
}

func (m *Model) chooseTopic(row int) {
	m.topicRow, m.topicTop = frame.Choose(row, m.topicTop, m.topicRows(), m.listHeight())
}

// here returns the chosen topic; nil for tasks without a topic.
func (m *Model) here() *difficulty.Topic {
	if m.topicRow >= len(m.all.Topics) {
		return nil
	}
	return &m.all.Topics[m.topicRow]
}

// read starts reading the answers that the screen needs.
func (m *Model) read() tea.Cmd {
	if m.opts.Answers == nil || m.chosen == "" || m.tab != answersTab || !m.beside() && m.mode != reading {
		return nil
	}
	id, answers := m.chosen, m.opts.Answers
	return m.found.Ask(id, func(ctx context.Context) answersOf {
		list, err := answers(ctx, id)
		return answersOf{list, err}
	})
}

// beside reports whether the task is shown beside the list.
func (m *Model) beside() bool { return m.size.Wide() && m.mode != topics && m.mode != naming }
