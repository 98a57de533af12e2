package sessions

import (
	"os/exec"
	"strings"
	"testing"

	"assay/data/sampled"
	"assay/session/report/reporttest"
)

// A script that knows nothing of this program computes the numbers again from the dataset.
func TestRecomputed(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	made := map[string]*Report{"unequal sessions": leftEarly(t)}
	for name, study := range map[string]reporttest.Study{
		"one tester":     {Tasks: 45, K: 3, Testers: []string{"a"}, Models: []string{"m"}, Seed: 3},
		"few tasks":      {Tasks: 7, K: 4, Testers: []string{"a"}, Models: []string{"m"}, Seed: 2},
		"three testers":  {Tasks: 20, K: 3, Testers: []string{"a", "b", "c"}, Models: []string{"m"}, Seed: 1},
		"twelve testers": {Tasks: 12, K: 5, Testers: strings.Fields("a b c d e f g h i j k l"), Models: []string{"m"}, Seed: 4},
	} {
		made[name] = reported(t, study, len(study.Testers))
	}
	for name, r := range made {
		t.Run(name, func(t *testing.T) {
			sampled.Row(t, 2)
			dir := t.TempDir()
			if _, err := r.WriteDir(dir); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(python, "testdata/recompute.py", dir).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "numbers agree") {
				t.Fatalf("%v: %s", err, out)
			}
			t.Log(strings.TrimSpace(string(out)))
		})
	}
}
