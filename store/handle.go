package store

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	bolt "go.etcd.io/bbolt"
)

// handle is an open bbolt file that reports panics as errors. The structure of a file is checked before it
// is mapped, but it can change later: another program may truncate it, or a bad disk may fail. Then bbolt
// panics or faults.
type handle struct {
	path string

	swap sync.RWMutex // held for reading while db is in use; see become
	db   *bolt.DB
	file *os.File // the file that db has open and locked

	recent recently

	// broken is set by the first panic, which may leave bbolt's locks held, so that later calls, even of
	// Close, could block forever.
	broken atomic.Bool
}

// guard runs fn and turns a panic, or a fault in the mapped file, into ErrDamaged.
func (h *handle) guard(fn func() error) (err error) {
	h.swap.RLock()
	defer h.swap.RUnlock()
	if h.broken.Load() {
		return damaged(h.path, "became unreadable while it was open")
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			h.broken.Store(true)
			err = damaged(h.path, fmt.Sprintf("cannot be read (%v)", cause))
		}
	}()
	return fn()
}

func (h *handle) view(fn func(*bolt.Tx) error) error {
	return h.guard(func() error { return h.db.View(fn) })
}

func (h *handle) update(fn func(*bolt.Tx) error) error {
	return h.guard(func() error { return h.db.Update(fn) })
}

// become replaces the handle's file by that of another handle, which must not be used any more, and
// releases its own.
func (h *handle) become(other *handle) error {
	h.swap.Lock()
	defer h.swap.Unlock()
	old := &handle{db: h.db, file: h.file}
	old.broken.Store(h.broken.Load())
	h.db, h.file = other.db, other.file
	h.broken.Store(false)
	return old.close()
}

// close releases the file and its lock in any state.
func (h *handle) close() error {
	if h.broken.Load() {
		return h.file.Close()
	}
	return h.db.Close()
}
