//go:build unix

package prompts

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other processes from changing the file while this one does.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errors.New("another assay is writing or reviewing these prompts: end it first, or give each reviewer a turn")
	}
	return err
}
