package inputs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/tui/tasks"
)

// Saved scenarios are read back unchanged, with names and filters of every kind, and an invalid file is not
// overwritten.
func TestScenariosFile(t *testing.T) {
	s := Filters{filepath.Join(t.TempDir(), "new", "scenarios.toml")}
	if list, err := s.SavedFilters(); err != nil || len(list) != 0 {
		t.Fatalf("without a file: %v, %v", list, err)
	}
	if _, err := s.With("hard", ""); err == nil || !strings.Contains(err.Error(), "no filter is saved in ") {
		t.Errorf("without a filter: %v", err)
	}
	want := []tasks.SavedFilter{
		{Name: "1.5 = half", Filter: `source:"R for Everyone"`}, {Name: `a "b"`, Filter: "graph"}, {Name: "hard", Filter: "difficulty:hard"}, {Name: "über", Filter: "-type:x"},
	}
	for _, w := range slices.Backward(want) {
		if path, err := s.SaveFilter(w.Name, w.Filter); err != nil || path != s.path {
			t.Fatalf("%q: %v", w.Name, err)
		}
	}
	if got, err := s.SavedFilters(); err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %v, %v", got, err)
	}
	if _, err := s.SaveFilter("hard", "difficulty:>=medium"); err != nil {
		t.Fatal(err)
	}
	if text, err := s.With("hard", "type:x"); err != nil || text != "difficulty:>=medium type:x" {
		t.Fatalf("got %q, %v", text, err)
	}
	for _, name := range []string{"", " x", "x\ny", "x\x1b[2J"} {
		if _, err := s.SaveFilter(name, "difficulty:hard"); err == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
	if _, err := s.SaveFilter("wrong", "colour:red"); err == nil {
		t.Error("a filter that cannot be read was saved")
	}
	if entries, _ := os.ReadDir(filepath.Dir(s.path)); len(entries) != 1 {
		t.Errorf("something was left beside the file: %v", entries)
	}
	const broken = "[scenario]\nhard = difficulty\n"
	fatal.If(t, os.WriteFile(s.path, []byte(broken), 0o600))
	if _, err := s.SaveFilter("x", "y"); err == nil || !strings.Contains(err.Error(), "scenarios.toml:2: ") {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(s.path); string(text) != broken {
		t.Error("a broken file was written over")
	}
}
