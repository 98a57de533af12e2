//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Take locks an open file until it is closed or the process ends.
func Take(f *os.File) error { return lock(f, syscall.LOCK_EX) }

// Share locks an open file together with other readers, so that nobody can take it.
func Share(f *os.File) error { return lock(f, syscall.LOCK_SH) }

func lock(f *os.File, how int) error {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrTaken
	}
	return err
}
