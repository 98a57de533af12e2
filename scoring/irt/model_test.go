package irt

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// Gradients and second derivatives equal finite differences of the objective; steps and variances from
// blocks equal those of the whole matrix.
func TestDerivativesAndBlocks(t *testing.T) {
	for _, observation := range []Observation{Binomial, Beta} {
		random := rand.New(rand.NewPCG(9, uint64(observation)))
		trials := 12
		if observation == Beta {
			trials = 0
		}
		r, _ := simulated(random, 4, 5, trials)
		r.Scores[1][2] = math.NaN()
		p := newProblem(r, observation, 0.02)
		s := newSolver(p)
		x := newPoint(4, 5)
		best, _ := p.search(Options{Starts: 4})
		x.copyFrom(best)
		size := 4 + 2*5
		at := func(k int) *float64 {
			switch {
			case k < 4:
				return &x.t[k]
			case k < 9:
				return &x.d[k-4]
			}
			return &x.a[k-9]
		}
		// Away from the maximum, so that gradients are not 0.
		for k := range size {
			*at(k) += 0.02 * random.NormFloat64()
		}
		gradient := func() []float64 {
			g := make([]float64, size)
			for i, v := range x.t {
				_, g[i], _ = uniform(v)
			}
			for j := range p.items {
				p.item(j, x.t, x.d[j], x.a[j], false, s.o)
				g[4+j], g[9+j] = s.o.gd, s.o.ga
				for i := range x.t {
					g[i] += s.o.gt[i]
				}
			}
			return g
		}
		const step = 1e-5
		g := gradient()
		whole := mat.NewSymDense(size, nil)
		for k := range size {
			*at(k) += step
			up, gu := p.objective(x), gradient()
			*at(k) -= 2 * step
			down, gd := p.objective(x), gradient()
			*at(k) += step
			if d := (up - down) / (2 * step); math.Abs(d-g[k]) > 1e-5*(1+math.Abs(d)) {
				t.Errorf("%v: gradient %d is %v, by differences %v", observation, k, g[k], d)
			}
			for l := range size {
				whole.SetSym(k, l, (gu[l]-gd[l])/(2*step))
			}
		}
		compareBlocks(t, s, x, whole, g)
	}
}

// compareBlocks compares the results of elimination with the whole matrix.
func compareBlocks(t *testing.T, s *solver, x point, whole *mat.SymDense, g []float64) {
	t.Helper()
	if _, ok := s.assemble(x, false, 0); !ok {
		t.Fatal("not positive definite")
	}
	c, ok := s.factor()
	if !ok {
		t.Fatal("the Schur complement is not positive definite")
	}
	s.direction(c)
	var inverse mat.Dense
	fatal.If(t, inverse.Inverse(whole))
	var step mat.VecDense
	step.MulVec(&inverse, mat.NewVecDense(len(g), g))
	v, observed, err := s.spread(x)
	if err != nil || !observed {
		t.Fatal(observed, err)
	}
	n, m := len(x.t), len(x.d)
	for k := range g {
		got, variance := 0.0, 0.0
		switch {
		case k < n:
			got, variance = s.step.t[k], v.t[k]
		case k < n+m:
			got, variance = s.step.d[k-n], v.d[k-n]
			if cov := inverse.At(k, k+m); math.Abs(cov-v.da[k-n]) > 1e-4*(1e-2+math.Abs(cov)) {
				t.Errorf("covariance %v, want %v", v.da[k-n], cov)
			}
		default:
			got, variance = s.step.a[k-n-m], v.a[k-n-m]
		}
		if want := -step.AtVec(k); math.Abs(got-want) > 1e-4*(1e-2+math.Abs(want)) {
			t.Errorf("step %d is %v, want %v", k, got, want)
		}
		if want := inverse.At(k, k); math.Abs(variance-want) > 1e-4*want {
			t.Errorf("variance %d is %v, want %v", k, variance, want)
		}
	}
}

