package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ReadOnly is a store opened without writing anything, even beside it.
type ReadOnly struct {
	reader
	Notice string // what the user has to know about it
	temp   string // a directory to remove on Close, "" for none
}

// Close releases the store.
func (r *ReadOnly) Close() error {
	err := r.close()
	if r.temp != "" {
		err = errors.Join(err, os.RemoveAll(r.temp))
	}
	return err
}

// OpenReadOnly opens a store that cannot be opened for writing, for example on a read-only file system.
func OpenReadOnly(path string) (*ReadOnly, error) {
	h, err := openFile(path, true)
	if err != nil {
		return nil, err
	}
	if err := current(h); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return &ReadOnly{reader: reader{h}, Notice: fmt.Sprintf("the store %s cannot be written to: it is only read", path)}, nil
}

// OpenSalvaged opens what a salvage finds in a damaged store and its copies. The results are kept in a
// temporary directory until Close.
func OpenSalvaged(path string, opts Options) (*ReadOnly, error) {
	temp, err := os.MkdirTemp("", "assay-salvaged-")
	if err != nil {
		return nil, err
	}
	to := filepath.Join(temp, filepath.Base(path))
	found, err := Salvage(context.Background(), Sources(path), to, opts)
	var h *handle
	if err == nil {
		h, err = openFile(to, true)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	h.path = path // for errors: nobody knows the other path
	return &ReadOnly{reader: reader{h}, temp: temp, Notice: "the store is damaged: reading what it and its copies still hold, " +
		fmt.Sprintf("%d of %d sessions certainly whole; 'assay session salvage' lists them", found.Whole(), len(found.Sessions))}, nil
}

// Damaged reports whether the contents were salvaged from a damaged store.
func (r *ReadOnly) Damaged() bool { return r.temp != "" }

// Sources lists the files that a salvage of the store at path reads: the store and its copies.
func Sources(path string) []string {
	var all []string
	path = canonical(path)
	for _, name := range append([]string{path}, copyNames(path)...) {
		if _, err := os.Stat(name); err == nil {
			all = append(all, name)
		}
	}
	return all
}

// CannotWrite reports whether opening a store failed only because it is not writable.
func CannotWrite(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS)
}
