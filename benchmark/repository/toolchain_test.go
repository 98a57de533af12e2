package repository

import (
	"os"
	"path/filepath"
	"testing"

	"assay/data/fatal"
)

// Interpreters of pyenv are found below the home directory, but not where boxes cannot see them.
func TestPythonOfPyenv(t *testing.T) {
	home := t.TempDir()
	fatal.If(t, os.Chmod(filepath.Dir(home), 0o755)) // of which go makes a private one
	t.Setenv("HOME", home)
	bin := filepath.Join(home, ".pyenv", "versions", "3.2.6", "bin")
	fatal.If(t, os.MkdirAll(bin, 0o755))
	fatal.If(t, os.WriteFile(filepath.Join(bin, "python3.2"), []byte("#!/bin/sh\necho Python 3.2.6\n"), 0o755))
	if found, err := findPython(t.Context(), "3.2"); err != nil || found.name != "CPython 3.2.6" || !found.exact {
		t.Errorf("%+v, %v", found, err)
	}
	if os.Geteuid() != 0 {
		t.Skip("boxes of others than root see what their user sees")
	}
	fatal.If(t, os.Chmod(home, 0o700))
	if found, err := findPython(t.Context(), "3.2"); err == nil && found.exact {
		t.Errorf("%+v", found)
	}
}