// The expected second derivatives are the mean of the observed ones over responses drawn from the model.
func TestExpectedCurvature(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 10))
	for _, observation := range []Observation{Binomial, Beta} {
		const tt, d, a, count = 0.7, -0.4, 1.3, 40_000
		trials := map[Observation]int{Binomial: 6, Beta: 0}[observation]
		y := [][]float64{make([]float64, count)}
		for i := range y[0] {
			y[0][i] = drawn(random, trials, tt, d, a)
		}
		p := newProblem(fromItems(y, float64(trials)), observation, 0)
		abilities := make([]float64, count)
		for i := range abilities {
			abilities[i] = tt
		}
		seen, expected := newTerms(count), newTerms(count)
		p.item(0, abilities, d, a, false, seen)
		p.item(0, abilities, d, a, true, expected)
		for what, pair := range map[string][2]float64{"dd": {seen.dd, expected.dd}, "da": {seen.da, expected.da}, "aa": {seen.aa, expected.aa}, "td": {stats.Sum(seen.td), stats.Sum(expected.td)}, "ta": {stats.Sum(seen.ta), stats.Sum(expected.ta)}, "tt": {stats.Sum(seen.tt), stats.Sum(expected.tt)}} {
			if math.Abs(pair[0]-pair[1]) > 0.03*math.Abs(pair[1]) {
				t.Errorf("%v, %s: observed %v, expected %v", observation, what, pair[0], pair[1])
			}
		}
		// The information about ability is the same.
		e, err := Fit(table([][]float64{{0.2, 0.9}, {0.5, 0.4}}, float64(trials)), Options{Observation: observation})
		fatal.If(t, err)
		e.at.d[0], e.at.a[0] = d, a
		info, err := e.ItemInformation(0, logistic(tt))
		if err != nil || math.Abs(info-expected.tt[0]) > 1e-9 {
			t.Errorf("%v: information %v, want %v (%v)", observation, info, expected.tt[0], err)
		}
	}
}

// Fit statistics of the right model are near 1, of an erratic item and
// respondent above it.
func TestFitStatistics(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 12))
	r, _ := simulated(random, 30, 80, 20)
	for i := range r.Scores {
		r.Scores[i][7] = float64(random.IntN(21)) / 20
	}
	for j := range r.Items {
		r.Scores[3][j] = float64(random.IntN(21)) / 20
	}
	e, err := Fit(r, Options{})
	fatal.If(t, err)
	fits := e.Fits()
	var infit []float64
	for j, f := range fits.Items {
		if f.N != 30 || f.Name != r.Items[j] {
			t.Errorf("%+v", f)
		}
		if j != 7 {
			infit = append(infit, f.Infit)
		}
	}
	if m := stats.Median(infit); m < 0.8 || m > 1.6 {
		t.Errorf("median infit %v", m)
	}
	if fits.Items[7].Infit < 4 || fits.Respondents[3].Infit < 4 {
		t.Errorf("erratic: %+v, %+v", fits.Items[7], fits.Respondents[3])
	}
	// By hand: p of the first cell.
	mean := e.Expected(0, 0)
	if z := (r.Scores[0][0] - mean) / math.Sqrt(mean*(1-mean)/20); math.Abs(z-fits.Residuals[0][0]) > 1e-9 {
		t.Errorf("residual %v, want %v", fits.Residuals[0][0], z)
	}
}

// trigamma(1) = π²/6, trigamma(1/2) = π²/2, and the recurrence.
func TestTrigamma(t *testing.T) {
	for _, c := range [][2]float64{{1, math.Pi * math.Pi / 6}, {0.5, math.Pi * math.Pi / 2}, {3, math.Pi*math.Pi/6 - 1.25}, {1e-3, 1000001.6425331959}, {1e6, 1.0000005000001667e-6}} {
		if got := trigamma(c[0]); math.Abs(got-c[1]) > 1e-12*c[1] {
			t.Errorf("trigamma(%v) = %.17g, want %.17g", c[0], got, c[1])
		}
	}
}

