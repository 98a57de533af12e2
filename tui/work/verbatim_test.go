package work_test

import (
	"fmt"
	"slices"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/tui/tuitest"
)

const markedAnswer = "# Plan\n\nUse **two** `list`s.\n\n```python\ndef double(n):\n    return 2 * n\n```\n"

// logged waits until the log has how the answer was shown: each time, whether verbatim.
func logged(t *testing.T, d *tuitest.Driver, rig *enginetest.Rig, want ...bool) {
	t.Helper()
	d.Until(fmt.Sprint("the log has the answer verbatim: ", want), func(string) bool {
		events, err := rig.Store.Events(rig.Engine.State().Session, 1)
		fatal.If(t, err)
		var got []bool
		for _, e := range events {
			if p, is := e.Payload.(session.TabShown); is && p.Tab == "answer" {
				got = append(got, p.Verbatim)
			}
		}
		return slices.Equal(got, want)
	})
}

// A key switches between the rendered answer and what the model wrote, line by line; the judged block stays marked,
// and the log knows which was on the screen.
func TestVerbatim(t *testing.T) {
	d, rig := configured(t, asIs, func(*engine.Config) {})
	rig.Client.Say(markedAnswer)
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("tests ✓", " Plan\n", "Use two `list`s.", "▌     return 2 * n").Lacks("┊")
	d.Press("m").Sees("     1 ┊ # Plan\n     2 ┊\n     3 ┊ Use **two** `list`s.\n", "   5 ┊ ```python", " ▌   6 ┊ def double(n):\n ▌   7 ┊     return 2 * n\n", "   8 ┊ ```").Lacks("    python")
	d.Press("2").Sees("1-3    passed").Lacks("┊").Press("1").Sees("┊ # Plan").Press("m").Sees("\n Plan\n").Lacks("┊")
	d.Press("y").Sees("Accuracy").Press("v").Sees("\n Plan\n").Press("m").Sees("┊ # Plan").Press("v", "5").Sees("Accuracy")
	logged(t, d, rig, false, true, true, false, true) // the third: after the tests
}

// A study decides how all its testers see answers.
func TestStudyFixesTheView(t *testing.T) {
	for view, want := range map[session.AnswerView]string{session.AnswerVerbatim: "┊ # Plan", session.AnswerRendered: "\n Plan\n"} {
		d, rig := configured(t, func(c *session.Choice) { c.Rules.Answers = view }, func(*engine.Config) {})
		rig.Client.Say(markedAnswer)
		d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("tests ✓", want)
		d.Press("m").Sees("not now: the study shows answers "+string(view), want)
		logged(t, d, rig, view == session.AnswerVerbatim)
	}
}
