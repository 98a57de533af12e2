package serve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"assay/tui"
	"assay/tui/frame"
	"assay/tui/idle"
)

// Terminal is what a guest's terminal says of itself.
type Terminal struct {
	Name        string // TERM
	Environment []string
}

// Colored reports whether the guest wants colours.
func (t Terminal) Colored() bool { return t.value("NO_COLOR") == "" }

func (t Terminal) value(name string) string {
	for _, variable := range t.Environment {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}

// Getenv returns the guest's environment; there is nothing of the server's in it.
func (t Terminal) Getenv(name string) string {
	if name == "TERM" {
		return t.Name
	}
	return t.value(name)
}

// program is the screens of one connection.
type program struct {
	guest   Guest
	sess    ssh.Session
	arrival int64 // of its connection, counted from 1
	tea     *tea.Program
	begun   chan struct{} // closed when there is tea
	left    chan struct{} // closed when its screens are left, or if there are none

	ctx  context.Context
	kill context.CancelFunc // stops the screens without leaving them

	once   sync.Once
	gaveUp sync.Once
	unseat sync.Once
	after  atomic.Pointer[func()] // what is called when the screens are left; nil: there are none yet
	why    atomic.Pointer[string] // it was ended by us
	since  time.Time              // by the server's clock
	active atomic.Int64           // when a key was pressed last, in nanoseconds
	in     *input
	out    output
}

// reason is why it was ended by us, or "".
func (p *program) reason() string {
	if why := p.why.Load(); why != nil {
		return *why
	}
	return ""
}

// leave has the screens left, as by ctrl+c; why is told to the guest.
func (p *program) leave(why string) {
	p.once.Do(func() {
		p.why.Store(&why)
		select {
		case <-p.begun:
			p.tea.Send(tui.LeaveMsg{})
		case <-p.left:
		}
	})
}

// end leaves the screens, and closes the connection if that takes too long: a terminal
// that takes no more output would keep them for ever. Screens that are not left even then
// are given up.
func (s *Server) end(p *program, why string) {
	go p.leave(why)
	select {
	case <-p.left:
		return
	case <-time.After(s.limits.Leave):
		p.hangUp()
	}
	select {
	case <-p.left:
	case <-time.After(s.limits.HungUp):
		p.gaveUp.Do(func() { s.giveUp(p) })
	}
}

// giveUp kills screens that hang, pauses their session and frees their guest's place. What
// hangs is not waited for.
func (s *Server) giveUp(p *program) {
	s.o.Log.Error("screens killed", "guest", p.guest.Name, "owner", p.guest.Owner, "why", "they could not be left")
	p.kill()
	if after := p.after.Load(); after != nil { // or run sees that they were killed, and calls it
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() {
				if why := recover(); why != nil {
					s.broke(p, why)
				}
			}()
			(*after)()
		}()
		select {
		case <-done:
		case <-time.After(s.limits.HungUp):
			s.o.Log.Error("a desk could not be left", "guest", p.guest.Name)
		}
	}
	s.unseat(p)
}

// hangUp closes the connection, whatever it still has to send.
func (p *program) hangUp() {
	if conn, ok := p.sess.Context().Value(ssh.ContextKeyConn).(*gossh.ServerConn); ok {
		conn.Close()
	}
}

// quota returns what bounds the bytes that a guest sends, by all connections.
func (s *Server) quota(guest string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent[guest] == nil {
		s.sent[guest] = rate.NewLimiter(rate.Limit(s.limits.Sent)/7200, s.limits.Sent)
	}
	return s.sent[guest]
}

