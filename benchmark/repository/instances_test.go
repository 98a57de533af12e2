package repository_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/benchmark/format"
	"assay/benchmark/repository"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data"
)

// newRunner returns a runner that all tests share, with its trees.
func newRunner(t testing.TB) *repository.Runner {
	t.Helper()
	r, err := sharedRunner()
	if err != nil {
		t.Skip(err)
	}
	return r
}

var sharedRunner = sync.OnceValues(func() (*repository.Runner, error) {
	box, err := sandbox.NewBubblewrap()
	if err != nil {
		return nil, err
	}
	if err := box.Probe(context.Background()); err != nil {
		return nil, err
	}
	table, err := repository.LoadTable(data.Environments(), "")
	if err != nil {
		return nil, err
	}
	trees, _, err := shelf.Open(box, "test-trees", shelf.Options{MaxBytes: 4 << 30})
	return &repository.Runner{Box: box, Shelf: trees, Python: "/usr/bin/python3", Table: table, Repositories: os.Getenv("ASSAY_REPOSITORIES")}, err
})

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
				if after.Outcome != repository.Resolved {
					t.Errorf("%s", after.Log[max(0, len(after.Log)-1500):])
				}
			}
		}
	}
}
