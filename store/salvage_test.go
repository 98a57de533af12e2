package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session"
)

// kind of damage to a file; each changes the text that it is given.
var damages = []struct {
	name string
	do   func(text []byte, page int, random *rand.Rand) []byte
}{
	{"one bit", func(text []byte, page int, random *rand.Rand) []byte {
		text[page*4096+random.IntN(4096)] ^= 1 << random.IntN(8)
		return text
	}},
	{"a bit of the head", func(text []byte, page int, random *rand.Rand) []byte {
		text[page*4096+random.IntN(32)] ^= 1 << random.IntN(8)
		return text
	}},
	{"zeros", func(text []byte, page int, _ *rand.Rand) []byte {
		clear(text[page*4096 : page*4096+4096])
		return text
	}},
	{"noise", func(text []byte, page int, random *rand.Rand) []byte {
		for i := range 4096 {
			text[page*4096+i] = byte(random.Uint32())
		}
		return text
	}},
	{"another page", func(text []byte, page int, random *rand.Rand) []byte {
		copy(text[page*4096:page*4096+4096], text[random.IntN(len(text)/4096)*4096:])
		return text
	}},
	{"cut", func(text []byte, page int, random *rand.Rand) []byte { return text[:page*4096+random.IntN(4096)] }},
}

// logsOf exports all sessions that verify.
func logsOf(t *testing.T, r reader) map[string]string {
	t.Helper()
	rows, err := r.Sessions()
	fatal.If(t, err)
	logs := map[string]string{}
	for _, row := range rows {
		if _, _, err := r.Verify(row.ID); err != nil {
			continue
		}
		var text bytes.Buffer
		fatal.If(t, r.Export(row.ID, &text))
		logs[row.ID] = text.String()
	}
	return logs
}

// pagesOf lists the pages of a file that contain parts of a session, with the leaf and its element.
func pagesOf(t *testing.T, path string) map[string]map[int]bool {
	t.Helper()
	pages := map[string]map[int]bool{}
	h, err := openFile(path, false) // for bbolt reads the list of free pages only then
	fatal.If(t, err)
	defer h.close()
	rows, err := (reader{h}).Sessions()
	fatal.If(t, err)
	err = h.view(func(tx *bolt.Tx) error {
		for _, row := range rows {
			on := map[int]bool{}
			pages[row.ID] = on
			refs := map[hash]bool{}
			events, err := (reader{h}).Events(row.ID, 1)
			if err != nil {
				return err
			}
			for _, e := range events {
				for _, ref := range session.Refs(e.Payload) {
					refs[hashOf(string(ref))] = true
				}
			}
			for id := 2; ; id++ { // every leaf in use, by bbolt's own account
				info, err := tx.Page(id)
				if err != nil || info == nil {
					break
				}
				if info.Type != "leaf" {
					id += info.OverflowCount
					continue
				}
				buf := make([]byte, (info.OverflowCount+1)*4096)
				if _, err := h.file.ReadAt(buf, int64(id)*4096); err != nil {
					return err
				}
				mine := bytes.Contains(buf, []byte(events[0].Hash))
				for _, e := range events {
					mine = mine || bytes.Contains(buf, []byte(e.Hash))
				}
				for key := range refs {
					mine = mine || bytes.Contains(buf, key[:])
				}
				if mine {
					for n := range info.OverflowCount + 1 {
						on[id+n] = true
					}
				}
				id += info.OverflowCount
			}
		}
		return nil
	})
	fatal.If(t, err)
	return pages
}

