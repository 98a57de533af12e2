package irt

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"

	"assay/scoring/stats"
)

// Priors of 1PL and 2PL: abilities are standard normal, which fixes location and scale. The log
// discriminations and the intercepts -ab are normal with these standard deviations around means that are
// estimated with them. A prior on the difficulties themselves would influence the scale, more so with more
// items.
const (
	slopeSD     = 0.5
	interceptSD = 3.0
)

// Constants of the EM algorithm.
const (
	nodes       = 9
	emRounds    = 3_000
	emStop      = 1e-6
	emLongest   = 0.5
	emJump      = 4 * emLongest // of an extrapolation: farther off, abilities are where no node is
	leastWidth  = 1e-3
	mostWidth   = 3.0
	mostAbility = 8.0
)

// TwoPL fits the two-parameter logistic model to responses of 0 and 1,
//
//	P(yᵢⱼ = 1) = 1 / (1 + exp(-aⱼ (θᵢ - bⱼ)))
//
// (Birnbaum, in Lord & Novick 1968) by maximising the marginal posterior of the items: abilities, standard
// normal, are integrated out, since estimating them jointly with the items is inconsistent (Bock & Aitkin,
// Psychometrika 46, 1981), and the items have normal priors, with standard deviation 0.5 for log a and 3
// for the intercept -ab, around estimated means; without priors, items that everyone or no one solves would
// have no estimate (Mislevy, Psychometrika 51, 1986). The EM algorithm runs over Gauss-Hermite nodes that
// follow each respondent's posterior (Naylor & Smith, Applied Statistics 31, 1982). Abilities are posterior
// means.
//
// Discriminations are positive by their prior: an item that less able respondents solve more often gets a
// small one and a large outfit. Fit can find negative ones.
//
// Responses other than 0 and 1 are an error; other errors are those of Responses.Check. Trials must be
// absent or 1.
func TwoPL(r Responses) (*Estimates, error) { return fitBinary(r, Logistic2) }

// OnePL is TwoPL with one discrimination for all items: Rasch's model with the
// spread of abilities in the slope.
func OnePL(r Responses) (*Estimates, error) { return fitBinary(r, Logistic1) }

func fitBinary(r Responses, model Model) (*Estimates, error) {
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("%v: %w", model, err)
	}
	if i, j, ok := r.binary(); !ok {
		return nil, fmt.Errorf("%v: the score of %q on %q is %v: it is a model of responses that are 0 or 1", model, r.Respondents[i], r.Items[j], r.Scores[i][j])
	}
	for i, row := range r.Trials {
		for j, n := range row {
			if n != 1 && !math.IsNaN(r.Scores[i][j]) {
				return nil, fmt.Errorf("%v: %q on %q has %v trials: it is a model of single responses", model, r.Respondents[i], r.Items[j], n)
			}
		}
	}
	p := newProblem(r, Binomial, 0)
	m := newMarginal(p, model)
	objective, rounds, converged := m.run(emStop)
	e := newEstimates(r, p, m.x)
	e.Model, e.Method = model, "maximum of the marginal posterior by EM"
	e.Objective, e.Start, e.Starts, e.Iterations, e.Converged = objective, "means", 1, rounds, converged
	e.Ability, e.Difficulty = m.x.clone().t, m.x.clone().d
	return e.finish(m.parameters())
}

// marginal is the state of the EM algorithm.
type marginal struct {
	p      *problem
	model  Model
	x      point     // posterior means, difficulties, discriminations
	width  []float64 // posterior standard deviations of abilities
	z, lw  []float64 // nodes for a standard deviation of 1, and logarithms of their weights
	t, w   []float64 // of respondent i and node q at index i*nodes+q: ability, posterior weight
	slopes []float64 // logarithms of discriminations

	meanSlope, meanIntercept float64 // over the population of items
}

