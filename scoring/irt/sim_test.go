package irt

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"assay/scoring/stats"
)

// simulated draws parameters from the priors and responses from the model:
// binomial of so many trials, or with none by the beta distribution.
func simulated(random *rand.Rand, respondents, items, trials int) (Responses, point) {
	x := newPoint(respondents, items)
	for i := range x.t {
		x.t[i] = logit(random.Float64())
	}
	for j := range x.d {
		x.d[j], x.a[j] = logit(random.Float64()), 1+random.NormFloat64()
	}
	y := make([][]float64, items)
	for j := range y {
		for i := range respondents {
			y[j] = append(y[j], drawn(random, trials, x.t[i], x.d[j], x.a[j]))
		}
	}
	return fromItems(y, float64(trials)), x
}

func drawn(random *rand.Rand, trials int, t, d, a float64) float64 {
	if trials == 0 {
		alpha, beta := shapes(t, d, a)
		return drawBeta(random, alpha, beta)
	}
	p, hits := logistic(a*(t-d)), 0
	for range trials {
		if random.Float64() < p {
			hits++
		}
	}
	return float64(hits) / float64(trials)
}

// sets is how many sets a simulation draws: few, or as many as ASSAY_SIMULATIONS says.
func sets(t testing.TB, few int) int {
	if text := os.Getenv("ASSAY_SIMULATIONS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("ASSAY_SIMULATIONS=%q is no number of sets", text)
		}
		return n
	}
	return few
}

// share counts how often something held.
type share struct{ held, all int }

func (s *share) add(held bool) {
	s.all++
	if held {
		s.held++
	}
}

func (s share) rate() float64 { return float64(s.held) / float64(s.all) }

func within(iv stats.Interval, v float64) bool { return iv.Low <= v && v <= iv.High }

// covered is how often intervals held the true ability, difficulty, discrimination.
type covered struct{ t, d, a share }

func (c *covered) add(iv Intervals, truth point) {
	for i, v := range iv.Ability {
		c.t.add(within(v, logistic(truth.t[i])))
	}
	for j, v := range iv.Difficulty {
		c.d.add(within(v, logistic(truth.d[j])))
		c.a.add(within(iv.Discrimination[j], truth.a[j]))
	}
}

func TestCoverageExplore(t *testing.T) {
	for _, c := range []struct {
		resp, trials int
		clip         float64
	}{{20, 90, 0}, {20, 90, 0.001}, {20, 10, 0}, {20, 0, 0}, {5, 90, 0}, {5, 0, 0}} {
		random := rand.New(rand.NewPCG(5, 5))
		var all covered
		n := sets(t, 20)
		for range n {
			r, truth := simulated(random, c.resp, 164, c.trials)
			e, err := Fit(r, Options{Clip: c.clip})
			if err != nil {
				t.Fatal(err)
			}
			iv, err := e.Laplace(0.95)
			if err != nil {
				t.Fatal(err)
			}
			all.add(iv, truth)
		}
		t.Logf("%+v: t %.4f d %.4f a %.4f", c, all.t.rate(), all.d.rate(), all.a.rate())
	}
	_ = math.Pi
}
