package repository

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/testlog"
)

// lists are the tests that decide about the task.
func (j *job) lists() testlog.Lists {
	return testlog.Lists{FailToPass: j.task.Repository.FailToPass, PassToPass: j.task.Repository.PassToPass, FailOnly: j.env.FailOnly}
}

// misspelt makes it an error of the task if its lists write ids otherwise than the log, also with the reference:
// such tests fail whatever the answer is.
func (j *job) misspelt(ctx context.Context, result *Result, reported *testlog.Results) error {
	if len(testlog.Misspelt(reported.Status, j.lists())) == 0 {
		return nil
	}
	control, err := j.control(ctx)
	if err != nil {
		return err
	}
	if found := testlog.Misspelt(control.known, j.lists()); len(found) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(found)))
		result.Outcome = outcomes.EnvironmentError
		result.Message = fmt.Sprintf("%d of the task's tests are not found in the log, first %q: did you mean %q? Write fail_to_pass and pass_to_pass as the log has them",
			len(found), first, found[first])
	}
	return nil
}
