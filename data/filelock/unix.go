//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Take locks an open file until it is closed or the process ends.
func Take(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrTaken
	}
	return err
}
