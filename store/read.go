package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	bolt "go.etcd.io/bbolt"

	"assay/session"
)

// rawText is the first byte of a blob that is stored uncompressed.
const rawText = 0

// reader holds the methods of both stores and snapshots. Each call uses its own short transaction: a long
// one would let the file grow without bound.
type reader struct{ *handle }

// Events returns a session's events from number fromSeq on (0 and 1 both mean all). The error is
// ErrNoSession for an unknown session, and ErrDamaged for a log with gaps; only Verify checks the hash
// chain.
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
	// Decoding takes longer than reading, so it happens outside the transaction.
	events := make([]session.Event, len(texts))
	for i, text := range texts {
		seq := fromSeq + uint64(i)
		if err := events[i].UnmarshalJSON(text); err != nil { // json.Unmarshal would scan the text twice
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

// eachEvent calls fn with the stored form of each event. The bytes are only valid during the call.
func (r reader) eachEvent(sessionID string, fromSeq uint64, fn func(text []byte) error) error {
	r.recent.use(sessionID)
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

// Blob returns the text stored under a reference. The error is errNoBlob if there is none, ErrDamaged if
// its bytes do not have that hash.
func (r reader) Blob(ref session.Ref) ([]byte, error) {
	key, err := hex.DecodeString(string(ref))
	if err != nil || len(key) != sha256.Size {
		return nil, fmt.Errorf("%w: %q is not a reference", errNoBlob, ref)
	}
	var text []byte
	err = r.view(func(tx *bolt.Tx) error {
		stored := r.findText(tx, key)
		if stored == nil {
			return fmt.Errorf("%w: the store %s keeps none under %s", errNoBlob, r.path, ref)
		}
		if len(stored) == 0 || stored[0] != rawText {
			return damaged(r.path, fmt.Sprintf("holds a text %s in an unknown encoding", ref))
		}
		text = bytes.Clone(stored[1:])
		return nil
	})
	if err != nil {
		return nil, err
	}
	if text == nil {
		text = []byte{} // stored, and empty
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

// Sessions returns the summaries of all sessions, the most recently active first. A missing or unreadable
// row is recomputed from the log; if the log cannot be read either, the session has the status
// StatusDamaged, without affecting others.
func (r reader) Sessions() ([]Summary, error) {
	var list []Summary
	err := r.view(func(tx *bolt.Tx) error {
		rows, events := tx.Bucket(bucketSessions), tx.Bucket(bucketEvents)
		err := events.ForEachBucket(func(id []byte) error {
			decoded, err := decodeRow(rows.Get(id))
			if err != nil || decoded.ID != string(id) {
				decoded = rowOf(id, events.Bucket(id))
			}
			list = append(list, decoded.Summary)
			return nil
		})
		if err != nil {
			return err
		}
		return rows.ForEach(func(id, _ []byte) error {
			if events.Bucket(id) == nil { // logs are never deleted: it was lost
				list = append(list, damagedRow(id).Summary)
			}
			return nil
		})
	})
	slices.SortFunc(list, func(a, b Summary) int {
		return cmp.Or(cmp.Compare(b.LastAt, a.LastAt), cmp.Compare(b.ID, a.ID))
	})
	return list, err
}

// Verify checks that a session's log is complete and unaltered, byte for byte, that it is as long as the
// index says, and that every text it refers to is stored with the right hash. It returns the numbers of
// events and texts checked.
func (r reader) Verify(sessionID string) (events, texts int, err error) {
	var stored [][]byte
	err = r.eachEvent(sessionID, 1, func(text []byte) error {
		stored = append(stored, bytes.Clone(text))
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	log, err := session.VerifyLog(stored)
	if err != nil {
		return 0, 0, fmt.Errorf("session %s does not verify: %w", sessionID, err)
	}
	if len(log) == 0 {
		return 0, 0, damaged(r.path, fmt.Sprintf("holds no event of session %s", sessionID))
	}
	if opened, ok := log[0].Payload.(session.Opened); !ok || opened.Session != sessionID {
		return 0, 0, fmt.Errorf("session %s does not verify: its log belongs to another session", sessionID)
	}
	if last := r.knownEvents(sessionID); last > len(log) {
		return len(log), 0, damaged(r.path, fmt.Sprintf("lacks events of session %s: it had at least %d", sessionID, last))
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

// knownEvents returns the number of events that a session had at least, by the index or, in a salvaged store, as
// known at the time.
func (r reader) knownEvents(sessionID string) (n int) {
	_ = r.view(func(tx *bolt.Tx) error {
		if row, err := decodeRow(tx.Bucket(bucketSessions).Get([]byte(sessionID))); err == nil {
			n = int(row.LastSeq)
		}
		cut := map[string]int{}
		if json.Unmarshal(tx.Bucket(bucketMeta).Get(keyCut), &cut) == nil {
			n = max(n, cut[sessionID])
		}
		return nil
	})
	return n
}

// Export writes a session's events as JSON lines: the stored bytes, each followed by a newline.
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
