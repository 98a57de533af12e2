package judge

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/data/sampled"
)

// TestLinesOfMessages: an error in an answer is reported with the number of the answer's own line, whatever stands
// before the answer in the program. R and Bash name no lines, and frameworks in Ruby and Lua write them to standard output.
func TestLinesOfMessages(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range multiPLE {
		task := &benchmark.Task{ID: tt.language, Language: tt.language, Prompt: tt.prompt, Tests: benchmark.Tests{Style: benchmark.Script, Script: tt.tests}}
		task.EntryPoint = entryOf(task)
		switch tt.language {
		case "r", "bash", "ruby", "lua":
			continue
		case "go":
			task.Prompt, task.Tests.Setup = "// Adds one.\nfunc add_one(n int) int {\n", "package main\n\n"
		}
		t.Run(tt.language, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			ready(t, j, task)
			for _, answer := range tt.answers {
				answer = strings.ReplaceAll(answer, "BAD", "undefined_name")
				code := extract.Code("```"+tt.language+"\n"+answer+"```\n", task).Code
				line := strconv.Itoa(strings.Count(code[:strings.Index(code, "undefined_name")], "\n") + 1)
				r := judgeCode(t, j, task, code)
				if said := r.Message + "\n" + r.Stderr; !regexp.MustCompile(`(?:line |:|\()` + line + `\b`).MatchString(said) {
					t.Errorf("%s names no line %s:\n%s\n%s", r.Verdict, line, said, code)
				}
			}
		})
	}
}

func TestLinesBefore(t *testing.T) {
	for _, tt := range []struct {
		program, answer string
		want            int
	}{
		{"a\nb\nc\n", "a\nb\nc\n", 0},
		{"x\ny\na\nb\nc\n", "a\nb\nc\n", 2},
		{"x\n\nb\nb\nc\n", "a\n\nb\nc\n", 1}, // a line left out, and one that stands twice
		{"import a\nx\n\ndef f():\n", "import a\n\ndef f():\n", 1},
		{"x\ny\n", "nothing\nof it\n", 0},
		{"", "", 0},
	} {
		if got := linesBefore(tt.program, tt.answer); got != tt.want {
			t.Errorf("%d lines before %q in %q, want %d", got, tt.answer, tt.program, tt.want)
		}
	}
}

func TestAnswerLines(t *testing.T) {
	l := answerLines{20, 10, lineIn("main.cpp")}
	for message, want := range map[string]string{
		"main.cpp:23:7: error: x\n   23 |   int y\n      |       ^": "main.cpp:3:7: error: x\n    3 |   int y\n      |       ^",
		"main.cpp:20:7: in the prompt":                              "main.cpp:20:7: in the prompt",
		"main.cpp:31:7: in the tests":                               "main.cpp:31:7: in the tests",
		"other.cpp:23:7: of another file":                           "other.cpp:23:7: of another file",
		"NameError: x (line 30: y)":                                 "NameError: x (line 10: y)",
		"got 23, expected 30":                                       "got 23, expected 30",
		"main.cpp(25,3): error":                                     "main.cpp(5,3): error",
		"at main.cpp line 25.":                                      "at main.cpp line 5.",
		"in main.cpp on line 25":                                    "in main.cpp on line 5",
		`File "main.cpp", line 25, in f`:                            `File "main.cpp", line 5, in f`,
	} {
		if got := l.of(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
