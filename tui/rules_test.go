package tui_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/work"
)

// ruled starts a session with the rules of a study on the screen.
func ruled(t *testing.T, tasks int, adjust func(*session.Choice)) (*driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(tasks, adjust)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	return drive(t, work.New(rig.Engine, work.Options{}), 80, 24), rig
}

// solve works on the task that is offered until it is judged.
func solve(d *driver, rig *enginetest.Rig, answer string) *driver {
	d.T.Helper()
	rig.Client.Say(answer)
	d.sees("enter open the task").press("enter").sees("your prompt").press("Double it").press("ctrl+s").sees("y satisfied")
	tests := "3 of 3"
	if answer == wrongAnswer {
		tests = "2 of 3"
	}
	return d.sees(tests).press("y").sees("Rate the final answer")
}

// TestOwnScaleAndLabels: attributes, scale, anchors, labels and attention check are the
// study's, and what was chosen is what is stored.
func TestOwnScaleAndLabels(t *testing.T) {
	d, rig := ruled(t, 1, func(c *session.Choice) {
		c.Attributes = []session.Attribute{
			{ID: "trust", Name: "Trust", Meaning: "would you run it", Points: 7, Low: "never", High: "always"},
			{ID: "style", Name: "Style", Points: 7, Low: "ugly", High: "lovely"},
		}
		c.Labels = []session.Label{
			{ID: "use", Name: "Use it?", Values: []string{"yes", "no", "not yet"}},
			{ID: "why", Name: "Why not?", Values: []string{"unsafe", "slow"}, WhenNotSatisfied: true},
		}
		c.Checks = map[int]session.Check{1: {Text: "Please choose 2 here", Score: 2}}
	})
	solve(d, rig, rightAnswer).sees("never                    always", "1-7 rate", "Please choose 2 here", "y yes  n no  o not yet", "4 to go")
	if strings.Contains(d.screen(), "Why not?") {
		t.Error("a label for unsatisfied tasks is asked for")
	}
	d.press("8").sees("The scale ends at 7").press("7").sees("3 to go").press("5").sees("2 to go")
	d.sees("1 ugly, 7 lovely").press("1").sees("1 to go").press("o").sees("complete: enter commits")
	d.press("enter").sees("1 numbers")
	task := rig.Engine.State().Tasks[0]
	if task.Ratings["trust"] != 7 || task.Checked != 5 || task.Ratings["style"] != 1 || task.Labels["use"] != "not yet" {
		t.Errorf("%+v, check %d", task.Ratings, task.Checked)
	}
	if flags := rig.Engine.State().Flags; len(flags) != 1 || !strings.Contains(flags[0], "attention check of task double-1: 5 was chosen, not 2") {
		t.Errorf("%q", flags)
	}
}

// rate fills the standard form in.
func rate(d *driver) *driver { return d.press("54321234", "y").sees("complete").press("enter") }

// TestPracticeGate: a practice task that falls short is offered again, cannot be left
// out, and in the end lets the session go on with a flag.
func TestPracticeGate(t *testing.T) {
	d, rig := ruled(t, 1, func(c *session.Choice) {
		c.Benchmark.Tasks[0].Tests = c.Benchmark.Tasks[1].Tests
		c.Practice, c.Gate = true, &session.Gate{Needs: session.GateAccepted, Repeats: 1}
	})
	d.sees("Warm-up").press("x").sees("asks for the practice")
	rate(solve(d, rig, wrongAnswer)).sees("Warm-up", "repeat 1 of 1")
	rate(solve(d, rig, wrongAnswer)).sees("Double 1").press("enter").sees("your prompt")
	if flags := rig.Engine.State().Flags; !slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "practice: ") }) {
		t.Errorf("%q", flags)
	}
}

