package judge

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"assay/benchmark"
)

//go:embed python/prediction.py
var pythonPrediction string

// predictionCheckers are the checkers of the styles in which an answer states what a call returns.
var predictionCheckers = map[benchmark.Style]string{
	benchmark.Execution: pythonPrediction + "\naccept = accept_execution\n",
	benchmark.Output:    pythonPrediction + "\naccept = accept_output\n",
}

// doPrediction judges what an answer says that a call returns. The checker parses the answer: nothing of it
// is run.
func (r *run) doPrediction(ctx context.Context, c *checker) error {
	r.ctx, r.caseCPU = ctx, map[int]time.Duration{}
	started := time.Now()
	defer func() { r.result.WallMS = time.Since(started).Milliseconds() }()
	test := r.task.Tests.Runs[0]
	report := caseReport{Index: 1, Name: test.Name, Edge: test.Edge, Status: Passed, Call: clip(test.Input, 300), Expected: clip(test.Output, 300), Got: clip(r.program, 300)}
	if r.empty {
		r.refuse([]caseReport{report}, nothingToRun)
		return nil
	}
	r.result.RepeatsCall = r.task.Tests.Style == benchmark.Execution && strings.Contains(r.program, test.Input)
	refused, err := c.accepts(r.clock, r.task, test, r.program)
	if limit, ok := r.exhausted(err); ok {
		refused, err = &limit, nil
	}
	if err != nil {
		return err
	}
	if refused != nil {
		report.Status, report.Message = refused.Status, refused.Text
	}
	r.conclude(fromChecker{Cases: []caseReport{report}})
	return nil
}
