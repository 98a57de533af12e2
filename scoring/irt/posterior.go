package irt

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"assay/scoring/stats"
)

// Length is the length of a chain: rounds of adapting proposals, draws kept, and rounds for each draw.
type Length struct{ Adapting, Draws, Thinning int }

// Long returns the chain of reports. Short takes a third of the time; its intervals are wider and vary more
// between seeds, since their ends rest on fewer draws.
func Long() Length  { return Length{500, 1000, 3} }
func Short() Length { return Length{250, 400, 2} }

// leastDraws is the number of draws from which the ends of a 95 % interval are more than the outermost
// draws.
const leastDraws = 100

// Drawn is the result of Draw.
type Drawn struct {
	Estimates *Estimates
	Intervals Intervals
	// Population is the distribution of abilities, for β3-IRT only: 1PL and 2PL use its standard deviation
	// as their unit.
	Population *Population
	// Ability are the draws of each respondent, Difficulty and Discrimination those of each item, on the scale
	// of the estimates and in sampling order, for bounding a function of several of them.
	Ability, Difficulty, Discrimination [][]float64
}

// Logit returns the logit of an ability or a difficulty on the scale of the estimates.
func (d Drawn) Logit(x float64) float64 { return d.Estimates.onLogits(x) }

// Moved returns an ability or a difficulty on the scale of the estimates, moved by so many logits.
func (d Drawn) Moved(x, logits float64) float64 {
	if d.Estimates.Model != Beta3 {
		return x + logits
	}
	return logistic(d.Estimates.onLogits(x) + logits)
}

// Population is the normal distribution of the logits of abilities, estimated from the
// responses: medians of the posterior, with intervals of the same confidence.
type Population struct {
	Mean         float64        `json:"mean"`
	MeanInterval stats.Interval `json:"mean_interval"`
	SD           float64        `json:"sd"`
	SDInterval   stats.Interval `json:"sd_interval"`
}

// Draw bounds every parameter by equal-tailed intervals from draws of the posterior. For β3-IRT it moves
// the estimates to the centre of the posterior: abilities to the medians of their draws, items to their
// optimum given these abilities. The maximum of the posterior, Fit's result, is shrunk to the middle of the
// scale and may lie outside the intervals. The same seed gives the same result.
//
// The logits of β3-IRT's abilities are assumed normal with unknown mean and standard deviation, which are
// sampled as well. A fixed prior, such as Chen et al.'s Beta(1,1) for every ability, is overconfident: if
// respondents are alike, or all able, its 95 % intervals cover 68 to 90 %.
//
// Sampling is by Metropolis within blocks: each ability, each item's difficulty and discrimination
// together, the population, abilities and their spread together, and, since the likelihood does not change
// with them, the location and scale of all logits at once (Liu & Sabatti, Biometrika 87, 2000; not under
// Beta, whose likelihood does change). In the first rounds proposals adapt to an acceptance rate of about a
// third. Some proposals for an item are drawn from the prior, and some are its mirror image, which flips
// the sign of the discrimination. Binomial uses unclipped scores; under Beta a clipped score counts as
// censored at the clip. If responses are overdispersed (Dispersion), their log-likelihood is divided by
// that factor. A round costs three passes over the responses.
func (e *Estimates) Draw(seed uint64, length Length, confidence float64) (Drawn, error) {
	if !(confidence > 0 && confidence < 1) {
		return Drawn{}, fmt.Errorf("confidence %v: it must lie between 0 and 1, for example 0.95", confidence)
	}
	if e.Start == faithfulStart {
		return Drawn{}, fmt.Errorf("%s: %w", e.Method, errNoIntervals)
	}
	if length.Draws < leastDraws || length.Draws > 1_000_000 {
		return Drawn{}, fmt.Errorf("%d draws of the posterior: there are from %d to a million", length.Draws, leastDraws)
	}
	divisor := e.Dispersion.divisor()
	c, err := newChain(e, rand.New(rand.NewPCG(seed, 0x697274)), divisor)
	if err != nil {
		return Drawn{}, err
	}
	samples := c.run(length)
	out := Drawn{Estimates: e, Intervals: Intervals{Method: "draws of the posterior", Confidence: confidence, Divisor: divisor, Mixing: 1}}
	for _, values := range samples {
		out.Intervals.Mixing = max(out.Intervals.Mixing, splitR(values))
	}
	n, m, last := len(e.Respondents), len(e.Items), len(samples)-3
	scaled := func(all [][]float64) (list [][]float64) {
		for _, draws := range all {
			draws = slices.Clone(draws)
			for s, d := range draws {
				if e.Model == Beta3 {
					draws[s] = logistic(d)
				}
			}
			list = append(list, draws)
		}
		return list
	}
	out.Ability, out.Difficulty = scaled(samples[:n]), scaled(samples[n:n+m])
	out.Discrimination = samples[n+m : last]
	if err := e.bound(&out.Intervals, samples[:last]); err != nil || e.Model != Beta3 {
		return out, err
	}
	out.Population = &Population{}
	for k, to := range []struct {
		value    *float64
		interval *stats.Interval
	}{{&out.Population.Mean, &out.Population.MeanInterval}, {&out.Population.SD, &out.Population.SDInterval}} {
		if *to.interval, err = tails(samples[last+k], confidence); err != nil {
			return Drawn{}, err
		}
		*to.value = stats.Median(samples[last+k])
	}
	out.Estimates, err = e.settle(samples, out.Intervals)
	return out, err
}

