package irt

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"

	"assay/scoring/stats"
)

// chain is a state of the sampler.
type chain struct {
	model   Model
	p       *problem // its gap is drawn, too
	divisor float64
	clip    float64 // of Beta
	random  *rand.Rand
	x       point

	// The population that abilities are drawn from: of β3-IRT the mean and the logarithm
	// of the standard deviation of their logits; of 2PL the mean log discrimination.
	mean, logSD   float64
	meanSlope     float64
	meanIntercept float64 // of 1PL and 2PL

	cells cells // minus the log-likelihood of each cell
	fresh cells
	// Proposals: the standard deviation for an ability, a factor of the
	// covariance for an item, and how each was scaled to be accepted.
	widthT, scaleT         []float64
	l11, l21, l22, scaleX  []float64
	widthPlace, widthScale float64
	widthSlope             float64
	widthMean, widthSD     float64
	widthStretch           float64
	widthGap, widthApart   float64
}

// cells are parts of minus the log-likelihood: linear + n·log(factor), n the trials of the
// cell. The logarithm takes longer than all else, so that one is taken of many factors.
type cells struct{ linear, factor []float64 }

func newCells(size int) cells { return cells{make([]float64, size), make([]float64, size)} }

// change adds up by how much minus the log-likelihood rises from some cells to others.
type change struct {
	linear, logs float64
	up, down, n  float64 // products of factors of cells with n trials
	factors      int
}

func (c *change) add(n, linearTo, factorTo, linearFrom, factorFrom float64) {
	if n != c.n || c.factors == 900 { // 2⁹⁰⁰ is a number yet
		c.logs += c.n * math.Log(c.up/c.down)
		c.up, c.down, c.n, c.factors = 1, 1, n, 0
	}
	c.factors++
	c.linear += linearTo - linearFrom
	c.up *= factorTo
	c.down *= factorFrom
}

func (c *change) total(divisor float64) float64 {
	return (c.linear + c.logs + c.n*math.Log(c.up/c.down)) / divisor
}

func newChange() change { return change{up: 1, down: 1} }

// newChain begins at the estimates, with proposals as wide as the normal
// approximation given the other parameters.
func newChain(e *Estimates, random *rand.Rand, divisor float64) (*chain, error) {
	n, m := e.p.respondents, e.p.items
	own := *e.p
	p := &own
	if p.second > 0 && e.Model == Beta3 {
		p.gap = stats.Mean(e.at.d[p.second:]) - stats.Mean(e.at.d[:p.second])
	}
	c := &chain{
		model: e.Model, p: p, divisor: divisor, clip: e.Clip, random: random, x: e.at.clone(), cells: newCells(n * m), fresh: newCells(n * m),
		widthT: make([]float64, n), scaleT: make([]float64, n), scaleX: make([]float64, m),
		l11: make([]float64, m), l21: make([]float64, m), l22: make([]float64, m),
		widthPlace: 0.1, widthScale: 0.05, widthSlope: 0.05, widthMean: 0.1, widthSD: 0.3, widthStretch: 0.1, widthGap: 0.5, widthApart: 0.1,
	}
	c.mean, c.logSD = stats.Mean(c.x.t), math.Log(max(0.05, stats.SD(c.x.t)))
	for j, a := range c.x.a {
		if e.Model != Beta3 {
			c.meanSlope += math.Log(a) / float64(m)
			c.meanIntercept -= a * c.x.d[j] / float64(m)
		}
	}
	s := newSolver(p)
	curve := make([]float64, n)
	for j := range m {
		p.item(j, c.x.t, c.x.d[j], c.x.a[j], true, s.o)
		s.o.temper(c.x.d[j]-p.middle(j), divisor)
		if !s.o.positive() {
			return nil, fmt.Errorf("β3-IRT: item %d has no curvature to draw by: %w", j+1, stats.ErrNotFinite)
		}
		det := s.o.dd*s.o.aa - s.o.da*s.o.da
		c.l11[j] = math.Sqrt(s.o.aa / det)
		c.l21[j] = -s.o.da / det / c.l11[j]
		c.l22[j] = math.Sqrt(max(1e-12, s.o.dd/det-c.l21[j]*c.l21[j]))
		c.scaleX[j] = 1.6
		for i, tt := range s.o.tt {
			curve[i] += tt
		}
		for i := range n {
			at := j*n + i
			c.cells.linear[at], c.cells.factor[at] = c.cell(at, c.x.t[i], c.x.d[j], c.x.a[j])
		}
	}
	for i, t := range c.x.t {
		_, _, prior := uniform(t)
		c.widthT[i], c.scaleT[i] = 1/math.Sqrt(curve[i]+prior+1e-3), 2.4
	}
	return c, nil
}

// temper divides the second derivatives that come from responses.
func (o *terms) temper(d, divisor float64) {
	_, _, prior := uniform(d)
	o.dd = (o.dd-prior)/divisor + prior
	o.aa = (o.aa-1)/divisor + 1
	o.da /= divisor
	for i := range o.tt {
		o.tt[i] /= divisor
		o.td[i] /= divisor
		o.ta[i] /= divisor
	}
}

