package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	bolt "go.etcd.io/bbolt"

	"assay/data/fatal"
	"assay/session"
)

// BenchmarkWritten shows how many bytes are written for each byte that is acknowledged, by stores of several
// sizes: what the store's transactions write, and that with its copies.
func BenchmarkWritten(b *testing.B) {
	for _, size := range []int{1, 10, 85, 300} {
		path := newPath(b)
		s := mustOpen(b, path, quiet)
		random := rand.New(rand.NewPCG(1, uint64(size)))
		for n := 0; n < size<<20; {
			n += addSession(b, s, fmt.Sprint("F", n), random, 400, 0, 4000)
		}
		fatal.If(b, s.Close())
		for _, work := range []struct {
			name                    string
			prompts, drafts, length int // of a session
			again                   bool
		}{
			{"imports of sessions with texts of 2 KB", 60, 0, 2000, true},
			{"imports of sessions with texts of 20 KB", 60, 0, 20000, true},
			{"prompts of 20 KB", 1, 0, 20000, false},
			{"typing", 1, 120, 300, false},
		} {
			b.Run(fmt.Sprintf("%d MB/%s", size, work.name), func(b *testing.B) {
				every := Options{SnapshotEvery: 5 * time.Second}
				s := mustOpen(b, path, every)
				fatal.If(b, s.snapshot())
				all, own, acknowledged, n := -written(b), 0, 0, 0
				for b.Loop() {
					began := written(b)
					acknowledged += addSession(b, s, fmt.Sprint(work.name, b.N, "-", n), random, work.prompts, work.drafts, work.length)
					own += written(b) - began
					if n++; work.again {
						fatal.If(b, s.Close())
						s = mustOpen(b, path, every)
					}
				}
				fatal.If(b, s.snapshot())
				all += written(b)
				b.ReportMetric(float64(acknowledged)/float64(n), "acknowledged")
				b.ReportMetric(float64(own)/float64(acknowledged), "own/byte")
				b.ReportMetric(float64(all)/float64(acknowledged), "written/byte")
				fatal.If(b, s.Close())
			})
		}
	}
}

// A session is written to pages of its own, however many others there are: with its copy at most three bytes for each
// that is acknowledged, five where two texts just do not fit into a page, and twenty pages for the session.
func TestImportsWriteTheirOwnPages(t *testing.T) {
	for _, size := range []int{1 << 20, 16 << 20} {
		for length, most := range map[int]int{700: 3, 2000: 5, 5000: 3, 20_000: 3} {
			path, random := newPath(t), rand.New(rand.NewPCG(uint64(size), uint64(length)))
			s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
			for n := 0; n < size; {
				n += addSession(t, s, fmt.Sprint("F", n), random, 400, 0, 2000)
			}
			fatal.If(t, s.snapshot())
			began, acknowledged := written(t), 0
			for n := range 5 {
				acknowledged += addSession(t, s, fmt.Sprint("N", n), random, 60, 0, length)
				fatal.If(t, s.Close())
				s = mustOpen(t, path, Options{SnapshotEvery: time.Hour})
			}
			if all := written(t) - began; all > most*acknowledged+5*20*os.Getpagesize() {
				t.Errorf("%d bytes are written for %d of sessions with texts of %d bytes, beside %d", all, acknowledged, length, size)
			}
			sameDump(t, "the snapshot", dump(t, s.reader), inSnapshot(t, path))
		}
	}
}

// What is appended is written about once, with up to sixteen pages for each transaction (one that splits a page), and a
// copy writes at most three bytes for each that is new, as soon as there are enough for a copy: whatever is appended, to
// a store of whatever size.
func TestWrittenForEachByte(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, size := range []int{0, 4 << 20} {
		s := mustOpen(t, newPath(t), Options{SnapshotEvery: time.Hour})
		for n := 0; n < size; {
			n += addSession(t, s, fmt.Sprint("F", n), random, 400, 0, 2000)
		}
		mustAppend(t, s, "S", []session.Event{opened("S", 20)}, nil)
		fatal.If(t, s.snapshot())
		for next := uint64(2); next < 1000; {
			kind := random.IntN(3)
			for s.snap.fresh.Load() < worthCopying {
				e := stamped(next, session.DraftSaved{Attempt: 1, Splice: session.Splice{At: int(next), Insert: strings.Repeat("k", 1+random.IntN(9))}})
				events, blobs := []session.Event{e}, map[session.Ref][]byte(nil)
				if kind == 2 || kind == 1 && random.IntN(10) == 0 {
					events, blobs = prompt(next, strings.Repeat(fmt.Sprint(random.Uint64(), " "), 1+random.IntN(1+random.IntN(2000))))
				}
				began, had := written(t), s.snap.fresh.Load()
				mustAppend(t, s, "S", events, blobs)
				next++
				if all, most := written(t)-began, 2*int(s.snap.fresh.Load()-had)+16*os.Getpagesize(); all > most {
					t.Errorf("an append of %d bytes writes %d, at most %d are due", s.snap.fresh.Load()-had, all, most)
				}
			}
			began, fresh := written(t), int(s.snap.fresh.Load())
			fatal.If(t, s.snapshot())
			if all := written(t) - began; all > 3*fresh {
				t.Errorf("a copy writes %d bytes for %d that are new", all, fresh)
			}
		}
	}
}

