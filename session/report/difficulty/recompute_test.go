package difficulty_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/sampled"
	"assay/session/difficulty"
	diffreport "assay/session/report/difficulty"
	"assay/session/report/reporttest"
)

// A script that knows nothing of assay's code works out the same numbers.
func TestRecomputedInPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not here")
	}
	binary := responses(14, 12, 1, 4)
	binary.Trials = nil
	shares := responses(14, 12, 20, 5)
	shares.Trials = nil
	one := analysis(t, responses(9, 20, 10, 1), difficulty.Options{Seed: 1, Quick: true}, "one")
	two := analysis(t, responses(9, 25, 10, 2), difficulty.Options{Seed: 1, Quick: true}, "two")
	x, y, err := difficulty.Calibrate(one, two, true)
	if err != nil {
		t.Fatal(err)
	}
	for name, all := range map[string][]*difficulty.Analysis{
		"all there is": {full(t, 9)},
		"2PL":          {analysis(t, binary, difficulty.Options{Method: difficulty.TwoPL, Subset: 5, Quick: true}, "2PL")},
		"1PL":          {analysis(t, binary, difficulty.Options{Method: difficulty.OnePL, Quick: true}, "1PL")},
		"Beta":         {analysis(t, shares, difficulty.Options{Quick: true}, "Beta")},
		"TaskEval":     {analysis(t, shares, difficulty.Options{Method: difficulty.TaskEval}, "TaskEval")},
		"two linked":   {x, y},
		"two apart":    {one, two},
	} {
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 3)
			dir := written(t, build(t, diffreport.Options{}, all...))
			said, err := exec.Command(python, filepath.Join("testdata", "recompute.py"), filepath.Join(dir, "report.json")).CombinedOutput()
			t.Log(strings.TrimSpace(string(said)))
			if err != nil {
				t.Error(err)
			}
			reporttest.Repeat(t, dir)
		})
	}
}
