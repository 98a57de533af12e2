package serve

import (
	"io"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/time/rate"
)

// What one terminal may send to its screens. Nobody types or points as fast; who sends
// more waits, alone.
const (
	messagesPerSecond = 300
	messagesAtOnce    = 2000

	// Up to this, nobody waits.
	calmPerSecond = 40
	calmAtOnce    = 200

	// Whether the terminal is looked at is written into the log each time.
	focusPerSecond = 2
	focusAtOnce    = 40
)

// worked returns how much a program may work while its terminal sends more than people do: a
// quarter of a processor, in microseconds, after a second at once. The time that passed is
// counted, since nobody knows a goroutine's time on a processor: on a busy machine it is
// more, and people at their keys must not wait for that.
func worked() *rate.Limiter { return rate.NewLimiter(250_000, 1_000_000) }

// timed is a program's model, whose work is counted.
type timed struct {
	tea.Model
	work *rate.Limiter
}

// Update implements tea.Model.
func (m timed) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	defer m.count(time.Now())
	next, cmd := m.Model.Update(msg)
	return timed{next, m.work}, cmd
}

// View implements tea.Model.
func (m timed) View() tea.View {
	defer m.count(time.Now())
	return m.Model.View()
}

func (m timed) count(began time.Time) {
	m.work.ReserveN(time.Now(), int(min(time.Since(began), time.Second).Microseconds()))
}

// filter sees all that a program's screens are told: it keeps what comes from the terminal
// to a pace, and notes when somebody was there.
func (s *Server) filter(p *program, work *rate.Limiter) func(tea.Model, tea.Msg) tea.Msg {
	all := rate.NewLimiter(messagesPerSecond, messagesAtOnce)
	calm := rate.NewLimiter(calmPerSecond, calmAtOnce)
	focus := rate.NewLimiter(focusPerSecond, focusAtOnce)
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		if ours(msg) {
			return msg
		}
		p.pace(all)
		if !calm.Allow() {
			p.pace(work)
		}
		switch msg.(type) {
		case tea.SuspendMsg:
			return nil // there is no shell to go back to
		case tea.FocusMsg, tea.BlurMsg:
			p.pace(focus)
		case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
			p.active.Store(s.o.Now().UnixNano())
		}
		return msg
	}
}

// ours reports whether a message is of assay's own making.
func ours(msg tea.Msg) bool {
	return msg == nil || strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "assay/")
}

// pace waits until the next message may come, unless the screens are to be left.
func (p *program) pace(l *rate.Limiter) {
	if p.why.Load() != nil || l.Allow() {
		return
	}
	select {
	case <-time.After(l.Reserve().Delay()):
	case <-p.sess.Context().Done():
	}
}

// output is where a program draws. It knows for how long the terminal has not taken what
// was written.
type output struct {
	to    io.Writer
	since atomic.Int64 // when the writing began that is not done, in nanoseconds; 0: none is
}

// Write implements io.Writer.
func (o *output) Write(data []byte) (int, error) {
	o.since.Store(time.Now().UnixNano())
	defer o.since.Store(0)
	return o.to.Write(data)
}

func (o *output) stuck() time.Duration {
	since := o.since.Load()
	if since == 0 {
		return 0
	}
	return time.Since(time.Unix(0, since))
}
