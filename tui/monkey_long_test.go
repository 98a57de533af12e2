package tui_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/session/report"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/replay"
	"assay/tui/results"
	"assay/tui/tasks"
	"assay/tui/work"
)

// TestMonkey gives the whole program random keys, mouse, pastes, sizes, focus and time,
// with failing models and a failing disk, under every rule of a study, and kills it now
// and then. No panic, nothing outside the terminal, no event lost, no draft lost, and
// every log replays to the state that was on the screen. ASSAY_MONKEY is how many inputs
// there are, ASSAY_MONKEY_SEED where they begin.
func TestMonkey(t *testing.T) {
	inputs, seed := 6000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("ASSAY_MONKEY")); err == nil {
		inputs, seed = n, uint64(time.Now().UnixNano())
	}
	if n, err := strconv.ParseUint(os.Getenv("ASSAY_MONKEY_SEED"), 10, 64); err == nil {
		seed = n
	}
	total := tally{}
	began := time.Now()
	for episode := uint64(0); total["inputs"] < inputs; episode++ {
		m := newMonkey(t, seed+episode)
		m.play(min(600, inputs-total["inputs"]))
		for what, n := range m.did {
			total[what] += n
		}
		total["episodes"]++
	}
	t.Logf("seed %d, %.0f s: %v", seed, time.Since(began).Seconds(), total)
}

// tally counts what happened.
type tally map[string]int

// monkey is somebody who plays with the program.
type monkey struct {
	*driver
	r       *rand.Rand
	seed    uint64
	size    frame.Size
	world   *world
	process *process
	did     tally
	last    []string // what it did last
}

// world is what outlives a process: the store, the clock, the model.
type world struct {
	rig *enginetest.Rig
	ids []string // of the sessions in the store
}

// process is the library of one life of the program. Its sessions are real, and their
// store is in memory.
type process struct {
	shelf
	*world
	mu    sync.Mutex
	r     *rand.Rand
	ended bool
	live  *engine.Engine // that was opened last
	ticks chan time.Time
}

func newMonkey(t *testing.T, seed uint64) *monkey {
	m := &monkey{
		r: rand.New(rand.NewPCG(seed, 7)), seed: seed, did: tally{}, size: frame.Size{Width: 80, Height: 24},
		world: &world{rig: &enginetest.Rig{Clock: enginetest.NewClock(), Store: enginetest.NewStore(), Client: &enginetest.Client{}}},
	}
	m.driver = &driver{t: t, end: make(chan struct{})}
	return m
}

// fail ends the test, and says how to come here again.
func (m *monkey) fail(format string, args ...any) {
	m.t.Helper()
	m.t.Fatalf("ASSAY_MONKEY_SEED=%d after %s\n%s", m.seed, strings.Join(m.last, " · "), fmt.Sprintf(format, args...))
}

// play is one episode: some inputs, over several lives of the program.
func (m *monkey) play(inputs int) {
	defer func() {
		if p := recover(); p != nil {
			m.t.Errorf("ASSAY_MONKEY_SEED=%d panicked after %s", m.seed, strings.Join(m.last, " · "))
			panic(p)
		}
	}()
	m.start(m.first)
	for range inputs {
		m.did["inputs"]++
		m.act()
		m.idle()
		switch {
		case m.quit:
			m.did["left"]++
			m.over()
			m.start(m.first)
		case m.r.IntN(150) == 0:
			m.crash()
		default:
			m.look()
		}
	}
	m.leave()
	m.over()
	close(m.end)
	for _, id := range m.world.ids {
		for _, e := range m.events(id) {
			m.did["event "+string(e.Payload.Kind())]++
		}
	}
}

