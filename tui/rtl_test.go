package tui_test

import (
	"strings"
	"testing"

	"assay/tui/settings"
)

// Hebrew in an answer and in the editor is put in order by assay, or left to the
// terminal; the cursor stays at its letter, and the log has what was typed.
func TestRightToLeft(t *testing.T) {
	d, rig := begin(t, 1)
	rig.Client.Say("אבג דה.\n\n" + rightAnswer)
	d.press("enter").sees("your prompt").press("say אבג").sees("say גבא")
	d.press("left", "left")
	if c := d.App.View().Cursor; c == nil || c.X != 6 {
		t.Errorf("the cursor stands at %+v; ב is the second letter from either side, in column 6", c)
	}
	d.press("ctrl+s").sees("tests ✓", ".הד גבא").press("5").sees("say גבא")
	if text, err := rig.Engine.Text(rig.Engine.State().Tasks[0].Attempts[0].Sent.Prompt); err != nil || text != "say אבג" {
		t.Errorf("%q, %v", text, err)
	}
	s := settings.Default()
	s.RTL = settings.RTLTerminal
	d.App.Use(s, noon)
	d.sees("say אבג")
	if strings.Contains(d.screen(), "גבא") {
		t.Error("assay turns what the terminal turns")
	}
}
