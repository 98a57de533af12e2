package irt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"assay/scoring/stats"
)

// Sizes of a run of the sampler: rounds whose proposals still adapt, and rounds
// for each draw that is kept.
const (
	adapting = 500
	thinning = 3
	// Draws is how many draws Intervals keeps.
	Draws = 1000
	// leastDraws let a 95 % interval's ends be more than the outermost draws.
	leastDraws = 100
)

// Intervals are 95 % intervals (or of another confidence) for every parameter by
// the method that holds what it promises, which is Posterior with Draws draws.
// The same seed gives the same intervals.
func (e *Estimates) Intervals(confidence float64, seed uint64) (Intervals, error) {
	return e.Posterior(rand.New(rand.NewPCG(seed, 0x697274)), Draws, confidence)
}

// Posterior are equal-tailed intervals from draws of the posterior itself, by
// Metropolis' algorithm within blocks: each ability, each item's difficulty and
// discrimination together, and, since the likelihood does not change with them,
// the place and the scale of all logits at once (Liu & Sabatti, Biometrika 87,
// 2000; not under Beta, whose likelihood does). Proposals adapt to an acceptance
// of about a third in the first 500 rounds; some proposals of an item are drawn
// from the prior, or are its mirror image, which crosses from one sign of
// discrimination to the other; of the rounds after that each third is kept. Binomial takes the scores
// as they are, not clipped; of scores that are clipped under Beta only that they
// lie beyond the clip is known. Where responses scatter more than the observation
// says (Dispersion), their part is divided by as much.
//
// Unlike Laplace it knows that the posterior of an item that nearly all
// respondents solve, or that does not discriminate, is neither symmetric nor
// single-peaked. The maximum of the posterior need not lie in the middle of an
// interval, and of a constant item it may lie outside. A round costs two passes over the
// responses. Mixing is the largest split R̂ (Gelman et al., Bayesian Data
// Analysis, 3rd ed. 2013, section 11.4) of any parameter; well above 1.1 the
// chain was too short for that one, usually because both signs of a
// discrimination are possible.
func (e *Estimates) Posterior(random *rand.Rand, draws int, confidence float64) (Intervals, error) {
	if err := e.bounded(confidence); err != nil {
		return Intervals{}, err
	}
	if draws < leastDraws || draws > 1_000_000 {
		return Intervals{}, fmt.Errorf("%d draws of the posterior: there are from %d to a million", draws, leastDraws)
	}
	divisor := e.Dispersion.divisor()
	c, err := newChain(e, random, divisor)
	if err != nil {
		return Intervals{}, err
	}
	for round := range adapting {
		c.round(round, 1/math.Sqrt(float64(round+1)))
	}
	n, m := len(e.at.t), len(e.at.d)
	kept := make([][]float64, n+2*m)
	all := make([]float64, len(kept)*draws)
	for k := range kept {
		kept[k] = all[k*draws : (k+1)*draws]
	}
	for draw := range draws {
		for step := range thinning {
			c.round(draw*thinning+step, 0)
		}
		for i, t := range c.x.t {
			kept[i][draw] = t
		}
		for j := range m {
			kept[n+j][draw], kept[n+m+j][draw] = c.x.d[j], c.x.a[j]
		}
	}
	out := Intervals{Method: "posterior", Confidence: confidence, Divisor: divisor, Mixing: 1}
	for _, values := range kept {
		out.Mixing = max(out.Mixing, splitR(values))
	}
	if err := e.bound(&out, kept); err != nil {
		return Intervals{}, err
	}
	return out, nil
}

// bound fills in the ends of the intervals: the tails of the values that are kept of every
// ability, then of every difficulty, then of every discrimination.
func (e *Estimates) bound(out *Intervals, kept [][]float64) error {
	n, m := len(e.Respondents), len(e.Items)
	for k, values := range kept {
		iv, err := tails(values, out.Confidence)
		if err != nil {
			return err
		}
		switch {
		case k < n:
			out.Ability = append(out.Ability, e.onScale(iv))
		case k < n+m:
			out.Difficulty = append(out.Difficulty, e.onScale(iv))
		default:
			out.Discrimination = append(out.Discrimination, iv)
		}
	}
	return nil
}

// onScale carries an interval of logits over to the scale of the estimates.
func (e *Estimates) onScale(iv stats.Interval) stats.Interval {
	if e.Model != Beta3 {
		return iv
	}
	return stats.Interval{Low: logistic(iv.Low), High: logistic(iv.High)}
}

// tails cuts the same share off both ends; it sorts the values.
func tails(values []float64, confidence float64) (stats.Interval, error) {
	slices.Sort(values)
	low, err := stats.Quantile(values, (1-confidence)/2, stats.Linear)
	if err != nil {
		return stats.Interval{}, err
	}
	high, err := stats.Quantile(values, (1+confidence)/2, stats.Linear)
	return stats.Interval{Low: low, High: high}, err
}

