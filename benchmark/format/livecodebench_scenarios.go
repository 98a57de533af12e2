package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/scenario"
)

// LiveCodeBench's scenarios "code execution" and "test output prediction" have rows of their own.
var (
	liveCodeBenchExecutionFields = []string{"id", "code", "input", "output", "function_name", "difficulty", "contest_date"}
	liveCodeBenchOutputFields    = []string{"question_id", "test_id", "question_title", "question_content", "test", "starter_code", "function_name", "difficulty", "contest_date"}
)

// liveCodeBenchExecution reads a row of execution-v2: code and a call.
func liveCodeBenchExecution(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "id"
	values, err := l.texts(fields, []string{"id", "code", "input", "output"}, []string{"function_name", "difficulty"})
	if err != nil {
		return nil, err
	}
	task := scenario.Execution(values["code"], values["input"], values["output"])
	task.ID, task.Title = values["id"], "What "+values["input"]+" returns"
	if len(task.Title) > 80 {
		task.Title = "What a call of " + values["function_name"] + " returns"
	}
	return &task, l.contest(&task, fields, values["difficulty"])
}

// liveCodeBenchOutput reads a row of test_generation: a statement and a test case, whose value is in JSON. Its id is
// that of the question with the number of the test.
func liveCodeBenchOutput(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "test_id"
	values, err := l.texts(fields, []string{"question_title", "question_content", "starter_code", "function_name"}, []string{"difficulty"})
	if err != nil {
		return nil, err
	}
	id, err := l.testID(fields)
	if err != nil {
		return nil, err
	}
	tests, err := l.liveCodeBenchCases(fields, "test")
	if err != nil {
		return nil, err
	}
	if len(tests) == 0 {
		return nil, l.unusable(id, "test", "the row has no test case: add it, as a list of one object with input and output")
	}
	value, ok := pythonJSON(tests[0].Output)
	output, literal := "", false
	if ok {
		output, literal = scenario.Literal(value)
	}
	if !literal {
		return nil, l.fail("test", fmt.Sprintf("the output %q is no value in JSON: write it so", clip(tests[0].Output)))
	}
	call := values["function_name"] + "(" + strings.Join(strings.Split(tests[0].Input, "\n"), ", ") + ")"
	task := scenario.Output(strings.TrimSpace(values["question_content"])+"\n\n"+scenario.Function(values["starter_code"]), call, output)
	task.ID, task.Title = id, values["question_title"]
	return &task, l.contest(&task, fields, values["difficulty"])
}

// testID returns the id of a test case: 2727_0.
func (l *lines) testID(fields map[string]json.RawMessage) (string, error) {
	question, test := bare(fields["question_id"]), bare(fields["test_id"])
	for i, part := range []string{question, test} {
		if part == "" || strings.ContainsAny(part, "{[\n") {
			name := [...]string{"question_id", "test_id"}[i]
			return "", l.fail(name, "the field must be a number or a text: add it")
		}
	}
	return question + "_" + test, nil
}

// contest fills in the difficulty and the date of a contest, which is a text or, in files written by pandas, the time
// in milliseconds.
func (l *lines) contest(task *benchmark.Task, fields map[string]json.RawMessage, difficulty string) error {
	task.Difficulty = benchmark.Difficulty(strings.ToLower(difficulty))
	if task.Difficulty != "" && !slices.Contains(benchmark.Difficulties[:], task.Difficulty) {
		return l.fail("difficulty", fmt.Sprintf("%q is not known: write easy, medium or hard", difficulty))
	}
	var ms int64
	date := bare(fields["contest_date"])
	if json.Unmarshal(fields["contest_date"], &ms) == nil && ms > 9999 {
		date = time.UnixMilli(ms).UTC().Format(time.DateOnly)
	}
	task.Published = benchmark.Date(date[:min(len(date), len("2024-08-11"))])
	if !task.Published.Valid() {
		return l.fail("contest_date", fmt.Sprintf("%q is not a date: write 2024-08-11T00:00:00", date))
	}
	task.Source.Year = task.Published.Year()
	return nil
}
