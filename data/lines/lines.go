// Package lines owns append-only files of JSON Lines, which record what people decide, estimate and rate.
// The first line is a header, every other line an event. A line is on disk before anything else happens,
// and only one process at a time appends to a file. Text after the last line break was truncated by a crash
// and is ignored, unless it is a complete JSON object: then an editor omitted the line break. No prefix of
// an object is one itself.
package lines

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"assay/data/disk"
	"assay/data/filelock"
)

// Kind describes a kind of file in errors.
type Kind struct {
	Name  string // "file of estimates"
	Taken string // the error and its remedy if another process has locked the file
	Begin string // how to create the file, appended to the error for a missing one
}

// Create creates a file with its first line, and keeps it open and locked for appending. It does not
// replace an existing file.
func (k Kind) Create(path string, first any) (*os.File, error) {
	line, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	if err := disk.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("the folder of the %s cannot be created: %w", k.Name, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the %s cannot be created: %w", k.Name, err)
	}
	if err := k.lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	err = Append(f, line)
	if err == nil {
		err = disk.SyncDir(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return f, nil
}

// lock locks the file.
func (k Kind) lock(f *os.File) error {
	err := filelock.Take(f)
	if errors.Is(err, filelock.ErrTaken) {
		return &taken{k.Taken}
	}
	return err
}

// taken is [filelock.ErrTaken] in the words of a kind.
type taken struct{ words string }

func (e *taken) Error() string { return e.words }
func (e *taken) Unwrap() error { return filelock.ErrTaken }

// Read reads a file without changing it.
func (k Kind) Read(path string) ([]byte, error) {
	text, err := disk.ReadFile(path, disk.Table)
	if err != nil {
		return nil, fmt.Errorf("the %s cannot be read: %w%s", k.Name, err, k.Begin)
	}
	return text, nil
}

// Change opens a file for appending, and passes its text to read, which returns the length of the complete
// lines. Change removes text truncated by a crash after them, and adds a missing line break.
func (k Kind) Change(path string, read func(text []byte) (whole int, err error)) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("the %s cannot be opened: %w%s", k.Name, err, k.Begin)
	}
	if err := k.change(f, path, read); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (k Kind) change(f *os.File, path string, read func([]byte) (int, error)) error {
	if err := disk.Appendable(f, path); err != nil {
		return fmt.Errorf("the %s cannot be added to: %w", k.Name, err)
	}
	if err := k.lock(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	text, err := disk.ReadAll(f, path, disk.Table)
	if err != nil {
		return fmt.Errorf("the %s cannot be read: %w", k.Name, err)
	}
	whole, err := read(text)
	if err != nil {
		return err
	}
	if whole < len(text) {
		if err := cut(f, whole); err != nil {
			return fmt.Errorf("the last line of %s was cut off, and cannot be removed: %w", path, err)
		}
	}
	if whole > 0 && text[whole-1] != '\n' {
		if err := Append(f); err != nil {
			return fmt.Errorf("the last line of %s is unterminated, and the line break cannot be written: %w", path, err)
		}
	}
	return nil
}

// each calls line with the complete lines of a text and their numbers, and returns their length in bytes. A
// text without any is an error of the kind [fs.ErrNotExist].
func each(path string, text []byte, line func(n int, line []byte) error) (whole int, err error) {
	whole = ended(text)
	if last := text[whole:]; bytes.HasPrefix(last, []byte("{")) && json.Valid(last) {
		whole = len(text)
	}
	for whole > 0 && disk.Torn(text[ended(text[:whole-1]):whole]) { // lines that were never acknowledged
		whole = ended(text[:whole-1])
	}
	if whole == 0 {
		return 0, &emptyError{path}
	}
	for n, l := range bytes.Split(bytes.TrimSuffix(text[:whole], []byte("\n")), []byte("\n")) {
		if err := line(n+1, l); err != nil {
			return 0, err
		}
	}
	return whole, nil
}

// emptyError is the error for a file without a complete line.
type emptyError struct{ path string }

func (e *emptyError) Error() string { return e.path + " has no whole line: delete it, and begin again" }

// Is matches fs.ErrNotExist: a new file may be created in its place.
func (e *emptyError) Is(target error) bool { return target == fs.ErrNotExist }

// ended returns the length in bytes of the lines that have a line break.
func ended(text []byte) int { return bytes.LastIndexByte(text, '\n') + 1 }

// decode decodes a line as one object without unknown fields.
func decode(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is data after the object")
	}
	return nil
}

// Append writes lines, and returns when they are on disk. It writes nothing and fails if another program
// has deleted, replaced or truncated the file since it was last read or written.
func Append(f *os.File, lines ...[]byte) error {
	size, err := f.Seek(0, io.SeekCurrent) // after the part read or written
	if err == nil {
		err = disk.Kept(f, f.Name(), size)
	}
	if err == nil {
		_, err = f.Write(append(bytes.Join(lines, []byte("\n")), '\n'))
	}
	if err != nil {
		return err
	}
	return f.Sync()
}

// cut truncates a file to its complete lines, so that the next lines follow them.
func cut(f *os.File, whole int) error {
	if err := f.Truncate(int64(whole)); err != nil {
		return err
	}
	_, err := f.Seek(int64(whole), io.SeekStart)
	return err
}

// Fold reads a file whose first line is a header and whose other lines are events: it passes the header to
// begin, and each event to apply. It returns the length in bytes of the complete lines; errors, including
// those of begin and apply, name the line.
func Fold[H, E any](k Kind, path string, text []byte, begin func(H) error, apply func(E) error) (whole int, err error) {
	return each(path, text, func(n int, line []byte) error {
		if n == 1 {
			var h H
			if err := decode(line, &h); err != nil {
				return fmt.Errorf("%s:1: it does not begin like a %s: %w%s", path, k.Name, err, k.Begin)
			}
			if err := begin(h); err != nil {
				return fmt.Errorf("%s:1: %w", path, err)
			}
			return nil
		}
		var ev E
		err := decode(line, &ev)
		if err != nil {
			err = fmt.Errorf("it is not a line of a %s: %w", k.Name, err)
		} else {
			err = apply(ev)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w; fix or delete the line, or continue from a copy", path, n, err)
		}
		return nil
	})
}