// run keeps a guest's screens until they are left. It answers why there are none.
func (s *Server) run(sess ssh.Session, g Guest) (why string) {
	pty, _, ok := sess.Pty()
	terminal := Terminal{Name: pty.Term, Environment: sess.Environ()}
	switch {
	case !ok:
		return "assay needs a terminal: leave out -T, or say ssh -t"
	case pty.Term == "dumb" || pty.Term == "" || len(pty.Term) > longestValue || strings.ContainsFunc(pty.Term, unprintable):
		return "assay cannot draw on this terminal: set TERM to what it is, such as xterm-256color"
	}
	p := &program{guest: g, sess: sess, begun: make(chan struct{}), left: make(chan struct{}), since: s.o.Now(), out: output{to: sess}}
	p.arrival, _ = sess.Context().Value(keyArrival{}).(int64)
	p.ctx, p.kill = context.WithCancel(context.Background())
	defer p.kill()
	p.in = newInput(sess, s.quota(p.guest.Name))
	if why := s.seat(p); why != "" {
		return why
	}
	defer s.unseat(p)
	broke := func(why any, goesOn bool) {
		if goesOn {
			s.sayBroke("measuring broke", p, why)
			return
		}
		s.broke(p, why)
	}
	app, after, err := s.o.Open(context.WithoutCancel(sess.Context()), g, terminal, broke) // sessions are paused after a connection's end
	if err != nil {
		s.o.Log.Error("screens refused", "guest", g.Name, "why", err.Error())
		return frame.OneLine(err.Error())
	}
	after = sync.OnceFunc(after)
	defer after()
	p.after.Store(&after)
	if p.ctx.Err() != nil { // opening took too long
		return ""
	}
	s.start(p, app, terminal, pty.Window)
	go s.watch(p)
	go p.in.feed(p.tea, terminal.Name)
	go p.resize(sess.Context())
	_, err = p.tea.Run()
	if err != nil {
		s.o.Log.Error("screens failed", "guest", g.Name, "why", clip(err.Error()))
		return "The screens could not be kept; what was typed is saved. Come back with the same command."
	}
	if why := p.reason(); why != "" {
		_, _ = fmt.Fprintf(sess, "Paused: %s. Come back with the same command; nothing is lost.\r\n", why)
	}
	return ""
}

// start makes the program.
func (s *Server) start(p *program, app *tui.App, t Terminal, w ssh.Window) {
	environment := append(slices.Clone(t.Environment), "TERM="+t.Name)
	p.active.Store(s.o.Now().UnixNano())
	work := worked()
	app.Guard(func(why any) { s.sayBroke("a screen broke", p, why) })
	p.tea = idle.NewProgram(timed{guarded{app, func(why any) { s.broke(p, why) }}, work}, tea.WithInput(silent(p.left)), tea.WithOutput(&p.out),
		tea.WithEnvironment(environment), tea.WithColorProfile(colorprofile.Env(environment)),
		tea.WithWindowSize(bounded(w.Width, widest), bounded(w.Height, highest)), tea.WithoutSignalHandler(), tea.WithContext(p.ctx),
		tea.WithFilter(s.filter(p, work)))
	close(p.begun)
}

func bounded(n, most int) int { return min(max(n, 1), most) }

// mostComing are the connections of one guest that may wait for their screens at a time.
const mostComing = 2

// seat gives a program its guest's place. One that is there already, perhaps of a
// connection that is lost and does not know it, is left first, unless its connection is the
// newer one: a connection that was cut while it signed in can get here last.
func (s *Server) seat(p *program) (why string) {
	who := p.guest.Name
	if p.guest.Owner {
		who = "\x00" + p.guest.Key // no pseudonym, and not put out by others of the same name
	}
	waits := false
	defer func() {
		if waits {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.coming[who]--; s.coming[who] == 0 {
				delete(s.coming, who)
			}
		}
	}()
	for {
		s.mu.Lock()
		earlier := s.programs[who]
		switch {
		case s.ending:
			s.mu.Unlock()
			return "The server stops just now. Come back with the same command."
		case earlier == nil && len(s.programs) >= s.limits.Programs:
			s.mu.Unlock()
			s.Counts.Refused.Add(1)
			return "All places are taken just now: come back in some minutes."
		case earlier == nil:
			s.programs[who] = p
			s.open.Add(1)
			s.mu.Unlock()
			s.Counts.Open.Add(1)
			s.o.Log.Info("came in", "guest", p.guest.Name, "owner", p.guest.Owner, "address", p.sess.RemoteAddr().String())
			return ""
		case earlier.arrival > p.arrival:
			s.mu.Unlock()
			s.Counts.Refused.Add(1)
			return "You are here by a newer connection: use that one, or connect again."
		case !waits && s.coming[who] >= mostComing:
			s.mu.Unlock()
			s.Counts.Refused.Add(1)
			return "You are coming in by other connections just now: use one of those, or come back in a minute."
		case !waits:
			waits = true
			s.coming[who]++
			s.Counts.TakenOver.Add(1)
		}
		s.mu.Unlock()
		s.end(earlier, "you came in by another connection")
	}
}

