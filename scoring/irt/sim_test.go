package irt

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
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

// 95 % intervals hold the true values in 92 to 98 of 100 cases with twenty
// respondents. With five it is reported, and the fit warns.
// ASSAY_SIMULATIONS=200 is the whole simulation.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		respondents, items, trials, few int
		observation                     string
	}{{20, 164, 90, 2, "binomial"}, {5, 164, 90, 2, "binomial"}, {20, 60, 10, 1, "binomial"}, {20, 30, 0, 1, "Beta"}} {
		random := rand.New(rand.NewPCG(uint64(c.respondents), uint64(c.trials)))
		var posterior, laplace covered
		mixing, n := 0.0, sets(t, c.few)
		for k := range n {
			r, truth := simulated(random, c.respondents, c.items, c.trials)
			e, err := Fit(r, Options{Seed: uint64(k)})
			if err != nil {
				t.Fatal(err)
			}
			if few := warned(e, TooFewRespondents); few != (c.respondents == 5) {
				t.Errorf("%d respondents: warned is %v", c.respondents, few)
			}
			iv, err := e.Laplace(0.95)
			if err != nil {
				t.Fatal(err)
			}
			laplace.add(iv, truth)
			if iv, err = e.Intervals(0.95, uint64(k)); err != nil {
				t.Fatal(err)
			}
			posterior.add(iv, truth)
			mixing += iv.Mixing / float64(n)
		}
		t.Logf("%d sets of %d respondents, %d items, %d trials, %s: posterior %v; Laplace %v; mixing %.3f", n, c.respondents, c.items, c.trials, c.observation, posterior, laplace, mixing)
		low, high := 0.70, 1.0
		if n >= 200 {
			low, high = 0.92, 0.98
		}
		for _, s := range []share{posterior.t, posterior.d, posterior.a} {
			if c.respondents == 20 && (s.rate() < low || s.rate() > high) {
				t.Errorf("coverage %v", s)
			}
		}
	}
}

func (s share) String() string {
	if s.all == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.1f %%", 100*s.rate())
}

func (c covered) String() string {
	return fmt.Sprintf("ability %v, difficulty %v, discrimination %v", c.t, c.d, c.a)
}

func warned(e *Estimates, kind WarningKind) bool {
	return slices.ContainsFunc(e.Warnings, func(w Warning) bool { return w.Kind == kind })
}

// How well parameters are recovered by how many respondents there are: where the
// threshold of the warning comes from.
func TestRecoveryByRespondents(t *testing.T) {
	numbers, kinds := []int{3, 5, 8, 10, 12, 15, 20, 30, 50}, []int{0, 1, 10, 90}
	if os.Getenv("ASSAY_SIMULATIONS") == "" {
		numbers, kinds = []int{5, EnoughRespondents}, []int{0, 90}
	}
	for _, trials := range kinds {
		before := 0.0
		for _, respondents := range numbers {
			rho, off, wrong := recovered(t, respondents, trials)
			t.Logf("%d trials, %2d respondents: Spearman of ability %.2f, difficulty %.2f, discrimination %.2f; RMSE %.3f, %.3f, %.2f; wrong sign %.1f %%", trials, respondents, rho[0], rho[1], rho[2], off[0], off[1], off[2], 100*wrong)
			if trials != 1 && respondents >= EnoughRespondents && rho[1] < 0.8 {
				t.Errorf("%d respondents are said to be enough", respondents)
			}
			if rho[1] < before-0.05 {
				t.Errorf("with %d respondents difficulties are recovered worse than with fewer", respondents)
			}
			before = rho[1]
		}
	}
}

// recovered are the means over sets of Spearman correlation and root mean square
// error of ability, difficulty and discrimination, and of the share of
// discriminations with the wrong sign.
func recovered(t *testing.T, respondents, trials int) (rho, off [3]float64, wrong float64) {
	t.Helper()
	random := rand.New(rand.NewPCG(11, uint64(respondents)))
	n := sets(t, 2)
	for range n {
		r, truth := simulated(random, respondents, 164, trials)
		e, err := Fit(r, Options{Starts: 2})
		if err != nil {
			t.Fatal(err)
		}
		theta, delta := make([]float64, respondents), make([]float64, 164)
		for i := range theta {
			theta[i] = logistic(truth.t[i])
		}
		for j := range delta {
			delta[j] = logistic(truth.d[j])
			if (truth.a[j] < 0) != (e.Discrimination[j] < 0) {
				wrong += 1 / float64(164*n)
			}
		}
		for k, pair := range [][2][]float64{{e.Ability, theta}, {e.Difficulty, delta}, {e.Discrimination, truth.a}} {
			s, err := stats.Spearman(pair[0], pair[1])
			if err != nil {
				t.Fatal(err)
			}
			rho[k] += s.Rho / float64(n)
			off[k] += rmse(pair[0], pair[1]) / float64(n)
		}
	}
	return rho, off, wrong
}
