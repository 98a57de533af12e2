package tui_test

import (
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/simulate"
	"assay/tui/replay"
	"assay/tui/tuitest"
)

func init() { screens = append(screens, studyScreens...) }

// asking is a study that asks for all that there is.
func asking(c *session.Choice) {
	c.Study = &session.InStudy{
		Name: "Two models", Shown: "Model A", Instructions: "Judge each answer as if you had to use it tomorrow.",
		Consent: "Your prompts, judgements and ratings are recorded, and when you made them.", ConsentVersion: "2026-11",
	}
	c.Suffix, c.Clock, c.Tests = "Explain the code.", session.ClockShown, session.SeeVerdict
	c.Attributes = []session.Attribute{
		{ID: "trust", Name: "I would run it", Meaning: "without reading it first", Points: 7, Low: "never", High: "always"},
		{ID: "clear", Name: "I understood it", Points: 7, Low: "not at all", High: "fully"},
	}
	c.Labels = []session.Label{{ID: "use", Name: "Would you use it?", Values: []string{"yes", "no", "after changes"}}}
	c.Checks = map[int]session.Check{1: {Text: "Please choose 2 here", Score: 2}}
	c.Breaks = &session.Breaks{Tasks: 1, MS: 120_000, Forced: true}
	c.Survey = []session.Question{{ID: "years", Text: "For how many years have you written programs?", Choices: []string{"less than 1", "1 to 3", "more"}}, {ID: "words", Text: "Is there anything that we should know?", Optional: true}}
}

// agreed is a session of that study whose consent was given.
func agreed(t *testing.T, tasks int) *tuitest.Driver {
	d, rig := tuitest.Ruled(t, tasks, asking)
	for !strings.Contains(d.Screen(), "I agree") {
		d.Press("space")
		d.Settled()
	}
	for range tasks {
		rig.Client.Say(tuitest.RightAnswer)
	}
	return d.Press("y").Sees("enter open the task")
}

// rating7 is the form of that study.
func rating7(t *testing.T, tasks int) *tuitest.Driver {
	return agreed(t, tasks).Press("enter").Sees("your prompt").Press("Double it", "ctrl+s").Sees("y satisfied", "3/3").Press("y").Sees("4 to go")
}

// studyScreens are those that only a study has.
var studyScreens = []goldenScreen{
	{"study-welcome", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Ruled(t, 1, asking)
		return d.Sees("Judge each answer", "Your terminal")
	}},
	{"study-compose", func(t *testing.T) *tuitest.Driver { return agreed(t, 1).Press("enter").Sees("your prompt", "0 min") }},
	{"study-rating", func(t *testing.T) *tuitest.Driver { return rating7(t, 1).Press("7", "2").Sees("2 to go") }},
	{"study-break-due", func(t *testing.T) *tuitest.Driver {
		return rating7(t, 2).Press("7", "2", "5", "a").Sees("complete").Press("enter").Sees("Time for a break")
	}},
	{"study-break", func(t *testing.T) *tuitest.Driver {
		return rating7(t, 2).Press("7", "2", "5", "a").Sees("complete").Press("enter").Sees("Time for a break").Press("b").Sees("‖ Break", "Everything is saved")
	}},
	{"study-survey", func(t *testing.T) *tuitest.Driver {
		return rating7(t, 1).Press("7", "2", "5", "a").Sees("complete").Press("enter").Sees("At the end")
	}},
	{"study-survey-words", func(t *testing.T) *tuitest.Driver {
		return rating7(t, 1).Press("7", "2", "5", "a").Sees("complete").Press("enter").Sees("At the end").Press("3").Sees("anything that we").Press("no, thanks").Sees("no, thanks")
	}},
	{"study-survey-done", func(t *testing.T) *tuitest.Driver {
		return rating7(t, 1).Press("7", "2", "5", "a").Sees("complete").Press("enter").Sees("At the end").Press("3").Sees("anything that we").Press("enter").Sees("All 2 questions")
	}},
	{"skip-why", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 2)
		return d.Press("enter").Sees("your prompt").Press("f3").Sees("it left out?").Press("no time").Sees("no time")
	}},
	{"flag", func(t *testing.T) *tuitest.Driver {
		d, _ := tuitest.Begin(t, 2)
		return d.Press("f10").Sees("owner look at")
	}},
	{"gate-repeat", func(t *testing.T) *tuitest.Driver {
		d, rig := tuitest.Ruled(t, 1, func(c *session.Choice) {
			c.Benchmark.Tasks[0].Tests = c.Benchmark.Tasks[1].Tests
			c.Practice, c.Gate = true, &session.Gate{Needs: session.GateAccepted, Repeats: 2}
		})
		return tuitest.Rate(tuitest.Solve(d, rig, tuitest.WrongAnswer)).Sees("repeat 1 of 2")
	}},
	{"replay", func(t *testing.T) *tuitest.Driver {
		plan := session.Plan{Benchmark: "b", K: 2, Context: session.Fresh, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "m"}, Tasks: []session.PlanTask{{ID: "first"}, {ID: "second"}}}
		events, texts, err := simulate.Session{ID: "S", Plan: plan, Seed: 2}.Log()
		fatal.If(t, err)
		m, err := replay.New(events, func(ref session.Ref) ([]byte, error) { return texts[ref], nil }, 1)
		fatal.If(t, err)
		return tuitest.Drive(t, m, 80, 24).Press("space").Sees("space play").Press("home", "right", "right").Sees("reviewing the answer")
	}},
}
