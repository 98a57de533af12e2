package sessions

import (
	"math"

	"assay/scoring/stats"
	"assay/session/report"
	doc "assay/session/report/document"
)

// Prior is a difference of two arms by few testers, partially pooled by a weak prior ([stats.Contrast.WithPrior]). It stands
// next to the comparison without one, and decides nothing.
type Prior struct {
	Value    report.Number  `json:"value"`    // mean of the posterior; of times that of the logarithm, as a ratio
	Interval stats.Interval `json:"interval"` // central, credible, at 95 %
	SD       report.Number  `json:"prior_sd"` // of the difference, normal around 0; of times, of the logarithm of the ratio
	Ratio    bool           `json:"ratio"`    // Value is a ratio of times
}

// Numbers of testers for which there is a prior's number: with fewer nothing can be said, with more the prior hardly counts.
const leastPooled, mostPooled = 3, 6

// priorSD returns the standard deviation of the prior of a difference: a quarter of the scale, of logarithms of times that
// of a factor of 2; 0: there is none.
func (m measure) priorSD(log bool) float64 {
	switch {
	case log:
		return math.Ln2
	case math.IsInf(m.high-m.low, 1):
		return 0
	}
	return (m.high - m.low) / 4
}

// pool adds the number with a prior, from the contrast over testers.
func (c *Compared) pool(m measure) {
	if c.Testers < leastPooled || c.Testers > mostPooled || c.Scope != scopeTesters || m.session() {
		return
	}
	p := &Prior{SD: report.Number(m.priorSD(m.ratio)), Ratio: m.ratio}
	posterior, err := c.contrast.WithPrior(float64(p.SD), report.Confidence)
	if err != nil {
		return
	}
	p.Value, p.Interval = report.Number(posterior.Mean), posterior.Interval
	if m.ratio {
		p.Value, p.Interval = report.Number(math.Exp(posterior.Mean)), stats.Interval{Low: math.Exp(posterior.Interval.Low), High: math.Exp(posterior.Interval.High)}
	} else {
		p.Interval = *m.clamp(&p.Interval)
	}
	c.Prior = p
}

// pooled says what a weak prior makes of a comparison of few testers.
func (w *writer) pooled(m *Compared) []any {
	p := m.Prior
	scale, decimals := declared(m.ID).scale()
	what, unit := "difference ", doc.Item(" ", declared(m.ID).said.unit)
	if p.Ratio {
		scale, decimals, what, unit = 1, 2, "ratio ", nil
	}
	return doc.Item("With a weak prior, since there are only ", w.d.Count(&m.Testers), " testers: ", what, w.d.Scaled(&p.Value, scale, decimals), unit, " (", w.Confidence(), " credible interval ", w.d.Range(&p.Interval, scale, decimals),
		"). The prior takes the difference as normal around none, with a standard deviation of ", w.priorWords(m), "; so the testers' differences are pooled partially, towards none. This number decides nothing.")
}

// priorWords returns the standard deviation of the prior.
func (w *writer) priorWords(m *Compared) any {
	if m.Prior.Ratio {
		return doc.Item("a factor of ", doc.Fixed("2"))
	}
	scale, decimals := declared(m.ID).scale()
	return doc.Item(w.d.Scaled(&m.Prior.SD, scale, decimals), " ", declared(m.ID).said.unit)
}
