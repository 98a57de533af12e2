package work_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui/tuitest"
	"assay/tui/work"
)

// TestConsentIsReadToItsEnd: agreeing is possible when the last line was on the screen,
// by a key that does nothing else, and no task opens before.
func TestConsentIsReadToItsEnd(t *testing.T) {
	var long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&long, "Line %d of what you agree to.\n", i)
	}
	d, rig := tuitest.InStudy(t, session.InStudy{Name: "Two models", Instructions: "Judge\x1b[31m each answer.", Consent: long.String(), ConsentVersion: "2026-11"}, "")
	d.Sees("Two models", "Judge each answer.", "What you agree to, version 2026-11", "Line 0 of")
	if strings.Contains(d.Screen(), "I agree") {
		t.Error("what was not read can be agreed to")
	}
	d.Press("y", "y")
	if rig.Engine.State().Consented != "" {
		t.Fatal("agreed unread")
	}
	d.Press("enter").Press("space").Press("pgdown").Press("space").Sees("Line 59 of", "y I agree")
	d.Press("enter")
	if rig.Engine.State().Consented != "" || rig.Engine.State().Phase != session.Between {
		t.Fatal("enter agreed")
	}
	d.Press("y").Sees("enter open the task")
	if rig.Engine.State().Consented != "2026-11" {
		t.Error("the agreement is not recorded")
	}
	d.Press("enter").Sees("your prompt")
}

func TestInstructionsAreShownOnce(t *testing.T) {
	d, _ := tuitest.InStudy(t, session.InStudy{Name: "Two models", Instructions: "Judge each answer."}, "")
	d.Sees("Judge each answer.", "enter go on")
	d.Press("enter").Sees("enter open the task")
	d.Press("enter").Sees("your prompt")
}

// TestHiddenTests: what the study hides is hidden until the judgement, and the judgement
// says that nothing was seen.
func TestHiddenTests(t *testing.T) {
	d, rig := tuitest.InStudy(t, session.InStudy{Name: "s", Shown: "Model A"}, session.SeeNothing)
	rig.Client.Say(tuitest.WrongAnswer)
	d.Sees("Model A", "Your terminal").Press("enter").Sees("open the task").Press("enter").Press("Double it").Press("ctrl+s").Sees("tests – hidden", "y satisfied")
	d.Press("2").Sees("hides the tests until you have judged")
	if screen := d.Screen(); strings.Contains(screen, "2/3") || strings.Contains(screen, "wrong answer") {
		t.Errorf("the verdict shows:\n%s", screen)
	}
	d.Press("r").Sees("your next message")
	if a := rig.Engine.State().Tasks[0].Attempts[0]; a.VerdictSeen {
		t.Error("the judgement says that the tests had been seen")
	}
	d.Press("tab", "tab").Sees("expected  4") // judged: now they may be seen
}

func TestVerdictAlone(t *testing.T) {
	d, rig := tuitest.InStudy(t, session.InStudy{Name: "s"}, session.SeeVerdict)
	rig.Client.Say(tuitest.WrongAnswer)
	d.Sees("enter go on").Press("enter").Sees("open the task").Press("enter").Press("Double it").Press("ctrl+s").Sees("tests ✗ 2/3")
	d.Press("2").Sees("✗ wrong answer", "shown when you have judged")
	if strings.Contains(d.Screen(), "expected  4") {
		t.Error("a test case shows")
	}
	d.Press("r").Sees("your next message")
	if a := rig.Engine.State().Tasks[0].Attempts[0]; !a.VerdictSeen {
		t.Error("the judgement says that nothing had been seen")
	}
}

