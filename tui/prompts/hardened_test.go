package prompts

import (
	"strings"
	"testing"

	"assay/session/harden"
)

// A new solution that calls programs, opens files or asks the interpreter is named in the review, with its line.
func TestSolutionsThatReachOut(t *testing.T) {
	for code, want := range map[string]string{
		"import os\ndef f(x):\n    os.system('true')\n    return x\n":      "line 3 of the new solution reaches out of the task: os.system",
		"def f(x):\n    return eval(str(x))\n":                             "line 2 of the new solution reaches out of the task: eval",
		"const { execSync } = require('child_process');":                   "line 1 of the new solution reaches out of the task: child_process",
		"def f(x):\n    x.open()\n    evaluate(x)\n    return reopen(x)\n": "",
		"def f(cost):\n    system = cost.os_system\n    return system\n":   "",
	} {
		p := &harden.Proposed{Second: &harden.Second{Agrees: true, Tries: 1}}
		p.Task.Reference = code
		var said []string
		for _, f := range doubtsOf(p, harden.Difficulty{}) {
			said = append(said, f.String())
		}
		if got := strings.Join(said, "; "); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}
