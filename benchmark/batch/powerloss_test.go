package batch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"assay/data/disk/disktest"
)

// Whatever a power loss leaves of results.jsonl, the same command goes on; and what an
// evaluation that ended had judged is not judged again.
func TestPowerLossKeepsResults(t *testing.T) {
	b := tasks("a", "b", "c")
	list := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("%c accepted %d/9", 'a'+i%3, i/3))
		}
		return list
	}
	eval := func(dir string, n int) (*Summary, int64, error) {
		judge := &fakeJudge{}
		s, err := Eval(t.Context(), Options{Samples: samples(t, list(n)...), Benchmark: b, Out: filepath.Join(dir, "deep", "out"), Judge: judge, NoMeasures: true})
		return s, judge.calls.Load(), err
	}
	disktest.PowerLoss(t, func(dir string, done func(string)) error {
		for _, n := range []int{9, 15} {
			if _, _, err := eval(dir, n); err != nil {
				return err
			}
			done(fmt.Sprint(n))
		}
		return nil
	}, func(dir string, done []string) {
		most := 15
		if len(done) > 0 {
			most -= map[string]int{"9": 9, "15": 15}[done[len(done)-1]]
		}
		s, judged, err := eval(dir, 15)
		if err != nil || s.Samples != 15 || judged > int64(most) {
			text, _ := os.ReadFile(filepath.Join(dir, "deep", "out", ResultsName))
			t.Errorf("%d of at most %d samples were judged again, %v\n%q", judged, most, err, text)
		}
		if rows, err := ReadResults(filepath.Join(dir, "deep", "out")); err != nil || len(rows) != 15 {
			t.Errorf("the file has %d results, %v", len(rows), err)
		}
	})
}