// start begins another life of the program.
func (m *monkey) start(first func() frame.Screen) {
	close(m.end)
	m.process = &process{world: m.world, r: rand.New(rand.NewPCG(m.r.Uint64(), 8)), ticks: make(chan time.Time, 1)}
	m.driver = &driver{t: m.t, app: tui.New(first(), m.r.IntN(2) == 0), msgs: make(chan tea.Msg, 1024), end: make(chan struct{})}
	m.use(oneOf(m.r, []string{
		"", "", "mouse = true\nclock = true\n", "theme = \"high-contrast\"\n",
		"[keys.review]\ny = \"s\"\nr = \"y\"\nesc = \"x\"\n[keys.compose]\n\"ctrl+s\" = \"f8\"\n\"ctrl+t\" = \"ctrl+s\"\n[keys.rating]\n\"1\" = \"y\"\nenter = \"r\"\n",
	}))
	m.send(tea.WindowSizeMsg{Width: m.size.Width, Height: m.size.Height})
	m.run(m.app.Init())
}

// first is the screen that a life begins with: a session, home, the browser of tasks or a replay.
func (m *monkey) first() frame.Screen {
	switch p := m.process; m.r.IntN(10) {
	case 0:
		return tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{library(), enginetest.Benchmark(5)}, Scenarios: &kept{}, Reference: true})
	case 1, 2, 3, 4, 5:
		if list := p.states(); len(list) > 2 {
			if s := oneOf(m.r, list); s.Closed == "" {
				eng, err := p.Continue(context.Background(), s.Session)
				if err != nil {
					m.fail("a session is not continued: %v", err)
				}
				return work.New(eng, p.Work())
			}
		}
		eng, err := p.Begin(context.Background(), session.Choice{Benchmark: enginetest.Benchmark(3), Seed: 1, K: 1 + m.r.IntN(3), Model: session.Model{Name: "scripted", Provider: oneOf(m.r, []string{"openai", "openai", "paste"})}})
		if err != nil {
			m.fail("a session does not begin: %v", err)
		}
		return work.New(eng, p.Work())
	case 6:
		if len(p.ids) == 0 {
			break
		}
		screen, err := replay.New(m.events(oneOf(m.r, p.ids)), p.world.rig.Store.Blob, 1)
		if err != nil {
			m.fail("a log is not played: %v", err)
		}
		return screen
	}
	return home.New(m.process, noon)
}

// act does one thing.
func (m *monkey) act() {
	p := m.process
	switch kind := m.r.IntN(100); {
	case kind < 35:
		m.offered()
	case kind < 48:
		m.key(oneOf(m.r, keyNames))
	case kind < 75:
		m.further()
	case kind < 82:
		m.key(oneOf(m.r, []string{"a", "0", "?", "é", "한", "🙂", "א", " ", "two words", "difficulty:", "\"", "-", "/", "x y z"}))
	case kind < 84:
		m.resize()
	case kind < 87:
		m.paste()
	case kind < 90:
		m.mouse()
	case kind < 91:
		m.did["focus"]++
		m.send(oneOf(m.r, []tea.Msg{tea.BlurMsg{}, tea.FocusMsg{}}))
	case kind < 93:
		p.world.rig.Clock.Advance(m.r.Int64N(3000))
		select {
		case p.ticks <- noon():
		default:
		}
	case kind < 94:
		p.world.rig.Clock.Sleep(m.r.Int64N(10_000))
	case kind < 96:
		m.fault()
	case kind < 97 && m.r.IntN(4) == 0:
		m.key("ctrl+c")
	default:
		m.breathe()
	}
}

// keyNames are all keys but those that start another program and that end this one.
var keyNames = slices.DeleteFunc(slices.Sorted(maps.Keys(namedKeys)), func(n string) bool { return n == "ctrl+o" || n == "ctrl+c" })

// further does what leads on.
func (m *monkey) further() {
	if m.size.TooSmall() {
		if m.r.IntN(3) == 0 {
			m.resize()
		}
		return
	}
	switch m.app.Page().Scope {
	case frame.ScopeHome:
		m.key(oneOf(m.r, []string{"enter", "enter", "n", "up", "down", "r"}))
	case frame.ScopeCompose:
		m.key(oneOf(m.r, []string{"double it", "ctrl+s", "f8"})) // f8 where it has been given the meaning of ctrl+s
	case frame.ScopeWaiting:
		m.breathe()
	case frame.ScopeReview:
		m.key(oneOf(m.r, []string{"y", "r", "s", "1", "2", "3", "4"}))
	case frame.ScopeRating:
		m.key(oneOf(m.r, []string{"1", "2", "3", "4", "5", "5", "y", "n", "c", "o", "enter"}))
	default:
		m.key(oneOf(m.r, []string{"enter", "enter", "y", "space", "b", "esc"}))
	}
}

