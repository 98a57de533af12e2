package irt

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// solver minimises minus the log posterior. Items are independent of each other given the abilities, so the
// matrix of second derivatives has a block of two by two for each item, a diagonal for the abilities and a
// border; the blocks are eliminated, which leaves a system (the Schur complement) with one row for each
// respondent. A step costs respondents² × items.
type solver struct {
	p     *problem
	o     *terms
	other *terms
	s     []float64 // Schur complement, lower triangle, row by row
	right []float64
	gt    []float64
	items []eliminated
	cross []float64 // of item j: respondents × (d, a) from index 2·j·respondents
	next  point
	step  point
}

// eliminated is the Cholesky factor of an item's block, with its gradient.
type eliminated struct{ l11, l21, l22, gd, ga float64 }

func newSolver(p *problem) *solver {
	n := p.respondents
	return &solver{
		p: p, o: newTerms(n), other: newTerms(n), s: make([]float64, n*n), right: make([]float64, n), gt: make([]float64, n),
		items: make([]eliminated, p.items), cross: make([]float64, 2*n*p.items),
		next: newPoint(n, p.items), step: newPoint(n, p.items),
	}
}

// objective is minus the log posterior in logit coordinates, up to constants of the data.
func (p *problem) objective(x point) float64 {
	f := 0.0
	for _, t := range x.t {
		v, _, _ := uniform(t)
		f += v
	}
	for j := range p.items {
		f += p.value(j, x.t, x.d[j], x.a[j])
	}
	return f
}

// assemble computes value, gradient and the eliminated second derivatives, whose diagonal is raised by
// damping times itself. ok is false if observed second derivatives are not positive definite.
func (s *solver) assemble(x point, expected bool, damping float64) (f float64, ok bool) {
	n := s.p.respondents
	clear(s.s)
	for i, t := range x.t {
		v, g, h := uniform(t)
		f += v
		s.gt[i], s.s[i*n+i] = g, h
		s.right[i] = g
	}
	for j := range s.p.items {
		o := s.o
		s.p.item(j, x.t, x.d[j], x.a[j], expected, o)
		o.dd *= 1 + damping
		o.aa *= 1 + damping
		if !o.positive() {
			if expected {
				return math.Inf(1), false
			}
			s.p.item(j, x.t, x.d[j], x.a[j], true, o)
			o.dd *= 1 + damping
			o.aa *= 1 + damping
			if !o.positive() {
				return math.Inf(1), false
			}
		}
		f += o.f
		s.eliminate(j, o)
	}
	for i := range n {
		s.s[i*n+i] += damping * s.s[i*n+i]
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// eliminate eliminates item j from the equations of the abilities.
func (s *solver) eliminate(j int, o *terms) {
	n := s.p.respondents
	e := &s.items[j]
	e.l11 = math.Sqrt(o.dd)
	e.l21 = o.da / e.l11
	e.l22 = math.Sqrt(o.aa - e.l21*e.l21)
	e.gd, e.ga = o.gd, o.ga
	// The gradient and the border, both multiplied by the inverse of the factor.
	z1 := o.gd / e.l11
	z2 := (o.ga - e.l21*z1) / e.l22
	border := s.cross[2*n*j : 2*n*(j+1)]
	u1, u2 := border[:n], border[n:]
	for i := range n {
		u1[i] = o.td[i] / e.l11
		u2[i] = (o.ta[i] - e.l21*u1[i]) / e.l22
	}
	for i := range n {
		s.gt[i] += o.gt[i]
		s.right[i] += o.gt[i] - u1[i]*z1 - u2[i]*z2
		s.s[i*n+i] += o.tt[i]
		a, b := u1[i], u2[i]
		if a == 0 && b == 0 {
			continue
		}
		row := s.s[i*n : i*n+i+1]
		for k, v := range u1[:i+1] {
			row[k] -= a*v + b*u2[k]
		}
	}
}

// factor computes the Cholesky factor of the Schur complement.
func (s *solver) factor() (*mat.Cholesky, bool) {
	n := s.p.respondents
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			v := s.s[i*n+k]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, false
			}
			sym.SetSym(i, k, v)
		}
	}
	var c mat.Cholesky
	if !c.Factorize(sym) || c.Cond() > 1e14 {
		return nil, false
	}
	return &c, true
}

