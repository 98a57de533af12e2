//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes the lock that bbolt takes on the same open file a moment
// later. Having it earlier allows the file to be checked before it is mapped.
func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrInUse
	}
	return err
}
