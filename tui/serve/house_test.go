package serve_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/crypto/ssh"

	"assay/data/fatal"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/serve"
	"assay/tui/serve/servetest"
)

// patience is only used up by a test that fails.
const patience = time.Minute

// pad is a screen on which anything can be typed.
type pad struct {
	house *house
	guest serve.Guest
	text  string
	drawn tea.Cmd // what drawing does besides
}

func (p *pad) Init() tea.Cmd { return nil }
func (p *pad) Typing() bool  { return true }
func (p *pad) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		p.house.keys.Add(1)
		if p.house.breaks.Load() {
			return p.breaks(msg.Text)
		}
		if msg.Text == "!" && p.house.stuck != nil {
			<-p.house.stuck
		}
		if msg.Text == ">" {
			return func() tea.Msg { return frame.OpenMsg{Screen: &pad{house: p.house, guest: p.guest, text: "over"}} }
		}
		p.text += msg.Text
	case tea.PasteMsg:
		p.text += msg.Content
	}
	return nil
}

// breaks fails in the way that a key stands for.
func (p *pad) breaks(key string) tea.Cmd {
	broken := func() tea.Msg { panic("what \x1b[31m was typed") }
	fine := func() tea.Msg { return nil }
	switch key {
	case "u":
		broken()
	case "v":
		p.drawn = broken
	case "i":
		return func() tea.Msg { return []int{}[len(key)] }
	case "c":
		return broken
	case "b":
		return tea.Batch(fine, broken)
	case "s":
		return tea.Sequence(fine, tea.Batch(fine, tea.Sequence(fine, broken)), nil)
	}
	return nil
}

func (p *pad) Page(size frame.Size, _ frame.Theme) frame.Page {
	if p.drawn != nil {
		p.drawn()
	}
	shown := p.text[max(0, len(p.text)-60):]
	return frame.Page{Title: "pad of " + p.guest.Name, Body: fmt.Sprintf("%d by %d, owner %v\n<%s>", size.Width, size.Height, p.guest.Owner, frame.OneLine(shown))}
}

// Leave keeps what was typed.
func (p *pad) Leave() tea.Cmd {
	text := p.text
	return func() tea.Msg {
		p.house.mu.Lock()
		defer p.house.mu.Unlock()
		p.house.kept[p.guest.Name] = append(p.house.kept[p.guest.Name], text)
		return nil
	}
}

// house is a server with its guests' keys.
type house struct {
	t       *testing.T
	server  *serve.Server
	address string
	door    *serve.Door
	codes   map[string]string
	secrets map[string]ed25519.PrivateKey
	signers map[string]ssh.Signer
	clock   atomic.Int64  // nanoseconds that have passed
	keys    atomic.Int64  // presses that screens had
	opened  atomic.Int64  // desks that are open
	refuse  atomic.Bool   // opening fails
	breaks  atomic.Bool   // screens break at the next key
	stuck   chan struct{} // until it is closed, a screen hangs at the key !

	mu   sync.Mutex
	kept map[string][]string
	log  bytes.Buffer
	stop func()
}

// Write takes the log.
func (h *house) Write(data []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.Write(data)
}

func (h *house) logged() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.log.String()
}

func (h *house) saved(guest string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.kept[guest], "|")
}

func (h *house) now() time.Time { return time.Unix(1_800_000_000, h.clock.Load()) }

// keep opens a house with ann, bob and an owner, who have keys, and cai, who has a code.
// When the test ends nothing of it may be left.
func keep(t *testing.T, limits serve.Limits) *house {
	t.Helper()
	before := runtime.NumGoroutine()
	h := &house{t: t, codes: map[string]string{}, secrets: map[string]ed25519.PrivateKey{}, signers: map[string]ssh.Signer{}, kept: map[string][]string{}}
	h.door = serve.NewDoor(h.now)
	for _, name := range []string{"ann", "bob", "owner", "stranger"} {
		secret, signer, err := servetest.Key()
		fatal.If(t, err)
		h.secrets[name], h.signers[name] = secret, signer
		if line := string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(signer.PublicKey()))) + " " + name; name != "stranger" {
			fatal.If(t, h.door.AddKeys("keys", strings.NewReader(line), name == "owner"))
		}
	}
	invitations := filepath.Join(t.TempDir(), "invitations")
	code, err := serve.Invite(invitations, "cai", h.now())
	if err == nil {
		err = h.door.AddInvitations(invitations)
	}
	fatal.If(t, err)
	h.codes["cai"] = code
	h.server, err = serve.New(serve.Options{
		Address: "127.0.0.1:0", HostKey: filepath.Join(t.TempDir(), "host"), Door: h.door, Greeting: "hello", Limits: limits, Now: h.now,
		Log: slog.New(slog.NewJSONHandler(h, nil)),
		Open: func(_ context.Context, g serve.Guest, _ serve.Terminal, _ func(any, bool)) (*tui.App, func(), error) {
			if h.refuse.Load() {
				return nil, nil, errors.New("not \x1b[31mtoday")
			}
			h.opened.Add(1)
			return tui.New(&pad{house: h, guest: g}, false), func() { h.opened.Add(-1) }, nil
		},
	})
	fatal.If(t, err)
	listener, err := h.server.Listen()
	fatal.If(t, err)
	h.address = listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(ctx, listener) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		h.stop()
		h.nothingLeft(before)
	})
	return h
}

// nothingLeft waits until no program, connection or goroutine is there any more, and looks
// through the log.
func (h *house) nothingLeft(before int) {
	h.t.Helper()
	h.until("an empty house", func() bool {
		return h.server.Counts.Open.Load() == 0 && h.server.Counts.Connections.Load() == 0 && h.opened.Load() == 0
	})
	deadline := time.Now().Add(patience)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		stacks := make([]byte, 1<<20)
		h.t.Errorf("%d goroutines before, %d after\n%s", before, n, stacks[:runtime.Stack(stacks, true)])
	}
	for _, b := range []byte(h.logged()) {
		if b != '\n' && (b < ' ' || b > '~') {
			h.t.Errorf("byte %#x in the log", b)
			break
		}
	}
}

// until waits for something that happens in the server.
func (h *house) until(what string, reached func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(patience); !reached(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("there never was %s; the log says\n%s", what, h.logged())
		}
	}
}

func (h *house) config(name string) *ssh.ClientConfig {
	return servetest.Config(name, ssh.PublicKeys(h.signers[name]))
}

// comes signs in by key, and sees the pad.
func (h *house) comes(name string) *servetest.Guest {
	h.t.Helper()
	g, err := servetest.ComeIn(h.address, h.config(name))
	fatal.If(h.t, err)
	h.t.Cleanup(g.Close)
	h.sees(g, "pad of "+name, "80 by 24")
	return g
}

func (h *house) sees(g *servetest.Guest, texts ...string) {
	h.t.Helper()
	if err := g.Sees(patience, texts...); err != nil {
		h.t.Fatalf("%v\n%s", err, h.logged())
	}
}

// works says that the server is as it should be: bob comes in, types and leaves.
func (h *house) works() {
	h.t.Helper()
	g := h.comes("bob")
	h.types(g, "still here")
	h.sees(g, "still here>")
	g.Close()
	h.until("bob's leaving", func() bool { return strings.Contains(h.saved("bob"), "still here") && h.opened.Load() == 0 })
}

func (h *house) types(g *servetest.Guest, keys string) {
	h.t.Helper()
	fatal.If(h.t, g.Type(keys))
}