// offered presses a key of the legend.
func (m *monkey) offered() {
	if m.size.TooSmall() {
		return
	}
	keys := m.app.Page().Keys
	if len(keys) == 0 {
		return
	}
	names := strings.Fields(oneOf(m.r, keys).Press)
	if len(names) == 0 {
		return
	}
	name := oneOf(m.r, names)
	switch from, to, is := strings.Cut(name, "-"); {
	case is && len(from) == 1 && len(to) == 1:
		name = string(rune(from[0]) + m.r.Int32N(int32(to[0])-int32(from[0])+1))
	case name == "↑↓":
		name = oneOf(m.r, []string{"up", "down"})
	case name == "←→":
		name = oneOf(m.r, []string{"left", "right"})
	case name == "pgdn":
		name = "pgdown"
	}
	if name == "ctrl+o" {
		return
	}
	m.key(name)
}

// key presses a key, or types a text.
func (m *monkey) key(name string) {
	if (name == "q" || name == "esc") && m.r.IntN(6) > 0 && !m.size.TooSmall() && m.app.Page().Scope == frame.ScopeHome {
		return // it would leave too often to get anywhere
	}
	m.did["keys"]++
	m.note(name)
	if press, err := frame.KeyNamed(name); err == nil {
		m.send(press)
		return
	}
	m.press(name)
}

// note remembers what was done.
func (m *monkey) note(what string) {
	if len(m.last) > 60 {
		m.last = m.last[1:]
	}
	m.last = append(m.last, what)
}

func (m *monkey) resize() {
	m.did["resizes"]++
	m.size = oneOf(m.r, []frame.Size{
		{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 120, Height: 40}, {Width: 200, Height: 60},
		{Width: 1 + m.r.IntN(60), Height: 1 + m.r.IntN(20)}, {Width: 60 + m.r.IntN(150), Height: 20 + m.r.IntN(50)},
	})
	m.note(fmt.Sprintf("%d×%d", m.size.Width, m.size.Height))
	m.send(tea.WindowSizeMsg{Width: m.size.Width, Height: m.size.Height})
}

func (m *monkey) paste() {
	m.did["pastes"]++
	text := oneOf(m.r, []string{
		"", "pasted", "a\nb\r\nc\td", "\x1b[2J\x1b]0;x\x07\x1b]52;c;aGk=\x07", "שלום (123) abc", "👩‍👩‍👧 e\u0301 \u200b\u202e", "\xff\xfe", strings.Repeat("long ", 300),
		"```python\ndef double(n):\n    return 2 * n\n```", strings.Repeat("x", 1+m.r.IntN(3000)),
	})
	if m.r.IntN(60) == 0 {
		text = strings.Repeat("a line of a long paste\n", 4500) // 100 KB
	}
	m.note("paste " + strconv.Quote(text[:min(len(text), 20)]))
	m.send(tea.PasteMsg{Content: text})
}

func (m *monkey) mouse() {
	m.did["mouse"]++
	x, y := m.r.IntN(m.size.Width+10), m.r.IntN(m.size.Height+10)
	m.note(fmt.Sprintf("mouse %d,%d", x, y))
	switch button := oneOf(m.r, []tea.MouseButton{tea.MouseLeft, tea.MouseLeft, tea.MouseRight, tea.MouseWheelUp, tea.MouseWheelDown}); button {
	case tea.MouseLeft, tea.MouseRight:
		m.send(tea.MouseClickMsg{X: x, Y: y, Button: button})
		m.send(tea.MouseReleaseMsg{X: x, Y: y, Button: button})
	default:
		m.send(tea.MouseWheelMsg{X: x, Y: y, Button: button})
	}
}

