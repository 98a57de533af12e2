package adaptive

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// gauss has the nodes and weights for integrating over the logit of a curve, which is normal with its mean and
// standard deviation.
type gauss struct{ at, weight [curveNodes]float64 }

const curveNodes = 15

func newGauss() (g gauss) {
	quad.Hermite{}.FixedLocations(g.at[:], g.weight[:], math.Inf(-1), math.Inf(1))
	for q, z := range g.at {
		g.weight[q] /= math.Sqrt(math.Pi)
		g.at[q] = math.Sqrt2 * z
	}
	return g
}

// likelihood returns the logarithm of the chance of a number of right responses among the trials, for an item at
// an ability, without the binomial coefficient:
//
//	log ∫ [p(η)^c (1-p(η))^(n-c)]^(m/n) φ(η) dη
//
// with η normal around the curve's logit. For a single response that is the expected response function
// (Mislevy, Wingersky & Sheehan, ETS Research Report 94-28, 1994), which treats the uncertainty of the item's
// parameters as it should be for one item; several responses share the item's error, so that more of them tell
// less and less. The exponent counts the n samples as their effective number m: a quasi-likelihood (McCullagh &
// Nelder, Generalized Linear Models, 1989, section 4.5).
func (g *gauss) likelihood(i Item, ability float64, passed, trials int) float64 {
	mean, sd := i.logit(ability)
	weight := i.effective(trials) / float64(trials)
	var terms [curveNodes]float64
	most := math.Inf(-1)
	for q, z := range g.at {
		eta := mean + sd*z
		terms[q] = weight * (float64(trials)*logChance(eta) - float64(trials-passed)*eta)
		most = max(most, terms[q])
	}
	sum := 0.0
	for q, v := range terms {
		sum += g.weight[q] * math.Exp(v-most)
	}
	return most + math.Log(sum)
}

// logChance is the logarithm of the logistic function.
func logChance(x float64) float64 {
	if x >= 0 {
		return -math.Log1p(math.Exp(-x))
	}
	return x - math.Log1p(math.Exp(x))
}

// fisher returns Fisher's information about the ability in n responses to an item,
//
//	Σ_c (∂P(c|θ)/∂θ)² / P(c|θ)
//
// with the chances of likelihood, for samples that share nothing.
func (g *gauss) fisher(i Item, ability float64, trials int) float64 {
	mean, sd := i.logit(ability)
	steeper := i.steeper(ability, sd)
	n := float64(trials)
	var l, p [curveNodes]float64
	for q, z := range g.at {
		l[q], p[q] = logChance(mean+sd*z), logistic(mean+sd*z)
	}
	ways, information := 0.0, 0.0 // logarithm of the binomial coefficient
	for c := range trials + 1 {
		if c > 0 {
			ways += math.Log(n-float64(c)+1) - math.Log(float64(c))
		}
		chance, slope := 0.0, 0.0
		for q, z := range g.at {
			b := g.weight[q] * math.Exp(ways+n*l[q]-(n-float64(c))*(mean+sd*z))
			chance += b
			slope += b * (float64(c) - n*p[q]) * (i.Slope + steeper*z)
		}
		if chance > 1e-300 {
			information += slope * slope / chance
		}
	}
	return information
}

// information returns the information about the ability in the responses to an item.
func (g *gauss) information(i Item, ability float64, trials int) float64 {
	if trials > 1 && i.Shared == 0 {
		return g.fisher(i, ability, trials)
	}
	_, _, _, information := g.share(i, ability, trials)
	return information
}

// share returns the mean of the share of right responses to an item at an ability; its variance for a known curve;
// the standard deviation of the curve; and the information about the ability in it,
//
//	(∂mean/∂θ)² / (scatter + error²)
//
// that of the best estimating function that is linear in the share (Godambe 1960). It is Fisher's where the
// item's parameters are known, n a² p(1-p) (Lord 1980, chapter 5), and for a single response.
func (g *gauss) share(i Item, ability float64, trials int) (mean, scatter, error, information float64) {
	centre, sd := i.logit(ability)
	steeper, slope, square := i.steeper(ability, sd), 0.0, 0.0
	for q, z := range g.at {
		p := logistic(centre + sd*z)
		mean += g.weight[q] * p
		scatter += g.weight[q] * p * (1 - p) / i.effective(trials)
		square += g.weight[q] * p * p
		slope += g.weight[q] * p * (1 - p) * (i.Slope + steeper*z)
	}
	error = math.Sqrt(max(0, square-mean*mean))
	if variance := scatter + error*error; variance > leastChance {
		information = slope * slope / variance
	}
	return mean, scatter, error, information
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// leastChance keeps logarithms of chances finite.
const leastChance = 1e-300

// row holds what an item is expected to do, on the grid of abilities.
type row struct {
	information []float64
	mean        []float64 // of the share of right responses
	scatter     []float64 // variance of that share for a known curve
	error       []float64 // standard deviation of the curve
	right       []float64 // logarithm of the chance of a right response
	wrong       []float64 // of a wrong one
}

func (g *gauss) row(i Item, trials int) row {
	var r row
	for _, values := range []*[]float64{&r.information, &r.mean, &r.scatter, &r.error, &r.right, &r.wrong} {
		*values = make([]float64, gridSize)
	}
	for k := range gridSize {
		r.mean[k], r.scatter[k], r.error[k], _ = g.share(i, gridAt(k), trials)
		r.information[k] = g.information(i, gridAt(k), trials)
		r.right[k], r.wrong[k] = math.Log(max(r.mean[k], leastChance)), math.Log(max(1-r.mean[k], leastChance))
	}
	return r
}
