package benchmark

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
)

// TestLibrariesGivenLaterWin over the file's, but not over a task's own.
func TestLibrariesGivenLaterWin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.json")
	const task = `{"id": "%", "title": "T", "language": "python", "entry_point": "f", "description": "d", "tests": {"style": "calls", "cases": [{"args": [], "expected": 2}]}`
	text := `{"assay_benchmark": 1, "name": "n", "libraries": {"python": "A"}, "tasks": [` +
		task + `}, ` + `{"id": "own", "library": "O",` + task[len(`{"id": "%",`):] + `}]}`
	fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	b, err := Load(path)
	fatal.If(t, err)
	dir := filepath.Dir(path)
	if b.Tasks[0].Library != filepath.Join(dir, "A") || b.Tasks[1].Library != filepath.Join(dir, "O") {
		t.Errorf("loaded: %q, %q", b.Tasks[0].Library, b.Tasks[1].Library)
	}
	fatal.If(t, b.SetLibraries("/elsewhere", map[string]string{"python": "B"}))
	if b.Tasks[0].Library != "/elsewhere/B" || b.Tasks[1].Library != filepath.Join(dir, "O") {
		t.Errorf("set: %q, %q", b.Tasks[0].Library, b.Tasks[1].Library)
	}
}

// Files outside a benchmark's folder are read only if the user allows it.
func TestNothingOutsideIsRead(t *testing.T) {
	outside := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	}
	link := func(to, path string) {
		t.Helper()
		fatal.If(t, os.Symlink(to, path))
	}
	write(filepath.Join(outside, "secret"), "the secret of this machine")
	folder := func(library string) string {
		t.Helper()
		dir := t.TempDir()
		write(filepath.Join(dir, "benchmark.json"), `{"assay_benchmark": 1, "name": "b"}`)
		write(filepath.Join(dir, ".packages", "x.py"), "")
		write(filepath.Join(dir, "a", "task.json"), `{"title": "A", "language": "python", "description": "d", "library": "`+library+`"}`)
		return dir
	}
	for _, library := range []string{".packages", "./.packages", "missing"} {
		if _, err := Load(folder(library)); err != nil {
			t.Errorf("%s: %v", library, err)
		}
	}
	linked := folder("link")
	link(outside, filepath.Join(linked, "link"))
	for _, dir := range []string{folder(outside), folder("../../"), folder(".packages/../../.."), linked} {
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "is outside the benchmark's folder") || !strings.Contains(err.Error(), LibrariesVariable+"=") {
			t.Errorf("%v", err)
		}
	}
	t.Setenv(LibrariesVariable, "/nowhere:"+outside)
	for _, dir := range []string{folder(outside), linked} {
		if _, err := Load(dir); err != nil {
			t.Error(err)
		}
	}
	dir := folder(".packages")
	link(filepath.Join(outside, "secret"), filepath.Join(dir, "a", "description.md"))
	if b, err := Load(dir); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "a", "description.md")) {
		t.Errorf("a link is followed: %v, %v", b, err)
	}
}
