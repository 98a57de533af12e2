package serve_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

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
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		h.t.Fatal(err)
	}
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
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		h.t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, conn); err != nil && strings.Contains(err.Error(), "timeout") {
		h.t.Fatalf("it stays open; the log has\n%s", h.logged())
	}
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
	}
	h.closed(h.dial("127.0.0.2")) // one more than its address may have
	other := h.dial("127.0.0.3")
	h.greeted(other)
	if _, err := servetest.ComeIn(h.address, h.config("bob")); err != nil { // all are taken: the stranger's oldest goes
		t.Fatal(err)
	}
	h.closed(stranger[0])
	h.greeted(h.dial("127.0.0.3")) // in the place that bob has left
	h.closed(h.dial("127.0.0.3"))  // nobody has more than this address has
	h.greeted(h.dial("127.0.0.4")) // who has fewer gets a place
	last := h.dial("127.0.0.5")
	h.greeted(last)
	h.closed(h.dial("127.0.0.6")) // four addresses with one each
	last.Close()
	h.until("room", func() bool { return h.server.Counts.Connections.Load() == 5 }) // ann's, bob's and three
	h.types(ann, "still here")
	h.sees(ann, "still here>")
	h.works2()
	if log := h.logged(); !strings.Contains(log, "it did not sign in, and others wait") || !strings.Contains(log, `"signing_in":`) {
		t.Errorf("the log has\n%s", log)
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
