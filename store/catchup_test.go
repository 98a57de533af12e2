package store

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/session"
	"assay/session/study"
)

// written returns the number of bytes that this process has written.
func written(t testing.TB) (n int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skipf("the system does not count what a process writes: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "wchar: %d", &n); err == nil {
			return n
		}
	}
	t.Skip("the system does not count what a process writes")
	return 0
}

// inSnapshot is everything in the snapshot beside a store, after checking every log and text.
func inSnapshot(t fatal.Test, path string) map[string]string {
	t.Helper()
	snap, err := OpenSnapshot(path)
	fatal.If(t, err)
	defer snap.Close()
	rows, err := snap.Sessions()
	fatal.If(t, err)
	for _, row := range rows {
		_, _, err := snap.Verify(row.ID)
		fatal.If(t, err)
	}
	return dump(t, snap.reader)
}

// Copies write in proportion to what is appended, not to the store: no more than the store's transactions
// write, in one process or in many.
func TestCopiesWriteWhatIsNew(t *testing.T) {
	for _, size := range []int{1 << 20, 8 << 20} {
		for name, each := range map[string]struct {
			long  int // bytes of a text
			most  int // appends between copies
			again bool
		}{"typing": {200, 4, false}, "imports": {20 << 10, 100, true}} {
			t.Run(fmt.Sprint(name, " into ", size>>20, " MiB"), func(t *testing.T) {
				path, random := newPath(t), rand.New(rand.NewPCG(1, 2))
				s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
				mustAppend(t, s, "S1", []session.Event{opened("S1", 1)}, nil)
				add := func(seq, length int) int {
					text := make([]byte, length)
					for i := range text {
						text[i] = 'a' + byte(random.IntN(26))
					}
					events, blobs := prompt(uint64(seq), string(text))
					mustAppend(t, s, "S1", events, blobs)
					return length
				}
				seq, appended, own := 2, 0, 0
				for n := 0; n < size; seq++ {
					n += add(seq, 20<<10)
				}
				fatal.If(t, s.snapshot())
				before := written(t)
				for range 5 {
					for range 1 + random.IntN(each.most) {
						began := written(t)
						appended += add(seq, 1+random.IntN(2*each.long))
						own += written(t) - began
						seq++
					}
					if each.again {
						fatal.If(t, s.Close())
						s = mustOpen(t, path, Options{SnapshotEvery: time.Hour})
					} else {
						fatal.If(t, s.snapshot())
					}
				}
				all := written(t) - before
				t.Logf("%d bytes of text, %d written by the store, %d with copies", appended, own, all)
				if all > 2*own {
					t.Error("the copies write more than the store")
				}
				sameDump(t, "the snapshot", dump(t, s.reader), inSnapshot(t, path))
			})
		}
	}
}

// Whatever happens to a store, its snapshot has the same contents afterwards.
func TestSnapshotIsTheStore(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue { // of which each syncs often
		fatal.If(t, checks.Value.Set("15"))
		defer checks.Value.Set(checks.DefValue)
	}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "assay-store-")
		fatal.If(t, err)
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "assay.db")
		often := Options{SnapshotEvery: time.Hour}
		s, err := Open(path, often)
		fatal.If(t, err)
		defer func() { s.Close() }()
		ids := []string{"S1", "S2", "S3", "S4"}
		id := rapid.SampledFrom(ids)
		size := func(id string) uint64 { return uint64(s.knownEvents(id)) }
		same := func(t *rapid.T) {
			fatal.If(t, s.snapshot())
			sameDump(t, "the snapshot", dump(t, s.reader), inSnapshot(t, path))
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				id := id.Draw(t, "id")
				events, blobs := drawEvents(t, id, size(id))
				_, err := s.Append(context.Background(), id, events, blobs)
				fatal.If(t, err)
			},
			"withdraw": func(t *rapid.T) {
				if id := id.Draw(t, "id"); size(id) > 0 {
					_, err := s.Withdraw(id)
					fatal.If(t, err)
				}
			},
			"unblind":  func(t *rapid.T) { fatal.If(t, s.Unblind(study.Unblinding{Hash: id.Draw(t, "hash")})) },
			"snapshot": same,
			"reopen": func(t *rapid.T) {
				fatal.If(t, s.Close())
				s, err = Open(path, often)
				fatal.If(t, err)
			},
			"killed": func(t *rapid.T) {
				fatal.If(t, s.snapshot())
				older := fatal.Read(t, snapshotPath(path))
				events, blobs := drawEvents(t, "S1", size("S1"))
				_, err := s.Append(context.Background(), "S1", events, blobs)
				fatal.If(t, err)
				fatal.If(t, s.Close())
				fatal.If(t, os.WriteFile(snapshotPath(path), older, 0o600))
				s, err = Open(path, often)
				fatal.If(t, err)
			},
			"restored": func(t *rapid.T) {
				fatal.If(t, s.snapshot())
				older := fatal.Read(t, snapshotPath(path))
				events, blobs := drawEvents(t, "S2", size("S2"))
				_, err := s.Append(context.Background(), "S2", events, blobs)
				fatal.If(t, err)
				fatal.If(t, s.Close())
				fatal.If(t, os.WriteFile(path, older, 0o600))
				s, err = Open(path, often)
				fatal.If(t, err)
			},
			"damaged copy": func(t *rapid.T) {
				fatal.If(t, s.snapshot())
				text := fatal.Read(t, snapshotPath(path))
				at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
				fatal.If(t, os.WriteFile(snapshotPath(path), text[:at], 0o600))
				fatal.If(t, s.snapshot())
				backups, err := filepath.Glob(path + ".backup-*")
				fatal.If(t, err)
				for _, name := range backups { // which no withdrawal can read
					fatal.If(t, os.Remove(name))
				}
			},
		})
		same(t)
	})
}

