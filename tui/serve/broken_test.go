package serve_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/tui/serve"
	"assay/tui/serve/servetest"
)

// A screen that hangs keeps its guest's place only until the guest comes again, and what
// belongs to it is left.
func TestScreensThatHang(t *testing.T) {
	h := keep(t, serve.Limits{Leave: 20 * time.Millisecond, HungUp: 50 * time.Millisecond})
	h.stuck = make(chan struct{})
	for range 3 {
		before := h.keys.Load()
		ann := h.comes("ann")
		if n := h.opened.Load(); n != 1 {
			t.Errorf("%d desks are open", n)
		}
		h.types(ann, "!more")
		h.until("the key", func() bool { return h.keys.Load() > before })
		ann.Cut()
	}
	h.comes("ann").Close()
	if n := strings.Count(h.logged(), `"msg":"screens killed","guest":"ann"`); n != 3 {
		t.Errorf("%d screens were killed:\n%s", n, h.logged())
	}
	h.until("ann's leaving", func() bool { return h.server.Counts.Open.Load() == 0 && h.opened.Load() == 0 })
	h.until("four to leave", func() bool { return strings.Count(h.logged(), `"msg":"left"`) == 4 })
	if came := strings.Count(h.logged(), `"msg":"came in"`); came != 4 {
		t.Errorf("%d came", came)
	}
	close(h.stuck)
	h.works()
}

// A connection that is cut while a screen hangs and more keys wait is noticed by itself,
// and so the server can stop.
func TestHangingScreenIsCut(t *testing.T) {
	h := keep(t, serve.Limits{Lost: 300 * time.Millisecond, Leave: 20 * time.Millisecond, HungUp: 50 * time.Millisecond})
	h.stuck = make(chan struct{})
	ann := h.comes("ann")
	h.types(ann, "!more")
	h.until("the key", func() bool { return h.keys.Load() > 0 })
	ann.Cut()
	h.until("ann's leaving", func() bool { return h.server.Counts.Open.Load() == 0 && h.opened.Load() == 0 })
	bob := h.comes("bob")
	h.types(bob, "!")
	h.until("bob's key", func() bool { return h.keys.Load() > 1 })
	h.stop()
	if h.opened.Load() != 0 || strings.Contains(h.logged(), "could not be left\",\"open\"") {
		t.Errorf("the server stopped, and screens are open:\n%s", h.logged())
	}
	close(h.stuck)
}

// A panic in a screen, in its drawing or in a command closes this screen alone: its guest's others
// go on, as everybody else's. It is a line of the log without what was typed.
func TestScreensThatBreak(t *testing.T) {
	h := keep(t, serve.Limits{})
	raw, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	fatal.If(t, err)
	standard := os.Stderr
	os.Stderr = raw
	defer func() { os.Stderr = standard }()
	bob := h.comes("bob")
	keys := []string{"u", "v", "i", "c", "b", "s"}
	ann := h.comes("ann")
	for i, key := range keys {
		h.types(ann, ">") // opens another pad over this one
		h.sees(ann, "<over>")
		h.breaks.Store(true)
		h.types(ann, key)
		h.sees(ann, "This screen has failed")
		h.breaks.Store(false)
		if n := strings.Count(h.logged(), `"msg":"a screen broke","guest":"ann"`); n < i+1 {
			t.Errorf("%s: %d are in the log", key, n)
		}
		h.types(ann, "w\x1b")
		h.sees(ann, "<>")
	}
	h.breaks.Store(true)
	h.types(ann, "u")
	h.sees(ann, "leave assay")
	h.breaks.Store(false)
	h.types(ann, "\x1b")
	if err := ann.Ends(patience); err != nil {
		t.Error(err)
	}
	ann.Close()
	h.until("ann's leaving", func() bool { return h.opened.Load() == 1 && h.server.Counts.Open.Load() == 1 })
	h.types(bob, "still here")
	h.sees(bob, "still here>")
	bob.Close()
	h.stop()
	for line := range strings.Lines(h.logged()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("the log has the line %q", line)
		}
	}
	if log := h.logged(); strings.Contains(log, "was typed") || !strings.Contains(log, "index out of range [1] with length 0") || !strings.Contains(log, "(*pad).breaks") {
		t.Errorf("the log has\n%s", log)
	}
	if text, err := os.ReadFile(raw.Name()); err != nil || len(text) > 0 {
		t.Errorf("standard error has %q, %v", text, err)
	}
	if err := raw.Close(); err != nil {
		t.Error(err)
	}
}

// Times that make no sense end the screens, not the server.
func TestNegativeTimes(t *testing.T) {
	h := keep(t, serve.Limits{Idle: -time.Hour})
	g, err := servetest.ComeIn(h.address, h.config("ann"))
	fatal.If(t, err)
	defer g.Close()
	if err := g.Ends(patience); err != nil {
		t.Error(err)
	}
}
