//go:build unix

package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

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
