package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/console"
	reportcmd "assay/cmd/cli/report"
	"assay/data/fatal"
	"assay/session"
	"assay/session/simulate"
	"assay/store"
)

// Sessions are renamed, closed and deleted in the store that the screens have open.
func TestManagedSessions(t *testing.T) {
	kept, err := store.Open(filepath.Join(t.TempDir(), "assay.db"), store.Options{})
	fatal.If(t, err)
	defer kept.Close()
	plan := session.Plan{
		Benchmark: "b", K: 5, Context: session.Fresh, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "m", Provider: "openai"},
		Tasks: []session.PlanTask{{ID: "p", Practice: true}, {ID: "t1"}, {ID: "t2"}},
	}
	begin := func(id string, study *session.InStudy) {
		t.Helper()
		plan.Study = study
		at := session.Stamp{Wall: 1_772_000_000_000, Mono: 1, Process: "p", Boot: "b"}
		events := []session.Event{{Seq: 1, Stamp: at, Payload: session.Opened{Session: id, Plan: plan}}}
		if _, err := kept.Append(t.Context(), id, events, nil); err != nil {
			t.Fatal(err)
		}
	}
	events, texts, err := simulate.Session{ID: "S1", Plan: plan, Wall: 1_772_000_000_000}.Log()
	fatal.If(t, err)
	if _, err := kept.Append(t.Context(), "S1", events, texts); err != nil {
		t.Fatal(err)
	}
	begin("S2", nil)
	begin("S3", &session.InStudy{Name: "n", Version: 1, Arm: "a", Tester: 1, Part: 1})
	m := manager{&Library{io: &console.IO{Getenv: os.Getenv}, Store: kept}}
	rows := func() map[string]store.Summary {
		t.Helper()
		list, err := kept.Sessions()
		fatal.If(t, err)
		byID := map[string]store.Summary{}
		for _, r := range list {
			byID[r.ID] = r
		}
		return byID
	}

	before := rows()
	for _, id := range []string{"S1", "S2", "S3"} { // ended, open, of a study
		fatal.If(t, m.Rename(t.Context(), id, "named "+id))
		if r := rows()[id]; r.Name != "named "+id || r.LastAt != before[id].LastAt || r.WorkedMS != before[id].WorkedMS {
			t.Errorf("%+v", r)
		}
	}
	if err := m.Rename(t.Context(), "S2", strings.Repeat("x", 1000)); err == nil {
		t.Error("a name of any length is taken")
	}
	if r := rows()["S2"]; r.Place() != "practice, not counted" || r.Tasks != 2 {
		t.Errorf("%+v", r.Progress)
	}

	for _, change := range []func(context.Context, string) error{m.Close, m.Withdraw} {
		if err := change(t.Context(), "S3"); !errors.Is(err, errOwners) {
			t.Errorf("of a study: %v", err)
		}
	}
	if err := m.Close(t.Context(), "S2"); err != nil || rows()["S2"].Status != store.StatusAbandoned {
		t.Errorf("%v, %+v", err, rows()["S2"])
	}
	if err := m.Close(t.Context(), "S2"); !errors.Is(err, session.ErrNotNow) {
		t.Errorf("closed again: %v", err)
	}

	report, err := reportcmd.Archive{Kept: kept, Dir: filepath.Dir(kept.Path()), Getenv: os.Getenv}.WriteReport(t.Context(), "S1")
	fatal.If(t, err)
	if err := m.Withdraw(t.Context(), "S1"); err != nil || rows()["S1"].Status != store.StatusWithdrawn || rows()["S1"].Name != "" {
		t.Errorf("%v, %+v", err, rows()["S1"])
	}
	if _, err := os.Stat(report); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the report of a deleted session: %v", err)
	}
	if changed, err := kept.Rebuild(); err != nil || len(changed.Changed) > 0 {
		t.Errorf("%+v, %v", changed, err)
	}
	for id := range rows() {
		if _, _, err := kept.Verify(id); err != nil {
			t.Error(err)
		}
	}
}

// Paths of benchmarks are remembered, the latest first, while they exist.
func TestRecentBenchmarks(t *testing.T) {
	dir := t.TempDir()
	r := recentFiles{filepath.Join(dir, "made", "recent")}
	var paths []string
	for _, name := range []string{"a", "b c", "d"} {
		path := filepath.Join(dir, name)
		fatal.If(t, errors.Join(os.WriteFile(path, nil, 0o600), r.add(path)))
		paths = append(paths, path)
	}
	fatal.If(t, errors.Join(r.add(paths[0]), os.Remove(paths[1])))
	if got := strings.Join(r.list(), "|"); got != paths[0]+"|"+paths[2] {
		t.Errorf("remembered %s", got)
	}
}

// A benchmark can be used even if its path cannot be remembered.
func TestBenchmarkThatIsNotRemembered(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "no-directory")
	tasks := filepath.Join(dir, "tasks.json")
	fatal.If(t, errors.Join(os.WriteFile(full, nil, 0o600), os.WriteFile(tasks, []byte(`{"assay_benchmark": 1, "name": "n", "tasks": [{"id": "n/1", "title": "One", "language": "python", "description": "d", "entry_point": "one", "tests": {"style": "calls", "cases": [{"args": [], "expected": 1}]}}]}`), 0o600)))
	l := &Library{recent: recentFiles{filepath.Join(full, "recent")}}
	b, err := l.load(t.Context(), tasks)
	if err != nil || b == nil || l.paths[b] != tasks {
		t.Errorf("%v, %v", b, err)
	}
}
