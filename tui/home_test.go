package tui_test

import (
	"context"
	"strings"
	"testing"

	"assay/session"
	"assay/session/engine"
	"assay/tui/home"
)

// slowShelf is a library that is still being read.
type slowShelf struct {
	shelf
	read, reopen chan struct{}
	reopened     int
}

func (s *slowShelf) Sessions(ctx context.Context) ([]session.Summary, error) {
	<-s.read
	return s.shelf.Sessions(ctx)
}

func (s *slowShelf) Continue(ctx context.Context, id string) (*engine.Engine, error) {
	<-s.reopen
	s.reopened++
	return s.shelf.Continue(ctx, id)
}

// Keys that are pressed before the sessions are read, and before the chosen one is open,
// are for what comes, in the order in which they were pressed; nothing is opened twice.
func TestKeysAheadOfHome(t *testing.T) {
	s := &slowShelf{shelf: *fullShelf(t), read: make(chan struct{}), reopen: make(chan struct{})}
	d := drive(t, home.New(s, noon), 80, 24).sees("assay", "reading…").lacks("New session")
	d.press("down", "enter", "enter", "double it", "enter").lacks("New session")
	close(s.read)
	d.sees("▸ core · rehearsal")
	close(s.reopen)
	d.sees("your prompt", "double it", "1/10")
	if s.reopened != 1 {
		t.Errorf("the session was opened %d times", s.reopened)
	}
	if d.press("f2").sees("‖ Paused"); s.rig.Engine.State().Task().Draft() != "double it\n" {
		t.Errorf("the draft is %q", s.rig.Engine.State().Task().Draft())
	}
}

// A key for help waits like the others, and finds its page.
func TestHelpAheadOfHome(t *testing.T) {
	s := &slowShelf{shelf: *fullShelf(t), read: make(chan struct{})}
	d := drive(t, home.New(s, noon), 80, 24).press("?")
	close(s.read)
	d.sees("Keys", "rehearse")
}

// lacks fails when a text is on the screen.
func (d *driver) lacks(text string) *driver {
	d.T.Helper()
	if screen := d.screen(); strings.Contains(screen, text) {
		d.T.Fatalf("the screen shows %q:\n%s", text, screen)
	}
	return d
}

// The session that a study has next for its tester is among those to continue, and begins.
func TestNextSessionOfAStudy(t *testing.T) {
	s := fullShelf(t)
	s.sessions = nil
	s.next = &home.NextSession{Study: "Two models", Part: 2, Last: 3, Begin: func(context.Context) (*engine.Engine, error) { return s.rig.Engine, nil }}
	drive(t, home.New(s, noon), 80, 24).sees("Continue", "▸ Next session of Two models", "session 2 of 3").press("enter").sees("open the task")
}

// What a program works on is not continued here: it is looked at.
func TestAutomaticAtHome(t *testing.T) {
	s := fullShelf(t)
	s.sessions = []session.Summary{{ID: "S2", Benchmark: "starter", Model: "gpt", Progress: session.Progress{Done: 1, Tasks: 4}, LastAt: noon().UnixMilli(), Status: "open", Automatic: "verdict"}}
	drive(t, home.New(s, noon), 80, 24).sees("Automatic tester, in progress", "▸ starter · gpt", "task 2 of 4").lacks("Continue").press("enter").sees("Session in progress")
}
