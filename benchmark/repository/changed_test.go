package repository

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark/repository/patch"
	"assay/benchmark/sandbox"
	"assay/data/fatal"
)

// Where the kernel has no overlay for boxes, the whole tree is there after the program, and the changes are the same.
func TestChangedWhole(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	write := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			fatal.If(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		return dir
	}
	commit := write(map[string]string{"a": "a\n", "lib/b": "b\n", ".gitignore": "*.log\n", "old.log": "old\n"})
	base := write(map[string]string{"a": "a\n", "lib/b": "b\n", ".gitignore": "*.log\n", "old.log": "old\n", ".go-cache/x": "x\n"})
	left := write(map[string]string{"a": "changed\n", ".gitignore": "*.log\n", "old.log": "new\n", "new.log": "new\n", ".go-cache/y": "y\n", "c": "key\n", ".git/config": "x"})
	j := &job{base: patch.FromFS(os.DirFS(base).(fs.ReadLinkFS)), commit: commit}
	changes, problems, err := j.changed(t.Context(), sandbox.Left{Dir: os.DirFS(left).(fs.ReadLinkFS), Whole: true},
		func(text string) string { return strings.ReplaceAll(text, "key", "[key]") })
	fatal.If(t, err)
	want := patch.Changes{"a": {Data: []byte("changed\n"), Mode: patch.Regular}, "lib/b": nil, "old.log": {Data: []byte("new\n"), Mode: patch.Regular},
		"c": {Data: []byte("[key]\n"), Mode: patch.Regular}}
	if len(changes) != len(want) || len(problems) > 0 {
		t.Errorf("changed %q, problems %q", changes.Paths(), problems)
	}
	for name, file := range want {
		got, there := changes[name]
		if !there || (got == nil) != (file == nil) || file != nil && !got.Equal(file) {
			t.Errorf("%s: got %+v, want %+v", name, got, file)
		}
	}
}