// The same seed gives the same result; another order of respondents gives the same objective.
func TestSameAgain(t *testing.T) {
	r, _ := simulated(rand.New(rand.NewPCG(13, 13)), 6, 30, 10)
	a, err := Fit(r, Options{Seed: 4})
	fatal.If(t, err)
	b, err := Fit(r, Options{Seed: 4})
	fatal.If(t, err)
	ia, err := a.Draw(7, Short(), 0.95)
	fatal.If(t, err)
	ib, err := b.Draw(7, Short(), 0.95)
	fatal.If(t, err)
	for j := range a.Items {
		if a.Difficulty[j] != b.Difficulty[j] || ia.Intervals.Discrimination[j] != ib.Intervals.Discrimination[j] || ia.Estimates.Difficulty[j] != ib.Estimates.Difficulty[j] {
			t.Fatalf("item %d: %v and %v, %v and %v", j, a.Difficulty[j], b.Difficulty[j], ia.Intervals.Discrimination[j], ib.Intervals.Discrimination[j])
		}
	}
	for _, rows := range [][][]float64{r.Scores, r.Trials} {
		rows[0], rows[5] = rows[5], rows[0]
	}
	c, err := Fit(r, Options{Seed: 4})
	fatal.If(t, err)
	if math.Abs(c.Objective-a.Objective) > 1e-6*math.Abs(a.Objective) || math.Abs(c.Ability[0]-a.Ability[5]) > 1e-4 {
		t.Errorf("objective %v, of another order %v", a.Objective, c.Objective)
	}
}

// Draws from the posterior of an item, with abilities fixed by much other data, have the moments of a fine
// grid: constant, hardly discriminating, and usual items.
func TestPosteriorAgainstGrid(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 14))
	for what, score := range map[string]func(i int) float64{
		"constant": func(int) float64 { return 1 },
		"flat":     func(i int) float64 { return float64(5+i%2) / 10 },
		"usual":    func(i int) float64 { return float64(i) / 10 },
	} {
		y := [][]float64{make([]float64, 10)}
		for i := range y[0] {
			y[0][i] = score(i)
		}
		p := newProblem(fromItems(y, 10), Binomial, 0)
		e := &Estimates{p: p, at: newPoint(10, 1), Dispersion: Dispersion{Ratio: 1}}
		for i := range e.at.t {
			e.at.t[i] = float64(i)/2 - 2
		}
		e.at.a[0] = 1
		c, err := newChain(e, random, 1)
		fatal.If(t, err)
		var d, a []float64
		for round := range 60_000 {
			rate := 0.0
			if round < Long().Adapting {
				rate = 1 / math.Sqrt(float64(round+1))
			}
			c.moveItem(0, round, rate)
			if round >= Long().Adapting {
				d, a = append(d, logistic(c.x.d[0])), append(a, c.x.a[0])
			}
		}
		sum, sd, sa, saa := 0.0, 0.0, 0.0, 0.0
		least := p.value(0, e.at.t, e.at.d[0], e.at.a[0])
		for x := -12.0; x <= 12; x += 0.02 {
			for slope := -4.0; slope <= 6; slope += 0.02 {
				w := math.Exp(least - p.value(0, e.at.t, x, slope))
				sum += w
				sd += w * logistic(x)
				sa += w * slope
				saa += w * slope * slope
			}
		}
		sd, sa, saa = sd/sum, sa/sum, math.Sqrt(saa/sum-sa/sum*sa/sum)
		if math.Abs(stats.Mean(d)-sd) > 0.02 || math.Abs(stats.Mean(a)-sa) > 0.06 || math.Abs(stats.SD(a)-saa) > 0.06 {
			t.Errorf("%s: means %.3f, %.3f, SD %.3f; by a grid %.3f, %.3f, %.3f", what, stats.Mean(d), stats.Mean(a), stats.SD(a), sd, sa, saa)
		}
	}
}
