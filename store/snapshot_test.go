package store

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"assay/data/fatal"
	"assay/session"
)

func TestSnapshotIsReadBesideTheLiveStore(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, quiet)
	if _, err := OpenSnapshot(path); !errors.Is(err, errNoSnapshot) {
		t.Errorf("without a snapshot: %v", err)
	}
	events, blobs := prompt(2, "text")
	mustAppend(t, s, "S1", append([]session.Event{opened("S1", 1)}, events...), blobs)
	fatal.If(t, s.Snapshot(snapshotPath(path)))
	mustAppend(t, s, "S1", heartbeats(3, 5), nil)
	snap, err := OpenSnapshot(path)
	fatal.If(t, err)
	defer snap.Close()
	if n, texts, err := snap.Verify("S1"); n != 2 || texts != 1 || err != nil {
		t.Errorf("the snapshot has %d events, %d texts, %v", n, texts, err)
	}
	// A newer snapshot does not disturb whoever reads the older one.
	fatal.If(t, s.Snapshot(snapshotPath(path)))
	if n, _, err := snap.Verify("S1"); n != 2 || err != nil {
		t.Errorf("the open snapshot has %d events, %v", n, err)
	}
	if notice := snap.Notice(snap.Taken.Add(90 * time.Second)); !strings.Contains(notice, "1m30s ago") {
		t.Errorf("notice %q", notice)
	}
}

func TestSnapshotIsWrittenWhenTheStoreCloses(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
	fatal.If(t, s.Close())
	snap, err := OpenSnapshot(path)
	fatal.If(t, err)
	if rows, err := snap.Sessions(); err != nil || len(rows) != 1 {
		t.Errorf("%+v, %v", rows, err)
	}
	fatal.If(t, snap.Close())
	fatal.If(t, os.Remove(snapshotPath(path)))
	fatal.If(t, mustOpen(t, path, Options{SnapshotEvery: time.Hour}).Close())
	if taken := snapshotTime(path); !taken.IsZero() {
		t.Error("a store that was only read wrote a snapshot")
	}
}

func TestSnapshotsFollowChangesByThemselves(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, Options{SnapshotEvery: time.Millisecond})
	next := uint64(2)
	mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
	for next < 100_000 {
		mustAppend(t, s, "S1", heartbeats(next, 1), nil)
		next++
		if snap, err := OpenSnapshot(path); err == nil {
			if _, _, err := snap.Verify("S1"); err != nil {
				t.Error(err)
			}
			if err := snap.Close(); err != nil {
				t.Error(err)
			}
			return
		}
	}
	t.Error("no snapshot appeared")
}

func TestStoreOfANewerVersionIsRefused(t *testing.T) {
	path := newPath(t)
	s, err := openFormat(path, quiet, format{number: currentFormat.number + 1})
	fatal.If(t, err)
	fatal.If(t, errors.Join(s.Snapshot(snapshotPath(path)), s.Close()))
	if _, err := Open(path, quiet); !errors.Is(err, errNewer) || !strings.Contains(err.Error(), "update assay") {
		t.Errorf("store: %v", err)
	}
	if _, err := OpenSnapshot(path); !errors.Is(err, errNewer) {
		t.Errorf("snapshot: %v", err)
	}
}

func TestOlderStoreIsBackedUpThenMigrated(t *testing.T) {
	path := newPath(t)
	first := format{number: 1}
	older := func(path string) *Store {
		t.Helper()
		s, err := openFormat(path, quiet, first)
		fatal.If(t, err)
		return s
	}
	s := older(path)
	mustAppend(t, s, "S1", append([]session.Event{opened("S1", 1)}, heartbeats(2, 3)...), nil)
	before := dump(t, s.reader)
	fatal.If(t, s.Close())
	mark := func(value string) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error { return tx.Bucket(bucketMeta).Put([]byte(value), []byte("done")) }
	}
	broken := errors.New("broken on purpose")
	failing := format{number: 3, steps: map[int]func(*bolt.Tx) error{1: mark("to2"), 2: func(*bolt.Tx) error { return broken }}}
	if _, err := openFormat(path, quiet, failing); !errors.Is(err, broken) || !strings.Contains(err.Error(), ".v1.bak") {
		t.Errorf("a failing migration: %v", err)
	}
	s = older(path) // still format 1, whole
	sameDump(t, "after a failed migration", before, dump(t, s.reader))
	fatal.If(t, s.Close())

	s, err := openFormat(path, quiet, format{number: 3, steps: map[int]func(*bolt.Tx) error{1: mark("to2"), 2: mark("to3")}})
	fatal.If(t, err)
	defer s.Close()
	after := dump(t, s.reader)
	if after["meta/format"] != "3" || after["meta/to2"] != "done" || after["meta/to3"] != "done" {
		t.Errorf("after the migration: %v", after)
	}
	if _, _, err := s.Verify("S1"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{path + ".v1.bak", path + ".v1.2.bak"} {
		backup := older(name)
		sameDump(t, name, before, dump(t, backup.reader))
	}
}

// Snapshot writes a copy of the whole store to dst, replacing an existing file only when the copy is
// complete.
func (s *Store) Snapshot(dst string) error {
	s.snap.writing.Lock()
	defer s.snap.writing.Unlock()
	return s.copyAs(dst)
}
