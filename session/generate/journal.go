package generate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"assay/data/disk"
)

// journal is an append-only file of answers. It can be read while it grows.
type journal struct {
	path string

	mu    sync.Mutex
	file  *os.File      // open for writing; nil until the first line is added
	size  int64         // of complete lines
	dirty bool          // something was written and not synced
	ended bool          // no more lines will be added
	grown chan struct{} // closed when size or ended changes
}

// openJournal reads a file of answers, and calls each with every line. Unless readOnly it removes a line
// truncated by a crash or power loss. A missing file has no lines.
func openJournal(path string, readOnly bool, each func(line int, a Answer) error) (*journal, error) {
	j := &journal{path: path, grown: make(chan struct{})}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return j, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading answers: %w", err)
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 64<<10)
	torn := map[int]bool{} // line numbers
	for line := 1; ; line++ {
		text, err := disk.ReadLine(in, path)
		if errors.Is(err, io.EOF) {
			break // a line truncated by a crash
		}
		if err != nil {
			return nil, fmt.Errorf("reading answers: %w", err)
		}
		if disk.Torn(text) {
			torn[line] = true
			continue
		}
		var a Answer
		if err := json.Unmarshal(text, &a); err != nil || a.Key == "" {
			return nil, fmt.Errorf("%s:%d is not a stored answer: restore the file, or remove this line to request its answer again", path, line)
		}
		if err := each(line, a); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		j.size += int64(len(text))
	}
	info, err := f.Stat()
	switch {
	case err != nil || readOnly || info.Size() == j.size:
		return j, err
	case len(torn) > 0:
		err = leaveOut(f, path, torn)
	default:
		err = os.Truncate(path, j.size)
	}
	if err != nil {
		return nil, fmt.Errorf("removing an incomplete line: %w", err)
	}
	return j, nil
}

// leaveOut rewrites a file without some of its lines, and without a last line that has no line break.
func leaveOut(f *os.File, path string, lines map[int]bool) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(f, 64<<10)
	return disk.Replace(path, 0o644, func(w io.Writer) error {
		for line := 1; ; line++ {
			text, err := disk.ReadLine(in, path)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err == nil && !lines[line] {
				_, err = w.Write(text)
			}
			if err != nil {
				return err
			}
		}
	})
}

// add writes an answer. It is passed to the system in one piece, so a killed program loses nothing; sync
// protects against a power loss.
func (j *journal) add(a Answer) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return fmt.Errorf("writing an answer to %s: %w", j.path, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.open()
	if err == nil {
		err = disk.Kept(j.file, j.path, j.size) // another program deleted or truncated the file
	}
	if err != nil {
		return fmt.Errorf("writing an answer: %w", err)
	}
	if _, err := j.file.Write(line.Bytes()); err != nil {
		// Remove a part that a full disk accepted, so that the next line does not follow it.
		return errors.Join(fmt.Errorf("writing an answer to %s: %w", j.path, err), j.file.Truncate(j.size))
	}
	j.size += int64(line.Len())
	j.dirty = true
	j.wake()
	return nil
}

// open opens the file for appending. The caller holds the lock.
func (j *journal) open() (err error) {
	if j.file != nil {
		return nil
	}
	if err := disk.MkdirAll(filepath.Dir(j.path), 0o755); err != nil {
		return err
	}
	if j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(j.path))
}

// wake tells readers that something has changed. The caller holds the lock.
func (j *journal) wake() {
	close(j.grown)
	j.grown = make(chan struct{})
}

// sync flushes added lines to disk.
func (j *journal) sync() error {
	j.mu.Lock()
	f, dirty := j.file, j.dirty
	j.dirty = false
	j.mu.Unlock()
	if !dirty {
		return nil
	}
	return f.Sync()
}

// end tells readers that there are no more lines.
func (j *journal) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ended = true
	j.wake()
}

func (j *journal) close() error {
	err := j.sync()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return err
	}
	err = errors.Join(err, disk.Kept(j.file, j.path, j.size), j.file.Close())
	j.file = nil
	return err
}

// Reader reads a file of answers from its first line and, while answers are being generated, waits for the
// next.
type Reader struct {
	journal *journal
	file    *os.File
	in      *bufio.Reader
	read    int64
}

// Next returns the next answer, io.EOF if there will be no more, or ctx's error.
func (r *Reader) Next(ctx context.Context) (Answer, error) {
	for {
		r.journal.mu.Lock()
		size, ended, grown := r.journal.size, r.journal.ended, r.journal.grown
		r.journal.mu.Unlock()
		if r.read < size {
			return r.line()
		}
		if ended {
			return Answer{}, io.EOF
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
	}
}

func (r *Reader) line() (a Answer, err error) {
	if r.file == nil {
		if r.file, err = os.Open(r.journal.path); err != nil {
			return a, fmt.Errorf("reading answers: %w", err)
		}
		r.in = bufio.NewReaderSize(r.file, 32<<10)
	}
	text, err := r.in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return a, fmt.Errorf("reading answers: %s changed while it was read: %w", r.journal.path, err)
	}
	r.read += int64(len(text))
	return a, nil
}

// Close releases the file.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
