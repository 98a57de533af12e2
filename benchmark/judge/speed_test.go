package judge

import (
	"fmt"
	"testing"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// closeElements is a task of HumanEval's size, and number's program for it, which
// answers otherwise than every other one, so that its tests have to be run.
func closeElements(number int) (task *benchmark.Task, code string) {
	task = checkTask("from typing import List\n\n\ndef close(numbers: List[float], threshold: float) -> bool:\n"+
		"    \"\"\" Whether any two of the numbers are closer to each other than the threshold. \"\"\"\n", "close",
		"def check(candidate):\n"+
			"    assert candidate([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.3)\n    assert not candidate([1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.05)\n"+
			"    assert candidate([1.0, 2.0, 5.9, 4.0, 5.0], 0.95)\n    assert not candidate([1.0, 2.0, 5.9, 4.0, 5.0], 0.8)\n"+
			"    assert candidate([1.0, 2.0, 3.0, 4.0, 5.0, 2.0], 0.1)\n    assert candidate([1.1, 2.2, 3.1, 4.1, 5.1], 1.0)\n")
	return task, fmt.Sprintf("from typing import List\n\n\ndef close(numbers: List[float], threshold: float) -> bool:\n"+
		"    for i, a in enumerate(numbers):\n        for j, b in enumerate(numbers):\n"+
		"            if i != j and abs(a - b) < threshold:\n                return %d\n    return 0\n", number+1)
}

// BenchmarkFirstVerdict is the way from nothing to the first verdict: the sandbox is
// tried, the interpreter looked for, and the boxes of a checker and of a sample started.
func BenchmarkFirstVerdict(b *testing.B) {
	newJudge(b) // or there is no sandbox here
	task, code := closeElements(0)
	for b.Loop() {
		j, err := New(Options{})
		if err != nil {
			b.Fatal(err)
		}
		if r := judgeCode(b, j, task, code); r.Verdict != verdicts.Accepted {
			b.Fatalf("%+v", r)
		}
		j.Close()
	}
}

// BenchmarkFirstBox is the start of a warm box, up to a process in it that takes a program.
func BenchmarkFirstBox(b *testing.B) {
	spec := newJudge(b).python.sample(sampleLimits(benchmark.Limits{}.WithDefaults()))
	for b.Loop() {
		strict, err := sandbox.NewBubblewrap()
		if err != nil {
			b.Fatal(err)
		}
		warm := sandbox.NewWarm(strict)
		s, err := startSample(b.Context(), warm, spec)
		if err == nil {
			err = s.ready()
		}
		if err != nil {
			b.Fatal(err)
		}
		s.close()
		warm.Close()
	}
}

// BenchmarkVerdict is the way from an answer to its verdict, once a box is warm.
func BenchmarkVerdict(b *testing.B) {
	j := newJudge(b)
	task, code := closeElements(0)
	judgeCode(b, j, task, code)
	for i := 0; b.Loop(); i++ {
		_, code := closeElements(i)
		if r := judgeCode(b, j, task, code); r.Verdict != verdicts.Accepted {
			b.Fatalf("%+v", r)
		}
	}
}
