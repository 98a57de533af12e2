package work_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui/frame"
	"assay/tui/home"
	"assay/tui/tuitest"
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
			return nil, tuitest.ErrRefusing
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
func on(t *testing.T, p *picky) (*tuitest.Driver, *enginetest.Rig) {
	return configured(t, asIs, func(c *engine.Config) { p.Store, c.Store = c.Store, p })
}

// A rating that is on its way to the log is not said to be saved.
func TestRatingUnderWayIsNotSaved(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	d, rig := on(t, &picky{waits: map[session.Kind]chan struct{}{session.KindRated: gate}})
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("y satisfied").Press("y").Sees("to go").Press("3").Sees("[3]")
	d.Press("ctrl+c").Sees("Leave assay?", "… saving")
	close(gate)
	d.Sees("Everything is saved")
}

// A note, a flag and the reason for leaving a task out are asked for again, with the words,
// where they are not saved.
func TestWordsThatAreRefusedComeBack(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 2)
	d.Press("enter").Sees("your prompt")
	for _, q := range []struct{ key, asks, words string }{
		{"f12", "Your note", "half of it"}, {"f10", "Something is wrong here?", "all of it"}, {"f3", "Leave this task out?", "too hard"},
	} {
		d.Press(q.key).Sees(q.asks)
		rig.Store.Fail(tuitest.ErrRefusing)
		d.Press(q.words, "enter").Sees("no space left on device", q.asks, q.words).Lacks("It is recorded")
		d.Press("ctrl+c").Sees("Not saved: what you are writing: "+q.asks).Press("esc").Sees(q.asks, q.words)
		rig.Store.Fail(nil)
		d.Press("enter").Until("the words in the log", func(string) bool {
			events, err := rig.Store.Events(rig.ID, 1)
			return err == nil && slices.ContainsFunc(events, func(e session.Event) bool {
				return e.Payload.Kind() != session.KindWordsDrafted && strings.Contains(tuitest.JSONOf(e.Payload), q.words)
			})
		})
	}
}

// A pause tells what is not saved. Going on saves it, and nobody goes home without it unasked.
func TestPauseWithoutTheDraft(t *testing.T) {
	t.Parallel()
	store := &picky{}
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	rig.Reopen(t, func(cfg *engine.Config) { store.Store, cfg.Store = cfg.Store, store })
	d := tuitest.Drive(t, home.New(&tuitest.Shelf{Rig: rig}, tuitest.Noon), 80, 24).Sees("New session")
	screen := work.New(rig.Engine, work.Options{})
	d.Send(frame.OpenMsg{Screen: screen})
	d.Sees("enter open").Press("enter").Sees("your prompt").Press("Double ").Drafted(rig, "Double ", 0)
	store.refuse(session.KindDraftSaved)
	d.Press("it.", "f2").Sees("‖ Paused", "Not saved: your prompt").Lacks("Everything is saved")
	d.Press("esc").Sees("Leave assay?", "Not saved: your prompt", "no space left on device").Press("esc").Sees("‖ Paused")
	store.refuse("")
	d.Press("enter").Sees("your prompt").Drafted(rig, "Double it.", 0)
	d.Press("f2").Sees("‖ Paused", "Everything is saved").Press("esc").Sees("New session")
}

// What was typed and taken back is not missing in the log.
func TestTypingTakenBackIsNoLoss(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("Double").Drafted(rig, "Double", 0)
	rig.Store.Fail(tuitest.ErrRefusing)
	d.Press("!").Press("ctrl+c").Sees("Not saved: your prompt").Press("esc", "backspace", "ctrl+c").Sees("Everything is saved")
}

// A terminal that is too small for pages has room for what it needs to be, and for the
// question whether to leave.
func TestLeavingASmallTerminal(t *testing.T) {
	t.Parallel()
	for _, size := range []frame.Size{{Width: 20, Height: 5}, {Width: 59, Height: 20}, {Width: 300, Height: 19}} {
		name := fmt.Sprintf("%d×%d", size.Width, size.Height)
		d, _ := tuitest.Begin(t, 1)
		filled := func() {
			t.Helper()
			rows := strings.Split(d.Screen(), "\n")
			if len(rows) != size.Height || slices.ContainsFunc(rows, func(row string) bool { return frame.Width(row) > size.Width }) {
				t.Errorf("%s: the screen does not fit:\n%s", name, d.Screen())
			}
		}
		d.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		d.Sees("assay needs")
		filled()
		d.Press("y", "ctrl+c").Sees("Leave assay? y", "Everything is saved.")
		filled()
		d.Press("esc").Sees("assay needs").Press("ctrl+c", "y").Ends()
	}
}

// An answer of which nothing can be seen says so; a comment can be seen.
func TestAnswerOfNothingVisible(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"\x1b[2J", "\u200b\u200b"} {
		tuitest.Reviewing(t, answer).Press("1").Sees("Nothing of this answer can be shown", "C copies it")
	}
	tuitest.Reviewing(t, "<!-- later -->").Press("1").Sees("<!-- later -->")
}
