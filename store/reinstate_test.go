package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session"
)

// heartbeatLog is a complete log of n events.
func heartbeatLog(id string, n int) []session.Event {
	return append([]session.Event{opened(id, 1)}, heartbeats(2, n-1)...)
}

// losses are ways to lose the file of an open store.
var losses = map[string]func(t *testing.T, path string){
	"deleted": func(t *testing.T, path string) {
		fatal.If(t, os.Remove(path))
	},
	"deleted with its directory": func(t *testing.T, path string) {
		fatal.If(t, os.RemoveAll(filepath.Dir(path)))
	},
	"replaced by junk": func(t *testing.T, path string) {
		fatal.If(t, os.WriteFile(path+".junk", []byte("junk"), 0o600))
		fatal.If(t, os.Rename(path+".junk", path))
	},
	"replaced by another store": func(t *testing.T, path string) {
		other := mustOpen(t, path+".other", quiet)
		mustAppend(t, other, "S9", heartbeatLog("S9", 4), nil)
		fatal.If(t, other.Close())
		fatal.If(t, os.Rename(path+".other", path))
	},
	"emptied":     func(t *testing.T, path string) { overwrite(t, path, nil) },
	"overwritten": func(t *testing.T, path string) { overwrite(t, path, []byte(strings.Repeat("junk", 1<<14))) },
	"overwritten, then deleted": func(t *testing.T, path string) {
		overwrite(t, path, []byte(strings.Repeat("junk", 1<<14)))
		fatal.If(t, os.Remove(path))
	},
	"overwritten by a store": func(t *testing.T, path string) {
		other := mustOpen(t, path+".other", quiet)
		for id := range 40 {
			name := "T" + string(rune('a'+id))
			mustAppend(t, other, name, heartbeatLog(name, 40), nil)
		}
		fatal.If(t, other.Close())
		text := fatal.Read(t, path+".other")
		overwrite(t, path, text)
	},
}

// overwrite changes the content of the named file, and keeps the file itself.
func overwrite(t *testing.T, path string, text []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	fatal.If(t, err)
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	fatal.If(t, f.Close())
}

// A store whose file is lost while it is open is rewritten before any other append is acknowledged: with
// the appends before and after the snapshot, and the new ones.
func TestLostFileIsWrittenAnew(t *testing.T) {
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "data", "assay.db")
			told := make(chan string, 8)
			s := mustOpen(t, path, Options{SnapshotEvery: time.Hour, Notify: func(text string) { told <- text }})
			mustAppend(t, s, "S1", heartbeatLog("S1", 50), nil)
			fatal.If(t, s.snapshot())
			events, blobs := prompt(51, strings.Repeat("a long prompt ", 1000))
			mustAppend(t, s, "S1", events, blobs)
			lose(t, path)
			next := 50 + uint64(len(events)) + 1
			mustAppend(t, s, "S1", heartbeats(next, 3), nil)
			if text := <-told; !strings.Contains(text, "written anew") {
				t.Errorf("the user is told %q", text)
			}
			fatal.If(t, s.Close())
			again := mustOpen(t, path, quiet)
			defer again.Close()
			n, texts, err := again.Verify("S1")
			if err != nil || n != int(next)+2 || texts == 0 {
				t.Errorf("%d events of %d, %d texts, %v", n, next+2, texts, err)
			}
		})
	}
}

// The loss is detected without an append, too: at the latest when the store is closed.
func TestLostFileIsNoticedWithoutAnAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	told := make(chan string, 8)
	s := mustOpen(t, path, Options{Notify: func(text string) { told <- text }})
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	fatal.If(t, os.Remove(path))
	select {
	case <-told:
	case <-time.After(10 * watchEvery):
		t.Fatal("nobody is told")
	}
	fatal.If(t, os.Remove(path))
	fatal.If(t, s.Close())
	again := mustOpen(t, path, quiet)
	defer again.Close()
	if n, _, err := again.Verify("S1"); n != 5 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
}

// A store in use by another process is not replaced, and nothing is acknowledged until that process ends.
func TestLostFileIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	s := mustOpen(t, path, quiet)
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	fatal.If(t, os.Remove(path))
	other := mustOpen(t, path, quiet)
	mustAppend(t, other, "S2", heartbeatLog("S2", 3), nil)
	_, err := s.Append(t.Context(), "S1", heartbeats(6, 1), nil)
	if err == nil || !strings.Contains(err.Error(), "in use") {
		t.Fatalf("%v", err)
	}
	fatal.If(t, other.Close())
	mustAppend(t, s, "S1", heartbeats(6, 1), nil)
	if n, _, err := s.Verify("S1"); n != 6 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	fatal.If(t, s.Close())
	aside, _ := filepath.Glob(path + ".aside-*")
	if len(aside) != 1 {
		t.Errorf("the other store was put aside as %q", aside)
	}
}

// A store that cannot be rewritten completely, since the snapshot lacks appends of an earlier process,
// rejects appends: an append must not leave a gap in the log.
func TestNoGapAfterAnOldSnapshot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	fatal.If(t, s.Close())
	s = mustOpen(t, path, quiet) // as of a process that is killed before its first copy
	mustAppend(t, s, "S1", heartbeats(6, 5), nil)
	fatal.If(t, s.Close())
	s = mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	mustAppend(t, s, "S1", heartbeats(11, 1), nil)
	overwrite(t, path, []byte(strings.Repeat("junk", 1<<14)))
	for range 3 {
		if _, err := s.Append(t.Context(), "S1", heartbeats(12, 1), nil); err == nil {
			t.Error("an append is acknowledged after a gap in the log")
		}
	}
	_ = s.Close()
}

// A withdrawal before a pending copy does not corrupt the journal.
func TestWithdrawalBeforeACopy(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "assay.db"), Options{SnapshotEvery: time.Hour})
	defer s.Close()
	mustAppend(t, s, "S1", heartbeatLog("S1", 3), nil)
	mustAppend(t, s, "S2", heartbeatLog("S2", 3), nil)
	s.snap.writing.Lock()
	done := make(chan error)
	go func() { done <- s.snapshot() }()
	s.journal.forget("S1")
	s.snap.writing.Unlock()
	fatal.If(t, <-done)
}

// A store whose path is in use when it is closed is saved to another file, and the files at the path are
// left to the process using them.
func TestLostFileIsKeptElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	fatal.If(t, os.Remove(path))
	other := mustOpen(t, path, quiet)
	defer other.Close()
	err := s.Close()
	kept, _ := filepath.Glob(path + ".rescued-*")
	if len(kept) != 1 || err == nil || !strings.Contains(err.Error(), kept[0]) {
		t.Fatalf("it was kept as %q: %v", kept, err)
	}
	if _, err := os.Stat(ownerPath(path)); err != nil {
		t.Error(err)
	}
	if !snapshotTime(path).IsZero() {
		t.Error("there is a snapshot of another store")
	}
	again := mustOpen(t, kept[0], quiet)
	defer again.Close()
	if n, _, err := again.Verify("S1"); n != 5 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
}

// A session can be withdrawn while a snapshot is written: exactly the appends after the start of the copy
// are kept.
func TestJournalForgetsDuringASnapshot(t *testing.T) {
	var j journal
	for _, id := range []string{"S1", "S2", "S1"} {
		j.add(&request{id: id})
	}
	has := j.mark()
	j.forget("S1")
	j.add(&request{id: "S3"})
	j.trim(has)
	if left := j.all(); len(left) != 1 || left[0].id != "S3" {
		t.Errorf("%d appends are kept", len(left))
	}
}
