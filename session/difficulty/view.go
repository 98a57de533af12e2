package difficulty

import (
	"fmt"
	"math"
	"slices"

	"assay/scoring/irt"
	"assay/session/report/figure"
)

// Response is a respondent's score on a task, with the expected score.
type Response struct {
	Respondent
	Score    float64 // NaN: none
	Samples  float64 // the number of samples behind the score; NaN if unknown
	Expected float64
}

// ResponsesTo returns all responses to a task, in descending order of ability; nil for a task that was not
// analysed.
func (a *Analysis) ResponsesTo(id string) []Response {
	j := slices.Index(a.estimates.Items, id)
	if j < 0 {
		return nil
	}
	var list []Response
	for place, i := range a.order {
		r := Response{Respondent: a.Respondents[place], Score: a.responses.Scores[i][j], Samples: math.NaN(), Expected: a.expected[place][j]}
		if a.responses.Trials != nil {
			r.Samples = a.responses.Trials[i][j]
		}
		list = append(list, r)
	}
	return list
}

// CurveOf returns the item characteristic curve of a task, the expected score by ability, and each
// respondent's ability with their score.
func (a *Analysis) CurveOf(id string) (curve figure.Line, dots []figure.Point, err error) {
	j := slices.Index(a.estimates.Items, id)
	if j < 0 {
		return curve, nil, fmt.Errorf("there are no responses to a task %q", id)
	}
	curve = figure.Line{About: figure.About{Title: "Score expected by ability", Of: "respondents"},
		X: figure.Axis{Name: "ability", From: 0, To: 1}, Y: figure.Axis{Name: "expected score", From: 0, To: 1}}
	if a.model != irt.Beta3 {
		curve.X = figure.Axis{Name: "ability", Unit: "SD", From: -3, To: 3}
	}
	line := figure.Curve{Name: id}
	for _, x := range a.Abilities {
		y, err := a.estimates.Curve(j, x)
		if err != nil {
			return curve, nil, fmt.Errorf("drawing the curve of %q: %w", id, err)
		}
		line.Points = append(line.Points, figure.Point{X: x, Y: y})
	}
	curve.Curves = []figure.Curve{line}
	for _, r := range a.ResponsesTo(id) {
		if !math.IsNaN(r.Score) {
			dots = append(dots, figure.Point{X: r.Ability.Value, Y: r.Score})
		}
	}
	curve.N = len(dots)
	return curve, dots, nil
}

// Scale returns the range of difficulties: 0 to 1, or for an unbounded scale the range of the estimates.
func (a *Analysis) Scale() (low, high float64) {
	if a.model == irt.Beta3 {
		return 0, 1
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, t := range a.Tasks {
		low, high = min(low, t.Difficulty.Value), max(high, t.Difficulty.Value)
	}
	return low, high
}

// ByID returns the tasks by their ids.
func (a *Analysis) ByID() map[string]*Task {
	all := map[string]*Task{}
	for j := range a.Tasks {
		all[a.Tasks[j].ID] = &a.Tasks[j]
	}
	return all
}
