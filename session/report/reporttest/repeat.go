package reporttest

import (
	"cmp"
	"os"
	"os/exec"
	"testing"
)

// Repeat has R compute the numbers of the report in dir again, where there is R: Rscript, or what
// $ASSAY_RSCRIPT names.
func Repeat(t *testing.T, dir string) {
	t.Helper()
	r, err := exec.LookPath(cmp.Or(os.Getenv("ASSAY_RSCRIPT"), "Rscript"))
	if err != nil {
		t.Log("repeat.R is not tried: there is no R")
		return
	}
	cmd := exec.Command(r, "repeat.R")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Errorf("repeat.R: %v", err)
	}
}
