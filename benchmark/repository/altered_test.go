package repository_test

import (
	"maps"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/data/fatal"
	"assay/data/sampled"
)

// honest are answers that solve their task otherwise than the reference.
var honest = map[string]map[string]string{
	"unittest": {"shop/price.py": "def total(prices):\n    all = 0\n    for p in prices:\n        all += p\n    return all\n"},
	"go":       {"price.go": "package shop\n\n// Total adds prices.\nfunc Total(prices []int) (sum int) {\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum\n}\n"},
	"node":     {"price.js": "exports.total = (prices) => { let sum = 0; for (const p of prices) sum += p; return sum; };\n"},
	"c":        {"price.c": "#include \"price.h\"\n\nint total(const int *prices, int n)\n{\n\tint sum = 0;\n\twhile (n-- > 0)\n\t\tsum += prices[n];\n\treturn sum;\n}\n"},
	"java":     {"Price.java": "class Price {\n    static int total(int... prices) {\n        int sum = 0;\n        for (int p : prices) sum += p;\n        return sum;\n    }\n}\n"},
}

func init() {
	honest["django"], honest["pytest"], honest["unittest that stops"] = honest["unittest"], honest["unittest"], honest["unittest"]
	honest["unittest without values"] = honest["unittest"]
	honest["go that stops"] = honest["go"]
	for _, runner := range []string{"jest", "vitest", "mocha"} {
		honest[runner] = honest["node"]
	}
}

// An answer that solves its task otherwise than the reference is resolved, needs no review, and had to guess at least
// twenty tosses of a coin if it did not compute what tests ask for.
func TestAlteredRuns(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for name, files := range maps.All(honest) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			task := projects[name].task(t)
			if err := r.Ready(t.Context(), task); err != nil {
				t.Skip(err)
			}
			got, err := r.JudgeChanges(t.Context(), task, changesOf(files))
			if err != nil || got.Outcome != outcomes.Resolved || got.Guess < 20 || len(got.ToReview) > 0 {
				t.Errorf("%s %q, %d bits, to review %q, %v: %s\n%s", got.Outcome, got.Message, got.Guess, strings.Join(got.ToReview, "; "), err, statuses(got), got.Log)
			}
		})
	}
}

// Real instances, whose reference has one more empty line, so that it is judged like any other answer.
func TestInstancesSolvedOtherwise(t *testing.T) { solvedOtherwise(t, instances(t), 0) }

// So do the bundled tasks, of which at least twelve tosses have to be guessed.
func TestBundledSolvedOtherwise(t *testing.T) { solvedOtherwise(t, loadBundled(t), 12) }

func solvedOtherwise(t *testing.T, tasks []benchmark.Task, least int) {
	t.Helper()
	r := newRunner(t)
	for _, task := range tasks {
		t.Run(task.ID, func(t *testing.T) {
			sampled.Row(t, 5)
			if err := r.Ready(t.Context(), &task); err != nil {
				t.Skip(err)
			}
			tree, closes, err := r.Tree(t.Context(), &task)
			fatal.If(t, err)
			defer closes()
			answer, err := patch.Read(task.Reference)
			fatal.If(t, err)
			changes, err := answer.Apply(tree)
			fatal.If(t, err)
			for _, file := range changes {
				if file != nil {
					file.Data = append(file.Data, '\n')
				}
			}
			got, err := r.JudgeChanges(t.Context(), &task, changes)
			if err != nil || got.Outcome != outcomes.Resolved || got.Guess < least {
				t.Errorf("%s %q, %v, 2^-%d\n%s", got.Outcome, got.Message, err, got.Guess, got.Log)
			}
			t.Logf("%s, 2^-%d, %d tests, to review %q", got.Wall, got.Guess, len(got.Tests), got.ToReview)
		})
	}
}