// A copy waits for the least time, then until there is enough for it, but not for ever.
func TestCopiesWaitForEnough(t *testing.T) {
	for name, test := range map[string]struct {
		bytes int // appended each second
		want  time.Duration
	}{
		"a lot": {1 << 20, 5 * time.Second}, "typing": {worthCopying / 8, 8 * time.Second}, "heartbeats": {20, 30 * time.Second}, "nothing more": {0, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := snapshotter{mark: make(chan struct{}, 1), end: make(chan struct{})}
				ticks := time.NewTicker(time.Second)
				go func() {
					for test.bytes > 0 {
						select {
						case <-ticks.C:
							n.appended(test.bytes)
						case <-t.Context().Done():
							return
						}
					}
				}()
				began := time.Now()
				if !n.wait(5*time.Second, 30*time.Second) || time.Since(began) != test.want {
					t.Errorf("it waits %v, not %v", time.Since(began), test.want)
				}
			})
		})
	}
}

// A store of format 3 has all texts in one bucket, where they are found, kept and withdrawn.
func TestTextsOfEarlierFormats(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	earlier, later := strings.Repeat("earlier ", longText), strings.Repeat("later ", longText)
	for _, id := range []string{"S1", "S2"} {
		events, blobs := prompt(2, earlier)
		mustAppend(t, s, id, append([]session.Event{opened(id, 1)}, events...), blobs)
	}
	fatal.If(t, s.update(func(tx *bolt.Tx) error {
		key := blobKey([]byte(earlier))
		return errors.Join(tx.DeleteBucket(bucketTexts), tx.Bucket(bucketMeta).Put(keyFormat, []byte("3")),
			tx.Bucket(bucketBlobs).Put(key, append([]byte{rawText}, earlier...)))
	}))
	fatal.If(t, s.Close())
	s = mustOpen(t, path, Options{SnapshotEvery: time.Hour})
	if text, err := s.Blob(session.RefOf([]byte(earlier))); string(text) != earlier || err != nil {
		t.Errorf("the text of %d bytes has %d: %v", len(earlier), len(text), err)
	}
	for i, text := range []string{earlier, later} {
		events, blobs := prompt(uint64(3+i), text)
		mustAppend(t, s, "S1", events, blobs)
	}
	fatal.If(t, s.snapshot())
	sameDump(t, "the snapshot", dump(t, s.reader), inSnapshot(t, path))
	for i, id := range []string{"S1", "S2"} {
		_, err := s.Withdraw(id)
		fatal.If(t, err)
		for text, kept := range map[string]bool{earlier: i == 0, later: false} {
			if _, err := s.Blob(session.RefOf([]byte(text))); (err == nil) != kept {
				t.Errorf("after the withdrawal of %s: %v", id, err)
			}
		}
	}
}

// A text that another session refers to, without having it itself, outlives its session.
func TestWithdrawalKeepsWhatOthersReferTo(t *testing.T) {
	for _, length := range []int{10, 2 * longText} {
		s := mustOpen(t, newPath(t), quiet)
		events, blobs := prompt(2, strings.Repeat("x", length))
		mustAppend(t, s, "S1", append([]session.Event{opened("S1", 1)}, events...), blobs)
		mustAppend(t, s, "S2", append([]session.Event{opened("S2", 1)}, events...), nil)
		for i, id := range []string{"S1", "S2"} {
			_, err := s.Withdraw(id)
			fatal.If(t, err)
			if _, err := s.Blob(session.RefOf([]byte(strings.Repeat("x", length)))); (err == nil) != (i == 0) {
				t.Errorf("%d bytes after the withdrawal of %s: %v", length, id, err)
			}
		}
	}
}

// addSession appends a session and returns the bytes of its events and texts.
func addSession(b testing.TB, s *Store, id string, random *rand.Rand, prompts, drafts, length int) (bytes int) {
	next := uint64(1)
	events, blobs := []session.Event{opened(id, 20)}, map[session.Ref][]byte{}
	for range prompts {
		next++
		text := make([]byte, length)
		for i := range text {
			text[i] = 'a' + byte(random.IntN(26))
		}
		e, refs := prompt(next, string(text))
		events = append(events, e...)
		for ref, text := range refs {
			blobs[ref] = text
			bytes += len(text)
		}
		next = events[len(events)-1].Seq
	}
	count := func(events []session.Event, blobs map[session.Ref][]byte) {
		sealed, err := s.Append(b.Context(), id, events, blobs)
		fatal.If(b, err)
		for _, e := range sealed {
			text, err := e.MarshalJSON()
			fatal.If(b, err)
			bytes += len(text)
		}
	}
	count(events, blobs)
	for range drafts {
		next++
		count([]session.Event{{Seq: next, Payload: session.DraftSaved{Attempt: 1, Splice: session.Splice{At: int(next), Insert: "abc"}}}}, nil)
	}
	return bytes
}
