package judge_test

import (
	"testing"

	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestEvalPlusReference: what the reference returns is what must come out, within
// the tolerance; inputs on which it fails count for nothing; any zero will do.
func TestEvalPlusReference(t *testing.T) {
	b, j := published(t, "evalplus.jsonl")
	for _, tt := range []struct {
		name    string
		task    int
		code    string
		how     assemble.Assembly
		verdict verdicts.Verdict
	}{
		{"the reference", 0, "    return [x / 2 for x in xs]\n", assemble.Completion, verdicts.Accepted},
		{"a whole function", 0, "def halves(xs: List[int]):\n    return [x * 0.50000000001 for x in xs]\n", assemble.Solution, verdicts.Accepted},
		{"too far off", 0, "    return [x * 0.5001 for x in xs]\n", assemble.Completion, verdicts.WrongAnswer},
		{"the other zero", 1, "    return -1.00001\n", assemble.Completion, verdicts.Accepted},
		{"no zero", 1, "    return 0.5\n", assemble.Completion, verdicts.WrongAnswer},
		{"no number", 1, "    return float('nan')\n", assemble.Completion, verdicts.WrongAnswer},
		{"MBPP+", 2, "def add_one(x): return 1 + x", assemble.Solution, verdicts.Accepted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: &b.Tasks[tt.task], Code: tt.code, Assembly: tt.how})
			if err != nil || r.Verdict != tt.verdict || r.Isolation != "isolated" {
				t.Errorf("%v: %s %d/%d %s", err, r.Verdict, r.Passed, r.Total, r.Message)
			}
		})
	}
}