// direction solves for the step, stores it in s.step, and returns the Newton decrement gᵀH⁻¹g.
func (s *solver) direction(c *mat.Cholesky) float64 {
	n := s.p.respondents
	var solved mat.VecDense
	if c.SolveVecTo(&solved, mat.NewVecDense(n, s.right)) != nil {
		return math.Inf(1)
	}
	decrement := 0.0
	for i := range n {
		s.step.t[i] = -solved.AtVec(i)
		decrement -= s.gt[i] * s.step.t[i]
	}
	for j, e := range s.items {
		u1, u2 := s.cross[2*n*j:2*n*j+n], s.cross[2*n*j+n:2*n*(j+1)]
		z1 := e.gd / e.l11
		z2 := (e.ga - e.l21*z1) / e.l22
		for i, t := range s.step.t {
			z1 += u1[i] * t
			z2 += u2[i] * t
		}
		s.step.a[j] = -z2 / e.l22
		s.step.d[j] = (-z1 - e.l21*s.step.a[j]) / e.l11
		decrement -= e.gd*s.step.d[j] + e.ga*s.step.a[j]
	}
	return decrement
}

// Limits of a step and of the parameters: data cannot distinguish logits further out.
const (
	maxStep       = 4.0
	maxLogit      = 30.0
	maxSlope      = 30.0
	maxIterations = 300
	smallest      = 1e-12 // of the decrement relative to the objective
	nearly        = 1e-2  // of the decrement, if near
)

// minimise descends from x by damped Newton steps until the objective no longer falls measurably:
// Levenberg's damping, with observed second derivatives if they are positive definite, and expected ones
// otherwise. It leaves the result in x. With near it stops within a hundredth of the minimum.
func (s *solver) minimise(x point, near bool) (f float64, iterations int, converged bool) {
	damping := 0.0
	f = s.p.objective(x)
	for iterations < maxIterations {
		iterations++
		expected := false
		_, ok := s.assemble(x, false, damping)
		var c *mat.Cholesky
		if ok {
			c, ok = s.factor()
		}
		if !ok {
			expected = true
			if _, ok = s.assemble(x, true, max(damping, 1e-6)); ok {
				c, ok = s.factor()
			}
		}
		if !ok {
			damping = max(1e-4, 10*damping)
			if damping > 1e12 {
				return f, iterations, false
			}
			continue
		}
		decrement := s.direction(c)
		if near && decrement >= 0 && decrement < nearly {
			return f, iterations, false
		}
		if decrement >= 0 && decrement < smallest*(1+math.Abs(f)) && !expected && damping < 1e-3 {
			return f, iterations, true
		}
		value := s.tryStep(x)
		if value < f {
			x.copyFrom(s.next)
			fell := f - value
			f = value
			damping /= 10
			if damping < 1e-9 {
				damping = 0
			}
			if fell == 0 {
				return f, iterations, true
			}
			continue
		}
		if decrement < 1e-8*(1+math.Abs(f)) && damping > 1e6 {
			return f, iterations, true // only rounding is left
		}
		damping = max(1e-4, 10*damping)
		if damping > 1e12 {
			return f, iterations, decrement < 1e-6*(1+math.Abs(f))
		}
	}
	return f, iterations, false
}

// tryStep stores x plus the step, with each component limited, in s.next and returns the objective there.
func (s *solver) tryStep(x point) float64 {
	move := func(to, from, step []float64, most float64) {
		for i, v := range from {
			to[i] = min(most, max(-most, v+min(maxStep, max(-maxStep, step[i]))))
		}
	}
	move(s.next.t, x.t, s.step.t, maxLogit)
	move(s.next.d, x.d, s.step.d, maxLogit)
	move(s.next.a, x.a, s.step.a, maxSlope)
	f := s.p.objective(s.next)
	if math.IsNaN(f) {
		return math.Inf(1)
	}
	return f
}
