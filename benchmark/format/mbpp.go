package format

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
)

var (
	mbppCall   = regexp.MustCompile(`\b(\w+)\s*\(`)
	mbppHeader = regexp.MustCompile(`^def check\(candidate\):[ \t]*\n`)
)

// asMBPP restores a task of MBPP from HumanEval's format: a list of asserts that call functions by name. It
// does nothing to other tasks.
func asMBPP(task *benchmark.Task) {
	head := mbppHeader.FindString(task.Tests.Check)
	body := task.Tests.Check[len(head):]
	if head == "" || strings.Contains(body, "candidate") {
		return
	}
	var asserts []string
	for line := range strings.Lines(body) {
		switch rest, first := strings.CutPrefix(line, "    assert"); {
		case strings.TrimSpace(line) == "":
		case first && strings.TrimLeft(rest, " (") != rest:
			asserts = append(asserts, "assert"+strings.TrimRight(rest, "\r\n"))
		case len(asserts) > 0 && strings.HasPrefix(line, "     "): // an assert over several lines
			asserts[len(asserts)-1] += "\n" + strings.TrimRight(line, "\r\n")
		default:
			return
		}
	}
	if len(asserts) == 0 {
		return
	}
	task.Tests = benchmark.Tests{Style: benchmark.Asserts, Asserts: asserts}
	if strings.Contains(body, "math.") { // the conversion lost MBPP's test_imports
		task.Tests.Setup = "import math\n"
	}
	task.Reference = mbppReference(task)
	// The format names the first function of the reference, which is sometimes only a helper of the tested
	// one.
	called := map[string]bool{}
	for _, m := range mbppCall.FindAllStringSubmatch(body, -1) {
		called[m[1]] = true
	}
	if called[task.EntryPoint] {
		return
	}
	for _, m := range mbppDef.FindAllStringSubmatch(task.Reference, -1) {
		if called[m[1]] {
			task.EntryPoint = m[1]
			task.Signature, _ = describe(task.Reference, m[1])
		}
	}
}

var mbppDef = regexp.MustCompile(`(?m)^def\s+(\w+)\s*\(`)

// mbppReference joins the prompt and the canonical solution without the docstring, which was added with
// different indentation.
func mbppReference(task *benchmark.Task) string {
	body, found := strings.CutPrefix(task.Reference, task.Prompt)
	if !found {
		return task.Reference
	}
	return mbppHead(task.Prompt) + body
}

// mbppHead returns a prompt without its docstring.
func mbppHead(prompt string) string {
	if at := strings.Index(prompt, "\n    '''"); at >= 0 {
		return prompt[:at+1]
	}
	return prompt
}

// mbppTask reads a task of MBPP as published, full or sanitized.
func mbppTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values, err := l.texts(fields, []string{"code"}, []string{"text", "prompt", "test_setup_code"})
	if err != nil {
		return nil, err
	}
	id, err := l.evalPlusID(fields["task_id"])
	if err != nil {
		return nil, err
	}
	task := &benchmark.Task{ID: id, Language: "python", Description: strings.TrimSpace(values["text"] + values["prompt"]), Reference: strings.ReplaceAll(values["code"], "\r\n", "\n"), // as much of it was written on Windows
		Tests: benchmark.Tests{Style: benchmark.Asserts, Setup: values["test_setup_code"]}}
	if task.Description == "" {
		return nil, l.fail("text", "the statement is missing: add it, as \"text\" or \"prompt\"")
	}
	var imports []string
	if err := l.inner(fields, "test_imports", "a list of texts", &imports); err != nil {
		return nil, err
	}
	if len(imports) > 0 {
		task.Tests.Setup = strings.TrimLeft(task.Tests.Setup+"\n"+strings.Join(imports, "\n")+"\n", "\n")
	}
	if err := l.inner(fields, "test_list", "a list of texts", &task.Tests.Asserts); err != nil {
		return nil, err
	}
	if len(task.Tests.Asserts) == 0 {
		return nil, l.unusable(id, "test_list", "the task has no tests: add a list of assert statements")
	}
	defined := map[string]bool{}
	for _, m := range mbppDef.FindAllStringSubmatch(task.Reference, -1) {
		defined[m[1]] = true
	}
	for _, m := range mbppCall.FindAllStringSubmatch(strings.Join(task.Tests.Asserts, "\n"), -1) {
		if defined[m[1]] {
			task.EntryPoint, task.Title = m[1], m[1]
			task.Signature, _ = describe(task.Reference, m[1]) // MBPP has no starter code
			return task, nil
		}
	}
	return nil, l.unusable(id, "code", fmt.Sprintf("the code defines no function that the tests call, as in %s: add it", clip(task.Tests.Asserts[0])))
}
