package tui_test

import (
	"strings"
	"testing"

	"assay/tui/settings"
	"assay/tui/tuitest"
)

// Hebrew in an answer and in the editor is put in order by assay, or left to the
// terminal; the cursor stays at its letter, and the log has what was typed.
func TestRightToLeft(t *testing.T) {
	d, rig := tuitest.Begin(t, 1)
	rig.Client.Say("אבג דה.\n\n" + tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt").Press("say אבג").Sees("say גבא")
	d.Press("left", "left")
	if c := d.App.View().Cursor; c == nil || c.X != 6 {
		t.Errorf("the cursor stands at %+v; ב is the second letter from either side, in column 6", c)
	}
	d.Press("ctrl+s").Sees("tests ✓", ".הד גבא").Press("5").Sees("say גבא")
	if text, err := rig.Engine.Text(rig.Engine.State().Tasks[0].Attempts[0].Sent.Prompt); err != nil || text != "say אבג" {
		t.Errorf("%q, %v", text, err)
	}
	s := settings.Default()
	s.RTL = settings.RTLTerminal
	d.App.Use(s, tuitest.Noon)
	d.Sees("say אבג")
	if strings.Contains(d.Screen(), "גבא") {
		t.Error("assay turns what the terminal turns")
	}
}
