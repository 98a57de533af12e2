package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/wish/v2"
	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"assay/tui"
)

// Options are what a server works with.
type Options struct {
	Address  string // to listen on, as host:port
	HostKey  string // a file; it is made, with its public key beside it, if it is not there
	Door     *Door
	Greeting string // shown before the question for a code

	// Open makes the screens of a guest. They are left, and what else it returns is called,
	// before it is asked for the same guest again. What works for the screens beside them
	// calls broke when it panics: that ends these screens alone, or is logged and no more if
	// they go on.
	Open func(ctx context.Context, g Guest, t Terminal, broke func(why any, goesOn bool)) (app *tui.App, after func(), err error)

	Limits Limits
	Log    *slog.Logger // what happened; never what was typed
	Now    func() time.Time
}

// Limits bound what one guest, one address and all of them can take. A zero is a default.
type Limits struct {
	Programs    int           // open at a time: 500
	Connections int           // at a time, with those that have not signed in: twice as many
	PerAddress  int           // connections of one address at a time: 200, since a course may sit behind one
	Signing     int           // connections that are signing in at a time: 300
	SigningPer  int           // of one address: 120
	SignIn      time.Duration // until the screens are asked for: 30 s
	Idle        time.Duration // without a key: 30 min
	Absolute    time.Duration // for one connection: 12 h
	Lost        time.Duration // a connection that does not answer: 45 s
	Leave       time.Duration // for screens to be left: 10 s
	HungUp      time.Duration // for screens to be left when their connection is closed: 10 s; then they are killed
	Sent        int           // bytes that one guest may send at once: 16 MB; more comes as fast as Sent in two hours
}

// settled fills in the defaults.
func (l Limits) settled() Limits {
	l.Programs = cmp.Or(l.Programs, 500)
	l.Connections = cmp.Or(l.Connections, 2*l.Programs)
	l.PerAddress = cmp.Or(l.PerAddress, 200)
	l.Signing = cmp.Or(l.Signing, 300)
	l.SigningPer = cmp.Or(l.SigningPer, 120)
	l.SignIn = cmp.Or(l.SignIn, 30*time.Second)
	l.Idle = cmp.Or(l.Idle, 30*time.Minute)
	l.Absolute = cmp.Or(l.Absolute, 12*time.Hour)
	l.Lost = cmp.Or(l.Lost, 45*time.Second)
	l.Leave = cmp.Or(l.Leave, 10*time.Second)
	l.HungUp = cmp.Or(l.HungUp, 10*time.Second)
	l.Sent = cmp.Or(l.Sent, 16<<20)
	return l
}

// Server lets guests in.
type Server struct {
	o      Options
	limits Limits
	ssh    *ssh.Server
	Counts Counts        // what happened so far
	noise  *rate.Limiter // of what strangers have written into the log

	mu          sync.Mutex
	programs    map[string]*program      // by who they belong to
	sent        map[string]*rate.Limiter // what each guest may still send, in bytes
	coming      map[string]int           // connections that wait for a program of their guest to be left
	addresses   map[string]int           // connections
	connections map[net.Conn]struct{}
	arrived     int64   // connections, so far
	signing     signing // connections that have not signed in
	ending      bool
	open        sync.WaitGroup // programs
}

// Each part of a guest's sign-in that is believed stands in what the connection was
// permitted when it succeeded, and not in what was tried on the way.
const (
	permittedName  = "assay-guest"
	permittedOwner = "assay-owner"
	permittedKey   = "assay-key"
)

// New makes a server. It is an error if the host key cannot be read or made, or if nobody
// can come in.
func New(o Options) (*Server, error) {
	if o.Door.Closed() {
		return nil, errors.New("nobody could come in: there is neither a key nor an invitation")
	}
	s := &Server{o: o, limits: o.Limits.settled(), programs: map[string]*program{}, sent: map[string]*rate.Limiter{}, coming: map[string]int{},
		addresses: map[string]int{}, connections: map[net.Conn]struct{}{}, signing: signing{by: map[string][]*coming{}}, noise: rate.NewLimiter(20, 100)}
	var err error
	s.ssh, err = wish.NewServer(wish.WithAddress(o.Address), wish.WithHostKeyPath(o.HostKey), wish.WithVersion("assay"))
	if err != nil {
		return nil, fmt.Errorf("the host key %s cannot be had: %w", o.HostKey, err)
	}
	s.ssh.ConnCallback = s.connected
	s.ssh.ConnectionFailedCallback = func(conn net.Conn, err error) {
		s.Counts.Refused.Add(1)
		s.warn("sign-in failed", "address", conn.RemoteAddr().String(), "why", clip(err.Error()))
	}
	s.ssh.ServerConfigCallback = func(ssh.Context) *gossh.ServerConfig { return config() }
	s.ssh.PublicKeyHandler = s.byKey
	s.ssh.KeyboardInteractiveHandler = s.byQuestion
	s.ssh.PasswordHandler = s.byCode
	s.ssh.ChannelHandlers = map[string]ssh.ChannelHandler{"session": s.channel, "default": s.noChannel}
	s.ssh.RequestHandlers = map[string]ssh.RequestHandler{"default": s.noRequest}
	s.ssh.SubsystemHandlers = map[string]ssh.SubsystemHandler{}
	s.ssh.Handler = s.enter
	return s, nil
}

