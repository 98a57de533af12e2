package estimate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"assay/data/disk"
	"assay/data/lines"
)

// File is a round that is being added to; one process at a time can. It may be used by
// several goroutines.
type File struct {
	Path string

	mu    sync.Mutex
	round *Round
	file  *os.File // nil once it is closed
}

// ErrClosed says that a file was given back already.
var ErrClosed = errors.New("the file of estimates is closed")

// kind is what errors call a file.
func kind() lines.Kind {
	return lines.Kind{
		Name: "file of estimates", Begin: "; 'assay difficulty round' makes one",
		Taken: "another assay has these estimates open: end it first, or give each estimator a copy of the file",
	}
}

// Open reads a file of estimates. What a crash cut off of the last line does not count;
// any other line that cannot be read is an error that names it.
func Open(path string) (*Round, error) {
	text, err := kind().Read(path)
	if err != nil {
		return nil, err
	}
	r, _, err := read(path, text)
	return r, err
}

// Create writes a file in which nothing is estimated yet. One that is there is left alone.
func Create(path string, h Header) error {
	h.Version = Version
	if err := h.Check(); err != nil {
		return err
	}
	f, err := kind().Create(path, h)
	if err != nil {
		return err
	}
	return f.Close()
}

// Change opens a file of estimates to add to it. A line that a crash cut off is removed.
func Change(path string) (*File, error) {
	f := &File{Path: path}
	var err error
	f.file, err = kind().Change(path, func(text []byte) (whole int, err error) {
		f.round, whole, err = read(path, text)
		return whole, err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// read folds the whole lines of a file, and says how many bytes they are.
func read(path string, text []byte) (r *Round, whole int, err error) {
	whole, err = lines.Fold(kind(), path, text, func(h Header) error {
		if err := h.Check(); err != nil {
			return err
		}
		r = NewRound(h)
		r.Name = path
		return nil
	}, func(ev Event) error { return r.Apply(ev) })
	return r, whole, err
}

// Add folds an event and appends it to the file. It is on disk when Add returns; if it cannot
// be written, it does not count.
func (f *File) Add(ev Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return ErrClosed
	}
	line, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	if err := f.round.Apply(ev); err != nil {
		return err
	}
	if err := lines.Append(f.file, line); err != nil {
		return errors.Join(fmt.Errorf("it could not be written to %s: %w", f.Path, err), f.forget())
	}
	return nil
}

// forget goes back to what the file holds, after something could not be written.
func (f *File) forget() error {
	text, err := disk.ReadFile(f.Path, disk.Table)
	if err != nil {
		return err
	}
	r, whole, err := read(f.Path, text[:lines.Ended(text)]) // what has no line break is no part of it
	if err != nil {
		return err
	}
	f.round = r
	return lines.Cut(f.file, whole)
}

// Header is what the file says first.
func (f *File) Header() Header {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.round.Header
}

// For is [Round.For].
func (f *File) For(estimator string) []Entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.round.For(estimator)
}

// Last is [Round.Last].
func (f *File) Last(estimator string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.round.Last(estimator)
}

// MayOpen is [Round.MayOpen].
func (f *File) MayOpen(estimator string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.round.MayOpen(estimator)
}

// Close gives the file back to others.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}
