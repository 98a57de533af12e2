package judge

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// tarRecord is the unit in which tar reads from a pipe.
const tarRecord = 20 * 512

// archive packs files for a box. Any of them may be a program.
func archive(files map[string]string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(files[name])), Format: tar.FormatPAX}) // in memory
		w.Write([]byte(files[name]))
	}
	w.Close()
	b.Write(make([]byte, (tarRecord-b.Len()%tarRecord)%tarRecord))
	return b.Bytes()
}

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
