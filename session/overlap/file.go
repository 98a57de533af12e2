package overlap

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"assay/data/disk"
	"assay/data/lines"
)

// File is a set that is being added to; one process at a time can. It may be used by several
// goroutines.
type File struct {
	Path string

	mu   sync.Mutex
	set  *Set
	file *os.File // nil once it is closed
}

// ErrGone says that a file was given back already.
var ErrGone = errors.New("the file of ratings is closed")

// kind is what errors call a file.
func kind() lines.Kind {
	return lines.Kind{
		Name: "file of ratings", Begin: "; 'assay rate plan' makes one",
		Taken: "another assay has these ratings open: end it first, have the raters come to it over SSH ('assay serve --ratings'), or plan one file for each rater (--split)",
	}
}

// Open reads a file of ratings. What a crash cut off of the last line does not count;
// any other line that cannot be read is an error that names it.
func Open(path string) (*Set, error) {
	text, err := kind().Read(path)
	if err != nil {
		return nil, err
	}
	s, _, err := read(path, text)
	return s, err
}

// Create writes a file in which nothing is rated yet. One that is there is left alone.
func Create(path string, h Header) error {
	if err := h.Check(); err != nil {
		return err
	}
	f, err := kind().Create(path, h)
	if err != nil {
		return err
	}
	return f.Close()
}

// Change opens a file of ratings to add to it. A line that a crash cut off is removed.
func Change(path string) (*File, error) {
	f := &File{Path: path}
	var err error
	f.file, err = kind().Change(path, func(text []byte) (whole int, err error) {
		f.set, whole, err = read(path, text)
		return whole, err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// read folds the whole lines of a file, and says how many bytes they are.
func read(path string, text []byte) (s *Set, whole int, err error) {
	whole, err = lines.Fold(kind(), path, text, func(h Header) error {
		if err := h.Check(); err != nil {
			return err
		}
		s = NewSet(h)
		s.Name = path
		return nil
	}, func(ev Event) error { return s.Apply(ev) })
	return s, whole, err
}

// Add folds events and appends them to the file. They are on disk when Add returns; if they
// cannot be written, they do not count.
func (f *File) Add(events ...Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return ErrGone
	}
	var text [][]byte
	for i, ev := range events {
		line, err := json.Marshal(ev)
		if err == nil {
			err = f.set.Apply(ev)
		}
		if err != nil {
			if i > 0 {
				err = errors.Join(err, f.forget())
			}
			return err
		}
		text = append(text, line)
	}
	if len(text) == 0 {
		return nil
	}
	if err := lines.Append(f.file, text...); err != nil {
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
	s, whole, err := read(f.Path, text[:lines.Ended(text)]) // what has no line break is no part of it
	if err != nil {
		return err
	}
	f.set = s
	return lines.Cut(f.file, whole)
}

// Look hands the set to a function that reads it, and keeps nothing of it.
func (f *File) Look(at func(*Set)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at(f.set)
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
