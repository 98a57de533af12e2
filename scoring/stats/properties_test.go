package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// someValues draws n values with many ties.
func someValues(t *rapid.T, name string, least, most int) []float64 {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(-4, 4), func(i int) float64 { return float64(i) }), least, most).Draw(t, name)
}

// distinct draws n different values in any order.
func distinct(t *rapid.T, name string, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i + 1)
	}
	return rapid.Permutation(values).Draw(t, name)
}

func same(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(a)) }

// eachPermutation calls f with every order of 0 to n-1.
func eachPermutation(n int, f func([]int)) {
	p := make([]int, 0, n)
	var more func(left []int)
	more = func(left []int) {
		if len(left) == 0 {
			f(p)
			return
		}
		for i, v := range left {
			p = append(p, v)
			more(slices.Concat(left[:i], left[i+1:]))
			p = p[:len(p)-1]
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	more(all)
}

func TestKendallIsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := someValues(t, "x", 2, 12)
		y := someValues(t, "y", len(x), len(x))
		got, err := Kendall(x, y, Normal)
		if err != nil {
			return
		}
		c, tx, ty := 0.0, 0.0, 0.0
		for i := range x {
			for j := range i {
				a, b := x[i]-x[j], y[i]-y[j]
				switch {
				case a*b > 0:
					c++
				case a*b < 0:
					c--
				}
				if a != 0 {
					tx++
				}
				if b != 0 {
					ty++
				}
			}
		}
		if want := c / math.Sqrt(tx*ty); !same(got.TauB, want) {
			t.Fatalf("tau_b %v, want %v", got.TauB, want)
		}
		back, _ := Kendall(y, x, Normal)
		if !same(back.TauB, got.TauB) || !same(back.P, got.P) {
			t.Fatalf("not symmetric: %+v, %+v", got, back)
		}
	})
}

// TestExactKendallIsAllPermutations counts every order of six values.
func TestExactKendallIsAllPermutations(t *testing.T) {
	const n = 6
	x := []float64{1, 2, 3, 4, 5, 6}
	rapid.Check(t, func(t *rapid.T) {
		y := distinct(t, "y", n)
		got, err := Kendall(x, y, Exact)
		fatal.If(t, err)
		extreme, all := 0.0, 0.0
		eachPermutation(n, func(p []int) {
			tau := 0.0
			for i := range p {
				for j := range i {
					tau += math.Copysign(2.0/(n*(n-1)), float64(p[i]-p[j]))
				}
			}
			all++
			if math.Abs(tau) >= math.Abs(got.TauB)-1e-9 {
				extreme++
			}
		})
		if !same(got.P, extreme/all) {
			t.Fatalf("p %v, want %v", got.P, extreme/all)
		}
	})
}

func TestTwoSampleSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := someValues(t, "x", 2, 15), someValues(t, "y", 2, 15)
		c, err := CliffDelta(x, y, 0.95)
		back, _ := CliffDelta(y, x, 0.95)
		if err != nil || !same(c.Delta, -back.Delta) || !same(c.Interval.Low, -back.Interval.High) || !same(c.SE, back.SE) {
			t.Fatalf("%+v, %+v, %v", c, back, err)
		}
		if c.Interval.Low > c.Delta+1e-9 || c.Interval.High < c.Delta-1e-9 || c.Interval.Low < -1 || c.Interval.High > 1 {
			t.Fatalf("%+v", c)
		}
		brute := 0.0
		for _, a := range x {
			for _, b := range y {
				switch {
				case a > b:
					brute++
				case a < b:
					brute--
				}
			}
		}
		if !same(c.Delta, brute/float64(len(x)*len(y))) {
			t.Fatalf("delta %v, brute force %v", c.Delta, brute)
		}
	})
}

