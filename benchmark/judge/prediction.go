package judge

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

//go:embed python/prediction.py
var pythonPrediction string

// predictionCheckers are the checkers of the styles in which an answer states what a call returns, or the call.
var predictionCheckers = map[benchmark.Style]string{
	benchmark.Execution: pythonPrediction + "\naccept = accept_execution\n",
	benchmark.Output:    pythonPrediction + "\naccept = accept_output\n",
	benchmark.Input:     pythonPrediction + "\naccept = accept_input\n",
}

// doPrediction judges what an answer says that a call returns. The checker parses the answer: nothing of it
// is run but a call that it has found to have plain arguments.
func (r *run) doPrediction(ctx context.Context, c *checker) error {
	r.ctx, r.caseCPU = ctx, map[int]time.Duration{}
	started := time.Now()
	defer func() { r.result.WallMS = time.Since(started).Milliseconds() }()
	test := r.task.Tests.Runs[0]
	wanted := caseReport{Index: 1, Name: test.Name, Edge: test.Edge, Status: verdicts.Passed, Call: verdicts.Clip(test.Input, 300), Expected: verdicts.Clip(test.Output, 300), Got: verdicts.Clip(r.program, 300)}
	calls := r.task.Tests.Style == benchmark.Input
	if calls {
		wanted.Call, wanted.Got = wanted.Got, ""
	}
	if r.empty {
		r.refuse([]caseReport{wanted}, nothingToRun)
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
	switch {
	case refused != nil:
		wanted.Status, wanted.Message = refused.Status, refused.Text
	case calls:
		return r.doCall(ctx, c, wanted)
	}
	r.conclude(fromChecker{Cases: []caseReport{wanted}})
	return nil
}

// doCall judges an answer that is a call by the value that it returns, as a test case of style "calls".
func (r *run) doCall(ctx context.Context, c *checker, wanted caseReport) error {
	const name = "_assay_call"
	called := *r.task
	called.EntryPoint, called.Tests = name, benchmark.Tests{
		Style: benchmark.Calls, Cases: []benchmark.Case{{Name: wanted.Name, Edge: wanted.Edge, Compare: benchmark.ByChecker}},
		Checker: "def accept(got, *others):\n    return got == (\n" + r.task.Tests.Runs[0].Output + "\n)\n",
	}
	r.task, r.program = &called, r.task.Tests.Setup+"\n\ndef "+name+"():\n    return (\n"+r.program+"\n)\n"
	err := r.do(ctx, c)
	r.objects = false // what the function returns is compared as it is
	for i := range r.result.Cases {
		r.result.Cases[i].Call, r.result.Cases[i].Expected = verdicts.StripEscapes(wanted.Call), verdicts.StripEscapes(wanted.Expected)
	}
	return err
}
