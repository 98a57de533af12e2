package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"assay/data/disk"
	"assay/data/filelock"
)

// While a store is open, somebody may delete, replace or overwrite its file. Appends would then go to an
// unlinked file, and be acknowledged and lost. So the writer checks the file before each transaction and
// every [watchEvery], and recreates it: from the open file if that is intact, otherwise from the snapshot
// and the appends since then, which are kept in memory.

// watchEvery is the interval of these checks while nothing is appended.
const watchEvery = 5 * time.Second

// journal keeps the appends that are not in the snapshot yet.
type journal struct {
	mu       sync.Mutex
	added    int // total number of appends
	requests []numbered
}

// numbered is an append with its number, from 1.
type numbered struct {
	*request
	n int
}

func (j *journal) add(r *request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.added++
	j.requests = append(j.requests, numbered{r, j.added})
}

// mark returns the number of the last append that is certain to be in a copy started now.
func (j *journal) mark() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.added
}

// trim drops the first n appends, which are in a snapshot.
func (j *journal) trim(n int) { j.drop(func(r numbered) bool { return r.n <= n }) }

// forget drops the appends of a withdrawn session.
func (j *journal) forget(id string) { j.drop(func(r numbered) bool { return r.id == id }) }

func (j *journal) drop(match func(numbered) bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.requests = slices.DeleteFunc(slices.Clone(j.requests), match)
}

func (j *journal) all() []numbered {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.requests
}

// loss is what happened to the file of an open store.
type loss string

const (
	intact      loss = ""
	deleted     loss = "was deleted"
	replaced    loss = "was replaced by another file"
	overwritten loss = "was overwritten"
)

// lost reports what has happened to the store's file since the last transaction.
func (s *Store) lost() loss {
	open, err := s.file.Stat()
	if err != nil || s.broken.Load() {
		return overwritten
	}
	if m, ok := readMeta(s.file, open.Size()); !ok || m != s.meta || open.Size() < int64(m.high)*m.pageSize {
		return overwritten // checked before the name, since the open file cannot be a source any more
	}
	switch now, err := os.Stat(s.path); {
	case errors.Is(err, os.ErrNotExist):
		return deleted
	case err != nil:
		return intact // unknown, for example because the directory is temporarily unreadable
	case !os.SameFile(open, now):
		return replaced
	}
	return intact // unknown; the next transaction reports the problem
}

// update runs a transaction and then records the root of the file.
func (s *Store) update(fn func(*bolt.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	err := s.handle.update(fn)
	s.remember() // even after a failure: its last page may have been written
	return err
}

func (s *Store) remember() {
	if info, err := s.file.Stat(); err == nil {
		s.meta, _ = readMeta(s.file, info.Size())
	}
}

// ensure recreates the store's file if it was lost. Only the writer calls it.
func (s *Store) ensure() error {
	s.writing.Lock()
	lost := s.lost()
	var err error
	if lost != intact {
		err = s.reinstate(lost)
	}
	s.writing.Unlock()
	switch {
	case lost == intact:
		return nil
	case err != nil:
		return fmt.Errorf("the store %s %s while it was open, and cannot be rewritten: %w", s.path, lost, err)
	}
	if s.opts.Notify != nil {
		s.opts.Notify(fmt.Sprintf("The store's file %s; it was written anew, with all that was saved.", lost))
	}
	return nil
}

// reinstate creates a complete file under another name before it touches anything else, so that it can be
// retried after an error.
func (s *Store) reinstate(lost loss) error {
	if lost == replaced {
		if err := s.taken(); err != nil { // before copying a large store in vain
			return err
		}
	}
	if err := disk.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	making := newName(s.path)
	defer os.Remove(making)
	next, err := s.rescue(making, lost)
	if err != nil {
		return err
	}
	if err := s.moveAside(); err != nil {
		return errors.Join(err, next.close())
	}
	if err := s.switchTo(next, s.path); err != nil {
		return err
	}
	s.snap.changed()
	return claim(s.path, s.opts)
}

// switchTo gives the store's name to a complete, locked file, and switches to it. The caller holds s.writing.
func (s *Store) switchTo(next *handle, path string) error {
	if err := os.Rename(next.path, path); err != nil {
		return errors.Join(err, next.close())
	}
	err := errors.Join(s.become(next), syncDir(filepath.Dir(path)))
	s.remember()
	return err
}

// rescue writes everything acknowledged to a new file, and opens it.
func (s *Store) rescue(name string, lost loss) (*handle, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	from := s.handle
	if lost == overwritten {
		if from, err = openPatiently(snapshotPath(s.path), true); err != nil {
			return nil, errors.Join(fmt.Errorf("%w: put a backup in its place", err), f.Close())
		}
		defer from.close()
	}
	if err := errors.Join(from.copyTo(f), f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	h, err := openFile(name, false)
	if err != nil {
		return nil, err
	}
	if lost == overwritten {
		if err := s.repeat(h); err != nil {
			return nil, errors.Join(err, h.close())
		}
	}
	return h, nil
}

// repeat records the appends that the snapshot lacks.
func (s *Store) repeat(h *handle) error {
	return h.update(func(tx *bolt.Tx) error {
		heads := map[string]head{}
		for _, r := range s.journal.all() {
			again := &request{id: r.id, events: r.events, blobs: r.blobs}
			if err := s.record(tx, again, heads, heads); err != nil {
				return err
			}
		}
		return nil
	})
}

// moveAside renames a file at the store's path, unless another process is using it.
func (s *Store) moveAside() error {
	switch s.lost() {
	case intact, deleted:
		return nil
	case replaced:
		if err := s.taken(); err != nil {
			return err
		}
	}
	err := os.Rename(s.path, fmt.Sprintf("%s.aside-%s", s.path, s.opts.Now().UTC().Format(moment)))
	if errors.Is(err, os.ErrNotExist) { // already deleted
		return nil
	}
	return err
}

// taken returns an error if another process is using the file at the store's path.
func (s *Store) taken() error {
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return nil // nobody can be using it
	}
	defer f.Close()
	if !errors.Is(filelock.Take(f), filelock.ErrTaken) {
		return nil
	}
	return fmt.Errorf("%w; unsaved work is kept until then", &InUseError{Path: s.path, Owner: readOwner(s.path), Snapshot: snapshotTime(s.path)})
}

// keepElsewhere saves everything acknowledged to a new file, if the store has to be closed and cannot be
// recreated at its path.
func (s *Store) keepElsewhere(lost error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	name := fmt.Sprintf("%s.rescued-%s", filepath.Base(s.path), s.opts.Now().UTC().Format(moment))
	for _, dir := range []string{filepath.Dir(s.path), os.TempDir()} {
		path := filepath.Join(dir, name)
		h, err := s.rescue(path, s.lost())
		if err == nil {
			err = h.close()
		}
		if err == nil {
			return fmt.Errorf("%w; everything that was saved is in %s, which --store opens", lost, path)
		}
		if !errors.Is(err, os.ErrExist) {
			_ = os.Remove(path)
		}
	}
	return lost
}
