package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"assay/benchmark"
)

// codeforcesFields are the fields that are used of a row of the open data set of Codeforces' problems (open-r1/codeforces).
var codeforcesFields = []string{"id", "title", "description", "input_format", "output_format", "note", "interaction_format", "examples",
	"official_tests", "official_tests_complete", "input_mode", "generated_checker", "time_limit", "memory_limit", "tags", "contest_start"}

// codeforcesTask reads a problem: a program that reads its input. A problem with several correct outputs has a checker of its own,
// a program that is not run.
func codeforcesTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "id"
	given := map[string]json.RawMessage{} // fields without a value are null
	for name, value := range fields {
		if !isNull(value) {
			given[name] = value
		}
	}
	v, err := l.texts(given, []string{"id", "title", "description"}, []string{"input_format", "output_format", "note", "interaction_format", "input_mode", "generated_checker"})
	if err != nil {
		return nil, err
	}
	for _, none := range []struct{ field, why string }{
		{"interaction_format", "a program talks with the solution, which assay does not do"},
		{"generated_checker", "several outputs are correct, and the checker that knows them is a program that assay does not run"},
	} {
		if strings.TrimSpace(v[none.field]) != "" {
			return nil, l.unusable(v["id"], none.field, none.why+": remove the row")
		}
	}
	if mode := v["input_mode"]; mode != "" && mode != "stdio" {
		return nil, l.unusable(v["id"], "input_mode", fmt.Sprintf("the problem is solved with a %s, and programs are judged by their standard input and output: remove the row", clip(mode)))
	}
	task := &benchmark.Task{ID: v["id"], Title: v["title"], Language: "python", Description: strings.TrimSpace(v["description"]),
		Source: benchmark.Source{Title: "Codeforces"}, Tests: benchmark.Tests{Style: benchmark.Stdin, Checker: outputRule{}.checker()}}
	for _, part := range []struct{ title, field string }{{"Input", "input_format"}, {"Output", "output_format"}, {"Note", "note"}} {
		if text := strings.TrimSpace(v[part.field]); text != "" {
			task.Description += "\n\n" + part.title + "\n\n" + text
		}
	}
	if err := l.codeforcesTests(task, fields); err != nil {
		return nil, err
	}
	if err := l.inner(fields, "tags", "a list of texts", &task.Topics); err != nil {
		return nil, err
	}
	var start int64
	if err := l.inner(fields, "contest_start", "a number of seconds since 1970", &start); err != nil {
		return nil, err
	}
	if start > 0 {
		task.Published = benchmark.Date(time.Unix(start, 0).UTC().Format(time.DateOnly))
		task.Source.Year = task.Published.Year()
	}
	return task, nil
}

// codeforcesTests reads tests, examples and limits.
func (l *lines) codeforcesTests(task *benchmark.Task, fields map[string]json.RawMessage) error {
	type pair struct {
		Input  string `json:"input"`
		Output string `json:"output"`
	}
	const pairs = "a list of objects with input and output"
	var tests, examples []pair
	if err := l.inner(fields, "official_tests", pairs, &tests); err != nil {
		return err
	}
	if err := l.inner(fields, "examples", pairs, &examples); err != nil {
		return err
	}
	for i, test := range tests {
		task.Tests.Runs = append(task.Tests.Runs, benchmark.Run{Name: fmt.Sprint("official ", i+1), Input: test.Input, Output: test.Output, Compare: benchmark.OutputByChecker})
	}
	complete := true
	if err := l.inner(fields, "official_tests_complete", "true or false", &complete); err != nil {
		return err
	}
	switch {
	case len(tests) == 0:
		return l.unusable(task.ID, "official_tests", "the problem has no tests: remove the row")
	case !complete:
		return l.unusable(task.ID, "official_tests_complete", "tests are missing, since the site cuts long ones: wrong programs would be accepted; remove the row, or write true if the tests that are there are enough")
	}
	for _, e := range examples {
		task.Examples = append(task.Examples, benchmark.Example{Input: strings.TrimSpace(e.Input), Output: strings.TrimSpace(e.Output)})
	}
	var memory float64
	err := l.inner(fields, "time_limit", "a number of seconds", &task.Limits.CPUSeconds)
	if err == nil {
		err = l.inner(fields, "memory_limit", "a number of MB", &memory)
	}
	if task.Limits.MemoryMB = int(memory); task.Limits.CPUSeconds == 0 {
		task.Limits.CPUSeconds = problemSeconds
	}
	task.Limits.CPUTotal = min(max(60, task.Limits.CPUSeconds*float64(len(tests))), 3600)
	return err
}
