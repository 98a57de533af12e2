package serve_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"assay/data/fatal"
	"assay/tui/serve"
	"assay/tui/serve/servetest"
)

// dial opens a connection from an address of this machine that says nothing.
func (h *house) dial(from string) net.Conn {
	h.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.Dial("tcp", h.address)
	if err != nil {
		h.t.Skipf("a connection from %s: %v", from, err) // not all systems have all of 127/8
	}
	h.t.Cleanup(func() { conn.Close() })
	return conn
}

// greeted reads the server's first line: it has let the connection in.
func (h *house) greeted(conn net.Conn) {
	h.t.Helper()
	fatal.If(h.t, conn.SetReadDeadline(time.Now().Add(patience)))
	if hello := make([]byte, 4); !readFull(conn, hello) || string(hello) != "SSH-" {
		h.t.Fatalf("the server says %q; the log has\n%s", hello, h.logged())
	}
}

func readFull(conn net.Conn, data []byte) bool {
	_, err := io.ReadFull(conn, data)
	return err == nil
}

// closed reads until the server closes the connection.
func (h *house) closed(conn net.Conn) {
	h.t.Helper()
	fatal.If(h.t, conn.SetReadDeadline(time.Now().Add(patience)))
	if _, err := io.Copy(io.Discard, conn); err != nil && strings.Contains(err.Error(), "timeout") {
		h.t.Fatalf("it stays open; the log has\n%s", h.logged())
	}
}

// later lets time pass.
func (h *house) later(d time.Duration) { h.clock.Add(int64(d)) }

// fill has strangers open connections that say nothing: so many from each of so many addresses.
func (h *house) fill(addresses, each int) (all []net.Conn) {
	h.t.Helper()
	for i := range addresses {
		for range each {
			conn := h.dial(fmt.Sprintf("127.0.%d.%d", 7+i/200, 1+i%200))
			h.greeted(conn)
			all = append(all, conn)
		}
	}
	return all
}

// comesIn signs in from an address; the error says that there was no place.
func (h *house) comesIn(from string) error {
	client, _, err := servetest.Connect(from, h.address, h.config("bob"))
	if err == nil {
		h.t.Cleanup(func() { client.Close() })
	}
	return err
}

// asked is somebody at the question for a code. They are let in when they answer.
func (h *house) asked(from string) (answer func() error) {
	h.t.Helper()
	reads, types, came := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	question := ssh.KeyboardInteractive(func(_, _ string, _ []string, _ []bool) ([]string, error) {
		close(reads)
		<-types
		return []string{h.codes["cai"]}, nil
	})
	go func() {
		client, _, err := servetest.Connect(from, h.address, servetest.Config("cai", question))
		if err == nil {
			client.Close()
		}
		came <- err
	}()
	answer = sync.OnceValue(func() error {
		close(types)
		return <-came
	})
	h.t.Cleanup(func() { _ = answer() })
	select {
	case <-reads:
	case err := <-came:
		h.t.Fatal(err)
	}
	return answer
}

// Who opens connections and never signs in takes places from nobody but themselves, and not
// for long.
func TestHandshakesThatNeverFinish(t *testing.T) {
	h := keep(t, serve.Limits{Signing: 4, SigningPer: 3, SignIn: time.Hour})
	ann := h.comes("ann") // who is there is not counted
	var stranger []net.Conn
	for range 3 {
		conn := h.dial("127.0.0.2")
		h.greeted(conn)
		stranger = append(stranger, conn)
		h.later(500 * time.Millisecond)
	}
	h.closed(h.dial("127.0.0.2")) // one more than its address may have: the oldest one is there for 1.5 s
	h.later(500 * time.Millisecond)
	h.greeted(h.dial("127.0.0.2")) // now it makes room
	h.closed(stranger[0])
	h.greeted(h.dial("127.0.0.3"))
	if err := h.comesIn(""); err != nil { // all places are taken: the oldest of who has most goes, however young
		t.Fatal(err)
	}
	h.closed(stranger[1])
	h.types(ann, "still here")
	h.sees(ann, "still here>")
	h.later(5 * time.Second)
	h.works2()
	if log := h.logged(); !strings.Contains(log, "it did not sign in, and others wait") || !strings.Contains(log, `"signing_in":`) {
		t.Errorf("the log has\n%s", log)
	}
}

// One address that takes all its places keeps nobody out who comes from it, too.
func TestSigningFromOneAddress(t *testing.T) {
	h := keep(t, serve.Limits{SignIn: time.Hour})
	all := h.fill(1, 120)
	if err := h.comesIn("127.0.7.1"); err == nil {
		t.Error("they were there for no time, and one was closed")
	}
	h.later(2 * time.Second)
	if err := h.comesIn("127.0.7.1"); err != nil {
		t.Error(err)
	}
	h.closed(all[0])
}

// Nor do many addresses with one connection each.
func TestSigningFromManyAddresses(t *testing.T) {
	h := keep(t, serve.Limits{SignIn: time.Hour})
	first := h.fill(1, 1)[0]
	h.later(time.Second)
	for i := range 299 {
		h.greeted(h.dial(fmt.Sprintf("127.0.%d.%d", 20+i/200, 1+i%200)))
	}
	h.later(time.Second)
	if err := h.comesIn(""); err != nil {
		t.Error(err)
	}
	h.closed(first)
}

// Nor do some addresses whose connections come again as soon as they are closed.
func TestSigningFromSomeAddresses(t *testing.T) {
	h := keep(t, serve.Limits{SignIn: time.Hour})
	h.fill(10, 30)
	for range 20 {
		for i := range 10 {
			h.dial(fmt.Sprintf("127.0.7.%d", 1+i)) // one of them may take the place that was left
		}
		fatal.If(t, h.comesIn("127.0.30.1"))
	}
}

// A class at the question for a code has more connections than any stranger, and keeps them
// while it types; strangers that say nothing go.
func TestSigningSparesThoseWhoType(t *testing.T) {
	h := keep(t, serve.Limits{Signing: 20, SignIn: time.Hour})
	var class []func() error
	for range 5 {
		class = append(class, h.asked("127.0.0.1"))
	}
	h.fill(5, 3)
	h.later(10 * time.Second)
	for i := range 3 {
		h.greeted(h.dial(fmt.Sprintf("127.0.0.%d", 2+i)))
	}
	for i, answer := range class {
		if err := answer(); err != nil {
			t.Errorf("%d of the class: %v", i, err)
		}
	}
	if gone := strings.Count(h.logged(), "others wait"); gone != 3 {
		t.Errorf("%d connections made room", gone)
	}
}

// Nobody sits at the question for ever.
func TestSigningAtTheQuestion(t *testing.T) {
	h := keep(t, serve.Limits{SigningPer: 2, SignIn: time.Hour})
	first := h.asked("127.0.0.1")
	h.later(time.Second)
	second := h.asked("127.0.0.1")
	h.later(13 * time.Second)
	if err := h.comesIn("127.0.0.1"); err == nil {
		t.Error("who types had to go")
	}
	h.later(time.Second)
	if err := h.comesIn("127.0.0.1"); err != nil {
		t.Error(err)
	}
	if err := first(); err == nil {
		t.Error("who was asked first is still there")
	}
	if err := second(); err != nil {
		t.Error(err)
	}
}

// A connection that does not sign in is closed after a while.
func TestHandshakeTime(t *testing.T) {
	h := keep(t, serve.Limits{SignIn: 50 * time.Millisecond})
	conn := h.dial("127.0.0.2")
	h.greeted(conn)
	h.closed(conn)
	h.works()
}