// Listen opens the server's port.
func (s *Server) Listen() (net.Listener, error) {
	l, err := net.Listen("tcp", s.o.Address)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be listened on: %w", s.o.Address, err)
	}
	return l, nil
}

// config returns what the server speaks: what x/crypto knows to be without faults, but for SHA-1.
func config() *gossh.ServerConfig {
	known := gossh.SupportedAlgorithms()
	c := &gossh.ServerConfig{
		MaxAuthTries:            12, // a client offers all its keys before it asks for a code
		PublicKeyAuthAlgorithms: known.PublicKeyAuths,
	}
	c.KeyExchanges, c.Ciphers = known.KeyExchanges, known.Ciphers
	c.MACs = slices.DeleteFunc(known.MACs, func(mac string) bool { return mac == gossh.HMACSHA1 })
	return c
}

// Serve lets guests in until ctx ends. Then no new ones can come, all screens are left,
// which pauses their sessions, and it returns.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	served := make(chan error, 1)
	go func() { served <- s.ssh.Serve(l) }()
	select {
	case err := <-served:
		s.leaveAll("the server stops")
		return fmt.Errorf("the server cannot go on: %w", err)
	case <-ctx.Done():
	}
	s.mu.Lock()
	s.ending = true
	s.mu.Unlock()
	_ = l.Close() // another server may take the port over at once
	s.leaveAll("the server stops")
	if err := s.ssh.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("closing the server: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.connections { // those that have not signed in
		_ = conn.Close()
	}
	return nil
}

// leaveAll ends all programs and waits for them, as long as they may take.
func (s *Server) leaveAll(why string) {
	s.mu.Lock()
	for _, p := range s.programs {
		go s.end(p, why)
	}
	s.mu.Unlock()
	left := make(chan struct{})
	go func() {
		s.open.Wait()
		close(left)
	}()
	select {
	case <-left:
	case <-time.After(s.limits.Leave + 2*s.limits.HungUp + time.Second): // as long as end takes
		s.o.Log.Error("some screens could not be left", "open", s.Counts.Open.Load())
	}
}

// place returns what connections are counted by: the address, or for IPv6 the network that one
// customer has.
func place(a net.Addr) string {
	host, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := host.Addr().Unmap(); ip.Is4() {
		return ip.String()
	}
	network, err := host.Addr().Prefix(64)
	if err != nil {
		return host.Addr().String()
	}
	return network.String()
}

// counted is a connection that is taken off the count when it is closed.
type counted struct {
	net.Conn
	closed func()
}

func (c counted) Close() error {
	c.closed()
	return c.Conn.Close()
}

// keyUnused holds the timer of a connection that has no screens, not yet or no more.
type keyUnused struct{}

// keyArrival holds how many connections had come when this one did, with it.
type keyArrival struct{}

// connected counts a connection, or refuses it.
func (s *Server) connected(ctx ssh.Context, conn net.Conn) net.Conn {
	from := place(conn.RemoteAddr())
	s.mu.Lock()
	defer s.mu.Unlock()
	all := len(s.connections)
	if s.ending || all >= s.limits.Connections || s.addresses[from] >= s.limits.PerAddress || !s.mayBegin(from) {
		s.Counts.Refused.Add(1)
		s.warn("connection refused", "address", conn.RemoteAddr().String(), "open", all, "of_address", s.addresses[from], "signing_in", s.signing.all)
		return nil
	}
	begins := &coming{conn: conn, since: s.o.Now()}
	s.signing.add(from, begins)
	s.addresses[from]++
	s.connections[conn] = struct{}{}
	s.arrived++
	ctx.SetValue(keyArrival{}, s.arrived)
	s.Counts.Connections.Add(1)
	unused := time.AfterFunc(s.limits.SignIn, func() { conn.Close() })
	ctx.SetValue(keyUnused{}, unused)
	ctx.SetValue(keyUsed{}, &atomic.Bool{})
	ctx.SetValue(keySigned{}, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.signing.remove(from, begins)
	})
	ctx.SetValue(keyAsked{}, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		begins.asked = true
	})
	ctx.SetValue(keyTooMany{}, func() { conn.Close() })
	ctx.SetValue(keyRefusals{}, &atomic.Int64{})
	return counted{conn, sync.OnceFunc(func() {
		unused.Stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.Counts.Connections.Add(-1)
		delete(s.connections, conn)
		s.signing.remove(from, begins)
		if s.addresses[from]--; s.addresses[from] == 0 {
			delete(s.addresses, from)
		}
	})}
}

