package tui_test

import (
	"strings"
	"testing"

	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/work"
)

// The progress of the session stands in the upper rule, without times where the study hides
// the clock, and not at all where the tester does not want it.
func TestProgressLine(t *testing.T) {
	t.Parallel()
	for _, clock := range []session.Clock{"", session.ClockHidden} {
		d, rig := begin(t, 3, func(c *session.Choice) { c.Rules = session.Rules{Clock: clock, Breaks: &session.Breaks{Tasks: 1}} })
		rig.Client.Say(rightAnswer)
		d.sees("0 of 3 tasks done · 2 breaks left ──").press("enter").sees("your prompt")
		rig.Clock.Advance(120_000)
		d.press("Double it.", "ctrl+s").sees("y satisfied").press("y").sees("9 to go").press("55555555", "y", "enter")
		want := "1 of 3 tasks done · 1 attempt · 2 min · 2 min a task · 2 breaks left ──"
		if clock == session.ClockHidden {
			want = "1 of 3 tasks done · 1 attempt · 2 breaks left ──"
		}
		d.sees(want).press("ctrl+p", "progress of the session: hidden", "enter").lacks(" left ──")
	}
}

// The last rating can be corrected before the next task is opened; the log has both, and
// the study's owner is told.
func TestCorrectLastRating(t *testing.T) {
	t.Parallel()
	d, rig := begin(t, 2)
	d.press("u").sees("no task was rated just before")
	rig.Client.Say(rightAnswer)
	d.press("enter").sees("your prompt").press("Double it.", "ctrl+s").sees("y satisfied").press("y").sees("9 to go")
	d.press("55555555", "y", "enter").sees("1 of 2 tasks done").press("f1").sees("correct last rating").press("esc")
	d.press("u").sees("Rate the final answer", "task 1 of 2", "complete").press("2", "enter").sees("1 of 2 tasks done")
	s := rig.Engine.State()
	if task := s.Tasks[0]; task.Ratings["accuracy"] != 2 || task.Ratings["completeness"] != 5 || !task.Closed || len(s.Flags) != 1 || !strings.Contains(s.Flags[0], "corrected") {
		t.Errorf("corrected to %v, flags %q", task.Ratings, s.Flags)
	}
	d.press("enter").sees("your prompt")
	strict, err := enginetest.New(2, func(c *session.Choice) { c.Study = &session.InStudy{Name: "s", Version: 1} })
	if err != nil {
		t.Fatal(err)
	}
	drive(t, work.New(strict.Engine, work.Options{}), 80, 24).sees("Your terminal").press("enter", "u").sees("this study keeps ratings as they were committed")
}
