package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session"
)

// sampleFile is a store with several sessions, long texts and free pages.
func sampleFile(t testing.TB) []byte {
	t.Helper()
	path := newPath(t)
	s, err := Open(path, quiet)
	fatal.If(t, err)
	for i := range 4 {
		id := fmt.Sprint("S", i)
		mustAppend(t, s, id, []session.Event{opened(id, 3)}, nil)
		for seq := uint64(2); seq < 12; seq++ {
			events, blobs := prompt(seq, strings.Repeat(fmt.Sprint(id, seq), 200*i+1))
			mustAppend(t, s, id, events, blobs)
		}
		mustAppend(t, s, id, heartbeats(12, 60*i+1), nil)
	}
	fatal.If(t, s.Close())
	text := fatal.Read(t, path)
	return text
}

// exercise opens a possibly damaged file and uses it in every way. It returns
// the first error; a panic or a fault fails the test by ending it.
func exercise(path string) error {
	s, err := Open(path, quiet)
	if err != nil {
		return err
	}
	defer s.Close()
	rows, err := s.Sessions()
	if err != nil {
		return err
	}
	for _, row := range rows {
		if _, _, err := s.Verify(row.ID); err != nil {
			return err
		}
	}
	if _, err := s.Append(context.Background(), "NEW", []session.Event{opened("NEW", 1)}, map[session.Ref][]byte{session.RefOf([]byte("x")): []byte("x")}); err != nil {
		return err
	}
	_, err = s.Rebuild()
	return err
}

func writeFile(t testing.TB, path string, text []byte) {
	t.Helper()
	fatal.If(t, os.WriteFile(path, text, 0o600))
}

func TestTruncatedFilesAreRefused(t *testing.T) {
	whole := sampleFile(t)
	path := filepath.Join(t.TempDir(), "assay.db")
	meta, ok := readMeta(bytes.NewReader(whole), int64(len(whole)))
	if !ok {
		t.Fatal("the sample has no meta page")
	}
	used := int(meta.high) * int(meta.pageSize)
	random := rand.New(rand.NewPCG(1, 2))
	var cuts []int
	for at := 0; at <= len(whole); at += 4096 {
		cuts = append(cuts, at)
	}
	for range 100 {
		cuts = append(cuts, random.IntN(len(whole)))
	}
	for _, cut := range cuts {
		writeFile(t, path, whole[:cut])
		err := exercise(path)
		switch {
		case cut < used && !errors.Is(err, ErrDamaged):
			t.Errorf("cut at %d of %d: %v", cut, used, err)
		case cut >= used && err != nil:
			t.Errorf("cut at %d, in the unused end after %d: %v", cut, used, err)
		}
	}
}

func TestForeignFilesAreRefused(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 64<<10)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	db, err := bolt.Open(foreign, 0o600, nil)
	fatal.If(t, err)
	fatal.If(t, db.Close())
	bbolt := fatal.Read(t, foreign)
	cases := map[string][]byte{
		"zero length": {}, "one byte": {7}, "random": noise, "zeros": make([]byte, 32<<10),
		"text": []byte(strings.Repeat("not a store\n", 5000)), "a foreign bbolt file": bbolt,
	}
	for name, text := range cases {
		path := filepath.Join(t.TempDir(), "assay.db")
		writeFile(t, path, text)
		_, err := Open(path, quiet)
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "backup") {
			t.Errorf("%s: %v", name, err)
		}
		if kept, _ := os.ReadFile(path); !bytes.Equal(kept, text) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	if _, err := Open(t.TempDir(), quiet); err == nil {
		t.Error("a directory was opened as a store")
	}
}

// TestDamagedPagesNeverCrash overwrites pages and single bytes. The outcome may be an error or, if the
// damaged bytes are unused, a working store.
func TestDamagedPagesNeverCrash(t *testing.T) {
	whole := sampleFile(t)
	path := filepath.Join(t.TempDir(), "assay.db")
	random := rand.New(rand.NewPCG(5, 6))
	rounds := sampled.Of(150, 600)
	refused := 0
	for round := range rounds {
		text := bytes.Clone(whole)
		page := random.IntN(len(text) / 4096)
		switch at := page * 4096; round % 4 {
		case 0: // a page of noise
			for i := at; i < at+4096; i++ {
				text[i] = byte(random.Uint32())
			}
		case 1: // a lost page
			clear(text[at : at+4096])
		case 2: // another page in its place
			copy(text[at:at+4096], text[random.IntN(len(text)/4096)*4096:])
		default: // one byte of its head and tables
			text[at+random.IntN(256)] ^= byte(1 + random.IntN(255))
		}
		writeFile(t, path, text)
		if exercise(path) != nil {
			refused++
		}
	}
	t.Logf("%d of %d damaged files refused or reported", refused, rounds)
	if refused == 0 {
		t.Error("no damage was noticed at all")
	}
}

