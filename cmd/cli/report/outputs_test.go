package report

import (
	"os"
	"path/filepath"
	"testing"

	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/store"
)

// A session's files are saved next to its store, readable by the user only.
func TestSaveOutputs(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(filepath.Join(dir, "assay.db"), store.Options{})
	fatal.If(t, err)
	defer s.Close()
	a := Archive{Kept: s, Dir: dir}
	at, err := a.SaveOutputs(t.Context(), "01SESSION", "plots", 2, []verdicts.OutputFile{{Name: "plot.png", Data: []byte("x")}, {Name: "y", Problem: "a link"}})
	if want := filepath.Join(dir, "outputs", "01SESSION", "plots-2"); err != nil || at != want {
		t.Fatalf("%s, %v, want %s", at, err, want)
	}
	if info, err := os.Stat(filepath.Join(at, "plot.png")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if info, err := os.Stat(at); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}
