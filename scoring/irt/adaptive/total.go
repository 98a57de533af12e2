package adaptive

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"assay/scoring/stats"
)

// Total is the score to expect on all items of the pool: the mean share of right responses.
type Total struct {
	Score    float64        `json:"score"`
	Interval stats.Interval `json:"interval"` // at 95 %
	Observed int            `json:"observed"` // items with a response
	Items    int            `json:"items"`
}

// Total estimates the mean over all items from the responses: what was observed counts as it is, and the
// rest as the curves expect it (p-IRT of Polo et al., tinyBenchmarks, 2024, equation 6), averaged over the
// posterior of the ability. The interval is for the score that the respondent would have if all items were
// asked, with as many trials each: besides the ability it allows for the scatter of the responses that are
// missing, given the ability, and for the errors of the curves, by the normal approximation. With several samples
// a task, where the scatter is small, it shows that calibrators give the curves errors in common: these errors then
// have a correlation of a half, with which simulated intervals cover at least 95 %.
func (p *Pool) Total(responses []Response) (Total, error) {
	w, err := p.posterior(responses)
	if err != nil {
		return Total{}, err
	}
	known, sum := make([]bool, len(p.items)), 0.0
	for _, r := range responses {
		known[r.Item] = true
		sum += float64(r.Passed) / float64(r.Trials)
	}
	t := Total{Observed: len(responses), Items: len(p.items)}
	n := float64(len(p.items))
	means, sds := make([]float64, gridSize), make([]float64, gridSize)
	for g, weight := range w {
		if weight < 1e-9 {
			continue
		}
		mean, scatter, errors, common := sum, 0.0, 0.0, 0.0
		for j := range p.items {
			if known[j] {
				continue
			}
			mean += p.rows[j].mean[g]
			scatter += p.rows[j].scatter[g]
			errors += p.rows[j].error[g] * p.rows[j].error[g]
			common += p.rows[j].error[g]
		}
		if p.rules.Trials > 1 {
			errors = (errors + common*common) / 2
		}
		means[g], sds[g] = mean/n, math.Sqrt(scatter+errors)/n
		t.Score += weight * means[g]
	}
	if t.Observed == t.Items {
		t.Score = sum / n // nothing is left to expect
		t.Interval = stats.Interval{Low: t.Score, High: t.Score}
		return t, nil
	}
	below := func(x float64) float64 {
		share := 0.0
		for g, weight := range w {
			if weight >= 1e-9 {
				share += weight * distuv.UnitNormal.CDF((x-means[g])/max(sds[g], 1e-12))
			}
		}
		return share
	}
	least, most := sum/n, (sum+n-float64(t.Observed))/n
	t.Interval = stats.Interval{Low: max(least, crossing(below, 0.025)), High: min(most, crossing(below, 0.975))}
	return t, nil
}

// crossing returns where an increasing function from 0 to 1 has a value, by bisection.
func crossing(of func(float64) float64, value float64) float64 {
	low, high := -1.0, 2.0
	for range 50 {
		middle := (low + high) / 2
		if of(middle) < value {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
