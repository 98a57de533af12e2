package assemble

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/data/language"
)

// printed is a statement that prints the value of an expression, by language.
var printed = map[string]string{
	"python": "print(repr(%s))", "r": "print(%s)", "javascript": "console.log(%s)", "typescript": "console.log(%s)",
	"ruby": "p(%s)", "lua": "print(%s)", "php": "var_export(%s);", "perl": "print(%s);",
}

// plots makes R draw what a program plots without naming a file into numbered pictures. It stays in the program's first
// line, so that lines keep their numbers.
const plots = `options(device = function(...) grDevices::png("plot%d.png", 1000, 700)); `

// mostFiles is how many files are looked for that a program without declared outputs may write.
const mostFiles = 8

var writes = regexp.MustCompile(`["']([\w-][\w.-]{0,60}\.(?:png|jpe?g|gif|svg|pdf|html|csv|tsv|txt|json))["']`)

// Trial returns the task and the program that run code for which there are no tests, with nothing to read: what it
// prints, the files that it names and what it plots in R are for the tester to look at. What comes of it is no verdict.
func Trial(task *benchmark.Task, code string) (*benchmark.Task, string) {
	run := *task
	run.Tests = benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{}}}
	if task.EntryPoint != "" {
		run.Prompt, run.EntryPoint = "", ""
		code = Join(task, code, Solution)
	}
	if len(task.Outputs) > 0 {
		return &run, code
	}
	if task.Language == "r" {
		code = plots + code
		for i := range mostFiles {
			run.Outputs = append(run.Outputs, fmt.Sprintf("plot%d.png", i+1))
		}
	}
	for _, named := range writes.FindAllStringSubmatch(code, mostFiles) {
		if !slices.Contains(run.Outputs, named[1]) {
			run.Outputs = append(run.Outputs, named[1])
		}
	}
	return &run, code
}

// Scratch returns the task and the program that run code with a call of one's own, whose value is printed, or with an
// input of one's own: if the task's tests are inputs, or, of a task without tests, if the text begins with <. What comes
// of it is no verdict.
func Scratch(task *benchmark.Task, code, text string) (*benchmark.Task, string, error) {
	input, given := text, task.Tests.Style == benchmark.Stdin
	if !task.HasTests() && !given {
		input, given = strings.CutPrefix(text, "<")
		input = strings.TrimPrefix(input, " ")
	}
	run := *task
	run.Tests = benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{}}}
	if given {
		run.Tests.Runs[0].Input = input
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
