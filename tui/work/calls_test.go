package work_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"assay/tui/tuitest"
	"assay/tui/work"
)

// A key goes from a failed test to the line of the answer that it names, and marks it.
func TestLineOfAFailure(t *testing.T) {
	d, _ := tuitest.Reading(t, work.Options{}, "Try:\n\n```python\ndef triple(n):\n    raise TypeError\n```\n\nor\n\n```python\ndef double(n):\n    n += 1\n    raise TypeError\n```\n")
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.Press("2").Sees("✗ runtime error 0/3", "✗ 3 cases: TypeError: no number (line 3: raise TypeError)", "double(1)", "e line of code").Lacks("double(2)")
	d.Press("enter").Sees("double(2)", "double(3)").Press("e").Sees("1 answer", `"raise TypeError": 2 of 2`)
	if raw := d.App.View().Content; strings.Count(raw, "\x1b[1;4;7mraise TypeError") != 1 {
		t.Errorf("the line is not marked:\n%q", raw)
	}
	fine, _ := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
	fine.Press("2").Sees("expected  4").Lacks("e line of code").Press("e").Sees("not now: this failure names no line of the code")
}

// The code is run with a call of the tester's own; what comes of it is recorded, is shown with the tests, and changes no
// verdict.
func TestCallOfOnesOwn(t *testing.T) {
	d, rig := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
	d.Press("i").Sees("Which call shall be run?", "enter run it").Press("enter").Sees("Write a call in one line").Press("double(", "7)", "enter")
	d.Sees("calls of your own, which are no verdict", "   double(7)\n", "       ran print(repr(double(7)))", "✗ wrong answer 2/3")
	a := rig.Engine.State().Attempt()
	if len(a.Scratch) != 1 || a.Verdict.Verdict != "wrong_answer" {
		t.Fatalf("%+v", a)
	}
	if text, err := rig.Engine.Text(a.Scratch[0].Input); err != nil || text != "double(7)" {
		t.Errorf("%q, %v", text, err)
	}
	hidden, _ := tuitest.Reading(t, work.Options{}, tuitest.WrongAnswer)
	hidden.Press("g").Sees("to go").Press("i").Lacks("Which call")
}
