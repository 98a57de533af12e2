package home_test

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine"
	"assay/tui/home"
	"assay/tui/models"
	"assay/tui/tuitest"
)

// slowShelf is a library that is still being read.
type slowShelf struct {
	tuitest.Shelf
	read, reopen chan struct{}
	reopened     int
}

func (s *slowShelf) Sessions(ctx context.Context) ([]session.Summary, error) {
	<-s.read
	return s.Shelf.Sessions(ctx)
}

func (s *slowShelf) Continue(ctx context.Context, id string) (*engine.Engine, error) {
	<-s.reopen
	s.reopened++
	return s.Shelf.Continue(ctx, id)
}

// Keys that are pressed before the sessions are read, and before the chosen one is open,
// are for what comes, in the order in which they were pressed; nothing is opened twice.
func TestKeysAheadOfHome(t *testing.T) {
	s := &slowShelf{Shelf: *tuitest.FullShelf(t), read: make(chan struct{}), reopen: make(chan struct{})}
	d := tuitest.Drive(t, home.New(s, tuitest.Noon), 80, 24).Sees("assay", "reading…").Lacks("New session")
	d.Press("down", "enter", "enter", "double it", "enter").Lacks("New session")
	close(s.read)
	d.Sees("▸ core · rehearsal")
	close(s.reopen)
	d.Sees("your prompt", "double it", "1 of 10")
	if s.reopened != 1 {
		t.Errorf("the session was opened %d times", s.reopened)
	}
	if d.Press("f2").Sees("‖ Paused"); s.Rig.Engine.State().Task().Draft() != "double it\n" {
		t.Errorf("the draft is %q", s.Rig.Engine.State().Task().Draft())
	}
}

// A key for help waits like the others, and finds its page.
func TestHelpAheadOfHome(t *testing.T) {
	s := &slowShelf{Shelf: *tuitest.FullShelf(t), read: make(chan struct{})}
	d := tuitest.Drive(t, home.New(s, tuitest.Noon), 80, 24).Press("?")
	close(s.read)
	d.Sees("type to narrow", "rehearse")
}

// The session that a study has next for its tester is among those to continue, and begins.
func TestNextSessionOfAStudy(t *testing.T) {
	s := tuitest.FullShelf(t)
	s.Listed = nil
	s.Coming = &home.NextSession{Study: "Two models", Part: 2, Last: 3, Begin: func(context.Context) (*engine.Engine, error) { return s.Rig.Engine, nil }}
	tuitest.Drive(t, home.New(s, tuitest.Noon), 80, 24).Sees("Continue", "▸ Next session of Two models", "session 2 of 3").Press("enter").Sees("open the task")
}

// What a program works on is not continued here: it is looked at.
func TestAutomaticAtHome(t *testing.T) {
	s := tuitest.FullShelf(t)
	s.Listed = []session.Summary{{ID: "S2", Benchmark: "starter", Model: "gpt", Progress: session.Progress{Done: 1, Tasks: 4}, LastAt: tuitest.Noon().UnixMilli(), Status: "open", Automatic: "verdict"}}
	tuitest.Drive(t, home.New(s, tuitest.Noon), 80, 24).Sees("Automatic tester, in progress", "▸ starter · gpt", "task 2 of 4").Lacks("Continue").Press("enter").Sees("Session in progress")
}

// The rows name their keys, which open them; a session's number continues it. Finished sessions have none.
func TestKeysOnTheRows(t *testing.T) {
	s := tuitest.FullShelf(t)
	for _, size := range []tea.WindowSizeMsg{{Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 120, Height: 40}} {
		d := tuitest.Drive(t, home.New(s, tuitest.Noon), size.Width, size.Height).Sees("task 7 of 20", "14 tasks left, about 28 min at 2 min a task")
		for _, row := range strings.Split(d.Screen(), "\n") {
			for name, press := range map[string]string{"starter": "1", "core": "2", "All 4 sessions": "r", "New session": "n", "Rehearse": "p", "Tasks": "t", "Models": "m"} {
				if strings.Contains(row, "  "+name) && !strings.Contains(row, "✓") && !strings.HasSuffix(strings.TrimRight(row, " "), "  "+press) {
					t.Errorf("%q does not name %s", row, press)
				}
			}
		}
		d.Press("3").Sees("Continue") // there is no third session
	}
	tuitest.Drive(t, home.New(s, tuitest.Noon), 80, 24).Sees("Continue").Press("2").Sees("open the task")
}

// Where there is room, the chosen session shows how its tasks ended, the open one and the prompt begun; other rows show nothing.
func TestPreview(t *testing.T) {
	d := tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 120, 40).
		Sees("── starter · qwen2.5-coder:7b ──", "✓ ✓ ✓ ✓ ✗ ✓ … ·", "5 satisfied · 1 out of attempts · 2.17 attempts a task", "now: Good splits · attempt 1 of 5", "your prompt: Keep the order of equal shifts.")
	d.Press("down", "down").Lacks("your prompt")
	tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 80, 24).Sees("Continue").Lacks("5 satisfied")
}

// On a wide screen the preview is at the right of the entries, and a click on it chooses none.
func TestPreviewBeside(t *testing.T) {
	d := tuitest.Drive(t, home.New(tuitest.FullShelf(t), tuitest.Noon), 175, 45).Use("mouse = true").Sees("2.17 attempts a task")
	for y, row := range strings.Split(d.Screen(), "\n") {
		d.Send(tea.MouseClickMsg{X: 115, Y: y, Button: tea.MouseLeft})
		if strings.Contains(row, "5 satisfied") && !strings.Contains(row, "│    5 satisfied") {
			t.Errorf("%q", row)
		}
	}
	d.Sees("▸ starter · qwen2.5-coder:7b").Lacks("open the task")
	d.Press("down", "down").Lacks("5 satisfied")
}

// A log that cannot be read is a message, not a preview.
func TestPreviewOfADamagedLog(t *testing.T) {
	s := tuitest.FullShelf(t)
	s.Logs["1"] = s.Logs["1"][1:]
	tuitest.Drive(t, home.New(s, tuitest.Noon), 120, 40).Sees("✗ ")
}

// bareShelf has no model but those that are always there.
type bareShelf struct{ tuitest.Shelf }

func (bareShelf) Models(context.Context) (models.Options, error) {
	return models.Options{Path: "/models.toml", Models: []models.Model{{Name: "rehearsal", Provider: "rehearsal", Ready: true, BuiltIn: true}},
		Find: func(context.Context) []models.Place {
			return []models.Place{{At: "ollama", Models: []string{"qwen:7b"}}}
		}}, nil
}

// A first start leads to a model.
func TestFirstStartConnectsAModel(t *testing.T) {
	d := tuitest.Drive(t, home.New(&bareShelf{}, tuitest.Noon), 80, 24).Sees("▸ Connect a model", "New session").Lacks("which are configured")
	d.Press("enter").Sees("Add a model", "▸ qwen:7b  ollama").Press("esc").Sees("Models", "rehearsal").Press("n").Sees("New session", "attempts (k)")
}
