package irt

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Observation is the distribution of responses around the expected score.
type Observation int

// The observations. Auto is Binomial if the responses have counts of trials or are all 0 or 1, and Beta
// otherwise.
const (
	Auto     Observation = iota
	Binomial             // n·score successes out of n trials
	Beta                 // a single number from Chen et al.'s beta distribution
)

// String names the observation for a report.
func (o Observation) String() string {
	return cmp.Or(map[Observation]string{
		Auto:     "auto",
		Binomial: "binomial",
		Beta:     "Beta",
	}[o], fmt.Sprintf("observation %d", int(o)))
}

// MarshalText names the observation in JSON.
func (o Observation) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// problem holds the responses item by item; a missing cell has 0 trials.
type problem struct {
	respondents, items int
	observation        Observation
	y, n               []float64 // of item j and respondent i at index j*respondents+i
	raw                []float64 // y before it was clipped
	logY, logNot       []float64 // log y and log(1-y), only for Beta

	// Items from second on belong to a second benchmark, unless second is 0. The prior of their
	// difficulties lies higher by gap, and both priors together are centred on 0.
	second int
	gap    float64
}

// answered reports which of two benchmarks respondent i answered: 1, 2, or 3 for both.
func (p *problem) answered(i int) (which int) {
	for j := range p.items {
		if p.n[j*p.respondents+i] > 0 {
			if j < p.second {
				which |= 1
			} else {
				which |= 2
			}
		}
	}
	return which
}

// middle returns the centre of the prior of item j's difficulty.
func (p *problem) middle(j int) float64 {
	if p.second == 0 {
		return 0
	}
	share := float64(p.items-p.second) / float64(p.items)
	if j < p.second {
		return -p.gap * share
	}
	return p.gap * (1 - share)
}

// point is a value of all parameters: logits of abilities and of difficulties, and discriminations.
type point struct{ t, d, a []float64 }

func newPoint(respondents, items int) point {
	return point{make([]float64, respondents), make([]float64, items), make([]float64, items)}
}

func (x point) copyFrom(from point) {
	copy(x.t, from.t)
	copy(x.d, from.d)
	copy(x.a, from.a)
}

func (x point) clone() point {
	c := newPoint(len(x.t), len(x.d))
	c.copyFrom(x)
	return c
}

// newProblem arranges checked responses and moves scores into [clip, 1-clip].
func newProblem(r Responses, observation Observation, clip float64) *problem {
	p := &problem{respondents: len(r.Respondents), items: len(r.Items), observation: observation, second: r.Second}
	size := p.respondents * p.items
	p.y, p.n, p.raw = make([]float64, size), make([]float64, size), make([]float64, size)
	for i, row := range r.Scores {
		for j, y := range row {
			if math.IsNaN(y) {
				continue
			}
			at := j*p.respondents + i
			p.raw[at], p.y[at], p.n[at] = y, min(1-clip, max(clip, y)), 1
			if r.Trials != nil && observation == Binomial {
				p.n[at] = r.Trials[i][j]
			}
		}
	}
	p.prepare()
	return p
}

// prepare computes what the Beta observation needs from the scores.
func (p *problem) prepare() {
	if p.observation != Beta {
		return
	}
	p.logY, p.logNot = make([]float64, len(p.y)), make([]float64, len(p.y))
	for at, y := range p.y {
		if p.n[at] > 0 {
			p.logY[at], p.logNot[at] = math.Log(y), math.Log1p(-y)
		}
	}
}

// logistic returns 1/(1+e⁻ˣ).
func logistic(x float64) float64 {
	e := math.Exp(-math.Abs(x))
	if x >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}

func logit(p float64) float64 { return math.Log(p) - math.Log1p(-p) }

// softplus returns log(1+eˣ) and the logistic function of x.
func softplus(x float64) (value, p float64) {
	e := math.Exp(-math.Abs(x))
	l := 0.0
	if e > 1e-4 {
		l = math.Log(1 + e)
	} else {
		l = e * (1 - e*(1.0/2-e/3))
	}
	if x >= 0 {
		return x + l, 1 / (1 + e)
	}
	return l, e / (1 + e)
}

