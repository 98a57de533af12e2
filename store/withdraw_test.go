package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session"
	"assay/session/simulate"
)

// A backup that the session cannot be removed from is named, and the session is removed from the others.
func TestWithdrawalFromADamagedBackup(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, quiet)
	mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
	whole, damaged := path+".backup-1", path+".backup-2"
	fatal.If(t, s.Snapshot(whole))
	writeFile(t, damaged, []byte("what is left of a backup"))
	done, err := s.Withdraw("S1")
	if !slices.Equal(done.Rewritten, []string{whole, path}) || done.Copies != 2 || err == nil || !strings.Contains(err.Error(), damaged) || strings.Contains(err.Error(), whole) || !strings.Contains(err.Error(), "remove that file") {
		t.Errorf("withdrawn from %+v: %v", done, err)
	}
}

// TestWithdrawalLeavesNoByte: no byte of a withdrawn tester's words, name and answers remains in the store,
// its backups or its snapshot; other sessions are unchanged.
func TestWithdrawalLeavesNoByte(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "as[s]ay.db") // not a pattern
	s, err := Open(path, Options{})
	fatal.If(t, err)
	secret := func(who string) string { return "the-words-of-" + who }
	for i, who := range []string{"anna", "bert"} {
		plan := session.Plan{Benchmark: "b", K: 3, Context: session.Fresh, Tester: "name-of-" + who, Attributes: session.MiahZhuAttributes(), Model: session.Model{Name: "m"}}
		for n := range 30 {
			plan.Tasks = append(plan.Tasks, session.PlanTask{ID: fmt.Sprintf("t%d", n)})
		}
		events, texts, err := simulate.Session{ID: who, Plan: plan, Seed: uint64(i), Wall: 1_700_000_000_000,
			Prompt: func(task, n int) string { return fmt.Sprintf("%s %d %d", secret(who), task, n) },
			Answer: func(task, n int) string { return fmt.Sprintf("the same answer %d", n) }}.Log()
		fatal.If(t, err)
		if _, err := s.Append(context.Background(), who, events, texts); err != nil {
			t.Fatal(err)
		}
	}
	backup := path + ".v0.bak"
	fatal.If(t, s.Snapshot(backup))
	if _, err := Withdraw(path, "anna", Options{}); !errors.Is(err, ErrInUse) {
		t.Errorf("while it is open: %v", err)
	}
	fatal.If(t, s.Close())
	if _, err := Withdraw(path, "carl", Options{}); !errors.Is(err, ErrNoSession) {
		t.Errorf("nobody's session: %v", err)
	}
	files, err := Withdraw(path, "anna", Options{})
	if err != nil || len(files.Rewritten) != 2 || len(files.Deleted) != 1 || files.Linked {
		t.Fatal(files, err)
	}
	entries, err := os.ReadDir(dir)
	fatal.If(t, err)
	for _, entry := range entries {
		text := fatal.Read(t, filepath.Join(dir, entry.Name()))
		for _, gone := range []string{secret("anna"), "name-of-anna"} {
			if bytes.Contains(text, []byte(gone)) {
				t.Errorf("%s still has %q", entry.Name(), gone)
			}
		}
	}
	if s, err = Open(path, Options{}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, who := range []string{"anna", "bert"} {
		if _, _, err := s.Verify(who); err != nil {
			t.Errorf("%s: %v", who, err)
		}
	}
	events, err := s.Events("anna", 1)
	if err != nil || len(events) != 2 {
		t.Fatalf("%d events of the tombstone, %v", len(events), err)
	}
	state, err := session.Replay(events)
	if err != nil || state.Closed != "withdrawn" || state.Plan.Tester != "" || len(state.Tasks) != 30 {
		t.Errorf("%+v, %v", state.Plan, err)
	}
	rows, err := s.Sessions()
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	for _, r := range rows {
		if r.ID == "anna" && (r.Status != StatusWithdrawn || r.Tester != "" || r.Answers != 0) {
			t.Errorf("%+v", r)
		}
	}
	if text, err := s.Blob(session.RefOf([]byte("the same answer 1"))); err != nil || len(text) == 0 {
		t.Errorf("a text that the other session needs is gone: %v", err)
	}
	if changed, err := s.Rebuild(); err != nil || len(changed.Changed) > 0 {
		t.Errorf("%+v, %v", changed, err)
	}
}

