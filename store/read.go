package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	bolt "go.etcd.io/bbolt"

	"assay/session"
)

// rawText is the first byte of a blob that is kept as it is.
const rawText = 0

// reader is what a store and a snapshot have in common. Each call takes its
// own short transaction: one held open would let the file grow without bound.
type reader struct{ *handle }

// Events returns a session's events from number fromSeq on (0 and 1 both mean
// all). The error is ErrNoSession for an unknown session, ErrDamaged for a log
// with gaps; the hash chain is checked by Verify alone.
func (r reader) Events(sessionID string, fromSeq uint64) ([]session.Event, error) {
	var texts [][]byte
	fromSeq = max(fromSeq, 1)
	err := r.eachEvent(sessionID, fromSeq, func(text []byte) error {
		texts = append(texts, bytes.Clone(text))
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Decoding takes longer than reading: it happens outside the transaction.
	events := make([]session.Event, len(texts))
	for i, text := range texts {
		seq := fromSeq + uint64(i)
		if err := events[i].UnmarshalJSON(text); err != nil { // json.Unmarshal would only read the text once more
			if errors.Is(err, session.ErrUnknownKind) {
				return nil, fmt.Errorf("cannot read session %s: %w", sessionID, err)
			}
			return nil, damaged(r.path, fmt.Sprintf("holds an event %d of session %s that cannot be read (%v)", seq, sessionID, err))
		}
		if events[i].Seq != seq {
			return nil, damaged(r.path, fmt.Sprintf("holds event %d of session %s where %d belongs", events[i].Seq, sessionID, seq))
		}
	}
	return events, nil
}

// eachEvent calls fn with the stored form of each event. The bytes are valid
// during the call only.
func (r reader) eachEvent(sessionID string, fromSeq uint64, fn func(text []byte) error) error {
	return r.view(func(tx *bolt.Tx) error {
		log := tx.Bucket(bucketEvents).Bucket([]byte(sessionID))
		if sessionID == "" || log == nil {
			return fmt.Errorf("%w: the store %s has no session %q", ErrNoSession, r.path, sessionID)
		}
		cursor, want := log.Cursor(), fromSeq
		for key, text := cursor.Seek(seqKey(fromSeq)); key != nil; key, text = cursor.Next() {
			if len(key) != 8 || binary.BigEndian.Uint64(key) != want {
				return damaged(r.path, fmt.Sprintf("lacks event %d of session %s", want, sessionID))
			}
			if err := fn(text); err != nil {
				return err
			}
			want++
		}
		return nil
	})
}

// Blob returns the text kept under a reference. The error is ErrNoBlob where
// there is none, ErrDamaged where its bytes do not have that hash.
func (r reader) Blob(ref session.Ref) ([]byte, error) {
	key, err := hex.DecodeString(string(ref))
	if err != nil || len(key) != sha256.Size {
		return nil, fmt.Errorf("%w: %q is not a reference", ErrNoBlob, ref)
	}
	var text []byte
	err = r.view(func(tx *bolt.Tx) error {
		kept := tx.Bucket(bucketBlobs).Get(key)
		if kept == nil {
			return fmt.Errorf("%w: the store %s keeps none under %s", ErrNoBlob, r.path, ref)
		}
		if len(kept) == 0 || kept[0] != rawText {
			return damaged(r.path, fmt.Sprintf("holds a text %s in an unknown encoding", ref))
		}
		text = bytes.Clone(kept[1:])
		return nil
	})
	if err != nil {
		return nil, err
	}
	if text == nil {
		text = []byte{} // kept, and empty
	}
	if session.RefOf(text) != ref {
		return nil, damaged(r.path, fmt.Sprintf("holds an altered text under %s", ref))
	}
	return text, nil
}

func blobKey(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:]
}

// Sessions returns the summaries of all sessions, the last active one first.
func (r reader) Sessions() ([]Summary, error) {
	var rows []Summary
	err := r.view(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketSessions).ForEach(func(id, text []byte) error {
			one, err := decodeRow(text)
			if err != nil {
				return damaged(r.path, fmt.Sprintf("holds a summary of session %s that cannot be read; assay rebuild mends it", id))
			}
			rows = append(rows, one.Summary)
			return nil
		})
	})
	slices.SortFunc(rows, func(a, b Summary) int {
		return cmp.Or(cmp.Compare(b.LastAt, a.LastAt), cmp.Compare(b.ID, a.ID))
	})
	return rows, err
}

// Verify checks that a session's log is whole and unaltered, and that every
// text it refers to is kept with the right hash. It says how many events and
// texts it checked.
func (r reader) Verify(sessionID string) (events, texts int, err error) {
	log, err := r.Events(sessionID, 1)
	if err != nil {
		return 0, 0, err
	}
	if err := session.VerifyChain(log); err != nil {
		return 0, 0, fmt.Errorf("session %s does not verify: %w", sessionID, err)
	}
	if opened, is := log[0].Payload.(session.Opened); !is || opened.Session != sessionID {
		return 0, 0, fmt.Errorf("session %s does not verify: its log is that of another session", sessionID)
	}
	seen := map[session.Ref]bool{}
	for _, e := range log {
		for _, ref := range session.Refs(e.Payload) {
			if seen[ref] {
				continue
			}
			seen[ref] = true
			if _, err := r.Blob(ref); err != nil {
				return len(log), len(seen), fmt.Errorf("session %s does not verify: event %d: %w", sessionID, e.Seq, err)
			}
		}
	}
	return len(log), len(seen), nil
}

// Export writes a session's events as JSON lines: the stored bytes, each
// followed by a newline.
func (r reader) Export(sessionID string, w io.Writer) error {
	var all bytes.Buffer
	err := r.eachEvent(sessionID, 1, func(text []byte) error {
		all.Write(text)
		return all.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	_, err = w.Write(all.Bytes())
	return err
}