// fault makes the next answers what models are like, or fills the disk for a while.
func (m *monkey) fault() {
	m.did["faults"]++
	client := m.world.rig.Client
	switch m.r.IntN(6) {
	case 0:
		m.note("full disk")
		m.world.rig.Store.Fail(errors.New("no space left on device"))
		for range 5 {
			m.offered()
			m.idle()
		}
		m.world.rig.Store.Fail(nil)
		m.note("room again")
	case 1:
		client.Fail(&llm.Error{Class: llm.Unreachable, Message: "refused\x1b[2J", Advice: "is it running?"})
	case 2:
		client.Fail(&llm.Error{Class: llm.CutOff, Message: "cut off", Partial: "half an ans"})
	case 3:
		client.Fail(&llm.Error{Class: llm.RateLimited, Message: strings.Repeat("slow down ", 50)})
	case 4:
		client.Say(strings.Repeat("```python\ndef double(n):\n    return n # \x1b[31mwrong\n```\n\n# Head\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", 1+m.r.IntN(40)))
	case 5:
		client.Say(oneOf(m.r, []string{"", "no code", "```", plottingAnswer, "\xff", strings.Repeat("word ", 20_000), "אבג **fett** 한국어\n\n- 1\n  - 2\n"}))
	}
}

// breathe lets what is under way go on for a moment.
func (m *monkey) breathe() {
	for range 3 {
		m.world.rig.Client.Say(oneOf(m.r, []string{rightAnswer, rightAnswer, wrongAnswer, plottingAnswer, "no code"}))
	}
	pause := time.NewTimer(3 * time.Millisecond)
	defer pause.Stop()
	for {
		select {
		case msg := <-m.msgs:
			m.send(msg)
		case <-pause.C:
			return
		}
	}
}

// fileLinks are assay's own links, to files and with nothing else in them.
var fileLinks = regexp.MustCompile(`\x1b\]8;;(file:///[A-Za-z0-9/._~%$&+,:=@-]+)?\x07`)

// look checks what is drawn.
func (m *monkey) look() {
	content := fileLinks.ReplaceAllString(m.app.View().Content, "")
	for _, bad := range []string{"\x1b[2J", "\x1b]", "\x07", "\xff"} {
		if strings.Contains(content, bad) {
			m.fail("%q reaches the terminal", bad)
		}
	}
	if m.size.TooSmall() {
		return
	}
	rows := strings.Split(m.screen(), "\n")
	if len(rows) > m.size.Height {
		m.fail("%d rows at %d×%d:\n%s", len(rows), m.size.Width, m.size.Height, m.screen())
	}
	for i, row := range rows {
		if frame.Width(row) > m.size.Width {
			m.fail("row %d is wider than %d×%d: %q", i+1, m.size.Width, m.size.Height, row)
		}
	}
}

// crash kills the program, and looks whether everything that was acknowledged is there.
func (m *monkey) crash() {
	m.did["kills"]++
	word := ""
	if m.r.IntN(5) == 0 {
		word = m.draft()
	}
	m.note("kill")
	live := m.process.opened()
	m.died()
	m.leave() // what is left of the process ends
	m.world.rig.Clock.Restart(m.r.Int64N(100_000))
	if word == "" {
		m.start(m.first)
		return
	}
	m.size = frame.Size{Width: 80, Height: 24}
	m.start(func() frame.Screen {
		eng, err := m.process.Continue(context.Background(), live.State().Session)
		if err != nil {
			m.fail("the session is not continued: %v", err)
		}
		return work.New(eng, m.process.Work())
	})
	m.until("the draft with "+word, func(screen string) bool { return strings.Contains(screen, word) })
	m.did["drafts found again"]++
}

// over is the end of a process that was left.
func (m *monkey) over() {
	m.died()
	m.did["logs replayed"] += len(m.world.ids)
	for _, id := range m.world.ids {
		events := m.events(id)
		if err := session.VerifyChain(events); err != nil {
			m.fail("the log of %s: %v", id, err)
		}
		if _, err := session.Replay(events); err != nil {
			m.fail("the log of %s: %v", id, err)
		}
	}
}

