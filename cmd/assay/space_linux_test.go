package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"assay/data/fatal"
	"assay/store"
)

// A store is opened where the address space is limited to 1.5 or 2 GB (ulimit -v).
func TestLimitedAddressSpace(t *testing.T) {
	t.Parallel()
	bin, path := builtAssay(t), filepath.Join(t.TempDir(), "assay.db")
	s, err := store.Open(path, store.Options{})
	fatal.If(t, err)
	fatal.If(t, s.Close())
	for _, kilobytes := range []string{"1500000", "2000000"} {
		for range 3 {
			out, err := exec.Command("sh", "-c", `ulimit -v "$0" && exec "$1" session list --store "$2"`, kilobytes, bin, path).CombinedOutput()
			if err != nil {
				t.Fatalf("in %s kB: %v\n%.300s", kilobytes, err, out)
			}
		}
	}
}
