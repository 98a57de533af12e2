package irt

import (
	"fmt"
	"math"
	"math/rand/v2"

	"assay/scoring/stats"
)

// Options configure Fit. The zero value is the default.
type Options struct {
	Observation Observation
	// Clip moves scores into [Clip, 1-Clip]; 0 is TaskEval's 0.001, and a negative value means no clipping.
	// Beta has no density at 0 and 1 and needs clipping. Binomial does not, but without it an item that
	// everyone or no one solves gets a discrimination above 2 that no data supports; clipped it stays at
	// its prior's 1.
	Clip float64
	// Starts is the number of starting points of the search; 0 picks 2 to 8, so that the search takes a
	// small part of a second. See Fit for their names.
	Starts int
	// Seed seeds the random starts: the same seed gives the same result.
	Seed uint64
}

// usualClip is TaskEval's clip.
const usualClip = 0.001

// Limits of the automatic number of starts: at least both that are not random, at most eight, and fewer for
// many responses.
const (
	namedStarts = 2
	mostStarts  = 8
	startBudget = 4_000 // responses times starts
)

// settle checks the options against the responses and fills in defaults.
func (o Options) settle(r Responses) (Options, error) {
	if o.Observation < Auto || o.Observation > Beta {
		return o, fmt.Errorf("β3-IRT: there is no %v", o.Observation)
	}
	if !(o.Clip < 0.5) || math.IsInf(o.Clip, 0) {
		return o, fmt.Errorf("β3-IRT: scores cannot be clipped to [%v, %v]", o.Clip, 1-o.Clip)
	}
	if o.Starts < 0 || o.Starts > 10_000 {
		return o, fmt.Errorf("β3-IRT: %d starts: there are from 1 to 10000", o.Starts)
	}
	_, _, binary := r.binary()
	if o.Observation == Auto {
		o.Observation = Beta
		if r.Trials != nil || binary {
			o.Observation = Binomial
		}
	}
	switch {
	case o.Clip == 0:
		o.Clip = usualClip
	case o.Clip < 0 && o.Observation == Beta:
		return o, fmt.Errorf("β3-IRT: scores of 0 and 1 have no density under Beta, and must be clipped")
	case o.Clip < 0:
		o.Clip = 0
	}
	if o.Starts == 0 {
		o.Starts = min(mostStarts, max(namedStarts, startBudget/(len(r.Respondents)*len(r.Items))))
	}
	return o, nil
}

// Fit returns the maximum of the posterior of β3-IRT (see the package comment) with the priors Beta(1,1) on
// ability and difficulty and Normal(1,1) on discrimination, all densities taken in logit coordinates. The
// priors identify what the likelihood does not: the location, scale and direction of the ability scale. The
// objective, which is minimised, is
//
//	Σ -log L(yᵢⱼ) - Σ log θᵢ(1-θᵢ) - Σ log δⱼ(1-δⱼ) + Σ (aⱼ-1)²/2
//
// with L the binomial likelihood without its coefficient, or the beta density.
//
// The posterior has several maxima (an item's discrimination may have either sign), so the search has
// several starting points: "means" (abilities are the logits of the respondents' means), "component" (the
// first principal component of the items' logits) and "random 1", "random 2" … (drawn by the seed). From
// each, every item is fitted from several discriminations, and then all parameters together by damped
// Newton steps. At the best result each item is fitted again from both signs, until none improves.
//
// Shares without numbers of trials are fitted by a binomial quasi-likelihood (Papke & Wooldridge, Journal of Applied
// Econometrics 11, 1996), with the trials of which all are multiples, or else as many as have their scatter: a
// beta distribution has no place for shares of 0 and 1, which then decide everything.
//
// Errors are those of Responses.Check. Odd but usable data lead to warnings in the result.
func Fit(r Responses, options Options) (*Estimates, error) {
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("β3-IRT: %w", err)
	}
	assumed := ""
	if _, _, binary := r.binary(); options.Observation == Auto && r.Trials == nil && !binary {
		var err error
		if r, assumed, err = precise(r, options); err != nil {
			return nil, err
		}
	}
	options, err := options.settle(r)
	if err != nil {
		return nil, err
	}
	p := newProblem(r, options.Observation, options.Clip)
	best, run := p.search(options)
	e := newEstimates(r, p, best)
	e.Model, e.Method = Beta3, "maximum of the posterior by damped Newton steps"
	e.assumed = assumed
	e.Clip, e.Objective, e.Start, e.Starts, e.Iterations, e.Converged = options.Clip, run.objective, run.start, options.Starts, run.iterations, run.converged
	decided, err := p.decided(best)
	if err != nil {
		return nil, err
	}
	return e.finish(decided)
}

