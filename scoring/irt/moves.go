package irt

import (
	"math"

	"assay/scoring/stats"
)

// round proposes a change to every parameter once.
func (c *chain) round(number int, rate float64) {
	for i := range c.x.t {
		c.moveAbility(i, rate)
	}
	for j := range c.x.d {
		c.moveItem(j, number, rate)
	}
	switch c.model {
	case Beta3:
		c.movePopulation(rate)
		c.moveStretch(rate)
	case Logistic1:
		c.moveSlope(rate)
		c.drawMeanIntercept()
	case Logistic2:
		c.drawMeanSlope()
		c.drawMeanIntercept()
	}
	if c.p.second > 0 {
		c.moveGap(rate)
		c.moveApart(rate)
	}
	if c.p.observation == Beta {
		return
	}
	// Directions that the responses do not determine mix slowest, and moving along them needs no pass over
	// the responses.
	for range 4 {
		c.movePlace(rate)
		c.moveScale(rate)
	}
}

func (c *chain) moveAbility(i int, rate float64) {
	n := c.p.respondents
	to := c.x.t[i] + c.scaleT[i]*c.widthT[i]*c.random.NormFloat64()
	rise := newChange()
	for j, d := range c.x.d {
		at := j*n + i
		linear, factor := c.cell(at, to, d, c.x.a[j])
		c.fresh.linear[j], c.fresh.factor[j] = linear, factor
		rise.add(c.p.n[at], linear, factor, c.cells.linear[at], c.cells.factor[at])
	}
	higher := c.priorAbility(to) - c.priorAbility(c.x.t[i]) + rise.total(c.divisor)
	accepted := math.Abs(to) < maxLogit && c.accept(higher)
	if accepted {
		c.x.t[i] = to
		for j := range c.x.d {
			c.cells.linear[j*n+i], c.cells.factor[j*n+i] = c.fresh.linear[j], c.fresh.factor[j]
		}
	}
	adapt(&c.scaleT[i], accepted, rate)
}

