package ppi

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// TestUselessJudge: a judge that always says the same changes neither estimate nor interval.
func TestUselessJudge(t *testing.T) {
	p := population{rated: 30, judged: 50, clusters: 10, cut: likert}
	items := p.draw(rand.New(rand.NewPCG(4, 4)))
	for i := range items {
		items[i].Judged = 3
	}
	e, err := Clustered(items, Scale{1, 5}, 0.95)
	fatal.If(t, err)
	if e.Estimate != e.Alone || e.Lambda != 0 || e.Effective != 30 || e.Rated != 30 || e.Judged != 50 || e.Clusters != 10 {
		t.Errorf("%+v", e)
	}
}

// TestClusteredProperties: the order of items does not matter, a shift of the judge by a constant neither, and a shift of
// people's ratings shifts the estimate.
func TestClusteredProperties(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := population{rated: 10 + r.IntN(40), judged: 5 + r.IntN(100), clusters: r.IntN(2) * 12, quality: r.Float64(), cut: func(x float64) float64 { return x }}
		items, scale := p.draw(r), Scale{-10, 10}
		e, err := Clustered(items, scale, 0.95)
		fatal.If(t, err)
		other := slices.Clone(items)
		for i := range other {
			other[i].Judged, other[i].Human = other[i].Judged+7, other[i].Human+1
		}
		r.Shuffle(len(other), func(a, b int) { other[a], other[b] = other[b], other[a] })
		o, err := Clustered(other, scale, 0.95)
		fatal.If(t, err)
		near(t, "value", o.Value, e.Value+1, 1e-9)
		near(t, "standard error", o.SE, e.SE, 1e-9)
		near(t, "λ", o.Lambda, e.Lambda, 1e-9)
		if !e.Interval.Holds(e.Value) || e.Lambda < 0 || e.Lambda > 1 || !(e.Effective > 0) {
			t.Errorf("seed %d: %+v", seed, e)
		}
		d, err := Difference(items, items, 0.95)
		fatal.If(t, err)
		if d.Value != 0 || d.SE != 0 {
			t.Errorf("seed %d: the difference of a model from itself is %v ± %v", seed, d.Value, d.SE)
		}
	}
}

func TestBadInput(t *testing.T) {
	two, three, nan := []float64{0, 1}, []float64{0, 1, 1}, []float64{0, math.NaN()}
	for name, c := range map[string]struct {
		call func() error
		want error
	}{
		"lengths":         {func() error { _, err := Proportion(Sample{two, three, two}, Joint, 0.95); return err }, stats.ErrShape},
		"one rating":      {func() error { _, err := Proportion(Sample{two[:1], two[:1], two}, Joint, 0.95); return err }, stats.ErrTooFew},
		"no judgements":   {func() error { _, err := Proportion(Sample{two, two, nil}, Joint, 0.95); return err }, stats.ErrTooFew},
		"NaN":             {func() error { _, err := Proportion(Sample{two, two, nan}, Joint, 0.95); return err }, stats.ErrNotFinite},
		"one answer":      {func() error { _, err := Proportion(Sample{two, []float64{1, 1}, two}, Joint, 0.95); return err }, stats.ErrNoVariation},
		"one rating only": {func() error { _, err := Proportion(Sample{[]float64{1, 1}, two, two}, RoganGladen, 0.95); return err }, stats.ErrNoVariation},
		"few clusters": {func() error {
			_, err := Clustered([]Rated{{Human: 1, Judged: 1, Cluster: 1}, {Judged: 1, Cluster: 2}, {Human: math.NaN(), Judged: 1, Cluster: 3}}, Scale{0, 1}, 0.95)
			return err
		}, stats.ErrTooFew},
		"infinite judgements": {func() error {
			_, err := Clustered([]Rated{{Human: 1, Judged: math.Inf(1), Cluster: 1}}, Scale{0, 1}, 0.95)
			return err
		}, stats.ErrNotFinite},
	} {
		if err := c.call(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, call := range map[string]func() error{
		"confidence":    func() error { _, err := Proportion(Sample{two, two, two}, Joint, 1); return err },
		"no proportion": func() error { _, err := Proportion(Sample{[]float64{1, 2}, two, two}, Joint, 0.95); return err },
		"no method":     func() error { _, err := Proportion(Sample{two, two, two}, "best", 0.95); return err },
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
