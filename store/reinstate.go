package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// While a store is open, its file can be deleted, replaced or overwritten by somebody
// else. Appends would then go into a file without a name, and be acknowledged and lost.
// So the writer looks at the file before each transaction and every [watchEvery], and
// writes it anew: from the open file where that is whole, otherwise from the snapshot and
// the appends that came after it, which are kept in memory.

// watchEvery is the time between two looks at the file while nothing is appended.
const watchEvery = 2 * time.Second

// journal keeps the appends that the snapshot does not have yet. They are numbered, since
// some can be forgotten while a snapshot is written.
type journal struct {
	mu      sync.Mutex
	last    uint64 // number of the latest append
	entries []journalEntry
}

type journalEntry struct {
	number  uint64
	request *request
}

func (j *journal) add(r *request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	j.entries = append(j.entries, journalEntry{j.last, r})
}

// mark is the number of the last append that a copy which begins now will certainly have.
func (j *journal) mark() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.last
}

// trim drops the appends up to a number: a snapshot has them.
func (j *journal) trim(mark uint64) {
	j.drop(func(e journalEntry) bool { return e.number <= mark })
}

// forget drops the appends of a session that was withdrawn.
func (j *journal) forget(id string) {
	j.drop(func(e journalEntry) bool { return e.request.id == id })
}

func (j *journal) drop(which func(journalEntry) bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = slices.DeleteFunc(slices.Clone(j.entries), which)
}

func (j *journal) all() []journalEntry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.entries
}

// loss is what happened to the file that a store has open.
type loss string

const (
	intact      loss = ""
	deleted     loss = "was deleted"
	replaced    loss = "was replaced by another file"
	overwritten loss = "was overwritten"
)

// lost reports what happened to the store's file since the last transaction.
func (s *Store) lost() loss {
	open, err := s.file.Stat()
	if err != nil || s.broken.Load() {
		return overwritten
	}
	switch now, err := os.Stat(s.path); {
	case errors.Is(err, os.ErrNotExist):
		return deleted
	case err != nil:
		return intact // it cannot be said; the next transaction reports the trouble
	case !os.SameFile(open, now):
		return replaced
	}
	if m, ok := readMeta(s.file, open.Size()); !ok || m != s.meta || open.Size() < int64(m.high)*m.pageSize {
		return overwritten
	}
	return intact
}

// update is a transaction after which the root of the file is known.
func (s *Store) update(fn func(*bolt.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	err := s.handle.update(fn)
	s.remember() // after a failure, too: its last page may have been written
	return err
}

func (s *Store) remember() {
	if info, err := s.file.Stat(); err == nil {
		s.meta, _ = readMeta(s.file, info.Size())
	}
}

// ensure writes the store's file anew where it was lost. Only the writer calls it.
func (s *Store) ensure() error {
	s.writing.Lock()
	what := s.lost()
	var err error
	if what != intact {
		err = s.reinstate(what)
	}
	s.writing.Unlock()
	switch {
	case what == intact:
		return nil
	case err == nil && what == overwritten:
		err = s.repeat()
	}
	if err != nil {
		return fmt.Errorf("the store %s %s while it was open, and cannot be written anew: %w", s.path, what, err)
	}
	if s.opts.Notify != nil {
		s.opts.Notify(fmt.Sprintf("The store's file %s; it was written anew, with all that was saved.", what))
	}
	return nil
}

func (s *Store) reinstate(what loss) error {
	dir := filepath.Dir(s.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	making := fmt.Sprintf("%s.new-%d-%d", s.path, os.Getpid(), time.Now().UnixNano())
	defer os.Remove(making)
	if err := s.rescue(making, what); err != nil {
		return err
	}
	if err := s.clear(what); err != nil {
		return err
	}
	if err := os.Rename(making, s.path); err != nil {
		return err
	}
	h, err := openFile(s.path, false)
	if err != nil {
		return err
	}
	if err := errors.Join(s.become(h), syncDir(dir), claim(s.path, s.opts)); err != nil {
		return err
	}
	s.remember()
	s.snap.changed()
	return nil
}

// rescue writes what can be had of the store to a new file.
func (s *Store) rescue(name string, what loss) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if what != overwritten {
		return errors.Join(s.copyTo(f), f.Sync(), f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return copySnapshot(name, s.path)
}

// copySnapshot writes the snapshot beside a store to a file.
func copySnapshot(name, store string) error {
	from, err := os.Open(snapshotPath(store))
	if err != nil {
		return fmt.Errorf("%w: put a backup in its place", err)
	}
	defer from.Close()
	if err := checkCopy(from); err != nil {
		return err
	}
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Sync(), to.Close())
}

// clear moves a file that stands in the store's place aside, unless another process works
// in it.
func (s *Store) clear(what loss) error {
	switch what {
	case deleted:
		return nil
	case replaced:
		h, err := openFile(s.path, false)
		if errors.Is(err, ErrInUse) {
			return fmt.Errorf("%w; what is not saved is kept until then", err)
		}
		if err == nil {
			if err := h.close(); err != nil {
				return err
			}
		}
	}
	return os.Rename(s.path, fmt.Sprintf("%s.%s", s.path, s.opts.Now().UTC().Format("20060102-150405.000")))
}

// repeat records again what the snapshot did not have.
func (s *Store) repeat() error {
	var trouble error
	heads := map[string]head{}
	for _, e := range s.journal.all() {
		r := e.request
		again := &request{id: r.id, events: r.events, blobs: r.blobs}
		s.commit([]*request{again}, heads)
		trouble = errors.Join(trouble, again.err)
	}
	return trouble
}
