package batch

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/scoring"
	"assay/scoring/stats"
)

// AnswerAssurance is the assurance with which the next comparison is planned.
const AnswerAssurance = 0.80

// Answer is a comparison in one metric for someone who has to choose: which is better, how sure
// that is, on which tasks, and how to plan the next comparison.
type Answer struct {
	ComparedMetric
	N [2]int // samples of a task in either: the fewest and the most

	// Tasks by which of the two solves them with at least one sample.
	OnlyFirst, OnlySecond, Both, Neither int

	BetterFirst, BetterSecond []TaskDifference // the tasks in which each is better, the largest difference first

	Difficulties []DifficultyDifference
	Planned      Planned

	Margin float64 // two models that differ by less are alike, from 0 to 1; 0: none was declared
}

// Alike reports whether the interval of the difference lies within the margin, and Beyond whether it lies outside.
// Without an interval neither is known.
func (a *Answer) Alike() bool {
	return a.Difference.Method != "" && a.Difference.Interval.Within(a.Margin)
}

// Beyond reports whether the difference is shown to be larger than the margin.
func (a *Answer) Beyond() bool {
	return a.Difference.Method != "" && a.Difference.Interval.Beyond(a.Margin)
}

// TasksAlike returns how many tasks like these show two equal models to be alike, with AnswerAssurance; 0 if these tasks do
// not show how much tasks vary.
func (a *Answer) TasksAlike() float64 {
	return stats.PairsAlike(a.Difference.SD, a.Margin, 1-scoring.Level, AnswerAssurance)
}

// TaskDifference is one task on which the two differ.
type TaskDifference struct {
	Task       string  `json:"task"`
	Difficulty string  `json:"difficulty,omitempty"`
	Difference float64 `json:"difference"` // first minus second
	Accepted   [2]int  `json:"accepted"`   // samples of the first and the second
	Judged     [2]int  `json:"judged"`
}

// DifficultyDifference is the comparison within one difficulty; "" is unknown difficulty.
type DifficultyDifference struct {
	Difficulty    string
	First, Second float64
	Difference    scoring.Difference
}

// Planned is how many tasks like these the next comparison needs to tell the two apart, with
// AnswerAssurance: the power at scoring.Level, averaged over the uncertainty that these tasks
// leave. It says nothing about the comparison at hand.
type Planned struct {
	Effect  float64 // the difference to find; 0: the difference on these tasks, with its uncertainty
	Tasks   float64 // 0: none can be given
	Problem string  // why
	Wanting bool    // giving an effect would solve the problem
}

// Verdict returns which is better: 1 the first, -1 the second, 0 neither with certainty.
func (a *Answer) Verdict() int {
	if !a.Difference.Significant() {
		return 0
	}
	return cmp.Compare(a.Difference.Value, 0)
}

// Ask compares two evaluations in one metric, "" for the first pass@k. The effect, from 0 to 1,
// is the difference that the next comparison should find; 0 for the one found. Errors are those
// of Compare, and that of an unknown metric.
func Ask(first, second []Row, metric string, effect float64, o CompareOptions) (*Answer, error) {
	o.By = nil
	c, err := Compare(first, second, o)
	if err != nil {
		return nil, err
	}
	at := 0
	if metric != "" {
		at = slices.IndexFunc(c.Metrics, func(m ComparedMetric) bool { return m.Name() == metric })
	}
	if at < 0 {
		var names []string
		for _, m := range c.Metrics {
			names = append(names, m.Name())
		}
		return nil, fmt.Errorf("there is no metric %q; there are %s", metric, strings.Join(names, ", "))
	}
	known := o.known()
	a := &Answer{ComparedMetric: c.Metrics[at]}
	x, y := tallied(o.Reviewing.Apply(first), known), tallied(o.Reviewing.Apply(second), known)
	vx, err := x.values(a.SampleMetric, c.Withheld)
	if err != nil {
		return nil, err
	}
	vy, err := y.values(a.SampleMetric, c.Withheld)
	if err != nil {
		return nil, err
	}
	for id := range vx {
		if _, common := vy[id]; common {
			a.add(id, x.tasks[id], y.tasks[id], vx[id].Value-vy[id].Value, known[id])
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
	if err := a.split(vx, vy, known, o); err != nil {
		return nil, err
	}
	a.Planned = a.planned(effect)
	return a, nil
}

// add counts a task that both evaluations contain.
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
func (a *Answer) split(first, second map[string]scoring.TaskValue, tasks map[string]*benchmark.Task, o CompareOptions) error {
	type side struct{ first, second map[string]scoring.TaskValue }
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
			groups[difficulty] = side{map[string]scoring.TaskValue{}, map[string]scoring.TaskValue{}}
		}
		groups[difficulty].first[id], groups[difficulty].second[id] = v, w
	}
	if len(groups) == 1 && groups[""].first != nil {
		return nil
	}
	for _, name := range slices.SortedFunc(maps.Keys(groups), byDifficulty) {
		d, err := o.difference(tasks, groups[name].first, groups[name].second)
		if err != nil {
			return err
		}
		mean := func(values map[string]scoring.TaskValue) float64 {
			var all []float64
			for _, id := range slices.Sorted(maps.Keys(values)) {
				all = append(all, values[id].Value)
			}
			return stats.Mean(all)
		}
		a.Difficulties = append(a.Difficulties, DifficultyDifference{name, mean(groups[name].first), mean(groups[name].second), d})
	}
	return nil
}

// byDifficulty orders from easy to hard, then by name; unknown comes last.
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

// fewestInformative returns the number of tasks that must differ before any difference is
// significant: if all differ in the same direction, the two-sided p is 2 of 2ⁿ signs.
func fewestInformative() float64 {
	n := 1.0
	for math.Exp2(1-n) > scoring.Level {
		n++
	}
	return n
}

// planned computes how many tasks the next comparison needs. After a significant difference
// nothing is planned for the same one: that would be post-hoc power.
func (a *Answer) planned(effect float64) Planned {
	d := &a.Difference
	x := Planned{Effect: effect}
	n, err := stats.Planned{Mean: d.Value, SD: d.SD, N: d.N, Effect: effect}.PairsAssured(scoring.Level, AnswerAssurance)
	switch {
	case d.N < 2:
		x.Problem = "one task does not show how much tasks vary"
	case d.SD == 0:
		x.Problem = "the difference is the same on every task, which does not show how much tasks vary"
	case effect == 0 && d.Significant():
		x.Problem, x.Wanting = "these tasks tell the two apart", true
	case errors.Is(err, stats.ErrTooMany):
		x.Problem, x.Wanting = "these tasks leave open which is better, so no number of tasks is certain enough to tell", true
	case err != nil:
		x.Problem = err.Error()
	default:
		x.Tasks = max(n, math.Ceil(fewestInformative()*float64(d.N)/float64(d.Better+d.Worse)))
	}
	return x
}
