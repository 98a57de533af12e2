package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"assay/session"
)

const (
	maxBatch = 256      // requests in one transaction
	maxBlob  = 64 << 20 // bytes of one text
)

// request is one Append, waiting for the writer.
type request struct {
	id     string
	events []session.Event
	blobs  map[session.Ref][]byte
	alone  func() error // called instead of appending

	sealed []session.Event
	bytes  int // that were recorded
	err    error
	done   chan struct{}
}

// head is the end of a session's log, as known to the writer.
type head struct {
	seq  uint64
	hash string
	row  row
}

// Append continues a session's log. The events carry their Seq, contiguous from the last recorded one; the
// first event of a session is its Opened. Append seals them, records them with the texts they refer to, and
// returns them sealed once they are on disk; after an error none of them is recorded.
//
// The error is errConflict if the events do not continue the log. Appending events that are already
// recorded, byte for byte, succeeds, so an append can be retried after an error. Ctx is ignored once the
// writer has the request, so that the outcome is never in doubt.
func (s *Store) Append(ctx context.Context, sessionID string, events []session.Event, blobs map[session.Ref][]byte) ([]session.Event, error) {
	r := &request{id: sessionID, events: events, blobs: blobs, done: make(chan struct{})}
	if err := r.validate(); err != nil {
		return nil, err
	}
	if err := s.ask(ctx, r); err != nil {
		return nil, fmt.Errorf("cannot record events of session %s: %w", sessionID, err)
	}
	return r.sealed, r.err
}

