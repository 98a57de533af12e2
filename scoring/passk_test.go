package scoring

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
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

// The values are worked out by hand from C(c, k) / C(n, k).
func TestPassAllKByHand(t *testing.T) {
	for _, x := range []struct {
		n, c, k int
		want    float64
	}{
		{8, 4, 1, 0.5},
		{8, 4, 2, 6.0 / 28},
		{8, 4, 4, 1.0 / 70},
		{8, 4, 5, 0},
		{8, 8, 8, 1},
		{5, 4, 3, 4.0 / 10},
		{10, 9, 10, 0},
		{10, 0, 1, 0},
		{200, 199, 100, 0.5}, // the one that fails is in half of the subsets
	} {
		if got, err := PassAllK(x.n, x.c, x.k); err != nil || math.Abs(got-x.want) > 1e-12 {
			t.Errorf("pass^%d of %d among %d is %v, %v; want %v", x.k, x.c, x.n, got, err, x.want)
		}
	}
}

// The mean of the estimate over all numbers of samples that may pass, each as probable as the binomial
// distribution has it, is the probability that k samples pass.
func TestPassAllKIsUnbiased(t *testing.T) {
	for _, p := range []float64{0.05, 0.3, 0.5, 0.9} {
		for _, nk := range [][2]int{{1, 1}, {4, 2}, {8, 8}, {20, 5}} {
			n, k := nk[0], nk[1]
			mean, ways := 0.0, 1.0
			for c := range n + 1 {
				v, err := PassAllK(n, c, k)
				fatal.If(t, err)
				mean += ways * math.Pow(p, float64(c)) * math.Pow(1-p, float64(n-c)) * v
				ways = ways * float64(n-c) / float64(c+1)
			}
			if want := math.Pow(p, float64(k)); math.Abs(mean-want) > 1e-12 {
				t.Errorf("the mean of pass^%d of %d samples that pass with probability %v is %v, not %v", k, n, p, mean, want)
			}
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
	for name, metric := range map[string]func(n, c, k int) (float64, error){"pass@": PassAtK, "pass^": PassAllK} {
		if _, err := metric(5, 1, 6); !errors.Is(err, ErrTooFewSamples) || !strings.Contains(err.Error(), name+"6 needs at least 6 samples") {
			t.Errorf("k > n: %v", err)
		}
		for _, bad := range [][3]int{{5, 6, 1}, {5, -1, 1}, {5, 1, 0}, {-1, 0, 1}} {
			if _, err := metric(bad[0], bad[1], bad[2]); err == nil {
				t.Errorf("%s of %v was accepted", name, bad)
			}
		}
	}
	if _, err := PassRatio(nil); err == nil {
		t.Error("a ratio of nothing")
	}
	if _, err := PassRatio([]Cases{{0, 0}}); err == nil {
		t.Error("a ratio of 0 of 0")
	}
}
