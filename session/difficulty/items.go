package difficulty

import (
	"fmt"
	"math"
	"strings"

	"assay/scoring/irt"
	"assay/scoring/irt/adaptive"
	"assay/scoring/stats"
)

// CalibrateItems fits responses and returns the items for adaptive tests: 2PL where all responses are 0 or 1,
// else β3-IRT, whose curves have the same form. Quick uses fewer draws of the posterior.
func CalibrateItems(name string, r irt.Responses, seed uint64, quick bool) (*adaptive.File, error) {
	r = r.Sorted()
	length := irt.Long()
	if quick {
		length = irt.Short()
	}
	e, items, err := adaptive.Calibrate(r, seed, length)
	if err != nil {
		return nil, err
	}
	f := &adaptive.File{
		Format: adaptive.Format, Name: name, Model: e.Model.String(), Respondents: r.Respondents, Samples: samples(r), Items: items,
	}
	if n := len(r.Respondents); n < irt.EnoughRespondents {
		f.Notes = append(f.Notes, fmt.Sprintf("The items were calibrated with %d respondents, fewer than %d: single difficulties are far off, and intervals of abilities are wide.", n, irt.EnoughRespondents))
	}
	if _, known := e.Shared(); !known {
		f.Notes = append(f.Notes, "From single samples it is not known how alike several samples of a task are: adaptive tests count those of a task as one response.")
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

// samples returns the median number of samples of a respondent and task.
func samples(r irt.Responses) int {
	var counts []float64
	for i, row := range r.Trials {
		for j, n := range row {
			if !math.IsNaN(r.Scores[i][j]) {
				counts = append(counts, n)
			}
		}
	}
	if len(counts) == 0 {
		return 1
	}
	return int(math.Round(stats.Median(counts)))
}
