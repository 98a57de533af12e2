package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"assay/benchmark"
)

// Value is the result of one call of a function: a value, an exception or a failure.
type Value struct {
	JSON   json.RawMessage // as in a case's "expected"; nil if there is none
	Raised []string        // names of the exception's class and its bases, the nearest first
	Failed Status          // why there is neither: a limit, or a process that ended
	Text   string          // of the exception or failure, to show
}

// Values calls the task's entry point in code with the arguments of each case, and returns the
// results. It judges nothing: it finds expected values with a program that is known to be right.
// The error is about a program that cannot be called at all.
func (j *Judge) Values(ctx context.Context, task *benchmark.Task, code string, cases []benchmark.Case) ([]Value, error) {
	called := *task
	called.Tests = benchmark.Tests{Style: benchmark.Calls, Cases: cases}
	tool, lib, err := j.prepare(&called)
	if err != nil {
		return nil, err
	}
	r := &run{judge: j, task: &called, limits: fixedLimits(called.Limits.WithDefaults()), clock: j.newClock(called.Limits), program: Assemble(&called, code, Solution),
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
	values := make([]Value, len(cases))
	for i, c := range cases {
		if values[i], err = r.value(i, c); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// internalTags matches the tags of values that exist only between the processes.
var internalTags = regexp.MustCompile(`"\$(remote|opaque|class|standard|rangeobject)"`)

func (r *run) value(i int, c benchmark.Case) (Value, error) {
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
		return Value{}, r.lost
	}
	switch a := answer.(type) {
	case valueAnswer:
		if internalTags.Match(a.Value) {
			return Value{Failed: Status(WrongAnswer), Text: "the value is an object, which a test case cannot contain"}, nil
		}
		return Value{JSON: a.Value}, nil
	case map[string]any:
		if a["k"] == "raise" {
			names, _ := a["names"].([]string)
			text, _ := a["shown"].(string)
			return Value{Raised: names, Text: text}, nil
		}
		status, _ := a["status"].(Status)
		text, _ := a["text"].(string)
		return Value{Failed: status, Text: text}, nil
	}
	return Value{}, fmt.Errorf("the call was answered by %T", answer)
}
