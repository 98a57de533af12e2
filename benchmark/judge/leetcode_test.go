package judge_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
)

// TestLeetCodeMethods: what the tests call is a method of a new object each time,
// the verdict is isolated but where a linked list is handed over, and an object of
// the code cannot claim to be right.
func TestLeetCodeMethods(t *testing.T) {
	b, j := published(t, "leetcode.jsonl")
	const counts = "class Solution:\n    def count(self, nums):\n        "
	for _, tt := range []struct {
		name               string
		task               int
		code               string
		verdict            verdicts.Verdict
		passed, total      int
		message, isolation string
	}{
		{"right", 0, counts + "return sum(n % 2 == 0 for n in nums)", verdicts.Accepted, 3, 3, "", "isolated"},
		{"uses the imports of the prompt", 0, counts + "return 0 if inf == math.inf else 1", verdicts.WrongAnswer, 2, 3, "", "isolated"},
		{"remembers", 0, "class Solution:\n    def __init__(self):\n        self.seen = []\n    def count(self, nums):\n        self.seen += nums\n        return sum(n % 2 == 0 for n in self.seen)", verdicts.Accepted, 3, 3, "", "isolated"},
		{"runs too long once", 0, counts + "while nums == []: pass\n        return sum(n % 2 == 0 for n in nums)", verdicts.TimeLimit, 2, 3, "", "isolated"},
		{"returns itself", 0, "class Solution:\n    def count(self, nums):\n        return self\n    def __eq__(self, other): return True\n    def __lt__(self, other): return True", verdicts.WrongAnswer, 0, 3, "the method returned an object of its own class", "isolated"},
		{"returns another of its kind", 0, "class Solution:\n    last = None\n    def count(self, nums):\n        other, Solution.last = Solution.last, self\n        return other or len(nums) - 1\n    def __eq__(self, other): return True\n    def __lt__(self, other): return True", verdicts.WrongAnswer, 1, 3, "the method returned an object of its own class", "isolated"},
		{"a linked list comes back", 1, "class Solution:\n    def countTo(self, n):\n        return list_node(list(range(1, n + 1)))", verdicts.Accepted, 2, 2, "", "isolated"},
		{"a linked list that is wrong", 1, "class Solution:\n    def countTo(self, n):\n        return list_node(list(range(n)))", verdicts.WrongAnswer, 1, 2, "", "isolated"},
		{"a linked list is handed over", 2, b.Tasks[2].Reference, verdicts.Accepted, 1, 1, "", "in_process"},
		{"no such method", 0, "class Solution:\n    pass", verdicts.RuntimeError, 0, 3, "count", "isolated"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := b.Tasks[tt.task]
			task.Limits = benchmark.Limits{CPUSeconds: 1, CPUTotal: 5}
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: &task, Code: tt.code})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != tt.verdict || r.Passed != tt.passed || r.Total != tt.total || !strings.Contains(r.Message, tt.message) || r.Isolation != tt.isolation {
				t.Errorf("%s %d/%d %s, %s", r.Verdict, r.Passed, r.Total, r.Message, r.Isolation)
			}
		})
	}
}

// TestMethodsNamedAsPythons: in LiveCodeBench's files a method of LeetCode's class may have the name of a method of
// Python's own types, or of a function of its own.
func TestMethodsNamedAsPythons(t *testing.T) {
	t.Parallel()
	_, j := published(t, "leetcode.jsonl")
	path := filepath.Join(t.TempDir(), "tasks.jsonl")
	names := []string{"count", "insert", "partition", "find", "split", "index", "copy", "sort", "list", "sum", "accept", "check", "method", "value"}
	var file strings.Builder
	var starters []string
	for _, name := range names {
		for _, starter := range []string{"class Solution:\n    def " + name + "(self, a: List[int], b: int) -> int:\n        ", "def " + name + "(a, b):\n    "} {
			tests, _ := json.Marshal([]map[string]string{{"input": "[1, 3]\n2", "output": "3", "testtype": "functional"}})
			metadata, _ := json.Marshal(map[string]string{"func_name": name})
			line, _ := json.Marshal(map[string]string{"question_id": name + starter[:3], "question_title": "t", "question_content": "Adds.", "platform": "leetcode",
				"contest_date": "2024-08-11T00:00:00", "starter_code": starter, "difficulty": "easy", "public_test_cases": string(tests), "metadata": string(metadata)})
			file.Write(append(line, '\n'))
			starters = append(starters, starter)
		}
	}
	fatal.If(t, os.WriteFile(path, []byte(file.String()), 0o600))
	b, _, err := format.LoadAs(path, "")
	fatal.If(t, err)
	for i := range b.Tasks {
		for bad, want := range map[string]verdicts.Verdict{"": verdicts.Accepted, " + b": verdicts.WrongAnswer} {
			code := starters[i] + " return a[0] + b" + bad + "\n"
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: &b.Tasks[i], Code: code})
			if err != nil || r.Verdict != want || r.Isolation != "isolated" {
				t.Errorf("%v: %s %q, want %s, of\n%s", err, r.Verdict, r.Message, want, code)
			}
		}
	}
}
