package report

import (
	"fmt"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/session"
)

// Slices are the results by the values of one property of the tasks.
type Slices struct {
	By    string  `json:"by"` // "difficulty", "type" or "set"
	Cells []Slice `json:"cells"`

	// Trends says for each measure whether it keeps its direction over the
	// difficulties in the order easy, medium, hard; only where all have enough.
	Trends []Trend `json:"trends,omitempty"`
}

// Slice is the tasks with one value.
type Slice struct {
	Value      string   `json:"value"` // "" where the task has none
	N          int      `json:"n"`
	Small      bool     `json:"small"` // fewer tasks than deserve a conclusion
	Attempts   Estimate `json:"attempt_k_mean"`
	Satisfied  Share    `json:"satisfied"`
	Completion Estimate `json:"completion_mean"` // seconds
	Total      Estimate `json:"total_mean"`
	PassRate   Estimate `json:"mean_pass_rate"`
	Accepted   Share    `json:"accepted"`

	Attributes []Estimate `json:"attribute_means"` // in the plan's order
}

// Trend is a checked statement about a measure from easy to hard.
type Trend struct {
	Measure   string `json:"measure"`
	Direction string `json:"direction"` // the expected one: "rises" or "falls"
	Holds     bool   `json:"holds"`
	BrokenAt  string `json:"broken_at,omitempty"`
}

func slicesOf(est *estimator, analysed []result, attributes []session.Attribute) []Slices {
	difficulty := Slices{By: "difficulty", Cells: cells(est, analysed, attributes, func(r result) string { return string(r.Difficulty) })}
	slices.SortStableFunc(difficulty.Cells, func(a, b Slice) int { return rank(a.Value) - rank(b.Value) })
	difficulty.Trends = trendsOf(difficulty.Cells, attributes)
	return []Slices{
		difficulty,
		{By: "type", Cells: cells(est, analysed, attributes, func(r result) string { return r.Type })},
		{By: "set", Cells: cells(est, analysed, attributes, func(r result) string { return r.Set })},
	}
}

// rank orders difficulties; other words come after them.
func rank(difficulty string) int {
	for i, d := range benchmark.Difficulties {
		if difficulty == string(d) {
			return i
		}
	}
	return len(benchmark.Difficulties)
}

func cells(est *estimator, analysed []result, attributes []session.Attribute, value func(result) string) []Slice {
	groups := map[string][]result{}
	for _, r := range analysed {
		groups[value(r)] = append(groups[value(r)], r)
	}
	all := []Slice{}
	for v, group := range groups {
		all = append(all, cell(est, clean(v), group, attributes))
	}
	slices.SortFunc(all, func(a, b Slice) int { return strings.Compare(a.Value, b.Value) })
	return all
}

func cell(est *estimator, value string, group []result, attributes []session.Attribute) Slice {
	var attempts, completion []float64
	happy := 0
	for _, r := range group {
		attempts, completion = append(attempts, float64(r.counted)), append(completion, seconds(r.times.Completion))
		if r.happy {
			happy++
		}
	}
	tests := testsOf(est, group)
	s := Slice{
		Value: value, N: len(group), Small: len(group) < Small,
		Attempts: est.mean(attempts), Satisfied: est.share(happy, len(group)),
		Completion: est.mean(completion), Total: est.mean(totals(group, attributes)),
		PassRate: tests.PassRate, Accepted: tests.Accepted,
	}
	for _, a := range attributes {
		var x []float64
		for _, r := range group {
			if score, rated := r.Ratings[a.ID]; rated {
				x = append(x, float64(score))
			}
		}
		s.Attributes = append(s.Attributes, est.mean(x))
	}
	return s
}

// trendsOf checks what Miah & Zhu found (section V.C): ratings fall with the
// difficulty, attempts and times rise. It needs enough tasks of all three.
func trendsOf(cells []Slice, attributes []session.Attribute) []Trend {
	if len(cells) < len(benchmark.Difficulties) || rank(cells[len(benchmark.Difficulties)-1].Value) == len(benchmark.Difficulties) {
		return nil
	}
	cells = cells[:len(benchmark.Difficulties)]
	for _, c := range cells {
		if c.Small {
			return nil
		}
	}
	trends := []Trend{
		trend("attempts", "rises", cells, func(s Slice) Number { return s.Attempts.Value }),
		trend("completion time", "rises", cells, func(s Slice) Number { return s.Completion.Value }),
		trend("total", "falls", cells, func(s Slice) Number { return s.Total.Value }),
	}
	for i, a := range attributes {
		trends = append(trends, trend(clean(a.Name), "falls", cells, func(s Slice) Number { return s.Attributes[i].Value }))
	}
	return trends
}

func trend(measure, direction string, cells []Slice, value func(Slice) Number) Trend {
	t := Trend{Measure: measure, Direction: direction, Holds: true}
	for i := 1; i < len(cells); i++ {
		step := value(cells[i]) - value(cells[i-1])
		if direction == "falls" {
			step = -step
		}
		if t.Holds && !(step >= 0) {
			t.Holds, t.BrokenAt = false, fmt.Sprintf("%s to %s", cells[i-1].Value, cells[i].Value)
		}
	}
	return t
}