// splitR is R̂ of the two halves of a chain; 1 where nothing moved.
func splitR(chain []float64) float64 {
	half := len(chain) / 2
	a, b := chain[:half], chain[half:2*half]
	sa, sb := stats.SD(a), stats.SD(b)
	within := (sa*sa + sb*sb) / 2
	if !(within > 0) {
		return 1
	}
	n, gap := float64(half), stats.Mean(a)-stats.Mean(b)
	return math.Sqrt(((n-1)/n*within + gap*gap/2) / within)
}

// chain is a state of the sampler.
type chain struct {
	model   Model
	p       *problem
	y       []float64 // as they were observed
	divisor float64
	clip    float64 // of Beta
	random  *rand.Rand
	x       point
	cells   []float64 // minus the log-likelihood of each cell
	fresh   []float64
	// Proposals: the standard deviation for an ability, a factor of the
	// covariance for an item, and how each was scaled to be accepted.
	widthT, scaleT         []float64
	l11, l21, l22, scaleX  []float64
	widthPlace, widthScale float64
	widthSlope             float64
	spare                  []float64
}

// newChain begins at the estimates, with proposals as wide as the normal
// approximation given the other parameters.
func newChain(e *Estimates, random *rand.Rand, divisor float64) (*chain, error) {
	p := e.p
	n, m := p.respondents, p.items
	c := &chain{
		model: e.Model, p: p, y: p.raw, divisor: divisor, clip: e.Clip, random: random, x: e.at.clone(), cells: make([]float64, n*m), fresh: make([]float64, max(n, m)),
		widthT: make([]float64, n), scaleT: make([]float64, n), scaleX: make([]float64, m),
		l11: make([]float64, m), l21: make([]float64, m), l22: make([]float64, m), widthPlace: 0.1, widthScale: 0.05, widthSlope: 0.05,
	}
	if c.model == Logistic1 {
		c.spare = make([]float64, n*m)
	}
	s := newSolver(p)
	curve := make([]float64, n)
	for j := range m {
		p.item(j, c.x.t, c.x.d[j], c.x.a[j], true, s.o)
		s.temper(s.o, c.x.d[j], divisor)
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
			c.cells[j*n+i] = c.cell(j*n+i, c.x.t[i], c.x.d[j], c.x.a[j])
		}
	}
	for i, t := range c.x.t {
		_, _, prior := uniform(t)
		c.widthT[i], c.scaleT[i] = 1/math.Sqrt(curve[i]+prior+1e-3), 2.4
	}
	return c, nil
}

// priorAbility is minus the logarithm of the prior density of an ability.
func (c *chain) priorAbility(t float64) float64 {
	if c.model == Beta3 {
		f, _, _ := uniform(t)
		return f
	}
	return t * t / 2
}

// priorItem is that of an item's difficulty and, unless all have the same one,
// of its discrimination.
func (c *chain) priorItem(d, a float64) float64 {
	if c.model == Beta3 {
		f, _, _ := uniform(d)
		return f + (a-1)*(a-1)/2
	}
	if a <= 0 {
		return math.Inf(1)
	}
	f := a*a*d*d/(2*interceptSD*interceptSD) - math.Log(a) // of d by that of -ad
	if c.model == Logistic2 {
		f += c.priorSlope(a)
	}
	return f
}

// priorSlope is that of a discrimination of 1PL and 2PL.
func (c *chain) priorSlope(a float64) float64 {
	l := math.Log(a)
	return l*l/(2*slopeSD*slopeSD) + l
}

// fromPrior draws an item; with one discrimination for all its difficulty.
func (c *chain) fromPrior(a float64) (float64, float64) {
	if c.model == Beta3 {
		return logit(c.random.Float64()), 1 + c.random.NormFloat64()
	}
	if c.model == Logistic2 {
		a = math.Exp(slopeSD * c.random.NormFloat64())
	}
	return interceptSD * c.random.NormFloat64() / a, a
}

