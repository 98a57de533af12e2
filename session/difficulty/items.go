package difficulty

import (
	"fmt"
	"math"
	"strings"

	"assay/scoring/irt"
	"assay/scoring/irt/adaptive"
)

// CalibrateItems fits responses and returns the items for adaptive tests: 2PL where all responses are 0 or 1,
// else β3-IRT, whose curves have the same form. Quick uses fewer draws of the posterior.
func CalibrateItems(name string, r irt.Responses, seed uint64, quick bool) (*adaptive.File, error) {
	r = r.Sorted()
	e, err := irt.TwoPL(binary(r))
	if err != nil {
		if e, err = irt.Fit(r, irt.Options{Seed: seed}); err != nil {
			return nil, fmt.Errorf("the responses cannot be analysed: %w", err)
		}
	}
	length := irt.Long()
	if quick {
		length = irt.Short()
	}
	drawn, err := e.Draw(seed, length, Confidence)
	if err != nil {
		return nil, fmt.Errorf("the uncertainty of the items is not known: %w", err)
	}
	f := &adaptive.File{Format: adaptive.Format, Name: name, Model: e.Model.String(), Respondents: r.Respondents}
	if f.Items, err = adaptive.Items(drawn); err != nil {
		return nil, err
	}
	if n := len(r.Respondents); n < irt.EnoughRespondents {
		f.Notes = append(f.Notes, fmt.Sprintf("The items were calibrated with %d respondents, fewer than %d: single difficulties are far off, and intervals of abilities are too short.", n, irt.EnoughRespondents))
	}
	var falling []string
	for _, item := range f.Items {
		if item.Slope <= 0 {
			falling = append(falling, item.ID)
		}
	}
	if len(falling) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Less able respondents do better on %s: adaptive tests do not ask these.", strings.Join(falling, ", ")))
	}
	return f, nil
}

// binary drops the counts of single trials, with which scores of 0 and 1 are single responses.
func binary(r irt.Responses) irt.Responses {
	for i, row := range r.Trials {
		for j, n := range row {
			if n > 1 && !math.IsNaN(r.Scores[i][j]) {
				return r
			}
		}
	}
	r.Trials = nil
	return r
}