// ask passes a request to the writer and waits until it is done.
func (s *Store) ask(ctx context.Context, r *request) error {
	s.closing.RLock()
	if s.closed {
		s.closing.RUnlock()
		return errClosed
	}
	var err error
	select {
	case s.requests <- r:
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.closing.RUnlock()
	if err == nil {
		<-r.done
	}
	return err
}

// alone calls fn while no append is in progress.
func (s *Store) alone(fn func() error) error {
	r := &request{alone: fn, done: make(chan struct{})}
	if err := s.ask(context.Background(), r); err != nil {
		return err
	}
	return r.err
}

// validate checks everything that does not need the store.
func (r *request) validate() error {
	if r.id == "" || len(r.id) > 64 {
		return fmt.Errorf("cannot record events of session %q: the id must have 1 to 64 characters", r.id)
	}
	if len(r.events) == 0 {
		return fmt.Errorf("cannot record events of session %s: there are none", r.id)
	}
	for i, e := range r.events {
		if e.Payload == nil {
			return fmt.Errorf("cannot record event %d of session %s: it has no payload", e.Seq, r.id)
		}
		if want := r.events[0].Seq + uint64(i); e.Seq != want || e.Seq == 0 {
			return fmt.Errorf("%w: session %s: event numbered %d where %d was due", errConflict, r.id, e.Seq, want)
		}
		opened, ok := e.Payload.(session.Opened)
		if ok != (e.Seq == 1) || ok && opened.Session != r.id {
			return fmt.Errorf("cannot record event %d of session %s: a log begins with its session's session_opened event, and has only one", e.Seq, r.id)
		}
	}
	for ref, text := range r.blobs {
		if len(text) > maxBlob {
			return fmt.Errorf("cannot keep a text of %d bytes for session %s: the limit is %d", len(text), r.id, maxBlob)
		}
		if session.RefOf(text) != ref {
			return fmt.Errorf("cannot keep a text for session %s: its reference %q is not the hash of its bytes", r.id, ref)
		}
	}
	return nil
}

// write is the writer goroutine: it records all waiting requests in one transaction.
func (s *Store) write() {
	defer close(s.done)
	heads := map[string]head{}
	watch := time.NewTicker(watchEvery)
	defer watch.Stop()
	for {
		var first *request
		select {
		case <-watch.C:
			_ = s.ensure() // the next append reports the error
			continue
		case r, open := <-s.requests:
			if !open {
				return
			}
			first = r
		}
		batch := append(make([]*request, 0, 8), first)
	gather:
		for len(batch) < maxBatch {
			select {
			case r, open := <-s.requests:
				if !open {
					break gather
				}
				batch = append(batch, r)
			default:
				break gather
			}
		}
		if err := s.ensure(); err != nil {
			for _, r := range batch {
				r.err = err
			}
		} else {
			batch = s.apart(batch, heads)
			if len(batch) > 0 {
				s.commit(batch, heads)
			}
		}
		for _, r := range batch {
			close(r.done)
		}
	}
}

// apart runs the requests that need no transaction, and returns the appends.
func (s *Store) apart(batch []*request, heads map[string]head) []*request {
	return slices.DeleteFunc(batch, func(r *request) bool {
		if r.alone == nil {
			return false
		}
		r.err = r.alone()
		clear(heads) // it may have changed anything
		close(r.done)
		return true
	})
}

// commit records a batch and sets the outcome of each request.
func (s *Store) commit(batch []*request, heads map[string]head) {
	fresh := map[string]head{}
	err := s.update(func(tx *bolt.Tx) error {
		recorded := 0
		for _, r := range batch {
			r.sealed, r.bytes, r.err = nil, 0, nil
			if err := s.record(tx, r, heads, fresh); err != nil {
				if errors.Is(err, errStorage) {
					return err
				}
				r.err = err
				continue
			}
			recorded++
		}
		if recorded == 0 {
			return errNothing
		}
		return nil
	})
	if err == nil {
		total := 0
		for _, r := range batch {
			if r.err == nil && s.opts.SnapshotEvery > 0 {
				s.journal.add(r)
			}
			total += r.bytes
		}
		maps.Copy(heads, fresh)
		s.snap.appended(total)
		return
	}
	if errors.Is(err, errNothing) {
		return
	}
	// After a failed commit read the heads again: a failed flush of the last page may have left the
	// transaction in place.
	clear(heads)
	if len(batch) > 1 {
		for _, r := range batch {
			s.commit([]*request{r}, heads)
		}
		return
	}
	batch[0].sealed, batch[0].err = nil, s.notSaved(batch[0], err)
}

var (
	errNothing = errors.New("nothing to record")
	errStorage = errors.New("the store could not be written")
)

func (s *Store) notSaved(r *request, err error) error {
	last := r.events[len(r.events)-1].Seq
	if outOfSpace(err) {
		return fmt.Errorf("%w: events %d to %d of session %s are not recorded (%w); free some space on the disk of %s and try again: all earlier events are saved",
			errFull, r.events[0].Seq, last, r.id, err, s.path)
	}
	return fmt.Errorf("events %d to %d of session %s are not recorded in %s: %w", r.events[0].Seq, last, r.id, s.path, err)
}

// record puts one request into the transaction. It rejects a request before its first write; an error of a
// write is errStorage and aborts the transaction. fresh holds the heads that this transaction has moved.
func (s *Store) record(tx *bolt.Tx, r *request, heads, fresh map[string]head) error {
	h, known := fresh[r.id]
	if !known {
		h, known = heads[r.id]
	}
	events := tx.Bucket(bucketEvents)
	if !known {
		var err error
		if h, err = loadHead(tx, r.id); err != nil {
			return err
		}
	}
	if first := r.events[0].Seq; first != h.seq+1 {
		if first <= h.seq {
			return repeated(events.Bucket([]byte(r.id)), r)
		}
		return fmt.Errorf("%w: session %s: the next event is %d, not %d", errConflict, r.id, h.seq+1, first)
	}
	texts := make([][]byte, len(r.events))
	sealed := make([]session.Event, len(r.events))
	for i, e := range r.events {
		next, text, err := seal(e, h.hash)
		if err != nil {
			return fmt.Errorf("cannot record event %d of session %s: %w", e.Seq, r.id, err)
		}
		sealed[i], texts[i], h.seq, h.hash = next, text, next.Seq, next.Hash
		h.row.apply(next)
	}
	if err := put(tx, r, texts, h.row); err != nil {
		return fmt.Errorf("%w: %w", errStorage, err)
	}
	for _, text := range texts {
		r.bytes += len(text)
	}
	for _, text := range r.blobs {
		r.bytes += len(text)
	}
	r.sealed, fresh[r.id] = sealed, h
	return nil
}

// seal returns an event chained to the previous one, and its stored form.
func seal(e session.Event, prev string) (session.Event, []byte, error) {
	sealed, err := e.Seal(prev)
	if err != nil {
		return session.Event{}, nil, err
	}
	text, err := sealed.MarshalJSON()
	return sealed, text, err
}

// put writes a request's events, texts and summary.
func put(tx *bolt.Tx, r *request, texts [][]byte, summary row) error {
	log, err := tx.Bucket(bucketEvents).CreateBucketIfNotExists([]byte(r.id))
	if err != nil {
		return err
	}
	log.FillPercent = 0.9 // keys only grow: half-empty pages would stay half empty
	for i, text := range texts {
		if err := log.Put(seqKey(r.events[i].Seq), text); err != nil {
			return err
		}
	}
	var shared []session.Ref
	if first, ok := r.events[0].Payload.(session.Opened); ok {
		shared = session.Refs(first)
	}
	for ref, text := range r.blobs {
		if _, err := putText(tx, []byte(r.id), blobKey(text), append([]byte{rawText}, text...), slices.Contains(shared, ref)); err != nil {
			return err
		}
	}
	text, err := summary.encode()
	if err != nil {
		return err
	}
	return tx.Bucket(bucketSessions).Put([]byte(r.id), text)
}

// repeated acknowledges a request whose events are all recorded.
func repeated(log *bolt.Bucket, r *request) error {
	sealed := make([]session.Event, len(r.events))
	for i, e := range r.events {
		text := log.Get(seqKey(e.Seq))
		conflict := fmt.Errorf("%w: session %s already has another event %d", errConflict, r.id, e.Seq)
		if text == nil {
			return conflict
		}
		if err := json.Unmarshal(text, &sealed[i]); err != nil {
			return fmt.Errorf("%w (%w)", conflict, err)
		}
		if _, mine, err := seal(e, sealed[i].Prev); err != nil || !bytes.Equal(mine, text) {
			return conflict
		}
	}
	r.sealed = sealed
	return nil
}

// loadHead reads the end of a session's log; the zero head if there is none.
func loadHead(tx *bolt.Tx, id string) (head, error) {
	log := tx.Bucket(bucketEvents).Bucket([]byte(id))
	if log == nil {
		return head{}, nil
	}
	_, text := log.Cursor().Last()
	if text == nil {
		return head{}, nil
	}
	var last session.Event
	if err := json.Unmarshal(text, &last); err != nil {
		return head{}, fmt.Errorf("cannot continue session %s: its last event cannot be read: %w", id, err)
	}
	r, err := decodeRow(tx.Bucket(bucketSessions).Get([]byte(id)))
	if err == nil && r.LastSeq > last.Seq {
		return head{}, fmt.Errorf("cannot continue session %s: it has %d of %d events, and the others are lost; 'assay session salvage' searches for them", id, last.Seq, r.LastSeq)
	}
	if err != nil || r.LastSeq != last.Seq {
		// The index is derived data: repair it from the log.
		if r, err = foldLog(log); err != nil {
			return head{}, fmt.Errorf("cannot continue session %s: %w", id, err)
		}
	}
	return head{seq: last.Seq, hash: last.Hash, row: r}, nil
}

// seqKey is big-endian, so that keys sort numerically.
func seqKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

func bigEndian(key []byte) uint64 { return binary.BigEndian.Uint64(key) }
