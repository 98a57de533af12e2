package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Few pairs with ties or zeros have the p of their signs, which can be counted by hand.
func TestSignedRankOverAllSigns(t *testing.T) {
	ones := func(up, down, same int) []float64 {
		var d []float64
		for n, v := range map[float64]int{1: up, -1: down, 0: same} {
			for range v {
				d = append(d, n)
			}
		}
		return d
	}
	for _, c := range []struct {
		up, down, same int
		p              float64
		method         Method
	}{
		{5, 0, 0, 2. / 32, Permutation}, // and not 0.0369
		{5, 0, 35, 2. / 32, Permutation},
		{0, 6, 0, 2. / 64, Permutation},
		{1, 0, 7, 1, Permutation},
		{5, 1, 0, 2 * 7. / 64, Permutation}, // as the sign test: all ranks are equal
		{25, 0, 0, 2 / math.Pow(2, 25), Permutation},
		{20, 6, 0, math.NaN(), NormalContinuity},
	} {
		d := ones(c.up, c.down, c.same)
		got, err := WilcoxonSignedRank(d, make([]float64, len(d)), Pratt, TwoSided, Auto)
		if err != nil || got.Method != c.method || !math.IsNaN(c.p) && math.Abs(got.P-c.p) > 1e-15 {
			t.Errorf("%d up, %d down, %d the same: p = %v, %v, %v; want %v, %v", c.up, c.down, c.same, got.P, got.Method, err, c.p, c.method)
		}
	}
}

// The distribution is that of going through all signs.
func TestSignedRankOverAllSignsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOfN(rapid.IntRange(-3, 3), 2, 10).Draw(t, "d")
		zeros := rapid.SampledFrom([]ZeroMethod{Wilcox, Pratt, ZSplit}).Draw(t, "zeros")
		d := make([]float64, len(whole))
		for i, v := range whole {
			d[i] = float64(v)
		}
		got, err := WilcoxonSignedRank(d, make([]float64, len(d)), zeros, TwoSided, Auto)
		if err != nil || got.Method != Permutation {
			return // all zeros, or neither zeros nor ties
		}
		sizes, signs, _ := differences(d, make([]float64, len(d)), zeros)
		ranks, _ := midranks(sizes)
		var free []float64
		observed := 0.0
		for i, rank := range ranks {
			if signs[i] != 0 {
				free = append(free, rank)
			}
			if signs[i] > 0 {
				observed += rank
			}
		}
		below, above := 0, 0
		for bits := range 1 << len(free) {
			sum := 0.0
			for i, rank := range free {
				if bits>>i&1 == 1 {
					sum += rank
				}
			}
			if sum <= observed {
				below++
			}
			if sum >= observed {
				above++
			}
		}
		want := min(1, 2*float64(min(below, above))/float64(int(1)<<len(free)))
		if math.Abs(got.P-want) > 1e-12 {
			t.Fatalf("p = %v, want %v", got.P, want)
		}
	})
}
