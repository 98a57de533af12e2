package assemble

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
	return &run, Join(task, code, Solution) + "\n" + fmt.Sprintf(statement, text) + "\n", nil
}
