package store

import (
	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

// Release releases the memory of file pages read so far, which are mapped and count as the program's until
// the system needs them. The only cost is reading them again; it does nothing if not supported.
func (r reader) Release() {
	_ = r.view(func(tx *bolt.Tx) error { // the mapping stays in place during a transaction
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, r.db.Info().Data, uintptr(tx.Size()), unix.MADV_DONTNEED)
		return nil
	})
}