// A duplicate key on a page is damage: one of the two would never be found.
func TestKeyTwiceOnAPage(t *testing.T) {
	text := sampleFile(t)
	third := append(seqKey(3), '{')
	if bytes.Count(text, third) == 0 {
		t.Fatal("no event is numbered 3")
	}
	path := filepath.Join(t.TempDir(), "assay.db")
	writeFile(t, path, bytes.ReplaceAll(text, third, append(seqKey(2), '{')))
	if s, err := Open(path, quiet); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("%v, %v", s, err)
	}
}

func TestFileCutWhileOpenGivesAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	writeFile(t, path, sampleFile(t))
	s, err := Open(path, quiet)
	fatal.If(t, err)
	defer s.Close()
	fatal.If(t, os.Truncate(path, 8192))
	if _, err := s.Events("S3", 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("reading: %v", err)
	}
	if _, err := s.Append(context.Background(), "S9", []session.Event{opened("S9", 1)}, nil); err == nil {
		t.Error("an append to a file cut short was acknowledged")
	}
}

func TestAlteredEventIsFoundByVerify(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	events, blobs := prompt(2, "text")
	mustAppend(t, s, "S1", append([]session.Event{opened("S1", 1)}, events...), blobs)
	alter := func(fn func(tx *bolt.Tx) error) {
		fatal.If(t, s.update(fn))
	}
	alter(func(tx *bolt.Tx) error {
		log := tx.Bucket(bucketEvents).Bucket([]byte("S1"))
		return log.Put(seqKey(2), bytes.Replace(log.Get(seqKey(2)), []byte(`"try":1`), []byte(`"try":2`), 1))
	})
	if _, _, err := s.Verify("S1"); err == nil || !strings.Contains(err.Error(), "event 2") {
		t.Errorf("an altered event: %v", err)
	}
	alter(func(tx *bolt.Tx) error { return tx.Bucket(bucketEvents).Bucket([]byte("S1")).Delete(seqKey(1)) })
	if _, err := s.Events("S1", 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("a missing event: %v", err)
	}
}

func TestMissingAndAlteredTextsAreFoundByVerify(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	events, blobs := prompt(2, "text")
	mustAppend(t, s, "S1", append([]session.Event{opened("S1", 1)}, events...), blobs)
	events, _ = prompt(2, "never kept")
	mustAppend(t, s, "S2", append([]session.Event{opened("S2", 1)}, events...), nil)
	if _, _, err := s.Verify("S2"); !errors.Is(err, errNoBlob) {
		t.Errorf("a missing text: %v", err)
	}
	err := s.update(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketBlobs).Put(blobKey([]byte("text")), []byte("\x00tex!"))
	})
	fatal.If(t, err)
	if _, _, err := s.Verify("S1"); !errors.Is(err, ErrDamaged) {
		t.Errorf("an altered text: %v", err)
	}
}

func TestRebuildMendsIndexes(t *testing.T) {
	s := mustOpen(t, newPath(t), quiet)
	for _, id := range []string{"S1", "S2", "S3"} {
		mustAppend(t, s, id, append([]session.Event{opened(id, 1)}, heartbeats(2, 3)...), nil)
	}
	before := dump(t, s.reader)
	err := s.update(func(tx *bolt.Tx) error {
		rows := tx.Bucket(bucketSessions)
		return errors.Join(rows.Delete([]byte("S1")), rows.Put([]byte("S2"), []byte("{}")), rows.Put([]byte("S9"), []byte("{}")))
	})
	fatal.If(t, err)
	done, err := s.Rebuild()
	if err != nil || fmt.Sprint(done) != "{3 12 [S1 S2 S9] []}" {
		t.Errorf("rebuilt %v, %v", done, err)
	}
	sameDump(t, "mended", before, dump(t, s.reader))
}
