package store

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"

	"assay/session"
)

// A snapshot is a store of its own, to which the events and texts that are new are added in a transaction:
// what is written grows with the appends, not with the store. Everything is verified on its way. A whole
// copy is made only if the snapshot is not an earlier state of the store, or has to stay as it is.

const (
	catchUpBytes = 8 << 20 // what one transaction adds, about: bbolt keeps it in memory
	patience     = time.Second
)

var errNotEarlier = errors.New("the snapshot is not an earlier state of the store")

// catchUp adds to the snapshot what the store has and it lacks. After an error the snapshot is as before,
// or as at some moment since.
func (s *Store) catchUp() error {
	path := snapshotPath(s.path)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if hardLinks(info) > 1 || !today(info.ModTime()) { // it is a backup, or becomes one
		return errNotEarlier
	}
	h, err := openPatiently(path, false)
	if err != nil {
		return err
	}
	for copied := catchUpBytes; copied >= catchUpBytes && err == nil; {
		err = s.view(func(from *bolt.Tx) error {
			return h.update(func(to *bolt.Tx) (err error) {
				if copied, err = copyNew(from, to); err == nil && copied == 0 {
					err = errNothing
				}
				return err
			})
		})
	}
	if errors.Is(err, errNothing) {
		err = nil
	}
	return errors.Join(err, h.close())
}

// copyNew adds what is new in one store to an earlier state of it, at most one session beyond catchUpBytes,
// and returns the number of bytes.
func copyNew(from, to *bolt.Tx) (copied int, err error) {
	for _, key := range [][]byte{keyFormat, keyCreated} {
		if !bytes.Equal(from.Bucket(bucketMeta).Get(key), to.Bucket(bucketMeta).Get(key)) {
			return 0, errNotEarlier
		}
	}
	logs, earlier := from.Bucket(bucketEvents), to.Bucket(bucketEvents)
	err = earlier.ForEachBucket(func(id []byte) error {
		log := logs.Bucket(id)
		if key, text := earlier.Bucket(id).Cursor().Last(); log == nil || !bytes.Equal(log.Get(key), text) {
			return errNotEarlier
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = logs.ForEachBucket(func(id []byte) error {
		if copied >= catchUpBytes {
			return nil
		}
		n, err := copyLog(from, to, id)
		copied += n
		return err
	})
	for _, name := range [][]byte{bucketSessions, bucketMeta} {
		if err != nil || copied >= catchUpBytes {
			break
		}
		err = from.Bucket(name).ForEach(func(key, value []byte) error {
			n, err := copyValue(to.Bucket(name), key, value)
			copied += n
			return err
		})
	}
	return copied, err
}

// copyLog adds a session's new events, their texts and its row.
func copyLog(from, to *bolt.Tx, id []byte) (copied int, err error) {
	log := from.Bucket(bucketEvents).Bucket(id)
	last, _ := log.Cursor().Last()
	earlier, err := to.Bucket(bucketEvents).CreateBucketIfNotExists(id)
	if err != nil {
		return 0, err
	}
	earlier.FillPercent = 0.9
	key, text := earlier.Cursor().Last()
	if bytes.Equal(key, last) {
		return 0, nil
	}
	var before session.Event
	if text != nil {
		if before, err = session.DecodeSealed(text); err != nil {
			return 0, err
		}
	}
	cursor := log.Cursor()
	for key, text = cursor.Seek(seqKey(before.Seq + 1)); key != nil; key, text = cursor.Next() {
		e, err := session.DecodeSealed(text)
		if err != nil || e.Prev != before.Hash || e.Seq != before.Seq+1 || !bytes.Equal(key, seqKey(e.Seq)) {
			return copied, fmt.Errorf("event %d of session %s does not follow the one before (%w)", e.Seq, id, errors.Join(err, errNotEarlier))
		}
		n, err := copyValue(earlier, key, text)
		copied += n
		for _, ref := range session.Refs(e.Payload) {
			if err == nil {
				n, err = copyText(from, to, id, ref)
				copied += n
			}
		}
		if err != nil {
			return copied, err
		}
		before = e
	}
	n, err := copyValue(to.Bucket(bucketSessions), id, from.Bucket(bucketSessions).Get(id))
	return copied + n, err
}

// copyText adds a text, unless the store has lost it.
func copyText(from, to *bolt.Tx, id []byte, ref session.Ref) (int, error) {
	key, err := hex.DecodeString(string(ref))
	text := textFor(from, id, key)
	if err != nil || text == nil || textFor(to, id, key) != nil {
		return 0, nil
	}
	if text[0] != rawText || session.RefOf(text[1:]) != ref {
		return 0, fmt.Errorf("the text %s was altered", ref)
	}
	return putText(to, id, key, text, getText(textsOf(from, id), key) == nil)
}

// copyValue sets a key to a value, which has to stay in memory until the transaction ends.
func copyValue(to *bolt.Bucket, key, value []byte) (int, error) {
	if value == nil || bytes.Equal(to.Get(key), value) {
		return 0, nil
	}
	return len(key) + len(value), to.Put(key, value)
}

// openPatiently opens a copy, which its readers and its writer hold for a moment.
func openPatiently(path string, readOnly bool) (*handle, error) {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		h, err := openFile(path, readOnly)
		if !errors.Is(err, ErrInUse) || time.Now().After(end) {
			return h, err
		}
	}
}

func today(t time.Time) bool {
	return t.Local().Format(time.DateOnly) == time.Now().Local().Format(time.DateOnly)
}
