package home_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui/home"
	"assay/tui/results"
	"assay/tui/tuitest"
)

// crowded is a library with many sessions of the same benchmark and model, which can be
// changed.
type crowded struct {
	tuitest.Shelf
	archive *tuitest.Archive
	bad     error
}

func (c *crowded) Sessions(context.Context) ([]session.Summary, error) { return c.archive.List, nil }

func (c *crowded) Results(context.Context) (results.Options, error) {
	return results.Options{Library: c.archive, Manage: c}, nil
}

func (c *crowded) at(id string) *session.Summary {
	c.archive.List = slices.Clone(c.archive.List) // screens hold the list of before
	i := slices.IndexFunc(c.archive.List, func(s session.Summary) bool { return s.ID == id })
	c.archive.List[i].LastSeq++
	return &c.archive.List[i]
}

func (c *crowded) Rename(_ context.Context, id, name string) error {
	if c.bad == nil {
		c.at(id).Name = name
	}
	return c.bad
}

func (c *crowded) Close(_ context.Context, id string) error {
	c.at(id).Status = "abandoned"
	return nil
}

func (c *crowded) Withdraw(_ context.Context, id string) error {
	c.at(id).Status = "withdrawn"
	return nil
}

func crowd(t *testing.T, n int) *crowded {
	t.Helper()
	rig, err := enginetest.New(2)
	fatal.If(t, err)
	c := &crowded{Shelf: tuitest.Shelf{Rig: rig}, archive: &tuitest.Archive{Logs: map[string]*tuitest.Scribe{}, Opened: map[string]int{}}}
	s := tuitest.NewScribe()
	s.Begin("S", "mine", 20)
	for i := range n {
		c.archive.Keep(fmt.Sprintf("S%02d", i+1), s, session.Summary{
			Status: "open", Benchmark: "mine", Model: "mine", Progress: session.Progress{Tasks: 19, Done: i, Practice: 1, PracticeDone: 1},
			OpenedAt: tuitest.Noon().Add(-time.Duration(i) * 24 * time.Hour).UnixMilli(),
		})
	}
	return c
}

// Every open session can be continued, however many there are, and no two look the same.
func TestEverySessionCanBeContinued(t *testing.T) {
	d := tuitest.Drive(t, home.New(crowd(t, 9), tuitest.Noon), 80, 24).Sees("Continue", "All 9 sessions", "9 open", "mine · mine", "task 1 of 19")
	distinct := func() {
		t.Helper()
		seen := map[string]bool{}
		for _, line := range strings.Split(d.Screen(), "\n") {
			if strings.Contains(line, "mine · mine") && strings.Contains(line, "2026-0") && !strings.Contains(line, "last ") {
				_, line, _ = strings.Cut(line, "mine · mine")
				if seen[line] {
					t.Errorf("two sessions read alike: %s", line)
				}
				seen[line] = true
			}
		}
		if len(seen) < 4 {
			t.Errorf("%d sessions are told apart:\n%s", len(seen), d.Screen())
		}
	}
	distinct()
	d.Press("down", "down", "down", "down", "enter").Sees("Sessions", "9 sessions", "enter continue", "2026-03-01")
	distinct()
	d.Press("/", "03-02", "enter").Sees("1 of 9 sessions", "7/19", "task 8 of 19").Press("enter").Sees("enter open the task").Press("esc").Sees("All 9 sessions")
	d.Press("r").Sees("enter continue").Press("v").Sees("in progress", "c continue").Press("c").Sees("‖ Paused", "esc home").Press("esc").Sees("Begin", "9 sessions")
}

// counting is a library that counts how often a session is begun or reopened.
type counting struct {
	*crowded
	opened atomic.Int32
}

func (c *counting) Continue(ctx context.Context, id string) (*engine.Engine, error) {
	c.opened.Add(1)
	return c.crowded.Continue(ctx, id)
}

func (c *counting) Begin(ctx context.Context, choice session.Choice) (*engine.Engine, error) {
	c.opened.Add(1)
	return c.crowded.Begin(ctx, choice)
}

