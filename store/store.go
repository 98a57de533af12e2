package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"assay/data/disk"
	"assay/data/filelock"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Buckets of the file: see the package comment.
var (
	bucketMeta     = []byte("meta")
	bucketEvents   = []byte("events")
	bucketBlobs    = []byte("blobs")
	bucketTexts    = []byte("texts")
	bucketSessions = []byte("sessions")
)

// Store is an open store. It is safe for concurrent use.
type Store struct {
	reader
	opts     Options
	requests chan *request

	closing sync.RWMutex // held for reading while a request is passed to the writer
	closed  bool
	done    chan struct{} // closed when the writer has ended

	snap    snapshotter
	journal journal
	writing sync.Mutex // held during a transaction that writes
	meta    boltMeta   // the meta page after the last transaction
}

// Open opens the store at path for this process alone, creating it and its directory if needed. The error
// is ErrInUse if another process holds it, ErrDamaged if the file is not a complete store, errMissing if
// there is no store but a copy with sessions, and errNewer if a later version wrote it. A store of an
// earlier version is copied to a backup beside it and then migrated.
//
// Opening reads the start of every page in use, to reject a damaged file before it is mapped.
func Open(path string, opts Options) (*Store, error) { return openFormat(path, opts, currentFormat) }

func openFormat(path string, opts Options, format format) (*Store, error) {
	path, opts = canonical(path), opts.withDefaults()
	if err := createIfMissing(path, opts, format); err != nil {
		return nil, err
	}
	h, err := openFile(path, false)
	if err != nil {
		return nil, withAdvice(path, err)
	}
	s := &Store{reader: reader{h}, opts: opts, requests: make(chan *request, 64), done: make(chan struct{})}
	if _, err = migrate(h, format); err == nil {
		err = claim(path, opts)
	}
	if err != nil {
		return nil, withAdvice(path, errors.Join(err, h.close()))
	}
	s.remember()
	s.snap.start(s)
	info, err := s.file.Stat()
	switch taken := snapshotTime(path); {
	case taken.IsZero():
		s.snap.fresh.Store(worthCopying) // with the first append
	case err == nil && taken.Before(info.ModTime()):
		s.snap.changed() // the last process was killed before it wrote a copy
	}
	go s.write()
	return s, nil
}

// Path returns the path of the store's file.
func (s *Store) Path() string { return s.path }

// Close waits for the appends under way, updates the snapshot, releases the file and ends the store.
// Closing twice does nothing.
func (s *Store) Close() error {
	s.closing.Lock()
	if s.closed {
		s.closing.Unlock()
		<-s.done
		return nil
	}
	s.closed = true
	close(s.requests)
	s.closing.Unlock()
	<-s.done
	s.snap.stop()
	if err := s.ensure(); err != nil { // the files beside the store belong to another process now
		return errors.Join(s.keepElsewhere(err), s.close())
	}
	err := s.lastSnapshot()
	if gone := os.Remove(ownerPath(s.path)); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return errors.Join(err, s.close())
}

// createIfMissing creates an empty store under another name and then renames it, so that a killed process
// leaves no incomplete store, and an empty file is always a damaged one.
func createIfMissing(path string, opts Options, format format) error {
	if _, err := os.Stat(path); err == nil || !errors.Is(err, os.ErrNotExist) {
		return nil // opening reports any other problem
	}
	if offer := offerCopies(path); offer != "" {
		return fmt.Errorf("%w: there is no file %s, but %s; to begin an empty store, move the files beside it to another directory", errMissing, path, offer)
	}
	if err := disk.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("cannot create the directory of the store: %w; name another path with --store", err)
	}
	making := newName(path)
	defer os.Remove(making)
	db, err := bolt.Open(making, 0o600, nil)
	if err != nil {
		return fmt.Errorf("cannot create the store %s: %w; name another path with --store", path, err)
	}
	err = db.Update(func(tx *bolt.Tx) error { return initialise(tx, opts, format.number) })
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("cannot create the store %s: %w; free some space or name another path with --store", path, err)
	}
	if err := giveName(making, path); !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil // another process created one at the same moment
}

