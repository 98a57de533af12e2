package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/extract"
	"assay/session/generate"
)

// Code is the code of one answer of a run.
type Code struct {
	Model   string `json:"model"`
	Prompt  string `json:"prompt"`            // the type of prompt
	Sample  int    `json:"sample"`            // from 0
	Code    string `json:"code"`              // "": none was found in the answer
	Verdict string `json:"verdict,omitempty"` // absent where it was not judged yet
	Passed  int    `json:"passed_tests"`
	Total   int    `json:"total_tests"`
}

// CodeOf returns the code of sample number n of a task, of each model and type of prompt of the run in a directory.
func CodeOf(dir string, task *benchmark.Task, n int) ([]Code, error) {
	models, prompts, err := generate.Names(dir)
	if err != nil {
		return nil, err
	}
	var all []Code
	for _, model := range models {
		for _, prompt := range prompts {
			rows, err := batch.ReadResults(resultsDir(dir, model, prompt))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			err = generate.Each(dir, model, prompt, func(a generate.Answer) error {
				if a.TaskID != task.ID || a.Sample != n {
					return nil
				}
				c := Code{Model: model, Prompt: prompt, Sample: n, Code: extract.Code(a.Text, task).Code}
				if i := slices.IndexFunc(rows, func(r batch.Row) bool { return r.TaskID == task.ID && r.Sample == n }); i >= 0 {
					c.Verdict, c.Passed, c.Total = string(rows[i].Verdict), rows[i].PassedTests, rows[i].TotalTests
				}
				all = append(all, c)
				return nil
			})
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the run in %s has no answer number %d to the task %s", dir, n+1, task.ID)
	}
	return all, nil
}