// A session that was chosen is reopened once, whatever is pressed until it is on the screen:
// nobody would see the second one.
func TestSessionIsReopenedOnce(t *testing.T) {
	for _, to := range []func(d *tuitest.Driver) *tuitest.Driver{
		func(d *tuitest.Driver) *tuitest.Driver { return d.Press("r").Sees("enter continue").Press("enter") },
		func(d *tuitest.Driver) *tuitest.Driver {
			return d.Press("r").Sees("enter continue").Press("v").Sees("c continue").Press("c")
		},
	} {
		c := &counting{crowded: crowd(t, 3)}
		d := to(tuitest.Drive(t, home.New(c, tuitest.Noon), 80, 24).Sees("All 3 sessions"))
		d.Until("the session", func(screen string) bool {
			shown := strings.Contains(screen, "enter open the task")
			if !shown {
				d.Press("down", "enter", "c", "esc")
			}
			return shown
		})
		if d.Idle(); c.opened.Load() != 1 {
			t.Errorf("it was reopened %d times", c.opened.Load())
		}
	}
}

// What is typed after esc, and read before the screen has gone, opens nothing there: nobody
// would see it. The driver carries commands out after the keys, as the program may.
func TestNothingIsOpenedOnTheWayBack(t *testing.T) {
	for _, c := range []struct {
		to, back []string
		opens    string
	}{
		{to: []string{"r", "enter continue"}, opens: "enter"},
		{to: []string{"r", "enter continue", "v", "c continue"}, opens: "c", back: []string{"enter continue", "esc"}},
		{to: []string{"n", "ctrl+s begin"}, opens: "ctrl+s"},
	} {
		lib := &counting{crowded: crowd(t, 3)}
		d := tuitest.Drive(t, home.New(lib, tuitest.Noon), 80, 24).Sees("All 3 sessions")
		walk := func(way []string) {
			for i := 0; i < len(way); i += 2 {
				d.Press(way[i]).Sees(way[i+1]).Settled()
			}
		}
		walk(c.to)
		_, leave := d.App.Update(tuitest.NamedKeys["esc"])
		d.Press(c.opens).Idle()
		if lib.opened.Load() != 0 {
			t.Errorf("%s after esc opens a session at %s", c.opens, c.to)
		}
		d.Run(leave)
		if c.back != nil {
			d.Sees(c.back[0]).Press(c.back[1])
		}
		d.Sees("All 3 sessions")
		walk(c.to)
		d.Press(c.opens).Sees("enter open the task")
	}
}

// A session that is being begun is not left before it is on the screen.
func TestBeginningIsNotLeft(t *testing.T) {
	d := tuitest.Drive(t, home.New(crowd(t, 3), tuitest.Noon), 80, 24).Sees("All 3 sessions").Press("n").Sees("New session", "ctrl+s begin").Settled().Press("ctrl+s")
	d.Until("the session", func(screen string) bool {
		shown := strings.Contains(screen, "enter open the task")
		if !shown {
			d.Press("esc")
		}
		return shown
	})
	d.Press("esc").Sees("All 3 sessions")
}

// Two sessions that were begun in the same minute, and titles that differ only where
// nobody sees it, are told apart, too.
func TestTwins(t *testing.T) {
	at := tuitest.Noon()
	long := strings.Repeat("x", 40)
	twins := results.Twins([]session.Summary{
		{ID: "A", Benchmark: "b", Model: "m", OpenedAt: at.UnixMilli()}, {ID: "B", Benchmark: "b", Model: "m", OpenedAt: at.Add(time.Second).UnixMilli()},
		{ID: "C", Benchmark: long + "1", OpenedAt: at.UnixMilli()}, {ID: "D", Benchmark: long + "2", OpenedAt: at.UnixMilli()},
		{ID: "E", Benchmark: "b", Model: "m", Name: "the first", OpenedAt: at.UnixMilli()}, {ID: "F", Benchmark: "b", Model: "m", Filter: "difficulty:hard", OpenedAt: at.UnixMilli()},
		{ID: "G", Benchmark: "b", Model: "m", Sets: "T1"}, {ID: "H", Benchmark: "b", Model: "other", Sets: "T0"},
	})
	want := map[string]string{"A": "2026-03-09 12:00:00", "B": "2026-03-09 12:00:01", "C": "2026-03-09 12:00:00", "D": "2026-03-09 12:00:00 #2"}
	if fmt.Sprint(twins) != fmt.Sprint(want) {
		t.Errorf("got %v", twins)
	}
}

