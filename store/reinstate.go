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

	"assay/data/disk"
	"assay/data/filelock"
)

// While a store is open, its file can be deleted, replaced or overwritten by somebody
// else. Appends would then go into a file without a name, and be acknowledged and lost.
// So the writer looks at the file before each transaction and every [watchEvery], and
// writes it anew: from the open file where that is whole, otherwise from the snapshot and
// the appends that came after it, which are kept in memory.

// watchEvery is the time between two looks at the file while nothing is appended.
const watchEvery = 5 * time.Second

// journal keeps the appends that the snapshot does not have yet.
type journal struct {
	mu       sync.Mutex
	added    int // so many, ever
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

// mark is the number of the last append that a copy that begins now will certainly have.
func (j *journal) mark() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.added
}

// trim drops the appends up to the n-th: a snapshot has them.
func (j *journal) trim(n int) { j.drop(func(r numbered) bool { return r.n <= n }) }

// forget drops the appends of a session that was withdrawn.
func (j *journal) forget(id string) { j.drop(func(r numbered) bool { return r.id == id }) }

func (j *journal) drop(these func(numbered) bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.requests = slices.DeleteFunc(slices.Clone(j.requests), these)
}

func (j *journal) all() []numbered {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.requests
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
	if m, ok := readMeta(s.file, open.Size()); !ok || m != s.meta || open.Size() < int64(m.high)*m.pageSize {
		return overwritten // before the name is looked at: the open file is no source any more
	}
	switch now, err := os.Stat(s.path); {
	case errors.Is(err, os.ErrNotExist):
		return deleted
	case err != nil:
		return intact // not known: as of a directory that may not be read for a while
	case !os.SameFile(open, now):
		return replaced
	}
	return intact // or it cannot be said; the next transaction reports the trouble
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
	case err != nil:
		return fmt.Errorf("the store %s %s while it was open, and cannot be rewritten: %w", s.path, what, err)
	}
	if s.opts.Notify != nil {
		s.opts.Notify(fmt.Sprintf("The store's file %s; it was written anew, with all that was saved.", what))
	}
	return nil
}

// reinstate makes a whole file under another name before anything else is touched: after
// an error it can be tried again.
func (s *Store) reinstate(what loss) error {
	if what == replaced {
		if err := s.taken(); err != nil { // before a large store is copied in vain
			return err
		}
	}
	if err := disk.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	making := newName(s.path)
	defer os.Remove(making)
	next, err := s.rescue(making, what)
	if err != nil {
		return err
	}
	if err := s.moveAside(); err != nil {
		return errors.Join(err, next.close())
	}
	if err := s.take(next, s.path); err != nil {
		return err
	}
	s.snap.changed()
	return claim(s.path, s.opts)
}

// take gives a file that is whole and locked the store's name, and goes on with it.
// s.writing is held.
func (s *Store) take(next *handle, path string) error {
	if err := os.Rename(next.path, path); err != nil {
		return errors.Join(err, next.close())
	}
	err := errors.Join(s.become(next), syncDir(filepath.Dir(path)))
	s.remember()
	return err
}

// rescue writes everything that was acknowledged to a new file, and opens it.
func (s *Store) rescue(name string, what loss) (*handle, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	from := s.copyTo
	if what == overwritten {
		from = s.copySnapshot
	}
	if err := errors.Join(from(f), f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	h, err := openFile(name, false)
	if err != nil {
		return nil, err
	}
	if what == overwritten {
		if err := s.repeat(h); err != nil {
			return nil, errors.Join(err, h.close())
		}
	}
	return h, nil
}

func (s *Store) copySnapshot(to io.Writer) error {
	from, err := os.Open(snapshotPath(s.path))
	if err != nil {
		return fmt.Errorf("%w: put a backup in its place", err)
	}
	defer from.Close()
	_, err = io.Copy(to, from)
	return err
}

// repeat records again what the snapshot does not have.
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

// moveAside keeps a file that stands in the store's place under another name, unless
// another process works in it.
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
	if errors.Is(err, os.ErrNotExist) { // it was deleted, too
		return nil
	}
	return err
}

// taken is an error where another process works in the file at the store's place.
func (s *Store) taken() error {
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return nil // nobody can work in it
	}
	defer f.Close()
	if !errors.Is(filelock.Take(f), filelock.ErrTaken) {
		return nil
	}
	return fmt.Errorf("%w; unsaved work is kept until then", &InUseError{Path: s.path, Owner: readOwner(s.path), Snapshot: snapshotTime(s.path)})
}

// keepElsewhere saves everything that was acknowledged in a new file, where the store has
// to be closed and cannot be written anew in its own place.
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
