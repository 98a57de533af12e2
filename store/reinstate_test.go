package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/session"
)

// heartbeatLog is a whole log of n events.
func heartbeatLog(id string, n int) []session.Event {
	return append([]session.Event{opened(id, 1)}, heartbeats(2, n-1)...)
}

// losses are what somebody does to the file of an open store.
var losses = map[string]func(t *testing.T, path string){
	"deleted": func(t *testing.T, path string) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	},
	"deleted with its directory": func(t *testing.T, path string) {
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
	},
	"replaced by junk": func(t *testing.T, path string) {
		if err := os.WriteFile(path+".junk", []byte("junk"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".junk", path); err != nil {
			t.Fatal(err)
		}
	},
	"replaced by another store": func(t *testing.T, path string) {
		other := mustOpen(t, path+".other", quiet)
		mustAppend(t, other, "S9", heartbeatLog("S9", 4), nil)
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".other", path); err != nil {
			t.Fatal(err)
		}
	},
	"emptied":     func(t *testing.T, path string) { overwrite(t, path, nil) },
	"overwritten": func(t *testing.T, path string) { overwrite(t, path, []byte(strings.Repeat("junk", 1<<14))) },
	"overwritten by a store": func(t *testing.T, path string) {
		other := mustOpen(t, path+".other", quiet)
		for id := range 40 {
			name := "T" + string(rune('a'+id))
			mustAppend(t, other, name, heartbeatLog(name, 40), nil)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path + ".other")
		if err != nil {
			t.Fatal(err)
		}
		overwrite(t, path, text)
	},
}

// overwrite changes what is in the file that has the name, and not which file that is.
func overwrite(t *testing.T, path string, text []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// A store whose file is lost while it is open is written anew before anything else is
// acknowledged: what came before the snapshot, what came after it, and what comes then.
func TestLostFileIsWrittenAnew(t *testing.T) {
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "data", "assay.db")
			told := make(chan string, 8)
			s := mustOpen(t, path, Options{SnapshotEvery: time.Hour, Notify: func(text string) { told <- text }})
			mustAppend(t, s, "S1", heartbeatLog("S1", 50), nil)
			if err := s.snapshot(); err != nil {
				t.Fatal(err)
			}
			events, blobs := prompt(51, strings.Repeat("a long prompt ", 1000))
			mustAppend(t, s, "S1", events, blobs)
			lose(t, path)
			next := 50 + uint64(len(events)) + 1
			mustAppend(t, s, "S1", heartbeats(next, 3), nil)
			if text := <-told; !strings.Contains(text, "written anew") {
				t.Errorf("the user is told %q", text)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			again := mustOpen(t, path, quiet)
			defer again.Close()
			n, texts, err := again.Verify("S1")
			if err != nil || n != int(next)+2 || texts == 0 {
				t.Errorf("%d events of %d, %d texts, %v", n, next+2, texts, err)
			}
		})
	}
}

// It is noticed without an append, too: at the latest when the store is closed.
func TestLostFileIsNoticedWithoutAnAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	told := make(chan string, 8)
	s := mustOpen(t, path, Options{Notify: func(text string) { told <- text }})
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	select {
	case <-told:
	case <-time.After(10 * watchEvery):
		t.Fatal("nobody is told")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := mustOpen(t, path, quiet)
	defer again.Close()
	if n, _, err := again.Verify("S1"); n != 5 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
}

// A store in which another process works is not taken away from it, and nothing is
// acknowledged until it is gone.
func TestLostFileIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	s := mustOpen(t, path, quiet)
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	other := mustOpen(t, path, quiet)
	mustAppend(t, other, "S2", heartbeatLog("S2", 3), nil)
	_, err := s.Append(t.Context(), "S1", heartbeats(6, 1), nil)
	if err == nil || !strings.Contains(err.Error(), "in use") {
		t.Fatalf("%v", err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, s, "S1", heartbeats(6, 1), nil)
	if n, _, err := s.Verify("S1"); n != 6 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	aside, _ := filepath.Glob(path + ".2*")
	if len(aside) != 1 {
		t.Errorf("the other store was put aside as %q", aside)
	}
}

// A store whose file is missing when it is opened is written anew from the snapshot beside
// it: an empty one in its place would soon have an empty snapshot, too.
func TestMissingFileIsWrittenAnew(t *testing.T) {
	path, told := filepath.Join(t.TempDir(), "assay.db"), ""
	s := mustOpen(t, path, quiet)
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	if err := errors.Join(s.Snapshot(snapshotPath(path)), s.Close(), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	opts := quiet
	opts.Notify = func(text string) { told = text }
	s = mustOpen(t, path, opts)
	events, err := s.Events("S1", 1)
	if err != nil || len(events) != 5 || !strings.Contains(told, "it is written anew, as of") {
		t.Errorf("%d events, %v, and %q was told", len(events), err, told)
	}
	if err := errors.Join(s.Close(), os.Remove(path), os.WriteFile(snapshotPath(path), []byte("junk"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, quiet); err == nil || !strings.Contains(err.Error(), "move "+snapshotPath(path)+" away") {
		t.Errorf("from a damaged snapshot: %v", err)
	}
}

// What is forgotten of the journal while a snapshot is written takes nothing else along.
func TestJournalForgetsBeforeTrim(t *testing.T) {
	var j journal
	j.add(&request{id: "S1"})
	j.add(&request{id: "S2"})
	mark := j.mark()
	j.forget("S1")
	j.add(&request{id: "S3"})
	if j.trim(mark); len(j.all()) != 1 || j.all()[0].request.id != "S3" {
		t.Errorf("%v is left", j.all())
	}
	j.forget("S3")
	j.trim(mark)
}