// precise returns shares with a number of trials, and how it was found.
func precise(r Responses, options Options) (Responses, string, error) {
	if with, n := r.shares(); n > 0 {
		return with, fmt.Sprintf("the numbers of trials behind the shares are not known; all shares are multiples of 1/%.0f, so that each counts as %.0f trials.", n, n), nil
	}
	e, err := Fit(r.each(1), options)
	if err != nil {
		return r, "", err
	}
	n := min(maxTrials, max(1, 1/e.Dispersion.Ratio))
	return r.each(n), fmt.Sprintf("the numbers of trials behind the shares are not known; they scatter around the curves like %.1f trials, and count as so many.", n), nil
}

// decided returns the effective number of parameters at x: the trace of H⁻¹ times the second derivatives of
// the likelihood, which is the number of parameters less the part that the priors determine.
func (p *problem) decided(x point) (float64, error) {
	v, _, err := newSolver(p).spread(x)
	if err != nil {
		return 0, err
	}
	count := 0.0
	for i, t := range x.t {
		_, _, prior := uniform(t)
		count += 1 - v.t[i]*prior
	}
	for j, d := range x.d {
		_, _, prior := uniform(d - p.middle(j))
		count += 2 - v.d[j]*prior - v.a[j]
	}
	return count, nil
}

// found describes the result of a search.
type found struct {
	objective  float64
	start      string
	iterations int
	converged  bool
}

// search returns the best point over all starts.
func (p *problem) search(options Options) (point, found) {
	s := newSolver(p)
	random := rand.New(rand.NewPCG(options.Seed, 0x697274))
	means := p.meanLogits()
	best, run := newPoint(p.respondents, p.items), found{objective: math.Inf(1)}
	for k := range options.Starts {
		x, name := newPoint(p.respondents, p.items), ""
		switch k {
		case 0:
			name = "means"
			copy(x.t, means)
		case 1:
			name = "component"
			p.component(means, x.t)
		default:
			name = fmt.Sprintf("random %d", k-namedStarts+1)
			for i := range x.t {
				x.t[i] = 1.5 * random.NormFloat64()
			}
		}
		s.itemsFrom(x)
		f, iterations, _ := s.minimise(x, true)
		run.iterations += iterations
		if f < run.objective-nearly {
			best.copyFrom(x)
			run.objective, run.start = f, name
		}
	}
	f, iterations, converged := s.minimise(best, false)
	run.objective, run.converged = f, converged
	run.iterations += iterations + s.polish(best, &run)
	return best, run
}

// polish refits each item from other starting points and minimises again if one improves, until none does.
func (s *solver) polish(x point, run *found) (iterations int) {
	for range 20 {
		better := 0.0
		for j := range s.p.items {
			before := s.p.value(j, x.t, x.d[j], x.a[j])
			if s.p.settled(j, x.d[j], x.a[j], before) {
				continue
			}
			d, a, f := s.bestItem(j, x.t, x.d[j], x.a[j], before, []float64{1.5, 0.4, -0.4, -1.5})
			if f < before-1e-7*(1+math.Abs(before)) {
				x.d[j], x.a[j] = d, a
				better += before - f
			}
		}
		if better == 0 {
			return iterations
		}
		f, more, converged := s.minimise(x, false)
		run.objective, run.converged = f, converged
		iterations += more
	}
	return iterations
}

// itemsFrom fits every item to the abilities of x.
func (s *solver) itemsFrom(x point) {
	for j := range s.p.items {
		x.d[j], x.a[j], _ = s.bestItem(j, x.t, 0, 1, math.Inf(1), []float64{1, -1})
	}
}

// settled reports whether an item with the part f of the objective cannot be improved by the other sign of
// its discrimination, nor by 0, under Binomial. As a function of a and -aδ the likelihood has one maximum,
// so beyond a = 0 it is at most its value there with the best constant; and no prior exceeds its own
// maximum.
func (p *problem) settled(j int, d, a, f float64) bool {
	if p.observation == Beta {
		return false
	}
	n, y := 0.0, 0.0
	for i, trials := range p.n[j*p.respondents : (j+1)*p.respondents] {
		n += trials
		y += trials * p.y[j*p.respondents+i]
	}
	q := y / n
	constant := 0.0
	if q > 0 && q < 1 {
		constant = -n * (q*math.Log(q) + (1-q)*math.Log1p(-q))
	}
	slope := 0.5 // the prior's part at a = 0, its best on the other side
	if a < 0 {
		slope = 0
	}
	return constant+2*math.Ln2+slope > f
}

