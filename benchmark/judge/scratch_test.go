package judge

import (
	"slices"
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

// Code for which there are no tests is run as it is: it prints, leaves the files that it names, and plots in R.
func TestTrial(t *testing.T) {
	j := newJudge(t)
	for _, tc := range []struct {
		name, language, code, stdout, failure string
		files                                 []string
	}{
		{"prints", "python", "from __future__ import annotations\nprint(6 * 7)\n", "42\n", "", nil},
		{"a file", "python", "open('made.csv', 'w').write('a,b')\n", "", "", []string{"made.csv"}},
		{"fails", "python", "print(1)\nraise ValueError('no')\n", "1\n", "ValueError: no", nil},
		{"reads", "python", "print(input())\n", "", "EOFError", nil},
		{"plots", "r", "x <- c(1, 4)\nplot(x)\nhist(x)\nprint(sum(x))\n", "[1] 5\n", "", []string{"plot1.png", "plot2.png"}},
		{"fails in R", "r", "x <- 1\nstop('no')\n", "", "no", nil},
	} {
		task := &benchmark.Task{ID: "open", Language: tc.language}
		run, program := assemble.Trial(task, tc.code)
		if err := j.Ready(run); err != nil {
			t.Log(err)
			continue
		}
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: run, Code: program})
		var files []string
		for _, f := range r.Outputs {
			if f.Size > 0 {
				files = append(files, f.Name)
			}
		}
		if err != nil || r.Stdout != tc.stdout || !slices.Equal(files, tc.files) || (r.Failure() == "") != (tc.failure == "") || !strings.Contains(r.Failure(), tc.failure) {
			t.Errorf("%s: %v, %q, %v, %q\n%s", tc.name, err, r.Stdout, files, r.Failure(), r.Stderr)
		}
	}
}
