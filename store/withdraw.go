package store

import (
	"bytes"
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

// Withdraw removes a session's data from the store at path, which must not be open: see [Store.Withdraw].
// The error is ErrInUse if a process has the store open.
func Withdraw(path, sessionID string, opts Options) (Withdrawal, error) {
	h, err := openFile(path, false) // Open would create a missing store
	if err == nil {
		err = h.close()
	}
	if err != nil {
		return Withdrawal{}, err
	}
	s, err := Open(path, opts)
	if err != nil {
		return Withdrawal{}, err
	}
	done, err := s.withdraw(sessionID, path)
	return done, errors.Join(err, s.Close())
}

// Withdraw removes a session's data from the store, its backups and its snapshot, and leaves a tombstone: a
// log which tells that the study had a session with that id, and that it was withdrawn. It removes texts
// that no other session refers to. The files are rewritten, since bbolt leaves deleted bytes behind.
// Withdrawing again, for example after a crash, is harmless. The session must not be live.
//
// The error is ErrNoSession if the store has no such session.
func (s *Store) Withdraw(sessionID string) (Withdrawal, error) { return s.withdraw(sessionID) }

// Withdrawal tells where a session's data was looked for, and what became of it.
type Withdrawal struct {
	Rewritten []string // files that held it
	Deleted   []string // snapshots
	Names     []string // the paths of the store whose copies were looked at
	Copies    int      // snapshots, backups and files moved aside that were looked at
	Linked    bool     // the store's file has a further name (a hard link) that still holds it
}

// withdraw also looks for copies that are named after the given paths of the store.
func (s *Store) withdraw(sessionID string, given ...string) (done Withdrawal, trouble error) {
	if _, err := s.Events(sessionID, 1); errors.Is(err, ErrNoSession) {
		return done, err
	}
	done.Names = namesOf(s.path, given...)
	if info, err := os.Stat(s.path); err == nil {
		done.Linked = hardLinks(info) > 1
	}
	s.snap.writing.Lock() // a copy in progress would bring the session back
	defer s.snap.writing.Unlock()
	for _, name := range done.Names {
		switch err := os.Remove(snapshotPath(name)); {
		case err == nil:
			done.Deleted, done.Copies = append(done.Deleted, snapshotPath(name)), done.Copies+1
		case !errors.Is(err, os.ErrNotExist):
			return done, fmt.Errorf("session %s is still in the snapshot %s: %w; remove that file, and withdraw it again", sessionID, snapshotPath(name), err)
		}
		backups := slices.Concat(copyNames(name), asideNames(name))
		done.Copies += len(backups)
		for _, file := range backups {
			switch err := withdrawFrom(file, sessionID); {
			case errors.Is(err, ErrNoSession): // the backup is older
			case err != nil:
				trouble = errors.Join(trouble, fmt.Errorf("session %s has not been removed from the backup %s: %w; remove that file", sessionID, file, err))
			default:
				done.Rewritten = append(done.Rewritten, file)
			}
		}
	}
	// Rewrite the store last: as long as it contains the session, the withdrawal can be repeated.
	if err := s.alone(func() error { return s.rewrite(s.path, sessionID) }); err != nil {
		return done, errors.Join(trouble, fmt.Errorf("session %s has not been removed from %s: %w; withdraw it again", sessionID, s.path, err))
	}
	s.snap.changed()
	done.Rewritten = append(done.Rewritten, s.path)
	return done, trouble
}

// rewrite replaces the store's file by one without the session and switches to it. The new file is locked
// before it is renamed, so that no other process can intervene.
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
	return s.switchTo(next, path)
}

// globQuoted escapes the pattern characters in a path.
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

// compact writes only the data in use to a new file.
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
	opened, ok := first.Payload.(session.Opened)
	if !ok {
		return damaged(path, fmt.Sprintf("has a session %s that does not begin with its plan", sessionID))
	}
	if opened.Same == nil {
		same, err := sameTester(tx, log, sessionID)
		if err != nil {
			return err
		}
		opened.Same = same
	}
	if err := events.DeleteBucket([]byte(sessionID)); err != nil {
		return err
	}
	if err := writeTombstone(tx, sessionID, first, opened); err != nil {
		return err
	}
	return dropTexts(tx, path, []byte(sessionID))
}

// sameTester lists the sessions of the tester of a session.
func sameTester(tx *bolt.Tx, log *bolt.Bucket, sessionID string) ([]string, error) {
	mine := rowOf([]byte(sessionID), log).Summary
	if mine.Status == StatusWithdrawn {
		return nil, nil // by an earlier version
	}
	same := []string{sessionID}
	err := tx.Bucket(bucketSessions).ForEach(func(id, text []byte) error {
		other, err := decodeRow(text)
		if err == nil && string(id) != sessionID && other.Status != StatusWithdrawn && other.SameTester(mine) {
			same = append(same, string(id))
		}
		return nil // a damaged row is of nobody
	})
	return same, err
}

// writeTombstone writes a log of two events: the plan, without the tester and the machine, and the
// withdrawal. Both have the time of the first event.
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

// dropTexts removes a session's texts, and those that no session refers to any more.
func dropTexts(tx *bolt.Tx, path string, id []byte) error {
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
	if own := textsOf(tx, id); own != nil {
		kept := map[string][]byte{} // another session may refer to them without having them itself
		err := eachText(own, func(key, stored []byte) error {
			if used[session.Ref(hex.EncodeToString(key))] {
				kept[string(key)] = bytes.Clone(stored)
			}
			return nil
		})
		if err := errors.Join(err, tx.Bucket(bucketTexts).DeleteBucket(id)); err != nil {
			return err
		}
		for key, stored := range kept {
			if _, err := putText(tx, id, []byte(key), stored, true); err != nil {
				return err
			}
		}
	}
	shared := tx.Bucket(bucketBlobs)
	var unused [][]byte
	err = eachText(shared, func(key, _ []byte) error {
		if !used[session.Ref(hex.EncodeToString(key))] {
			unused = append(unused, key)
		}
		return nil
	})
	for _, key := range unused {
		err = errors.Join(err, dropText(shared, key))
	}
	return err
}
