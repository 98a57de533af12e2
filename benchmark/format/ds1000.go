package format

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay/benchmark"
)

// ds1000Task reads a task of DS-1000 in its simplified form. The tests insert the code of an answer as a
// string into their context; so program and tests are one script that contains the program as a string. (An
// answer with three consecutive apostrophes would end that string, and is judged wrongly.)
func ds1000Task(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "metadata"
	values, err := l.texts(fields, []string{"prompt", "code_context"}, []string{"reference_code"})
	if err != nil {
		return nil, err
	}
	var metadata struct {
		Problem      *int   `json:"problem_id"`
		Library      string `json:"library"`
		Perturbation string `json:"perturbation_type"`
	}
	if err := l.inner(fields, "metadata", "an object with problem_id and library", &metadata); err != nil {
		return nil, err
	}
	if metadata.Problem == nil {
		return nil, l.fail("metadata", "the number of the problem is missing: add it, as {\"problem_id\": 0, \"library\": \"Numpy\"}")
	}
	context := values["code_context"]
	if !strings.Contains(context, "def test_execution(") {
		return nil, l.fail("code_context", "the tests define no function test_execution(solution): add it")
	}
	script := "'''[:-1]\n" + context + "\n\ntest_execution(_solution)\n"
	if strings.Contains(context, "def test_string(") {
		script += "test_string(_solution)\n"
	}
	id := fmt.Sprintf("DS-1000/%d", *metadata.Problem)
	task := &benchmark.Task{ID: id, Title: strings.TrimSpace(metadata.Library + " " + id), Language: "python",
		Category: strings.ToLower(metadata.Library), Type: strings.ToLower(metadata.Perturbation),
		Description: strings.TrimSpace(values["prompt"]), Reference: values["reference_code"],
		Tests:  benchmark.Tests{Style: benchmark.Script, Setup: "_solution = r'''", Script: script},
		Limits: benchmark.Limits{CPUSeconds: 60, MemoryMB: 4096}} // for numpy and libraries based on it
	if metadata.Library != "" {
		task.Constraints = []string{"The library is " + metadata.Library}
	}
	return task, nil
}
