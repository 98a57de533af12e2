package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/clitest"
	"assay/cmd/cli/console"
	studycmd "assay/cmd/cli/study"
	"assay/data/fatal"
	"assay/session"
	"assay/session/report/sessions"
	"assay/session/simulate"
	"assay/store"
)

// frozenStudy is clitest.FrozenStudy with the built-in models.
func frozenStudy(t *testing.T, dir string, testers int, edits ...string) string {
	t.Helper()
	return clitest.FrozenStudy(t, dir, testers, clitest.Models(), edits...)
}

// TestManyTestersAreCollected: eight testers with eight stores become one report; files of others are
// rejected by name, without side effects.
func TestManyTestersAreCollected(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := frozenStudy(t, dir, 8)
	var files []string
	for tester := 1; tester <= 8; tester++ {
		files = append(files, clitest.Worked(t, dir, path, tester, "01J"))
	}
	all := filepath.Join(dir, "all.db")
	out, _ := mustKept(t, all, append([]string{"study", "collect", "--study", path}, files...)...)
	if strings.Count(out, "collected session") != 16 {
		t.Errorf("collect says\n%s", out)
	}
	out, _ = mustKept(t, all, "report", "all", "--json")
	var r sessions.Report
	fatal.If(t, json.Unmarshal([]byte(out), &r))
	if r.Number != 16 || r.Testers != 8 || r.Arms == nil || len(r.Arms.Arms) != 2 || len(r.Arms.Pairs) != 1 || !r.Arms.Pairs[0].Paired || r.Arms.Pairs[0].Tasks != 6 {
		t.Errorf("%d sessions, %d testers, arms %+v", r.Number, r.Testers, r.Arms)
	}

	stored, _ := mustKept(t, all, "session", "verify", "--json")
	refused := func(want string, args ...string) {
		t.Helper()
		_, errs, code := runKept(t, all, append([]string{"study", "collect"}, args...)...)
		if code != console.ExitError || !strings.Contains(errs, want) {
			t.Errorf("collect %v: %d, %s; want %s", args, code, errs, want)
		}
		if after, _ := mustKept(t, all, "session", "verify", "--json"); after != stored {
			t.Errorf("collect %v left a trace", args)
		}
	}
	if out, _ := mustKept(t, all, "study", "collect", "--study", path, files[3]); !strings.Contains(out, "nothing new: the store already has all of session 01J00000000000000000000400") {
		t.Errorf("collecting a file twice says %q", out)
	}
	if again, _ := mustKept(t, all, "session", "verify", "--json"); again != stored {
		t.Error("collecting a file twice changes the store")
	}
	again := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(again, "study.toml"), fatal.Read(t, path), 0o600))
	mustKept(t, filepath.Join(again, "none.db"), "study", "freeze", filepath.Join(again, "study.toml"))
	refused("two people may have used one join code", "--study", path, clitest.Worked(t, again, filepath.Join(again, "study.toml"), 7, "01K"))

	tampered := filepath.Join(dir, "tampered.assay")
	text := fatal.Read(t, files[4])
	text[len(text)/2] ^= 1
	fatal.If(t, os.WriteFile(tampered, text, 0o600))
	refused("refused "+tampered, tampered)

	later := t.TempDir()
	next := clitest.Worked(t, later, frozenStudy(t, later, 8, "version = 1 ", "version = 2 "), 1, "01J")
	refused(`version 2, frozen as`, "--study", path, next)

	// A tester's submission leaves out rehearsals, and a collection leaves out sessions of other studies.
	mixed, both := filepath.Join(dir, "mixed.db"), filepath.Join(dir, "mixed.assay")
	mustKept(t, mixed, "study", "collect", files[0])
	mustKept(t, mixed, append([]string{"session", "import", "--name", "rehearsal"}, keptStudy(t)...)...)
	mustKept(t, mixed, "session", "export", "--bundle", both, "--study", path)
	out, _ = mustKept(t, filepath.Join(dir, "fresh.db"), "study", "collect", "--study", path, both)
	if strings.Count(out, "collected session") != 2 || strings.Contains(out, "left out") {
		t.Errorf("what was packed of the study is collected: %s", out)
	}
	two := filepath.Join(dir, "two.db")
	mustKept(t, two, "study", "collect", files[1])
	mustKept(t, two, "study", "collect", "--study", filepath.Join(later, "study.toml"), next)
	mustKept(t, two, "session", "export", "--bundle", both, "--force", "all")
	out, _ = mustKept(t, filepath.Join(dir, "third.db"), "study", "collect", "--study", path, both)
	if strings.Count(out, "collected session") != 2 || strings.Count(out, "left out: session ") != 2 {
		t.Errorf("of sessions of two studies those of the one are collected: %s", out)
	}
	refused("another frozen version", files[0], next)

	// The same session with other events.
	forged := t.TempDir()
	same := frozenStudy(t, forged, 8)
	other := filepath.Join(forged, "other.db")
	kept, err := store.Open(other, store.Options{})
	fatal.If(t, err)
	s, b, err := studycmd.LoadStudy(same)
	fatal.If(t, err)
	lock, err := s.Frozen(b, clitest.Models())
	fatal.If(t, err)
	plan, tasks, err := s.Plan(b, lock.Hash, 1, 1, "T01", session.Model{Name: "rehearsal"})
	fatal.If(t, err)
	events, texts, err := simulate.Session{ID: "01J00000000000000000000100", Plan: plan, Seed: 99}.Log(tasks...)
	fatal.If(t, err)
	if _, err := kept.Append(context.Background(), "01J00000000000000000000100", events, texts); err != nil {
		t.Fatal(err)
	}
	fatal.If(t, kept.Close())
	copied := filepath.Join(forged, "copy.assay")
	mustKept(t, other, "session", "export", "--bundle", copied, "all")
	refused("a different copy of session", "--study", path, copied)
}