// uniform is minus the log density of a logit whose probability is Beta(1,1), -log p(1-p), with its first
// two derivatives.
func uniform(x float64) (f, g, h float64) {
	s, p := softplus(x)
	return 2*s - x, 2*p - 1, 2 * p * (1 - p)
}

// terms are one item's part of minus the log posterior: value, gradient and second derivatives, including
// the item's prior.
type terms struct {
	f              float64
	gd, ga         float64
	dd, da, aa     float64
	gt, tt, td, ta []float64 // by respondent
}

func newTerms(respondents int) *terms {
	all := make([]float64, 4*respondents)
	n := respondents
	return &terms{gt: all[:n:n], tt: all[n : 2*n : 2*n], td: all[2*n : 3*n : 3*n], ta: all[3*n:]}
}

// positive reports whether the item's own block of second derivatives is safely
// positive definite.
func (o *terms) positive() bool { return o.dd > 0 && o.aa > 0 && o.dd*o.aa-o.da*o.da > 1e-10*o.dd*o.aa }

// item computes the terms of item j. With expected it uses expected second derivatives, which are always
// positive semidefinite, for steps where the observed ones are not.
func (p *problem) item(j int, t []float64, d, a float64, expected bool, o *terms) {
	o.f, o.gd, o.dd = uniform(d - p.middle(j))
	o.f += (a - 1) * (a - 1) / 2
	o.ga, o.aa, o.da = a-1, 1, 0
	if p.observation == Beta {
		p.itemBeta(j, t, d, a, expected, o)
		return
	}
	from := j * p.respondents
	y, n := p.y[from:from+p.respondents], p.n[from:from+p.respondents]
	losses := logs{product: 1}
	for i, trials := range n {
		if trials == 0 {
			o.gt[i], o.tt[i], o.td[i], o.ta[i] = 0, 0, 0, 0
			continue
		}
		gap := t[i] - d
		eta := a * gap
		q := losses.add(trials, y[i], eta)
		e, w := trials*(q-y[i]), trials*q*(1-q)
		o.gt[i], o.tt[i], o.td[i] = e*a, w*a*a, -w*a*a
		o.gd -= e * a
		o.ga += e * gap
		o.dd += w * a * a
		o.aa += w * gap * gap
		cross := w * a * gap
		if !expected {
			cross += e
		}
		o.ta[i] = cross
		o.da -= cross
	}
	o.f += losses.total()
}

// logs sums n (log(1+eˣ) - yx) over responses. Logarithms are slow, so factors of the same n are multiplied
// first.
type logs struct {
	sum, product, n float64
	factors         int
}

// add adds a response, and returns the logistic function of x.
func (l *logs) add(n, y, x float64) float64 {
	if n != l.n || l.factors == 900 { // 2⁹⁰⁰ is still finite
		l.sum += l.n * math.Log(l.product)
		l.product, l.n, l.factors = 1, n, 0
	}
	l.factors++
	e := math.Exp(-math.Abs(x))
	l.product *= 1 + e
	if x >= 0 {
		l.sum += n * (1 - y) * x
		return 1 / (1 + e)
	}
	l.sum -= n * y * x
	return e / (1 + e)
}

func (l *logs) total() float64 { return l.sum + l.n*math.Log(l.product) }

// value is only the item's part of the objective.
func (p *problem) value(j int, t []float64, d, a float64) float64 {
	f, _, _ := uniform(d - p.middle(j))
	f += (a - 1) * (a - 1) / 2
	from := j * p.respondents
	losses := logs{product: 1}
	for i := range p.respondents {
		trials := p.n[from+i]
		switch {
		case trials == 0:
		case p.observation == Beta:
			f += p.cellBeta(from+i, t[i], d, a)
		default:
			losses.add(trials, p.y[from+i], a*(t[i]-d))
		}
	}
	return f + losses.total()
}

// cellBeta is minus the log beta density of one response.
func (p *problem) cellBeta(at int, t, d, a float64) float64 {
	alpha, beta := shapes(t, d, a)
	return mathext.Lbeta(alpha, beta) - (alpha-1)*p.logY[at] - (beta-1)*p.logNot[at]
}

