package store

import (
	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

// Release gives back the memory of what was read from the file so far: its pages are
// mapped, and count as the program's own until the system needs them elsewhere. It
// costs nothing but to read them again, and does nothing where that is not possible.
func (r reader) Release() {
	_ = r.view(func(tx *bolt.Tx) error { // within a transaction the mapping stays
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, r.db.Info().Data, uintptr(tx.Size()), unix.MADV_DONTNEED)
		return nil
	})
}
