package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Replace writes a file of assay's own, or one that the user allowed to be replaced. See [begin] for what
// may be at path.
func Replace(path string, perm fs.FileMode, write func(io.Writer) error) error {
	return whole(path, perm, true, write)
}

// Create writes a new file. If there is one already the error is of the kind [fs.ErrExist].
func Create(path string, perm fs.FileMode, write func(io.Writer) error) error {
	return whole(path, perm, false, write)
}

func whole(path string, perm fs.FileMode, replace bool, write func(io.Writer) error) error {
	p, err := begin(path, perm, replace)
	if err != nil {
		return err
	}
	return p.End(write(p))
}

// Bytes returns a write function for a text in memory.
func Bytes[T string | []byte](text T) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write([]byte(text))
		return err
	}
}

// Pending is a file being written under a temporary name.
type Pending struct {
	*pendingFile
	to      string
	replace bool
}

// begin starts writing a file under a temporary name. [Pending.End] must follow. It follows and keeps a
// link. It rejects devices, pipes and directories and, without replace, anything that exists. A replaced
// file keeps its permissions; a new one gets perm minus the umask.
func begin(path string, perm fs.FileMode, replace bool) (*Pending, error) {
	to, err := place(path, replace)
	if err != nil {
		return nil, err
	}
	f, err := newPending(to, perm)
	var failed *fs.PathError
	if errors.As(err, &failed) { // without the temporary name
		return nil, &fs.PathError{Op: "write", Path: path, Err: failed.Err}
	}
	if err != nil {
		return nil, err
	}
	return &Pending{f, to, replace}, nil
}

// place resolves the path of a file and checks what is there.
func place(path string, replace bool) (string, error) {
	to, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if link, linkErr := os.Readlink(path); linkErr == nil {
			return "", &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("it is a link to %s, which does not exist", link)}
		}
		return path, nil
	}
	if err != nil {
		return "", err
	}
	info, err := os.Stat(to)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", irregular(path, info.Mode())
	case !replace:
		return "", &fs.PathError{Op: "write", Path: path, Err: fs.ErrExist}
	}
	return to, nil
}

// Appendable fails if f, opened at path, is not a regular file: anything else cannot be read back, locked
// and truncated, as append-only files must be.
func Appendable(f *os.File, path string) error {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = irregular(path, info.Mode())
	}
	return err
}

func irregular(path string, mode fs.FileMode) error {
	return &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("it is %s, not a regular file", kind(mode))}
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "something else"
}

// End renames the file once it is on disk, or removes it if failed is an error, which End returns.
func (p *Pending) End(failed error) error {
	if failed == nil {
		_, failed = place(p.to, p.replace) // check again what is there
	}
	if failed == nil {
		failed = p.CloseAtomicallyReplace()
	}
	if failed != nil {
		_ = p.Cleanup()
		return failed
	}
	return SyncDir(filepath.Dir(p.to))
}

// SyncDir makes new names in a directory durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a directory that is writable but not readable
	}
	defer d.Close()
	_ = d.Sync() // not every file system supports it
	return nil
}

// MkdirAll creates a directory and its parents durably.
func MkdirAll(dir string, perm fs.FileMode) error {
	if _, err := os.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, perm) // its error names the obstacle
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := MkdirAll(above, perm); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return SyncDir(above)
}

// Unfinished reports whether name is a temporary name from [begin] for one of files; killed programs leave
// such files behind.
func Unfinished(name string, files ...string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		number, ok := strings.CutPrefix(name, "."+file)
		return ok && number != "" && strings.Trim(number, "0123456789") == ""
	})
}

// Kept returns an error unless path still names f and f has at least size bytes: while it was open, another
// program may have deleted, replaced or truncated it.
func Kept(f *os.File, path string, size int64) error {
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s was deleted by another program while it was written", path)
	case err != nil:
		return err
	case !os.SameFile(mine, info):
		return fmt.Errorf("%s was replaced by another program while it was written", path)
	case mine.Size() < size:
		return fmt.Errorf("%s was cut off by another program while it was written: it has %d of %d bytes", path, mine.Size(), size)
	}
	return nil
}
