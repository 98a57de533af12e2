package report_test

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"assay/session/report"
)

// TestContents: the files of a report are the same in memory and on disk.
func TestContents(t *testing.T) {
	files := []report.File{
		{Name: "report.html", Write: report.WriteBytes([]byte("<p>1</p>\n"))},
		{Name: "dataset/data.csv", Write: func(w io.Writer) error { _, err := io.WriteString(w, "a,b\n"); return err }},
	}
	dir := t.TempDir()
	written, err := report.WriteFiles(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	onDisk := map[string][]byte{}
	for _, path := range written {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		if onDisk[filepath.ToSlash(name)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o111 != 0 {
			t.Errorf("%s can be executed: %v, %v", name, info.Mode(), err)
		}
	}
	inMemory, err := report.Contents(files)
	if err != nil || len(inMemory) != 3 || !maps.EqualFunc(inMemory, onDisk, bytes.Equal) {
		t.Errorf("in memory %q (%v), on disk %q", inMemory, err, onDisk)
	}
}