// After any damage to one page of a store, or to its end, there is no panic, every session without data on
// a damaged page is recovered to the last byte, and sessions reported as complete are.
func TestSalvageOfDamagedPages(t *testing.T) {
	dir := t.TempDir()
	whole := sampleFile(t)
	path := filepath.Join(dir, "assay.db")
	writeFile(t, path, whole)
	pages := pagesOf(t, path)
	h, err := openFile(path, true)
	fatal.If(t, err)
	logs := logsOf(t, reader{h})
	if err := h.close(); err != nil || len(logs) != 4 {
		t.Fatal(len(logs), err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	rounds, complete, claimed := 0, 0, 0
	for page := range len(whole) / 4096 {
		if !sampled.All && page%4 != 0 {
			continue
		}
		for _, damage := range damages {
			rounds++
			what := fmt.Sprintf("%s on page %d", damage.name, page)
			writeFile(t, path, damage.do(bytes.Clone(whole), page, random))
			to := filepath.Join(dir, fmt.Sprint("salvaged", rounds))
			found, err := Salvage(t.Context(), []string{path}, to, quiet)
			if damage.name == "cut" && err != nil && strings.Contains(err.Error(), "no session was found") {
				if _, there := os.Stat(to); !os.IsNotExist(there) {
					t.Errorf("%s: a store is made of nothing", what)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			s, err := openFile(to, true)
			if err != nil {
				t.Fatalf("%s: what was salvaged: %v", what, err)
			}
			got := logsOf(t, reader{s})
			fatal.If(t, errors.Join(s.close(), os.Remove(to)))
			for _, one := range found.Sessions {
				if one.Whole() {
					claimed++
				}
				if one.Whole() != (got[one.ID] != "") && one.Sure || one.Whole() && got[one.ID] != logs[one.ID] {
					t.Errorf("%s: session %s: %+v, and the store has %d of %d bytes", what, one.ID, one, len(got[one.ID]), len(logs[one.ID]))
				}
			}
			for id, log := range logs {
				if got[id] == log {
					complete++
				} else if damage.name != "cut" && !pages[id][page] {
					t.Errorf("%s: session %s has nothing there, and is not whole", what, id)
				}
			}
		}
	}
	t.Logf("%d damaged files of 4 sessions: %d sessions whole, %d claimed", rounds, complete, claimed)
}

// Without the page that lists the logs, sessions may be missing, and the result says so.
func TestSalvageWithoutTheListOfLogs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "assay.db")
	text := sampleFile(t)
	writeFile(t, path, text)
	h, err := openFile(path, true)
	fatal.If(t, err)
	var root int
	err = h.view(func(tx *bolt.Tx) error { root = int(tx.Bucket(bucketEvents).Root()); return nil })
	if err := errors.Join(err, h.close()); err != nil || root == 0 {
		t.Fatal(root, err)
	}
	clear(text[root*4096 : (root+1)*4096])
	writeFile(t, path, text)
	found, err := Salvage(t.Context(), []string{path}, filepath.Join(dir, "salvaged"), quiet)
	if err != nil || len(found.Sessions) != 4 || !strings.Contains(found.Trouble, "that tell what the last change was are damaged") {
		t.Errorf("%+v, %v", found, err)
	}
}

// The error about a damaged store names the snapshot next to it, which has all sessions, and the store can
// be restored from it.
func TestDamagedStoreOffersItsSnapshot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	text := sampleFile(t)
	writeFile(t, snapshotPath(path), text)
	bad := bytes.Clone(text)
	clear(bad[3*4096 : 4*4096])
	clear(bad[4*4096 : 5*4096])
	copy(bad[4096:], "junk")
	writeFile(t, path, bad)
	_, err := Open(path, quiet)
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "4 of 4 sessions are whole in "+snapshotPath(path)) {
		t.Fatal(err)
	}
	aside, err := Restore(path, snapshotPath(path), quiet)
	fatal.If(t, err)
	if kept, _ := os.ReadFile(aside); !bytes.Equal(kept, bad) {
		t.Error("the damaged store was not kept")
	}
	s := mustOpen(t, path, quiet)
	defer s.Close()
	if len(logsOf(t, s.reader)) != 4 {
		t.Error("not all sessions are there")
	}
}

// A missing store is not created next to a snapshot with sessions, even in a new process.
func TestMissingStoreBesideASnapshot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	writeFile(t, snapshotPath(path), sampleFile(t))
	_, err := Open(path, Options{SnapshotEvery: time.Millisecond})
	if !errors.Is(err, errMissing) || !strings.Contains(err.Error(), "4 of 4 sessions are whole in "+snapshotPath(path)) {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a store was made")
	}
	if _, err := Restore(path, snapshotPath(path), quiet); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path, quiet)
	defer s.Close()
	if len(logsOf(t, s.reader)) != 4 {
		t.Error("not all sessions are there")
	}
}

// A snapshot with data that the store lacks is kept, and so is the last one of each day.
func TestSnapshotsBecomeBackups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	writeFile(t, snapshotPath(path), sampleFile(t))
	writeFile(t, path, nil)
	fatal.If(t, os.Remove(path))
	other := newPath(t)
	s := mustOpen(t, other, quiet)
	fatal.If(t, s.Close())
	empty := fatal.Read(t, other)
	writeFile(t, path, empty) // somebody put another store in its place
	once := func(seq uint64) {
		t.Helper()
		s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
		if seq == 1 {
			mustAppend(t, s, "N", []session.Event{opened("N", 1)}, nil)
		} else {
			mustAppend(t, s, "N", heartbeats(seq, 1), nil)
		}
		fatal.If(t, s.Close())
	}
	backups := func() (sessions []int) {
		for _, c := range Copies(path) {
			if strings.Contains(c.Path, ".backup-") {
				sessions = append(sessions, c.Whole)
			}
		}
		return sessions
	}
	once(1)
	if got := backups(); len(got) != 1 || got[0] != 4 {
		t.Fatalf("backups with %v sessions", got)
	}
	once(2) // on the same day
	if got := backups(); len(got) != 1 {
		t.Fatalf("backups with %v sessions", got)
	}
	for day := range 8 {
		yesterday := time.Now().AddDate(0, 0, day-20)
		fatal.If(t, os.Chtimes(snapshotPath(path), yesterday, yesterday))
		once(uint64(3 + day))
	}
	if got := backups(); len(got) != keepDays {
		t.Errorf("%d backups", len(got))
	}
}