// died ends what the process does, and compares what was acknowledged with the log.
func (m *monkey) died() {
	p := m.process
	p.mu.Lock()
	p.ended = true
	var acknowledged *session.State
	if p.live != nil {
		acknowledged = p.live.State()
	}
	p.world.rig.Kill()
	p.mu.Unlock()
	p.world.rig.Bury()
	if acknowledged == nil {
		return
	}
	events := m.events(acknowledged.Session)
	if uint64(len(events)) < acknowledged.Seq {
		m.fail("%d events were acknowledged, and %d are in the log", acknowledged.Seq, len(events))
	}
	again, err := session.Replay(events[:acknowledged.Seq])
	if err != nil {
		m.fail("the log does not replay: %v", err)
	}
	m.did["states compared"]++
	if !reflect.DeepEqual(again, acknowledged) {
		m.fail("the log replays to another state:\n%s\n%s", jsonOf(again), jsonOf(acknowledged))
	}
}

// leave ends the program by its keys.
func (m *monkey) leave() {
	if !m.quit {
		m.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		m.press("ctrl+c", "ctrl+c", "y").until("its end", func(screen string) bool {
			if strings.Contains(screen, "Not saved") {
				m.press("y") // the process is gone, and with it the store
			}
			return m.quit
		})
	}
}

// draft types a word where a prompt is written, and waits until it is saved.
func (m *monkey) draft() string {
	live := m.process.opened()
	if live == nil || m.size.TooSmall() || m.app.Page().Scope != frame.ScopeCompose {
		return ""
	}
	if s := live.State(); s.Paused != "" || s.Phase != session.Compose && s.Phase != session.Read {
		return ""
	}
	word := fmt.Sprintf("word%d", m.did["kills"])
	m.note(word)
	for _, r := range word { // none of them is a key
		m.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	deadline := time.NewTimer(2 * time.Second) // a list over the editor may have taken the word
	defer deadline.Stop()
	for {
		if task := live.State().Task(); task != nil && strings.HasSuffix(task.Draft(), word) {
			return word
		}
		select {
		case msg := <-m.msgs:
			m.send(msg)
		case <-deadline.C:
			return ""
		}
	}
}

// events is the log of a session.
func (m *monkey) events(id string) []session.Event {
	events, err := m.world.rig.Store.Events(id, 1)
	if err != nil || len(events) == 0 {
		m.fail("the log of %s has %d events: %v", id, len(events), err)
	}
	return events
}

func oneOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// opened is the session that was opened last.
func (p *process) opened() *engine.Engine {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live
}

var errEnded = errors.New("the process has ended")

// Begin opens a session by the choice, with the rules of a study.
func (p *process) Begin(ctx context.Context, c session.Choice) (*engine.Engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil, errEnded
	}
	rule(&c, p.r)
	plan, list, err := c.Plan()
	if err != nil {
		return nil, err
	}
	id := fmt.Sprintf("01JMONKEY%06d", len(p.ids))
	eng, err := engine.Begin(ctx, p.world.rig.Config(), session.Opened{Session: id, Plan: plan}, list)
	if err == nil {
		p.ids, p.live = append(p.ids, id), eng
	}
	return eng, err
}

