package tui_test

import (
	"strings"
	"testing"

	"assay/session"
	"assay/session/simulate"
	"assay/tui/replay"
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
func agreed(t *testing.T, tasks int) *driver {
	d, rig := ruled(t, tasks, asking)
	for !strings.Contains(d.screen(), "I agree") {
		d.press("space")
		d.settled()
	}
	for range tasks {
		rig.Client.Say(rightAnswer)
	}
	return d.press("y").sees("enter open the task")
}

// rating7 is the form of that study.
func rating7(t *testing.T, tasks int) *driver {
	return agreed(t, tasks).press("enter").sees("your prompt").press("Double it", "ctrl+s").sees("y satisfied", "3 of 3").press("y").sees("4 to go")
}

// studyScreens are those that only a study has.
var studyScreens = []goldenScreen{
	{"study-welcome", func(t *testing.T) *driver {
		d, _ := ruled(t, 1, asking)
		return d.sees("Judge each answer", "Your terminal")
	}},
	{"study-compose", func(t *testing.T) *driver { return agreed(t, 1).press("enter").sees("your prompt", "0 min") }},
	{"study-rating", func(t *testing.T) *driver { return rating7(t, 1).press("7", "2").sees("2 to go") }},
	{"study-break-due", func(t *testing.T) *driver {
		return rating7(t, 2).press("7", "2", "5", "a").sees("complete").press("enter").sees("Time for a break")
	}},
	{"study-break", func(t *testing.T) *driver {
		return rating7(t, 2).press("7", "2", "5", "a").sees("complete").press("enter").sees("Time for a break").press("b").sees("‖ Break", "Everything is saved")
	}},
	{"study-survey", func(t *testing.T) *driver {
		return rating7(t, 1).press("7", "2", "5", "a").sees("complete").press("enter").sees("At the end")
	}},
	{"study-survey-words", func(t *testing.T) *driver {
		return rating7(t, 1).press("7", "2", "5", "a").sees("complete").press("enter").sees("At the end").press("3").sees("anything that we").press("no, thanks").sees("no, thanks")
	}},
	{"study-survey-done", func(t *testing.T) *driver {
		return rating7(t, 1).press("7", "2", "5", "a").sees("complete").press("enter").sees("At the end").press("3").sees("anything that we").press("enter").sees("All 2 questions")
	}},
	{"skip-why", func(t *testing.T) *driver {
		d, _ := begin(t, 2)
		return d.press("enter").sees("your prompt").press("f3").sees("it left out?").press("no time").sees("no time")
	}},
	{"flag", func(t *testing.T) *driver {
		d, _ := begin(t, 2)
		return d.press("f10").sees("owner look at")
	}},
	{"gate-repeat", func(t *testing.T) *driver {
		d, rig := ruled(t, 1, func(c *session.Choice) {
			c.Benchmark.Tasks[0].Tests = c.Benchmark.Tasks[1].Tests
			c.Practice, c.Gate = true, &session.Gate{Needs: session.GateAccepted, Repeats: 2}
		})
		return rate(solve(d, rig, wrongAnswer)).sees("repeat 1 of 2")
	}},
	{"replay", func(t *testing.T) *driver {
		plan := session.Plan{Benchmark: "b", K: 2, Context: session.Fresh, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "m"}, Tasks: []session.PlanTask{{ID: "first"}, {ID: "second"}}}
		events, texts, err := simulate.Session{ID: "S", Plan: plan, Seed: 2}.Log()
		if err != nil {
			t.Fatal(err)
		}
		m, err := replay.New(events, func(ref session.Ref) ([]byte, error) { return texts[ref], nil }, 1)
		if err != nil {
			t.Fatal(err)
		}
		return drive(t, m, 80, 24).press("space").sees("space play").press("home", "right", "right").sees("reviewing the answer")
	}},
}
