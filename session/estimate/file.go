package estimate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"assay/session/filelock"
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

// Open reads a file of estimates. What follows the last line break was cut off by a crash, and
// does not count; any other line that cannot be read is an error that names it.
func Open(path string) (*Round, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the file of estimates cannot be read: %w; 'assay difficulty round' makes one", err)
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
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("the folder of the estimates cannot be made: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("the file of estimates cannot be made: %w", err)
	}
	if err := errors.Join(appendLine(f, line), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Change opens a file of estimates to add to it. A line that a crash cut off is removed.
func Change(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("the file of estimates cannot be opened: %w; 'assay difficulty round' makes one", err)
	}
	r, err := change(f, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &File{Path: path, round: r, file: f}, nil
}

func change(f *os.File, path string) (*Round, error) {
	if err := filelock.Take(f); errors.Is(err, filelock.ErrTaken) {
		return nil, fmt.Errorf("%s: another assay has these estimates open: end it first, or give each estimator a copy of the file", path)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("the file of estimates cannot be read: %w", err)
	}
	r, whole, err := read(path, text)
	if err != nil {
		return nil, err
	}
	if whole < len(text) {
		if err := f.Truncate(int64(whole)); err != nil {
			return nil, fmt.Errorf("the last line of %s was cut off, and cannot be removed: %w", path, err)
		}
	}
	return r, nil
}

// read folds the whole lines of a file, and says how many bytes they are.
func read(path string, text []byte) (r *Round, whole int, err error) {
	whole = bytes.LastIndexByte(text, '\n') + 1
	if whole == 0 {
		return nil, 0, fmt.Errorf("%s holds nothing that could be read: delete it, and make the round again: %w", path, fs.ErrNotExist)
	}
	for n, line := range bytes.Split(text[:whole-1], []byte("\n")) {
		if n == 0 {
			var h Header
			if err := decode(line, &h); err != nil {
				return nil, 0, fmt.Errorf("%s:1: it does not begin as a file of estimates does: %w; 'assay difficulty round' makes one", path, err)
			}
			if err := h.Check(); err != nil {
				return nil, 0, fmt.Errorf("%s:1: %w", path, err)
			}
			r = NewRound(h)
			r.Name = path
			continue
		}
		var ev Event
		err := decode(line, &ev)
		if err == nil {
			err = r.Apply(ev)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w; mend or delete the line, or go on from a copy", path, n+1, err)
		}
	}
	return r, whole, nil
}

func decode(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
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
	if err := appendLine(f.file, line); err != nil {
		return errors.Join(fmt.Errorf("it could not be written to %s: %w", f.Path, err), f.forget())
	}
	return nil
}

// forget goes back to what the file holds, after something could not be written.
func (f *File) forget() error {
	text, err := os.ReadFile(f.Path)
	if err != nil {
		return err
	}
	r, whole, err := read(f.Path, text)
	if err != nil {
		return err
	}
	f.round = r
	return f.file.Truncate(int64(whole))
}

// appendLine writes a line, and returns when it is on disk.
func appendLine(f *os.File, line []byte) error {
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Sync()
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
