// Package servetest has guests of a server of screens: programs that come in over SSH,
// press keys, and read what stands on their terminal.
package servetest

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Guest is one who came in.
type Guest struct {
	Client  *ssh.Client
	Session *ssh.Session
	conn    net.Conn
	keys    io.Writer

	mu      sync.Mutex
	screen  *Screen
	changed chan struct{} // closed and made anew when something was drawn
	ended   bool
}

// Key makes a key for signing in.
func Key() (ed25519.PrivateKey, ssh.Signer, error) {
	_, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("making a key: %w", err)
	}
	signer, err := ssh.NewSignerFromKey(secret)
	return secret, signer, err
}

// Config is that of a client with these ways of signing in.
func Config(user string, ways ...ssh.AuthMethod) *ssh.ClientConfig {
	return &ssh.ClientConfig{User: user, Auth: ways, HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: time.Minute}
}

// within ends what a connection waits for when the client's time for a step is over, until
// stop is called.
func within(conn net.Conn, config *ssh.ClientConfig) (stop func()) {
	_ = conn.SetDeadline(time.Now().Add(config.Timeout))
	return func() { _ = conn.SetDeadline(time.Time{}) }
}

// Connect signs in from an address of this machine, or from any if it is empty, and asks
// for nothing yet.
func Connect(from, address string, config *ssh.ClientConfig) (*ssh.Client, net.Conn, error) {
	dialer := net.Dialer{Timeout: config.Timeout}
	if from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	conn, err := dialer.Dial("tcp", address)
	if err != nil {
		return nil, nil, fmt.Errorf("connecting: %w", err)
	}
	defer within(conn, config)()
	c, channels, requests, err := ssh.NewClientConn(conn, address, config)
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return ssh.NewClient(c, channels, requests), conn, nil
}

// ComeIn signs in and asks for the screens on a terminal of 80 columns and 24 rows.
func ComeIn(address string, config *ssh.ClientConfig) (*Guest, error) {
	client, conn, err := Connect("", address, config)
	if err != nil {
		return nil, err
	}
	return Enter(client, conn, config)
}

// Enter asks for screens on a connection that is signed in.
func Enter(client *ssh.Client, conn net.Conn, config *ssh.ClientConfig) (*Guest, error) {
	defer within(conn, config)()
	g := &Guest{Client: client, conn: conn, screen: NewScreen(80, 24), changed: make(chan struct{})}
	var err error
	if g.Session, err = client.NewSession(); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	if g.keys, err = g.Session.StdinPipe(); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	g.Session.Stdout, g.Session.Stderr = g, g
	if err = g.Session.RequestPty("vt100", 24, 80, ssh.TerminalModes{}); err == nil {
		err = g.Session.Shell()
	}
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	go func() {
		_ = g.Session.Wait()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.ended = true
		close(g.changed)
		g.changed = make(chan struct{})
	}()
	return g, nil
}

// Write takes what is drawn.
func (g *Guest) Write(data []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.changed)
	g.changed = make(chan struct{})
	return g.screen.Write(data)
}

// Type presses keys.
func (g *Guest) Type(keys string) error {
	_, err := io.WriteString(g.keys, keys)
	return err
}

// Screen returns the text on the terminal.
func (g *Guest) Screen() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.screen.String()
}

// ErrEnded says that the screens were left while something was awaited on them.
var ErrEnded = errors.New("the screens were left")

// Until waits for the screen to be as it is wanted.
func (g *Guest) Until(patience time.Duration, wanted func(screen string) bool) error {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		g.mu.Lock()
		text, changed, ended := g.screen.String(), g.changed, g.ended
		g.mu.Unlock()
		if wanted(text) {
			return nil
		}
		if ended {
			return fmt.Errorf("%w; they showed\n%s", ErrEnded, text)
		}
		select {
		case <-changed:
		case <-deadline.C:
			return fmt.Errorf("after %v the screen shows\n%s", patience, text)
		}
	}
}

// Sees waits until all texts are on the screen.
func (g *Guest) Sees(patience time.Duration, texts ...string) error {
	err := g.Until(patience, func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	})
	if err != nil {
		return fmt.Errorf("%q: %w", texts, err)
	}
	return nil
}

// Ends waits until the screens are left.
func (g *Guest) Ends(patience time.Duration) error {
	err := g.Until(patience, func(string) bool { return false })
	if errors.Is(err, ErrEnded) {
		return nil
	}
	return err
}

// Cut breaks the connection, as a network does.
func (g *Guest) Cut() {
	if tcp, ok := g.conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = g.conn.Close()
}

// Close leaves properly.
func (g *Guest) Close() { _ = g.Client.Close() }
