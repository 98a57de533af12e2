package difficulty

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/scoring/irt"
	"assay/scoring/stats"
)

// Original is how hard a task is by its benchmark's own prompt alone.
type Original struct {
	Difficulty float64 `json:"difficulty"` // 1 − the mean score of the respondents, from 0 to 1
	N          int     `json:"n"`          // respondents
	Failed     int     `json:"failed"`     // of them with a score of 0
	Solved     int     `json:"solved"`     // with a score of 1
}

// Originals compares difficulty δ, which is over many prompts, with difficulty by the benchmark's own prompts (TaskEval,
// section 2). Tasks of a negative discrimination are left out, since for these a high δ does not mean that most fail.
type Originals struct {
	Results     []string          `json:"results"`     // of the original prompts, as given
	Respondents []string          `json:"respondents"` // to the original prompts
	N           int               `json:"n"`           // tasks with both
	Tau         *stats.KendallTau `json:"kendall,omitempty"`
	Rows        []OriginalRow     `json:"rows"` // in descending order of the distance
	Warnings    []string          `json:"warnings,omitempty"`
}

// OriginalRow is a task with both difficulties.
type OriginalRow struct {
	Task string  `json:"task"`
	Gap  float64 `json:"gap"` // δ less the difficulty by the original prompt
}

// CompareOriginals adds the difficulty by original prompts to the tasks, from responses to these prompts alone, which are
// named by results.
func (a *Analysis) CompareOriginals(r irt.Responses, results []string) error {
	if a.Model != irt.Beta3.String() {
		return fmt.Errorf("%s has no difficulty between 0 and 1, which a share of failures is compared with: use --method map or taskeval", a.Model)
	}
	known := map[string]int{}
	for j, id := range r.Items {
		known[id] = j
	}
	for j := range a.Tasks {
		if item, ok := known[a.Tasks[j].ID]; ok {
			a.Tasks[j].Original = original(r, item)
		}
	}
	if err := a.compareOriginals(Originals{Results: results, Respondents: r.Respondents}); err != nil {
		return err
	}
	if a.Originals.N == 0 {
		return fmt.Errorf("none of the %d tasks has results of its original prompt and a discrimination that is not negative", len(a.Tasks))
	}
	return nil
}

// compareOriginals compares the tasks' two difficulties.
func (a *Analysis) compareOriginals(o Originals) error {
	o.Rows, o.Warnings = []OriginalRow{}, nil
	missing, negative := 0, 0
	var delta, shares []float64
	for _, t := range a.Tasks {
		switch {
		case t.Original == nil:
			missing++
		case t.Kind == Suspect || t.Kind == Chance:
			negative++
		default:
			delta, shares = append(delta, t.Difficulty.Value), append(shares, t.Original.Difficulty)
			o.Rows = append(o.Rows, OriginalRow{t.ID, t.Difficulty.Value - t.Original.Difficulty})
		}
	}
	o.N = len(o.Rows)
	slices.SortStableFunc(o.Rows, func(x, y OriginalRow) int { return compare(math.Abs(y.Gap), math.Abs(x.Gap)) })
	tau, err := stats.Kendall(delta, shares, stats.Auto)
	if o.Tau = &tau; errors.Is(err, stats.ErrNoVariation) || errors.Is(err, stats.ErrTooFew) {
		o.Tau = nil
	} else if err != nil {
		return err
	}
	o.warn(a.Respondents, missing, negative)
	a.Originals = &o
	return nil
}

// original returns the difficulty of an item, which has a response.
func original(r irt.Responses, item int) *Original {
	o := &Original{}
	var mean float64
	if mean, o.N = column(r, item); o.N > 0 {
		o.Difficulty = 1 - mean
	}
	for i := range r.Scores {
		switch r.Scores[i][item] {
		case 0:
			o.Failed++
		case 1:
			o.Solved++
		}
	}
	return o
}

// warn says what limits the comparison.
func (o *Originals) warn(respondents []Respondent, missing, negative int) {
	var others []string
	for _, x := range respondents {
		if !slices.Contains(o.Respondents, x.Name) {
			others = append(others, x.Name+" (no original prompts)")
		}
	}
	for _, name := range o.Respondents {
		if !slices.ContainsFunc(respondents, func(x Respondent) bool { return x.Name == name }) {
			others = append(others, name+" (original prompts only)")
		}
	}
	if len(others) > 0 {
		const most = 6
		o.Warnings = append(o.Warnings, fmt.Sprintf("The two difficulties are of different respondents: %s.", strings.Join(others[:min(most, len(others))], ", ")))
	}
	if missing > 0 {
		o.Warnings = append(o.Warnings, fmt.Sprintf("Tasks without results of their original prompt: %d.", missing))
	}
	if negative > 0 {
		o.Warnings = append(o.Warnings, fmt.Sprintf("Tasks of a negative discrimination, which are left out, since a high δ does not mean there that most fail: %d.", negative))
	}
}
