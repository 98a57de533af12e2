package work_test

import (
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/pairs"
	"assay/session"
	"assay/session/engine"
	"assay/session/engine/enginetest"
	"assay/session/llm"
	"assay/tui"
	"assay/tui/frame"
	"assay/tui/tuitest"
	"assay/tui/work"
)

const (
	fine   = "I am scripted-1.\n\n```python\ndef double(n):\n    return 2 * n\n```\n"
	faulty = "It doubles.\n\n```python\ndef double(n):\n    return 'wrong'\n```\n"
)

// compared begins a session with two models, whose answers to the first prompt have come.
func compared(t *testing.T, width, height int, adjust ...func(*session.Choice)) (*tuitest.Driver, *enginetest.Rig) {
	t.Helper()
	d, rig := tuitest.Begin(t, 1, append([]func(*session.Choice){enginetest.Arena}, adjust...)...)
	d.Look(frame.Size{Width: width, Height: height}, true, true)
	rig.Client.Say(fine)
	rig.Rival.Say(faulty)
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("which is better?")
	return d, rig
}

// sideOf returns the key of the side on which the answer of the first model stands.
func sideOf(rig *enginetest.Rig) (first, second string) {
	if rig.Engine.State().Attempt().Sent.Sides[0] == 0 {
		return "a", "b"
	}
	return "b", "a"
}

// TestCompareTwoModels: both answers stand side by side with their tests, no model is named, and what is picked is reviewed.
func TestCompareTwoModels(t *testing.T) {
	d, rig := compared(t, 120, 40)
	d.Sees("answer A", "answer B", "[model]", "[model]").Settled()
	for _, hidden := range []string{"scripted", "rival"} {
		if strings.Contains(d.Screen(), hidden) {
			t.Fatalf("%q is on the screen:\n%s", hidden, d.Screen())
		}
	}
	first, second := sideOf(rig)
	d.Press(second).Sees("is better, and goes on", "y satisfied", "It doubles.").Press("u").Sees("which is better?").Settled()
	d.Press("0").Sees("Neither is usable", "r refine").Press("y").Sees("neither answer is usable").Press("u").Sees("which is better?").Settled()
	d.Press(first).Sees("goes on", "[model]").Press("y").Sees("Accuracy").Settled()
	a := rig.Engine.State().Attempt()
	if a.Picked.Outcome != pairs.Outcome(first) || !a.Picked.Both || a.Verdict.Verdict != "accepted" || a.Decision != session.DecideSatisfied {
		t.Errorf("%+v of %+v", a.Picked, a)
	}
}

// TestCompareOnNarrowScreens: one answer stands at a time, and a key shows the other one.
func TestCompareOnNarrowScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 23}, {80, 24}} {
		d, rig := compared(t, size[0], size[1])
		d.Sees("answer A", "one of two").Lacks("answer B").Press("x").Sees("answer B").Lacks("answer A").Press("t").Sees("one answer stands here at a time")
		d.Press("3").Sees("answer A → answer B").Press("6").Sees("twice the number").Press("=").Sees("Equal:", "goes on, drawn").Settled()
		if p := rig.Engine.State().Attempt().Picked; p.Both || p.Outcome != pairs.Equal {
			t.Errorf("%+v", p)
		}
	}
}

// TestHiddenTestsOfTwo: what a study hides of the tests is hidden while answers are compared.
func TestHiddenTestsOfTwo(t *testing.T) {
	d, rig := compared(t, 120, 40, func(c *session.Choice) { c.Tests = session.SeeNothing })
	d.Sees("– hidden").Lacks("✓").Press("2").Sees("This study hides the tests").Settled()
	first, _ := sideOf(rig)
	d.Press(first).Sees("goes on").Lacks("✓").Press("y").Sees("Accuracy").Settled()
}

// TestOneOfTwoFails: the failure names no model, and says what sending again does.
func TestOneOfTwoFails(t *testing.T) {
	d, rig := tuitest.Begin(t, 1, enginetest.Arena)
	rig.Client.Say(fine)
	rig.Rival.Fail(&llm.Error{Class: "timeout", Message: "rival-1 is slow", Advice: "wait for rival-1"})
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("did not come", "same prompt asks only for the other one").Lacks("rival")
	rig.Rival.Say(faulty)
	d.Press("ctrl+s").Sees("which is better?").Settled()
	if n := len(rig.Client.Requests()); n != 1 {
		t.Errorf("the model that had answered was asked %d times", n)
	}
}

// TestWhatHadArrivedOfTwo: what had arrived of both answers when the tester stopped them, or the program ended in their
// midst, stands above the editor with their sides.
func TestWhatHadArrivedOfTwo(t *testing.T) {
	rig, err := enginetest.New(1, enginetest.Arena)
	fatal.If(t, err)
	open := func() (d *tuitest.Driver, first, second *telling) {
		first, second = &telling{pieces: make(chan string)}, &telling{pieces: make(chan string)}
		eng := rig.Reopen(t, func(cfg *engine.Config) { cfg.Client, cfg.Against = first, second })
		return tuitest.Drive(t, work.New(eng, work.Options{}), 120, 40), first, second
	}
	d, first, second := open()
	d.Press("enter").Sees("ctrl+s send").Press("Double it", "ctrl+s").Sees("esc stop")
	first.pieces <- "The first half"
	second.pieces <- "The other half"
	d.Sees("The first half", "The other half").Press("esc").Sees("You stopped the answer").Press("tab")
	d.Sees("what had arrived of answer A", "what had arrived of answer B", "The first half", "The other half")
	d.Press("ctrl+s").Sees("esc stop")
	first.pieces <- "Begun here"
	second.pieces <- "Begun there"
	d.Sees("Begun here", "Begun there").Press("ctrl+c", "y").Ends()
	d, _, _ = open()
	d.Sees("cut off when assay ended").Press("tab").Sees("of answer A", "of answer B", "Begun here", "Begun there")
}

// TestFirstPageOfTwo: the page that is drawn before the terminal has told its size stands, of a session that goes on
// where two answers are compared or arrive.
func TestFirstPageOfTwo(t *testing.T) {
	_, rig := compared(t, 120, 40)
	eng := rig.Reopen(t, func(*engine.Config) {})
	if eng.State().Phase != session.Pick {
		t.Fatal(eng.State().Phase)
	}
	app := tui.New(work.New(eng, work.Options{}), false)
	app.Init()
	if text := app.View().Content; !strings.Contains(text, "which is better?") || strings.Contains(text, "failed") {
		t.Error(text)
	}
}