// Hyperpriors: a spread of abilities is half-normal (Gelman, Bayesian Analysis 1, 2006)
// with the standard deviation of logits that β3-IRT's own prior gives abilities, π/√3; the
// mean ability is uniform on its scale, as a single ability was. The mean logarithm of
// 2PL's discriminations, and that of 1PL's, is normal with a standard deviation that lets
// abilities differ a hundred times as much in one population as in another. The gap between
// the mean difficulties (of 1PL and 2PL, intercepts) of two benchmarks is normal with the
// standard deviation by which two difficulties differ.
const (
	spreadScale = math.Pi / 1.7320508075688772
	meanSlopeSD = 2.5
	gapSD       = spreadScale * math.Sqrt2
)

// priorSpread is minus the logarithm of the prior density of the logarithm of the spread
// of abilities.
func priorSpread(logSD float64) float64 {
	s := math.Exp(logSD) / spreadScale
	return s*s/2 - logSD
}

// priorAbility is minus the logarithm of the prior density of an ability, given the
// population.
func (c *chain) priorAbility(t float64) float64 {
	if c.model != Beta3 {
		return t * t / 2
	}
	z := (t - c.mean) * math.Exp(-c.logSD)
	return z * z / 2
}

// priorItem is that of item j's difficulty and, unless all have the same one,
// of its discrimination.
func (c *chain) priorItem(j int, d, a float64) float64 {
	if c.model == Beta3 {
		f, _, _ := uniform(d - c.p.middle(j))
		return f + (a-1)*(a-1)/2
	}
	if a <= 0 {
		return math.Inf(1)
	}
	off := a*d + c.meanIntercept - c.p.middle(j)
	f := off*off/(2*interceptSD*interceptSD) - math.Log(a) // of d by that of -ad
	if c.model == Logistic2 {
		l := math.Log(a)
		f += (l-c.meanSlope)*(l-c.meanSlope)/(2*slopeSD*slopeSD) + l
	}
	return f
}

// priorSlope is that of 1PL's one discrimination.
func (c *chain) priorSlope(a float64) float64 {
	l := math.Log(a)
	return l*l/(2*meanSlopeSD*meanSlopeSD) + l
}

// fromPrior draws an item; with one discrimination for all its difficulty.
func (c *chain) fromPrior(j int, a float64) (float64, float64) {
	if c.model == Beta3 {
		return c.p.middle(j) + logit(c.random.Float64()), 1 + c.random.NormFloat64()
	}
	if c.model == Logistic2 {
		a = math.Exp(c.meanSlope + slopeSD*c.random.NormFloat64())
	}
	return (c.p.middle(j) - c.meanIntercept - interceptSD*c.random.NormFloat64()) / a, a
}

// farthest is how far from 0 a difficulty may lie. That of 1PL and 2PL is in standard
// deviations of abilities, which may be small.
func (c *chain) farthest() float64 {
	if c.model == Beta3 {
		return maxLogit
	}
	return 1e3
}

// cell is minus the log-likelihood of one response, in two parts.
func (c *chain) cell(at int, t, d, a float64) (linear, factor float64) {
	n := c.p.n[at]
	if n == 0 {
		return 0, 1
	}
	if c.p.observation == Beta {
		if y := c.p.raw[at]; y <= c.clip {
			return below(c.clip, t, d, a), 1
		} else if y >= 1-c.clip {
			return below(c.clip, -t, -d, a), 1
		}
		return c.p.cellBeta(at, t, d, a), 1
	}
	x := a * (t - d)
	if x >= 0 {
		return n * (1 - c.p.raw[at]) * x, 1 + math.Exp(-x)
	}
	return -n * c.p.raw[at] * x, 1 + math.Exp(x)
}

// below is minus the logarithm of the probability of a score of at most y under
// Beta. With the signs of both logits changed it is that of at least 1-y.
func below(y, t, d, a float64) float64 {
	const least = 1e-300
	alpha, beta := shapes(t, d, a)
	alpha, beta = min(1e12, max(1e-12, alpha)), min(1e12, max(1e-12, beta))
	if p := mathext.RegIncBeta(alpha, beta, y); p > least {
		return -math.Log(p)
	}
	return -math.Log(least)
}

// accept decides on a proposal whose objective is higher by so much.
func (c *chain) accept(higher float64) bool {
	return higher <= 0 || c.random.Float64() < math.Exp(-higher)
}

// adapt moves a scale towards an acceptance of about a third.
func adapt(scale *float64, accepted bool, rate float64) {
	if rate == 0 {
		return
	}
	if accepted {
		*scale *= math.Exp(rate * 0.67)
	} else {
		*scale *= math.Exp(-rate * 0.33)
	}
	*scale = min(1e3, max(1e-3, *scale))
}
