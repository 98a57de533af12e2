package pipeline

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/session/generate"
	"assay/session/llm"
)

// Answers that are not accepted are asked for again with the code and what was wrong; results after each round
// are those of all samples, and a second call asks for nothing.
func TestRepair(t *testing.T) {
	b := tasks(4)
	needs := map[string]int{"t0": 1, "t1": 2, "t2": 3, "t3": 9} // the attempt that is right
	var asked []string
	pace := 0.0
	j := &slowly{passed: make(chan struct{}, 1)}
	o := Options{K: []int{1, 2}, Judge: j, NoMeasures: true, Generate: generate.Options{Dir: filepath.Join(t.TempDir(), "run"), Plan: generate.Plan{Benchmark: b, N: 2,
		Models:  []llm.Model{{Name: "m", Provider: llm.ProviderRehearsal, Pace: &pace}},
		Prompts: func(t *benchmark.Task) []generate.Prompt { return []generate.Prompt{{Name: "p", Text: t.Description}} }},
		Deps: llm.Deps{Getenv: func(string) string { return "" }, Recorded: func(task string, attempt int) (string, bool) {
			asked = append(asked, fmt.Sprint(task, " ", attempt))
			code := "right"
			if attempt < needs[task] {
				code = "wrong"
			}
			return fmt.Sprintf("```python\n%s = %d\n```\n", code, attempt), true
		}}}}
	one := 1
	o.Generate.Plan.Models[0].MaxConcurrent = &one
	work := func() *Outcome {
		outcome, err := Start(t.Context(), o)
		fatal.If(t, err)
		fatal.If(t, Repair(t.Context(), o, outcome, 2))
		return outcome
	}
	outcome := work()
	var got []string
	for _, r := range outcome.Runs {
		got = append(got, fmt.Sprintf("%s: %d of %d", r.Prompt, r.Summary.Accepted, r.Summary.Samples))
	}
	if want := []string{"p: 2 of 8", "p, repair 1: 4 of 8", "p, repair 2: 6 of 8"}; !slices.Equal(got, want) || outcome.Judged() != 8 {
		t.Errorf("%q, %d judged; want %q", got, outcome.Judged(), want)
	}
	slices.Sort(asked)
	if want := strings.Fields("t01 t01 t11 t11 t12 t12 t21 t21 t22 t22 t23 t23 t31 t31 t32 t32 t33 t33"); strings.ReplaceAll(strings.Join(asked, "|"), " ", "") != strings.Join(want, "|") {
		t.Errorf("asked for %q", asked)
	}
	rows, err := batch.ReadResults(outcome.Runs[2].Dir)
	if err != nil || len(rows) != 8 || rows[0].TaskID != "t0" || rows[7].Sample != 1 || rows[7].Verdict != verdicts.WrongAnswer || rows[5].Verdict != verdicts.Accepted {
		t.Errorf("%+v, %v", rows, err)
	}
	count := 0
	fatal.If(t, generate.Each(filepath.Join(o.Generate.Dir, "repair-2", "m"), "m", "p sample 1", func(a generate.Answer) error {
		count++
		return nil
	}))
	if count != 2 { // t2 and t3
		t.Errorf("%d second repairs of sample 1 are kept", count)
	}

	asked = nil
	before := j.judged.Load()
	if again := work(); len(asked) > 0 || j.judged.Load() != before || again.Runs[2].Summary.Accepted != 6 {
		t.Errorf("asked again for %q, judged %d", asked, j.judged.Load()-before)
	}
}

func TestRepairPrompt(t *testing.T) {
	program := benchmark.Task{ID: "t", Language: "python", EntryPoint: "f", Tests: benchmark.Tests{Style: benchmark.Calls}}
	predicted := benchmark.Task{ID: "t", Language: "python", Tests: benchmark.Tests{Style: benchmark.Output}}
	for _, tt := range []struct {
		name, answer string
		task         *benchmark.Task
		row          batch.Row
		has, hasNot  []string
	}{
		{"a wrong answer", "```python\ndef f(): pass\n```", &program, batch.Row{Verdict: verdicts.WrongAnswer, FirstFailed: "f(2) fails: expected 4, got None"},
			[]string{"Do it.", "def f(): pass", "It is not correct: wrong answer. f(2) fails: expected 4, got None."}, []string{"No code"}},
		{"an error", "```python\ndef f(\n```", &program, batch.Row{Verdict: verdicts.CompileError, Message: "SyntaxError: '(' was never closed"},
			[]string{"compile error", "SyntaxError: '(' was never closed"}, nil},
		{"no code", "I cannot.", &program, batch.Row{Verdict: verdicts.WrongAnswer}, []string{"I cannot.", "No code was found in it."}, []string{"```"}},
		{"a prediction, without its value", "assert f(1) == 3", &predicted, batch.Row{Verdict: verdicts.WrongAnswer, FirstFailed: "f(1) fails: expected 4, got 3"},
			[]string{"assert f(1) == 3", "It is not correct."}, []string{"expected 4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := repairPrompt(tt.task, "Do it.\n", tt.answer, tt.row)
			for _, want := range tt.has {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in:\n%s", want, text)
				}
			}
			for _, not := range tt.hasNot {
				if strings.Contains(text, not) {
					t.Errorf("%q is in:\n%s", not, text)
				}
			}
		})
	}
}
