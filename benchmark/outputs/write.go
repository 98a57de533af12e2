package outputs

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"assay/benchmark/verdicts"
	"assay/data/disk"
)

// Write writes the copied files into the directory base/sub, which it returns. It skips files with a
// problem, creates missing directories, and replaces files of an earlier call; anything other than a
// regular file in the way is an error.
func Write(base, sub string, files []verdicts.OutputFile) (string, error) {
	dir := filepath.Join(base, filepath.FromSlash(sub))
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", fmt.Errorf("making the directory for output files: %w", err)
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		return "", fmt.Errorf("opening the directory for output files: %w", err)
	}
	defer root.Close()
	for _, f := range files {
		if f.Problem != "" {
			continue
		}
		if !fs.ValidPath(f.Name) || f.Name == "." {
			return "", fmt.Errorf("writing %q to %s: it is not a plain relative path", f.Name, dir)
		}
		if err := write(root, path.Join(sub, f.Name), f.Data); err != nil {
			return "", fmt.Errorf("writing %s to %s: %w", f.Name, dir, err)
		}
	}
	return dir, nil
}

// errInTheWay is returned if something other than a file or directory is in the way.
var errInTheWay = errors.New("is not a regular file or directory; remove it and try again")

// write writes a file under a temporary name first, so that no partial file is ever visible.
func write(root *os.Root, name string, data []byte) error {
	if err := makeDirectories(root, path.Dir(name)); err != nil {
		return err
	}
	switch info, err := root.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s %w", name, errInTheWay)
	default:
		if old, err := root.ReadFile(name); err == nil && bytes.Equal(old, data) {
			return nil
		}
	}
	temporary := path.Join(path.Dir(name), ".new-"+rand.Text())
	f, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		root.Remove(temporary)
	}
	return err
}

// makeDirectories creates the missing directories of a path, accessible only by the user.
func makeDirectories(root *os.Root, dir string) error {
	if dir == "." {
		return nil
	}
	if err := makeDirectories(root, path.Dir(dir)); err != nil {
		return err
	}
	info, err := root.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := root.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s %w", dir, errInTheWay)
	}
	return nil
}

// maxName is the longest name derived from an id, in bytes.
const maxName = 80

// SafeName converts an id to the name of a directory. If the id is not safe as it is, the name gets a part
// of its hash, so that different ids have different names.
func SafeName(id string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, id)
	if safe == id && id != "" && len(id) <= maxName && !strings.HasPrefix(id, ".") {
		return id
	}
	return strings.TrimLeft(safe[:min(len(safe), maxName)], ".") + "-" + disk.Sum(id)[:8]
}
