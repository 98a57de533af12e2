package batch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"assay/benchmark"
	"assay/scoring"
	"assay/scoring/stats"
)

// What a comparison is asked at.
const (
	AnswerLevel = 0.05 // of the two-sided test
	AnswerPower = 0.80
)

// Answer is what a comparison says in one metric to somebody who has to choose: which is
// better, how sure that is, on which tasks, and how many tasks would tell.
type Answer struct {
	ComparedMetric
	N [2]int // samples of a task: the fewest and the most of both

	// Tasks by who solves them with at least one of the samples.
	OnlyFirst, OnlySecond, Both, Neither int

	BetterFirst, BetterSecond []TaskDifference // the tasks that either is better in, the largest difference first

	Difficulties []DifficultyDifference
	Needed       Needed
}

// TaskDifference is one task on which the two differ.
type TaskDifference struct {
	Task       string  `json:"task"`
	Difficulty string  `json:"difficulty,omitempty"`
	Difference float64 `json:"difference"` // first minus second
	Accepted   [2]int  `json:"accepted"`   // samples of the first and the second
	Judged     [2]int  `json:"judged"`
}

// DifficultyDifference is the comparison within one difficulty; "" where it is not known.
type DifficultyDifference struct {
	Difficulty    string
	First, Second float64
	Difference    scoring.Difference
}

// Needed is how many tasks would tell the two apart, if the difference and its spread
// are what they were on these: stats.PairsNeeded at AnswerLevel and AnswerPower. Fewest
// and Most follow from the ends of the difference's interval with the same spread; Most
// is infinite where the interval includes 0. None is less than the number of such tasks
// of which so many differ that the test can be significant at all.
type Needed struct {
	Tasks, Fewest, Most float64
	Problem             string // why there is no number
}

// Verdict says who is better, by the test at AnswerLevel and the interval: 1 the first,
// -1 the second, 0 neither, as always where there is no interval. Split says that test
// and interval disagree.
func (a *Answer) Verdict() (better int, split bool) {
	d := &a.Difference
	if d.Method == "" {
		return 0, false
	}
	tested := d.Test != nil && d.Test.P < AnswerLevel
	if outside := d.Interval.Low > 0 || d.Interval.High < 0; tested != outside {
		return 0, true
	}
	if !tested {
		return 0, false
	}
	return cmp.Compare(d.Value, 0), false
}

// NoInterval says why the difference has no interval; "" where it has one, or is 0 on
// every task.
func (a *Answer) NoInterval() string {
	switch d := &a.Difference; {
	case d.Method != "" || d.Better+d.Worse == 0:
		return ""
	case d.N == 1:
		return "one task says nothing of how much tasks differ"
	}
	return "the difference is the same on every task, which says nothing of how much tasks differ"
}

// Ask compares two evaluations in one metric, "" for the first pass@k. Errors are those of
// Compare, and of a metric that there is none of.
func Ask(first, second []Row, ks []int, metric string, tasks *benchmark.Benchmark) (*Answer, error) {
	c, err := Compare(first, second, ks, nil, nil)
	if err != nil {
		return nil, err
	}
	at := 0
	if metric != "" {
		at = slices.IndexFunc(c.Metrics, func(m ComparedMetric) bool { return m.Name == metric })
	}
	if at < 0 {
		var names []string
		for _, m := range c.Metrics {
			names = append(names, m.Name)
		}
		return nil, fmt.Errorf("there is no metric %q; there are %q", metric, names)
	}
	known := map[string]*benchmark.Task{}
	if tasks != nil {
		known, _ = taskHashes(tasks)
	}
	a := &Answer{ComparedMetric: c.Metrics[at]}
	of := metricsOf(ks)[at].value
	x, y := tallied(first, known), tallied(second, known)
	vx, err := x.values(of, c.Withheld)
	if err != nil {
		return nil, err
	}
	vy, err := y.values(of, c.Withheld)
	if err != nil {
		return nil, err
	}
	for id := range vx {
		if _, common := vy[id]; common {
			a.add(id, x.tasks[id], y.tasks[id], vx[id]-vy[id], known[id])
		}
	}
	for _, list := range [][]TaskDifference{a.BetterFirst, a.BetterSecond} {
		slices.SortFunc(list, func(p, q TaskDifference) int {
			if d := math.Abs(p.Difference) - math.Abs(q.Difference); math.Abs(d) > 1e-12 {
				return cmp.Compare(0, d)
			}
			return InOrder(p.Task, q.Task)
		})
	}
	if err := a.split(vx, vy, known); err != nil {
		return nil, err
	}
	a.Needed = a.needed()
	return a, nil
}

// add counts a task that both have.
func (a *Answer) add(id string, x, y *taskTally, difference float64, task *benchmark.Task) {
	for _, t := range []*taskTally{x, y} {
		if a.N[0] == 0 || t.judged < a.N[0] {
			a.N[0] = t.judged
		}
		a.N[1] = max(a.N[1], t.judged)
	}
	switch {
	case x.accepted > 0 && y.accepted > 0:
		a.Both++
	case x.accepted > 0:
		a.OnlyFirst++
	case y.accepted > 0:
		a.OnlySecond++
	default:
		a.Neither++
	}
	d := TaskDifference{Task: id, Difference: difference, Accepted: [2]int{x.accepted, y.accepted}, Judged: [2]int{x.judged, y.judged}}
	if task != nil {
		d.Difficulty = string(task.Difficulty)
	}
	switch {
	case difference > 1e-12:
		a.BetterFirst = append(a.BetterFirst, d)
	case difference < -1e-12:
		a.BetterSecond = append(a.BetterSecond, d)
	}
}