// TestMissedGateOfALeftOutTask: the flag comes, too, when the first task that counts is left
// out before it was opened.
func TestMissedGateOfALeftOutTask(t *testing.T) {
	d, rig := ruled(t, 2, func(c *session.Choice) {
		c.Benchmark.Tasks[0].Tests = c.Benchmark.Tasks[1].Tests
		c.Practice, c.Gate = true, &session.Gate{Needs: session.GateAccepted}
	})
	rate(solve(d, rig, wrongAnswer)).sees("Double 1").press("x").sees("left out?").press("no time", "enter").sees("Double 2").press("enter").sees("your prompt")
	if flags := rig.Engine.State().Flags; len(flags) != 1 || !strings.HasPrefix(flags[0], "practice: ") {
		t.Errorf("%q", flags)
	}
}

// TestForcedBreak: no task is opened before a break that is long enough.
func TestForcedBreak(t *testing.T) {
	d, rig := ruled(t, 2, func(c *session.Choice) { c.Breaks = &session.Breaks{Tasks: 1, MS: 90_000, Forced: true} })
	rate(solve(d, rig, rightAnswer)).sees("Time for a break of 90 s").press("enter").sees("the study wants a break first")
	d.press("b").sees("‖ Break", "wants it to last 90 s more")
	rig.Clock.Advance(30_000)
	d.press("enter").sees("Still to rest: 60 s").press("b").sees("wants it to last 60 s more") // what was too short is added up
	rig.Clock.Advance(59_000)
	d.press("enter").sees("Still to rest: 1 s").press("b").sees("wants it to last 1 s more")
	rig.Clock.Advance(1_000)
	d.press("enter").sees("enter open the task").press("enter").sees("your prompt")
}

// TestSurvey: questions are answered by keys or words, may be changed, and end the
// session when they are handed in.
func TestSurvey(t *testing.T) {
	d, rig := ruled(t, 1, func(c *session.Choice) {
		c.Survey = []session.Question{
			{ID: "years", Text: "For how long?", Choices: []string{"a year", "longer"}},
			{ID: "remarks", Text: "What else?", Optional: true},
			{ID: "mood", Text: "How was it?", Choices: []string{"fine", "not"}},
		}
	})
	rate(solve(d, rig, rightAnswer)).sees("At the end", "For how long?", "1   a year", "question 1 of 3")
	d.press("enter").sees("wants an answer").press("2").sees("What else?", "may be left out")
	d.press("q? yes 1").sees("q? yes 1").press("enter").sees("How was it?")
	d.press("up").sees("What else?", "q? yes 1").press("up").sees("[2] longer").press("1").sees("What else?").press("down").sees("How was it?")
	if err := rig.Until(t.Context(), func(s *session.State) bool { return s.Answers["years"] == "a year" }); err != nil {
		t.Fatal(err)
	}
	if err := rig.Crash(60_000); err != nil { // what was answered is kept
		t.Fatal(err)
	}
	d = drive(t, work.New(rig.Engine, work.Options{}), 80, 24)
	d.sees("How was it?", "question 3 of 3").press("2").sees("All 3 questions answered").press("enter").sees("1 numbers")
	s := rig.Engine.State()
	if s.Answers["years"] != "a year" || s.Answers["remarks"] != "q? yes 1" || s.Answers["mood"] != "not" || s.Closed != "finished" {
		t.Errorf("%q, %s", s.Answers, s.Closed)
	}
}

// TestSurveyKeepsWords: what was typed into a free answer is saved by leaving, too.
func TestSurveyKeepsWords(t *testing.T) {
	d, rig := ruled(t, 1, func(c *session.Choice) { c.Survey = []session.Question{{ID: "words", Text: "What else?"}} })
	rate(solve(d, rig, rightAnswer)).sees("What else?").press("too slow").sees("too slow").press("ctrl+c").sees("Leave assay?").press("y").ends()
	if got := rig.Engine.State().Answers["words"]; got != "too slow" {
		t.Errorf("kept is %q", got)
	}
}

