package irt

import (
	"fmt"
	"math"
	"math/rand/v2"

	"assay/scoring/stats"
)

// Bootstrap are intervals by the parametric bootstrap: responses are drawn from
// the fitted model, with the cells and trials of the real ones, and fitted
// again from the estimates; the interval is the percentile one of what came out,
// (1-c)/2 on both sides. (Efron & Tibshirani 1993, sections 6.5 and 13.3.) Where
// responses scatter more than binomial, they are drawn from a beta-binomial
// distribution with that much variance. Fits that are refused because all drawn
// responses are equal are drawn anew, up to ten times. For 1PL and 2PL other
// respondents are drawn, too, standard normal; the intervals of abilities are the
// estimates and the quantiles of by how much those of drawn respondents missed.
//
// Estimates are pulled towards their priors, those of drawn responses once more,
// so that these intervals are not centred on the truth where data are few:
// Posterior is what Intervals uses. The bootstrap shows how estimates would vary
// if all were done again.
func (e *Estimates) Bootstrap(random *rand.Rand, resamples int, confidence float64) (Intervals, error) {
	if err := e.bounded(confidence); err != nil {
		return Intervals{}, err
	}
	if resamples < leastDraws || resamples > 1_000_000 {
		return Intervals{}, fmt.Errorf("%d resamples: there are from %d to a million", resamples, leastDraws)
	}
	n, m := len(e.at.t), len(e.at.d)
	kept := make([][]float64, n+2*m)
	for range resamples {
		truth := e.population(random)
		x, err := e.again(random, truth)
		if err != nil {
			return Intervals{}, err
		}
		for i, t := range x.t {
			if e.Model != Beta3 {
				t = e.at.t[i] + truth.t[i] - t
			}
			kept[i] = append(kept[i], t)
		}
		for j := range m {
			kept[n+j], kept[n+m+j] = append(kept[n+j], x.d[j]), append(kept[n+m+j], x.a[j])
		}
	}
	out := Intervals{Method: "parametric bootstrap, percentile", Confidence: confidence, Divisor: e.Dispersion.divisor()}
	if err := e.bound(&out, kept); err != nil {
		return Intervals{}, err
	}
	return out, nil
}

// population is what responses are drawn from: the estimates, with other
// respondents where the model takes abilities to be drawn.
func (e *Estimates) population(random *rand.Rand) point {
	x := e.at.clone()
	if e.Model != Beta3 {
		for i := range x.t {
			x.t[i] = random.NormFloat64()
		}
	}
	return x
}

// again draws responses and fits them.
func (e *Estimates) again(random *rand.Rand, truth point) (point, error) {
	p := &problem{respondents: e.p.respondents, items: e.p.items, observation: e.p.observation, n: e.p.n}
	p.raw, p.y = make([]float64, len(e.p.y)), make([]float64, len(e.p.y))
	for try := 0; !e.draw(random, truth, p); try++ {
		if try == 10 {
			return point{}, fmt.Errorf("bootstrap: responses drawn from the model are all equal: %w", stats.ErrNoVariation)
		}
	}
	p.prepare()
	if e.Model != Beta3 {
		m := newMarginal(p, e.Model)
		m.x.copyFrom(e.at)
		for j, a := range m.x.a {
			m.slopes[j] = math.Log(a)
		}
		m.run(emAgain)
		return m.x, nil
	}
	x := e.at.clone()
	s := newSolver(p)
	f, _, _ := s.minimise(x, false)
	s.polish(x, &found{objective: f})
	return x, nil
}

// draw fills p with responses, and says whether they vary.
func (e *Estimates) draw(random *rand.Rand, truth point, p *problem) bool {
	first, varies := math.NaN(), false
	divisor := e.Dispersion.divisor()
	for at, n := range p.n {
		if n == 0 {
			continue
		}
		i, j := at%p.respondents, at/p.respondents
		y := 0.0
		if p.observation == Beta {
			alpha, beta := shapes(truth.t[i], truth.d[j], truth.a[j])
			y = drawBeta(random, alpha, beta)
		} else {
			y = drawBinomial(random, n, logistic(truth.a[j]*(truth.t[i]-truth.d[j])), divisor)
		}
		p.raw[at], p.y[at] = y, min(1-e.Clip, max(e.Clip, y))
		if math.IsNaN(first) {
			first = y
		}
		varies = varies || y != first
	}
	return varies
}

// drawBinomial draws a share of successes whose variance is so many times that
// of a binomial one, as far as a beta-binomial can have it.
func drawBinomial(random *rand.Rand, n, p, times float64) float64 {
	if times > 1 && n > 1 && p > 0 && p < 1 {
		rho := min(0.99, (times-1)/(n-1))
		p = drawBeta(random, p*(1-rho)/rho, (1-p)*(1-rho)/rho)
	}
	trials := math.Floor(n)
	hits := 0.0
	if trials <= 1000 {
		for range int(trials) {
			if random.Float64() < p {
				hits++
			}
		}
		return hits / trials
	}
	hits = math.Round(trials*p + math.Sqrt(trials*p*(1-p))*random.NormFloat64())
	return min(1, max(0, hits/trials))
}
