package judge

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
)

// unarchived returns the regular files of an archive that a box wrote. A program may influence
// what its compiler writes, so a path outside the directory is an error.
func unarchived(text string) (map[string]string, error) {
	files, r := map[string]string{}, tar.NewReader(strings.NewReader(text))
	for {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if head.Typeflag != tar.TypeReg {
			continue
		}
		name := path.Clean(head.Name)
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%q lies outside the directory", head.Name)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		files[name] = string(content)
	}
}