// permit notes who a sign-in is of, should it succeed.
func (s *Server) permit(ctx ssh.Context, g Guest) bool {
	p := ctx.Permissions().Permissions
	if p.Extensions == nil {
		p.Extensions = map[string]string{}
	}
	p.Extensions[permittedName], p.Extensions[permittedKey] = g.Name, g.Key
	if g.Owner {
		p.Extensions[permittedOwner] = "yes"
	}
	return true
}

func (s *Server) byKey(ctx ssh.Context, key ssh.PublicKey) bool {
	g, ok := s.o.Door.ByKey(key)
	return ok && s.permit(ctx, g)
}

func (s *Server) byCode(ctx ssh.Context, code string) bool {
	g, ok, tooMany := s.o.Door.ByCode(place(ctx.RemoteAddr()), code)
	if ok {
		return s.permit(ctx, g)
	}
	s.Counts.WrongCodes.Add(1)
	s.warn("code refused", "address", ctx.RemoteAddr().String(), "user", clip(ctx.User()), "closed", tooMany)
	if tooMany {
		noted(ctx, keyTooMany{})
	}
	return false
}

// byQuestion asks for a code.
func (s *Server) byQuestion(ctx ssh.Context, ask gossh.KeyboardInteractiveChallenge) bool {
	noted(ctx, keyAsked{})
	answers, err := ask("", s.o.Greeting, []string{"Invitation code: "}, []bool{true})
	return err == nil && len(answers) == 1 && s.byCode(ctx, answers[0])
}

// noRequest refuses what concerns a whole connection, such as forwarding.
func (s *Server) noRequest(ctx ssh.Context, _ *ssh.Server, r *gossh.Request) (bool, []byte) {
	switch r.Type {
	case "keepalive@openssh.com", "no-more-sessions@openssh.com", "hostkeys-prove-00@openssh.com":
		s.tolerated(ctx) // every client asks for these
	default:
		s.refused(ctx, r.Type)
	}
	return false, nil
}

// keyRefusals counts what a connection was refused.
type keyRefusals struct{}

// mostRefusals are those after which a connection is closed: a client that means well asks
// for some dozen things that are not to be had here.
const mostRefusals = 1000

// refused notes what a connection must not ask for.
func (s *Server) refused(ctx ssh.Context, what string) {
	s.Counts.Denied.Add(1)
	s.warn("request refused", "address", ctx.RemoteAddr().String(), "user", clip(ctx.User()), "request", clip(what))
	s.tolerated(ctx)
}

// tolerated counts a request that is not granted. Who makes thousands of them is put out.
func (s *Server) tolerated(ctx ssh.Context) {
	n, ok := ctx.Value(keyRefusals{}).(*atomic.Int64)
	if !ok || n.Add(1) != mostRefusals {
		return
	}
	s.warn("connection closed", "address", ctx.RemoteAddr().String(), "user", clip(ctx.User()), "why", "it asked for too much")
	if conn, ok := ctx.Value(ssh.ContextKeyConn).(*gossh.ServerConn); ok {
		_ = conn.Close()
	}
}

// warn logs what a stranger did, unless they do too much of it: it is counted in any case.
func (s *Server) warn(what string, details ...any) {
	if s.noise.Allow() {
		s.o.Log.Warn(what, details...)
	}
}

// clip bounds what a stranger can have written into the log, and leaves nothing in it that
// a terminal would obey.
func clip(text string) string {
	const most = 200
	cut := len(text) > most
	if cut {
		text = text[:most]
	}
	quoted := strconv.QuoteToASCII(text)
	if text = quoted[1 : len(quoted)-1]; cut {
		text += "..."
	}
	return text
}

// enter runs the screens of a connection that has asked for them. When they are left, the
// client has a moment to go by itself.
func (s *Server) enter(sess ssh.Session) {
	unused, timed := sess.Context().Value(keyUnused{}).(*time.Timer)
	if timed {
		unused.Stop()
		defer func() { unused.Reset(s.limits.Leave) }()
	}
	said := sess.Permissions().Extensions
	g := Guest{Name: said[permittedName], Key: said[permittedKey], Owner: said[permittedOwner] != ""}
	defer func() {
		if broken := recover(); broken != nil { // the others' screens go on
			s.o.Log.Error("screens failed", "guest", g.Name, "stack", string(debug.Stack()))
			_ = sess.Exit(1)
		}
	}()
	if why := s.run(sess, g); why != "" {
		_, _ = io.WriteString(sess, why+"\r\n")
		_ = sess.Exit(1)
	}
}
