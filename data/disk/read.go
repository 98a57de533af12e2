package disk

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// Limits for files read into memory. They are far above what people write by hand and far below what would
// harm the machine.
const (
	Settings = 1 << 20   // settings, models, templates, keys and other configuration
	Document = 16 << 20  // studies, batches, prompts, manifests, a source file
	Table    = 64 << 20  // tables and logs with a line for each task, rating or decision; one line of any file
	Data     = 512 << 20 // tasks in assay's own format, a report's data
)

// TooLargeError is the error for a file above its reader's limit.
type TooLargeError struct {
	Name  string
	Limit int64 // in bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is larger than %s, the most that is read: is it another file?", e.Name, size(e.Limit))
}

func size(bytes int64) string {
	for _, u := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}} {
		if bytes >= u.bytes {
			return fmt.Sprintf("%d %s", bytes/u.bytes, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// ReadFile reads a file of at most limit bytes. A larger file is a [TooLargeError].
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return readWhole(f, path, limit)
}

// readWhole reads a file and closes it.
func readWhole(f fs.File, name string, limit int64) ([]byte, error) {
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > limit {
		return nil, &TooLargeError{name, limit}
	}
	return ReadAll(f, name, limit)
}

// ReadAll reads at most limit bytes of r, called name in errors.
func ReadAll(r io.Reader, name string, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = &TooLargeError{name, limit}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// ReadFS is [ReadFile] for a file system.
func ReadFS(folder fs.FS, name string, limit int64) ([]byte, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	return readWhole(f, name, limit)
}

// WithoutMark returns a text without the byte-order mark with which editors for Windows begin it.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// ReadLine reads through the next line break, like [bufio.Reader.ReadBytes]. A line longer than [Table] is
// a [TooLargeError].
func ReadLine(in *bufio.Reader, name string) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) > 1<<20 && cap(line) < Table { // growing buffers leave copies of the line
			line = slices.Grow(line, Table+in.Size()-len(line))
		}
		line = append(line, part...)
		if len(line) > Table {
			return nil, &TooLargeError{"a line of " + name, Table}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Open opens a file for reading. A pipe is read until all writers have closed it; one without a writer is
// empty rather than blocking forever.
func Open(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) }

// Limited returns a reader of r that fails with a [TooLargeError] after limit bytes.
func Limited(r io.Reader, name string, limit int64) io.Reader {
	return &limited{r, limit, &TooLargeError{name, limit}}
}

type limited struct {
	from io.Reader
	left int64
	err  *TooLargeError
}

func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, l.err
	}
	return n, err
}

// Torn reports whether a power loss left a line of JSON unfinished: a file system that had extended the
// file without writing the data leaves zeros, which JSON never contains.
func Torn(line []byte) bool { return bytes.IndexByte(line, 0) >= 0 }

// IsDir reports whether a path is that of a directory.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
