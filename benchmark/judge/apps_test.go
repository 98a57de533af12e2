package judge_test

import (
	"strings"
	"testing"

	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestAPPS: programs, functions and methods, with APPS's rules for comparing.
func TestAPPS(t *testing.T) {
	t.Parallel()
	b, j := published(t, "apps.jsonl")
	for i := range b.Tasks {
		task, want := &b.Tasks[i], verdicts.Accepted
		if task.Tests.IsZero() {
			want = verdicts.NotJudged
		}
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: task.Reference, Assembly: assemble.Program})
		if err != nil || r.Verdict != want || want == verdicts.Accepted && r.Isolation != "isolated" {
			t.Errorf("the reference of %s: %v: %s %d/%d %s", task.ID, err, r.Verdict, r.Passed, r.Total, r.Message)
		}
	}
	for _, tt := range []struct {
		name    string
		task    int
		code    string
		verdict verdicts.Verdict
	}{
		{"the wrong output", 0, "print(3)", verdicts.WrongAnswer},
		{"too far off", 1, "print(0.51, 1)", verdicts.WrongAnswer},
		{"a list for a tuple", 2, "def swapped(a, b): return [b, a]", verdicts.Accepted},
		{"not swapped", 2, "def swapped(a, b): return [a, b]", verdicts.WrongAnswer},
		{"an object that claims to be right", 2, "class Right:\n    def __eq__(self, other): return True\ndef swapped(a, b): return Right()", verdicts.WrongAnswer},
		{"a key as text", 3, "def largest(d): return str(max(d, key=d.get))", verdicts.WrongAnswer},
		{"a method with the imports", 4, "class Solution:\n    def count(self, nums: List[int]):\n        return Counter(n % 2 for n in nums)[0]", verdicts.Accepted},
		{"a wrong method", 4, "class Solution:\n    def count(self, nums):\n        return len(nums)", verdicts.WrongAnswer},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: &b.Tasks[tt.task], Code: tt.code})
			if err != nil || r.Verdict != tt.verdict {
				t.Errorf("%v: %s %d/%d %s", err, r.Verdict, r.Passed, r.Total, r.Message)
			}
			if why := r.Why(); tt.name == "a wrong method" && (!strings.HasPrefix(why, "candidate([") || !strings.Contains(why, " fails: expected ")) {
				t.Errorf("the failure is told as %q", why)
			}
		})
	}
}
