// Package filelock locks files for use by one process, or by readers alone.
package filelock

import (
	"errors"
	"os"
)

// ErrTaken is returned if another process has locked the file.
var ErrTaken = errors.New("another process holds this file")

// Open opens the file at path like [os.OpenFile] and locks it. It returns the file that has the name once
// it is locked: if the file was replaced or removed meanwhile, it tries again.
func Open(path string, flag int, perm os.FileMode) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, flag, perm)
		if err != nil {
			return nil, err
		}
		if err := Take(f); err != nil {
			f.Close()
			return nil, err
		}
		mine, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if current, err := os.Stat(path); err == nil && os.SameFile(mine, current) {
			return f, nil
		}
		f.Close()
	}
}
