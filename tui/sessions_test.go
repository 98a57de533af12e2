package tui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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
	shelf
	archive *archive
	bad     error
}

func (c *crowded) Sessions(context.Context) ([]session.Summary, error) { return c.archive.list, nil }

func (c *crowded) Results(context.Context) (results.Options, error) {
	return results.Options{Library: c.archive, Manage: c}, nil
}

func (c *crowded) at(id string) *session.Summary {
	i := slices.IndexFunc(c.archive.list, func(s session.Summary) bool { return s.ID == id })
	c.archive.list[i].LastSeq++
	return &c.archive.list[i]
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
	if err != nil {
		t.Fatal(err)
	}
	c := &crowded{shelf: shelf{rig: rig}, archive: &archive{logs: map[string]*scribe{}, opened: map[string]int{}}}
	s := newScribe()
	s.begin("S", "mine", 20)
	for i := range n {
		c.archive.keep(fmt.Sprintf("S%02d", i+1), s, session.Summary{
			Status: "open", Benchmark: "mine", Model: "mine", Progress: session.Progress{Tasks: 19, Done: i, Practice: 1, PracticeDone: 1},
			OpenedAt: noon().Add(-time.Duration(i) * 24 * time.Hour).UnixMilli(),
		})
	}
	return c
}

// Every open session can be continued, however many there are, and no two look the same.
func TestEverySessionCanBeContinued(t *testing.T) {
	d := drive(t, home.New(crowd(t, 9), noon), 80, 24).sees("Continue", "All 9 sessions", "9 open", "mine · mine", "task 1 of 19")
	distinct := func() {
		t.Helper()
		seen := map[string]bool{}
		for _, line := range strings.Split(d.screen(), "\n") {
			if strings.Contains(line, "mine · mine") && strings.Contains(line, "2026-0") && !strings.Contains(line, "last ") {
				_, line, _ = strings.Cut(line, "mine · mine")
				if seen[line] {
					t.Errorf("two sessions read alike: %s", line)
				}
				seen[line] = true
			}
		}
		if len(seen) < 4 {
			t.Errorf("%d sessions are told apart:\n%s", len(seen), d.screen())
		}
	}
	distinct()
	d.press("down", "down", "down", "down", "enter").sees("Sessions", "9 sessions", "enter continue", "2026-03-01")
	distinct()
	d.press("/", "03-02", "enter").sees("1 of 9 sessions", "7/19", "task 8 of 19").press("enter").sees("enter open the task").press("esc").sees("All 9 sessions")
	d.press("r").sees("enter continue").press("v").sees("in progress", "c continue").press("c").sees("‖ Paused", "esc home").press("esc").sees("Begin", "9 sessions")
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
	for _, to := range []func(d *driver) *driver{
		func(d *driver) *driver { return d.press("r").sees("enter continue").press("enter") },
		func(d *driver) *driver {
			return d.press("r").sees("enter continue").press("v").sees("c continue").press("c")
		},
	} {
		c := &counting{crowded: crowd(t, 3)}
		d := to(drive(t, home.New(c, noon), 80, 24).sees("All 3 sessions"))
		d.until("the session", func(screen string) bool {
			shown := strings.Contains(screen, "enter open the task")
			if !shown {
				d.press("down", "enter", "c", "esc")
			}
			return shown
		})
		if d.idle(); c.opened.Load() != 1 {
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
		{to: []string{"n", "enter begin"}, opens: "enter"},
	} {
		lib := &counting{crowded: crowd(t, 3)}
		d := drive(t, home.New(lib, noon), 80, 24).sees("All 3 sessions")
		walk := func(way []string) {
			for i := 0; i < len(way); i += 2 {
				d.press(way[i]).sees(way[i+1]).settled()
			}
		}
		walk(c.to)
		_, leave := d.App.Update(tuitest.NamedKeys["esc"])
		d.press(c.opens).idle()
		if lib.opened.Load() != 0 {
			t.Errorf("%s after esc opens a session at %s", c.opens, c.to)
		}
		d.run(leave)
		if c.back != nil {
			d.sees(c.back[0]).press(c.back[1])
		}
		d.sees("All 3 sessions")
		walk(c.to)
		d.press(c.opens).sees("enter open the task")
	}
}

// A session that is being begun is not left before it is on the screen.
func TestBeginningIsNotLeft(t *testing.T) {
	d := drive(t, home.New(crowd(t, 3), noon), 80, 24).sees("All 3 sessions").press("n").sees("New session", "enter begin").settled().press("enter")
	d.until("the session", func(screen string) bool {
		shown := strings.Contains(screen, "enter open the task")
		if !shown {
			d.press("esc")
		}
		return shown
	})
	d.press("esc").sees("All 3 sessions")
}

// Two sessions that were begun in the same minute, and titles that differ only where
// nobody sees it, are told apart, too.
func TestTwins(t *testing.T) {
	at := noon()
	long := strings.Repeat("x", 40)
	twins := results.Twins([]session.Summary{
		{ID: "A", Benchmark: "b", Model: "m", OpenedAt: at.UnixMilli()}, {ID: "B", Benchmark: "b", Model: "m", OpenedAt: at.Add(time.Second).UnixMilli()},
		{ID: "C", Benchmark: long + "1", OpenedAt: at.UnixMilli()}, {ID: "D", Benchmark: long + "2", OpenedAt: at.UnixMilli()},
		{ID: "E", Benchmark: "b", Model: "m", Name: "the first", OpenedAt: at.UnixMilli()}, {ID: "F", Benchmark: "b", Model: "m", Scenario: "difficulty:hard", OpenedAt: at.UnixMilli()},
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
	d := drive(t, home.New(c, noon), 80, 24).sees("All 3 sessions").press("r").sees("▸ ‖ open").settled()
	d.press("n").sees("A name for mine · mine", "enter keep it").press("q?new prompts", "enter").sees("The name is kept", "q?new prompts")
	d.press("n").sees("name: q?new prompts").press("esc").sees("enter continue")
	c.bad = errors.New("the disk is full")
	d.press("n", "x", "enter").sees("✗ the disk is full").press("down")

	d.press("x").sees("Close mine · mine, begun 2026-03-08 12:00?", "with 1 of 19 tasks done", "cannot be continued").press("n").sees("3 sessions").press("x", "y").sees("The session is closed", "✗ abandoned")
	d.press("up", "down").sees("enter results").press("x").sees("not now: the session has ended")

	d.press("d").sees("Delete mine · mine", "cannot be undone", "tombstone", "type delete").press("enter").sees("type delete").press("del", "enter").sees("type delete")
	d.press("ete", "enter").sees("The session is deleted", "2 sessions").lacks("abandoned")
	d.press("/", "withdrawn", "enter").sees("1 of 2 sessions", "– withdrawn").press("d").sees("not now: the session was deleted")
	d.press("esc", "esc").sees("All 2 sessions", "q?new prompts")
}

// Sessions of a study are not ended by the way.
func TestStudySessionsBelongToTheirOwner(t *testing.T) {
	c := crowd(t, 1)
	c.archive.list[0].Study = &session.Place{}
	d := drive(t, home.New(c, noon), 80, 24).press("r").sees("enter continue")
	d.press("d").sees("not now: it belongs to a study").press("x").sees("not now: it belongs to a study").press("n").sees("A name for")
}

// Esc on the home screen never quits; q does.
func TestEscDoesNotQuit(t *testing.T) {
	d := drive(t, home.New(fullShelf(t), noon), 80, 24).sees("q quit")
	d.press("esc").sees("esc does not quit: q does").press("esc", "down").lacks("esc does not quit")
	if d.idle(); d.Quit {
		t.Fatal("esc ended the program")
	}
	d.press("q").ends()
}
