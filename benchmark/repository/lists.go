package repository

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"assay/benchmark"
	"assay/benchmark/repository/testlog"
)

// Lists runs a task's tests before and after its reference patch. It returns the tests that pass only after it, and
// those that pass both times, sorted. The error says why a task without such tests is none.
func (r *Runner) Lists(ctx context.Context, task *benchmark.Task) (failToPass, passToPass []string, err error) {
	if task.Repository.Directory != nil {
		return nil, nil, errors.New("a task directory has no lists of tests")
	}
	j, err := r.open(ctx, task)
	if err != nil {
		return nil, nil, err
	}
	defer j.root.Close()
	var status [2]map[string]testlog.Status
	for i := range status {
		changes := maps.Clone(j.tests)
		if i == 1 {
			changes = maps.Clone(j.known)
			maps.Copy(changes, j.tests)
		}
		ran, err := j.run(ctx, changes, nil, nil)
		if err != nil {
			return nil, nil, err
		}
		status[i] = ran.results(j.parser).Status
		if i == 1 && ran.end.Cause != "" {
			return nil, nil, fmt.Errorf("after the change the tests reached a limit: %s", ran.end.Cause)
		}
		if i == 1 && len(status[i]) == 0 {
			return nil, nil, fmt.Errorf("after the change no test is reported: %s", ran.why())
		}
	}
	for _, id := range slices.Sorted(maps.Keys(status[1])) {
		switch {
		case !status[1][id].Good():
		case status[0][id].Good():
			passToPass = append(passToPass, id)
		default:
			failToPass = append(failToPass, id)
		}
	}
	if len(failToPass) == 0 {
		return nil, nil, errors.New("no test fails before the change and passes after it")
	}
	return failToPass, passToPass, nil
}
