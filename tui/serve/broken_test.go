package serve_test

import (
	"strings"
	"testing"
	"time"

	"assay/tui/serve"
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
	if came, left := strings.Count(h.logged(), `"msg":"came in"`), strings.Count(h.logged(), `"msg":"left"`); came != 4 || left != 4 {
		t.Errorf("%d came, %d left", came, left)
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
