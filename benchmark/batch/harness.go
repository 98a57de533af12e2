package batch

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"assay/benchmark/format"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/testlog"
)

// sweBench writes report.json of each instance and the summary of the run, for each model of the predictions. The
// run's name is that of the results' directory.
func (w *resultsWriter) sweBench() ([]string, error) {
	byModel := map[string][]format.HarnessResult{}
	err := w.each(func(j judged) error {
		if j.task.Repository == nil {
			return fmt.Errorf("the task %s is no repository", j.row.TaskID)
		}
		model := cmp.Or(j.Model, "unknown")
		byModel[model] = append(byModel[model], harnessResult(j))
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := make([]string, len(w.o.Benchmark.Tasks))
	for i, task := range w.o.Benchmark.Tasks {
		all[i] = task.ID
	}
	dir := w.o.Out
	if w.o.Model != "" { // one of several, whose results are below those of the run
		dir = filepath.Dir(dir)
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, model := range slices.Sorted(maps.Keys(byModel)) {
		path, err := format.WriteHarness(dir, model, filepath.Base(absolute), all, byModel[model])
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// harnessResult is a sample's result as the harness reports it. It has no word for a report that cannot be trusted:
// then every test counts as failed.
func harnessResult(j judged) format.HarnessResult {
	r := format.HarnessResult{ID: j.row.TaskID, NoPatch: j.Text == ""}
	switch j.row.Resolution {
	case "", outcomes.EnvironmentError:
		r.Infra = j.row.Message
	case outcomes.PatchFailed:
	case outcomes.TimeLimit, outcomes.MemoryLimit, outcomes.OutputLimit:
		r.Ambiguous = j.row.Message
	default:
		failed := map[int]bool{}
		for _, number := range j.row.failed() {
			failed[number] = true
		}
		lists, number := j.task.Repository, 0
		graded := func(ids []string) testlog.Graded {
			g := testlog.Graded{Success: []string{}, Failure: []string{}}
			for _, id := range ids {
				if number++; failed[number] || j.row.Resolution == outcomes.Tampered {
					g.Failure = append(g.Failure, id)
				} else {
					g.Success = append(g.Success, id)
				}
			}
			return g
		}
		r.Grades = &testlog.Grades{FailToPass: graded(lists.FailToPass), PassToPass: graded(lists.PassToPass)}
	}
	return r
}
