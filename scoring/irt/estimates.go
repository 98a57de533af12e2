package irt

import (
	"cmp"
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Model is a fitted model.
type Model int

// The models.
const (
	Beta3     Model = iota
	Logistic1       // one parameter an item, 1PL
	Logistic2       // two, 2PL
)

// String names the model for a report.
func (m Model) String() string {
	return cmp.Or(map[Model]string{Beta3: "β3-IRT", Logistic1: "1PL", Logistic2: "2PL"}[m], fmt.Sprintf("model %d", int(m)))
}

// MarshalText names the model in JSON.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Estimates are the parameters of a fitted model.
type Estimates struct {
	Model       Model       `json:"model"`
	Method      string      `json:"method"`
	Observation Observation `json:"observation"`
	Respondents []string    `json:"respondents"`
	Items       []string    `json:"items"`
	// Ability of each respondent: from 0 to 1 for β3-IRT; in standard deviations of abilities for 1PL and
	// 2PL.
	Ability []float64 `json:"ability"`
	// Difficulty of each item, on the scale of abilities: the ability at which the expected score is one
	// half.
	Difficulty []float64 `json:"difficulty"`
	// Discrimination of each item: the slope of the expected score's logit over the ability's logit. It is
	// negative if less able respondents do better.
	Discrimination []float64 `json:"discrimination"`
	Responses      int       `json:"responses"` // cells that are not missing
	Clip           float64   `json:"clip"`      // scores were moved into [clip, 1-clip]
	// Objective is the minimised value. It is comparable only between fits of one method to the same
	// responses.
	Objective  float64    `json:"objective"`
	Start      string     `json:"start"`  // the name of the start that led to the optimum
	Starts     int        `json:"starts"` // number of starts
	Iterations int        `json:"iterations"`
	Converged  bool       `json:"converged"`
	Explained  Explained  `json:"explained"`
	Dispersion Dispersion `json:"dispersion"`
	Warnings   []Warning  `json:"warnings,omitempty"`
	p          *problem   // the responses
	at         point      // the parameters on the scale of logits
	decided    float64    // the effective number of parameters
	assumed    string     // how the numbers of trials were found; "": they were given
}

// newEstimates returns the parameters at x.
func newEstimates(r Responses, p *problem, x point) *Estimates {
	e := &Estimates{Observation: p.observation, Respondents: r.Respondents, Items: r.Items, p: p, at: x.clone(), Discrimination: x.clone().a}
	for _, t := range x.t {
		e.Ability = append(e.Ability, logistic(t))
	}
	for _, d := range x.d {
		e.Difficulty = append(e.Difficulty, logistic(d))
	}
	for _, n := range p.n {
		if n > 0 {
			e.Responses++
		}
	}
	return e
}

// finish adds the diagnostics of every fit, and rejects a fit that is not finite. Decided is the effective
// number of parameters.
func (e *Estimates) finish(decided float64) (*Estimates, error) {
	for what, values := range map[string][]float64{"ability": e.Ability, "difficulty": e.Difficulty, "discrimination": e.Discrimination, "objective": {e.Objective}} {
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%v: %s %d of the fit is %v: %w", e.Model, what, i+1, v, stats.ErrNotFinite)
			}
		}
	}
	e.decided = decided
	e.Explained = e.explained()
	e.Dispersion = e.dispersion(decided)
	e.Warnings = e.warnings()
	return e, nil
}

// onLogits converts an ability from the model's own scale to logits.
func (e *Estimates) onLogits(ability float64) float64 {
	if e.Model != Beta3 {
		return ability
	}
	return min(maxLogit, max(-maxLogit, logit(ability)))
}

// Expected returns the expected score of respondent i on item j, from 0 to 1.
func (e *Estimates) Expected(i, j int) float64 { return logistic(e.at.a[j] * (e.at.t[i] - e.at.d[j])) }

// Curve is item j's characteristic curve: the expected score of a respondent of the given ability. An
// ability off the model's scale is an error.
func (e *Estimates) Curve(j int, ability float64) (float64, error) {
	if err := e.check(j, ability); err != nil {
		return 0, err
	}
	return logistic(e.at.a[j] * (e.onLogits(ability) - e.at.d[j])), nil
}