func newMarginal(p *problem, model Model) *marginal {
	m := &marginal{
		p: p, model: model, x: newPoint(p.respondents, p.items), width: make([]float64, p.respondents),
		z: make([]float64, nodes), lw: make([]float64, nodes),
		t: make([]float64, p.respondents*nodes), w: make([]float64, p.respondents*nodes), slopes: make([]float64, p.items),
	}
	weights := make([]float64, nodes)
	quad.Hermite{}.FixedLocations(m.z, weights, math.Inf(-1), math.Inf(1))
	for q, z := range m.z {
		m.lw[q] = math.Log(weights[q]) + z*z
		m.z[q] = math.Sqrt2 * z
	}
	means := p.meanLogits()
	centre, sd := stats.Mean(means), max(0.1, stats.SD(means))
	for i, t := range means {
		m.x.t[i], m.width[i] = (t-centre)/sd, 0.5
	}
	for j := range m.x.d {
		_, mean := p.centre(j, m.x.t)
		m.x.d[j], m.x.a[j] = min(3, max(-3, -mean)), 1
	}
	return m
}

// parameters returns the number of the items' parameters, plus one for each ability.
func (m *marginal) parameters() float64 {
	if m.model == Logistic1 {
		return float64(1 + m.p.items + m.p.respondents)
	}
	return float64(2*m.p.items + m.p.respondents)
}

// run iterates until no item moves by more than stop. Each pair of EM rounds is extrapolated, since EM
// alone takes many small steps (squared extrapolation, scheme 3 of Varadhan & Roland, Scandinavian Journal
// of Statistics 35, 2008); an extrapolation that raises the objective is undone.
func (m *marginal) run(stop float64) (objective float64, rounds int, converged bool) {
	x0, x1, x2 := m.place(), m.place(), m.place()
	for rounds < emRounds {
		m.note(x0)
		objective = m.expect()
		longest := m.maximise()
		m.note(x1)
		m.expect()
		longest = max(longest, m.maximise())
		m.note(x2)
		rounds += 2
		if longest < stop && rounds > 6 {
			return objective, rounds, true
		}
		r, v := 0.0, 0.0
		for k := range x0 {
			first, second := x1[k]-x0[k], x2[k]-x1[k]
			r += first * first
			v += (second - first) * (second - first)
		}
		if !(v > 0) || rounds <= 6 {
			continue
		}
		far := min(50, max(1, math.Sqrt(r/v)))
		next := m.place()
		for k := range x0 {
			first, second := x1[k]-x0[k], x2[k]-x1[k]
			moved := 2*far*first + far*far*(second-first)
			next[k] = x0[k] + min(emJump, max(-emJump, moved))
		}
		before, widths := slices.Clone(m.x.t), slices.Clone(m.width)
		m.goTo(next)
		if !(m.expect() <= objective) {
			copy(m.x.t, before)
			copy(m.width, widths)
			m.goTo(x2)
			m.expect()
		}
		m.maximise()
		rounds++
	}
	return objective, rounds, false
}

// place allocates a vector of the items' parameters, first the log discriminations and then the
// difficulties; note writes them into it, and goTo sets them from it.
func (m *marginal) place() []float64 { return make([]float64, 2*m.p.items) }

func (m *marginal) note(to []float64) {
	copy(to, m.slopes)
	copy(to[m.p.items:], m.x.d)
}

func (m *marginal) goTo(from []float64) {
	copy(m.slopes, from)
	copy(m.x.d, from[m.p.items:])
	for j, s := range m.slopes {
		m.x.a[j] = math.Exp(s)
	}
	m.centreItems()
}

// centreItems sets the means of intercepts and log discriminations to their conditional posterior mode. 1PL
// has a single discrimination.
func (m *marginal) centreItems() {
	sum := 0.0
	for j, d := range m.x.d {
		sum -= m.x.a[j] * d
	}
	m.meanIntercept = sum / float64(len(m.x.d)+1)
	if m.model == Logistic1 {
		m.meanSlope = m.slopes[0]
		return
	}
	const within, between = 1 / (slopeSD * slopeSD), 1 / (meanSlopeSD * meanSlopeSD)
	m.meanSlope = stats.Sum(m.slopes) * within / (float64(len(m.slopes))*within + between)
}