// A withdrawn session is not recovered from any copy.
func TestSalvageLeavesWithdrawnSessionsOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	before := sampleFile(t)
	writeFile(t, path, before)
	s := mustOpen(t, path, quiet)
	if _, err := s.Withdraw("S1"); err != nil {
		t.Fatal(err)
	}
	fatal.If(t, s.Close())
	writeFile(t, path+".old", before) // a copy that nobody knew of
	for _, files := range [][]string{{path, path + ".old"}, {path + ".old", path}} {
		to := filepath.Join(t.TempDir(), "salvaged.db")
		found, err := Salvage(t.Context(), files, to, quiet)
		if err != nil || found.Whole() != 4 {
			t.Fatalf("%+v, %v", found, err)
		}
		h, err := openFile(to, true)
		fatal.If(t, err)
		if n, texts, err := (reader{h}).Verify("S1"); n != 2 || texts != 0 || err != nil {
			t.Errorf("%d events, %d texts, %v", n, texts, err)
		}
		fatal.If(t, h.close())
	}
}

// A key in another letter case, or an additional key, is read in the same way, but differs from the
// recorded bytes.
func TestRewrittenEventIsFoundByVerify(t *testing.T) {
	for was, is := range map[string]string{`"kind"`: `"Kind"`, `{"seq":2,`: `{"seq":7,"seq":2,`, `"try":1`: `"try":1,"more":2`, `"v":1,`: `"v": 1,`} {
		s := mustOpen(t, newPath(t), quiet)
		events, blobs := prompt(2, "text")
		mustAppend(t, s, "S1", append([]session.Event{opened("S1", 1)}, events...), blobs)
		err := s.update(func(tx *bolt.Tx) error {
			log := tx.Bucket(bucketEvents).Bucket([]byte("S1"))
			changed := bytes.Replace(log.Get(seqKey(2)), []byte(was), []byte(is), 1)
			if bytes.Equal(changed, log.Get(seqKey(2))) {
				t.Fatalf("no %s in %s", was, changed)
			}
			return log.Put(seqKey(2), changed)
		})
		fatal.If(t, err)
		if _, _, err := s.Verify("S1"); err == nil || !strings.Contains(err.Error(), "event 2") {
			t.Errorf("%s in place of %s: %v", is, was, err)
		}
	}
}

// A log without its end is detected, and nothing is appended after the gap.
func TestLogWithoutItsEnd(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	mustAppend(t, s, "S1", heartbeatLog("S1", 9), nil)
	mustAppend(t, s, "S2", heartbeatLog("S2", 9), nil)
	err := s.update(func(tx *bolt.Tx) error { return tx.Bucket(bucketEvents).Bucket([]byte("S1")).Delete(seqKey(9)) })
	fatal.If(t, err)
	fatal.If(t, s.Close())
	s = mustOpen(t, s.Path(), quiet)
	defer s.Close()
	if _, _, err := s.Verify("S1"); !errors.Is(err, ErrDamaged) {
		t.Errorf("verify: %v", err)
	}
	if _, err := s.Append(t.Context(), "S1", heartbeats(9, 1), nil); err == nil {
		t.Error("an append after a gap is acknowledged")
	}
	if done, err := s.Rebuild(); err != nil || len(done.Damaged) != 1 {
		t.Errorf("rebuild: %+v, %v", done, err)
	}
	if _, _, err := s.Verify("S1"); !errors.Is(err, ErrDamaged) {
		t.Errorf("verify after a rebuild: %v", err)
	}
	if _, _, err := s.Verify("S2"); err != nil {
		t.Error(err)
	}
}

// An unreadable session is listed as damaged; the others are listed as usual.
func TestOneDamagedSessionLeavesTheOthers(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	defer s.Close()
	for _, id := range []string{"S1", "S2", "S3"} {
		mustAppend(t, s, id, heartbeatLog(id, 3), nil)
	}
	err := s.update(func(tx *bolt.Tx) error {
		return errors.Join(tx.Bucket(bucketEvents).Bucket([]byte("S1")).Put(seqKey(2), []byte("junk")),
			tx.Bucket(bucketSessions).Put([]byte("S1"), []byte("junk")), tx.Bucket(bucketSessions).Put([]byte("S2"), []byte("junk")))
	})
	fatal.If(t, err)
	rows, err := s.Sessions()
	status := map[string]Status{}
	for _, row := range rows {
		status[row.ID] = row.Status
	}
	if err != nil || len(rows) != 3 || status["S1"] != StatusDamaged || status["S2"] != StatusOpen {
		t.Errorf("%v, %v", status, err)
	}
}
