//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// pendingFile is a file under a temporary name: renameio does without systems on which renaming is not atomic.
type pendingFile struct {
	*os.File
	to string
}

func newPending(to string, _ fs.FileMode) (*pendingFile, error) {
	f, err := os.CreateTemp(filepath.Dir(to), "."+filepath.Base(to))
	if err != nil {
		return nil, err
	}
	return &pendingFile{f, to}, nil
}

// CloseAtomicallyReplace renames the file once it is on disk.
func (f *pendingFile) CloseAtomicallyReplace() error {
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), f.to)
}

// Cleanup removes the file.
func (f *pendingFile) Cleanup() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
