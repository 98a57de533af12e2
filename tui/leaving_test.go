package tui_test

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// pasting is a session in which the tester brings the answers, with the first one awaited.
func pasting(t *testing.T) (*tuitest.Driver, *enginetest.Rig) {
	t.Helper()
	d, rig := tuitest.Begin(t, 2, func(c *session.Choice) { c.Model = session.Model{Name: "paste", Provider: "paste"} })
	return d.Press("enter").Sees("your prompt").Press("Double it.", "ctrl+s").Sees("The answer goes here"), rig
}

// restarted is the screen of a session after its process was killed.
func restarted(t *testing.T, rig *enginetest.Rig) *tuitest.Driver {
	t.Helper()
	fatal.If(t, rig.Crash(1000))
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	return tuitest.Drive(t, work.New(rig.Engine, work.Options{}), 80, 24)
}

// A pasted answer is there again after a pause, after leaving, and after a kill.
func TestPastedAnswerIsKept(t *testing.T) {
	t.Parallel()
	const answer = "def double(n):\n    return 2 * n"
	d, rig := pasting(t)
	d.Send(tea.PasteMsg{Content: answer})
	d.Press(" # mine").Words(rig, session.WordsAnswer, answer+" # mine")
	d.Press("f2").Sees("Paused").Press("enter").Sees("# mine")
	d = restarted(t, rig).Sees("what you had pasted is").Press("ctrl+s").Sees("return 2 * n # mine")
	d.Press("!", "ctrl+c").Sees("Everything is saved", "What you pasted is kept").Press("y").Ends()
	d = restarted(t, rig).Sees("Double it.").Press("ctrl+s").Sees("return 2 * n # mine!")
	d.Press("esc").Sees("is dropped").Press("y").Sees("your prompt").Words(rig, session.WordsAnswer, "")
	d.Press("ctrl+s").Sees("The answer goes here")
}

// Words that are being written are there again, wherever they are asked for, until they are
// handed in or dropped.
func TestHalfTypedWordsAreKept(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 2)
	d.Press("enter").Sees("your prompt").Press("f12", "half a no").Words(rig, session.WordsNote, "half a no")
	restarted(t, rig).Sees("f12 goes on").Press("f12").Sees("half a no").Press("te", "ctrl+c").Sees("Everything is saved").Press("y").Ends()
	d = restarted(t, rig).Press("f12").Sees("half a note").Press("enter").Until("the note", func(string) bool {
		s := rig.Engine.State()
		return s.Task().Note == "half a note" && len(s.Words) == 0
	})
	d.Press("f10", "broken").Words(rig, session.WordsFlag, "broken").Press("esc").Words(rig, session.WordsFlag, "")
	d.Press("f3", "too hard").Words(rig, session.WordsReason, "too hard")
	restarted(t, rig).Press("f3").Sees("too hard").Press("enter").Until("the next task", func(string) bool {
		s := rig.Engine.State()
		return s.Current < 0 && s.Tasks[0].Reason == "too hard" && len(s.Words) == 0
	})
}

// What is not saved is named when the tester leaves, with the reason, and can be put into a
// file; it is never said to be saved.
func TestLeavingWithAFullDisk(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	written := ""
	d.App.Own(func(_, text string) (string, error) { written = text; return "/home/me/unsaved.md", nil }, nil)
	d.Press("enter").Sees("your prompt").Press("Double ").Drafted(rig, "Double ", 0)
	rig.Store.Fail(tuitest.ErrRefusing)
	d.Press("it.", "ctrl+c").Sees("Not saved: your prompt", "no space left on device", "leave without it")
	if strings.Contains(d.Screen(), "Everything is saved") {
		t.Error("it claims that everything is saved")
	}
	d.Press("ctrl+c", "enter").Sees("Not saved") // neither leaves
	d.Press("w").Sees("It was written to /home/me/unsaved.md")
	if !strings.Contains(written, "Double it.") {
		t.Errorf("written: %q", written)
	}
	d.Press("esc").Sees("your prompt").Press("ctrl+c").Sees("Not saved")
	rig.Store.Fail(nil)
	d.Press("r").Sees("Everything is saved").Drafted(rig, "Double it.", 0)
	rig.Store.Fail(tuitest.ErrRefusing)
	d.Press("y").Sees("Not saved: that the session is paused now").Press("y").Ends()
	if err := d.App.Unsaved(); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("at the end: %v", err)
	}
}

// After leaving failed the session goes on as if nothing had been: also while an answer is
// awaited.
func TestStayingAfterLeavingFailed(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	d.Press("enter").Sees("your prompt").Press("Double it.", "ctrl+s").Sees("esc stop")
	d.Press("ctrl+c").Sees("Everything is saved", "costs no attempt")
	rig.Store.Fail(tuitest.ErrRefusing)
	d.Press("y").Sees("Not saved").Press("esc")
	rig.Store.Fail(nil)
	d.Sees("Double it.", "your prompt")
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("ctrl+s").Sees("y satisfied")
}

// A signal ends the program without a question. What the store does not take is put into a
// file, and the program does not end as if all were well.
func TestSignalWithAFullDisk(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	written := ""
	d.App.Own(func(_, text string) (string, error) { written = text; return "/home/me/unsaved.md", nil }, nil)
	d.Press("enter").Sees("your prompt").Press("Double ").Drafted(rig, "Double ", 0)
	rig.Store.Fail(tuitest.ErrRefusing)
	d.Press("it.")
	d.Send(tui.LeaveMsg{})
	d.Ends()
	if err := d.App.Unsaved(); written == "" || err == nil || !strings.Contains(err.Error(), "/home/me/unsaved.md") {
		t.Errorf("written %q, at the end: %v", written, err)
	}
}

// A signal that comes while the answer "leave" is being carried out does not ask again
// either, and still puts what the store does not take into a file.
func TestSignalWhileLeaving(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 1)
	written := false
	d.App.Own(func(string, string) (string, error) { written = true; return "/home/me/unsaved.md", nil }, nil)
	d.Press("enter").Sees("your prompt").Press("Double it.", "ctrl+c").Sees("Everything is saved")
	rig.Store.Fail(tuitest.ErrRefusing)
	d.Press("y")
	d.Send(tui.LeaveMsg{})
	d.Ends()
	if err := d.App.Unsaved(); err == nil || written && !strings.Contains(err.Error(), "/home/me/unsaved.md") {
		t.Errorf("written %v, at the end: %v", written, err)
	}
}
