package judge

import (
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/data/language"
)

// printed is a statement that prints the value of an expression, by language.
var printed = map[string]string{
	"python": "print(repr(%s))", "r": "print(%s)", "javascript": "console.log(%s)", "typescript": "console.log(%s)",
	"ruby": "p(%s)", "lua": "print(%s)", "php": "var_export(%s);", "perl": "print(%s);",
}

// Scratch returns the task and the program that run code with a call of one's own, whose value is printed, or with an
// input of one's own if the task's tests are inputs. What comes of it is no verdict.
func Scratch(task *benchmark.Task, code, text string) (*benchmark.Task, string, error) {
	run := *task
	run.Tests = benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{}}}
	if task.Tests.Style == benchmark.Stdin {
		run.Tests.Runs[0].Input = text
		return &run, code, nil
	}
	statement, known := printed[task.Language]
	switch {
	case task.Repository != nil || task.Tests.Style.Predicts():
		return nil, "", fmt.Errorf("an answer to this task is not a program")
	case !known:
		return nil, "", fmt.Errorf("calls of one's own cannot be run in %s", language.Title(task.Language))
	case strings.TrimSpace(text) == "" || strings.Contains(text, "\n"):
		return nil, "", fmt.Errorf("write a call in one line")
	}
	run.Prompt, run.EntryPoint = "", ""
	return &run, Assemble(task, code, Solution) + "\n" + fmt.Sprintf(statement, text) + "\n", nil
}

// Printed returns what came of a scratch run: what the program printed, and why it failed.
func (r Result) Printed() string {
	text := strings.TrimRight(r.Stdout, "\n")
	if len(r.Cases) > 0 && text == "" {
		text = strings.TrimRight(r.Cases[0].Got, "\n")
	}
	failed := r.Message
	if len(r.Cases) > 0 && failed == "" {
		failed = r.Cases[0].Message
	}
	if v := r.Verdict; failed == "" && v != Accepted && v != WrongAnswer { // nothing is expected
		failed = strings.ReplaceAll(string(v), "_", " ")
	}
	return strings.Trim(text+"\n"+failed, "\n")
}
