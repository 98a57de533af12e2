package setup

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine"
	"assay/tui/frame"
	"assay/tui/work"
)

// Choices are what a new session can be made of.
type Choices struct {
	Benchmarks []*benchmark.Benchmark
	Models     []ModelChoice
	Isolation  string // "isolated (bubblewrap)", or why code cannot run
	Isolated   bool
	Seed       uint64 // proposed
	Start      session.Choice
}

// ModelChoice is one model with whether it can be asked now.
type ModelChoice struct {
	session.Model
	Ready bool
	Why   string // why not, and what to do
}

// Beginner opens a new session.
type Beginner interface {
	Begin(ctx context.Context, choice session.Choice) (*engine.Engine, error)
}

// The rows of the form.
const (
	rowBenchmark = iota
	rowFilter
	rowTasks
	rowSets
	rowModel
	rowK
	rowLevel
	rowContext
	rowReference
	rowPractice
	rowSeed
	rowCount
)

// Model is the form.
type Model struct {
	choices Choices
	begin   Beginner
	opts    work.Options

	row       int
	benchmark int
	model     int
	level     int
	fresh     bool
	reference bool
	practice  bool
	inputs    map[int]*textinput.Model
	starting  bool
	trouble   string
}

type begunMsg struct {
	eng *engine.Engine
	err error
}

// New makes the form. A rehearsal has the recorded answers chosen and offers
// the practice task.
func New(choices Choices, begin Beginner, opts work.Options, rehearse bool) *Model {
	m := &Model{choices: choices, begin: begin, opts: opts, inputs: map[int]*textinput.Model{}, practice: rehearse}
	start := choices.Start
	for row, value := range map[int]string{
		rowFilter: start.Scenario, rowTasks: number(start.Tasks), rowSets: strconv.Itoa(max(1, start.Sets)),
		rowK: strconv.Itoa(cmp.Or(start.K, session.DefaultK)), rowSeed: strconv.FormatUint(choices.Seed, 10),
	} {
		in := textinput.New()
		in.Prompt = ""
		in.SetVirtualCursor(false)
		in.SetValue(value)
		in.SetWidth(22)
		m.inputs[row] = &in
	}
	m.level, m.fresh, m.reference = start.Level, start.Context == session.Fresh, start.Reference
	m.model = m.firstModel(rehearse, start.Model.Name)
	for i, b := range choices.Benchmarks {
		if start.Benchmark != nil && b.Name == start.Benchmark.Name {
			m.benchmark = i
		}
	}
	return m
}

// firstModel is the model that the form begins with.
func (m *Model) firstModel(rehearse bool, name string) int {
	for i, c := range m.choices.Models {
		if rehearse && c.Recorded || !rehearse && name != "" && c.Name == name {
			return i
		}
	}
	for i, c := range m.choices.Models {
		if c.Ready && !c.Recorded {
			return i
		}
	}
	return 0
}

func number(n int) string {
	if n == 0 {
		return "all"
	}
	return strconv.Itoa(n)
}

// Init puts the cursor into the first row.
func (m *Model) Init() tea.Cmd { return m.focus() }

// Typing says whether the row is a text.
func (m *Model) Typing() bool { return m.inputs[m.row] != nil }

// Choice is what the form says, or the first thing wrong with it.
func (m *Model) Choice() (session.Choice, error) {
	c := session.Choice{
		Benchmark: m.choices.Benchmarks[m.benchmark], Scenario: m.inputs[rowFilter].Value(),
		Level: m.level, Context: session.Conversation, Reference: m.reference, Practice: m.practice,
		Model: m.choices.Models[m.model].Model,
	}
	if m.fresh {
		c.Context = session.Fresh
	}
	for row, into := range map[int]*int{rowTasks: &c.Tasks, rowSets: &c.Sets, rowK: &c.K} {
		text := strings.TrimSpace(m.inputs[row].Value())
		if row == rowTasks && (text == "all" || text == "") {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 10000 {
			return c, fmt.Errorf("%s: %q is not a number from 1 on", rowNames[row], text)
		}
		*into = n
	}
	seed, err := strconv.ParseUint(strings.TrimSpace(m.inputs[rowSeed].Value()), 10, 64)
	if err != nil {
		return c, fmt.Errorf("seed: %q is not a whole number from 0 on", m.inputs[rowSeed].Value())
	}
	c.Seed = seed
	if model := m.choices.Models[m.model]; !model.Ready {
		return c, fmt.Errorf("%s is not ready: %s", model.Name, model.Why)
	}
	_, _, err = c.Plan()
	return c, err
}

// Update moves between the rows and changes them.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case begunMsg:
		m.starting = false
		if msg.err != nil {
			m.trouble = msg.err.Error()
			return nil
		}
		return frame.Replace(work.New(msg.eng, m.opts))
	case tea.KeyPressMsg:
		m.trouble = ""
		return m.key(msg)
	case tea.PasteMsg:
		return m.edit(msg)
	}
	return nil
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		return m.start()
	case "esc":
		return frame.Back
	case "up", "shift+tab":
		m.row = (m.row + rowCount - 1) % rowCount
		return m.focus()
	case "down", "tab":
		m.row = (m.row + 1) % rowCount
		return m.focus()
	case "left", "right", "space":
		if m.inputs[m.row] == nil {
			m.turn(msg.String() == "left")
			return nil
		}
	}
	return m.edit(msg)
}

func (m *Model) edit(msg tea.Msg) tea.Cmd {
	in := m.inputs[m.row]
	if in == nil {
		return nil
	}
	var cmd tea.Cmd
	*in, cmd = in.Update(msg)
	return cmd
}

func (m *Model) focus() tea.Cmd {
	var cmd tea.Cmd
	for row, in := range m.inputs {
		if row == m.row {
			cmd = in.Focus()
			in.CursorEnd()
		} else {
			in.Blur()
		}
	}
	return cmd
}

// turn changes a row that has fixed values.
func (m *Model) turn(back bool) {
	step := func(value, count int) int {
		if back {
			return (value + count - 1) % count
		}
		return (value + 1) % count
	}
	switch m.row {
	case rowBenchmark:
		m.benchmark = step(m.benchmark, len(m.choices.Benchmarks))
	case rowModel:
		m.model = step(m.model, len(m.choices.Models))
	case rowLevel:
		m.level = step(m.level, benchmark.MaxPromptLevel+1)
	case rowContext:
		m.fresh = !m.fresh
	case rowReference:
		m.reference = !m.reference
	case rowPractice:
		m.practice = !m.practice
	}
}

func (m *Model) start() tea.Cmd {
	choice, err := m.Choice()
	if err != nil {
		m.trouble = err.Error()
		return nil
	}
	if m.starting {
		return nil
	}
	m.starting = true
	return func() tea.Msg {
		eng, err := m.begin.Begin(context.Background(), choice)
		return begunMsg{eng, err}
	}
}
