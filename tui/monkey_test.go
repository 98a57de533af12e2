package tui_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/benchmark"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/replay"
	"assay/tui/tasks"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// TestMonkey gives the whole program random keys, mouse, pastes, sizes, focus and time, with
// every kind of model, a full disk, and a store that is deleted under it, under every rule of
// a study, and kills it now and then. Nothing panics, nothing acknowledged is lost, every log
// replays to the state that was on the screen, and the screen is held against the state after
// each input (monkey_look_test.go). ASSAY_MONKEY is the number of inputs, ASSAY_MONKEY_SEED
// the seed of the first episode.
func TestMonkey(t *testing.T) {
	inputs, seed := 3000, uint64(1)
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
	*tuitest.Driver
	r       *rand.Rand
	seed    uint64
	size    frame.Size
	world   *world
	process *process
	did     tally
	last    []string // what it did last
	shown   string   // the screen at the last look
}

func newMonkey(t *testing.T, seed uint64) *monkey {
	m := &monkey{r: rand.New(rand.NewPCG(seed, 7)), seed: seed, did: tally{}, size: frame.Size{Width: 80, Height: 24}}
	m.world = &world{
		rig:  &enginetest.Rig{Clock: enginetest.NewClock(), Store: enginetest.NewStore(), Client: &enginetest.Client{}},
		beat: make(chan struct{}),
	}
	m.world.disk = memory{m.world.rig.Store}
	if m.r.IntN(6) == 0 {
		m.did["episodes with files"]++
		m.world.disk = openFiles(t)
	}
	m.world.rig.Disk = m.world.disk
	m.Driver = tuitest.New(t, nil)
	return m
}

// fail ends the test, and says how to come here again.
func (m *monkey) fail(format string, args ...any) {
	m.T.Helper()
	stands := "no session is open"
	if live := m.process.opened(); live != nil {
		s := live.State()
		stands = fmt.Sprintf("%s %s: %s, paused %q, %q", s.Session, s.Plan.Model.Name, s.Phase, s.Paused, live.Trouble())
	}
	m.T.Fatalf("ASSAY_MONKEY_SEED=%d after %s\n%s\n%s", m.seed, strings.Join(m.last, " · "), stands, fmt.Sprintf(format, args...))
}

// play is one episode: some inputs, over several lives of the program.
func (m *monkey) play(inputs int) {
	defer func() {
		if p := recover(); p != nil {
			m.T.Errorf("ASSAY_MONKEY_SEED=%d panicked after %s", m.seed, strings.Join(m.last, " · "))
			panic(p)
		}
	}()
	m.start(m.first)
	for range inputs {
		m.did["inputs"]++
		m.act()
		m.Idle()
		switch {
		case m.Quit:
			m.did["left"]++
			m.over()
			m.start(m.first)
		case m.r.IntN(200) == 0:
			m.crash()
		default:
			m.look()
		}
	}
	m.leave()
	m.over()
	close(m.End)
	for _, id := range m.world.ids {
		for _, e := range m.events(id) {
			m.did["event "+string(e.Payload.Kind())]++
		}
	}
}

// start begins another life of the program.
func (m *monkey) start(first func() frame.Screen) {
	close(m.End)
	m.process = &process{world: m.world, r: rand.New(rand.NewPCG(m.r.Uint64(), 8)), ticks: make(chan time.Time, 1), clipboard: llm.NewPaste("paste")}
	m.Driver = tuitest.New(m.T, tui.New(first(), m.r.IntN(2) == 0))
	m.App.Own(m.process.rescue, func() tea.Msg { return nil })
	m.Use(oneOf(m.r, []string{
		"", "", "mouse = true\nclock = true\n", "theme = \"high-contrast\"\n",
		"[keys.review]\ny = \"s\"\nr = \"y\"\nesc = \"x\"\n[keys.compose]\n\"ctrl+s\" = \"f8\"\n\"ctrl+t\" = \"ctrl+s\"\n[keys.rating]\n\"1\" = \"y\"\nenter = \"r\"\n",
	}))
	m.Send(tea.WindowSizeMsg{Width: m.size.Width, Height: m.size.Height})
	m.Run(m.App.Init())
}

