package irt

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/scoring/stats"
)

// Responses are the scores of respondents on items: of models, models at a prompt level, or testers on
// tasks.
type Responses struct {
	Respondents []string `json:"respondents"`
	Items       []string `json:"items"`
	// Scores has a row for each respondent and a column for each item; each score is from 0 to 1: the share
	// of samples that were right. NaN is a missing cell.
	Scores [][]float64 `json:"scores"`
	// Trials has the same shape: the number of trials whose mean a score is. Nil means that scores are
	// single numbers without a count. The count of a missing score is ignored.
	Trials [][]float64 `json:"trials,omitempty"`
	// Second is the index of the first item of a second benchmark, whose mean difficulty differs; 0: there
	// is none.
	Second int `json:"-"`
}

// Only returns the responses to some of the items, without respondents who answered none of these.
func (r Responses) Only(keep func(item string) bool) Responses {
	var at []int
	only := Responses{}
	for i, item := range r.Items {
		if keep(item) {
			if r.Second > 0 && i >= r.Second && only.Second == 0 {
				only.Second = len(at)
			}
			at, only.Items = append(at, i), append(only.Items, item)
		}
	}
	cells := func(row []float64) (chosen []float64) {
		for _, i := range at {
			chosen = append(chosen, row[i])
		}
		return chosen
	}
	for i, name := range r.Respondents {
		row := cells(r.Scores[i])
		if !slices.ContainsFunc(row, func(x float64) bool { return !math.IsNaN(x) }) {
			continue
		}
		only.Respondents, only.Scores = append(only.Respondents, name), append(only.Scores, row)
		if r.Trials != nil {
			only.Trials = append(only.Trials, cells(r.Trials[i]))
		}
	}
	return only
}

// Check reports the first respondent and item that rule out fitting a model. Its error wraps stats.ErrShape
// (rows or names of different lengths), stats.ErrNotFinite (an infinite score or a count that is not
// finite), stats.ErrTooFew (under two respondents or items, or one of them without any response) and
// stats.ErrNoVariation (all responses are equal, so that neither abilities nor difficulties can be told
// apart). Scores outside of 0 to 1, counts of trials below 1 and names that occur twice are errors, too.
func (r Responses) Check() error {
	const statistic = "responses"
	if len(r.Respondents) < 2 {
		return fmt.Errorf("%s of %d respondents: with fewer than two, ability and difficulty cannot be told apart: %w", statistic, len(r.Respondents), stats.ErrTooFew)
	}
	if len(r.Items) < 2 {
		return fmt.Errorf("%s to %d items: at least two are needed: %w", statistic, len(r.Items), stats.ErrTooFew)
	}
	if len(r.Scores) != len(r.Respondents) {
		return fmt.Errorf("%s: %d rows of scores for %d respondents: %w", statistic, len(r.Scores), len(r.Respondents), stats.ErrShape)
	}
	if r.Trials != nil && len(r.Trials) != len(r.Respondents) {
		return fmt.Errorf("%s: %d rows of trials for %d respondents: %w", statistic, len(r.Trials), len(r.Respondents), stats.ErrShape)
	}
	if err := unique("respondent", r.Respondents); err != nil {
		return err
	}
	if err := unique("item", r.Items); err != nil {
		return err
	}
	for i := range r.Scores {
		if err := r.checkRow(i); err != nil {
			return err
		}
	}
	return r.checkContent()
}

func unique(noun string, names []string) error {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if first, ok := seen[name]; ok {
			return fmt.Errorf("responses: %ss %d and %d are both called %q", noun, first+1, i+1, name)
		}
		seen[name] = i
	}
	return nil
}

// checkRow checks the shape and the values of one respondent.
func (r Responses) checkRow(i int) error {
	row := r.Scores[i]
	if len(row) != len(r.Items) {
		return fmt.Errorf("responses: respondent %q has %d scores for %d items: %w", r.Respondents[i], len(row), len(r.Items), stats.ErrShape)
	}
	if r.Trials != nil && len(r.Trials[i]) != len(row) {
		return fmt.Errorf("responses: respondent %q has %d counts of trials for %d items: %w", r.Respondents[i], len(r.Trials[i]), len(row), stats.ErrShape)
	}
	for j, y := range row {
		switch {
		case math.IsNaN(y):
			continue
		case math.IsInf(y, 0):
			return fmt.Errorf("responses: the score of %q on %q is %v: %w", r.Respondents[i], r.Items[j], y, stats.ErrNotFinite)
		case y < 0 || y > 1:
			return fmt.Errorf("responses: the score of %q on %q is %v: it must be from 0 to 1", r.Respondents[i], r.Items[j], y)
		}
		if r.Trials == nil {
			continue
		}
		switch n := r.Trials[i][j]; {
		case math.IsNaN(n) || math.IsInf(n, 0):
			return fmt.Errorf("responses: the trials of %q on %q are %v: %w", r.Respondents[i], r.Items[j], n, stats.ErrNotFinite)
		case n < 1 || n > maxTrials:
			return fmt.Errorf("responses: the trials of %q on %q are %v: they must be from 1 to %d", r.Respondents[i], r.Items[j], n, maxTrials)
		}
	}
	return nil
}

// maxTrials keeps sums of squares exact in floating point.
const maxTrials = 1_000_000

