package judge_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
)

// taskOf reads a task from its line in another tool's file.
func taskOf(t *testing.T, fields map[string]string) *benchmark.Task {
	t.Helper()
	line, err := json.Marshal(fields)
	fatal.If(t, err)
	path := filepath.Join(t.TempDir(), "tasks.jsonl")
	fatal.If(t, os.WriteFile(path, line, 0o600))
	b, _, err := format.LoadAs(path, "")
	fatal.If(t, err)
	return &b.Tasks[0]
}

// TestHelpersOfHumanEvalX: what its harness imports before every program is there, and no model saw it.
func TestHelpersOfHumanEvalX(t *testing.T) {
	t.Parallel()
	python := taskOf(t, map[string]string{"task_id": "Python/900", "declaration": "def f(s):\n", "prompt": "def f(s):\n    \"\"\" Counts words. \"\"\"\n",
		"test": "def check(f):\n    assert f('a b') == int(math.fsum([1, 1]))\n\ncheck(f)\n", "canonical_solution": "    return len(re.findall(r'\\S+', s))\n"})
	cpp := taskOf(t, map[string]string{"task_id": "CPP/900", "declaration": "int f(int a, int b){\n", "prompt": "/* The larger. */\n#include<vector>\nusing namespace std;\nint f(int a, int b){\n",
		"test": "#undef NDEBUG\n#include<assert.h>\nint main(){ assert (f(1, 2) == 2); }\n", "canonical_solution": "    return max(a, b);\n}\n"})
	j, err := judge.Shared()
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name string
		task *benchmark.Task
		how  assemble.Assembly
		code string
		want verdicts.Verdict
	}{
		{"re", python, assemble.Completion, "    return len(re.findall(r'\\S+', s))\n", verdicts.Accepted},
		{"Counter, by a star", python, assemble.Completion, "    return sum(Counter(s.split()).values())\n", verdicts.Accepted},
		{"the whole function", python, assemble.Solution, "def f(s: List[str]):\n    return len(re.findall(r'\\S+', s))\n", verdicts.Accepted},
		{"the reference", python, assemble.Program, python.Reference, verdicts.Accepted},
		{"what the harness does not import", python, assemble.Completion, "    return len(shlex.split(s))\n", verdicts.RuntimeError},
		{"a wrong answer", python, assemble.Completion, "    return len(re.findall(r'\\s+', s))\n", verdicts.WrongAnswer},
		{"algorithm", cpp, assemble.Completion, "    vector<int> v = {b, a};\n    sort(v.begin(), v.end());\n    return v[1];\n}\n", verdicts.Accepted},
		{"cmath, cstring and climits", cpp, assemble.Completion, "    return strlen(\"\") + (int) fmax(fmin(a, INT_MAX), b);\n}\n", verdicts.Accepted},
		{"the whole function in C++", cpp, assemble.Solution, "int f(int a, int b) { return max(a, b); }\n", verdicts.Accepted},
		{"a header that the harness does not include", cpp, assemble.Completion, "    return mt19937(1)() > 0 ? b : a;\n}\n", verdicts.CompileError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: tt.task, Code: tt.code, Assembly: tt.how})
			if err != nil || r.Verdict != tt.want {
				t.Errorf("%s %q, %v; want %s", r.Verdict, r.Message, err, tt.want)
			}
		})
	}
}

// TestExitsOfLiveCodeBench: its harness catches what sys.exit raises, and nothing else.
func TestExitsOfLiveCodeBench(t *testing.T) {
	t.Parallel()
	own := taskOf(t, map[string]string{"question_id": "1", "question_title": "t", "question_content": "Print 3.", "contest_date": "2024-05-01T00:00:00",
		"public_test_cases": `[{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]`})
	b := &benchmark.Benchmark{Tasks: []benchmark.Task{{ID: "2", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "1 2\n", Output: "3\n"}}}}}}
	fatal.If(t, format.LiveCodeBenchRules.Apply(b))
	j, err := judge.Shared()
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name, code string
		want       verdicts.Verdict
	}{
		{"no exit", "print(3.0)\n", verdicts.Accepted},
		{"sys.exit(1)", "print(3)\nsys.exit(1)\n", verdicts.Accepted},
		{"exit and a message", "import sys\nprint(3)\nsys.exit('done')\n", verdicts.Accepted},
		{"exit", "print(3)\nexit(2)\n", verdicts.Accepted},
		{"raise SystemExit", "print(3)\nraise SystemExit(3)\n", verdicts.Accepted},
		{"what atexit prints", "import atexit\natexit.register(print, 3)\nexit(1)\n", verdicts.Accepted},
		{"a thread that ends later", "import threading, time\nthreading.Thread(target=lambda: (time.sleep(.1), print(3))).start()\nexit(1)\n", verdicts.Accepted},
		{"a wrong answer", "print(4)\nsys.exit(0)\n", verdicts.WrongAnswer},
		{"an exception after the answer", "print(3, flush=True)\nraise ValueError\n", verdicts.RuntimeError},
		{"an exception in what atexit calls", "import atexit\natexit.register(exit, 1)\nprint(3)\n1 / 0\n", verdicts.RuntimeError},
		{"os._exit", "import os\nprint(3, flush=True)\nos._exit(1)\n", verdicts.RuntimeError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			for _, task := range []*benchmark.Task{own, &b.Tasks[0]} {
				r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: tt.code})
				if err != nil || r.Verdict != tt.want {
					t.Errorf("task %s: %s %q, %v; want %s", task.ID, r.Verdict, r.Message, err, tt.want)
				}
			}
		})
	}
}