// TestNotesAndFlagsAnywhere: while a prompt is written, too; and what is being written
// stays.
func TestNotesAndFlagsAnywhere(t *testing.T) {
	d, rig := ruled(t, 1, func(*session.Choice) {})
	d.sees("enter open the task").press("f12").sees("no task is open").press("f10").sees("owner look at").press("enter").sees("in a few words")
	d.press("no statement", "enter").sees("It is recorded")
	d.press("enter").sees("your prompt").press("Double").press("f12").sees("Your note").press("odd task? yes", "enter").sees("Double", "Your note is kept: f12 shows it again")
	d.press("f10").press("esc").sees("your prompt").press(" it").sees("Double it")
	if err := rig.Until(t.Context(), func(s *session.State) bool { return s.Tasks[0].Note != "" }); err != nil {
		t.Fatal(err)
	}
	s := rig.Engine.State()
	if s.Tasks[0].Note != "odd task? yes" || len(s.Flags) != 1 || s.Flags[0] != "by the tester, between tasks: no statement" {
		t.Errorf("note %q, flags %q", s.Tasks[0].Note, s.Flags)
	}
}

// TestClock: a study may show how long a task has taken, without pauses.
func TestClock(t *testing.T) {
	d, rig := ruled(t, 1, func(c *session.Choice) { c.Clock = session.ClockShown })
	d.sees("enter open").press("enter").sees("0 min")
	rig.Clock.Advance(130_000)
	d.press("x").sees("2 min").press("f2").sees("Paused")
	rig.Clock.Advance(600_000)
	d.press("enter").sees("2 min")
}

// TestNoClock: a study may forbid a clock, also the one of the tester's settings.
func TestNoClock(t *testing.T) {
	for clock, shown := range map[session.Clock]bool{"": true, session.ClockHidden: false} {
		d, _ := ruled(t, 1, func(c *session.Choice) { c.Clock = clock })
		d.use("clock = true\n")
		d.sees("enter open the task")
		if got := strings.Contains(strings.SplitN(d.screen(), "\n", 2)[0], "12:00"); got != shown {
			t.Errorf("clock %q: shown %v in\n%s", clock, got, d.screen())
		}
	}
}

// TestSentencesNameTheTestersKeys: what a sentence says to press is what has to be pressed.
func TestSentencesNameTheTestersKeys(t *testing.T) {
	d, rig := ruled(t, 2, func(c *session.Choice) { c.Breaks = &session.Breaks{Tasks: 1} })
	d.use("[keys.between]\nb = \"z\"\n[keys.compose]\n\"ctrl+t\" = \"ctrl+l\"\n[keys.rating]\ny = \"z\"\n")
	d.sees("enter open the task").press("enter").sees("your prompt").press("ctrl+s").sees("statement with ctrl+l")
	rig.Client.Say(rightAnswer)
	d.press("Double it", "ctrl+s").sees("3 of 3").press("y").sees("z yes  n no").press("54321234", "z").sees("complete").press("enter")
	d.sees("Time for a break: z begins it").press("z").sees("‖ Break")
}

// TestSuffix: what the study appends is sent and shown, and is not the tester's prompt.
func TestSuffix(t *testing.T) {
	d, rig := ruled(t, 1, func(c *session.Choice) { c.Suffix = "Explain the code." })
	rig.Client.Say(rightAnswer)
	d.sees("enter open").press("enter").sees("your prompt", "Explain the code.").press("Double it").press("ctrl+s").sees("y satisfied")
	d.press("5").sees("Double it", "Explain the code.")
	asked := rig.Client.Requests()[0].Messages
	if got := asked[len(asked)-1].Text; got != "Double it\n\nExplain the code." {
		t.Errorf("sent %q", got)
	}
	sent := rig.Engine.State().Attempt().Sent
	if text, err := rig.Engine.Text(sent.Prompt); err != nil || text != "Double it" || sent.Bytes != 9 {
		t.Errorf("the prompt is %q of %d bytes, %v", text, sent.Bytes, err)
	}
}
