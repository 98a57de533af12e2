package pipeline

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/scoring/irt/adaptive"
	"assay/session/generate"
	"assay/session/llm"
)

// byCode accepts programs that do not contain "wrong".
type byCode struct{ after func() }

func (j byCode) Judge(_ context.Context, s verdicts.Submission) (verdicts.Result, error) {
	if j.after != nil {
		j.after()
	}
	if strings.Contains(s.Code, "wrong") {
		return verdicts.Result{Verdict: verdicts.WrongAnswer, Total: 1}, nil
	}
	return verdicts.Result{Verdict: verdicts.Accepted, Passed: 1, Total: 1}, nil
}
func (byCode) Workers() int { return 1 }

// adaptiveBatch is a batch over twenty tasks whose model fails the harder half; requested lists the tasks that it was
// asked for.
func adaptiveBatch(t *testing.T) (o Options, a batch.Adaptive, requested func() []string) {
	t.Helper()
	b := tasks(20)
	a = batch.Adaptive{Items: &adaptive.File{Name: "made"}, Rules: adaptive.Rules{Least: 3, Most: 6, Among: 1, Exposure: 1}, Seed: 2}
	for i := range b.Tasks {
		b.Tasks[i].EntryPoint, b.Tasks[i].Tests = "f", benchmark.Tests{Style: benchmark.Check, Check: "def check(candidate):\n    assert candidate(1)\n"}
		a.Items.Items = append(a.Items.Items, adaptive.Item{ID: b.Tasks[i].ID, Slope: 1.5, Intercept: 3 - 0.3*float64(i)})
	}
	var mu sync.Mutex
	var list []string
	deps := llm.Deps{Getenv: func(string) string { return "" }, Recorded: func(task string, _ int) (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, task)
		if len(task) > 2 { // t10 to t19
			return "```python\nwrong = 1\n```\n", true
		}
		return "```python\nright = 1\n```\n", true
	}}
	pace := 0.0
	o = Options{Judge: byCode{}, NoMeasures: true, Generate: generate.Options{Dir: filepath.Join(t.TempDir(), "run"), Deps: deps, Plan: generate.Plan{Benchmark: b, N: 2,
		Models:  []llm.Model{{Name: "m", Provider: llm.ProviderRehearsal, Pace: &pace}},
		Prompts: func(t *benchmark.Task) []generate.Prompt { return []generate.Prompt{{Name: "p", Text: t.Description}} }}}}
	return o, a, func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(list) }
}

// Only chosen tasks are asked for, each sample once, also if the run is interrupted after any answer; its results are
// those of an undisturbed run.
func TestAdaptiveRun(t *testing.T) {
	o, a, requested := adaptiveBatch(t)
	want, _, err := StartAdaptive(t.Context(), o, a)
	fatal.If(t, err)
	if want.Tasks != 6 || want.Samples != 12 || want.End != adaptive.Longest || want.Pool != 19 || len(requested()) != 12 {
		t.Fatalf("%+v, asked for %v", want, requested())
	}
	o, a, requested = adaptiveBatch(t)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		o.Judge = byCode{after: cancel}
		r, _, err := StartAdaptive(ctx, o, a)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, batch.ErrInterrupted) || r == nil {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	o.Judge = byCode{}
	got, dir, err := StartAdaptive(t.Context(), o, a)
	fatal.If(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if n := len(requested()); n != 12 {
		t.Errorf("%d requests for 12 answers", n)
	}
	chosen, err := batch.Chosen(dir)
	fatal.If(t, err)
	if len(chosen) != 6 {
		t.Errorf("chosen: %v", chosen)
	}
	found, err := Results(o.Generate.Dir)
	if err != nil || len(found) != 1 || found[0].Dir != dir {
		t.Errorf("results: %+v, %v", found, err)
	}
}

// A batch of several models is refused before anything is asked for.
func TestAdaptiveRunOfOneModel(t *testing.T) {
	o, a, requested := adaptiveBatch(t)
	o.Generate.Plan.Models = append(o.Generate.Plan.Models, llm.Model{Name: "n", Provider: llm.ProviderRehearsal})
	if _, _, err := StartAdaptive(t.Context(), o, a); err == nil || !strings.Contains(err.Error(), "has 2 of both together") || len(requested()) > 0 {
		t.Errorf("%v, asked for %v", err, requested())
	}
}
