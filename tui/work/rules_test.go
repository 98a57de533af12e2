package work_test

import (
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// TestOwnScaleAndLabels: attributes, scale, anchors, labels and attention check are the
// study's, and what was chosen is what is stored.
func TestOwnScaleAndLabels(t *testing.T) {
	d, rig := tuitest.Ruled(t, 1, func(c *session.Choice) {
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
	tuitest.Solve(d, rig, tuitest.RightAnswer).Sees("never                    always", "1-7 rate", "Please choose 2 here", "y yes  n no  o not yet", "4 to go")
	if strings.Contains(d.Screen(), "Why not?") {
		t.Error("a label for unsatisfied tasks is asked for")
	}
	d.Press("8").Sees("The scale ends at 7").Press("7").Sees("3 to go").Press("5").Sees("2 to go")
	d.Sees("1 ugly · 7 lovely").Press("1").Sees("1 to go").Press("o").Sees("complete: enter commits")
	d.Press("enter").Sees("1 numbers")
	task := rig.Engine.State().Tasks[0]
	if task.Ratings["trust"] != 7 || task.Checked != 5 || task.Ratings["style"] != 1 || task.Labels["use"] != "not yet" {
		t.Errorf("%+v, check %d", task.Ratings, task.Checked)
	}
	if flags := rig.Engine.State().Flags; len(flags) != 1 || !strings.Contains(flags[0], "attention check of task double-1: 5 was chosen, not 2") {
		t.Errorf("%q", flags)
	}
}

// TestPracticeGate: a practice task that falls short is offered again, cannot be left
// out, and in the end lets the session go on with a flag.
func TestPracticeGate(t *testing.T) {
	d, rig := tuitest.Ruled(t, 1, func(c *session.Choice) {
		c.Benchmark.Tasks[0].Tests = c.Benchmark.Tasks[1].Tests
		c.Practice, c.Gate = true, &session.Gate{Needs: session.GateAccepted, Repeats: 1}
	})
	d.Sees("Warm-up").Press("x").Sees("asks for the practice")
	tuitest.Rate(tuitest.Solve(d, rig, tuitest.WrongAnswer)).Sees("Warm-up", "repeat 1 of 1")
	tuitest.Rate(tuitest.Solve(d, rig, tuitest.WrongAnswer)).Sees("Double 1").Press("enter").Sees("your prompt")
	if flags := rig.Engine.State().Flags; !slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "practice: ") }) {
		t.Errorf("%q", flags)
	}
}

// TestMissedGateOfALeftOutTask: the flag comes, too, when the first task that counts is left
// out before it was opened.
func TestMissedGateOfALeftOutTask(t *testing.T) {
	d, rig := tuitest.Ruled(t, 2, func(c *session.Choice) {
		c.Benchmark.Tasks[0].Tests = c.Benchmark.Tasks[1].Tests
		c.Practice, c.Gate = true, &session.Gate{Needs: session.GateAccepted}
	})
	tuitest.Rate(tuitest.Solve(d, rig, tuitest.WrongAnswer)).Sees("Double 1").Press("x").Sees("left out?").Press("no time", "enter").Sees("Double 2").Press("enter").Sees("your prompt")
	if flags := rig.Engine.State().Flags; len(flags) != 1 || !strings.HasPrefix(flags[0], "practice: ") {
		t.Errorf("%q", flags)
	}
}

// TestForcedBreak: no task is opened before a break that is long enough.
func TestForcedBreak(t *testing.T) {
	d, rig := tuitest.Ruled(t, 2, func(c *session.Choice) { c.Breaks = &session.Breaks{Tasks: 1, MS: 90_000, Forced: true} })
	tuitest.Rate(tuitest.Solve(d, rig, tuitest.RightAnswer)).Sees("Time for a break of 90 s").Press("enter").Sees("the study wants a break first")
	d.Press("b").Sees("‖ Break", "wants it to last 90 s more")
	rig.Clock.Advance(30_000)
	d.Press("enter").Sees("Still to rest: 60 s").Press("b").Sees("wants it to last 60 s more") // what was too short is added up
	rig.Clock.Advance(59_000)
	d.Press("enter").Sees("Still to rest: 1 s").Press("b").Sees("wants it to last 1 s more")
	rig.Clock.Advance(1_000)
	d.Press("enter").Sees("enter open the task").Press("enter").Sees("your prompt")
}

