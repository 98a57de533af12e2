//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Take locks an open file until it is closed or the process ends.
func Take(f *os.File) error { return lock(f, syscall.LOCK_EX) }

// Share locks an open file together with other readers, so that nobody can take it.
func Share(f *os.File) error { return lock(f, syscall.LOCK_SH) }

// starting is how long a child process has a copy of its parent's open files at most: until it runs its own program. A
// lock that was released meanwhile is free only then.
const starting = 200 * time.Millisecond

func lock(f *os.File, how int) error {
	for deadline := time.Now().Add(starting); ; time.Sleep(starting / 40) {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case !errors.Is(err, syscall.EWOULDBLOCK):
			return err
		case time.Now().After(deadline):
			return ErrTaken
		}
	}
}
