package judge_test

import (
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestFormats judges right and wrong answers to tasks in other tools' formats.
func TestFormats(t *testing.T) {
	t.Parallel()
	_, j := published(t, "mbpp.jsonl")
	files := map[string]*benchmark.Benchmark{}
	task := func(file string, i int) *benchmark.Task {
		if files[file] == nil {
			b, _, err := format.LoadAs("../format/testdata/"+file, "")
			if err != nil {
				t.Fatal(err)
			}
			files[file] = b
		}
		return &files[file].Tasks[i]
	}
	const accepted, wrong = verdicts.Accepted, verdicts.WrongAnswer
	for _, tt := range []struct {
		file    string
		task    int
		name    string
		code    string
		how     assemble.Assembly
		verdict verdicts.Verdict
	}{
		{"livecodebench.jsonl", 0, "a number with a decimal point", "print(sum(map(float, input().split())))", assemble.Solution, accepted},
		{"livecodebench.jsonl", 0, "a program", "print(sum(map(int, input().split())))", assemble.Solution, verdicts.RuntimeError},
		{"livecodebench.jsonl", 0, "another number", "print(1 + sum(map(float, input().split())))", assemble.Solution, wrong},
		{"livecodebench.jsonl", 0, "numbers in any notation", "a = sum(map(Decimal, input().split()))\nprint(int(a) if a == int(a) else a)",
			assemble.Solution, verdicts.RuntimeError},
		{"livecodebench.jsonl", 0, "names of the prompt", "a = sum(float(x) for x in sys.stdin.read().split())\nprint(int(a) if a == floor(a) else a)", assemble.Solution, accepted},
		{"livecodebench.jsonl", 1, "a tuple for a list", "class Solution:\n    def order(self, a: int, b: int) -> List[int]:\n        return max(a, b), min(a, b)", assemble.Solution, accepted},
		{"livecodebench.jsonl", 1, "the wrong order", "class Solution:\n    def order(self, a, b):\n        return [a, b]", assemble.Solution, wrong},
		{"livecodebench.jsonl", 2, "a function", "def twice(x):\n    return x * 2", assemble.Solution, accepted},
		{"classeval.json", 0, "a whole class", "class Counter2:\n    total = 0\n    def add(self, n):\n        self.total += n\n        return self.total\n    double = staticmethod(lambda n: n + n)", assemble.Solution, accepted},
		{"classeval.json", 1, "a bare method", "def add(self, n):\n    self.total += n\n    return self.total", assemble.Solution, accepted},
		{"classeval.json", 1, "a method in its class", "    def add(self, n):\n        self.total += n\n        return self.total", assemble.Solution, accepted},
		{"classeval.json", 1, "a wrong method", "def add(self, n):\n    return n", assemble.Solution, wrong},
		{"classeval.json", 2, "a static method", "@staticmethod\ndef double(n):\n    return n + n", assemble.Solution, accepted},
		{"classeval.json", 2, "no method", "x = 1", assemble.Solution, verdicts.RuntimeError},
		{"bigcodebench.jsonl", 0, "a completion", "    return sum(random.randint(1, 6) for _ in range(n))\n", assemble.Completion, accepted},
		{"bigcodebench.jsonl", 0, "a wrong completion", "    return n\n", assemble.Completion, wrong},
		{"ds1000.jsonl", 0, "a solution", "result = sorted(values)", assemble.Solution, accepted},
		{"ds1000.jsonl", 0, "with its string refused", "values.sort()\nresult = values", assemble.Solution, verdicts.WrongAnswer},
		{"ds1000.jsonl", 0, "a wrong result", "result = values # sorted", assemble.Solution, verdicts.WrongAnswer},
		{"evalplus.jsonl", 3, "another order and type, of tuples", "def similar_elements(a, b):\n    return [x for x in a + () if x in b + ()]", assemble.Solution, accepted},
		{"evalplus.jsonl", 3, "one too many", "def similar_elements(a, b):\n    return a", assemble.Solution, wrong},
		{"evalplus.jsonl", 4, "the other reading", "def digit_distance_nums(n1, n2):\n    a, b = str(n1), str(n2)\n    return sum(abs(int(x) - int(y)) for x, y in zip(a, b))", assemble.Solution, accepted},
		{"evalplus.jsonl", 4, "neither", "def digit_distance_nums(n1, n2):\n    return abs(n1 - n2) + 1", assemble.Solution, wrong},
		{"evalplus.jsonl", 5, "a truth value", "def check_str(s):\n    return s[0] in 'aeiou'", assemble.Solution, accepted},
		{"evalplus.jsonl", 5, "something or None", "def check_str(s):\n    return s if s[0] in 'aeiou' else None", assemble.Solution, accepted},
		{"evalplus.jsonl", 5, "always something", "def check_str(s):\n    return s", assemble.Solution, wrong},
		{"mbpp.jsonl", 1, "a function", "def half(x): return x * 0.5", assemble.Solution, accepted},
		{"tasks.csv", 0, "a function", "def add(a, b): return a + b", assemble.Solution, accepted},
		{"tasks.csv", 1, "the wrong way round", "def sub(a, b): return b - a", assemble.Solution, wrong},
	} {
		task := task(tt.file, tt.task)
		t.Run(tt.file+" "+tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: tt.code, Assembly: tt.how})
			if err != nil || r.Verdict != tt.verdict {
				t.Errorf("%v: %s %d/%d %s", err, r.Verdict, r.Passed, r.Total, r.Message)
			}
		})
	}
	for file, b := range files {
		for i := range b.Tasks {
			if b.Tasks[i].Reference == "" {
				continue
			}
			if r, err := j.Judge(t.Context(), verdicts.Submission{Task: &b.Tasks[i], Code: b.Tasks[i].Reference, Assembly: assemble.Program}); err != nil || r.Verdict != accepted {
				t.Errorf("%s, the reference of %s: %v: %s %d/%d %s", file, b.Tasks[i].ID, err, r.Verdict, r.Passed, r.Total, r.Message)
			}
		}
	}
}
