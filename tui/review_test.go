package tui_test

import (
	"testing"

	"assay/session"
)

// A note that the store refuses when it is handed in stays in its line, and is not said to
// be saved.
func TestRefusedWordsStay(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 2)
	d.press("enter").sees("your prompt")
	rig.Store.Fail(errRefusing)
	d.press("f12", "a thought", "enter").sees("no space left")
	d.press("ctrl+c").sees("Not saved").press("esc")
	rig.Store.Fail(nil)
	d.sees("a thought").press("enter").until("the note", func(string) bool {
		return rig.Engine.State().Task().Note == "a thought"
	})
}

// Words that are taken away again are away in the log, too.
func TestErasedWordsAreErased(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 2)
	d.press("enter").sees("your prompt").press("f12", "x").words(rig, session.WordsNote, "x")
	d.press("backspace").words(rig, session.WordsNote, "")
}
