package irt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// simulated draws parameters from the priors and responses from the model: binomial with the given trials,
// or from the beta distribution without trials.
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

// drawBeta draws from a beta distribution; for extreme shapes it returns the mean.
func drawBeta(random *rand.Rand, alpha, beta float64) float64 {
	mean := alpha / (alpha + beta)
	if !(alpha > 1e-300 && beta > 1e-300 && alpha+beta < 1e12) {
		if math.IsNaN(mean) {
			return 0.5
		}
		return mean
	}
	y := distuv.Beta{Alpha: alpha, Beta: beta, Src: random}.Rand()
	if math.IsNaN(y) {
		return mean
	}
	return y
}

func warned(e *Estimates, kind WarningKind) bool {
	return slices.ContainsFunc(e.Warnings, func(w Warning) bool { return w.Kind == kind })
}

// Recovery of parameters by number of respondents: the source of the warning's threshold.
func TestRecoveryByRespondents(t *testing.T) {
	numbers, kinds := []int{3, 5, 8, 10, 12, 15, 20, 30, 50}, []int{0, 1, 10, 90}
	if calibrate.Simulations(t, 0) == 0 {
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
	n := calibrate.Simulations(t, 2)
	for range n {
		r, truth := simulated(random, respondents, 164, trials)
		e, err := Fit(r, Options{Starts: 2})
		fatal.If(t, err)
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
			fatal.If(t, err)
			rho[k] += s.Rho / float64(n)
			off[k] += rmse(pair[0], pair[1]) / float64(n)
		}
	}
	return rho, off, wrong
}