// A backup stays as it was, also where it is the same file as the snapshot.
func TestBackupsAreNotBroughtUpToDate(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	fatal.If(t, s.snapshot())
	fatal.If(t, keepBackup(path)) // as by a process that was killed before the next copy
	backups, err := filepath.Glob(path + ".backup-*")
	if err != nil || len(backups) != 1 {
		t.Fatal(backups, err)
	}
	before := fatal.Read(t, backups[0])
	mustAppend(t, s, "S1", heartbeats(6, 5), nil)
	fatal.If(t, s.snapshot())
	if !bytes.Equal(before, fatal.Read(t, backups[0])) {
		t.Error("the backup was changed")
	}
	sameDump(t, "the snapshot", dump(t, s.reader), inSnapshot(t, path))
}

// A snapshot of an earlier day becomes a backup, and the store is copied whole.
func TestSnapshotOfAnEarlierDayIsKept(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	fatal.If(t, s.snapshot())
	yesterday := time.Now().AddDate(0, 0, -1)
	fatal.If(t, os.Chtimes(snapshotPath(path), yesterday, yesterday))
	before := fatal.Read(t, snapshotPath(path))
	mustAppend(t, s, "S1", heartbeats(6, 5), nil)
	fatal.If(t, s.snapshot())
	backups, err := filepath.Glob(path + ".backup-*")
	if err != nil || len(backups) != 1 || !bytes.Equal(before, fatal.Read(t, backups[0])) {
		t.Errorf("kept as %q, %v", backups, err)
	}
}

// Whoever reads the snapshot sees one state of it as long as they want, and does not hold up newer ones.
func TestReadersAndTheSnapshot(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	fatal.If(t, s.snapshot())
	snap, err := OpenSnapshot(path)
	fatal.If(t, err)
	defer snap.Close()
	mustAppend(t, s, "S1", heartbeats(6, 5), nil)
	fatal.If(t, s.snapshot())
	if n, _, err := snap.Verify("S1"); n != 5 || err != nil {
		t.Errorf("the open snapshot has %d events, %v", n, err)
	}
	sameDump(t, "the snapshot", dump(t, s.reader), inSnapshot(t, path))
}

// Whichever part of an update of the snapshot is on disk after a power loss, the snapshot is readable as of
// before or after.
func TestPowerLossWhileCatchingUp(t *testing.T) {
	path, random := newPath(t), rand.New(rand.NewPCG(3, 4))
	s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	mustAppend(t, s, "S1", heartbeatLog("S1", 5), nil)
	fatal.If(t, s.snapshot())
	before, known := fatal.Read(t, snapshotPath(path)), logsOf(t, s.reader)["S1"]
	for seq := uint64(6); seq < 26; seq++ {
		events, blobs := prompt(seq, strings.Repeat("word ", random.IntN(20_000)))
		mustAppend(t, s, "S1", events, blobs)
		fatal.If(t, s.snapshot())
		after, now := fatal.Read(t, snapshotPath(path)), logsOf(t, s.reader)["S1"]
		for range 10 {
			lost := filepath.Join(t.TempDir(), "lost.db")
			writeFile(t, lost, torn(before, after, random))
			h, err := openFile(lost, true)
			fatal.If(t, err)
			if got := logsOf(t, reader{h})["S1"]; got != known && got != now {
				t.Fatalf("event %d: neither as before nor as after", seq)
			}
			fatal.If(t, h.close())
		}
		before, known = after, now
	}
}