// moveItem proposes a new difficulty and discrimination for item j: near the current ones, but every fifth
// time from the prior, and every fifth with the sign of the discrimination flipped and the difficulty
// mirrored at the mean ability.
func (c *chain) moveItem(j, number int, rate float64) {
	n := c.p.respondents
	d, a := c.x.d[j], c.x.a[j]
	prior, near := false, false
	switch {
	case number%5 == 4:
		prior = true
		d, a = c.fromPrior(j, a)
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
	rise := newChange()
	for i, t := range c.x.t {
		at := j*n + i
		linear, factor := c.cell(at, t, d, a)
		c.fresh.linear[i], c.fresh.factor[i] = linear, factor
		rise.add(c.p.n[at], linear, factor, c.cells.linear[at], c.cells.factor[at])
	}
	higher := rise.total(c.divisor)
	if !prior {
		higher += c.priorItem(j, d, a) - c.priorItem(j, c.x.d[j], c.x.a[j])
	}
	accepted := math.Abs(d) < c.farthest() && math.Abs(a) < maxSlope && c.accept(higher)
	if accepted {
		c.x.d[j], c.x.a[j] = d, a
		copy(c.cells.linear[j*n:(j+1)*n], c.fresh.linear)
		copy(c.cells.factor[j*n:(j+1)*n], c.fresh.factor)
	}
	if near {
		adapt(&c.scaleX[j], accepted, rate)
	}
}

// movePopulation samples the mean and spread of abilities given the abilities.
func (c *chain) movePopulation(rate float64) {
	n := float64(len(c.x.t))
	centre := stats.Mean(c.x.t)
	to := centre + math.Exp(c.logSD)/math.Sqrt(n)*c.random.NormFloat64()
	from, _, _ := uniform(c.mean)
	if after, _, _ := uniform(to); c.accept(after - from) {
		c.mean = to
	}
	square := 0.0
	for _, t := range c.x.t {
		square += (t - c.mean) * (t - c.mean)
	}
	objective := func(logSD float64) float64 {
		return n*logSD + square*math.Exp(-2*logSD)/2 + priorSpread(logSD)
	}
	logSD := c.logSD + c.widthSD*c.random.NormFloat64()
	accepted := c.accept(objective(logSD) - objective(c.logSD))
	if accepted {
		c.logSD = logSD
	}
	adapt(&c.widthSD, accepted, rate)
}

// moveStretch scales all abilities' distances from their mean together with their spread: if responses
// hardly separate respondents, the spread given the abilities can change only a little at a time (Yu &
// Meng, Journal of Computational and Graphical Statistics 20, 2011).
func (c *chain) moveStretch(rate float64) {
	n := c.p.respondents
	by := c.widthStretch * c.random.NormFloat64()
	factor := math.Exp(by)
	rise := newChange()
	for j, d := range c.x.d {
		for i, t := range c.x.t {
			at := j*n + i
			linear, f := c.cell(at, c.mean+factor*(t-c.mean), d, c.x.a[j])
			c.fresh.linear[at], c.fresh.factor[at] = linear, f
			rise.add(c.p.n[at], linear, f, c.cells.linear[at], c.cells.factor[at])
		}
	}
	accepted := c.accept(rise.total(c.divisor) + priorSpread(c.logSD+by) - priorSpread(c.logSD))
	if accepted {
		c.logSD += by
		for i, t := range c.x.t {
			c.x.t[i] = c.mean + factor*(t-c.mean)
		}
		c.cells, c.fresh = c.fresh, c.cells
	}
	adapt(&c.widthStretch, accepted, rate)
}

// moveGap changes the distance between the priors of two benchmarks' difficulties.
func (c *chain) moveGap(rate float64) {
	objective := func(gap float64) float64 {
		c.p.gap = gap
		f := gap * gap / (2 * gapSD * gapSD)
		for j, d := range c.x.d {
			f += c.priorItem(j, d, c.x.a[j])
		}
		return f
	}
	from := c.p.gap
	to := from + c.widthGap*c.random.NormFloat64()
	before := objective(from)
	accepted := c.accept(objective(to) - before)
	if !accepted {
		c.p.gap = from
	}
	adapt(&c.widthGap, accepted, rate)
}

// moveApart shifts two benchmarks apart as a whole, with the respondents who answered only one of them: if
// few answered both, responses hardly determine that distance.
func (c *chain) moveApart(rate float64) {
	n := c.p.respondents
	by, from := c.widthApart*c.random.NormFloat64(), c.p.gap
	to := c.x.clone()
	higher := 0.0
	for j, d := range c.x.d {
		higher -= c.priorItem(j, d, c.x.a[j])
	}
	c.p.gap = by
	for j := range to.d {
		to.d[j] += c.p.middle(j)
	}
	for i := range to.t {
		switch c.p.answered(i) {
		case 1:
			to.t[i] += c.p.middle(0)
		case 2:
			to.t[i] += c.p.middle(c.p.second)
		}
		higher += c.priorAbility(to.t[i]) - c.priorAbility(c.x.t[i])
	}
	if c.p.gap = from; c.model == Beta3 { // otherwise it is the gap of intercepts
		c.p.gap += by
		higher += (c.p.gap*c.p.gap - from*from) / (2 * gapSD * gapSD)
	}
	rise := newChange()
	for j, d := range to.d {
		higher += c.priorItem(j, d, c.x.a[j])
		for i, t := range to.t {
			at := j*n + i
			linear, f := c.cell(at, t, d, c.x.a[j])
			c.fresh.linear[at], c.fresh.factor[at] = linear, f
			rise.add(c.p.n[at], linear, f, c.cells.linear[at], c.cells.factor[at])
		}
	}
	accepted := c.accept(higher + rise.total(c.divisor))
	if accepted {
		c.x = to
		c.cells, c.fresh = c.fresh, c.cells
	} else {
		c.p.gap = from
	}
	adapt(&c.widthApart, accepted, rate)
}

// moveSlope changes the single discrimination of all items.
func (c *chain) moveSlope(rate float64) {
	n := c.p.respondents
	by := c.widthSlope * c.random.NormFloat64()
	a := c.x.a[0] * math.Exp(by)
	higher := c.priorSlope(a) - c.priorSlope(c.x.a[0]) - by
	rise := newChange()
	for j, d := range c.x.d {
		higher += c.priorItem(j, d, a) - c.priorItem(j, d, c.x.a[0])
		for i, t := range c.x.t {
			at := j*n + i
			linear, factor := c.cell(at, t, d, a)
			c.fresh.linear[at], c.fresh.factor[at] = linear, factor
			rise.add(c.p.n[at], linear, factor, c.cells.linear[at], c.cells.factor[at])
		}
	}
	accepted := c.accept(higher + rise.total(c.divisor))
	if accepted {
		for j := range c.x.a {
			c.x.a[j] = a
		}
		c.cells, c.fresh = c.fresh, c.cells
	}
	adapt(&c.widthSlope, accepted, rate)
}

// drawMeanSlope samples the mean log discrimination given the discriminations; its distribution is normal.
func (c *chain) drawMeanSlope() {
	sum := 0.0
	for _, a := range c.x.a {
		sum += math.Log(a)
	}
	precision := float64(len(c.x.a))/(slopeSD*slopeSD) + 1/(meanSlopeSD*meanSlopeSD)
	c.meanSlope = sum/(slopeSD*slopeSD)/precision + c.random.NormFloat64()/math.Sqrt(precision)
}

// drawMeanIntercept samples the mean intercept given the intercepts; its distribution is normal.
func (c *chain) drawMeanIntercept() {
	sum, more := 0.0, float64(len(c.x.d)+1)
	for j, d := range c.x.d {
		sum += c.p.middle(j) - c.x.a[j]*d
	}
	c.meanIntercept = sum/more + interceptSD/math.Sqrt(more)*c.random.NormFloat64()
}

// movePlace shifts all logits by one amount, which leaves the likelihood unchanged.
func (c *chain) movePlace(rate float64) {
	by, higher := c.widthPlace*c.random.NormFloat64(), 0.0
	if c.model == Beta3 { // abilities move with their mean
		to, _, _ := uniform(c.mean + by)
		from, _, _ := uniform(c.mean)
		higher = to - from
	} else {
		for _, t := range c.x.t {
			higher += c.priorAbility(t+by) - c.priorAbility(t)
		}
	}
	for j, d := range c.x.d {
		higher += c.priorItem(j, d+by, c.x.a[j]) - c.priorItem(j, d, c.x.a[j])
	}
	accepted := c.accept(higher)
	if accepted {
		c.mean += by
		for _, logits := range [][]float64{c.x.t, c.x.d} {
			for k := range logits {
				logits[k] += by
			}
		}
	}
	adapt(&c.widthPlace, accepted, rate)
}

// moveScale stretches all logits from the mean ability and shrinks all discriminations by the same factor,
// which leaves the likelihood unchanged. In β3-IRT the spread of abilities grows with them, so their prior
// does not change; in 2PL the mean discrimination shrinks with the others. The volume changes by the factor
// to the power of the number of respondents, since as many logits grow as there are items whose
// discriminations shrink; with one discrimination for all items, to the power of all logits but one.
func (c *chain) moveScale(rate float64) {
	by := c.widthScale * c.random.NormFloat64()
	factor, centre := math.Exp(by), 0.0
	slopes := len(c.x.a)
	if c.model == Logistic1 {
		slopes = 1
	}
	higher := -by * float64(len(c.x.t)+len(c.x.d)-slopes)
	switch c.model {
	case Beta3: // the density of abilities falls by as much as their volume grows
		centre = c.mean
		higher += by*float64(len(c.x.t)) + priorSpread(c.logSD+by) - priorSpread(c.logSD)
	case Logistic2:
		higher += ((c.meanSlope-by)*(c.meanSlope-by) - c.meanSlope*c.meanSlope) / (2 * meanSlopeSD * meanSlopeSD)
	case Logistic1:
		higher += c.priorSlope(c.x.a[0]/factor) - c.priorSlope(c.x.a[0])
	}
	if c.model != Beta3 {
		for _, t := range c.x.t {
			higher += c.priorAbility(t*factor) - c.priorAbility(t)
		}
	}
	before := c.meanSlope
	for j, d := range c.x.d {
		higher -= c.priorItem(j, d, c.x.a[j])
		c.meanSlope = before - by
		higher += c.priorItem(j, centre+factor*(d-centre), c.x.a[j]/factor)
		c.meanSlope = before
	}
	accepted := c.accept(higher)
	if accepted {
		c.logSD += by
		c.meanSlope -= by
		for k, t := range c.x.t {
			c.x.t[k] = centre + factor*(t-centre)
		}
		for k, d := range c.x.d {
			c.x.d[k] = centre + factor*(d-centre)
			c.x.a[k] /= factor
		}
	}
	adapt(&c.widthScale, accepted, rate)
}
