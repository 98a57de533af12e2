package repository_test

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/repository/patch"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data"
	"assay/data/sampled"
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

// changesOf are files as changes. Scripts can be started.
func changesOf(files map[string]string) patch.Changes {
	changes := patch.Changes{}
	for name, text := range files {
		changes[name] = &patch.File{Data: []byte(text), Mode: patch.Regular}
		if strings.HasPrefix(text, "#!") {
			changes[name].Mode = patch.Executable
		}
	}
	return changes
}

// diff writes files as a diff of a project.
func (p project) diff(t *testing.T, files map[string]string) string {
	t.Helper()
	text, err := patch.Diff(patch.Files(changesOf(p.files)), changesOf(files))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// task writes the project to a directory and returns its task.
func (p project) task(t *testing.T) *benchmark.Task {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), p.needs[0], p.needs[1:]...).CombinedOutput(); err != nil {
		t.Skipf("%q: %v %s", p.needs, err, out)
	}
	dir := t.TempDir()
	for name, text := range p.files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &benchmark.Task{ID: "shop/1", Title: "Total", Reference: p.diff(t, p.reference), Repository: &benchmark.Repository{
		Name: "assay/shop", Source: dir, TestPatch: p.diff(t, p.tests), FailToPass: p.failToPass, PassToPass: p.passToPass, Environment: p.env}}
}

// statuses are a result's tests in short.
func statuses(r repository.Result) string {
	var all []string
	for _, test := range r.Tests {
		all = append(all, test.ID+" "+string(test.Status))
	}
	return strings.Join(all, ", ")
}

// TestJudge: honest answers in the three languages, right, wrong and half right.
func TestJudge(t *testing.T) {
	r := newRunner(t)
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		p := projects[name]
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 3)
			task := p.task(t)
			if err := r.Ready(t.Context(), task); err != nil {
				t.Skip(err)
			}
			for _, row := range []struct {
				name, answer string
				want         outcomes.Outcome
			}{
				{"reference", "Here is the fix.\n\n```diff\n" + task.Reference + "```\n", outcomes.Resolved},
				{"nothing that helps", p.diff(t, map[string]string{"NEWS": "none\n"}), outcomes.Unresolved},
				{"no patch", "I could not find it.", outcomes.PatchFailed},
				{"another file", "--- a/nope.py\n+++ b/nope.py\n@@ -1 +1 @@\n-a\n+b\n", outcomes.PatchFailed},
			} {
				got, err := r.Judge(t.Context(), task, row.answer)
				if err != nil || got.Outcome != row.want {
					t.Errorf("%s: %s %q, want %s: %s\n%s\n%v", row.name, got.Outcome, got.Message, row.want, statuses(got), got.Log, err)
				}
				plants := name != "java" && !strings.HasSuffix(name, " that stops")
				if row.want != outcomes.PatchFailed && plants && got.Sentinels < 2 {
					t.Errorf("%s: %d sentinels", row.name, got.Sentinels)
				}
			}
		})
	}
}
