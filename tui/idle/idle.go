// Package idle decides when a program looks for something to draw. Bubble Tea looks sixty
// times a second, whether anything was drawn or not: an hour in front of a task costs more
// than the work in it, and what a key changed waits up to 17 ms. Here a program looks at once
// when its screen was still, sixty times a second while it changes, and rarely after a second
// without a change. Before it knows the size of its terminal it draws nothing: Bubble Tea would
// draw an empty frame, and clear the screen again for the first real one. The package owns
// nothing else; cmd/cli and tui/serve make their programs by it.
package idle

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

const (
	soon   = time.Millisecond // from a change of what was still to the look
	awake  = time.Second / 60 // between two looks, as Bubble Tea has it
	asleep = 10 * time.Second
	rest   = time.Second // without a change, until it falls asleep
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

// watched is a model that wakes its program when the screen may have changed.
type watched struct {
	tea.Model
	s *sleeper
}

// Update implements tea.Model.
func (m watched) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, is := msg.(tea.WindowSizeMsg); is {
		m.s.mu.Lock()
		m.s.sized = true
		m.s.mu.Unlock()
	}
	next, cmd := m.Model.Update(msg)
	return watched{next, m.s}, cmd
}

// View implements tea.Model. Bubble Tea calls it after each Update.
func (m watched) View() tea.View {
	defer m.s.wake() // the next look shows what is returned
	return m.Model.View()
}

// sleeper sets how often a program looks.
type sleeper struct {
	ticker func() *time.Ticker // called by the program's own goroutine alone

	mu    sync.Mutex
	sized bool // the program knows the size of its terminal
	on    *time.Ticker
	pace  time.Duration // between two looks: soon, awake or asleep
	last  time.Time     // when the screen was drawn last
	timer *time.Timer   // slows the looks down
}

// wake has the program look soon if the screen was still, and often for a while.
func (s *sleeper) wake() {
	ticker := s.ticker()
	if ticker == nil {
		return // it does not look yet, or cannot be slowed down
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	still := time.Since(s.last) >= awake
	s.on = ticker
	if !s.sized {
		s.look(asleep)
		return
	}
	s.last = time.Now()
	if !still {
		return
	}
	s.look(soon)
	if s.timer == nil {
		s.timer = time.AfterFunc(4*soon, s.slow)
	}
	s.timer.Reset(4 * soon)
}

// slow has the program look less often: at Bubble Tea's rate while the screen changes, and
// rarely after that.
func (s *sleeper) slow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := rest - time.Since(s.last)
	switch {
	case left <= 0:
		s.look(asleep)
		return
	case s.pace == soon:
		s.look(awake)
	}
	s.timer.Reset(left)
}

func (s *sleeper) look(pace time.Duration) {
	s.pace = pace
	s.on.Reset(pace)
}

// tickerOf returns what a program looks by, nil before it runs. Bubble Tea gives no other access
// to it; where another version keeps it elsewhere, nothing is slowed down, and a test fails.
func tickerOf(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return *(**time.Ticker)(unsafe.Pointer(field.UnsafeAddr()))
}
