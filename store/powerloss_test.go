package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session"
)

const sector = 512 // what a disk writes wholly or not at all

// torn is a file after a power loss during the change from before to after. Bbolt writes its data pages and
// its root separately, with a flush between: either some sectors of the data are written with the old root,
// or all of the data with one root or the other.
func torn(before, after []byte, random *rand.Rand) []byte {
	page := 4096
	root := func(at int) bool { return at < 2*page }
	file := bytes.Clone(before)
	if random.IntN(2) == 0 || len(file) > len(after) {
		file = file[:min(len(file), len(after))]
	}
	if random.IntN(3) > 0 { // it had grown
		file = append(file, make([]byte, max(0, len(after)-len(file)))...)
	}
	data := random.IntN(3) // of the data: 0 a part, 1 all with the old root, 2 all with the new one
	if data > 0 {
		file = append(file[:min(len(file), len(after))], make([]byte, max(0, len(after)-len(file)))...)
	}
	for at := 0; at+sector <= len(after) && at+sector <= len(file); at += sector {
		if root(at) && data < 2 || !root(at) && data == 0 && random.IntN(2) == 0 {
			continue
		}
		if at < len(before) && bytes.Equal(before[at:at+sector], after[at:at+sector]) {
			continue // nothing was written there
		}
		copy(file[at:at+sector], after[at:at+sector])
	}
	return file
}

// Whichever part of a transaction is on disk after a power loss, the store opens without repair, and has
// every acknowledged append to the last byte.
func TestPowerLossKeepsWhatWasAcknowledged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "assay.db")
	random := rand.New(rand.NewPCG(9, 10))
	s := mustOpen(t, path, quiet)
	file := func() []byte {
		t.Helper()
		text := fatal.Read(t, path)
		return text
	}
	logs := func(r reader) map[string]string { return logsOf(t, r) }
	mustAppend(t, s, "S0", []session.Event{opened("S0", 3)}, nil)
	before, acknowledged := file(), logs(s.reader)
	next := map[string]uint64{"S0": 2}
	rounds := 0
	for step := range sampled.Of(15, 60) {
		id := []string{"S0", "S1", "S2"}[random.IntN(3)]
		if next[id] == 0 {
			mustAppend(t, s, id, []session.Event{opened(id, 3)}, nil)
			next[id] = 2
		} else if step%2 == 0 {
			events, blobs := prompt(next[id], strings.Repeat("word ", random.IntN(20_000)))
			next[id] += uint64(len(mustAppend(t, s, id, events, blobs)))
		} else {
			next[id] += uint64(len(mustAppend(t, s, id, heartbeats(next[id], 1+random.IntN(9)), nil)))
		}
		after, now := file(), logs(s.reader)
		for range 12 {
			rounds++
			lost := filepath.Join(dir, "lost.db")
			writeFile(t, lost, torn(before, after, random))
			h, err := openFile(lost, false)
			if err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
			got := logs(reader{h})
			for id, log := range acknowledged {
				if !strings.HasPrefix(got[id], log) {
					t.Fatalf("step %d: session %s lost what was acknowledged", step, id)
				}
				if got[id] != log && got[id] != now[id] {
					t.Fatalf("step %d: session %s is neither as before nor as after", step, id)
				}
			}
			fatal.If(t, h.close())
		}
		before, acknowledged = after, now
	}
	t.Logf("%d power losses", rounds)
}

// A snapshot replaces the previous one only when its bytes are on disk, so that one of both survives a
// power loss; an unfinished snapshot is ignored.
func TestPowerLossWhileCopying(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	text := sampleFile(t)
	writeFile(t, path, text)
	writeFile(t, snapshotPath(path), text)
	for _, left := range []string{".snapshot.making", ".new-1-1"} {
		writeFile(t, path+left, text[:len(text)/2])
	}
	if list := Copies(path); len(list) != 1 || list[0].Whole != 4 {
		t.Errorf("%v", list)
	}
	s := mustOpen(t, path, Options{})
	mustAppend(t, s, "N", []session.Event{opened("N", 1)}, nil)
	fatal.If(t, s.Close())
	snap, err := OpenSnapshot(path)
	fatal.If(t, err)
	if err := errors.Join(snap.Close()); err != nil || len(logsOf(t, mustOpen(t, path, quiet).reader)) != 5 {
		t.Error(err)
	}
}
