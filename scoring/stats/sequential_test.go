package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

func equally(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = float64(i+1) / float64(n)
	}
	return all
}

// Boundaries of published tables and programs: Lan & DeMets' spending functions at a two-sided level of 0.05, by the
// program of Reboussin, DeMets, Kim & Lan (Controlled Clinical Trials 21, 2000; ldbounds in R).
func TestLooks(t *testing.T) {
	for _, c := range []struct {
		spending string
		n        int
		want     []float64
	}{
		{stats.OBrienFleming, 1, []float64{1.960}},
		{stats.OBrienFleming, 2, []float64{2.963, 1.969}},
		{stats.OBrienFleming, 3, []float64{3.710, 2.511, 1.993}},
		{stats.OBrienFleming, 5, []float64{4.877, 3.357, 2.680, 2.290, 2.031}},
		{stats.Pocock, 2, []float64{2.157, 2.201}},
		{stats.Pocock, 5, []float64{2.438, 2.427, 2.410, 2.397, 2.386}},
	} {
		looks, err := stats.Looks(equally(c.n), 0.05, c.spending)
		fatal.If(t, err)
		for i, l := range looks {
			if math.Abs(l.Bound-c.want[i]) > 0.0006 {
				t.Errorf("%s, look %d of %d: bound %.4f, want %.3f", c.spending, i+1, c.n, l.Bound, c.want[i])
			}
		}
		if last := looks[c.n-1]; math.Abs(last.Spent-0.05) > 1e-9 {
			t.Errorf("%s of %d looks spends %v", c.spending, c.n, last.Spent)
		}
	}
}

// What is due follows the information: none before the first look, the last one with the rest of the level.
func TestLookAt(t *testing.T) {
	plan := []float64{0.5, 1}
	for information, want := range map[float64]int{0.49: 0, 0.5: 1, 0.7: 1, 1: 2, 1.3: 2} {
		looks, err := stats.LookAt(plan, information, 0.05, stats.OBrienFleming)
		fatal.If(t, err)
		if len(looks) != want {
			t.Errorf("at %v %d looks are due, want %d", information, len(looks), want)
		}
		if want > 0 && looks[want-1].Fraction != min(information, 1) {
			t.Errorf("at %v: %+v", information, looks)
		}
	}
}

func TestLooksThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		fractions []float64
		alpha     float64
		spending  string
	}{
		"none":       {nil, 0.05, stats.Pocock},
		"decreasing": {[]float64{0.6, 0.5}, 0.05, stats.Pocock},
		"beyond 1":   {[]float64{0.6, 1.1}, 0.05, stats.Pocock},
		"zero":       {[]float64{0, 1}, 0.05, stats.Pocock},
		"NaN":        {[]float64{math.NaN(), 1}, 0.05, stats.Pocock},
		"level":      {[]float64{1}, 0, stats.Pocock},
		"spending":   {[]float64{1}, 0.05, "linear"},
	} {
		if _, err := stats.Looks(c.fractions, c.alpha, c.spending); !errors.Is(err, stats.ErrShape) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCalibrateLooks: looking several times at Student's t of growing samples rejects equal arms too often; with the levels
// of a plan, as often as its level says.
func TestCalibrateLooks(t *testing.T) {
	for _, c := range []struct {
		spending string
		looks, n int // n values at the end
	}{{"", 2, 12}, {"", 5, 50}, {stats.OBrienFleming, 2, 12}, {stats.OBrienFleming, 5, 50}, {stats.Pocock, 2, 12}, {stats.Pocock, 5, 50}} {
		rate := calibrate.TypeI("looks, "+c.spending, fmt.Sprintf("%d looks at %d normal differences, Student's t", c.looks, c.n), 1000)
		levels := make([]float64, c.looks)
		if c.spending == "" {
			rate.What, rate.High = "looks at 5 % each (before)", 1
		}
		looks, err := stats.Looks(equally(c.looks), 0.05, stats.Pocock)
		if c.spending != "" {
			looks, err = stats.Looks(equally(c.looks), 0.05, c.spending)
		}
		fatal.If(t, err)
		for i := range levels {
			if levels[i] = looks[i].Level; c.spending == "" {
				levels[i] = 0.05
			}
		}
		rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
			var d []float64
			for i := range levels {
				for len(d) < c.n*(i+1)/c.looks {
					d = append(d, random.NormFloat64())
				}
				one, err := stats.OneSample(d)
				fatal.If(t, err)
				if p, err := one.P(); err == nil && p <= levels[i] {
					return calibrate.Hit
				}
			}
			return calibrate.Miss
		})
	}
}
