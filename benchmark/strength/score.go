package strength

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

// Score is the mutation score of a task's tests.
type Score struct {
	Mutants   int        `json:"mutants"`             // number that compile
	Killed    int        `json:"killed"`              // number that the tests do not accept
	Survivors []Survivor `json:"survivors,omitempty"` // in text order
}

// Survivor is a mutant that the tests accept: either it shows what they do not check, or it is equivalent
// to the reference solution.
type Survivor struct {
	Operator string `json:"operator"`
	Line     int    `json:"line"`
	Diff     string `json:"diff"`
}

// Share returns the share of mutants killed, from 0 to 1; it is 1 if there are none.
func (s Score) Share() float64 {
	if s.Mutants == 0 {
		return 1
	}
	return float64(s.Killed) / float64(s.Mutants)
}

// CPU limits of a mutant, in seconds for each test case: many times what the reference needs, but never
// more than the task allows. The first endless loop uses up the time of the whole sample.
const (
	mutantFactor  = 20
	mutantLeast   = 0.5
	referenceOnce = "its reference solution is %s (%s), so its mutants would tell nothing"
)

// errNoScore is wrapped by the error that explains why a task has no mutation score.
var errNoScore = errors.New("no mutation score")

// measure runs the mutants of a task's reference solution. The error wraps errNoScore if there can be no
// score: only Python is mutated, and there must be tests that accept the reference.
func measure(ctx context.Context, j verdicts.Judge, task *benchmark.Task) (Score, error) {
	switch {
	case task.Language != "python":
		return Score{}, fmt.Errorf("%w: programs in %s are not mutated", errNoScore, task.Language)
	case task.Reference == "":
		return Score{}, fmt.Errorf("%w: the task has no reference solution", errNoScore)
	case task.Tests.IsZero():
		return Score{}, fmt.Errorf("%w: the task has no tests", errNoScore)
	}
	mutants, err := Mutants(task.Reference)
	if err != nil {
		return Score{}, fmt.Errorf("%w: %w", errNoScore, err)
	}
	r, err := j.Judge(ctx, verdicts.Submission{Task: task, Code: task.Reference})
	if err != nil {
		return Score{}, err
	}
	if r.Verdict != verdicts.Accepted {
		return Score{}, fmt.Errorf("%w: "+referenceOnce, errNoScore, r.Verdict, r.Message)
	}
	short := *task
	most := 0.0
	for _, c := range r.Cases {
		most = max(most, float64(c.CPUMS)/1000)
	}
	short.Limits = task.Limits.WithDefaults()
	short.Limits.CPUSeconds = min(short.Limits.CPUSeconds, max(mutantLeast, mutantFactor*most))
	short.Limits.CPUTotal = min(short.Limits.CPUTotal, max(short.Limits.CPUSeconds, mutantFactor*float64(r.CPUMS)/1000))

	found := make([]verdicts.Verdict, len(mutants))
	judging, ctx := errgroup.WithContext(ctx)
	judging.SetLimit(max(j.Workers(), 1))
	for i, m := range mutants {
		judging.Go(func() error {
			r, err := j.Judge(ctx, verdicts.Submission{Task: &short, Code: m.Source, VerdictOnly: true})
			found[i] = r.Verdict
			return err
		})
	}
	if err := judging.Wait(); err != nil {
		return Score{}, err
	}
	var s Score
	for i, m := range mutants {
		switch found[i] {
		case verdicts.CompileError:
			continue
		case verdicts.SandboxError, verdicts.NotJudged:
			return Score{}, fmt.Errorf("a mutant of task %s could not be judged (%s)", task.ID, found[i])
		}
		s.Mutants++
		if found[i] != verdicts.Accepted {
			s.Killed++
			continue
		}
		s.Survivors = append(s.Survivors, Survivor{Operator: m.Operator, Line: m.Line, Diff: m.diff(task.Reference)})
	}
	return s, nil
}
