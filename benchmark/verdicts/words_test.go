package verdicts

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	wrong := CaseResult{Index: 2, Status: Status(WrongAnswer), Call: "f(2)", Expected: "4", Got: "5", Message: "off by one"}
	for want, c := range map[string]CaseResult{
		"f(1) passed":  {Index: 1, Status: Passed, Call: "f(1)"},
		"f(3) not run": {Index: 3, Status: NotRun, Call: "f(3)"},
		"f(2) fails: expected 4, got 5 (off by one)": wrong,
		"test_a: f() fails (no such file)":           {Status: Status(RuntimeError), Name: "test_a", Call: "f()", Message: "no such file"},
		"test_a fails":                               {Status: Status(RuntimeError), Name: "test_a"},
	} {
		if got := c.Words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	r := Result{Cases: []CaseResult{{Status: Passed}, {Status: NotRun}, wrong}}
	if c := r.FirstFailing(); c == nil || c.Index != 2 || (Result{}).FirstFailing() != nil {
		t.Errorf("%+v", c)
	}
}

// What a test failed with is found, and stays in Why, wherever it stands in a long output.
func TestFailure(t *testing.T) {
	filler := strings.Repeat("    x = compute(1)\n", 40)
	for _, tt := range []struct{ name, line, want string }{
		{"pytest", "E   assert 3 == 6", "assert 3 == 6"},
		{"unittest", "AssertionError: 3 != 6", "AssertionError: 3 != 6"},
		{"java", "java.lang.AssertionError: expected:<6> but was:<3>", "java.lang.AssertionError: expected:<6> but was:<3>"},
	} {
		for before := range 3 {
			for after := range 3 {
				output := strings.Repeat(filler, before) + tt.line + "\n" + strings.Repeat(filler, after) + "\n"
				if at, text := Failure(output); at != 40*before || text != tt.want {
					t.Errorf("%s, %d and %d: %d, %q", tt.name, before, after, at, text)
				}
				r := Result{Cases: []CaseResult{{Name: "t", Call: FailToPass, Status: Status(WrongAnswer), Message: output}}}
				if why := r.Why(); !strings.Contains(why, tt.want) || len(why) > maxWhy+len("…") {
					t.Errorf("%s, %d and %d: %q", tt.name, before, after, why)
				}
			}
		}
	}
	for output, want := range map[string]string{"": "", "a\nb\n\n": "b", "E  \nE   c\nE   d\n": "c", "ValueError: a\nKeyError: b\nc\n": "KeyError: b"} {
		if _, text := Failure(output); text != want {
			t.Errorf("%q: %q, want %q", output, text, want)
		}
	}
}