// cell is minus the log-likelihood of one response, divided by the divisor.
func (c *chain) cell(at int, t, d, a float64) float64 {
	n := c.p.n[at]
	if n == 0 {
		return 0
	}
	if c.p.observation == Beta {
		if y := c.p.raw[at]; y <= c.clip {
			return below(c.clip, t, d, a) / c.divisor
		} else if y >= 1-c.clip {
			return below(c.clip, -t, -d, a) / c.divisor
		}
		return c.p.cellBeta(at, t, d, a) / c.divisor
	}
	eta := a * (t - d)
	s, _ := softplus(eta)
	return n * (s - c.y[at]*eta) / c.divisor
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

// round proposes to change every parameter once.
func (c *chain) round(number int, rate float64) {
	for i := range c.x.t {
		c.moveAbility(i, rate)
	}
	for j := range c.x.d {
		c.moveItem(j, number, rate)
	}
	if c.model == Logistic1 {
		c.moveSlope(rate)
	}
	if c.p.observation != Beta {
		c.movePlace(rate)
		c.moveScale(rate)
	}
}

func (c *chain) moveAbility(i int, rate float64) {
	n := c.p.respondents
	to := c.x.t[i] + c.scaleT[i]*c.widthT[i]*c.random.NormFloat64()
	higher := c.priorAbility(to) - c.priorAbility(c.x.t[i])
	for j, d := range c.x.d {
		c.fresh[j] = c.cell(j*n+i, to, d, c.x.a[j])
		higher += c.fresh[j] - c.cells[j*n+i]
	}
	accepted := math.Abs(to) < maxLogit && c.accept(higher)
	if accepted {
		c.x.t[i] = to
		for j := range c.x.d {
			c.cells[j*n+i] = c.fresh[j]
		}
	}
	adapt(&c.scaleT[i], accepted, rate)
}

// moveItem proposes another difficulty and discrimination of item j: near where
// they are, but each fifth time from the prior, and each fifth the other sign of
// discrimination with the difficulty mirrored at the mean ability.
func (c *chain) moveItem(j, number int, rate float64) {
	n := c.p.respondents
	d, a := c.x.d[j], c.x.a[j]
	prior, near := false, false
	switch {
	case number%5 == 4:
		prior = true
		d, a = c.fromPrior(a)
	case number%5 == 2 && c.model == Beta3:
		d, a = 2*stats.Mean(c.x.t)-d, -a
	default:
		near = true
		u, v := c.random.NormFloat64(), c.random.NormFloat64()
		d += c.scaleX[j] * c.l11[j] * u
		a += c.scaleX[j] * (c.l21[j]*u + c.l22[j]*v)
	}
	if c.model == Logistic1 {
		a = c.x.a[j]
	}
	higher := 0.0
	if !prior {
		higher = c.priorItem(d, a) - c.priorItem(c.x.d[j], c.x.a[j])
	}
	for i, t := range c.x.t {
		c.fresh[i] = c.cell(j*n+i, t, d, a)
		higher += c.fresh[i] - c.cells[j*n+i]
	}
	accepted := math.Abs(d) < maxLogit && math.Abs(a) < maxSlope && c.accept(higher)
	if accepted {
		c.x.d[j], c.x.a[j] = d, a
		copy(c.cells[j*n:(j+1)*n], c.fresh)
	}
	if near {
		adapt(&c.scaleX[j], accepted, rate)
	}
}

// moveSlope changes the one discrimination of all items.
func (c *chain) moveSlope(rate float64) {
	n := c.p.respondents
	by := c.widthSlope * c.random.NormFloat64()
	a := c.x.a[0] * math.Exp(by)
	higher := c.priorSlope(a) - c.priorSlope(c.x.a[0]) - by
	for j, d := range c.x.d {
		higher += c.priorItem(d, a) - c.priorItem(d, c.x.a[0])
		for i, t := range c.x.t {
			at := j*n + i
			c.spare[at] = c.cell(at, t, d, a)
			higher += c.spare[at] - c.cells[at]
		}
	}
	accepted := c.accept(higher)
	if accepted {
		for j := range c.x.a {
			c.x.a[j] = a
		}
		c.cells, c.spare = c.spare, c.cells
	}
	adapt(&c.widthSlope, accepted, rate)
}

// movePlace moves all logits by one amount, which no response notices.
func (c *chain) movePlace(rate float64) {
	by, higher := c.widthPlace*c.random.NormFloat64(), 0.0
	for _, t := range c.x.t {
		higher += c.priorAbility(t+by) - c.priorAbility(t)
	}
	for j, d := range c.x.d {
		higher += c.priorItem(d+by, c.x.a[j]) - c.priorItem(d, c.x.a[j])
	}
	accepted := c.accept(higher)
	if accepted {
		for _, logits := range [][]float64{c.x.t, c.x.d} {
			for k := range logits {
				logits[k] += by
			}
		}
	}
	adapt(&c.widthPlace, accepted, rate)
}

// moveScale stretches all logits and flattens all discriminations as much,
// which no response notices either. The volume changes by the factor to the
// power of the number of respondents, as many logits as there are items grow
// while as many discriminations shrink; with one discrimination for all items,
// to the power of all logits but one.
func (c *chain) moveScale(rate float64) {
	by := c.widthScale * c.random.NormFloat64()
	factor := math.Exp(by)
	slopes := len(c.x.a)
	if c.model == Logistic1 {
		slopes = 1
	}
	higher := -by * float64(len(c.x.t)+len(c.x.d)-slopes)
	for _, t := range c.x.t {
		higher += c.priorAbility(t*factor) - c.priorAbility(t)
	}
	for j, d := range c.x.d {
		higher += c.priorItem(d*factor, c.x.a[j]/factor) - c.priorItem(d, c.x.a[j])
	}
	if c.model == Logistic1 {
		higher += c.priorSlope(c.x.a[0]/factor) - c.priorSlope(c.x.a[0])
	}
	accepted := c.accept(higher)
	if accepted {
		for k := range c.x.t {
			c.x.t[k] *= factor
		}
		for k := range c.x.d {
			c.x.d[k] *= factor
			c.x.a[k] /= factor
		}
	}
	adapt(&c.widthScale, accepted, rate)
}
