package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/store"
)

// A store is opened where the address space is limited to 1.5 GB or more (ulimit -v). Below that it is opened, or a
// sentence says what is too low.
func TestLimitedAddressSpace(t *testing.T) {
	t.Parallel()
	bin, path := builtAssay(t), filepath.Join(t.TempDir(), "assay.db")
	s, err := store.Open(path, store.Options{})
	fatal.If(t, err)
	fatal.If(t, s.Close())
	for megabytes := 200; megabytes <= 2000; megabytes += 50 {
		for range 3 {
			out, err := exec.Command("sh", "-c", `ulimit -v "$0" && exec "$1" session list --store "$2"`, fmt.Sprint(megabytes<<10), bin, path).CombinedOutput()
			told := strings.HasPrefix(string(out), "assay: the limit of ") && strings.Count(string(out), "\n") == 1
			if err != nil && (megabytes >= 1500 || !told) {
				t.Fatalf("in %d MB: %v\n%.300s", megabytes, err, out)
			}
		}
	}
}