// logRatios are log(θ/δ) and log((1-θ)/(1-δ)) of two logits.
func logRatios(t, d float64) (u, v float64) {
	st, _ := softplus(-t)
	sd, _ := softplus(-d)
	u = sd - st
	return u, u - (t - d)
}

// shapes returns the parameters of Chen et al.'s beta distribution, (θ/δ)^a and
// ((1-θ)/(1-δ))^a.
func shapes(t, d, a float64) (alpha, beta float64) {
	u, v := logRatios(t, d)
	return math.Exp(a * u), math.Exp(a * v)
}

// itemBeta adds the responses to item j under the Beta observation: with A = log α and B = log β, the chain
// rule over the derivatives of the log density by A and B.
func (p *problem) itemBeta(j int, t []float64, d, a float64, expected bool, o *terms) {
	from := j * p.respondents
	delta := logistic(d)
	for i := range p.respondents {
		if p.n[from+i] == 0 {
			o.gt[i], o.tt[i], o.td[i], o.ta[i] = 0, 0, 0, 0
			continue
		}
		u, v := logRatios(t[i], d)
		alpha, beta := math.Exp(a*u), math.Exp(a*v)
		o.f += mathext.Lbeta(alpha, beta) - (alpha-1)*p.logY[from+i] - (beta-1)*p.logNot[from+i]
		both, triBoth := mathext.Digamma(alpha+beta), trigamma(alpha+beta)
		// Derivatives of minus the log density by A and B.
		ga := -alpha * (both - mathext.Digamma(alpha) + p.logY[from+i])
		gb := -beta * (both - mathext.Digamma(beta) + p.logNot[from+i])
		if expected { // both are 0 in expectation
			o.second(i, 0, 0, alpha, beta, triBoth, t[i], delta, a, u, v)
		} else {
			o.second(i, ga, gb, alpha, beta, triBoth, t[i], delta, a, u, v)
		}
		theta := logistic(t[i])
		o.gt[i] = a * (ga*(1-theta) - gb*theta)
		o.gd += a * (-ga*(1-delta) + gb*delta)
		o.ga += ga*u + gb*v
	}
}

// second adds the second derivatives of one response under Beta.
func (o *terms) second(i int, ga, gb, alpha, beta, triBoth, t, delta, a, u, v float64) {
	haa := ga + alpha*alpha*(trigamma(alpha)-triBoth)
	hbb := gb + beta*beta*(trigamma(beta)-triBoth)
	hab := -alpha * beta * triBoth
	theta := logistic(t)
	at, ad, aa := a*(1-theta), -a*(1-delta), u // of A by t, d and a
	bt, bd, ba := -a*theta, a*delta, v         // of B
	form := func(x1, y1, x2, y2 float64) float64 { return haa*x1*x2 + hab*(x1*y2+x2*y1) + hbb*y1*y2 }
	vt, vd := theta*(1-theta), delta*(1-delta)
	o.tt[i] = form(at, bt, at, bt) - (ga+gb)*a*vt
	o.td[i] = form(at, bt, ad, bd)
	o.ta[i] = form(at, bt, aa, ba) + ga*(1-theta) - gb*theta
	o.dd += form(ad, bd, ad, bd) + (ga+gb)*a*vd
	o.da += form(ad, bd, aa, ba) - ga*(1-delta) + gb*delta
	o.aa += form(aa, ba, aa, ba)
}

// trigamma returns the second derivative of log Γ, by the recurrence ψ'(x) = ψ'(x+1)
// + 1/x² and the asymptotic series (Abramowitz & Stegun 6.4.6, 6.4.12).
func trigamma(x float64) float64 {
	sum := 0.0
	for x < 16 {
		sum += 1 / (x * x)
		x++
	}
	r := 1 / (x * x)
	return sum + 1/x + r/2 + r/x*(1.0/6-r*(1.0/30-r*(1.0/42-r*(1.0/30-r*5.0/66))))
}
