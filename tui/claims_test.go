package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/work"
)

// picky is a store that refuses events of some kinds, and keeps others waiting.
type picky struct {
	engine.Store
	mu      sync.Mutex
	refuses session.Kind
	waits   map[session.Kind]chan struct{}
}

func (p *picky) Append(ctx context.Context, id string, events []session.Event, texts map[session.Ref][]byte) ([]session.Event, error) {
	p.mu.Lock()
	refuses := p.refuses
	p.mu.Unlock()
	for _, e := range events {
		if e.Payload.Kind() == refuses {
			return nil, errRefusing
		}
		if gate := p.waits[e.Payload.Kind()]; gate != nil {
			<-gate
		}
	}
	return p.Store.Append(ctx, id, events, texts)
}

func (p *picky) refuse(kind session.Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuses = kind
}

// on is a session on a picky store.
func on(t *testing.T, p *picky) (*driver, *enginetest.Rig) {
	return configured(t, asIs, func(c *engine.Config) { p.Store, c.Store = c.Store, p })
}

// A rating that is on its way to the log is not said to be saved.
func TestRatingUnderWayIsNotSaved(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	d, rig := on(t, &picky{waits: map[session.Kind]chan struct{}{session.KindRated: gate}})
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("ctrl+s send").press("Double it", "ctrl+s").sees("y satisfied").press("y").sees("to go").press("3").sees("[3]")
	d.press("ctrl+c").sees("Leave assay?", "… saving")
	close(gate)
	d.sees("Everything is saved")
}

// A note, a flag and the reason for leaving a task out are asked for again, with the words,
// where they are not saved.
func TestWordsThatAreRefusedComeBack(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 2)
	d.press("enter").sees("your prompt")
	for _, q := range []struct{ key, asks, words string }{
		{"f12", "Your note", "half of it"}, {"f10", "Something is wrong here?", "all of it"}, {"f3", "Leave this task out?", "too hard"},
	} {
		d.press(q.key).sees(q.asks)
		rig.Store.Fail(errRefusing)
		d.press(q.words, "enter").sees("no space left on device", q.asks, q.words).lacks("It is recorded")
		d.press("ctrl+c").sees("Not saved: what you are writing: "+q.asks).press("esc").sees(q.asks, q.words)
		rig.Store.Fail(nil)
		d.press("enter").until("the words in the log", func(string) bool {
			events, err := rig.Store.Events(rig.ID, 1)
			return err == nil && slices.ContainsFunc(events, func(e session.Event) bool {
				return e.Payload.Kind() != session.KindWordsDrafted && strings.Contains(jsonOf(e.Payload), q.words)
			})
		})
	}
}

// A pause tells what is not saved. Going on saves it, and nobody goes home without it unasked.
func TestPauseWithoutTheDraft(t *testing.T) {
	t.Parallel()
	store := &picky{}
	rig, err := enginetest.New(1)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := rig.Engine.Close(ctx); err != nil {
		t.Fatal(err)
	}
	cfg := rig.Config()
	store.Store, cfg.Store = cfg.Store, store
	if rig.Engine, err = engine.Reopen(ctx, cfg, rig.ID); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rig.Engine.Close(ctx) })
	d := drive(t, home.New(&shelf{rig: rig}, noon), 80, 24).sees("New session")
	screen := work.New(rig.Engine, work.Options{})
	d.send(frame.OpenMsg{Screen: screen})
	d.sees("enter open").press("enter").sees("your prompt").press("Double ").drafted(rig, "Double ", 0)
	store.refuse(session.KindDraftSaved)
	d.press("it.", "f2").sees("‖ Paused", "Not saved: your prompt").lacks("Everything is saved")
	d.press("esc").sees("Leave assay?", "Not saved: your prompt", "no space left on device").press("esc").sees("‖ Paused")
	store.refuse("")
	d.press("enter").sees("your prompt").drafted(rig, "Double it.", 0)
	d.press("f2").sees("‖ Paused", "Everything is saved").press("esc").sees("New session")
}

// What was typed and taken back is not missing in the log.
func TestTypingTakenBackIsNoLoss(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("Double").drafted(rig, "Double", 0)
	rig.Store.Fail(errRefusing)
	d.press("!").press("ctrl+c").sees("Not saved: your prompt").press("esc", "backspace", "ctrl+c").sees("Everything is saved")
}

// A terminal that is too small for pages has room for what it needs to be, and for the
// question whether to leave.
func TestLeavingASmallTerminal(t *testing.T) {
	t.Parallel()
	for _, size := range []frame.Size{{Width: 20, Height: 5}, {Width: 59, Height: 20}, {Width: 300, Height: 19}} {
		name := fmt.Sprintf("%d×%d", size.Width, size.Height)
		d, _ := begin(t, 1)
		filled := func() {
			t.Helper()
			rows := strings.Split(d.screen(), "\n")
			if len(rows) != size.Height || slices.ContainsFunc(rows, func(row string) bool { return frame.Width(row) > size.Width }) {
				t.Errorf("%s: the screen does not fit:\n%s", name, d.screen())
			}
		}
		d.send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		d.sees("assay needs")
		filled()
		d.press("y", "ctrl+c").sees("Leave assay? y", "Everything is saved.")
		filled()
		d.press("esc").sees("assay needs").press("ctrl+c", "y").ends()
	}
}

// An answer of which nothing can be seen says so.
func TestAnswerOfNothingVisible(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"\x1b[2J", "\u200b\u200b", "<!-- later -->"} {
		reviewing(t, answer).press("1").sees("Nothing of this answer can be shown", "C copies it")
	}
}
