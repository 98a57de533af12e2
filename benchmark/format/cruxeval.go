package format

import (
	"encoding/json"
	"regexp"

	"assay/benchmark"
	"assay/benchmark/scenario"
)

var cruxEvalFields = []string{"code", "input", "output", "id"}

// cruxEvalOutput reads a row of CRUXEval as a task that asks what the call returns.
func cruxEvalOutput(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values, err := l.cruxEval(fields)
	if err != nil {
		return nil, err
	}
	task := scenario.Execution(values["code"], values["call"], values["output"])
	task.ID, task.Title = values["id"], "What "+values["id"]+" returns"
	return &task, nil
}

// cruxEvalInput reads the same row as a task that asks for a call.
func cruxEvalInput(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values, err := l.cruxEval(fields)
	if err != nil {
		return nil, err
	}
	task := scenario.Input(values["code"], "f", values["call"], values["output"])
	task.ID, task.Title = values["id"], "A call of "+values["id"]
	return &task, nil
}

// cruxEval returns a row's texts with the call, of the function f. Its input may be empty.
func (l *lines) cruxEval(fields map[string]json.RawMessage) (values map[string]string, err error) {
	l.id = "id"
	if values, err = l.texts(fields, []string{"id", "code", "output"}, nil); err != nil {
		return nil, err
	}
	input, err := l.text(fields, "input", true)
	if err != nil {
		return nil, err
	}
	if !cruxEvalFunction.MatchString(values["code"]) {
		return nil, l.fail("code", "the code defines no function f, which the input is given to: name it so")
	}
	values["call"] = "f(" + input + ")"
	return values, nil
}

var cruxEvalFunction = regexp.MustCompile(`(?m)^(?:def f\(|f\s*=)`)
