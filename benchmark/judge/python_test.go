package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// TestImportsFor: what is loaded beforehand follows from what the tasks import, wherever
// in their own Python that stands.
func TestImportsFor(t *testing.T) {
	rare := func(tasks []benchmark.Task) (more []string) {
		for _, name := range importsFor(tasks) {
			if !slices.Contains(usualImports, name) {
				more = append(more, name)
			}
		}
		return more
	}
	one := func(task benchmark.Task) []benchmark.Task {
		if task.Language == "" {
			task.Language = "python"
		}
		return []benchmark.Task{task}
	}
	for _, x := range []struct {
		name  string
		tasks []benchmark.Task
		want  []string
	}{
		{"a prompt", one(benchmark.Task{Prompt: "import math, enum as r,statistics\n\ndef f():\n"}), []string{"statistics", "enum"}},
		{"a reference, within a function", one(benchmark.Task{Reference: "    from datetime import date\n    return date.min\n"}), []string{"datetime"}},
		{"tests", one(benchmark.Task{Tests: benchmark.Tests{Check: "import hashlib\n", Setup: "import time", Asserts: []string{"import abc.x\nassert f()"}}}), []string{"time", "abc", "hashlib"}},
		{"a text that only speaks of it", one(benchmark.Task{Prompt: `"""Do not import enum; from fractions to decimals."""`}), nil},
		{"a module that is no one's business", one(benchmark.Task{Prompt: "import numpy\nimport os"}), nil},
		{"another language", one(benchmark.Task{Language: "javascript", Prompt: "import enum\n"}), nil},
	} {
		if got := rare(x.tasks); !slices.Equal(got, x.want) {
			t.Errorf("%s: %q is loaded beforehand, and should be %q", x.name, got, x.want)
		}
	}
	tasks := make([]benchmark.Task, 200)
	for i := range tasks {
		tasks[i] = benchmark.Task{ID: fmt.Sprint(i), Language: "python"}
	}
	tasks[0].Prompt = "import enum"
	if got := rare(tasks); got != nil {
		t.Errorf("%q is loaded for one task of 200", got)
	}
	tasks[1].Prompt = "import enum"
	if got := rare(tasks); !slices.Equal(got, []string{"enum"}) {
		t.Errorf("%q is loaded where one in 100 tasks imports enum", got)
	}
	if got := importsFor(nil); !slices.Contains(got, "datetime") {
		t.Errorf("%q is loaded for tasks that nobody has told", got)
	}
}

// TestTheSameNumbers: a program that draws numbers gets the same verdict from every box and
// every slot, whatever its task imports.
func TestTheSameNumbers(t *testing.T) {
	t.Parallel()
	strict, err := sandbox.NewBubblewrap()
	if err != nil {
		t.Skip("no sandbox here: ", err)
	}
	defer strict.Close()
	task := &benchmark.Task{ID: "coin", Language: "python", EntryPoint: "f", Prompt: "def f():\n",
		Tests: benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Expected: json.RawMessage(`"drawn"`)}}}}
	drawn := map[string]string{}
	for name, box := range map[string]sandbox.Box{"a slot": nil, "another slot": nil, "a box of its own": strict} {
		j, err := New(Options{Box: box, Workers: 1, Tasks: []benchmark.Task{*task}})
		if err != nil {
			t.Skip("no sandbox here: ", err)
		}
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Assembly: assemble.Program, Code: "import random\ndef f():\n    return [random.random() for _ in range(3)]\n"})
		j.Close()
		if err != nil || len(r.Cases) != 1 || r.Cases[0].Got == "" {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		drawn[r.Cases[0].Got] = name
	}
	if len(drawn) != 1 {
		t.Errorf("the numbers differ: %v", drawn)
	}
}
