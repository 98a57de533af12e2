package idle

import (
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
)

// page shows the last text that it was sent.
type page struct{ text string }

func (p page) Init() tea.Cmd { return nil }

func (p page) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if text, is := msg.(string); is {
		p.text = text
	}
	return p, nil
}

func (p page) View() tea.View { return tea.NewView(p.text) }

// screen is a terminal that is waited for.
type screen struct {
	mu      sync.Mutex
	written strings.Builder
	changed chan struct{}
}

func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return s.written.Write(text)
}

func (s *screen) shows(t *testing.T, text string) {
	t.Helper()
	late := time.After(30 * time.Second)
	for {
		s.mu.Lock()
		there := strings.Contains(s.written.String(), text)
		s.mu.Unlock()
		if there {
			return
		}
		select {
		case <-s.changed:
		case <-late:
			t.Fatalf("%q is not shown", text)
		}
	}
}

// A program falls asleep when nothing happens, and shows what comes then.
func TestProgramSleepsAndWakes(t *testing.T) {
	out := &screen{changed: make(chan struct{}, 1)}
	p, s := newProgram(page{"first"}, tea.WithInput(nil), tea.WithOutput(out), tea.WithWindowSize(80, 24), tea.WithoutSignalHandler())
	ended := make(chan error)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	p.Send("begun")
	out.shows(t, "begun")
	s.mu.Lock()
	pace := s.pace
	s.last = time.Time{} // as after a second without a change
	s.mu.Unlock()
	if pace == 0 {
		t.Fatal("it never was awake: Bubble Tea keeps its ticker elsewhere")
	}
	s.slow()
	s.mu.Lock()
	if s.pace != asleep {
		t.Error("it does not sleep")
	}
	s.mu.Unlock()
	p.Send("later words")
	out.shows(t, "later words")
	p.Quit()
	fatal.If(t, <-ended)
}

// Nothing is drawn before the size of the terminal is known, however late Bubble Tea tells it.
func TestProgramWaitsForItsSize(t *testing.T) {
	out := &screen{changed: make(chan struct{}, 1)}
	handled := make(chan struct{})
	late := func(_ tea.Model, msg tea.Msg) tea.Msg {
		switch size, is := msg.(tea.WindowSizeMsg); {
		case is && size.Width == 80: // Bubble Tea's own
			return nil
		case msg == "next": // after what was sent before it was handled
			close(handled)
		}
		return msg
	}
	p, s := newProgram(page{"first"}, tea.WithInput(nil), tea.WithOutput(out), tea.WithWindowSize(80, 24), tea.WithoutSignalHandler(), tea.WithFilter(late))
	ended := make(chan error)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	p.Send("early")
	p.Send("next")
	<-handled
	s.mu.Lock()
	if s.pace != asleep {
		t.Errorf("without a size it looks every %v", s.pace)
	}
	s.mu.Unlock()
	p.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
	out.shows(t, "next")
	p.Quit()
	fatal.If(t, <-ended)
}

// A change of what was still is looked at soon, the next ones at Bubble Tea's rate, and none
// of them lets the program fall asleep.
func TestProgramStaysAwake(t *testing.T) {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	s := &sleeper{ticker: func() *time.Ticker { return ticker }, sized: true}
	s.wake()
	s.timer.Stop()
	if s.pace != soon {
		t.Errorf("the first look is after %v", s.pace)
	}
	for range 2 {
		s.slow()
		s.timer.Stop()
		if s.pace != awake {
			t.Errorf("then it looks every %v", s.pace)
		}
		s.last = time.Now()
		s.wake()
	}
	s.last = s.last.Add(-awake)
	s.wake()
	s.timer.Stop()
	if s.pace != soon {
		t.Errorf("after a still moment it looks after %v", s.pace)
	}
}
