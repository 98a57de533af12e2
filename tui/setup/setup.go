package setup

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine"
	"assay/tui/filter"
	"assay/tui/frame"
	"assay/tui/work"
)

// Choices lists the possible values of the form.
type Choices struct {
	Benchmarks []*benchmark.Benchmark
	Models     []ModelChoice
	Isolation  string // "isolated (bubblewrap)", or why code cannot run
	Isolated   bool
	Seed       uint64 // proposed
	Start      session.Choice
	Pace       time.Duration // the usual time of a task here, from opening to rating; 0 if unknown

	// Load reads the benchmark of a file or folder; nil if none can be read.
	Load   func(ctx context.Context, path string) (*benchmark.Benchmark, error)
	Files  map[*benchmark.Benchmark]string // paths of benchmarks that are not bundled
	Recent []string                        // paths of benchmarks that were used before, the latest first
}

// ModelChoice is a model with its readiness.
type ModelChoice struct {
	session.Model
	Ready bool
	Why   string // why not, and what to do
	Where string // the machine that it runs on, "" if that tells nothing

	Answered bool // it has answered in an earlier session
}

// state describes the readiness of a model. Whether a configured model answers is unknown until it
// was asked.
func (c ModelChoice) state() string {
	switch {
	case !c.Ready:
		return "not configured: " + c.Why
	case c.Recorded:
		return "recorded answers, for practice"
	case c.Provider == "paste":
		return "you paste from any chat page"
	case c.Answered:
		return "has answered before"
	}
	return "configured, not asked yet"
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
	rowStratify
	rowModel
	rowAgainst
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
	arrived   bool // nothing was typed in the row yet
	benchmark int
	model     int
	against   string // the model that answers beside it; "": none
	level     int
	fresh     bool
	reference bool
	practice  bool
	filter    *filter.Line
	inputs    map[int]*textinput.Model // the other typed rows
	drawn     frame.Latest[drawing, outcome]
	pick      picker

	rowsAt, menuAt int // positions of rows and menu, for the mouse

	starting bool
	begun    bool // its session has begun
	trouble  string
}

type begunMsg struct {
	eng *engine.Engine
	err error
}

// New makes the form. For a rehearsal, recorded answers and the practice task are chosen.
func New(choices Choices, begin Beginner, opts work.Options, rehearse bool) *Model {
	start := choices.Start
	m := &Model{choices: choices, begin: begin, opts: opts, filter: filter.New(start.Filter), inputs: map[int]*textinput.Model{}, practice: rehearse, pick: newPicker()}
	for row, value := range map[int]string{
		rowTasks: number(start.Tasks), rowSets: strconv.Itoa(max(1, start.Sets)), rowStratify: strings.Join(start.Stratify, ","),
		rowK: strconv.Itoa(cmp.Or(start.K, session.DefaultK)), rowSeed: strconv.FormatUint(choices.Seed, 10),
	} {
		in := frame.NewLine(0)
		in.SetValue(value)
		in.SetWidth(22)
		m.inputs[row] = &in
	}
	m.level, m.fresh, m.reference = start.Level, start.Context == session.Fresh, start.Reference
	m.model = m.firstModel(rehearse, start.Model.Name)
	if start.Against != nil {
		m.against = start.Against.Name
	}
	for i, b := range choices.Benchmarks {
		if start.Benchmark != nil && b.Name == start.Benchmark.Name {
			m.benchmark = i
		}
	}
	return m
}

// Renew updates the choices and keeps all values. It returns false if the form cannot be used
// again: it has begun its session, or its benchmark is gone.
func (m *Model) Renew(choices Choices) bool {
	at := slices.Index(choices.Benchmarks, m.choices.Benchmarks[m.benchmark])
	if at < 0 { // they were read again
		at = slices.IndexFunc(choices.Benchmarks, func(b *benchmark.Benchmark) bool { return b.Name == m.choices.Benchmarks[m.benchmark].Name })
	}
	if m.begun || at < 0 {
		return false
	}
	m.benchmark = at
	m.pick.close()
	chosen := m.choices.Models[m.model]
	m.choices, m.starting, m.trouble = choices, false, ""
	if m.model = slices.IndexFunc(choices.Models, func(c ModelChoice) bool { return c.Name == chosen.Name }); m.model < 0 {
		m.model = m.firstModel(chosen.Recorded, "")
	}
	return true
}