// TestSurvey: questions are answered by keys or words, may be changed, and end the
// session when they are handed in.
func TestSurvey(t *testing.T) {
	d, rig := tuitest.Ruled(t, 1, func(c *session.Choice) {
		c.Survey = []session.Question{
			{ID: "years", Text: "For how long?", Choices: []string{"a year", "longer"}},
			{ID: "remarks", Text: "What else?", Optional: true},
			{ID: "mood", Text: "How was it?", Choices: []string{"fine", "not"}},
		}
	})
	tuitest.Rate(tuitest.Solve(d, rig, tuitest.RightAnswer)).Sees("At the end", "For how long?", "1   a year", "question 1 of 3")
	d.Press("enter").Sees("wants an answer").Press("2").Sees("What else?", "may be left out")
	d.Press("q? yes 1").Sees("q? yes 1").Press("enter").Sees("How was it?")
	d.Press("up").Sees("What else?", "q? yes 1").Press("up").Sees("[2] longer").Press("1").Sees("What else?").Press("down").Sees("How was it?")
	fatal.If(t, rig.Until(t.Context(), func(s *session.State) bool { return s.Answers["years"] == "a year" }))
	if err := rig.Crash(60_000); err != nil { // what was answered is kept
		t.Fatal(err)
	}
	d = tuitest.Drive(t, work.New(rig.Engine, work.Options{}), 80, 24)
	d.Sees("How was it?", "question 3 of 3").Press("2").Sees("All 3 questions answered").Press("enter").Sees("1 numbers")
	s := rig.Engine.State()
	if s.Answers["years"] != "a year" || s.Answers["remarks"] != "q? yes 1" || s.Answers["mood"] != "not" || s.Closed != "finished" {
		t.Errorf("%q, %s", s.Answers, s.Closed)
	}
}

// TestSurveyKeepsWords: what was typed into a free answer is saved by leaving, too.
func TestSurveyKeepsWords(t *testing.T) {
	d, rig := tuitest.Ruled(t, 1, func(c *session.Choice) { c.Survey = []session.Question{{ID: "words", Text: "What else?"}} })
	tuitest.Rate(tuitest.Solve(d, rig, tuitest.RightAnswer)).Sees("What else?").Press("too slow").Sees("too slow").Press("ctrl+c").Sees("Leave assay?").Press("y").Ends()
	if got := rig.Engine.State().Answers["words"]; got != "too slow" {
		t.Errorf("kept is %q", got)
	}
}

// TestNotesAndFlagsAnywhere: while a prompt is written, too; and what is being written
// stays.
func TestNotesAndFlagsAnywhere(t *testing.T) {
	d, rig := tuitest.Ruled(t, 1, func(*session.Choice) {})
	d.Sees("enter open the task").Press("f12").Sees("no task is open").Press("f10").Sees("owner look at").Press("enter").Sees("in a few words")
	d.Press("no statement", "enter").Sees("It is recorded")
	d.Press("enter").Sees("your prompt").Press("Double").Press("f12").Sees("Your note").Press("odd task? yes", "enter").Sees("Double", "Your note is kept: f12 shows it again")
	d.Press("f10").Press("esc").Sees("your prompt").Press(" it").Sees("Double it")
	fatal.If(t, rig.Until(t.Context(), func(s *session.State) bool { return s.Tasks[0].Note != "" }))
	s := rig.Engine.State()
	if s.Tasks[0].Note != "odd task? yes" || len(s.Flags) != 1 || s.Flags[0] != "by the tester, between tasks: no statement" {
		t.Errorf("note %q, flags %q", s.Tasks[0].Note, s.Flags)
	}
}

