package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
)

// A call of one's own is run with the code and prints its value, or why it failed; a program gets the input. Neither
// depends on the task's tests.
func TestScratch(t *testing.T) {
	j := newJudge(t)
	double := &benchmark.Task{ID: "double", Language: "python", EntryPoint: "double", Prompt: "import math\n\ndef double(n):\n    ...\n",
		Tests: benchmark.Tests{Style: benchmark.Check, Check: "def check(candidate):\n    assert candidate(2) == 5\n"}}
	echo := &benchmark.Task{ID: "echo", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "1", Output: "2"}}}}
	for _, tc := range []struct {
		name       string
		task       *benchmark.Task
		code, text string
		want       string
	}{
		{"value", double, "def double(n):\n    return math.floor(n) * 2\n", "double(21)", "42"},
		{"text", double, "def double(n):\n    return n * 2\n", "double('ab')", "'abab'"},
		{"prints", double, "def double(n):\n    print('here')\n", "double(1)", "here\nNone"},
		{"fails", double, "def double(n):\n    return n / 0\n", "double(1)", "ZeroDivisionError"},
		{"input", echo, "print(input()[::-1])\n", "abc", "cba"},
	} {
		task, program, err := assemble.Scratch(tc.task, tc.code, tc.text)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: program})
		if got := r.Printed(); err != nil || got != tc.want && !(tc.name == "fails" && strings.Contains(got, tc.want)) {
			t.Errorf("%s: %q, %v, want %q", tc.name, got, err, tc.want)
		}
	}
	for text, task := range map[string]*benchmark.Task{"f()": {ID: "go", Language: "go"}, "f()\ng()": double, " ": double, "x": {ID: "p", Language: "python", Tests: benchmark.Tests{Style: benchmark.Output}}} {
		if _, _, err := assemble.Scratch(task, "code", text); err == nil {
			t.Errorf("%q of %s is run", text, task.ID)
		}
	}
}