// firstModel returns the initial model of the form.
func (m *Model) firstModel(rehearse bool, name string) int {
	for i, c := range m.choices.Models {
		if rehearse && c.Recorded || !rehearse && name != "" && c.Name == name {
			return i
		}
	}
	for _, pasted := range []bool{false, true} { // pasting answers is for testers without another model
		for i, c := range m.choices.Models {
			if c.Ready && !c.Recorded && (c.Provider == "paste") == pasted {
				return i
			}
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

// drawing holds everything that the tasks of a session depend on.
type drawing struct {
	benchmark   *benchmark.Benchmark
	filter      string
	tasks, sets int
	stratify    string
	seed        uint64
	practice    bool
}

// outcome is the number of tasks of a session, or why it is impossible.
type outcome struct {
	tasks, practice int
	mix             []share
	err             error
}

// share is how many of a session's tasks have a value of a field.
type share struct {
	value string
	tasks int
}

// mixOf counts tasks by difficulty, or by type where no difficulty is known: easy ones first, then the most.
func mixOf(tasks []*benchmark.Task) []share {
	for _, field := range []func(*benchmark.Task) string{
		func(t *benchmark.Task) string { return string(t.Difficulty) }, func(t *benchmark.Task) string { return t.Type },
	} {
		count := map[string]int{}
		for _, t := range tasks {
			count[field(t)]++
		}
		if len(count) < 2 {
			continue
		}
		var mix []share
		for value, n := range count {
			mix = append(mix, share{cmp.Or(value, "none given"), n})
		}
		order := func(value string) int { return (slices.Index([]string{"easy", "medium", "hard"}, value) + 4) % 4 }
		slices.SortFunc(mix, func(a, b share) int {
			return cmp.Or(cmp.Compare(order(a.value), order(b.value)), cmp.Compare(b.tasks, a.tasks), strings.Compare(a.value, b.value))
		})
		return mix
	}
	return nil
}

// counted formats the numbers, practice tasks apart.
func (o outcome) counted() string {
	text := frame.Count(o.tasks, "task")
	if o.practice > 0 {
		text += " and " + frame.Count(o.practice, "practice task")
	}
	return text
}

// Init puts the cursor into the first row.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.focus(), m.filter.SetBenchmark(m.choices.Benchmarks[m.benchmark]), m.draw())
}

// Typing reports whether the row takes text.
func (m *Model) Typing() bool { return m.row == rowFilter || m.inputs[m.row] != nil || picks(m.row) }

// Settled reports whether no background work is under way.
func (m *Model) Settled() bool {
	return m.filter.Settled() && m.drawn.Settled() && m.pick.offers.Settled()
}

// Leave gives up what is under way.
func (m *Model) Leave() tea.Cmd {
	m.filter.Stop()
	m.drawn.Stop()
	m.pick.offers.Stop()
	return nil
}

// choice returns the choice of the form, or the first error of a row. Whether there are enough tasks for
// it is found out by draw.
func (m *Model) choice() (session.Choice, error) {
	c := session.Choice{
		Benchmark: m.choices.Benchmarks[m.benchmark], Filter: m.filter.Text(),
		Level: m.level, Context: session.Conversation, Reference: m.reference, Practice: m.practice,
		Model: m.choices.Models[m.model].Model,
	}
	if m.fresh {
		c.Context = session.Fresh
	}
	if err := m.filter.Err(); err != nil {
		return c, err
	}
	var err error
	if c.Stratify, err = m.stratify(); err != nil {
		return c, err
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
		return c, fmt.Errorf("%s is not configured: %s", model.Name, model.Why)
	}
	c.Against, err = m.rival()
	return c, err
}

// rival returns the model that answers beside the chosen one; nil: none.
func (m *Model) rival() (*session.Model, error) {
	if m.against == "" {
		return nil, nil
	}
	i := slices.IndexFunc(m.choices.Models, func(c ModelChoice) bool { return c.Name == m.against })
	switch {
	case i < 0:
		return nil, fmt.Errorf("against: there is no model %s any more", m.against)
	case i == m.model:
		return nil, fmt.Errorf("against: %s cannot be compared with itself: choose another one, or none", m.against)
	case !m.choices.Models[i].Ready:
		return nil, fmt.Errorf("%s is not configured: %s", m.against, m.choices.Models[i].Why)
	}
	for _, of := range []int{m.model, i} {
		if err := m.choices.Models[of].AnswersBeside(); err != nil {
			return nil, err
		}
	}
	return &m.choices.Models[i].Model, nil
}

// rivals returns the names of the models that can answer beside the chosen one, after "" for none.
func (m *Model) rivals() []string {
	names := []string{""}
	for i, c := range m.choices.Models {
		if i != m.model && c.AnswersBeside() == nil {
			names = append(names, c.Name)
		}
	}
	return names
}

// stratify reads the fields to stratify by.
func (m *Model) stratify() ([]string, error) {
	var fields []string
	for _, name := range strings.Split(m.inputs[rowStratify].Value(), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			fields = append(fields, name)
		}
	}
	_, err := benchmark.Draw(nil, 0, 1, 0, fields...) // with no tasks, to check the fields
	return fields, err
}

// draw starts to count the tasks of the session, once the filter is settled: together they would
// slow down keys on a small machine.
func (m *Model) draw() tea.Cmd {
	if !m.filter.Settled() {
		return nil
	}
	c, _ := m.choice()
	key := drawing{c.Benchmark, c.Filter, c.Tasks, c.Sets, strings.Join(c.Stratify, ","), c.Seed, c.Practice}
	return m.drawn.Ask(key, func(context.Context) outcome {
		tasks, practice, err := c.Drawn()
		return outcome{len(tasks), len(practice), mixOf(tasks), err}
	})
}

// Update moves between the rows and changes them.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return tea.Batch(m.update(msg), m.draw()) }

func (m *Model) update(msg tea.Msg) tea.Cmd {
	if cmd, taken := m.drawn.Take(msg); taken {
		return cmd
	}
	if cmd, taken := m.pick.offers.Take(msg); taken {
		_, offers, _ := m.pick.offers.Last()
		if m.pick.list.Set(offers); m.pick.offers.Settled() {
			cmd = tea.Batch(cmd, m.release())
		}
		return cmd
	}
	switch msg := msg.(type) {
	case frame.ShownMsg:
		return tea.Batch(m.filter.Resume(), m.drawn.Resume(), m.pick.offers.Resume())
	case loadedMsg:
		return m.tookFile(msg)
	case begunMsg:
		if msg.err != nil {
			m.starting = false
			m.trouble = msg.err.Error()
			return nil
		}
		m.begun = true
		return frame.OpenOverHome(work.New(msg.eng, m.opts))
	case tea.KeyPressMsg:
		m.trouble = ""
		return m.key(msg)
	case tea.PasteMsg:
		return m.edit(msg)
	default:
		cmd, _ := m.filter.Update(msg)
		return cmd
	}
}
