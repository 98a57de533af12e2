//go:build unix

package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"assay/data/fatal"
)

func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		fatal.If(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	fatal.If(t, Take(first))
	if err := Take(second); !errors.Is(err, ErrTaken) {
		t.Errorf("taken twice: %v", err)
	}
	first.Close()
	if err := Take(second); err != nil {
		t.Errorf("after it was closed: %v", err)
	}
}

// A lock that is released while a child process is being started is free as soon as that has its own program.
func TestReleasedWhileAChildStarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Open(path, os.O_RDWR|os.O_CREATE, 0o600)
	fatal.If(t, err)
	copied, err := syscall.Dup(int(first.Fd())) // as a fork has it
	fatal.If(t, err)
	first.Close()
	time.AfterFunc(starting/10, func() { syscall.Close(copied) })
	second, err := Open(path, os.O_RDWR, 0)
	fatal.If(t, err)
	second.Close()
}