// A session is withdrawn from an open store, which continues: data read and written during and after the
// withdrawal are complete, and no byte of the session remains.
func TestWithdrawalFromAnOpenStore(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, Options{SnapshotEvery: time.Millisecond})
	for _, id := range []string{"S1", "S2"} {
		first := opened(id, 1)
		begun := first.Payload.(session.Opened)
		begun.Plan.Tester = "name-of-" + id
		first.Payload = begun
		mustAppend(t, s, id, []session.Event{first}, nil)
	}
	var reading sync.WaitGroup
	for range 4 {
		reading.Go(func() {
			for range 200 {
				if _, err := s.Events("S2", 1); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	reading.Go(func() {
		for seq := range uint64(40) {
			if _, err := s.Append(t.Context(), "S2", heartbeats(seq+2, 1), nil); err != nil {
				t.Error(err)
				return
			}
		}
	})
	if _, err := s.Withdraw("S1"); err != nil {
		t.Fatal(err)
	}
	reading.Wait()
	if _, err := s.Append(t.Context(), "S1", heartbeats(2, 1), nil); !errors.Is(err, errConflict) {
		t.Errorf("an event behind a tombstone: %v", err)
	}
	if _, err := Open(path, quiet); !errors.Is(err, ErrInUse) {
		t.Errorf("the store is not held any more: %v", err)
	}
	fatal.If(t, s.Close())
	for _, name := range []string{path, snapshotPath(path)} {
		if text, err := os.ReadFile(name); err != nil || bytes.Contains(text, []byte("name-of-S1")) || !bytes.Contains(text, []byte("name-of-S2")) {
			t.Errorf("%s has the wrong sessions, or %v", name, err)
		}
	}
	s = mustOpen(t, path, quiet)
	if events, _, err := s.Verify("S2"); err != nil || events != 41 {
		t.Errorf("%d events of the other session, %v", events, err)
	}
	if changed, err := s.Rebuild(); err != nil || len(changed.Changed) > 0 {
		t.Errorf("%+v, %v", changed, err)
	}
}

// TestWithdrawalThroughLinks: a store is one by whatever link it is opened, also where an earlier version left copies
// named after a link. A hard link is told.
func TestWithdrawalThroughLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	path, link, far := filepath.Join(dir, "s.db"), filepath.Join(dir, "l.db"), filepath.Join(elsewhere, "far.db")
	s := mustOpen(t, path, quiet)
	mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
	fatal.If(t, s.Close())
	fatal.If(t, os.Symlink("s.db", link))
	fatal.If(t, os.Symlink(path, far))
	for _, name := range []string{path, link, far} { // as an earlier version named them
		for _, copied := range []string{".snapshot", ".backup-1", ".aside-1"} {
			writeFile(t, name+copied, fatal.Read(t, path))
		}
	}
	fatal.If(t, os.Link(path, filepath.Join(dir, "hard.db")))
	s = mustOpen(t, far, quiet)
	if s.Path() != path {
		t.Errorf("the store is at %s, want %s", s.Path(), path)
	}
	fatal.If(t, s.Close())
	const said = `"tester":"T1"`
	if !bytes.Contains(fatal.Read(t, path), []byte(said)) {
		t.Fatal("the store does not have what is looked for")
	}
	done, err := Withdraw(far, "S1", quiet)
	if err != nil || len(done.Rewritten) != 7 || len(done.Deleted) != 3 || len(done.Names) != 3 || !done.Linked {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, place := range []string{dir, elsewhere} {
		entries, err := os.ReadDir(place)
		fatal.If(t, err)
		for _, entry := range entries {
			if name := filepath.Join(place, entry.Name()); entry.Name() != "hard.db" && entry.Type().IsRegular() && bytes.Contains(fatal.Read(t, name), []byte(said)) {
				t.Errorf("%s still has the session", name)
			}
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
}

// A tombstone lists the sessions that its tester had in the place, and those of nobody else.
func TestTombstoneListsItsTester(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	begin := func(id, name string, part int) {
		e := opened(id, 1)
		p := e.Payload.(session.Opened)
		p.Plan.Tester, p.Plan.Study = name, &session.InStudy{Name: "s", Hash: "h", Tester: 1, Part: part}
		e.Payload = p
		mustAppend(t, s, id, []session.Event{e}, nil)
	}
	begin("A1", "ann", 1)
	begin("A2", "ann", 2)
	begin("B1", "ben", 1)
	for _, step := range []struct {
		id   string
		want []string
	}{{"A1", []string{"A1", "A2"}}, {"A2", []string{"A2"}}, {"A1", []string{"A1", "A2"}}, {"B1", []string{"B1"}}} {
		_, err := s.Withdraw(step.id)
		fatal.If(t, err)
		events, err := s.Events(step.id, 1)
		fatal.If(t, err)
		if same := events[0].Payload.(session.Opened).Same; !slices.Equal(same, step.want) {
			t.Errorf("%s: %v, not %v", step.id, same, step.want)
		}
	}
}