// TestClock: a study may show how long a task has taken, without pauses.
func TestClock(t *testing.T) {
	d, rig := tuitest.Ruled(t, 1, func(c *session.Choice) { c.Clock = session.ClockShown })
	d.Sees("enter open").Press("enter").Sees("0 min")
	rig.Clock.Advance(130_000)
	d.Press("x").Sees("2 min").Press("f2").Sees("Paused")
	rig.Clock.Advance(600_000)
	d.Press("enter").Sees("2 min")
}

// TestNoClock: a study may forbid a clock, also the one of the tester's settings.
func TestNoClock(t *testing.T) {
	for clock, shown := range map[session.Clock]bool{"": true, session.ClockHidden: false} {
		d, _ := tuitest.Ruled(t, 1, func(c *session.Choice) { c.Clock = clock })
		d.Use("clock = true\n")
		d.Sees("enter open the task")
		if got := strings.Contains(strings.SplitN(d.Screen(), "\n", 2)[0], "12:00"); got != shown {
			t.Errorf("clock %q: shown %v in\n%s", clock, got, d.Screen())
		}
	}
}

// TestSentencesNameTheTestersKeys: what a sentence says to press is what has to be pressed.
func TestSentencesNameTheTestersKeys(t *testing.T) {
	d, rig := tuitest.Ruled(t, 2, func(c *session.Choice) { c.Breaks = &session.Breaks{Tasks: 1} })
	d.Use("[keys.between]\nf2 = \"z\"\n[keys.compose]\n\"ctrl+t\" = \"ctrl+l\"\n[keys.rating]\ny = \"z\"\n")
	d.Sees("enter open the task").Press("enter").Sees("your prompt").Press("ctrl+s").Sees("statement with ctrl+l")
	rig.Client.Say(tuitest.RightAnswer)
	d.Press("Double it", "ctrl+s").Sees("3/3").Press("y").Sees("z yes  n no").Press("54321234", "z").Sees("complete").Press("enter")
	d.Sees("Time for a break: z begins it").Press("z").Sees("‖ Break")
}

// TestSuffix: what the study appends is sent and shown, and is not the tester's prompt.
func TestSuffix(t *testing.T) {
	d, rig := tuitest.Ruled(t, 1, func(c *session.Choice) { c.Suffix = "Explain the code." })
	rig.Client.Say(tuitest.RightAnswer)
	d.Sees("enter open").Press("enter").Sees("your prompt", "Explain the code.").Press("Double it").Press("ctrl+s").Sees("y satisfied")
	d.Press("5").Sees("Double it", "Explain the code.")
	asked := rig.Client.Requests()[0].Messages
	if got := asked[len(asked)-1].Text; got != "Double it\n\nExplain the code." {
		t.Errorf("sent %q", got)
	}
	sent := rig.Engine.State().Attempt().Sent
	if text, err := rig.Engine.Text(sent.Prompt); err != nil || text != "Double it" || sent.Bytes != 9 {
		t.Errorf("the prompt is %q of %d bytes, %v", text, sent.Bytes, err)
	}
}

// TestNothingIsRated: a study that asks for no ratings asks for labels alone, and where there is none of these for nothing;
// no key of a scale does anything.
func TestNothingIsRated(t *testing.T) {
	for _, labels := range [][]session.Label{{{ID: "use", Name: "Use it?", Values: []string{"yes", "no"}}}, {}} {
		d, rig := tuitest.Ruled(t, 1, func(c *session.Choice) {
			c.Attributes, c.Labels, c.Study = []session.Attribute{}, labels, &session.InStudy{Name: "s", Version: 1}
		})
		d.Sees("Your terminal").Press("enter")
		tuitest.Solve(d, rig, tuitest.RightAnswer).Press("1").Sees("nothing is rated in this study").Press("down", "up", "v").Press("v")
		if len(labels) > 0 {
			d.Sees("1 to go").Press("y")
		} else {
			d.Sees("Nothing is asked about this answer")
		}
		d.Sees("complete: enter commits").Press("enter").Sees("1 numbers").Press("down", "1", "2")
		if s := rig.Engine.State(); s.Closed != "finished" || s.Tasks[0].Outcome != session.Satisfied {
			t.Errorf("%s, %s", s.Closed, s.Tasks[0].Outcome)
		}
	}
}
