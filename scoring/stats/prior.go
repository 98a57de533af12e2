package stats

import (
	"fmt"
	"math"
)

// Posterior is a difference with a prior.
type Posterior struct {
	Mean     float64
	Interval Interval // central, credible
}

// WithPrior combines a contrast with a weak prior: the difference is normal around 0 with a standard deviation. Units' own
// differences are pooled partially, towards 0: the fewer there are, the more the prior decides (Gelman et al., Bayesian
// Data Analysis, 3rd ed. 2013, chapters 3 and 5). Given the standard error τ the estimate is normal, and SE² df/τ²
// chi-squared; log τ is uniform, with which a flat prior of the difference gives Student's interval (Box & Tiao, 1973,
// section 2.4), and is integrated on 400 points.
// Errors are those of P, and wrap ErrShape if the prior's standard deviation is not positive.
func (c Contrast) WithPrior(sd, confidence float64) (Posterior, error) {
	if err := checkConfidence(confidence); err != nil {
		return Posterior{}, err
	}
	if err := c.check(); err != nil {
		return Posterior{}, err
	}
	if !(sd > 0) || math.IsInf(sd, 1) {
		return Posterior{}, fmt.Errorf("a prior with a standard deviation of %v: it must be above 0: %w", sd, ErrShape)
	}
	const points = 400
	var weights, means, sds [points]float64
	low, high := math.Log(min(c.SE, sd)/100), math.Log(max(c.SE, sd)*100)
	logs, top := [points]float64{}, math.Inf(-1)
	for i := range points {
		tau := math.Exp(low + (high-low)*float64(i)/(points-1))
		spread := tau*tau + sd*sd
		logs[i] = -math.Log(spread)/2 - c.Value*c.Value/(2*spread) - // of the estimate
			c.DF*math.Log(tau) - c.DF*c.SE*c.SE/(2*tau*tau) // of the standard error
		top = max(top, logs[i])
		means[i], sds[i] = c.Value*sd*sd/spread, tau*sd/math.Sqrt(spread)
	}
	total, p := 0.0, Posterior{}
	for i, l := range logs {
		weights[i] = math.Exp(l - top)
		total += weights[i]
		p.Mean += weights[i] * means[i]
	}
	p.Mean /= total
	quantile := func(at float64) float64 {
		low, high := p.Mean-40*sd, p.Mean+40*sd
		for range 80 {
			mid, below := (low+high)/2, 0.0
			for i := range points {
				below += weights[i] / total * upperNormal((means[i]-mid)/sds[i])
			}
			if below < at {
				low = mid
			} else {
				high = mid
			}
		}
		return (low + high) / 2
	}
	p.Interval = Interval{quantile((1 - confidence) / 2), quantile((1 + confidence) / 2)}
	return checked("difference with a prior", p)
}
