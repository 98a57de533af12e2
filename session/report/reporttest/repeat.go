package reporttest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// repeated holds the hashes of the reports that R has computed again.
var repeated sync.Map

// Repeat checks that each row of the page's tables has its heading, which it keeps where they are sorted or
// searched, and has R compute the numbers of the report in dir again, where there is R: Rscript, or what
// $ASSAY_RSCRIPT names. It does so once for each report, however often a test writes it.
func Repeat(t *testing.T, dir string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(page, []byte(`<th scope="row"></th>`)); n > 0 {
		t.Errorf("%d rows of the page's tables have no heading", n)
	}
	r, err := exec.LookPath(cmp.Or(os.Getenv("ASSAY_RSCRIPT"), "Rscript"))
	if err != nil {
		t.Log("repeat.R is not tried: there is no R")
		return
	}
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, known := repeated.LoadOrStore(sha256.Sum256(data), true); known {
		return
	}
	cmd := exec.Command(r, "repeat.R")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Errorf("repeat.R: %v", err)
	}
}