// A session is renamed, closed and deleted where it is listed, each after a question that
// says what it means.
func TestSessionsAreManaged(t *testing.T) {
	c := crowd(t, 3)
	d := tuitest.Drive(t, home.New(c, tuitest.Noon), 80, 24).Sees("All 3 sessions").Press("r").Sees("▸ … open").Settled()
	d.Press("n").Sees("A name for mine · mine", "enter keep it").Press("q?new prompts", "enter").Sees("The name is kept", "q?new prompts")
	d.Press("n").Sees("name: q?new prompts").Press("esc").Sees("enter continue")
	c.bad = errors.New("the disk is full")
	d.Press("n", "x", "enter").Sees("✗ the disk is full").Press("down")

	d.Press("x").Sees("Close mine · mine, begun 2026-03-08 12:00?", "with 1 of 19 tasks done", "cannot be continued").Press("n").Sees("3 sessions").Press("x", "y").Sees("The session is closed", "✗ abandoned")
	d.Press("up", "down").Sees("enter results").Press("x").Sees("not now: the session has ended")

	d.Press("d").Sees("Delete mine · mine", "cannot be undone", "tombstone", "type delete").Press("enter").Sees("type delete").Press("del", "enter").Sees("type delete")
	d.Press("ete", "enter").Sees("The session is deleted", "2 sessions").Lacks("abandoned")
	d.Press("/", "withdrawn", "enter").Sees("1 of 2 sessions", "– withdrawn").Press("d").Sees("not now: the session was deleted")
	d.Press("esc", "esc").Sees("All 2 sessions", "q?new prompts")
}

// Sessions of a study are not ended by the way.
func TestStudySessionsBelongToTheirOwner(t *testing.T) {
	c := crowd(t, 1)
	c.archive.List[0].Study = &session.Place{}
	d := tuitest.Drive(t, home.New(c, tuitest.Noon), 80, 24).Press("r").Sees("enter continue")
	d.Press("d").Sees("not now: it belongs to a study").Press("x").Sees("not now: it belongs to a study").Press("n").Sees("A name for")
}

// Esc on the home screen never quits; q does.
func TestEscDoesNotQuit(t *testing.T) {
	d := tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 80, 24).Sees("q quit")
	d.Press("esc").Sees("esc does not quit: q does").Press("esc", "down").Lacks("esc does not quit")
	if d.Idle(); d.Quit {
		t.Fatal("esc ended the program")
	}
	d.Press("q").Ends()
}

// However many sessions are open and however low the terminal is, the chosen entry is visible, the wheel and the keys
// reach the last one, and a click chooses what is drawn.
func TestEveryEntryIsReached(t *testing.T) {
	c := crowd(t, 9)
	for i := range c.archive.List {
		c.archive.List[i].Status = session.StatusOpen
		if c.archive.List[i].Name = fmt.Sprintf("number %d", i); i%2 > 0 {
			c.archive.List[i].Automatic = "a program"
		}
	}
	d := tuitest.Drive(t, home.New(c, tuitest.Noon), 60, 20).Use("mouse = true").Sees("▸ number 0", "1-16 of 21")
	for range 14 {
		d.Sees("▸ ").Press("down")
	}
	d.Press("end").Sees("▸ Models", "Look").Press("up").Sees("▸ Tasks").Press("down", "down").Sees("▸ number 0", "Continue")
	d.Press("up").Sees("▸ Models").Click("New session").Sees("▸ New session")
	for range 9 {
		d.Wheel(tea.MouseWheelUp).Sees("▸ ")
	}
	d.Sees("▸ number 0", "Continue")
}