// run adapts, then returns the draws kept: of every ability, every difficulty, every discrimination, the
// population's mean and standard deviation, and the gap between two benchmarks.
func (c *chain) run(length Length) [][]float64 {
	for round := range length.Adapting {
		c.round(round, 1/math.Sqrt(float64(round+1)))
	}
	n, m, draws := len(c.x.t), len(c.x.d), length.Draws
	samples := make([][]float64, n+2*m+3)
	all := make([]float64, len(samples)*draws)
	for k := range samples {
		samples[k] = all[k*draws : (k+1)*draws]
	}
	for draw := range draws {
		for step := range length.Thinning {
			c.round(draw*length.Thinning+step, 0)
		}
		for i, t := range c.x.t {
			samples[i][draw] = t
		}
		for j := range m {
			samples[n+j][draw], samples[n+m+j][draw] = c.x.d[j], c.x.a[j]
		}
		samples[n+2*m][draw], samples[n+2*m+1][draw] = c.mean, math.Exp(c.logSD)
		samples[n+2*m+2][draw] = c.p.gap
	}
	return samples
}

// settle returns the estimates at the medians of the abilities' draws.
func (e *Estimates) settle(draws [][]float64, iv Intervals) (*Estimates, error) {
	x := e.at.clone()
	for i := range x.t {
		x.t[i] = stats.Median(draws[i])
	}
	problem := *e.p
	p := &problem
	p.gap = stats.Median(draws[len(draws)-1])
	s := newSolver(p)
	for j := range x.d {
		from := p.value(j, x.t, x.d[j], x.a[j])
		x.d[j], x.a[j], _ = s.bestItem(j, x.t, x.d[j], x.a[j], from, []float64{1.5, 0.4, -0.4, -1.5})
		x.d[j], x.a[j], _ = s.descend(j, x.t, x.d[j], x.a[j], exactly)
		if !iv.Difficulty[j].Holds(logistic(x.d[j])) || !iv.Discrimination[j].Holds(x.a[j]) { // the draws prefer the other sign
			x.d[j], x.a[j] = stats.Median(draws[len(x.t)+j]), stats.Median(draws[len(x.t)+len(x.d)+j])
		}
	}
	out := newEstimates(Responses{Respondents: e.Respondents, Items: e.Items}, p, x)
	out.assumed = e.assumed
	out.Model, out.Method = e.Model, "medians of the posterior, and the best items given these abilities"
	out.Clip, out.Objective, out.Start, out.Starts, out.Iterations, out.Converged = e.Clip, p.objective(x), e.Start, e.Starts, e.Iterations, e.Converged
	return out.finish(e.decided)
}

// bound fills in the intervals' ends from the draws of every ability, then of every difficulty, then of
// every discrimination.
func (e *Estimates) bound(out *Intervals, draws [][]float64) error {
	n, m := len(e.Respondents), len(e.Items)
	for k, values := range draws {
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

// onScale converts an interval of logits to the scale of the estimates.
func (e *Estimates) onScale(iv stats.Interval) stats.Interval {
	if e.Model != Beta3 {
		return iv
	}
	return stats.Interval{Low: logistic(iv.Low), High: logistic(iv.High)}
}

// tails cuts the same share off both ends of a chain. The interval between quantiles of n independent draws
// contains another draw with its nominal share times (n-1)/(n+1); so the fewer draws the chain is worth,
// the less is cut off, down to nothing.
func tails(chain []float64, confidence float64) (stats.Interval, error) {
	n := independent(chain)
	tail := max(0, 1-confidence*(n+1)/(n-1)) / 2
	low, err := stats.Quantile(chain, tail, stats.Linear)
	if err != nil {
		return stats.Interval{}, err
	}
	high, err := stats.Quantile(chain, 1-tail, stats.Linear)
	return stats.Interval{Low: low, High: high}, err
}

// independent returns the effective sample size of a chain, by the initial positive sequence of its
// autocovariances (Geyer, Statistical Science 7, 1992); at least 2.
func independent(chain []float64) float64 {
	n, mean := len(chain), stats.Mean(chain)
	lag := func(k int) (sum float64) {
		for i := range n - k {
			sum += (chain[i] - mean) * (chain[i+k] - mean)
		}
		return sum
	}
	variance := lag(0)
	if !(variance > 0) {
		return float64(n)
	}
	sum := -variance
	for k := 0; k+1 < n; k += 2 {
		pair := lag(k) + lag(k+1)
		if pair <= 0 {
			break
		}
		sum += 2 * pair
	}
	return min(float64(n), max(2, float64(n)*variance/max(sum, variance/float64(n))))
}

// splitR is R̂ of the two halves of a chain; 1 if nothing moved.
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

// errNoIntervals reports that the estimates come from a procedure that has no intervals.
var errNoIntervals = errors.New("there are no intervals for these estimates")

// Intervals bound every parameter, on the scale of the estimates.
type Intervals struct {
	Method         string           `json:"method"`
	Confidence     float64          `json:"confidence"`
	Ability        []stats.Interval `json:"ability"`
	Difficulty     []stats.Interval `json:"difficulty"`
	Discrimination []stats.Interval `json:"discrimination"`
	// Divisor is what the responses' log-likelihood was divided by because they are overdispersed;
	// otherwise 1.
	Divisor float64 `json:"divisor"`
	// Mixing is the largest split R̂ (Gelman et al., Bayesian Data Analysis, 3rd ed. 2013, section 11.4) of
	// any parameter; well above 1.1 the chain was too short for that parameter, usually because its
	// discrimination can have either sign.
	Mixing float64 `json:"mixing"`
}
