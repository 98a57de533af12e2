package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"assay/data/disk"
)

// SumsFile is the file that lists the others with their SHA-256, as sha256sum does.
const SumsFile = "SHA256SUMS"

// File is one file of a written report; names have slashes.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// WriteFiles writes the files of a report and then SHA256SUMS into dir, which it creates, and returns them in
// that order. It replaces a file of an earlier report only when the new one is complete, and removes those that
// this report does not have, unless they were changed.
func WriteFiles(dir string, files []File) ([]string, error) {
	before, err := readSums(os.DirFS(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot read the earlier report in %s: %w; name another directory with --out", dir, err)
	}
	if before == nil {
		if err := claim(dir, files); err != nil {
			return nil, err
		}
	}
	var written []string
	var sums bytes.Buffer
	put := func(f File) error {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("cannot make the report's directory: %w; name another with --out", err)
		}
		sum := sha256.New()
		err := disk.Replace(name, 0o644, func(w io.Writer) error {
			b := bufio.NewWriterSize(w, 64<<10)
			return errors.Join(f.Write(io.MultiWriter(b, sum)), b.Flush())
		})
		if err != nil {
			return fmt.Errorf("cannot write the report: %w", err)
		}
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum.Sum(nil)), f.Name)
		written = append(written, name)
		delete(before, f.Name)
		return nil
	}
	for _, f := range files {
		if err := put(f); err != nil {
			return written, err
		}
	}
	text := bytes.Clone(sums.Bytes())
	if err := put(File{SumsFile, WriteBytes(text)}); err != nil {
		return written, err
	}
	return written, errors.Join(removeStale(dir, before), removeUnfinished(written))
}

// Contents returns the texts of a report's files by name, with SHA256SUMS.
func Contents(files []File) (map[string][]byte, error) {
	texts := map[string][]byte{}
	var sums bytes.Buffer
	for _, f := range files {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			return nil, fmt.Errorf("cannot write %s of the report: %w", f.Name, err)
		}
		texts[f.Name] = b.Bytes()
		fmt.Fprintf(&sums, "%s  %s\n", disk.Sum(b.Bytes()), f.Name)
	}
	texts[SumsFile] = sums.Bytes()
	return texts, nil
}

// removeUnfinished removes temporary files that a killed program left.
func removeUnfinished(files []string) error {
	names := map[string][]string{} // by directory
	for _, file := range files {
		dir, name := filepath.Split(file)
		names[dir] = append(names[dir], name)
	}
	for dir, names := range names {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return fmt.Errorf("cannot look for what an earlier report left: %w", err)
		}
		for _, e := range entries {
			if !disk.Unfinished(e.Name(), names...) {
				continue
			}
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("cannot remove what an earlier report left: %w", err)
			}
		}
	}
	return nil
}

// claim makes dir the directory of a report: an empty SHA256SUMS marks it until the report is complete. Other
// files are not replaced.
func claim(dir string, files []File) error {
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("cannot write the report: %s is there already, and no report of assay's: name another directory with --out, or move it away", name)
		}
	}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = disk.Create(filepath.Join(dir, SumsFile), 0o644, disk.Bytes(""))
	}
	if err != nil {
		return fmt.Errorf("cannot write the report: %w; name another directory with --out", err)
	}
	return nil
}

// removeStale removes the files of an earlier report that were not changed.
func removeStale(dir string, stale map[string]string) error {
	for name, sum := range stale {
		text, err := disk.ReadFile(filepath.Join(dir, filepath.FromSlash(name)), disk.Data)
		if err != nil || disk.Sum(text) != sum {
			continue
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("cannot remove a file of an earlier report: %w", err)
		}
	}
	return nil
}

// readSums reads the list of a report's files with their sums.
func readSums(dir fs.FS) (map[string]string, error) {
	text, err := disk.ReadFS(dir, SumsFile, disk.Document)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	if len(text) == 0 { // of a report that was not completed
		return sums, nil
	}
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		sum, name, ok := strings.Cut(line, "  ")
		if !ok || len(sum) != 2*sha256.Size || !fs.ValidPath(name) || path.Clean(name) != name {
			return nil, fmt.Errorf("%s, line %d: not a sum and the name of a file", SumsFile, n+1)
		}
		sums[name] = sum
	}
	return sums, nil
}
