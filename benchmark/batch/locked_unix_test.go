//go:build unix

package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"assay/benchmark/verdicts"
	"assay/data/filelock"
)

// nested begins an evaluation while another judges its first sample.
type nested struct{ begin func() }

func (n nested) Judge(context.Context, verdicts.Submission) (verdicts.Result, error) {
	n.begin()
	return verdicts.Result{Verdict: verdicts.Accepted, Passed: 1, Total: 1}, nil
}

func (nested) Workers() int { return 1 }

// Two evaluations never write to one file: the second is refused, and what the first has
// acknowledged is there.
func TestResultsAreLocked(t *testing.T) {
	for _, linked := range []bool{false, true} {
		o := Options{Samples: samples(t, "a accepted 1/1", "a accepted 1/1"), Benchmark: tasks("a"), Out: t.TempDir()}
		if linked {
			target := filepath.Join(t.TempDir(), "elsewhere.jsonl")
			if err := os.WriteFile(target, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, filepath.Join(o.Out, "results.jsonl")); err != nil {
				t.Fatal(err)
			}
		}
		refused := errors.New("the second did not begin")
		second := o
		second.Judge = nested{func() {}}
		o.Judge = nested{func() { _, refused = Eval(t.Context(), second) }}
		if _, err := Eval(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if !errors.Is(refused, filelock.ErrTaken) {
			t.Errorf("linked %v: the second evaluation: %v", linked, refused)
		}
		rows, err := ReadResults(o.Out)
		if err != nil || len(rows) != 2 {
			t.Errorf("linked %v: %d results, %v", linked, len(rows), err)
		}
		if info, err := os.Lstat(filepath.Join(o.Out, "results.jsonl")); err != nil || (info.Mode()&os.ModeSymlink != 0) != linked {
			t.Errorf("linked %v: the file is %v, %v", linked, info, err)
		}
		if _, err := Eval(t.Context(), second); err != nil {
			t.Errorf("linked %v: after the first: %v", linked, err)
		}
	}
}
