package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
)

// TestAbsentSamples: a failed request is no answer. It is counted and named, and pass@k is that of the answers.
func TestAbsentSamples(t *testing.T) {
	path := filepath.Join(t.TempDir(), "samples.jsonl")
	const failed = `{"task_id":"a","completion":null,"error":"APIConnectionError: x"}` + "\n"
	fatal.If(t, os.WriteFile(path, []byte(`{"task_id":"a","completion":"accepted 1/1"}`+"\n"+failed+failed+
		`{"task_id":"a","completion":"wrong_answer 0/1"}`+"\n"+`{"task_id":"b","answer":null}`+"\n"), 0o600))
	o := Options{Samples: path, Benchmark: tasks("a", "b", "c"), Judge: &fakeJudge{}}
	s, err := Eval(t.Context(), o)
	fatal.If(t, err)
	const words = "3 samples are missing: the request failed (APIConnectionError): 2; its answer is null: 1"
	if s.Samples != 2 || s.Mean(pass(1)).Value != 0.5 || s.MaxN != 2 || s.Unsampled != 2 || AbsentWords(s.Absent) != words {
		t.Errorf("%+v: %s", s, AbsentWords(s.Absent))
	}
	o.K = []int{3}
	if _, err := Eval(t.Context(), o); err == nil || !strings.Contains(err.Error(), "a has 2") {
		t.Errorf("pass@3 of two answers: %v", err)
	}
	for name, text := range map[string]string{
		"has no answer: 1 sample is missing: the request failed (APIConnectionError)": failed,
		`:2: field "task_id": there is no task "d"`:                                   failed + strings.ReplaceAll(failed, `"a"`, `"d"`),
	} {
		fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
		if _, err := Eval(t.Context(), Options{Samples: path, Benchmark: tasks("a"), Judge: &fakeJudge{}}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}
