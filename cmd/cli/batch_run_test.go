package cli

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark/batch"
	"assay/scoring"
	"assay/session/pipeline"
)

// Each k that a batch file asks for has its column; one that some task has too few answers
// for says so. Answers without code are counted.
func TestABatchPrintsItsKs(t *testing.T) {
	var out bytes.Buffer
	one, err := scoring.PassAtKValue(5, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := scoring.MeanOverTasks([]scoring.TaskValue{one, one, one})
	if err != nil {
		t.Fatal(err)
	}
	printBatch(&IO{Out: &out}, &pipeline.Outcome{Runs: []pipeline.Run{{Model: "m", Prompt: "level-1", Summary: &batch.Summary{
		Samples: 15, Accepted: 9, Scored: 3, NoCode: 2, PassAtK: []batch.PassAtK{{K: 1, Metric: &m}, {K: 10}}}}}})
	for _, want := range []string{"pass@1", "pass@10", "0.60", "withheld: some task has fewer answers than k", "No code was found in 2 answers", "tasks like these"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, &out)
		}
	}
}

// A batch that is interrupted before anything is judged says that it can be gone on with;
// there is nothing wrong with it.
func TestABatchInterruptedBeforeAnythingIsJudged(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	well := &badServer{random: rand.New(rand.NewPCG(1, 1)), answered: map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cancel()
		well.ServeHTTP(w, r)
	}))
	defer server.Close()
	dir := t.TempDir()
	writeBatch(t, dir, server.URL, batchSize{tasks: 1, samples: 2})
	var out, errs bytes.Buffer
	args := []string{"run", "batch", filepath.Join(dir, "batch.toml"), "--out", filepath.Join(dir, "run")}
	code := Run(ctx, args, &IO{Out: &out, Err: &errs, Getenv: func(name string) string {
		if name == "BATCH_KEY" {
			return batchKey
		}
		return os.Getenv(name)
	}})
	if stored := len(readCells(t, filepath.Join(dir, "run"))); stored == 0 || stored >= 36 {
		t.Errorf("%d of 36 cells are stored", stored)
	}
	if code != exitPartial || !strings.Contains(errs.String(), "run the same command again") || !strings.Contains(out.String(), "no report yet") {
		t.Errorf("exit code %d, want %d\n%s\n%s", code, exitPartial, &out, &errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "run", "report")); err == nil {
		t.Error("there is a report about nothing")
	}
}
