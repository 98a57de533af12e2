package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// built is the directory of the program that tests start.
var built string

// TestMain removes the program that tests started.
func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// builtAssay returns the path of assay, built once for all tests.
func builtAssay(tb testing.TB) string {
	tb.Helper()
	bin, err := buildOnce()
	if err != nil {
		tb.Fatal(err)
	}
	return bin
}

var buildOnce = sync.OnceValues(func() (bin string, err error) {
	if built, err = os.MkdirTemp("", "assay-test-"); err != nil {
		return "", err
	}
	bin = filepath.Join(built, "assay")
	return bin, build(bin, ".")
})

// build builds a program of this module.
func build(bin, pkg string, flags ...string) error {
	out, err := exec.Command("go", append(append([]string{"build", "-o", bin}, flags...), pkg)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
	}
	return nil
}
