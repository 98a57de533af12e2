package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"assay/session"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui/work"
)

// inStudy starts a session of a study on the screen.
func inStudy(t *testing.T, in session.InStudy, tests session.TestsSeen) (*driver, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(1, func(c *session.Choice) { c.Study, c.Tests = &in, tests })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	return drive(t, work.New(rig.Engine, work.Options{}), 80, 24), rig
}

// TestConsentIsReadToItsEnd: agreeing is possible when the last line was on the screen,
// by a key that does nothing else, and no task opens before.
func TestConsentIsReadToItsEnd(t *testing.T) {
	var long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&long, "Line %d of what you agree to.\n", i)
	}
	d, rig := inStudy(t, session.InStudy{Name: "Two models", Instructions: "Judge\x1b[31m each answer.", Consent: long.String(), ConsentVersion: "2026-11"}, "")
	d.sees("Two models", "Judge each answer.", "What you agree to, version 2026-11", "Line 0 of")
	if strings.Contains(d.screen(), "I agree") {
		t.Error("what was not read can be agreed to")
	}
	d.press("y", "y")
	if rig.Engine.State().Consented != "" {
		t.Fatal("agreed unread")
	}
	d.press("enter").press("space").press("pgdown").press("space").sees("Line 59 of", "y I agree")
	d.press("enter")
	if rig.Engine.State().Consented != "" || rig.Engine.State().Phase != session.Between {
		t.Fatal("enter agreed")
	}
	d.press("y").sees("enter open the task")
	if rig.Engine.State().Consented != "2026-11" {
		t.Error("the agreement is not recorded")
	}
	d.press("enter").sees("your prompt")
}

func TestInstructionsAreShownOnce(t *testing.T) {
	d, _ := inStudy(t, session.InStudy{Name: "Two models", Instructions: "Judge each answer."}, "")
	d.sees("Judge each answer.", "enter go on")
	d.press("enter").sees("enter open the task")
	d.press("enter").sees("your prompt")
}

// TestHiddenTests: what the study hides is hidden until the judgement, and the judgement
// says that nothing was seen.
func TestHiddenTests(t *testing.T) {
	d, rig := inStudy(t, session.InStudy{Name: "s", Shown: "Model A"}, session.SeeNothing)
	rig.Client.Say(wrongAnswer)
	d.sees("Model A", "Your terminal").press("enter").sees("open the task").press("enter").press("Double it").press("ctrl+s").sees("tests – hidden", "y satisfied")
	d.press("2").sees("hides the tests until you have judged")
	if screen := d.screen(); strings.Contains(screen, "2 of 3") || strings.Contains(screen, "wrong answer") {
		t.Errorf("the verdict shows:\n%s", screen)
	}
	d.press("r").sees("your next message")
	if a := rig.Engine.State().Tasks[0].Attempts[0]; a.VerdictSeen {
		t.Error("the judgement says that the tests had been seen")
	}
	d.press("tab", "tab").sees("expected  4") // judged: now they may be seen
}

func TestVerdictAlone(t *testing.T) {
	d, rig := inStudy(t, session.InStudy{Name: "s"}, session.SeeVerdict)
	rig.Client.Say(wrongAnswer)
	d.sees("enter go on").press("enter").sees("open the task").press("enter").press("Double it").press("ctrl+s").sees("tests ✗ 2 of 3")
	d.press("2").sees("✗ wrong answer", "shown when you have judged")
	if strings.Contains(d.screen(), "expected  4") {
		t.Error("a test case shows")
	}
	d.press("r").sees("your next message")
	if a := rig.Engine.State().Tasks[0].Attempts[0]; !a.VerdictSeen {
		t.Error("the judgement says that nothing had been seen")
	}
}

// TestTakingAJudgementBackHidesNothing: who judged may have looked, and the log says so.
func TestTakingAJudgementBackHidesNothing(t *testing.T) {
	d, rig := inStudy(t, session.InStudy{Name: "s", Shown: "Model A"}, session.SeeNothing)
	rig.Client.Say(wrongAnswer)
	d.sees("Model A", "Your terminal").press("enter").sees("open the task").press("enter").press("Double it").press("ctrl+s").sees("tests – hidden", "y satisfied")
	d.press("r").sees("your next message").press("tab", "tab").sees("expected  4")
	d.press("f6").sees("tests ✗ 2 of 3")
	d.press("y").sees("Rate the final answer")
	if a := rig.Engine.State().Tasks[0].Attempts[0]; !a.VerdictSeen {
		t.Error("the judgement says that the tests had not been seen")
	}
}

// At the end of a study's session the screen says how to hand in, where there is something to
// hand in.
func TestHandIn(t *testing.T) {
	for _, command := range []string{"", "assay x"} {
		rig, err := enginetest.New(1, func(c *session.Choice) { c.Study = &session.InStudy{Name: "s"} })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
		rig.Client.Say(rightAnswer)
		d := drive(t, work.New(rig.Engine, work.Options{HandIn: command}), 80, 24)
		d.press("enter").sees("open the task").press("enter").press("x", "ctrl+s").sees("tests ✓").press("y").sees("9 to go")
		d.press("4", "5", "3", "4", "4", "4", "5", "2", "y", "enter").sees("If the study has another session", command)
		if command == "" {
			d.lacks("hand in with")
		}
	}
}

// TestBlindErrors: what a provider says of itself does not reach the tester.
func TestBlindErrors(t *testing.T) {
	d, rig := inStudy(t, session.InStudy{Name: "s", Shown: "Model A"}, "")
	rig.Client.Fail(&llm.Error{Class: "auth", Message: "api.example.com refused the key of gpt-5", Advice: "set GPT_KEY"})
	d.sees("enter go on").press("enter").sees("open the task").press("enter").press("Double it").press("ctrl+s").sees("Model A did not answer", "tell the study's owner")
	if screen := d.screen(); strings.Contains(screen, "gpt") || strings.Contains(screen, "GPT") {
		t.Errorf("the model is named:\n%s", screen)
	}
}