// checkContent rejects empty rows and columns, and responses that are all equal.
func (r Responses) checkContent() error {
	first := math.NaN()
	answered, varies := make([]float64, len(r.Items)), make([]bool, len(r.Items))
	for j := range answered {
		answered[j] = math.NaN()
	}
	for i, row := range r.Scores {
		any := false
		for j, y := range row {
			if math.IsNaN(y) {
				continue
			}
			if any = true; math.IsNaN(answered[j]) {
				answered[j] = y
			}
			if math.IsNaN(first) {
				first = y
			}
			varies[j] = varies[j] || y != answered[j]
		}
		if !any {
			return fmt.Errorf("responses: respondent %q answered no item, and nothing can be said of it: %w", r.Respondents[i], stats.ErrTooFew)
		}
	}
	alike, equal := true, true
	for j, y := range answered {
		if math.IsNaN(y) {
			return fmt.Errorf("responses: item %q has no response, and nothing can be said of it: %w", r.Items[j], stats.ErrTooFew)
		}
		equal = equal && y == first && !varies[j]
		alike = alike && !varies[j]
	}
	switch {
	case equal:
		return fmt.Errorf("responses: all are %v, so that neither abilities nor difficulties can be told apart: %w", first, stats.ErrNoVariation)
	case alike:
		return fmt.Errorf("responses: all respondents answered alike, so that their abilities cannot be told from the items' difficulties; compare their mean scores: %w", stats.ErrNoVariation)
	}
	return nil
}

// shares returns the responses with the number of trials that shares without one have: the least of which all are
// multiples, to the rounding of three decimals, and 0 if there is none up to 50.
func (r Responses) shares() (Responses, float64) {
	const most, rounding = 50, 0.00051
	for n := 2.0; n <= most; n++ {
		fits := true
		for _, row := range r.Scores {
			for _, y := range row {
				fits = fits && !(math.Abs(y*n-math.Round(y*n)) > n*rounding)
			}
		}
		if fits {
			return r.each(n), n
		}
	}
	return r, 0
}

// each returns the responses with n trials each.
func (r Responses) each(n float64) Responses {
	r.Trials = make([][]float64, len(r.Scores))
	for i, row := range r.Scores {
		r.Trials[i] = slices.Repeat([]float64{n}, len(row))
	}
	return r
}

// binary reports whether all responses are 0 or 1, and if not, the first that is neither.
func (r Responses) binary() (respondent, item int, ok bool) {
	for i, row := range r.Scores {
		for j, y := range row {
			if !math.IsNaN(y) && y != 0 && y != 1 {
				return i, j, false
			}
		}
	}
	return 0, 0, true
}

// Take returns the responses to the chosen items, by their indices.
func (r Responses) Take(items []int) (Responses, error) {
	subset := Responses{Respondents: r.Respondents, Scores: make([][]float64, len(r.Scores))}
	if r.Trials != nil {
		subset.Trials = make([][]float64, len(r.Trials))
	}
	for _, j := range items {
		if j < 0 || j >= len(r.Items) {
			return Responses{}, fmt.Errorf("responses: there is no item %d among %d: %w", j, len(r.Items), stats.ErrShape)
		}
		subset.Items = append(subset.Items, r.Items[j])
		for i := range r.Scores {
			subset.Scores[i] = append(subset.Scores[i], r.Scores[i][j])
			if r.Trials != nil {
				subset.Trials[i] = append(subset.Trials[i], r.Trials[i][j])
			}
		}
	}
	return subset, nil
}

// Sorted returns the responses with respondents and items sorted by name, so that draws do not depend on
// the input order. It returns data that Check rejects unchanged.
func (r Responses) Sorted() Responses {
	order := func(names []string) []int {
		all := make([]int, len(names))
		for k := range all {
			all[k] = k
		}
		slices.SortStableFunc(all, func(a, b int) int { return strings.Compare(names[a], names[b]) })
		return all
	}
	if r.Check() != nil {
		return r
	}
	rows, err := r.Take(order(r.Items))
	if err != nil {
		return r
	}
	out := rows
	out.Respondents, out.Scores, out.Trials = nil, nil, nil
	for _, i := range order(r.Respondents) {
		out.Respondents, out.Scores = append(out.Respondents, r.Respondents[i]), append(out.Scores, rows.Scores[i])
		if rows.Trials != nil {
			out.Trials = append(out.Trials, rows.Trials[i])
		}
	}
	return out
}

// Union joins the responses of the same or overlapping respondents to different items, with the items of b
// as Second; cells that neither has are missing. Check reports items whose name is in both. Trials are kept
// if both have them.
func Union(a, b Responses) Responses {
	r := Responses{Items: slices.Concat(a.Items, b.Items), Second: len(a.Items)}
	counted := a.Trials != nil && b.Trials != nil
	row := func(name string, of func(Responses) [][]float64) []float64 {
		var all []float64
		for _, part := range []Responses{a, b} {
			if i := slices.Index(part.Respondents, name); i >= 0 {
				all = append(all, of(part)[i]...)
				continue
			}
			for range part.Items {
				all = append(all, math.NaN())
			}
		}
		return all
	}
	for _, name := range slices.Concat(a.Respondents, b.Respondents) {
		if slices.Contains(r.Respondents, name) {
			continue
		}
		r.Respondents = append(r.Respondents, name)
		r.Scores = append(r.Scores, row(name, func(p Responses) [][]float64 { return p.Scores }))
		if counted {
			r.Trials = append(r.Trials, row(name, func(p Responses) [][]float64 { return p.Trials }))
		}
	}
	return r
}