func (e *Estimates) check(j int, ability float64) error {
	if j < 0 || j >= len(e.Items) {
		return fmt.Errorf("%v: there is no item %d among %d: %w", e.Model, j, len(e.Items), stats.ErrShape)
	}
	if math.IsNaN(ability) || math.IsInf(ability, 0) || e.Model == Beta3 && (ability < 0 || ability > 1) {
		return fmt.Errorf("%v: %v is no ability of its scale: %w", e.Model, ability, stats.ErrNotFinite)
	}
	return nil
}

// Explained holds two measures of how close the expected scores are to the responses. Neither shows that
// the parameters are right: with five respondents it is high even if difficulties are far off.
type Explained struct {
	// SquaredCorrelation is the squared Pearson correlation of expected and observed scores over all cells:
	// the R² of a linear regression of one on the other, which is what TaskEval prints as R² and birt-gd
	// calls its pseudo-R². It does not notice a bias or a wrong spread of the expected scores.
	SquaredCorrelation float64 `json:"squared_correlation"`
	// Efron is 1 - Σ(y-p)²/Σ(y-ȳ)², Efron's pseudo-R² (JASA 73, 1978), which is negative if the mean alone
	// would be closer.
	Efron float64 `json:"efron"`
	// Defined reports whether expected and observed scores both vary; if not, there is no correlation and
	// both numbers are 0.
	Defined bool `json:"defined"`
}

func (e *Estimates) explained() Explained {
	var y, q []float64
	for j := range e.Items {
		for i := range e.Respondents {
			if at := j*e.p.respondents + i; e.p.n[at] > 0 {
				y, q = append(y, e.p.y[at]), append(q, e.Expected(i, j))
			}
		}
	}
	my, mq := stats.Mean(y), stats.Mean(q)
	xy, xx, yy, rest := 0.0, 0.0, 0.0, 0.0
	for k := range y {
		xy += (y[k] - my) * (q[k] - mq)
		xx += (q[k] - mq) * (q[k] - mq)
		yy += (y[k] - my) * (y[k] - my)
		rest += (y[k] - q[k]) * (y[k] - q[k])
	}
	if !(xx > 0 && yy > 0) {
		return Explained{}
	}
	return Explained{SquaredCorrelation: min(1, xy/xx*xy/yy), Efron: 1 - rest/yy, Defined: true}
}

// Part returns the estimates of some respondents and items, given by index, from the joint fit, with new
// names for the items. Diagnostics are those of the selected responses.
func (e *Estimates) Part(respondents, items []int, called []string) *Estimates {
	p := &problem{respondents: len(respondents), items: len(items), observation: e.p.observation}
	x := newPoint(p.respondents, p.items)
	names := Responses{Items: called}
	for k, i := range respondents {
		x.t[k] = e.at.t[i]
		names.Respondents = append(names.Respondents, e.Respondents[i])
	}
	for k, j := range items {
		x.d[k], x.a[k] = e.at.d[j], e.at.a[j]
		for _, i := range respondents {
			at := j*e.p.respondents + i
			p.y, p.n, p.raw = append(p.y, e.p.y[at]), append(p.n, e.p.n[at]), append(p.raw, e.p.raw[at])
		}
	}
	p.prepare()
	out := newEstimates(names, p, x)
	out.Model, out.Method, out.Clip, out.Start, out.Starts, out.Iterations, out.Converged = e.Model, e.Method, e.Clip, e.Start, e.Starts, e.Iterations, e.Converged
	if e.Model != Beta3 {
		out.Ability, out.Difficulty = x.clone().t, x.clone().d
	}
	out.Dispersion, out.Explained = e.Dispersion, out.explained()
	out.Warnings = out.warnings()
	return out
}

// Part returns the intervals of some respondents and items, given by index.
func (iv Intervals) Part(respondents, items []int) Intervals {
	selected := func(all []stats.Interval, which []int) (out []stats.Interval) {
		for _, k := range which {
			out = append(out, all[k])
		}
		return out
	}
	iv.Ability, iv.Difficulty, iv.Discrimination = selected(iv.Ability, respondents), selected(iv.Difficulty, items), selected(iv.Discrimination, items)
	return iv
}
