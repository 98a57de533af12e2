package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/session"
)

// dump is everything the file holds, for comparing stores byte by byte.
func dump(t fatal.Test, r reader) map[string]string {
	all := map[string]string{}
	var walk func(prefix string, b *bolt.Bucket) error
	walk = func(prefix string, b *bolt.Bucket) error {
		return b.ForEach(func(k, v []byte) error {
			if v == nil {
				return walk(prefix+string(k)+"/", b.Bucket(k))
			}
			all[prefix+string(k)] = string(v)
			return nil
		})
	}
	err := r.view(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error { return walk(string(name)+"/", b) })
	})
	fatal.If(t, err)
	return all
}

func sameDump(t interface{ Fatalf(string, ...any) }, what string, a, b map[string]string) {
	for k, v := range a {
		if b[k] != v {
			t.Fatalf("%s: %q was %q, is %q", what, k, v, b[k])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("%s: %d entries, now %d", what, len(a), len(b))
	}
}

// TestStoreIsItsAppends checks properties: after appends in any order, the store contains them; closing and
// reopening, and rebuilding the indexes, do not change a byte.
func TestStoreIsItsAppends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "assay-store-")
		fatal.If(t, err)
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "assay.db")
		s, err := Open(path, quiet)
		fatal.If(t, err)
		defer func() { s.Close() }()
		model := map[string][]session.Event{}
		holds := func(t *rapid.T) {
			before := dump(t, s.reader)
			done, err := s.Rebuild()
			if err != nil || len(done.Changed) > 0 {
				t.Fatalf("rebuild: %+v, %v", done, err)
			}
			sameDump(t, "rebuilt", before, dump(t, s.reader))
			for id, want := range model {
				got, err := s.Events(id, 1)
				if err != nil || len(got) != len(want) || got[len(got)-1].Hash != want[len(want)-1].Hash {
					t.Fatalf("session %s: %d events of %d, %v", id, len(got), len(want), err)
				}
				if _, _, err := s.Verify(id); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				id := rapid.SampledFrom([]string{"S1", "S2", "S3"}).Draw(t, "id")
				events, blobs := drawEvents(t, id, uint64(len(model[id])))
				sealed, err := s.Append(context.Background(), id, events, blobs)
				fatal.If(t, err)
				model[id] = append(model[id], sealed...)
			},
			"conflict": func(t *rapid.T) {
				id := rapid.SampledFrom([]string{"S1", "S2", "S3"}).Draw(t, "id")
				skip := rapid.Uint64Range(2, 9).Draw(t, "skip")
				if _, err := s.Append(context.Background(), id, heartbeats(uint64(len(model[id]))+skip, 1), nil); !errors.Is(err, errConflict) {
					t.Fatalf("a gap of %d: %v", skip, err)
				}
			},
			"reopen": func(t *rapid.T) {
				before := dump(t, s.reader)
				fatal.If(t, s.Close())
				if s, err = Open(path, quiet); err != nil {
					t.Fatal(err)
				}
				sameDump(t, "reopened", before, dump(t, s.reader))
			},
			"rebuild": holds,
		})
		holds(t)
	})
}

// drawEvents draws what may follow n events of a session's log.
func drawEvents(t *rapid.T, id string, n uint64) ([]session.Event, map[session.Ref][]byte) {
	var events []session.Event
	blobs := map[session.Ref][]byte{}
	if n == 0 {
		events = append(events, opened(id, rapid.IntRange(0, 4).Draw(t, "tasks")))
	}
	for range rapid.IntRange(1, 5).Draw(t, "events") {
		index := rapid.IntRange(0, 5).Draw(t, "index")
		text := bytes.Repeat([]byte{'a' + byte(index)}, rapid.SampledFrom([]int{0, 1, 300, 5000, 20000}).Draw(t, "length"))
		p := rapid.SampledFrom([]session.Payload{
			session.TaskOpened{Index: index, Task: "t"}, session.TaskClosed{Index: index, Outcome: session.Satisfied},
			session.TaskClosed{Index: index, Outcome: session.GaveUp}, session.TaskSkipped{Index: index}, session.Paused{}, session.Resumed{},
			session.AnswerReceived{Attempt: 1, Answer: session.RefOf(text)}, session.Noted{Text: "<&>\u2028\xff"}, session.Closed{Reason: "finished"},
		}).Draw(t, "payload")
		if _, ok := p.(session.AnswerReceived); ok {
			blobs[session.RefOf(text)] = text
		}
		e := stamped(n+uint64(len(events))+1, p)
		e.Mono, e.Process = rapid.Int64Range(0, 1e6).Draw(t, "mono"), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "process")
		events = append(events, e)
	}
	return events, blobs
}
