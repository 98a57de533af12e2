package store

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	bolt "go.etcd.io/bbolt"

	"assay/session"
)

// Withdraw takes a session's data out of the store at path, which nobody may have open:
// see [Store.Withdraw]. The error is ErrInUse where a process has the store.
func Withdraw(path, sessionID string, opts Options) ([]string, error) {
	h, err := openFile(path, false) // Open would make a store where there is none
	if err == nil {
		err = h.close()
	}
	if err != nil {
		return nil, err
	}
	s, err := Open(path, opts)
	if err != nil {
		return nil, err
	}
	done, err := s.Withdraw(sessionID)
	return done, errors.Join(err, s.Close())
}

// Withdraw takes a session's data out of the store, its backups and its snapshot, and
// leaves a tombstone: a log that says that there was a session of the study with that id,
// and that it was withdrawn. Texts go that no other session refers to. The files are
// written anew, since bbolt leaves deleted bytes behind. Withdrawing again, after a crash
// or for good measure, does no harm. The session must not be live.
//
// The files that were rewritten are returned. The error is ErrNoSession where the store
// has no such session.
func (s *Store) Withdraw(sessionID string) ([]string, error) {
	if _, err := s.Events(sessionID, 1); errors.Is(err, ErrNoSession) {
		return nil, err
	}
	// A link must not be replaced by a file, which would leave the data where it points.
	names := []string{s.path}
	if real, err := filepath.EvalSymlinks(s.path); err == nil && real != s.path {
		names = append(names, real)
	}
	s.snap.writing.Lock() // a copy under way would bring the session back
	defer s.snap.writing.Unlock()
	var done []string
	var trouble error
	for _, name := range names {
		if err := os.Remove(snapshotPath(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("session %s is still in the snapshot %s: %w; remove that file, and withdraw it again", sessionID, snapshotPath(name), err)
		}
		rewritten, err := withdrawFromBackups(name, sessionID)
		done, trouble = append(done, rewritten...), errors.Join(trouble, err)
	}
	// The store comes last: as long as the session is in it, it can be found and
	// withdrawn again.
	if err := s.alone(func() error { return s.rewrite(names[len(names)-1], sessionID) }); err != nil {
		return done, errors.Join(trouble, fmt.Errorf("session %s has not been removed from %s: %w; withdraw it again", sessionID, s.path, err))
	}
	s.snap.changed()
	return append(done, s.path), trouble
}

// withdrawFromBackups rewrites the backups of a store that have the session.
func withdrawFromBackups(path, sessionID string) (done []string, trouble error) {
	for _, file := range slices.Concat(copyNames(path), asideNames(path)) {
		switch err := withdrawFrom(file, sessionID); {
		case errors.Is(err, ErrNoSession): // the backup is older
		case err != nil:
			trouble = errors.Join(trouble, fmt.Errorf("session %s has not been removed from the backup %s: %w; remove that file", sessionID, file, err))
		default:
			done = append(done, file)
		}
	}
	return done, trouble
}

// rewrite puts a file without the session in the place of the store's, and goes on with
// that: it is locked before it has the name, so that no other process comes between.
func (s *Store) rewrite(path, sessionID string) error {
	if err := s.update(func(tx *bolt.Tx) error { return bury(tx, s.path, sessionID) }); err != nil {
		return err
	}
	s.journal.forget(sessionID)
	making := path + ".withdrawing"
	if err := s.compact(making); err != nil {
		return err
	}
	next, err := openFile(making, false)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.take(next, path)
}

// globQuoted is a path in which nothing is a pattern.
func globQuoted(path string) string {
	var quoted []rune
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, r)
	}
	return string(quoted)
}

// withdrawFrom rewrites one file without the session.
func withdrawFrom(path, sessionID string) error {
	h, err := openFile(path, false)
	if err != nil {
		return err
	}
	if _, err := formatOf(h); err != nil {
		return errors.Join(err, h.close())
	}
	if err := h.update(func(tx *bolt.Tx) error { return bury(tx, path, sessionID) }); err != nil {
		return errors.Join(err, h.close())
	}
	making := path + ".withdrawing"
	err = h.compact(making)
	if err == nil {
		err = os.Rename(making, path)
	}
	return errors.Join(err, h.close(), syncDir(filepath.Dir(path)))
}

// compact writes what is in use, and nothing else, to a new file.
func (h *handle) compact(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	dst, err := bolt.Open(name, 0o600, &bolt.Options{FreelistType: bolt.FreelistMapType})
	if err != nil {
		return err
	}
	err = h.guard(func() error { return bolt.Compact(dst, h.db, 1<<20) })
	return errors.Join(err, dst.Close())
}

// bury replaces a session's log by its tombstone and removes its texts.
func bury(tx *bolt.Tx, path, sessionID string) error {
	events := tx.Bucket(bucketEvents)
	log := events.Bucket([]byte(sessionID))
	if sessionID == "" || log == nil {
		return fmt.Errorf("%w: the store %s has no session %q", ErrNoSession, path, sessionID)
	}
	var first session.Event
	if err := json.Unmarshal(log.Get(seqKey(1)), &first); err != nil {
		return damaged(path, fmt.Sprintf("has no first event of session %s", sessionID))
	}
	opened, is := first.Payload.(session.Opened)
	if !is {
		return damaged(path, fmt.Sprintf("has a session %s that does not begin with its plan", sessionID))
	}
	if err := events.DeleteBucket([]byte(sessionID)); err != nil {
		return err
	}
	if err := writeTombstone(tx, sessionID, first, opened); err != nil {
		return err
	}
	return dropTexts(tx, path)
}

// writeTombstone writes a log of two events: what was planned, without the tester and
// the machine, and that it was withdrawn. Both have the time of the first event.
func writeTombstone(tx *bolt.Tx, sessionID string, first session.Event, opened session.Opened) error {
	opened.Plan.Tester = ""
	opened.Env = session.Environment{Assay: opened.Env.Assay}
	stamp := session.Stamp{Wall: first.Wall, Process: "withdrawn", Boot: "withdrawn"}
	r := &request{id: sessionID}
	var texts [][]byte
	var summary row
	prev := ""
	for i, payload := range []session.Payload{opened, session.Closed{Reason: string(StatusWithdrawn)}} {
		e, text, err := seal(session.Event{Seq: uint64(i + 1), Stamp: stamp, Origin: first.Origin, Payload: payload}, prev)
		if err != nil {
			return err
		}
		prev = e.Hash
		summary.apply(e)
		r.events, texts = append(r.events, e), append(texts, text)
	}
	return put(tx, r, texts, summary)
}

// dropTexts removes the texts that no session refers to any more.
func dropTexts(tx *bolt.Tx, path string) error {
	used := map[session.Ref]bool{}
	events := tx.Bucket(bucketEvents)
	err := events.ForEachBucket(func(id []byte) error {
		return events.Bucket(id).ForEach(func(_, text []byte) error {
			var e session.Event
			if err := json.Unmarshal(text, &e); err != nil {
				return damaged(path, fmt.Sprintf("holds an event of session %s that cannot be read (%v)", id, err))
			}
			for _, ref := range session.Refs(e.Payload) {
				used[ref] = true
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	cursor := tx.Bucket(bucketBlobs).Cursor()
	var unused [][]byte
	for key, _ := cursor.First(); key != nil; key, _ = cursor.Next() {
		if !used[session.Ref(hex.EncodeToString(key))] {
			unused = append(unused, append([]byte(nil), key...))
		}
	}
	for _, key := range unused {
		if err := tx.Bucket(bucketBlobs).Delete(key); err != nil {
			return err
		}
	}
	return nil
}
