// Package idle keeps screens that nobody touches from using the processor. Bubble Tea looks
// for something to draw sixty times a second, whether anything was drawn or not: an hour in
// front of a task costs more than the work in it. Here it looks that often only for a second
// after each message. It owns nothing else; cmd/cli and tui/serve make their programs by it.
package idle

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

const (
	awake  = time.Second / 60 // between two looks, as Bubble Tea has it
	asleep = 10 * time.Second
	rest   = time.Second // without a message, until it falls asleep
)

// NewProgram is tea.NewProgram for screens that may be left alone.
func NewProgram(model tea.Model, options ...tea.ProgramOption) *tea.Program {
	p, _ := newProgram(model, options...)
	return p
}

func newProgram(model tea.Model, options ...tea.ProgramOption) (*tea.Program, *sleeper) {
	s := &sleeper{}
	p := tea.NewProgram(watched{model, s}, options...)
	s.ticker = func() *time.Ticker { return tickerOf(p) }
	return p, s
}

// watched is a model that wakes its program before and after whatever may change the screen.
type watched struct {
	tea.Model
	s *sleeper
}

// Update implements tea.Model.
func (m watched) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.s.wake()
	next, cmd := m.Model.Update(msg)
	return watched{next, m.s}, cmd
}

// View implements tea.Model.
func (m watched) View() tea.View {
	defer m.s.wake() // what is drawn is put out by the next look
	return m.Model.View()
}

// sleeper slows a program's looks down.
type sleeper struct {
	ticker func() *time.Ticker // called by the program's own goroutine alone

	mu    sync.Mutex
	on    *time.Ticker
	last  time.Time
	timer *time.Timer // runs while it is awake
}

// wake has the program look often for a while.
func (s *sleeper) wake() {
	ticker := s.ticker()
	if ticker == nil {
		return // it does not look yet, or cannot be slowed down
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on, s.last = ticker, time.Now()
	if s.timer == nil {
		ticker.Reset(awake)
		s.timer = time.AfterFunc(rest, s.sleep)
	}
}

// sleep has the program look rarely, unless something happened meanwhile.
func (s *sleeper) sleep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if left := rest - time.Since(s.last); left > 0 {
		s.timer.Reset(left)
		return
	}
	s.timer = nil
	s.on.Reset(asleep)
}

// tickerOf is what a program looks by, nil before it runs. Bubble Tea gives no other access
// to it; where another version keeps it elsewhere, nothing is slowed down, and a test fails.
func tickerOf(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return *(**time.Ticker)(unsafe.Pointer(field.UnsafeAddr()))
}
