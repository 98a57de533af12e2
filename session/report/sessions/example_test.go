package sessions_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"assay/session/report/sessions"
)

var updateExample = flag.Bool("update-example", false, "write testdata/example anew")

// TestExampleIsCurrent: the report that lies in testdata/example, of the synthetic study
// beside the paper, is what this version writes, byte for byte, and holds. (Synthetic: it
// says nothing about any model.)
func TestExampleIsCurrent(t *testing.T) {
	b := sessions.NewBuilder(sessions.Options{Title: "A synthetic study of 100 tasks", NoImages: true})
	if err := b.Add(studyEvents(t)); err != nil {
		t.Fatal(err)
	}
	r, err := b.Report()
	if err != nil {
		t.Fatal(err)
	}
	example := filepath.Join("testdata", "example")
	if *updateExample {
		if err := os.RemoveAll(example); err != nil {
			t.Fatal(err)
		}
		if _, err := r.WriteDir(example); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	files, err := r.WriteDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(example, rel))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s of the example is not current (%v); look at it and run the test with -update-example", rel, err)
		}
	}
	kept := 0
	_ = filepath.WalkDir(example, func(_ string, entry fs.DirEntry, _ error) error {
		if !entry.IsDir() {
			kept++
		}
		return nil
	})
	if kept != len(files) {
		t.Errorf("the example has %d files, the report %d", kept, len(files))
	}
	_, checks, err := sessions.CheckFiles(os.DirFS(example))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if len(c.Faults) > 0 {
			t.Errorf("%s: %v", c.Name, c.Faults)
		}
	}
}
