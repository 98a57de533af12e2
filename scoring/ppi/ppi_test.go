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

// TestClusteredErrors: values of statsmodels 0.13.5, OLS and Logit with cov_type cluster without its correction, times
// √(6/5) for the six clusters.
func TestClusteredErrors(t *testing.T) {
	x := []float64{2.04, -2.56, 0.42, -0.57, -0.45, -0.22, -2.02, -0.23, -0.87, 3.32, 0.23, -0.35, -0.28, -0.67, -1.06, -0.39, 0.48, -0.24, 0.96, -0.2, 0.02, 1.55, 0.55, -0.51}
	y := []float64{0.95, -0.03, 4.03, 1.03, 0.62, 2.56, -3.02, 2.45, 1.54, 0.72, 1.15, 2.53, 0.23, 0.13, 2.43, 0.48, 2.4, 2.63, 1.49, 2.55, 2.74, 0.58, 1.62, 2.33}
	r := Regression{Human: y, Judged: make([]float64, len(x)), Others: make([]float64, len(x))}
	ones := slices.Clone(y)
	for i := range x {
		r.X, r.OtherX = append(r.X, []float64{1, x[i]}), append(r.OtherX, []float64{1, x[i]})
		r.Cluster, r.OtherCluster = append(r.Cluster, i%6), append(r.OtherCluster, 100+i)
		ones[i] = 0
		if y[i] > 1 {
			ones[i] = 1
		}
	}
	for _, c := range []struct {
		name       string
		fit        func(Regression, float64, float64) (Coefficients, error)
		human      []float64
		values, se [2]float64
	}{
		{"least squares", OLS, y, [2]float64{1.4341415365343066, 0.2660922636412951}, [2]float64{0.4683306155235047, 0.3066938082162305}},
		{"logistic", Logistic, ones, [2]float64{0.507948882228705, -0.11823520794875206}, [2]float64{0.5873225545544093, 0.49528894935202467}},
	} {
		r.Human = c.human
		got, err := c.fit(r, 0, 0.95)
		fatal.If(t, err)
		for j := range c.values {
			near(t, c.name+": value", got.Values[j], c.values[j], 1e-8)
			near(t, c.name+": se", got.SE[j], c.se[j], 1e-8)
		}
	}
}

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
	x := [][]float64{{1, 0}, {1, 1}, {1, 2}, {1, 3}}
	apart := Regression{X: x, Human: []float64{0, 0, 1, 1}, Judged: []float64{0, 1, 0, 1}, OtherX: x, Others: []float64{0, 1, 0, 1}}
	same := apart
	same.X = [][]float64{{1, 1}, {1, 1}, {1, 1}, {1, 1}}
	same.OtherX = same.X
	for name, c := range map[string]struct {
		call func() error
		want error
	}{
		"lengths":         {func() error { _, err := Mean(Sample{two, three, two}, 1, 0.95); return err }, stats.ErrShape},
		"one rating":      {func() error { _, err := Mean(Sample{two[:1], two[:1], two}, 1, 0.95); return err }, stats.ErrTooFew},
		"no judgements":   {func() error { _, err := Mean(Sample{two, two, nil}, Tuned, 0.95); return err }, stats.ErrTooFew},
		"NaN":             {func() error { _, err := Mean(Sample{two, two, nan}, Tuned, 0.95); return err }, stats.ErrNotFinite},
		"one answer":      {func() error { _, err := Proportion(Sample{two, []float64{1, 1}, two}, Joint, 0.95); return err }, stats.ErrNoVariation},
		"one rating only": {func() error { _, err := Proportion(Sample{[]float64{1, 1}, two, two}, RoganGladen, 0.95); return err }, stats.ErrNoVariation},
		"separated":       {func() error { _, err := Logistic(apart, 0, 0.95); return err }, stats.ErrNoVariation},
		"collinear":       {func() error { _, err := OLS(same, 1, 0.95); return err }, stats.ErrNoVariation},
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
		"λ":             func() error { _, err := Mean(Sample{two, two, two}, 1.5, 0.95); return err },
		"confidence":    func() error { _, err := Mean(Sample{two, two, two}, 1, 1); return err },
		"no proportion": func() error { _, err := Proportion(Sample{[]float64{1, 2}, two, two}, Plain, 0.95); return err },
		"no method":     func() error { _, err := Proportion(Sample{two, two, two}, "best", 0.95); return err },
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
