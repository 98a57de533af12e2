package evaluations_test

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"assay/session/report/evaluations"
)

// A script that shares nothing with assay computes the exported numbers again.
func TestRecomputedByPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	runs := equals(rand.New(rand.NewPCG(8, 1)), 4, 14)
	for i := range runs[3].Rows { // one that is really better
		if i%3 > 0 {
			runs[3].Rows[i] = sample(runs[3].Rows[i].TaskID, runs[3].Rows[i].Sample, 4, 4)
		}
	}
	dir := written(t, build(t, runs, evaluations.Options{K: []int{1, 2, 5}}))
	out, err := exec.Command(python, "testdata/recompute.py", dir).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "numbers agree") {
		t.Fatalf("%v: %s", err, out)
	}
	t.Log(strings.TrimSpace(string(out)))
}
