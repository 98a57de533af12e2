package verdicts

import "testing"

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
