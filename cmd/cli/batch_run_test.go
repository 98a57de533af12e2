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

	"assay/cmd/cli/console"
)

// A batch that is interrupted before anything is judged reports that it can be continued, and no error.
func TestABatchInterruptedBeforeAnythingIsJudged(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	well := &badServer{random: rand.New(rand.NewPCG(1, 1)), answered: map[string]int{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost { // an answer is asked for, not what the server has
			cancel()
		}
		well.ServeHTTP(w, r)
	}))
	defer server.Close()
	dir := t.TempDir()
	writeBatch(t, dir, server.URL, batchSize{tasks: 1, samples: 2})
	var out, errs bytes.Buffer
	args := []string{"--models", filepath.Join(dir, "models.toml"), "run", "batch", filepath.Join(dir, "batch.toml"), "--out", filepath.Join(dir, "run")}
	code := Run(ctx, args, &console.IO{Out: &out, Err: &errs, Getenv: func(name string) string {
		if name == "BATCH_KEY" {
			return batchKey
		}
		return os.Getenv(name)
	}})
	if stored := len(readCells(t, filepath.Join(dir, "run"))); stored == 0 || stored >= 36 {
		t.Errorf("%d of 36 cells are stored", stored)
	}
	if code != console.ExitPartial || !strings.Contains(errs.String(), "run the same command again") || !strings.Contains(out.String(), "no report yet") {
		t.Errorf("exit code %d, want %d\n%s\n%s", code, console.ExitPartial, &out, &errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "run", "report")); err == nil {
		t.Error("there is a report about nothing")
	}
}