// expect computes the posterior of every ability at its nodes, and returns minus the log marginal
// posterior.
func (m *marginal) expect() float64 {
	objective := 0.0
	for i, mean := range m.x.t {
		most := math.Inf(-1)
		t, w := m.t[i*nodes:(i+1)*nodes], m.w[i*nodes:(i+1)*nodes]
		for q, z := range m.z {
			t[q] = mean + m.width[i]*z
			w[q] = m.lw[q] + math.Log(m.width[i]) - t[q]*t[q]/2 - math.Log(math.Pi)/2
		}
		for j := range m.p.items {
			at := j*m.p.respondents + i
			if m.p.n[at] == 0 {
				continue
			}
			for q := range t {
				eta := m.x.a[j] * (t[q] - m.x.d[j])
				s, _ := softplus(eta)
				w[q] -= s - m.p.y[at]*eta
			}
		}
		for _, v := range w {
			most = max(most, v)
		}
		sum := 0.0
		for q := range w {
			w[q] = math.Exp(w[q] - most)
			sum += w[q]
		}
		objective -= most + math.Log(sum)
		first, second := 0.0, 0.0
		for q := range w {
			w[q] /= sum
			first += w[q] * t[q]
			second += w[q] * t[q] * t[q]
		}
		m.x.t[i] = min(mostAbility, max(-mostAbility, first))
		m.width[i] = min(mostWidth, max(leastWidth, math.Sqrt(max(0, second-first*first))))
	}
	for j, d := range m.x.d {
		off := m.x.a[j]*d + m.meanIntercept
		objective += off * off / (2 * interceptSD * interceptSD)
		if m.model == Logistic2 {
			objective += (m.slopes[j] - m.meanSlope) * (m.slopes[j] - m.meanSlope) / (2 * slopeSD * slopeSD)
		}
	}
	return objective + m.meanSlope*m.meanSlope/(2*meanSlopeSD*meanSlopeSD) + m.meanIntercept*m.meanIntercept/(2*interceptSD*interceptSD)
}

// itemStep holds the gradient and the expected second derivatives of an item by its log discrimination (s)
// and its difficulty (b), including the prior of the intercept.
type itemStep struct{ gs, gb, ss, sb, bb float64 }

func (m *marginal) itemStep(j int) itemStep {
	a, b := m.x.a[j], m.x.d[j]
	prior, off := a*a/(interceptSD*interceptSD), b+m.meanIntercept/a
	o := itemStep{gs: prior * b * off, gb: prior * off, ss: prior * b * b, sb: prior * b, bb: prior}
	for i := range m.p.respondents {
		at := j*m.p.respondents + i
		if m.p.n[at] == 0 {
			continue
		}
		for q := range nodes {
			eta := a * (m.t[i*nodes+q] - b)
			p := logistic(eta)
			w := m.w[i*nodes+q]
			e, v := w*(p-m.p.y[at]), w*p*(1-p)
			o.gs += e * eta
			o.gb -= e * a
			o.ss += v * eta * eta
			o.sb -= v * eta * a
			o.bb += v * a * a
		}
	}
	return o
}

// maximise moves every item by one Fisher scoring step and returns the length of the longest.
func (m *marginal) maximise() float64 {
	const prior, common = 1 / (slopeSD * slopeSD), 1 / (meanSlopeSD * meanSlopeSD)
	steps := make([]itemStep, m.p.items)
	gs, ss := m.slopes[0]*common, common // for a common slope, with difficulties eliminated
	for j := range steps {
		steps[j] = m.itemStep(j)
		o := steps[j]
		gs += o.gs - o.sb*o.gb/o.bb
		ss += o.ss - o.sb*o.sb/o.bb
	}
	longest := 0.0
	for j, o := range steps {
		s := -gs / ss
		if m.model == Logistic2 {
			o.gs, o.ss = o.gs+(m.slopes[j]-m.meanSlope)*prior, o.ss+prior
			s = -(o.gs - o.sb*o.gb/o.bb) / (o.ss - o.sb*o.sb/o.bb)
		}
		s = min(emLongest, max(-emLongest, s))
		b := min(emLongest, max(-emLongest, -(o.gb+o.sb*s)/o.bb))
		m.slopes[j] += s
		m.x.d[j] += b
		m.x.a[j] = math.Exp(m.slopes[j])
		longest = max(longest, math.Abs(s), math.Abs(b))
	}
	m.centreItems()
	return longest
}
