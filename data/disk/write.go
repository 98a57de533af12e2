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

	"github.com/google/renameio/v2"
)

// Replace writes a file of assay's own, or one that the user said may be replaced. See
// [Begin] for what may be there.
func Replace(path string, perm fs.FileMode, write func(io.Writer) error) error {
	return whole(path, perm, true, write)
}

// Create writes a file that must not be there yet: one that is gives an error of the kind
// [fs.ErrExist].
func Create(path string, perm fs.FileMode, write func(io.Writer) error) error {
	return whole(path, perm, false, write)
}

func whole(path string, perm fs.FileMode, replace bool, write func(io.Writer) error) error {
	p, err := Begin(path, perm, replace)
	if err != nil {
		return err
	}
	return p.End(write(p))
}

// Bytes is the write function of a text that is there already.
func Bytes[T string | []byte](text T) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write([]byte(text))
		return err
	}
}

// Pending is a file that is being written beside its place.
type Pending struct {
	*renameio.PendingFile
	to      string
	replace bool
}

// Begin begins to write a file beside its place. [Pending.End] must follow. A link is
// followed, and stays. Devices, pipes and directories are refused, and without replace
// whatever is there is. A file that is replaced keeps its permissions; a new one gets perm
// less the umask.
func Begin(path string, perm fs.FileMode, replace bool) (*Pending, error) {
	to, err := place(path, replace)
	if err != nil {
		return nil, err
	}
	f, err := renameio.NewPendingFile(to, renameio.WithTempDir(filepath.Dir(to)),
		renameio.WithPermissions(perm), renameio.WithExistingPermissions())
	var failed *fs.PathError
	if errors.As(err, &failed) { // not of the name that the file has meanwhile
		return nil, &fs.PathError{Op: "write", Path: path, Err: failed.Err}
	}
	if err != nil {
		return nil, err
	}
	return &Pending{f, to, replace}, nil
}

// place is where the file lies that path names, and checks what is there.
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

// Appendable fails where f, opened at path, is not a regular file: nothing else can be read
// back, locked and cut off, as files that are appended to are.
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

// End puts the file in its place once it is on the disk, or removes it where failed is an
// error, which End returns.
func (p *Pending) End(failed error) error {
	if failed == nil {
		_, failed = place(p.to, p.replace) // what came there meanwhile
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

// SyncDir makes new names in a directory survive a power loss.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a directory that may be written to but not listed
	}
	defer d.Close()
	_ = d.Sync() // not every file system can
	return nil
}

// MkdirAll makes a directory and those above it, so that they survive a power loss.
func MkdirAll(dir string, perm fs.FileMode) error {
	if _, err := os.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, perm) // which says what is in the way
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

// Unfinished reports whether the name of a file is one that [Begin] gives to what will
// become one of files; a killed program leaves such ones behind.
func Unfinished(name string, files ...string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		number, ok := strings.CutPrefix(name, "."+file)
		return ok && number != "" && strings.Trim(number, "0123456789") == ""
	})
}

// Kept returns an error unless path still names f and f holds size bytes at least: while it was
// open, another program can have deleted, replaced or cut off what was written.
func Kept(f *os.File, path string, size int64) error {
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s was deleted by another program while it was written", path)
	case err != nil:
		return err
	case !os.SameFile(mine, there):
		return fmt.Errorf("%s was replaced by another program while it was written", path)
	case mine.Size() < size:
		return fmt.Errorf("%s was cut off by another program while it was written: it has %d of %d bytes", path, mine.Size(), size)
	}
	return nil
}
