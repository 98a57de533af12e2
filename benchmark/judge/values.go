package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
)

// Values calls the task's entry point in code with the arguments of each case, and returns the
// results. It judges nothing: it finds expected values with a program that is known to be right.
// The error is about a program that cannot be called at all.
func (j *Judge) Values(ctx context.Context, task *benchmark.Task, code string, cases []benchmark.Case) ([]verdicts.Value, error) {
	called := *task
	called.Tests = benchmark.Tests{Style: benchmark.Calls, Cases: cases}
	tool, lib, err := j.prepare(&called)
	if err != nil {
		return nil, err
	}
	r := &run{judge: j, task: &called, limits: fixedLimits(called.Limits.WithDefaults()), clock: j.newClock(called.Limits), program: assemble.Join(&called, code, assemble.Solution),
		tool: tool, library: lib, ctx: ctx, plain: true}
	r.caseCPU = map[int]time.Duration{}
	defer r.retire()
	var failed *callFailure
	if tool != nil && tool.Compile != "" {
		if failed, err = r.prepareCalls(); err != nil {
			return nil, err
		}
	}
	if failed == nil {
		if err := r.launch(); err != nil {
			return nil, err
		}
		if failed, err = r.load(); err != nil {
			return nil, err
		}
	}
	if failed != nil {
		return nil, fmt.Errorf("the program does not load: %s", failed.Text)
	}
	values := make([]verdicts.Value, len(cases))
	for i, c := range cases {
		if values[i], err = r.value(i, c); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// internalTags matches the tags of values that exist only between the processes.
var internalTags = regexp.MustCompile(`"\$(remote|opaque|class|standard|rangeobject)"`)

func (r *run) value(i int, c benchmark.Case) (verdicts.Value, error) {
	args, err := json.Marshal(c.Args)
	if err != nil || c.Args == nil {
		args = []byte("[]")
	}
	kwargs, err := json.Marshal(c.Kwargs)
	if err != nil || c.Kwargs == nil {
		kwargs = []byte("{}")
	}
	answer := r.call(fromChecker{Kind: "call", ID: i + 1, Case: i + 1, Op: "call", Args: args, Kwargs: kwargs})
	if r.lost != nil {
		return verdicts.Value{}, r.lost
	}
	switch a := answer.(type) {
	case valueAnswer:
		if internalTags.Match(a.Value) {
			return verdicts.Value{Failed: verdicts.Status(verdicts.WrongAnswer), Text: "the value is an object, which a test case cannot contain"}, nil
		}
		return verdicts.Value{JSON: a.Value}, nil
	case map[string]any:
		if a["k"] == "raise" {
			names, _ := a["names"].([]string)
			text, _ := a["shown"].(string)
			return verdicts.Value{Raised: names, Text: text}, nil
		}
		status, _ := a["status"].(verdicts.Status)
		text, _ := a["text"].(string)
		return verdicts.Value{Failed: status, Text: text}, nil
	}
	return verdicts.Value{}, fmt.Errorf("the call was answered by %T", answer)
}
