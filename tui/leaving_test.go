package tui_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui"
	"assay/tui/work"
)

// pasting is a session in which the tester brings the answers, with the first one awaited.
func pasting(t *testing.T) (*driver, *enginetest.Rig) {
	t.Helper()
	d, rig := begin(t, 2, func(c *session.Choice) { c.Model = session.Model{Name: "paste", Provider: "paste"} })
	return d.press("enter").sees("your prompt").press("Double it.", "ctrl+s").sees("The answer goes here"), rig
}

// restarted is the screen of a session after its process was killed.
func restarted(t *testing.T, rig *enginetest.Rig) *driver {
	t.Helper()
	if err := rig.Crash(1000); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	return drive(t, work.New(rig.Engine, work.Options{}), 80, 24)
}

// words waits until the log has words that are not handed in.
func (d *driver) words(rig *enginetest.Rig, which session.Words, want string) *driver {
	d.T.Helper()
	return d.until("the draft "+want, func(string) bool { return rig.Engine.State().Words[which] == want })
}

// A pasted answer is there again after a pause, after leaving, and after a kill.
func TestPastedAnswerIsKept(t *testing.T) {
	t.Parallel()
	const answer = "def double(n):\n    return 2 * n"
	d, rig := pasting(t)
	d.send(tea.PasteMsg{Content: answer})
	d.press(" # mine").words(rig, session.WordsAnswer, answer+" # mine")
	d.press("f2").sees("Paused").press("enter").sees("# mine")
	d = restarted(t, rig).sees("what you had pasted is").press("ctrl+s").sees("return 2 * n # mine")
	d.press("!", "ctrl+c").sees("Everything is saved", "What you pasted is kept").press("y").ends()
	d = restarted(t, rig).sees("Double it.").press("ctrl+s").sees("return 2 * n # mine!")
	d.press("esc").sees("is dropped").press("y").sees("your prompt").words(rig, session.WordsAnswer, "")
	d.press("ctrl+s").sees("The answer goes here")
}

// Words that are being written are there again, wherever they are asked for, until they are
// handed in or dropped.
func TestHalfTypedWordsAreKept(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 2)
	d.press("enter").sees("your prompt").press("f12", "half a no").words(rig, session.WordsNote, "half a no")
	restarted(t, rig).sees("f12 goes on").press("f12").sees("half a no").press("te", "ctrl+c").sees("Everything is saved").press("y").ends()
	d = restarted(t, rig).press("f12").sees("half a note").press("enter").until("the note", func(string) bool {
		s := rig.Engine.State()
		return s.Task().Note == "half a note" && len(s.Words) == 0
	})
	d.press("f10", "broken").words(rig, session.WordsFlag, "broken").press("esc").words(rig, session.WordsFlag, "")
	d.press("f3", "too hard").words(rig, session.WordsReason, "too hard")
	restarted(t, rig).press("f3").sees("too hard").press("enter").until("the next task", func(string) bool {
		s := rig.Engine.State()
		return s.Current < 0 && s.Tasks[0].Reason == "too hard" && len(s.Words) == 0
	})
}

// refusing is a store that takes nothing.
var errRefusing = errors.New("no space left on device")

// What is not saved is named when the tester leaves, with the reason, and can be put into a
// file; it is never said to be saved.
func TestLeavingWithAFullDisk(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	written := ""
	d.App.Own(func(text string) (string, error) { written = text; return "/home/me/unsaved.md", nil }, nil)
	d.press("enter").sees("your prompt").press("Double ").drafted(rig, "Double ", 0)
	rig.Store.Fail(errRefusing)
	d.press("it.", "ctrl+c").sees("Not saved: your prompt", "no space left on device", "leave without it")
	if strings.Contains(d.screen(), "Everything is saved") {
		t.Error("it claims that everything is saved")
	}
	d.press("ctrl+c", "enter").sees("Not saved") // neither leaves
	d.press("w").sees("It was written to /home/me/unsaved.md")
	if !strings.Contains(written, "Double it.") {
		t.Errorf("written: %q", written)
	}
	d.press("esc").sees("your prompt").press("ctrl+c").sees("Not saved")
	rig.Store.Fail(nil)
	d.press("r").sees("Everything is saved").drafted(rig, "Double it.", 0)
	rig.Store.Fail(errRefusing)
	d.press("y").sees("Not saved: that the session is paused now").press("y").ends()
	if err := d.App.Unsaved(); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("at the end: %v", err)
	}
}

// After leaving failed the session goes on as if nothing had been: also while an answer is
// awaited.
func TestStayingAfterLeavingFailed(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	d.press("enter").sees("your prompt").press("Double it.", "ctrl+s").sees("esc stop")
	d.press("ctrl+c").sees("Everything is saved", "costs no attempt")
	rig.Store.Fail(errRefusing)
	d.press("y").sees("Not saved").press("esc")
	rig.Store.Fail(nil)
	d.sees("Double it.", "your prompt")
	rig.Client.Say(rightAnswer)
	d.press("ctrl+s").sees("y satisfied")
}

// A signal ends the program without a question. What the store does not take is put into a
// file, and the program does not end as if all were well.
func TestSignalWithAFullDisk(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	written := ""
	d.App.Own(func(text string) (string, error) { written = text; return "/home/me/unsaved.md", nil }, nil)
	d.press("enter").sees("your prompt").press("Double ").drafted(rig, "Double ", 0)
	rig.Store.Fail(errRefusing)
	d.press("it.")
	d.send(tui.LeaveMsg{})
	d.ends()
	if err := d.App.Unsaved(); written == "" || err == nil || !strings.Contains(err.Error(), "/home/me/unsaved.md") {
		t.Errorf("written %q, at the end: %v", written, err)
	}
}

// A signal that comes while the answer "leave" is being carried out does not ask again
// either, and still puts what the store does not take into a file.
func TestSignalWhileLeaving(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 1)
	written := false
	d.App.Own(func(string) (string, error) { written = true; return "/home/me/unsaved.md", nil }, nil)
	d.press("enter").sees("your prompt").press("Double it.", "ctrl+c").sees("Everything is saved")
	rig.Store.Fail(errRefusing)
	d.press("y")
	d.send(tui.LeaveMsg{})
	d.ends()
	if err := d.App.Unsaved(); err == nil || written && !strings.Contains(err.Error(), "/home/me/unsaved.md") {
		t.Errorf("written %v, at the end: %v", written, err)
	}
}
