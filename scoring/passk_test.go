package scoring

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"assay/data/fatal"
)

// oracle reads the cases of one statistic from shared/oracles/stats_cases.json,
// or skips.
func oracle[T any](t *testing.T, name string) []T {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	text, err := os.ReadFile(filepath.Join(dir, "oracles", "stats_cases.json"))
	if err != nil {
		t.Skipf("the oracles are not here (%v): set ASSAY_SHARED to their folder", err)
	}
	var file struct{ Cases map[string]json.RawMessage }
	fatal.If(t, json.Unmarshal(text, &file))
	var cases []T
	if err := json.Unmarshal(file.Cases[name], &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases of %s, %v", len(cases), name, err)
	}
	return cases
}

func TestPassAtKOracle(t *testing.T) {
	type passCase struct {
		Inputs   struct{ N, C, K int }
		Expected struct{ Value float64 }
		Source   string
	}
	for _, c := range oracle[passCase](t, "pass_at_k") {
		got, err := PassAtK(c.Inputs.N, c.Inputs.C, c.Inputs.K)
		if err != nil || math.Abs(got-c.Expected.Value) > 1e-9*math.Max(c.Expected.Value, 1e-6) {
			t.Errorf("%+v: %.17g, %v; want %.17g (%s)", c.Inputs, got, err, c.Expected.Value, c.Source)
		}
	}
}

func TestPassRatioOracle(t *testing.T) {
	type ratioCase struct {
		Inputs struct {
			Passed []int
			Tests  int
		}
		Expected struct{ Value float64 }
		Source   string
	}
	for _, c := range oracle[ratioCase](t, "pass_ratio_at_n") {
		var samples []Cases
		for _, p := range c.Inputs.Passed {
			samples = append(samples, Cases{p, c.Inputs.Tests})
		}
		got, err := PassRatio(samples)
		if err != nil || math.Abs(got.Value-c.Expected.Value) > 1e-12 {
			t.Errorf("%+v: %v, %v; want %v (%s)", c.Inputs, got, err, c.Expected.Value, c.Source)
		}
	}
}

func TestPassAtKRefuses(t *testing.T) {
	if _, err := PassAtK(5, 1, 6); !errors.Is(err, ErrTooFewSamples) {
		t.Errorf("k > n: %v", err)
	}
	for _, bad := range [][3]int{{5, 6, 1}, {5, -1, 1}, {5, 1, 0}, {-1, 0, 1}} {
		if _, err := PassAtK(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	if _, err := PassRatio(nil); err == nil {
		t.Error("a ratio of nothing")
	}
	if _, err := PassRatio([]Cases{{0, 0}}); err == nil {
		t.Error("a ratio of 0 of 0")
	}
}
