// Package filelock takes files for one process alone.
package filelock

import (
	"errors"
	"os"
)

// ErrTaken is returned where another process has the file.
var ErrTaken = errors.New("another process holds this file")

// Open opens the file at path as [os.OpenFile] does and takes it. It returns the file that has
// the name when it is taken: one that was replaced or removed meanwhile is no use.
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
		if there, err := os.Stat(path); err == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close()
	}
}
