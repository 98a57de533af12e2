package format

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
)

// liveCodeBenchModules are the modules whose names LiveCodeBench's harness imports before every program, in
// its order, since later names hide earlier ones.
const liveCodeBenchModules = "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json builtins typing"

// liveCodeBenchPrompt returns these imports.
func liveCodeBenchPrompt() string {
	modules := strings.Fields(liveCodeBenchModules)
	var b strings.Builder
	for _, module := range modules {
		fmt.Fprintf(&b, "from %s import *\n", module)
	}
	// The harness has NumPy and gives programs no name for it. An answer that imports it is judged only where it is.
	fmt.Fprintf(&b, "import %s\nsys.setrecursionlimit(50000)\nif TYPE_CHECKING:\n    import numpy\n", strings.Join(modules[:16], ", "))
	return b.String()
}

// liveCodeBenchEnd makes a program end well whatever status it exits with, since the harness calls programs and
// catches what sys.exit raises. An uncaught exception still fails.
const liveCodeBenchEnd = `
def _end():
    def failed(*error, shown=sys.excepthook):
        atexit.unregister(leave)
        shown(*error)
    def leave():
        sys.stdout.flush()
        os._exit(0)
    import atexit, os
    sys.excepthook = failed
    atexit.register(leave)
_end()
`

// liveCodeBenchCompare implements LiveCodeBench's rule for results: a tuple equals a list.
const liveCodeBenchCompare = `def accept(got, expected, args, kwargs):
    return (list(got) if type(got) is tuple else got) == expected
`

// liveCodeBenchCase is a test case: for a program its input and output; for a function its arguments, one
// JSON value on each line, and the JSON of its result.
type liveCodeBenchCase struct {
	Input  string `json:"input"`
	Output string `json:"output"`
	Type   string `json:"testtype"` // "stdin", "functional"
}

// liveCodeBenchTask reads a task of LiveCodeBench: a program that reads its input, or
// a method of LeetCode's class Solution. Its tests are the public and the private ones.
func liveCodeBenchTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "question_id"
	values, err := l.texts(fields, []string{"question_id", "question_title", "question_content"},
		[]string{"starter_code", "difficulty", "platform"})
	if err != nil {
		return nil, err
	}
	task := &benchmark.Task{ID: values["question_id"], Title: values["question_title"], Language: "python", Prompt: liveCodeBenchPrompt(),
		Description: strings.TrimSpace(values["question_content"]),
		// 6 s as in LiveCodeBench; some tasks have hundreds of tests
		Source: benchmark.Source{Title: values["platform"]}, Limits: benchmark.Limits{CPUSeconds: 6, CPUTotal: 60}}
	if err := l.contest(task, fields, values["difficulty"]); err != nil {
		return nil, err
	}
	starter := strings.TrimSpace(values["starter_code"])
	task.Signature.Code = starter
	var metadata struct {
		Name  string `json:"func_name"`
		Other string `json:"fn_name"`
	}
	if err := l.inner(fields, "metadata", "an object", &metadata); err != nil {
		return nil, err
	}
	name := cmp.Or(metadata.Name, metadata.Other)
	if found := liveCodeBenchMethod.FindStringSubmatch(starter); name == "" && found != nil {
		name = found[1]
	}
	return task, l.liveCodeBenchTests(task, fields, name, appsClass.MatchString(starter))
}

var liveCodeBenchMethod = regexp.MustCompile(`(?m)^\s*def\s+(\w+)\s*\(`)

// liveCodeBenchTests fills in a task's tests; name is the function that they call.
func (l *lines) liveCodeBenchTests(task *benchmark.Task, fields map[string]json.RawMessage, name string, inClass bool) error {
	kind := ""
	var cases []benchmark.Case
	for _, field := range []string{"public_test_cases", "private_test_cases"} {
		tests, err := l.liveCodeBenchCases(fields, field)
		if err != nil {
			return err
		}
		for i, test := range tests {
			kind = cmp.Or(kind, test.Type)
			if test.Type != kind || kind != "stdin" && kind != "functional" {
				return l.fail(field, fmt.Sprintf("the testtype of test case %d is %q: all of a task's must be \"stdin\", or all \"functional\"", i+1, test.Type))
			}
			label := fmt.Sprintf("%s %d", strings.TrimSuffix(field, "_test_cases"), i+1)
			if kind == "stdin" {
				task.Tests.Runs = append(task.Tests.Runs, benchmark.Run{Name: label, Input: test.Input, Output: test.Output, Compare: benchmark.Decimals})
				continue
			}
			made, problem := test.call()
			if problem != "" {
				return l.fail(field, fmt.Sprintf("test case %d: %s", i+1, problem))
			}
			made.Name = label
			cases = append(cases, made)
		}
	}
	switch {
	case kind == "":
		return l.unusable(task.ID, "public_test_cases", "the task has no test cases: add some, as a list of objects with input, output and testtype")
	case kind == "stdin":
		task.Tests.Style, task.Prompt = benchmark.Stdin, task.Prompt+liveCodeBenchEnd
	case name == "":
		return l.fail("metadata", "the name of the function is missing: add it, as {\"func_name\": \"…\"}")
	case inClass:
		task.EntryPoint = "Solution"
		task.Tests = benchmark.Tests{Style: benchmark.Check, Check: appsCheck(cases, liveCodeBenchCompare) + fmt.Sprintf(callOfMethod, name)}
	default:
		task.EntryPoint = name
		task.Tests = benchmark.Tests{Style: benchmark.Calls, Cases: cases, Checker: liveCodeBenchCompare}
	}
	return nil
}

// call returns the test case of a function, or what is wrong with it.
func (c liveCodeBenchCase) call() (benchmark.Case, string) {
	made := benchmark.Case{Args: []json.RawMessage{}, Compare: benchmark.ByChecker}
	for line := range strings.SplitSeq(c.Input, "\n") {
		value, ok := pythonJSON(line)
		if !ok {
			return made, fmt.Sprintf("%q in the input is not JSON: write each argument as JSON on a line of its own", clip(line))
		}
		made.Args = append(made.Args, value)
	}
	var ok bool
	if made.Expected, ok = pythonJSON(c.Output); !ok {
		return made, fmt.Sprintf("the output %q is not JSON: write what the function returns as JSON", clip(c.Output))
	}
	return made, ""
}

// pythonJSON returns a text as JSON, with Python's numbers, if it is valid.
func pythonJSON(text string) (json.RawMessage, bool) {
	raw := []byte(strings.TrimSpace(text))
	if !json.Valid(raw) {
		raw = withoutPythonNumbers(raw)
	}
	return raw, json.Valid(raw)
}

// liveCodeBenchCases decodes a list of test cases; private tests are encoded with base64, zlib and pickle.
func (l *lines) liveCodeBenchCases(fields map[string]json.RawMessage, field string) ([]liveCodeBenchCase, error) {
	raw := fields[field]
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(strings.TrimSpace(text))
	}
	if len(raw) > 0 && text != "" && raw[0] != '[' {
		hidden, err := unpickled(string(raw))
		if err != nil {
			return nil, l.fail(field, fmt.Sprintf("the field must be a list of test cases, or that as a text in base64, zlib and pickle: %v", err))
		}
		raw = json.RawMessage(hidden)
	}
	if len(raw) == 0 {
		return nil, nil
	}
	var tests []liveCodeBenchCase
	if err := json.Unmarshal(raw, &tests); err != nil {
		return nil, l.fail(field, fmt.Sprintf("the field must be a list of objects with input, output and testtype: %v", err))
	}
	return tests, nil
}

// clip shortens a text for a message.
func clip(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return text
}
