package repository

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark/format"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
)

// newRunner returns a runner with a shelf of its own.
func newRunner(t testing.TB) *Runner {
	t.Helper()
	box, err := sandbox.NewBubblewrap()
	if err != nil {
		t.Skip(err)
	}
	if err := box.Probe(context.Background()); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile("../../data/environments.toml")
	if err != nil {
		t.Fatal(err)
	}
	table, err := LoadTable(string(text), "")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("/var/tmp", "assay-test-")
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(dir, 0o755)
	t.Cleanup(func() { box.Close(); os.RemoveAll(dir) })
	return &Runner{Box: box, Shelf: shelf.At(dir, shelf.Options{MaxBytes: 4 << 30}), Python: "/usr/bin/python3", Table: table, Repositories: os.Getenv("ASSAY_REPOSITORIES")}
}

// TestInstances: of the instances of SWE-bench named in ASSAY_INSTANCES, whose repositories are in
// ASSAY_REPOSITORIES, the unchanged repository is not resolved and the reference is.
func TestInstances(t *testing.T) {
	names := strings.Fields(os.Getenv("ASSAY_INSTANCES"))
	if len(names) == 0 {
		t.Skip("ASSAY_INSTANCES names no instances")
	}
	r := newRunner(t)
	for _, file := range []string{"lite.jsonl", "multilingual.jsonl"} {
		b, _, err := format.LoadAs(filepath.Join(os.Getenv("ASSAY_SHARED"), "datasets", "swebench", file), "")
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Tasks {
			task := &b.Tasks[i]
			for _, name := range names {
				if !strings.HasPrefix(task.ID, name) {
					continue
				}
				before, err := r.JudgeChanges(t.Context(), task, nil)
				if err != nil {
					t.Fatal(err)
				}
				after, err := r.Judge(t.Context(), task, task.Reference)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: before %s (%s), after %s (%s), %d sentinels, %v, %s", task.ID, before.Outcome, before.Message, after.Outcome, after.Message, after.Sentinels, after.Wall, after.Toolchain)
				if after.Outcome != Resolved {
					t.Errorf("%s", after.Log[max(0, len(after.Log)-1500):])
				}
			}
		}
	}
}
