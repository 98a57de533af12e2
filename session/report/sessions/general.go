package sessions

import (
	"fmt"
	"math"

	"assay/scoring/stats"
	"assay/session/report"
)

// General is a difference that applies to other testers and tasks like these, by a mixed model.
type General struct {
	Difference report.Estimate `json:"difference"` // the first minus the second, adjusted for period; N counts results
	P          report.Number   `json:"p"`          // of no difference
	Scope      string          `json:"scope"`      // what the interval and the test speak of
}

// generalOf compares two arms with testers and tasks as crossed random effects; nil if there are too few of
// either. For a measure on a bounded scale it is conservative
// (TestCalibrateMixedBounded).
func generalOf(x *crossing, m measure, first, second int, confidence float64) *General {
	if !x.tried {
		x.tried = true
		if mixed, err := stats.FitMixedCrossover(x.values); err == nil {
			x.mixed = mixed
		}
	}
	if x.mixed == nil {
		return nil
	}
	c, err := x.mixed.Difference(first, second)
	if err != nil || c.DF < stats.FewestDF(false) {
		return nil
	}
	p, err := c.P()
	if err != nil {
		return nil
	}
	iv, err := c.Interval(confidence)
	if err != nil {
		return nil
	}
	method := fmt.Sprintf("mixed model (REML), t with %.1f degrees of freedom (Satterthwaite)", c.DF)
	if !math.IsInf(m.high, 1) {
		method += ", at least " + percent(confidence)
	} else if confidence != report.Confidence {
		method += ", at " + percent(confidence)
	}
	return &General{
		Difference: report.Estimate{N: len(x.values), Value: report.Number(c.Value), Interval: m.clamp(&iv), Method: method},
		P:          report.Number(p), Scope: scopeBoth,
	}
}

// The populations that intervals and tests apply to.
const (
	scopeTesters = "testers like these, on these tasks"
	scopeTasks   = "tasks like these, by these testers"
	scopeBoth    = "testers and tasks like these"
)