// TestLogRankOfTwoGroupsIsTheSum compares with the formula for two groups.
func TestLogRankOfTwoGroupsIsTheSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		times, events, groups := make([]float64, n), make([]bool, n), make([]string, n)
		for i := range n {
			times[i] = float64(rapid.IntRange(0, 6).Draw(t, "time"))
			events[i] = rapid.Bool().Draw(t, "event")
			groups[i] = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "group")
		}
		got, err := LogRank(times, events, groups)
		if err != nil {
			return
		}
		o, e, v := 0.0, 0.0, 0.0
		for at := 0.0; at <= 6; at++ {
			risk, inA, d := 0.0, 0.0, 0.0
			for i := range n {
				if times[i] >= at {
					risk++
					if groups[i] == "a" {
						inA++
					}
				}
				if times[i] == at && events[i] {
					d++
					if groups[i] == "a" {
						o++
					}
				}
			}
			if risk > 0 {
				e += d * inA / risk
			}
			if risk > 1 {
				v += d * inA / risk * (1 - inA/risk) * (risk - d) / (risk - 1)
			}
		}
		if want := (o - e) * (o - e) / v; math.Abs(got.ChiSquare-want) > 1e-9*math.Max(1, want) || got.DF != 1 {
			t.Fatalf("%+v, want %v", got, want)
		}
	})
}

func TestAgreementInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, n := rapid.IntRange(2, 5).Draw(t, "k"), rapid.IntRange(1, 20).Draw(t, "n")
		a := rapid.SliceOfN(rapid.IntRange(0, k-1), n, n).Draw(t, "a")
		b := rapid.SliceOfN(rapid.IntRange(0, k-1), n, n).Draw(t, "b")
		ab, _ := ConfusionTable(a, b, k)
		ba, _ := ConfusionTable(b, a, k)
		aa, _ := ConfusionTable(a, a, k)
		for w := Unweighted; w <= QuadraticWeights; w++ {
			x, err := CohenKappa(ab, w, 0.95)
			y, back := CohenKappa(ba, w, 0.95)
			if (err == nil) != (back == nil) || err == nil && (!same(x.Kappa, y.Kappa) || !same(x.SE, y.SE) || x.Kappa > 1+1e-9) {
				t.Fatalf("%+v, %v; %+v, %v", x, err, y, back)
			}
			if z, err := CohenKappa(aa, w, 0.95); err == nil && !same(z.Kappa, 1) {
				t.Fatalf("agreement with oneself is %v", z.Kappa)
			}
		}
		// Scott's pi and nominal alpha: alpha = 1 - (1-pi)(1 - 1/2n).
		pairsOf := make([][]float64, n)
		counts := make([][]int, n)
		for i := range pairsOf {
			pairsOf[i] = []float64{float64(a[i]), float64(b[i])}
			counts[i] = make([]int, k)
			counts[i][a[i]]++
			counts[i][b[i]]++
		}
		alpha, err := KrippendorffAlpha(pairsOf, Nominal)
		fleiss, other := FleissKappa(counts)
		if (err == nil) != (other == nil) {
			t.Fatalf("%v, %v", err, other)
		}
		if want := 1 - (1-fleiss.Kappa)*(1-1/float64(2*n)); err == nil && !same(alpha.Alpha, want) {
			t.Fatalf("alpha %v, want %v", alpha.Alpha, want)
		}
	})
}

func TestAndersonDarlingInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y, z := someValues(t, "x", 2, 10), someValues(t, "y", 2, 10), someValues(t, "z", 1, 10)
		for _, midrank := range []bool{false, true} {
			a, err := AndersonDarling(midrank, x, y, z)
			b, other := AndersonDarling(midrank, z, x, y)
			if (err == nil) != (other == nil) || err == nil && (!same(a.Statistic, b.Statistic) || a.P < 0.0009 || a.P > 0.26) {
				t.Fatalf("%+v, %+v, %v", a, b, err)
			}
		}
	})
}

func TestHolmKeepsOrderAndNeverLowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		got, err := Holm(p)
		if err != nil || len(got) != len(p) {
			t.Fatal(err)
		}
		for i := range p {
			for j := range p {
				if got[i] < p[i] || got[i] > min(1, float64(len(p))*p[i]) && got[i] < got[j] || p[i] < p[j] && got[i] > got[j] || got[i] > 1 {
					t.Fatalf("%v becomes %v", p, got)
				}
			}
		}
	})
}

func TestClopperPearsonHoldsWilsonsCentre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100_000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		c := rapid.Float64Range(0.5, 0.999).Draw(t, "confidence")
		got, err := ClopperPearson(k, n, c)
		mirror, _ := ClopperPearson(n-k, n, c)
		p := float64(k) / float64(n)
		if err != nil || got.Low > p || got.High < p || got.Low < 0 || got.High > 1 || !same(got.Low, 1-mirror.High) {
			t.Fatalf("%d of %d: %+v, %+v, %v", k, n, got, mirror, err)
		}
	})
}
