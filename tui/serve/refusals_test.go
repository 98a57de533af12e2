package serve_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"assay/data/fatal"
	"assay/tui/serve"
	"assay/tui/serve/servetest"
)

// What is no terminal and no screens is refused, and the server stays up.
func TestNothingButScreens(t *testing.T) {
	h := keep(t, serve.Limits{Leave: 200 * time.Millisecond})
	client, _, err := servetest.Connect("", h.address, h.config("ann"))
	fatal.If(t, err)
	for _, global := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "cancel-tcpip-forward", "\x1b[31mred"} {
		if ok, _, err := client.SendRequest(global, true, ssh.Marshal(struct {
			Host string
			Port uint32
		}{"127.0.0.1", 0})); ok || err != nil {
			t.Errorf("%q: %v, %v", global, ok, err)
		}
	}
	for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com", "\x1b]0;x\x07"} {
		if _, _, err := client.OpenChannel(kind, ssh.Marshal(struct {
			Host string
			Port uint32
			From string
			At   uint32
		}{"127.0.0.1", 22, "127.0.0.1", 1})); err == nil {
			t.Errorf("a channel %q was opened", kind)
		}
	}
	channel, requests, err := client.OpenChannel("session", nil)
	fatal.If(t, err)
	go ssh.DiscardRequests(requests)
	for what, payload := range map[string]any{
		"exec":                                struct{ Command string }{"id"},
		"subsystem":                           struct{ Name string }{"sftp"},
		"x11-req":                             struct{ Text string }{"x"},
		"auth-agent-req@openssh.com":          struct{ Nothing string }{},
		"break":                               struct{ Length uint32 }{5},
		"signal":                              struct{ Name string }{"KILL"},
		"env":                                 struct{ Name, Value string }{"LD_PRELOAD", "/tmp/x.so"},
		"window-change":                       struct{ Width uint32 }{5}, // damaged
		"pty-req":                             struct{ Term string }{"damaged"},
		"\x1b[2J" + strings.Repeat("y", 5000): struct{ Nothing string }{},
	} {
		if ok, err := channel.SendRequest(what, true, ssh.Marshal(payload)); ok || err != nil {
			t.Errorf("%.20q: %v, %v", what, ok, err)
		}
	}
	for name, value := range map[string]string{"LANG": "\x1b[31m", "COLORTERM": strings.Repeat("x", 100), "PATH": "/tmp", "LC_TIME": "C"} {
		if ok, err := channel.SendRequest("env", true, ssh.Marshal(struct{ Name, Value string }{name, value})); ok || err != nil {
			t.Errorf("%s=%q: %v, %v", name, value, ok, err)
		}
	}
	if _, _, err := client.OpenChannel("session", nil); err == nil {
		t.Error("a second session was opened")
	}
	client.Close()
	for _, word := range []string{"tcpip-forward", "exec", "subsystem", "x11-req", "a second session", `\\x1b[2Jyyy`} {
		if !strings.Contains(h.logged(), word) {
			t.Errorf("the log has no %q", word)
		}
	}
	if h.opened.Load() != 0 {
		t.Error("screens were opened")
	}
	h.works()
}

// Who asks for thousands of things is put out.
func TestTooManyRequests(t *testing.T) {
	h := keep(t, serve.Limits{})
	for kind, ask := range map[string]func(*ssh.Client, ssh.Channel) error{
		"env": func(_ *ssh.Client, c ssh.Channel) error {
			_, err := c.SendRequest("env", false, ssh.Marshal(struct{ Name, Value string }{"LANG", "C"}))
			return err
		},
		"global": func(c *ssh.Client, _ ssh.Channel) error {
			_, _, err := c.SendRequest("keepalive@openssh.com", true, nil)
			return err
		},
		"channels": func(c *ssh.Client, _ ssh.Channel) error {
			_, _, err := c.OpenChannel("direct-tcpip", nil)
			if _, refused := err.(*ssh.OpenChannelError); refused {
				return nil
			}
			return err
		},
	} {
		client, _, err := servetest.Connect("", h.address, h.config("ann"))
		fatal.If(t, err)
		channel, requests, err := client.OpenChannel("session", nil)
		fatal.If(t, err)
		go ssh.DiscardRequests(requests)
		n := 0
		for err = ask(client, channel); err == nil && n < 100_000; n++ {
			err = ask(client, channel)
		}
		if err == nil {
			t.Errorf("%s: %d were taken", kind, n)
		}
		client.Close()
	}
	h.works()
}

