package adaptive

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Response is a respondent's responses to one item: how many of the trials were right.
type Response struct {
	Item   int // index in the pool
	Passed int
	Trials int
}

// Estimate is a respondent's ability after some responses: mean (EAP; Bock & Mislevy, Applied Psychological
// Measurement 6, 1982) and standard deviation of its posterior, and the interval between the posterior's
// quantiles at 2.5 and 97.5 %. Unlike a maximum it is finite if all responses are alike.
type Estimate struct {
	Ability  float64        `json:"ability"`
	SE       float64        `json:"se"`
	Interval stats.Interval `json:"interval"`
}

// The posterior is computed on a grid of abilities by the trapezoidal rule, whose error vanishes for smooth
// densities that the grid covers.
const (
	reach    = 8.0
	step     = 0.05
	gridSize = int(2*reach/step) + 1
)

func gridAt(g int) float64 { return -reach + step*float64(g) }

// priorSD is the standard deviation of the normal prior of abilities, in standard deviations of the
// respondents that the items were calibrated with. It is 2, so that respondents unlike those are not drawn to
// their mean; see DECISIONS.md.
const priorSD = 2.0

// posterior returns the weights of the grid's abilities after the responses; they sum to 1.
func (p *Pool) posterior(responses []Response) ([]float64, error) {
	w := make([]float64, gridSize)
	for g := range w {
		z := gridAt(g) / priorSD
		w[g] = -z * z / 2
	}
	seen := map[int]bool{}
	for _, r := range responses {
		if r.Item < 0 || r.Item >= len(p.items) || r.Trials < 1 || r.Trials > mostTrials ||
			r.Passed < 0 || r.Passed > r.Trials {
			return nil, fmt.Errorf("a response of %d of %d to item %d of %d: %w",
				r.Passed, r.Trials, r.Item, len(p.items), stats.ErrShape)
		}
		if seen[r.Item] {
			return nil, fmt.Errorf("item %q has two responses: give one with all its trials", p.items[r.Item].ID)
		}
		seen[r.Item] = true
		for g := range w {
			w[g] += p.likelihood(r, g)
		}
	}
	most := math.Inf(-1)
	for _, v := range w {
		most = max(most, v)
	}
	sum := 0.0
	for g := range w {
		w[g] = math.Exp((w[g] - most) / (p.wider * p.wider))
		sum += w[g]
	}
	for g := range w {
		w[g] /= sum
	}
	return w, nil
}

// likelihood returns the logarithm of a response's chance at a point of the grid.
func (p *Pool) likelihood(r Response, g int) float64 {
	if r.Trials > 1 {
		return p.gauss.likelihood(p.items[r.Item], gridAt(g), r.Passed, r.Trials)
	}
	if r.Passed == 0 {
		return p.rows[r.Item].wrong[g]
	}
	return p.rows[r.Item].right[g]
}

// mostTrials bounds the trials of one response.
const mostTrials = 10_000

// Estimate returns the ability after the responses. An item with two responses, or one that the pool does not
// have, is an error.
func (p *Pool) Estimate(responses []Response) (Estimate, error) {
	w, err := p.posterior(responses)
	if err != nil {
		return Estimate{}, err
	}
	return estimateOf(w), nil
}

func estimateOf(w []float64) Estimate {
	var e Estimate
	for g, v := range w {
		e.Ability += v * gridAt(g)
	}
	for g, v := range w {
		d := gridAt(g) - e.Ability
		e.SE += v * d * d
	}
	e.SE = math.Sqrt(e.SE)
	e.Interval = stats.Interval{Low: quantile(w, 0.025), High: quantile(w, 0.975)}
	return e
}

// quantile returns the ability below which the posterior has the given share; its density is linear between
// the grid's abilities.
func quantile(w []float64, share float64) float64 {
	below := 0.0
	for g := range gridSize - 1 {
		cell := (w[g] + w[g+1]) / 2
		if below+cell < share {
			below += cell
			continue
		}
		// The share f of the cell solves w₀f + (w₁-w₀)f²/2 = share - below.
		need, slope := share-below, w[g+1]-w[g]
		root := math.Sqrt(max(0, w[g]*w[g]+2*slope*need))
		f := 0.0
		if w[g]+root > 0 {
			f = 2 * need / (w[g] + root)
		}
		return gridAt(g) + step*min(1, f)
	}
	return reach
}

// Needed returns how many items, drawn from the pool without regard to the responses, give the precision of an
// estimate: the number at which prior and mean information at the ability add up to 1/SE². It is not ok if the
// whole pool would not be enough.
func (p *Pool) Needed(e Estimate) (items int, ok bool) {
	g := int(math.Round((min(reach, max(-reach, e.Ability)) + reach) / step))
	sum := 0.0
	for _, row := range p.rows {
		sum += row.information[g]
	}
	if !(e.SE > 0) || sum <= 0 {
		return len(p.rows), false
	}
	need := math.Ceil((p.wider*p.wider/(e.SE*e.SE) - 1/(priorSD*priorSD)) / (sum / float64(len(p.rows))))
	if need > float64(len(p.rows)) {
		return len(p.rows), false
	}
	return max(0, int(need)), true
}