// newName returns a temporary name for a file that is renamed when complete.
func newName(path string) string {
	return fmt.Sprintf("%s.new-%d-%d", path, os.Getpid(), time.Now().UnixNano())
}

// openFile locks, checks and maps a store or a snapshot.
func openFile(path string, readOnly bool) (*handle, error) {
	h := &handle{path: path}
	opts := &bolt.Options{
		Timeout:      time.Millisecond, // shorter than bbolt's polling interval: try once
		ReadOnly:     readOnly,
		FreelistType: bolt.FreelistMapType,
		NoStatistics: true,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			// Without O_NONBLOCK opening a pipe without a writer would block forever.
			f, err := os.OpenFile(name, flag&^os.O_CREATE|syscall.O_NONBLOCK, mode)
			if err != nil {
				return nil, err
			}
			if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
				return nil, errors.Join(errors.New("it is not a regular file"), f.Close())
			}
			if err := lockAndCheck(f, readOnly); err != nil {
				return nil, errors.Join(err, f.Close())
			}
			h.file = f
			return f, nil
		},
	}
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && !readOnly {
		// This is address space, not memory: growing the map has to wait for readers.
		opts.InitialMmapSize = max(16<<20, 2*int(info.Size()))
	}
	err := h.guard(func() (err error) {
		h.db, err = bolt.Open(path, 0o600, opts)
		return err
	})
	switch {
	case err == nil:
		h.db.AllocSize = 256 << 10 // the file grows in steps of this, not of bbolt's 16 MB
		return h, nil
	case errors.Is(err, ErrInUse) || errors.Is(err, bolterrors.ErrTimeout):
		return nil, &InUseError{Path: path, Owner: readOwner(path), Snapshot: snapshotTime(path)}
	case errors.Is(err, ErrDamaged):
		if h.broken.Load() && h.file != nil {
			h.file.Close() // bbolt panicked and left it open and locked
		}
		return nil, err
	case errors.Is(err, bolterrors.ErrInvalid) || errors.Is(err, bolterrors.ErrChecksum) || errors.Is(err, bolterrors.ErrVersionMismatch):
		return nil, damaged(path, "is not an assay store")
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("cannot open the store %s: %w; give yourself read and write permission, or name another with --store", path, err)
	}
	return nil, fmt.Errorf("cannot open the store %s: %w", path, err)
}

func lockAndCheck(f *os.File, readOnly bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return damaged(f.Name(), "is not a file")
	}
	if readOnly {
		err = filelock.Share(f) // a snapshot may be brought up to date in this moment
	} else {
		// This is the lock that bbolt takes on the same open file a moment later. Taking it here allows the
		// file to be checked before it is mapped.
		err = filelock.Take(f)
	}
	if errors.Is(err, filelock.ErrTaken) {
		return ErrInUse
	} else if err != nil {
		return err
	}
	if info, err = f.Stat(); err != nil { // again, now that nobody writes to it
		return err
	}
	if now, err := os.Stat(f.Name()); !readOnly && err == nil && !os.SameFile(info, now) {
		return ErrInUse // a withdrawal has just replaced the file
	}
	return checkFile(f, info.Size())
}

// checkFile returns what makes a file unreadable as a store.
func checkFile(f *os.File, size int64) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil { // the file was truncated while it was read
			err = damaged(f.Name(), fmt.Sprintf("cannot be read (%v)", cause))
		}
	}()
	if size == 0 {
		return damaged(f.Name(), "is empty (zero bytes), which no store ever is")
	}
	if problem := withBytes(f, size, func(s source) string { return checkPages(s, size) }); problem != "" {
		return damaged(f.Name(), problem)
	}
	return nil
}

// syncDir makes a new name in a directory durable, if the system supports it.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && outOfSpace(err) {
		return err
	}
	return nil
}
