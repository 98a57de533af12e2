package adaptive

import (
	"errors"
	"fmt"
	"math"

	"assay/scoring/irt"
	"assay/scoring/stats"
)

// Item is a task's curve in 2PL: a response is right with the chance 1/(1 + exp(-(Intercept + Slope·θ))).
// Slope is the discrimination a, and the intercept -ab with b the difficulty.
type Item struct {
	ID        string  `json:"id"`
	Slope     float64 `json:"slope"`
	Intercept float64 `json:"intercept"`

	// Standard errors of both and their correlation; 0 for parameters that are known.
	SlopeSE     float64 `json:"slope_se"`
	InterceptSE float64 `json:"intercept_se"`
	Correlation float64 `json:"correlation"`

	// Shared is the correlation of a respondent's samples of the task, which is what they share beyond ability
	// and curve. 1 where the calibration cannot tell, since it had one sample of each: then several samples
	// count as one response. 0, in files of version 1.0, counts each.
	Shared float64 `json:"shared,omitempty"`
	// Calibrators is the number of respondents that calibrated the task; 0, in files of version 1.0: not known.
	Calibrators int `json:"calibrators,omitempty"`
}

// MostParameter bounds slopes and intercepts, so that curves stay finite.
const MostParameter = 1000

// Check returns what is wrong with an item.
func (i Item) Check() error {
	if i.ID == "" {
		return errors.New("an item has no id")
	}
	for _, v := range []struct {
		name             string
		value, low, high float64
	}{
		{"slope", i.Slope, -MostParameter, MostParameter}, {"intercept", i.Intercept, -MostParameter, MostParameter},
		{"slope_se", i.SlopeSE, 0, MostParameter}, {"intercept_se", i.InterceptSE, 0, MostParameter},
		{"correlation", i.Correlation, -1, 1}, {"shared", i.Shared, 0, 1}, {"calibrators", float64(i.Calibrators), 0, math.MaxInt32},
	} {
		if !(v.value >= v.low && v.value <= v.high) {
			return fmt.Errorf("item %q: %s is %v, not from %g to %g", i.ID, v.name, v.value, v.low, v.high)
		}
	}
	return nil
}

// logit returns the mean and the standard deviation of the curve's logit at an ability.
func (i Item) logit(ability float64) (mean, sd float64) {
	a, c := i.SlopeSE*ability, i.InterceptSE
	variance := a*a + 2*i.Correlation*a*c + c*c
	return i.Intercept + i.Slope*ability, math.Sqrt(max(0, variance))
}

// steeper returns the derivative of the logit's standard deviation by ability.
func (i Item) steeper(ability, sd float64) float64 {
	if sd == 0 {
		return 0
	}
	return (i.SlopeSE*i.SlopeSE*ability + i.Correlation*i.SlopeSE*i.InterceptSE) / sd
}

// effective returns the number of independent responses that tell as much as n samples do: n over the design
// effect 1 + (n-1)ρ (Kish, Survey Sampling, 1965, section 5.4).
func (i Item) effective(n int) float64 { return float64(n) / (1 + float64(n-1)*i.Shared) }

// Items returns the items of a fit with the uncertainty that its draws have. Each draw is moved to the scale
// on which the respondents' abilities in that draw have mean 0 and standard deviation 1, since what all items
// share, the unknown origin and unit of the scale, says nothing about one respondent beside others.
func Items(drawn irt.Drawn) ([]Item, error) {
	if len(drawn.Ability) < 2 {
		return nil, fmt.Errorf("items of %d respondents: %w", len(drawn.Ability), stats.ErrTooFew)
	}
	draws := len(drawn.Ability[0])
	centre, unit := make([]float64, draws), make([]float64, draws)
	column := make([]float64, len(drawn.Ability))
	for s := range draws {
		for i := range drawn.Ability {
			column[i] = drawn.Logit(drawn.Ability[i][s])
		}
		centre[s], unit[s] = stats.Mean(column), stats.SD(column)
	}
	shared, known := drawn.Estimates.Shared()
	if !known {
		shared = 1
	}
	var items []Item
	slopes, intercepts := make([]float64, draws), make([]float64, draws)
	for j, id := range drawn.Estimates.Items {
		for s := range draws {
			a := drawn.Discrimination[j][s]
			slopes[s], intercepts[s] = a*unit[s], a*(centre[s]-drawn.Logit(drawn.Difficulty[j][s]))
		}
		item := Item{
			ID: id, Slope: stats.Mean(slopes), Intercept: stats.Mean(intercepts),
			SlopeSE: stats.SD(slopes), InterceptSE: stats.SD(intercepts),
		}
		item.Shared, item.Calibrators = shared, drawn.Estimates.Answered(j)
		for s := range draws {
			item.Correlation += (slopes[s] - item.Slope) * (intercepts[s] - item.Intercept)
		}
		if scale := float64(draws-1) * item.SlopeSE * item.InterceptSE; scale > 0 {
			item.Correlation = min(1, max(-1, item.Correlation/scale))
		} else {
			item.Correlation = 0
		}
		if err := item.Check(); err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
