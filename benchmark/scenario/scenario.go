package scenario

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
)

//go:embed calls.py
var callsProgram string

// Bounds of what a person or a model can be asked to work out, in characters: LiveCodeBench's code has at
// most 1000, and its results are short.
const (
	longestCode = 2000
	longest     = 200 // call or result
)

// Options say what is made.
type Options struct {
	Style benchmark.Style // one that predicts
	Most  int             // tasks made of one
}

// calls is what the reference program was called with, and what it returned.
type calls struct {
	Code  string
	Calls []struct {
		Call, Output string
	}
	Problem string
}

// Make makes prediction tasks of a task, or returns why there are none. The error means that the reference
// could not be run.
func Make(ctx context.Context, j verdicts.Judge, task *benchmark.Task, o Options) (made []benchmark.Task, problem string, err error) {
	tests, check := "", false
	var given []string
	switch {
	case task.Reference == "":
		return nil, "it has no reference solution", nil
	case task.Language != "python":
		return nil, "its language is " + task.Language + ": results are compared as Python's literals", nil
	case task.EntryPoint == "":
		return nil, "it has no function to call", nil
	}
	switch t := task.Tests; t.Style {
	case benchmark.Calls:
		for _, c := range t.Cases {
			if call, ok := Call(task.EntryPoint, c); ok && c.Raises == "" {
				given = append(given, call)
			}
		}
	case benchmark.Check:
		tests, check = t.Check, true
	case benchmark.Asserts:
		tests = t.Setup + "\n" + strings.Join(t.Asserts, "\n")
	default:
		return nil, fmt.Sprintf("its tests are of style %q, not calls of a function", t.Style), nil
	}
	program := task.Reference
	if !strings.HasPrefix(program, task.Prompt) {
		program = assemble.Join(task, program, assemble.Solution)
	}
	found, problem, err := run(ctx, j, task, map[string]any{"program": program, "entry": task.EntryPoint,
		"calls": append([]string{}, given...), "tests": tests, "check": check, "longest": longest, "enough": max(20, 3*o.Most)})
	if problem != "" || err != nil {
		return nil, problem, err
	}
	if o.Style != benchmark.Output && len(found.Code) > longestCode {
		return nil, fmt.Sprintf("its reference has %d characters; at most %d can be traced", len(found.Code), longestCode), nil
	}
	outputs := map[string]bool{}
	for again := range 2 { // first calls with different results
		for i, c := range found.Calls {
			stated := strings.Contains(task.Description+task.Prompt, c.Call) || c.Call == ""
			if len(made) >= o.Most || stated || outputs[c.Output] != (again == 1) {
				continue
			}
			outputs[c.Output], found.Calls[i].Call = true, ""
			made = append(made, o.task(task, found.Code, c.Call, c.Output, len(made)+1))
		}
	}
	if len(made) == 0 {
		problem = "no call of its tests has literals for arguments and result, with at most 200 characters each, and is not in its statement"
		if found.Problem != "" {
			problem += ": " + found.Problem
		}
	}
	return made, problem, nil
}

// run runs the program that calls the reference.
func run(ctx context.Context, j verdicts.Judge, task *benchmark.Task, input map[string]any) (found calls, problem string, err error) {
	text, err := json.Marshal(input)
	if err != nil {
		return found, "", err
	}
	const file = "calls.json"
	r, err := j.Judge(ctx, verdicts.Submission{Task: &benchmark.Task{
		ID: task.ID, Title: task.Title, Language: "python", Description: task.Description, Outputs: []string{file}, Library: task.Library,
		Tests:  benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: string(text)}}},
		Limits: benchmark.Limits{CPUSeconds: 10, MemoryMB: 1024},
	}, Code: callsProgram})
	switch {
	case err != nil:
		return found, "", err
	case len(r.Outputs) == 1 && r.Outputs[0].Problem == "":
		if json.Unmarshal(r.Outputs[0].Data, &found) == nil {
			return found, "", nil
		}
		return found, "its reference wrote over the results", nil
	case r.Verdict == verdicts.SandboxError || r.MissingTool:
		return found, "", fmt.Errorf("task %s: the reference could not be run: %s", task.ID, r.Message)
	}
	return found, fmt.Sprintf("its reference could not be called: %s %s", r.Verdict, r.Message), nil
}

// task makes one task.
func (o Options) task(from *benchmark.Task, code, call, output string, number int) (t benchmark.Task) {
	switch o.Style {
	case benchmark.Execution:
		t = Execution(code, call, output)
		t.Title = from.Title + ": what a call returns"
	case benchmark.Input:
		t = Input(code, from.EntryPoint, call, output)
		t.Title = from.Title + ": a call that returns a value"
	default:
		statement := strings.TrimSpace(from.Description)
		if from.Prompt != "" && !strings.Contains(statement, strings.TrimSpace(from.Prompt)) {
			statement += "\n\n" + Function(strings.TrimSpace(from.Prompt))
		} else if from.Signature.Code != "" {
			statement += "\n\n" + Function(from.Signature.Code)
		} else if !from.Signature.IsZero() {
			statement += "\n\n" + Function("def "+from.SignatureText()+":")
		}
		t = Output(statement, call, output)
		t.Title, t.Constraints = from.Title+": the value of a test case", from.Constraints
		for _, e := range from.Examples {
			if !strings.Contains(e.Input, call) {
				t.Examples = append(t.Examples, e)
			}
		}
	}
	t.ID = fmt.Sprintf("%s-%s-%d", from.ID, o.Style, number)
	t.Difficulty, t.Type, t.Category, t.Topics = from.Difficulty, from.Type, from.Category, from.Topics
	t.Published, t.HumanPassRate, t.Source, t.Practice = from.Published, from.HumanPassRate, from.Source, from.Practice
	return t
}