// bestItem finds the best (d, a) of item j given the abilities, among the current one, which has the value
// best, and the optima reached from each of some discriminations with the difficulty that passes through
// the item's mean.
func (s *solver) bestItem(j int, t []float64, d, a, best float64, slopes []float64) (bestD, bestA, f float64) {
	middle, mean := s.p.centre(j, t)
	for _, slope := range slopes {
		place := min(6, max(-6, middle-mean/slope))
		if toD, toA, f := s.descend(j, t, place, slope, roughly); f < best {
			d, a, best = toD, toA, f
			if s.p.settled(j, d, a, best) {
				break
			}
		}
	}
	return d, a, best
}

// centre returns the mean ability of those who answered item j, and the logit of the item's mean, both
// weighted by trials.
func (p *problem) centre(j int, t []float64) (ability, mean float64) {
	n, y := 0.0, 0.0
	for i, trials := range p.n[j*p.respondents : (j+1)*p.respondents] {
		n += trials
		y += trials * p.y[j*p.respondents+i]
		ability += trials * t[i]
	}
	return ability / n, logit((y + 0.5) / (n + 1))
}

// The fall of the objective at which descend stops: roughly is enough if joint steps of all parameters
// follow.
const (
	roughly = 1e-2
	exactly = 1e-12
)

// descend is minimise for one item with the abilities held.
func (s *solver) descend(j int, t []float64, d, a, enough float64) (float64, float64, float64) {
	o, next := s.o, s.other
	s.p.item(j, t, d, a, false, o)
	damping := 0.0
	for range 25 {
		dd, da, aa := o.dd, o.da, o.aa
		if !o.positive() {
			s.p.item(j, t, d, a, true, o)
			dd, da, aa = o.dd, o.da, o.aa
		}
		dd, aa = dd*(1+damping), aa*(1+damping)
		det := dd*aa - da*da
		stepD, stepA := -(aa*o.gd-da*o.ga)/det, -(dd*o.ga-da*o.gd)/det
		nextD := min(maxLogit, max(-maxLogit, d+min(maxStep, max(-maxStep, stepD))))
		nextA := min(maxSlope, max(-maxSlope, a+min(maxStep, max(-maxStep, stepA))))
		s.p.item(j, t, nextD, nextA, false, next)
		if !(next.f < o.f) {
			if damping = max(1e-2, 10*damping); damping > 1e6 {
				break
			}
			continue
		}
		fell := o.f - next.f
		d, a = nextD, nextA
		o, next = next, o
		damping /= 10
		if fell < enough {
			break
		}
	}
	return d, a, o.f
}

// meanLogits returns the logits of the respondents' means, with half a success and half a failure added to
// keep them finite.
func (p *problem) meanLogits() []float64 {
	t := make([]float64, p.respondents)
	for i := range t {
		n, y := 0.0, 0.0
		for at := i; at < len(p.y); at += p.respondents {
			n += p.n[at]
			y += p.n[at] * p.y[at]
		}
		t[i] = logit((y + 0.5) / (n + 1))
	}
	return t
}

// component stores the first principal component of the items' logits, each item centred, in t, with the
// mean, spread and direction of the means. Missing cells count as average.
func (p *problem) component(means, t []float64) {
	n := p.respondents
	square := make([]float64, n*n)
	row := make([]float64, n)
	for j := range p.items {
		_, mean := p.centre(j, means)
		for i := range row {
			at := j*n + i
			row[i] = 0
			if p.n[at] > 0 {
				row[i] = logit((p.n[at]*p.y[at]+0.5)/(p.n[at]+1)) - mean
			}
		}
		for i, v := range row {
			for k, w := range row[:i+1] {
				square[i*n+k] += v * w
				square[k*n+i] = square[i*n+k]
			}
		}
	}
	centre, spread := stats.Mean(means), max(0.1, stats.SD(means))
	for i, v := range means {
		t[i] = v - centre + 1e-3*float64(i+1)
	}
	for range 50 {
		for i := range row {
			row[i] = 0
			for k, v := range t {
				row[i] += square[i*n+k] * v
			}
		}
		mean, sd := stats.Mean(row), stats.SD(row)
		if !(sd > 0) {
			copy(t, means)
			return
		}
		for i, v := range row {
			t[i] = (v - mean) / sd
		}
	}
	along := 0.0
	for i, v := range t {
		along += v * (means[i] - centre)
	}
	if along < 0 {
		spread = -spread
	}
	for i := range t {
		t[i] = min(6, max(-6, centre+spread*t[i]))
	}
}
