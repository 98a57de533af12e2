package judge_test

import (
	"testing"

	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestMultiPLE: samples that stop short of the closing brace, as the dataset's do,
// and whole functions, as people and chat models write them.
func TestMultiPLE(t *testing.T) {
	t.Parallel()
	b, j := published(t, "multiple.jsonl")
	for _, tt := range []struct {
		name    string
		task    int
		code    string
		how     assemble.Assembly
		verdict verdicts.Verdict
	}{
		{"C++, short of the brace", 0, "    return n + 1;", assemble.Completion, verdicts.Accepted},
		{"C++, whole", 0, "long add_one(long n) {\n    return n + 1;\n}", assemble.Solution, verdicts.Accepted},
		{"C++, wrong", 0, "long add_one(long n) {\n    return n + 2;\n}", assemble.Solution, verdicts.WrongAnswer},
		{"C++, alone", 0, "#include <bits/stdc++.h>\n#include <assert.h>\nlong add_one(long n) { return n + 1; }", assemble.Program, verdicts.Accepted},
		{"Java, short of the brace", 1, "        return Pair.with(xs.get(0), xs.get(xs.size() - 1));", assemble.Completion, verdicts.Accepted},
		{"Java, the method", 1, "public static Pair<Long, Long> theEnds(ArrayList<Long> xs) {\n    return Pair.with(xs.get(0), xs.get(2));\n}", assemble.Solution, verdicts.Accepted},
		{"Java, the class", 1, "class Problem {\n    public static Pair<Long, Long> theEnds(ArrayList<Long> xs) {\n        return new Pair<>(xs.get(0), xs.get(1));\n    }\n}", assemble.Solution, verdicts.WrongAnswer},
		{"Go, completed", 2, "    return n + 1\n}", assemble.Completion, verdicts.Accepted},
		{"Go, whole", 2, "func add_one(n int) int {\n    return n + 1\n}", assemble.Solution, verdicts.Accepted},
		{"Go, wrong", 2, "func add_one(n int) int { return n }", assemble.Solution, verdicts.WrongAnswer},
		{"JavaScript, completed", 3, "  return n + 1;\n}", assemble.Completion, verdicts.Accepted},
		{"JavaScript, whole", 3, "function add_one(n) { return n + 1; }", assemble.Solution, verdicts.Accepted},
		{"Bash, short of the brace", 4, "    echo $(($1 + 1))", assemble.Completion, verdicts.Accepted},
		{"Bash, whole", 4, "add_one() {\n    echo $(($1 + 1))\n}", assemble.Solution, verdicts.Accepted},
		{"Bash, wrong", 4, "add_one() {\n    echo $1\n}", assemble.Solution, verdicts.WrongAnswer},
		{"R, completed", 5, "\n  n + 1\n}", assemble.Completion, verdicts.Accepted},
		{"R, whole", 5, "add_one <- function(n) n + 1", assemble.Solution, verdicts.Accepted},
		{"Python, completed", 6, "    return n + 1\n", assemble.Completion, verdicts.Accepted},
		{"Python, wrong", 6, "def add_one(n): return n", assemble.Solution, verdicts.WrongAnswer},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 4)
			task := &b.Tasks[tt.task]
			if err := j.Ready(task); err != nil {
				t.Skip(err)
			}
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: tt.code, Assembly: tt.how})
			if err != nil || r.Verdict != tt.verdict || r.Isolation != "in_process" {
				t.Errorf("%v: %s %s %s", err, r.Verdict, r.Message, r.Stderr)
			}
		})
	}
}
