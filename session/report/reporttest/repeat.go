package reporttest

import (
	"assay/data/sampled"
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// repeated holds the hashes of the reports that R has computed again.
var repeated sync.Map

// withR returns the program that runs R scripts, $ASSAY_RSCRIPT or Rscript, with an error if it or its package
// jsonlite is missing.
var withR = sync.OnceValues(func() (string, error) {
	r, err := exec.LookPath(cmp.Or(os.Getenv("ASSAY_RSCRIPT"), "Rscript"))
	if err != nil {
		return "", err
	}
	out, err := exec.Command(r, "-e", "library(jsonlite)").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return r, nil
})

// Repeat checks that each row of the page's tables has its heading, which it keeps where they are sorted or
// searched, and has R compute the numbers of the report in dir again. It does so once for each report, however often
// a test writes it. Of the reports of subtests it does so for a sixth, always the same, and for all if ASSAY_TESTS is
// "all". A missing R is an error in CI where `make setup-test` could have installed it.
func Repeat(t *testing.T, dir string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(page, []byte(`<th scope="row"></th>`)); n > 0 {
		t.Errorf("%d rows of the page's tables have no heading", n)
	}
	if strings.Contains(t.Name(), "/") && crc32.ChecksumIEEE([]byte(t.Name()))%6 != 0 && !sampled.All {
		return
	}
	r, err := withR()
	if err != nil {
		if _, noApt := exec.LookPath("apt-get"); os.Getenv("CI") != "" && noApt == nil {
			t.Errorf("repeat.R was not run: %v", err)
		}
		t.Logf("repeat.R was not run: %v", err)
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