func TestTerminals(t *testing.T) {
	h := keep(t, serve.Limits{})
	for _, term := range []string{"dumb", "", "\x1b]0;x\x07", strings.Repeat("x", 5000), "xterm\n", "none"} {
		client, _, err := servetest.Connect("", h.address, h.config("ann"))
		fatal.If(t, err)
		session, err := client.NewSession()
		fatal.If(t, err)
		said, err := session.StdoutPipe()
		fatal.If(t, err)
		if term != "none" {
			err = session.RequestPty(term, 24, 80, nil)
		}
		if err != nil {
			t.Fatalf("%.20q: %v", term, err)
		}
		fatal.If(t, session.Shell())
		text, _ := io.ReadAll(said)
		if !strings.Contains(string(text), "assay ") || strings.Contains(string(text), "\x1b") {
			t.Errorf("%.20q: %q", term, text)
		}
		client.Close()
	}
	if h.opened.Load() != 0 || strings.Contains(h.logged(), "came in") {
		t.Error("screens were opened")
	}
}

func TestSizes(t *testing.T) {
	h := keep(t, serve.Limits{})
	// Many sizes before there are screens, when nobody looks at them.
	client, _, err := servetest.Connect("", h.address, h.config("ann"))
	fatal.If(t, err)
	session, err := client.NewSession()
	fatal.If(t, err)
	if _, err := session.StdinPipe(); err != nil { // or its input would end
		t.Fatal(err)
	}
	fatal.If(t, session.RequestPty("vt100", 0, 1<<31, nil))
	for range 100 {
		fatal.If(t, session.WindowChange(1<<31, 0))
	}
	fatal.If(t, session.Shell())
	h.until("ann's screens", func() bool { return h.opened.Load() == 1 })
	for i := range 500 {
		fatal.If(t, session.WindowChange(1<<31-1-i, i%3))
	}
	client.Close()
	h.until("ann's leaving", func() bool { return h.opened.Load() == 0 })
	g := h.comes("bob")
	fatal.If(t, g.Session.WindowChange(20, 70))
	h.sees(g, "70 by 20")
}

