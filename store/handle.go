package store

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	bolt "go.etcd.io/bbolt"
)

// handle is an open bbolt file whose trouble comes as errors. The structure of
// a file is checked before it is mapped, but it can change underneath: cut by
// another program, or unreadable on a bad disk. Then bbolt panics or faults.
type handle struct {
	db   *bolt.DB
	file *os.File // the one that db has open, and locked
	path string
	swap sync.RWMutex // held for writing while another file takes the place of this one

	// broken is set by the first panic. It may have come with bbolt's locks
	// held, so that any later call, even of Close, could wait for ever.
	broken atomic.Bool
}

// guard runs fn and turns a panic, or a fault in the mapped file, into
// ErrDamaged.
func (h *handle) guard(fn func() error) (err error) {
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
	h.swap.RLock()
	defer h.swap.RUnlock()
	return h.guard(func() error { return h.db.View(fn) })
}

func (h *handle) update(fn func(*bolt.Tx) error) error {
	h.swap.RLock()
	defer h.swap.RUnlock()
	return h.guard(func() error { return h.db.Update(fn) })
}

// close releases the file and its lock, in any state.
func (h *handle) close() error {
	if h.broken.Load() {
		return h.file.Close()
	}
	return h.db.Close()
}
