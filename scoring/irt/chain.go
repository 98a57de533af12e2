package irt

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"

	"assay/scoring/stats"
)

// chain is the state of the sampler.
type chain struct {
	model   Model
	p       *problem // its gap is sampled, too
	divisor float64
	clip    float64 // of Beta
	random  *rand.Rand
	x       point

	// The population that abilities are drawn from: for β3-IRT the mean and log standard deviation of their
	// logits; for 2PL the mean log discrimination.
	mean, logSD   float64
	meanSlope     float64
	meanIntercept float64 // for 1PL and 2PL

	cells cells // minus the log-likelihood of each cell
	fresh cells
	// Proposals: the standard deviation for an ability, a factor of the covariance for an item, and the
	// scale factors that keep the acceptance rate.
	widthT, scaleT         []float64
	l11, l21, l22, scaleX  []float64
	widthPlace, widthScale float64
	widthSlope             float64
	widthSD                float64
	widthStretch           float64
	widthGap, widthApart   float64
}

// cells are parts of minus the log-likelihood: linear + n·log(factor), with n the trials of the cell.
// Logarithms dominate the running time, so one logarithm is taken of a product of many factors.
type cells struct{ linear, factor []float64 }

func newCells(size int) cells { return cells{make([]float64, size), make([]float64, size)} }

// change accumulates the rise of minus the log-likelihood from some cells to others.
type change struct {
	linear, logs float64
	up, down, n  float64 // products of factors of cells with n trials
	factors      int
}

func (c *change) add(n, linearTo, factorTo, linearFrom, factorFrom float64) {
	if n != c.n || c.factors == 900 { // 2⁹⁰⁰ is still finite
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

// newChain starts at the estimates, with proposals as wide as the normal approximation given the other
// parameters.
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
		widthPlace: 0.1, widthScale: 0.05, widthSlope: 0.05, widthSD: 0.3, widthStretch: 0.1, widthGap: 0.5, widthApart: 0.1,
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
			return nil, fmt.Errorf("%v: item %d has no curvature to draw by: %w", e.Model, j+1, stats.ErrNotFinite)
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

// Hyperpriors: the spread of abilities is half-normal (Gelman, Bayesian Analysis 1, 2006) with the standard
// deviation π/√3, that of an ability's logit under β3-IRT's own prior; the mean ability is uniform on its
// scale, as a single ability is there. The mean logarithm of 2PL's discriminations, and that of 1PL's, is
// normal with a standard deviation that allows one population to be a hundred times as spread out as
// another. The gap between the mean difficulties (of 1PL and 2PL, intercepts) of two benchmarks is normal
// with the standard deviation of the difference between two difficulties.
const (
	spreadScale = math.Pi / 1.7320508075688772
	meanSlopeSD = 2.5
	gapSD       = spreadScale * math.Sqrt2
)

// priorSpread is minus the log prior density of the log spread of abilities.
func priorSpread(logSD float64) float64 {
	s := math.Exp(logSD) / spreadScale
	return s*s/2 - logSD
}

// priorAbility is minus the log prior density of an ability given the population.
func (c *chain) priorAbility(t float64) float64 {
	if c.model != Beta3 {
		return t * t / 2
	}
	z := (t - c.mean) * math.Exp(-c.logSD)
	return z * z / 2
}

// priorItem is minus the log prior density of item j's difficulty and, unless all items share one, its
// discrimination.
func (c *chain) priorItem(j int, d, a float64) float64 {
	if c.model == Beta3 {
		f, _, _ := uniform(d - c.p.middle(j))
		return f + (a-1)*(a-1)/2
	}
	if a <= 0 {
		return math.Inf(1)
	}
	off := a*d + c.meanIntercept - c.p.middle(j)
	f := off*off/(2*interceptSD*interceptSD) - math.Log(a) // the density of d from that of -ad
	if c.model == Logistic2 {
		l := math.Log(a)
		f += (l-c.meanSlope)*(l-c.meanSlope)/(2*slopeSD*slopeSD) + l
	}
	return f
}

// priorSlope is minus the log prior density of 1PL's single discrimination.
func (c *chain) priorSlope(a float64) float64 {
	l := math.Log(a)
	return l*l/(2*meanSlopeSD*meanSlopeSD) + l
}

// fromPrior draws an item's difficulty and discrimination; with one discrimination for all, only the
// difficulty.
func (c *chain) fromPrior(j int, a float64) (float64, float64) {
	if c.model == Beta3 {
		return c.p.middle(j) + logit(c.random.Float64()), 1 + c.random.NormFloat64()
	}
	if c.model == Logistic2 {
		a = math.Exp(c.meanSlope + slopeSD*c.random.NormFloat64())
	}
	return (c.p.middle(j) - c.meanIntercept - interceptSD*c.random.NormFloat64()) / a, a
}

// farthest returns the largest distance of a difficulty from 0. For 1PL and 2PL it is in standard deviations of
// abilities, which may be small.
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

// below is minus the log probability of a score of at most y under Beta. With the signs of both logits
// flipped it is that of a score of at least 1-y.
func below(y, t, d, a float64) float64 {
	const least = 1e-300
	alpha, beta := shapes(t, d, a)
	alpha, beta = min(1e12, max(1e-12, alpha)), min(1e12, max(1e-12, beta))
	if p := mathext.RegIncBeta(alpha, beta, y); p > least {
		return -math.Log(p)
	}
	return -math.Log(least)
}

// accept decides on a proposal that raises the objective by higher.
func (c *chain) accept(higher float64) bool {
	return higher <= 0 || c.random.Float64() < math.Exp(-higher)
}

// adapt moves a scale towards an acceptance rate of about a third.
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
