package judge

import (
	"fmt"
	"slices"
	"testing"

	"assay/benchmark"
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
		{"a prompt", one(benchmark.Task{Prompt: "import math, random as r,statistics\n\ndef f():\n"}), []string{"random", "statistics"}},
		{"a reference, within a function", one(benchmark.Task{Reference: "    from datetime import date\n    return date.min\n"}), []string{"datetime"}},
		{"tests", one(benchmark.Task{Tests: benchmark.Tests{Check: "import hashlib\n", Setup: "import time", Asserts: []string{"import abc.x\nassert f()"}}}), []string{"time", "abc", "hashlib"}},
		{"a text that only speaks of it", one(benchmark.Task{Prompt: `"""Do not import random; from fractions to decimals."""`}), nil},
		{"a module that is no one's business", one(benchmark.Task{Prompt: "import numpy\nimport os"}), nil},
		{"another language", one(benchmark.Task{Language: "javascript", Prompt: "import random\n"}), nil},
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