// One who never reads takes a place only until somebody needs it or the server stops.
func TestNeverReads(t *testing.T) {
	h := keep(t, serve.Limits{Leave: 100 * time.Millisecond, Lost: 500 * time.Millisecond})
	deaf := func() net.Conn {
		client, conn, err := servetest.Connect("", h.address, h.config("ann"))
		fatal.If(t, err)
		channel, requests, err := client.OpenChannel("session", nil)
		fatal.If(t, err)
		go ssh.DiscardRequests(requests) // answers keepalives, and never reads what is drawn
		_, err = channel.SendRequest("pty-req", true, ssh.Marshal(struct {
			Term       string
			W, H, X, Y uint32
			Modes      string
		}{"xterm-256color", 500, 300, 0, 0, ""}))
		if err == nil {
			_, err = channel.SendRequest("shell", true, nil)
		}
		fatal.If(t, err)
		go func() { // the screen changes all the time, until nothing more is taken
			for i := 0; ; i++ {
				if _, err := channel.SendRequest("window-change", false, ssh.Marshal(struct{ W, H, X, Y uint32 }{uint32(400 + i%100), uint32(200 + i%100), 0, 0})); err != nil {
					return
				}
				if _, err := io.WriteString(channel, strings.Repeat("x", 50)); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		return conn
	}
	conn := deaf()
	h.until("ann's screens", func() bool { return h.opened.Load() == 1 })
	h.works2()
	again := h.comes("ann") // takes over
	h.types(again, "back")
	h.sees(again, "back>")
	conn.Close()
	again.Close()
	h.until("ann's leaving", func() bool { return h.opened.Load() == 0 })
	conn = deaf()
	defer conn.Close()
	h.until("ann's screens", func() bool { return h.opened.Load() == 1 })
	h.stop()
	if n := h.opened.Load(); n != 0 {
		t.Errorf("%d screens are open when the server has stopped", n)
	}
}

// works2 is works beside others.
func (h *house) works2() {
	h.t.Helper()
	g := h.comes("bob")
	h.types(g, "still here")
	h.sees(g, "still here>")
	g.Close()
}

// A flood delays its own guest alone, and is paced.
func TestFlood(t *testing.T) {
	h := keep(t, serve.Limits{Leave: 500 * time.Millisecond})
	ann, began := h.comes("ann"), time.Now()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ann.Type(strings.Repeat("flood", 1000)) == nil {
		}
	}()
	h.until("the flood", func() bool { return h.keys.Load() > 1500 })
	for range 5 {
		h.works2()
	}
	// 2,000 at once, then 300 a second; the others type some, too.
	h.until("more of it", func() bool { return h.keys.Load() > 2800 })
	if keys, most := h.keys.Load(), 2100+300*time.Since(began).Seconds(); float64(keys) > most {
		t.Errorf("%d keys in %v: %.0f are let through", keys, time.Since(began), most)
	}
	again := h.comes("ann") // who floods can still be taken over from
	again.Close()
	ann.Close()
	<-done
}

// What never ends is not kept for ever.
func TestEndlessSequences(t *testing.T) {
	h := keep(t, serve.Limits{Leave: 500 * time.Millisecond})
	for name, begin := range map[string]string{
		"command": "\x1b]52;c;", "device": "\x1bP", "application": "\x1b_", "control": "\x1b[", "8 bit": "\x9d", "8 bit control": "\x9b", "in a paste": "\x1b[200~ab\x1b]",
		"parameters": "\x1b[" + strings.Repeat("1;", 40) + "m", "after text": "ab\x1b[" + strings.Repeat(":", 100),
	} {
		g := h.comes("ann")
		h.types(g, begin)
		var err error
		for i := 0; i < 100 && err == nil && name != "parameters"; i++ {
			err = g.Type(strings.Repeat("1;", 2000))
		}
		if err := g.Ends(patience); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		g.Close()
		h.until("ann's leaving", func() bool { return h.opened.Load() == 0 })
	}
	g := h.comes("ann")
	h.types(g, "\x1b[200~")
	go func() {
		for g.Type(strings.Repeat("paste", 20_000)) == nil {
		}
	}()
	if err := g.Ends(patience); err != nil {
		t.Errorf("a paste without end: %v", err)
	}
	if !strings.Contains(h.logged(), "nothing that a terminal sends") {
		t.Errorf("the log says\n%s", h.logged())
	}
	// What is long, and ends, is taken.
	bob := h.comes("bob")
	h.types(bob, "\x1b[200~"+strings.Repeat("größer\x1b[31m ", 100_000)+"end\x1b[201~")
	h.sees(bob, "end>")
	h.types(bob, "\x1b]11;rgb:0000/0000/0000\x1b\\ and \x1b[1;5Aon")
	h.sees(bob, "end and on>")
}

// A guest who sends more than a guest may is told so, by whichever connection it comes; others go on.
func TestSentTooMuch(t *testing.T) {
	h := keep(t, serve.Limits{Sent: 20_000, Leave: 200 * time.Millisecond})
	bob := h.comes("bob")
	for range 2 {
		ann := h.comes("ann")
		h.types(ann, strings.Repeat("word ", 3000))
		_ = ann.Type(strings.Repeat("word ", 3000))
		if err := ann.Ends(patience); err != nil {
			t.Error(err)
		}
		ann.Close()
		h.until("ann's leaving", func() bool { return h.opened.Load() == 1 })
	}
	if !strings.Contains(h.logged(), "you sent more than a guest may") {
		t.Errorf("the log says\n%s", h.logged())
	}
	h.types(bob, "typed")
	h.sees(bob, "typed>")
}

func TestTimeOuts(t *testing.T) {
	h := keep(t, serve.Limits{Idle: 30 * time.Minute, Absolute: time.Hour, Lost: 60 * time.Millisecond})
	ann := h.comes("ann")
	h.types(ann, "typed")
	h.sees(ann, "<typed>")
	h.clock.Add(int64(29 * time.Minute))
	h.types(ann, " more")
	h.sees(ann, "<typed more>")
	h.clock.Add(int64(29 * time.Minute))
	h.types(ann, " again")
	h.sees(ann, "<typed more again>")
	h.clock.Add(int64(3 * time.Minute))
	if err := ann.Ends(patience); err != nil || h.saved("ann") != "typed more again" {
		t.Errorf("after an hour: %v, %q", err, h.saved("ann"))
	}
	if !strings.Contains(h.logged(), "a connection lasts at most 1h") {
		t.Errorf("the log says\n%s", h.logged())
	}
	bob := h.comes("bob")
	h.types(bob, "x")
	h.sees(bob, "<x>")
	h.clock.Add(int64(31 * time.Minute))
	if err := bob.Ends(patience); err != nil || h.saved("bob") != "x" || !strings.Contains(h.logged(), "no key was pressed for 30m") {
		t.Errorf("after half an hour: %v, %q", err, h.saved("bob"))
	}
}

func TestTakeover(t *testing.T) {
	h := keep(t, serve.Limits{})
	first := h.comes("ann")
	h.types(first, "one")
	h.sees(first, "<one>")
	second := h.comes("ann")
	if err := first.Ends(patience); err != nil || h.saved("ann") != "one" {
		t.Errorf("%v, %q", err, h.saved("ann"))
	}
	if n := h.opened.Load(); n != 1 || h.server.Counts.TakenOver.Load() != 1 {
		t.Errorf("%d screens, taken over %d times", n, h.server.Counts.TakenOver.Load())
	}
	// Many at once: each is left, and one is there in the end.
	ends := make(chan error, 30)
	for range 30 {
		go func() {
			g, err := servetest.ComeIn(h.address, h.config("ann"))
			if err == nil {
				defer g.Close()
				err = g.Until(patience, func(screen string) bool {
					return strings.Contains(screen, "pad of ann") || strings.Contains(screen, "other connections") || strings.Contains(screen, "newer connection") || strings.Contains(screen, "Paused")
				})
			}
			ends <- err
		}()
	}
	for range 30 {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	second.Close()
	h.until("ann's leaving", func() bool { return h.opened.Load() == 0 })
	h.works()
}

// When the server stops, all screens are left, and what was typed is kept.
func TestStop(t *testing.T) {
	h := keep(t, serve.Limits{})
	ann, bob := h.comes("ann"), h.comes("bob")
	h.types(ann, "a draft")
	h.types(bob, "another")
	h.sees(ann, "<a draft>")
	h.sees(bob, "<another>")
	idle, err := net.Dial("tcp", h.address) // has not signed in
	fatal.If(t, err)
	defer idle.Close()
	h.until("three connections", func() bool { return h.server.Counts.Connections.Load() == 3 })
	h.stop()
	if h.saved("ann") != "a draft" || h.saved("bob") != "another" {
		t.Errorf("kept are %q and %q", h.saved("ann"), h.saved("bob"))
	}
	if err := ann.Ends(patience); err != nil || !strings.Contains(ann.Screen(), "the server stops") {
		t.Errorf("%v\n%s", err, ann.Screen())
	}
	if _, err := net.Dial("tcp", h.address); err == nil {
		t.Error("the port is still open")
	}
}

// What arrived before the connection was lost is kept, to the last letter.
func TestLostConnections(t *testing.T) {
	h := keep(t, serve.Limits{})
	for round := range 40 {
		g := h.comes("ann")
		sent := fmt.Sprintf("round %d ", round)
		h.types(g, sent)
		if round%2 == 0 {
			h.types(g, "\x1b[200~and pasted \x1b[201~")
			sent += "and pasted "
		}
		if round%4 == 0 {
			h.types(g, "\x1b[200~and cut")
			sent += "and cut"
		}
		if round%3 == 0 {
			h.sees(g, fmt.Sprintf("round %d", round))
			g.Cut()
		} else {
			g.Close() // all that was sent arrives
		}
		h.until("a kept text", func() bool { h.mu.Lock(); defer h.mu.Unlock(); return len(h.kept["ann"]) == round+1 })
		kept := h.kept["ann"][round]
		if round%3 != 0 && kept != sent || !strings.HasPrefix(sent, kept) || !strings.HasPrefix(kept, fmt.Sprintf("round %d", round)) {
			t.Errorf("round %d: sent %q, kept %q", round, sent, kept)
		}
	}
}

// Screens that cannot be opened, or fail, leave nothing behind.
func TestFailures(t *testing.T) {
	h := keep(t, serve.Limits{Leave: 100 * time.Millisecond})
	h.refuse.Store(true)
	g, err := servetest.ComeIn(h.address, h.config("ann"))
	fatal.If(t, err)
	h.sees(g, "not today")
	if err := g.Client.Wait(); err == nil {
		t.Error("the connection stays")
	}
	h.refuse.Store(false)
	h.works()
}

// A connection that asks for its screens after a newer one has them, as one that was cut while it signed in
// may, does not take them.
func TestNewerConnectionStays(t *testing.T) {
	h := keep(t, serve.Limits{})
	config := h.config("ann")
	client, conn, err := servetest.Connect("", h.address, config)
	fatal.If(t, err)
	newer := h.comes("ann")
	older, err := servetest.Enter(client, conn, config)
	fatal.If(t, err)
	t.Cleanup(older.Close)
	h.sees(older, "You are here by a newer connection: use that one, or connect again.")
	h.types(newer, "still mine")
	h.sees(newer, "<still mine>")
	h.comes("ann") // connecting again takes them over
	h.sees(newer, "you came in by another connection")
}
