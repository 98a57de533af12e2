package format

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"assay/benchmark"
)

var (
	libraryName = regexp.MustCompile(`[A-Za-z_][\w.]*`)
	testClass   = regexp.MustCompile(`(?m)^class \w+\(.*TestCase\)`)
)

// bigCodeBenchTask reads a task of BigCodeBench. Its description is the instruction, or else the docstring;
// its constraints name the libraries, of which those outside Python's standard library must be installed.
// Its tests patch libraries and pass values such as data frames, so they share the program's process.
func bigCodeBenchTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values, err := l.texts(fields, []string{"task_id", "complete_prompt", "test", "entry_point"}, []string{"canonical_solution", "instruct_prompt"})
	if err != nil {
		return nil, err
	}
	if !testClass.MatchString(values["test"]) {
		return nil, l.fail("test", "the tests define no class of unittest.TestCase: add it, with a method for each test case")
	}
	task := &benchmark.Task{ID: values["task_id"], Title: values["task_id"], Language: "python", EntryPoint: values["entry_point"],
		Prompt: values["complete_prompt"], Description: strings.TrimSpace(values["instruct_prompt"]),
		Tests:  benchmark.Tests{Style: benchmark.Unittest, Unittest: values["test"], InProcess: true},
		Limits: benchmark.Limits{CPUSeconds: 60, MemoryMB: 4096}} // for numpy and libraries based on it
	if body := values["canonical_solution"]; body != "" {
		task.Reference = task.Prompt + body
	}
	var described string
	task.Signature, described = describe(task.Prompt, task.EntryPoint)
	task.Description = cmp.Or(task.Description, described)
	if task.Description == "" {
		return nil, l.fail("instruct_prompt", "the task has no statement, neither here nor as a docstring in complete_prompt: add it")
	}
	task.Topics = libraryNames(fields["libs"])
	if len(task.Topics) > 0 {
		task.Constraints = []string{"These libraries may be used: " + strings.Join(task.Topics, ", ")}
	}
	return task, nil
}

// libraryNames returns the names in field libs: a list, or a string with a list in Python's notation.
func libraryNames(libs json.RawMessage) []string {
	if string(libs) == "null" {
		return nil
	}
	var names []string
	for _, name := range libraryName.FindAllString(string(libs), -1) {
		names = append(names, strings.ToLower(name))
	}
	return names
}