// first is the screen that a life begins with: a session, home, the browser of tasks or a replay.
func (m *monkey) first() frame.Screen {
	switch p := m.process; m.r.IntN(12) {
	case 0:
		return tasks.New(tasks.Options{Benchmarks: []*benchmark.Benchmark{tuitest.Library(), enginetest.Benchmark(5)}, SavedFilters: &tuitest.Kept{}})
	case 1:
		if len(p.ids) == 0 {
			break
		}
		screen, err := replay.New(m.events(oneOf(m.r, p.ids)), p.disk.Blob, 1)
		if err != nil {
			m.fail("a log is not played: %v", err)
		}
		return screen
	case 2:
	default:
		if list := p.states(); len(list) > 2 {
			if s := oneOf(m.r, list); s.Closed == "" {
				return m.continued(s.Session)
			}
		}
		eng, err := p.Begin(context.Background(), session.Choice{Benchmark: posing(3), Seed: 1, K: 1 + m.r.IntN(4), Model: oneOf(m.r, everyModel())})
		if err != nil {
			m.fail("a session does not begin: %v", err)
		}
		return work.New(eng, p.Work())
	}
	return home.New(m.process, tuitest.Noon)
}

// continued is the screen of a session that is reopened.
func (m *monkey) continued(id string) frame.Screen {
	eng, err := m.process.Continue(context.Background(), id)
	if err != nil {
		m.fail("a session is not continued: %v", err)
	}
	return work.New(eng, m.process.Work())
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
	m.start(func() frame.Screen { return m.continued(live.State().Session) })
	m.Until("the draft with "+word, func(screen string) bool { return strings.Contains(screen, word) })
	m.did["drafts found again"]++
}

// over is the end of a process that was left.
func (m *monkey) over() {
	m.died()
	m.did["logs replayed"] += len(m.world.ids)
	for _, id := range m.world.ids {
		events := m.events(id)
		if err := enginetest.Verify(events); err != nil {
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
	if err := m.world.disk.reopen(); err != nil {
		m.fail("the store is not opened again: %v", err)
	}
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
		m.fail("the log replays to another state:\n%s\n%s", tuitest.JSONOf(again), tuitest.JSONOf(acknowledged))
	}
}

// leave ends the program by its keys.
func (m *monkey) leave() {
	if !m.Quit {
		m.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		m.Press("ctrl+c", "ctrl+c", "y").Until("its end", func(screen string) bool {
			if strings.Contains(screen, "Not saved") {
				m.Press("y") // the process is gone, and with it the store
			}
			return m.Quit
		})
	}
}

// draft types a word where a prompt is written, and waits until it is saved.
func (m *monkey) draft() string {
	live := m.process.opened()
	if live == nil || m.size.TooSmall() || m.covered() || !m.composing() || !m.offers("send") {
		return ""
	}
	word := fmt.Sprintf("word%d", m.did["kills"])
	m.note(word)
	for _, r := range word { // none of them is a key
		m.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	saved := m.wait(2*time.Second, func() bool {
		task := live.State().Task()
		return task != nil && strings.HasSuffix(task.Draft(), word)
	})
	if !saved {
		return ""
	}
	return word
}

// wait handles messages until something is reached, and reports whether it was in time.
func (m *monkey) wait(most time.Duration, reached func() bool) bool {
	deadline := time.NewTimer(most)
	defer deadline.Stop()
	for !reached() {
		select {
		case msg := <-m.Msgs:
			m.Send(msg)
		case <-deadline.C:
			return false
		}
	}
	return true
}

// events is the log of a session.
func (m *monkey) events(id string) []session.Event {
	events, err := m.world.disk.Events(id, 1)
	if err != nil || len(events) == 0 {
		m.fail("the log of %s has %d events: %v", id, len(events), err)
	}
	return events
}

func oneOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
