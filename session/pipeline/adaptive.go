package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/format"
	"assay/session/generate"
)

// StartAdaptive asks one model for answers to one kind of prompt, and judges them, task by task: each task is chosen
// by the verdicts so far, and the run grows by it. It returns the directory of the results with the result.
func StartAdaptive(ctx context.Context, o Options, a batch.Adaptive) (*batch.AdaptiveResult, string, error) {
	runs := plan(o.Generate)
	if len(runs) != 1 {
		return nil, "", fmt.Errorf("an adaptive test is of one model and one kind of prompt, and the batch has %d of both together: make a batch file for each", len(runs))
	}
	r := runs[0]
	asked, err := batch.Chosen(r.Dir)
	if err != nil {
		return nil, "", err
	}
	a.Rules.Trials = o.Generate.Plan.N
	a.Answers = func(ctx context.Context, task string) ([]format.Sample, error) {
		if !slices.Contains(asked, task) {
			asked = append(asked, task)
		}
		return answersTo(ctx, o.Generate, r, asked, task)
	}
	result, err := batch.EvalAdaptive(ctx, batch.Options{Benchmark: o.Generate.Plan.Benchmark, Out: r.Dir, Judge: o.Judge, NoMeasures: o.NoMeasures, Analysis: o.Analysis,
		Unreviewed: r.Unreviewed, Say: o.Say}, a)
	return result, r.Dir, err
}

// answersTo generates what is missing of the answers to the tasks asked so far, and returns those to one of them.
func answersTo(ctx context.Context, o generate.Options, r *Run, asked []string, task string) (samples []format.Sample, err error) {
	some := *o.Plan.Benchmark
	some.Tasks = slices.DeleteFunc(slices.Clone(some.Tasks), func(t benchmark.Task) bool { return !slices.Contains(asked, t.ID) })
	o.Plan.Benchmark, o.Extend = &some, true
	run, err := generate.Open(o)
	if err != nil {
		return nil, err
	}
	err = run.Generate(ctx)
	complete := run.Summary().Complete()
	if err = errors.Join(err, run.Close()); err != nil {
		if errors.Is(err, generate.ErrStopped) || errors.Is(err, generate.ErrBudget) {
			err = errors.Join(batch.ErrInterrupted, err)
		}
		return nil, err
	}
	if !complete {
		return nil, fmt.Errorf("%w: the model gave no answer to some tasks; failures.jsonl has the reasons", batch.ErrInterrupted)
	}
	found := map[int]format.Sample{}
	if err := generate.Each(o.Dir, r.Model, r.Prompt, func(a generate.Answer) error {
		if a.TaskID == task {
			found[a.Sample] = format.Sample{TaskID: a.TaskID, Kind: format.Answer, Text: a.Text}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for n := range o.Plan.N {
		samples = append(samples, found[n])
	}
	return samples, nil
}
