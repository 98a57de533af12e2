package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/data/fatal"
)

// settle compares the logs of a tester whose connection ended at some moment with what was seen: every
// prompt sent, and the text typed until the given time. It returns the number of lost letters.
func (h *human) settle(sent []string, draft string, until time.Time) (lost int, err error) {
	if len(sent) < h.seen || len(sent) > len(h.sent) || strings.Join(sent, "\n") != strings.Join(h.sent[:len(sent)], "\n") {
		return 0, fmt.Errorf("%s sent\n%q\nand saw %d of them sent; the log has\n%q", h.name, h.sent, h.seen, sent)
	}
	typed := h.typed
	if len(sent) < len(h.sent) { // the last one was typed, but not sent
		typed = h.sent[len(h.sent)-1]
	}
	if typed != "" {
		must := 0
		for must < min(len(typed), len(h.letters)) && h.letters[must].Before(until) {
			must++
		}
		if len(draft) < must || !strings.HasPrefix(typed, draft[:min(len(draft), len(typed))]) {
			return 0, fmt.Errorf("%s typed %q, and %d letters of it long enough ago; the draft is %q", h.name, typed, must, draft)
		}
		lost = max(0, len(typed)-len(draft))
	}
	h.sent, h.seen, h.typed = sent, len(sent), ""
	return lost, nil
}

// TestServedKill kills the server with -9 while testers work: each continues where they were, and at most a
// second of typing is lost.
func TestServedKill(t *testing.T) {
	t.Parallel()
	rounds := 2
	if n, err := strconv.Atoi(os.Getenv("ASSAY_KILLS")); err == nil {
		rounds = n
	}
	p := newServedPlace(t, 6, streamingModel(t, 5*time.Millisecond), "--executions", "1")
	var humans []*human
	for _, name := range p.names {
		humans = append(humans, newHuman(p, name, pace{30 * time.Millisecond, 100 * time.Millisecond}))
	}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	lost, most := 0, 0
	for range rounds {
		p.start()
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for _, h := range humans {
			all.Go(func() {
				if err := h.comeIn(); err != nil {
					t.Errorf("%s: %v", h.name, err)
					return
				}
				_ = h.work(ctx) // until the server is gone
			})
		}
		// The test is about random moments of the kill, of testers who have sent something.
		busy, enough := context.WithTimeout(t.Context(), busyMachine)
		await(busy, humans, func(h *human) bool { return h.judged.Load() })
		enough()
		time.Sleep(time.Duration(1000+random.IntN(2000)) * time.Millisecond)
		p.kill()
		killed := time.Now()
		cancel()
		all.Wait()
		p.leave(humans)
		sent, drafts, _ := p.logged()
		for _, h := range humans {
			n, err := h.settle(sent[h.name], drafts[h.name], killed.Add(-time.Second))
			if err != nil {
				t.Error(err)
			}
			lost, most = lost+n, max(most, n)
		}
	}
	prompts := 0
	for _, h := range humans {
		prompts += len(h.sent)
	}
	if prompts == 0 {
		t.Error("nothing was sent: nothing was tested")
	}
	t.Logf("%d kills of a server with %d testers: %d prompts, %d letters lost in all, at most %d of a tester; all within a second", rounds, len(humans), prompts, lost, most)
}

// TestServedCut cuts connections at random moments: no letter that was on the screen is lost, and the
// tester continues where they were.
func TestServedCut(t *testing.T) {
	t.Parallel()
	rounds := 4
	if n, err := strconv.Atoi(os.Getenv("ASSAY_KILLS")); err == nil {
		rounds = n
	}
	p := newServedPlace(t, 3, streamingModel(t, 5*time.Millisecond), "--executions", "1")
	p.start()
	var all sync.WaitGroup
	cuts := 0
	var humans []*human
	for _, name := range p.names {
		h := newHuman(p, name, pace{10 * time.Millisecond, 50 * time.Millisecond})
		humans = append(humans, h)
		cuts += rounds
		all.Go(func() {
			for range rounds {
				if err := h.comeIn(); err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(300+h.random.IntN(1200))*time.Millisecond)
				if err := h.work(ctx); err != nil && ctx.Err() == nil {
					t.Errorf("%s: %v", name, err)
				}
				cancel()
				h.guest.Cut()
				if h.seen < len(h.sent) { // perhaps it was sent: the log will say
					h.unsure = append(h.unsure, len(h.sent)-1)
				}
			}
		})
	}
	all.Wait()
	for strings.Count(p.log(), `"msg":"came in"`) > strings.Count(p.log(), `"msg":"left"`) {
		time.Sleep(10 * time.Millisecond)
	}
	p.stop()
	sent, drafts, events := p.logged()
	prompts := 0
	for _, h := range humans {
		var want []string
		log := sent[h.name]
		for i, text := range h.sent {
			if len(log) > len(want) && log[len(want)] == text {
				want = append(want, text)
				continue
			}
			if !slices.Contains(h.unsure, i) {
				t.Errorf("%s saw that prompt %d was sent: %q; the log has\n%q", h.name, i, text, log)
			}
		}
		if len(want) != len(log) {
			t.Errorf("%s: the log has more than was sent:\n%q\n%q", h.name, log, h.sent)
		}
		if h.typed != "" && !strings.HasPrefix(drafts[h.name], h.typed) {
			t.Errorf("%s had %q on the screen, the draft is %q", h.name, h.typed, drafts[h.name])
		}
		prompts += len(log)
	}
	t.Logf("%d cuts, %d prompts, %d events: what was on a screen is in a log", cuts, prompts, events)
	if out, err := p.command("session", "verify").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	// The server's log contains no typed text, and only lines of JSON.
	if text := p.log(); strings.Contains(text, "prompt") || strings.Contains(text, "code ") {
		t.Errorf("the log has what was typed:\n%s", text)
	}
	for line := range bytes.Lines([]byte(fatal.Read(t, filepath.Join(p.dir, "log")))) {
		if !bytes.HasPrefix(line, []byte(`{"time":`)) {
			t.Errorf("%q is no line of JSON", line)
		}
	}
}