// unseat frees the place of a program whose screens are left, once.
func (s *Server) unseat(p *program) { p.unseat.Do(func() { s.free(p) }) }

func (s *Server) free(p *program) {
	s.mu.Lock()
	for guest, running := range s.programs {
		if running == p {
			delete(s.programs, guest)
		}
	}
	s.mu.Unlock()
	close(p.left)
	s.open.Done()
	s.Counts.Open.Add(-1)
	s.o.Log.Info("left", "guest", p.guest.Name, "owner", p.guest.Owner, "why", p.reason())
}

// How often the screens are drawn anew for another size.
const (
	sizesPerSecond = 4
	sizesAtOnce    = 10
)

// resize tells the screens the terminal's size, until they are left.
func (p *program) resize(ctx context.Context) {
	resized, _ := ctx.Value(keySizes{}).(sizes)
	often := rate.NewLimiter(sizesPerSecond, sizesAtOnce)
	for {
		select {
		case <-p.left:
			return
		case w := <-resized:
			p.tea.Send(tea.WindowSizeMsg{Width: bounded(w.Width, widest), Height: bounded(w.Height, highest)})
		}
		select {
		case <-p.left:
			return
		case <-time.After(often.Reserve().Delay()):
		}
	}
}

// watch leaves the screens when the connection is lost or has lasted too long.
func (s *Server) watch(p *program) {
	look := time.NewTicker(max(min(s.limits.Lost/3, s.limits.Idle/4), time.Millisecond))
	defer look.Stop()
	answered := make(chan error, 1)
	asked, since := false, time.Now()
	for {
		select {
		case <-p.left:
			return
		case <-p.in.typed: // with all that had arrived
			s.end(p, "the connection was lost")
			return
		case <-p.in.refused:
			s.end(p, p.in.why)
			return
		case err := <-answered:
			asked = err != nil // a connection that is closed will not answer
		case <-look.C:
			if why, gone := s.over(p, asked, since); why != "" {
				if gone {
					p.hangUp()
				}
				s.end(p, why)
				return
			}
			if !asked {
				asked, since = true, time.Now()
				go func() {
					_, err := p.sess.SendRequest("keepalive@openssh.com", true, nil)
					answered <- err
				}()
			}
		}
	}
}

// over says why screens are to be left now, or "". Gone says that the connection is not
// there any more: it does not answer, or takes nothing.
func (s *Server) over(p *program, asked bool, since time.Time) (why string, gone bool) {
	switch now := s.o.Now(); {
	case now.Sub(time.Unix(0, p.active.Load())) >= s.limits.Idle:
		return fmt.Sprintf("no key was pressed for %v", s.limits.Idle), false
	case now.Sub(p.since) >= s.limits.Absolute:
		return fmt.Sprintf("a connection lasts at most %v", s.limits.Absolute), false
	case asked && time.Since(since) > s.limits.Lost:
		return "the connection did not answer", true
	case p.out.stuck() > s.limits.Lost:
		return "the terminal took nothing more", true
	}
	return "", false
}