// rule adds the rules of a study at random; in one of three sessions, all of them.
func rule(c *session.Choice, r *rand.Rand) {
	all := r.IntN(3) == 0
	for _, add := range []func(){
		func() { c.Practice, c.Gate = true, &session.Gate{Needs: session.GateAccepted, Repeats: 1} },
		func() { c.Breaks = &session.Breaks{Tasks: 1, MS: 2000, Forced: r.IntN(2) == 0} },
		func() {
			c.Survey = []session.Question{{ID: "years", Text: "For how long?", Choices: []string{"a year", "longer"}}, {ID: "remarks", Text: "What else?", Optional: true}}
		},
		func() { c.Checks = map[int]session.Check{1: {Text: "Please choose 2 here", Score: 2}} },
		func() {
			c.Labels = []session.Label{{ID: "use", Name: "Use it?", Values: []string{"yes", "no", "not yet"}}, {ID: "why", Name: "Why not?", Values: []string{"unsafe", "slow"}, WhenNotSatisfied: true}}
		},
		func() {
			c.Attributes = []session.Attribute{{ID: "trust", Name: "Trust", Meaning: "would you run it", Points: 7, Low: "never", High: "always"}, {ID: "style", Name: "Style", Points: 7}}
		},
		func() { c.Suffix = "Explain it." },
		func() { c.Clock = session.ClockShown },
		func() { c.Tests = oneOf(r, []session.TestsSeen{session.SeeNothing, session.SeeVerdict}) },
		func() {
			c.Study = &session.InStudy{Name: "Two models", Shown: "Model A", Instructions: "Judge each answer.", Consent: strings.Repeat("What you agree to.\n", 1+r.IntN(40)), ConsentVersion: "1"}
		},
		func() { c.IdleMS = 4000 },
		func() { c.Resume = &session.Resume{WithinMS: 50_000} },
		func() { c.Context = session.Fresh },
		func() { c.Level = 1 + r.IntN(3) },
	} {
		if all || r.IntN(3) == 0 {
			add()
		}
	}
}

// Continue reopens a session.
func (p *process) Continue(_ context.Context, id string) (*engine.Engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil, errEnded
	}
	eng, err := engine.Reopen(context.Background(), p.world.rig.Config(), id)
	if err == nil {
		p.live = eng
	}
	return eng, err
}

// states are the sessions, the latest first.
func (p *process) states() []*session.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*session.State
	for _, id := range slices.Backward(p.ids) {
		if events, err := p.world.rig.Store.Events(id, 1); err == nil {
			if s, err := session.Replay(events); err == nil {
				list = append(list, s)
			}
		}
	}
	return list
}

func status(s *session.State) string {
	if s.Closed == "" {
		return "open"
	}
	return s.Closed
}

func (p *process) Sessions(context.Context) ([]results.Session, error) {
	var list []results.Session
	for _, s := range p.states() {
		list = append(list, results.Session{ID: s.Session, Benchmark: s.Plan.Benchmark, Model: s.Plan.ModelShown(), Progress: s.Progress(), Last: noon(), Status: status(s)})
	}
	return list, nil
}

// monkeyArchive is what the browser of results reads: the logs as they are.
type monkeyArchive struct{ p *process }

func (a monkeyArchive) Sessions(context.Context) ([]results.Session, error) {
	var list []results.Session
	for _, s := range a.p.states() {
		list = append(list, results.Session{ID: s.Session, Benchmark: s.Plan.Benchmark, Model: s.Plan.ModelShown(), Progress: s.Progress(), Last: noon(), Status: status(s), Events: s.Seq})
	}
	return list, nil
}

func (a monkeyArchive) Open(_ context.Context, id string) (results.Opened, error) {
	events, err := a.p.world.rig.Store.Events(id, 1)
	if err != nil {
		return results.Opened{}, err
	}
	return openLog(a.p.world.rig.Store, events)
}

func (a monkeyArchive) WriteReport(context.Context, string) (string, error) { return "report.md", nil }

func (p *process) Results(context.Context) (results.Options, error) {
	return results.Options{Library: monkeyArchive{p}, Work: p.Work()}, nil
}

// Work is what sessions need.
func (p *process) Work() work.Options {
	archive := monkeyArchive{p}
	return work.Options{
		Ticks: p.ticks, Report: archive.WriteReport,
		Results: func(ctx context.Context, id string) (*report.Report, error) {
			opened, err := archive.Open(ctx, id)
			return opened.Report, err
		},
		Look: func(_ context.Context, id string) (frame.Screen, error) {
			return results.NewScreen(results.Options{Library: archive, Work: work.Options{}}, id), nil
		},
	}
}