// TestTakingAJudgementBackHidesNothing: who judged may have looked, and the log says so.
func TestTakingAJudgementBackHidesNothing(t *testing.T) {
	d, rig := tuitest.InStudy(t, session.InStudy{Name: "s", Shown: "Model A"}, session.SeeNothing)
	rig.Client.Say(tuitest.WrongAnswer)
	d.Sees("Model A", "Your terminal").Press("enter").Sees("open the task").Press("enter").Press("Double it").Press("ctrl+s").Sees("tests – hidden", "y satisfied")
	fatal.If(t, rig.Until(t.Context(), func(s *session.State) bool { return s.Attempt().Verdict != nil })) // else tab passes the tests over
	d.Press("r").Sees("your next message").Press("tab", "tab").Sees("expected  4")
	d.Press("f6").Sees("tests ✗ 2/3")
	d.Press("y").Sees("Rate the final answer")
	if a := rig.Engine.State().Tasks[0].Attempts[0]; !a.VerdictSeen {
		t.Error("the judgement says that the tests had not been seen")
	}
}

// TestHandIn: after the last session of a study the screen writes the file to hand in, if its owner does not
// have the sessions; before the last it shows no results, unless the study wants that.
func TestHandIn(t *testing.T) {
	for name, c := range map[string]struct {
		study       session.InStudy
		opts        work.Options
		sees, lacks []string
	}{
		"the number of sessions is unknown": {session.InStudy{Name: "s", Part: 1}, work.Options{}, []string{"If the study has another session"}, []string{"hand in"}},
		"over SSH":                          {session.InStudy{Name: "s", Part: 2}, work.Options{Sessions: 2}, []string{"That was your last session. Thank you."}, []string{"hand in"}},
		"before the last":                   {session.InStudy{Name: "s", Part: 1, ResultsLater: true}, work.Options{Sessions: 2}, []string{"Session finished", "another session for you (2 of 2)", "your results after the last"}, []string{"counting", "hand in"}},
		"results after each":                {session.InStudy{Name: "s", Part: 1}, work.Options{Sessions: 2}, []string{"another session for you (2 of 2)"}, []string{"hand in", "after the last"}},
		"the last":                          {session.InStudy{Name: "s", Part: 2}, work.Options{Sessions: 2, HandIn: func(context.Context) (string, error) { return "/home/ann/s-place-1.assay", nil }}, []string{"w writes the file to hand in"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			rig, err := enginetest.New(1, func(choice *session.Choice) { choice.Study = &c.study })
			fatal.If(t, err)
			t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
			rig.Client.Say(tuitest.RightAnswer)
			c.opts.Report = func(context.Context, string) (string, error) { return "", errors.New("a report was written") }
			if !c.study.ResultsLater {
				c.opts.Report = nil
			}
			d := tuitest.Drive(t, work.New(rig.Engine, c.opts), 80, 24)
			d.Press("enter").Sees("open the task").Press("enter").Press("x", "ctrl+s").Sees("tests ✓").Press("y").Sees("9 to go")
			d.Press("4", "5", "3", "4", "4", "4", "5", "2", "y", "enter").Sees(c.sees...)
			for _, text := range append(c.lacks, "a report was written") {
				d.Lacks(text)
			}
			if c.opts.HandIn != nil {
				d.Press("w").Sees("send this file to the study's owner", "/home/ann/s-place-1.assay")
			} else {
				d.Press("w").Sees("not now")
			}
			if c.study.ResultsLater {
				d.Press("v").Sees("the study shows your results after your last session")
			}
		})
	}
}

// TestBlindErrors: what a provider says of itself does not reach the tester.
func TestBlindErrors(t *testing.T) {
	d, rig := tuitest.InStudy(t, session.InStudy{Name: "s", Shown: "Model A"}, "")
	rig.Client.Fail(&llm.Error{Class: "auth", Message: "api.example.com refused the key of gpt-5", Advice: "set GPT_KEY"})
	d.Sees("enter go on").Press("enter").Sees("open the task").Press("enter").Press("Double it").Press("ctrl+s").Sees("Model A did not answer", "tell the study's owner")
	if screen := d.Screen(); strings.Contains(screen, "gpt") || strings.Contains(screen, "GPT") {
		t.Errorf("the model is named:\n%s", screen)
	}
}