// split compares within each difficulty, from easy to hard, if any is known.
func (a *Answer) split(first, second map[string]float64, tasks map[string]*benchmark.Task) error {
	type side struct{ first, second map[string]float64 }
	groups := map[string]side{}
	for id, v := range first {
		w, common := second[id]
		if !common {
			continue
		}
		difficulty := ""
		if t := tasks[id]; t != nil {
			difficulty = string(t.Difficulty)
		}
		if groups[difficulty].first == nil {
			groups[difficulty] = side{map[string]float64{}, map[string]float64{}}
		}
		groups[difficulty].first[id], groups[difficulty].second[id] = v, w
	}
	if len(groups) == 1 && groups[""].first != nil {
		return nil
	}
	for _, name := range slices.SortedFunc(maps.Keys(groups), byDifficulty) {
		d, err := scoring.PairedDifference(groups[name].first, groups[name].second)
		if err != nil {
			return err
		}
		mean := func(values map[string]float64) float64 {
			return stats.Mean(slices.Sorted(maps.Values(values)))
		}
		a.Difficulties = append(a.Difficulties, DifficultyDifference{name, mean(groups[name].first), mean(groups[name].second), d})
	}
	return nil
}

// byDifficulty orders from easy to hard, then by name; what is not known comes last.
func byDifficulty(a, b string) int {
	rank := func(d string) int {
		if i := slices.Index(benchmark.Difficulties[:], benchmark.Difficulty(d)); i >= 0 {
			return i
		}
		if d == "" {
			return len(benchmark.Difficulties) + 1
		}
		return len(benchmark.Difficulties)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// fewestInformative is the number of tasks that have to differ before any difference is
// significant: if all do in the same direction, the two-sided p is 2 of 2ⁿ signs.
func fewestInformative() float64 {
	n := 1.0
	for math.Exp2(1-n) >= AnswerLevel {
		n++
	}
	return n
}

// needed works out how many tasks would tell.
func (a *Answer) needed() Needed {
	d := &a.Difference
	n, err := stats.PairsNeeded(d.Value, d.SD, AnswerLevel, AnswerPower)
	switch {
	case d.N < 2:
		return Needed{Problem: "one task says nothing of how much tasks differ"}
	case a.NoInterval() != "":
		return Needed{Problem: a.NoInterval()}
	case errors.Is(err, stats.ErrNoVariation):
		return Needed{Problem: "the difference on these tasks is 0, and no number of tasks tells 0 from 0"}
	case err != nil:
		return Needed{Problem: err.Error()}
	}
	x := Needed{Tasks: n, Fewest: n, Most: n}
	low, high := math.Abs(d.Interval.Low), math.Abs(d.Interval.High)
	if d.Interval.Low <= 0 && d.Interval.High >= 0 {
		x.Most = math.Inf(1)
	} else if m, err := stats.PairsNeeded(min(low, high), d.SD, AnswerLevel, AnswerPower); err == nil {
		x.Most = m
	}
	if m, err := stats.PairsNeeded(max(low, high), d.SD, AnswerLevel, AnswerPower); err == nil {
		x.Fewest = m
	}
	least := math.Ceil(fewestInformative() * float64(d.N) / float64(d.Better+d.Worse))
	x.Tasks, x.Fewest, x.Most = max(x.Tasks, least), max(x.Fewest, least), max(x.Most, least)
	return x
}

// MarshalJSON writes the answer as `assay compare --json` prints it.
func (a *Answer) MarshalJSON() ([]byte, error) {
	better, split := a.Verdict()
	m := map[string]any{
		"metric": a.Name, "tasks": a.Difference.N, "samples_fewest": a.N[0], "samples_most": a.N[1],
		"told_apart": better != 0, "better": map[int]any{1: "first", -1: "second", 0: nil}[better], "test_and_interval_disagree": split,
		"solved_by":       map[string]int{"only_first": a.OnlyFirst, "only_second": a.OnlySecond, "both": a.Both, "neither": a.Neither},
		"better_in_first": append([]TaskDifference{}, a.BetterFirst...), "better_in_second": append([]TaskDifference{}, a.BetterSecond...),
	}
	put(&a.First, "first", m)
	put(&a.Second, "second", m)
	put(&a.Difference.Metric, "difference", m)
	if test := a.Difference.Test; test != nil {
		m["p"], m["p_method"] = test.P, test.Method
	}
	if why := a.NoInterval(); why != "" {
		m["no_interval"] = why
	}
	if a.Difference.N > 1 {
		m["sd_of_differences"] = a.Difference.SD
	}
	difficulties := []map[string]any{}
	for _, d := range a.Difficulties {
		row := map[string]any{"difficulty": d.Difficulty, "tasks": d.Difference.N, "first": d.First, "second": d.Second}
		put(&d.Difference.Metric, "difference", row)
		difficulties = append(difficulties, row)
	}
	m["by_difficulty"] = difficulties
	n := map[string]any{"level": AnswerLevel, "power": AnswerPower}
	if n["problem"] = a.Needed.Problem; a.Needed.Problem == "" {
		n["tasks"], n["fewest"] = a.Needed.Tasks, a.Needed.Fewest
		if n["most"] = nil; !math.IsInf(a.Needed.Most, 0) {
			n["most"] = a.Needed.Most
		}
	}
	m["tasks_needed"] = n
	return json.Marshal(m)
}
