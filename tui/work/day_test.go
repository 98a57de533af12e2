package work_test

import (
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// The progress of the session stands in the upper rule, without times where the study hides
// the clock, and not at all where the tester does not want it.
func TestProgressLine(t *testing.T) {
	t.Parallel()
	for _, clock := range []session.Clock{"", session.ClockHidden} {
		d, rig := tuitest.Begin(t, 3, func(c *session.Choice) { c.Rules = session.Rules{Clock: clock, Breaks: &session.Breaks{Tasks: 1}} })
		rig.Client.Say(tuitest.RightAnswer)
		d.Sees("0 of 3 tasks done · 2 breaks left ──").Press("enter").Sees("your prompt")
		rig.Clock.Advance(120_000)
		d.Press("Double it.", "ctrl+s").Sees("y satisfied").Press("y").Sees("9 to go").Press("55555555", "y", "enter")
		want := "1 of 3 tasks done · 2 min · 2 min a task · 2 breaks left ──"
		if clock == session.ClockHidden {
			want = "1 of 3 tasks done · 2 breaks left ──"
		}
		d.Sees(want).Press("ctrl+p", "progress of the session: hidden", "enter").Lacks(" left ──")
	}
}

// The last rating can be corrected before the next task is opened; the log has both, and
// the study's owner is told.
func TestCorrectLastRating(t *testing.T) {
	t.Parallel()
	d, rig := tuitest.Begin(t, 2)
	d.Press("u").Sees("no task was rated just before")
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("enter").Sees("your prompt").Press("Double it.", "ctrl+s").Sees("y satisfied").Press("y").Sees("9 to go")
	d.Press("55555555", "y", "enter").Sees("1 of 2 tasks done", "open the task").Press("f1").Sees("correct last rating").Press("esc")
	d.Press("u").Sees("Rate the final answer", "task 1 of 2", "complete").Press("2", "enter").Sees("1 of 2 tasks done", "open the task")
	s := rig.Engine.State()
	if task := s.Tasks[0]; task.Ratings["accuracy"] != 2 || task.Ratings["completeness"] != 5 || !task.Closed || len(s.Flags) != 1 || !strings.Contains(s.Flags[0], "corrected") {
		t.Errorf("corrected to %v, flags %q", task.Ratings, s.Flags)
	}
	d.Press("enter").Sees("your prompt")
	strict, err := enginetest.New(2, func(c *session.Choice) { c.Study = &session.InStudy{Name: "s", Version: 1} })
	fatal.If(t, err)
	tuitest.Drive(t, work.New(strict.Engine, work.Options{}), 80, 24).Sees("Your terminal").Press("enter", "u").Sees("this study keeps ratings as they were committed")
}
