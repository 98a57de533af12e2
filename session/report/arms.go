package report

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"assay/scoring/stats"
	"assay/session"
)

// Arms are sessions that differ in the model, the prompt level or the context, side by
// side.
type Arms struct {
	Arms  []Arm  `json:"arms"`  // two or more
	Pairs []Pair `json:"pairs"` // comparisons of two arms each
}

// Arm is one of them with its results.
type Arm struct {
	Name     string `json:"name"`     // what tells it from the others
	Model    string `json:"model"`    // as the study calls it
	ModelID  string `json:"model_id"` // as the provider calls it
	Level    int    `json:"level"`    // the prompt level
	Context  string `json:"context"`  // what the model saw of earlier attempts
	Sessions int    `json:"sessions"` // how many
	Testers  int    `json:"testers"`  // different pseudonyms
	Slice
}

// Pair compares two arms. Where they have tasks in common only those are compared,
// each with itself: a task's value is the mean over an arm's sessions.
type Pair struct {
	First    string     `json:"first"`        // the name of an arm
	Second   string     `json:"second"`       // the name of another
	Paired   bool       `json:"paired"`       // they have tasks in common, which are compared
	Tasks    int        `json:"tasks"`        // that both arms have
	OnlyOne  int        `json:"tasks_of_one"` // tasks that only one of the two has
	Measures []Compared `json:"measures"`     // what is compared
}

// Compared is a measure in both arms; Difference is the first minus the second.
type Compared struct {
	Measure    string   `json:"measure"`    // its name
	First      Estimate `json:"first"`      // mean of the first arm
	Second     Estimate `json:"second"`     // mean of the second arm
	Difference Estimate `json:"difference"` // the first minus the second
	Test       string   `json:"test"`       // its name, "" where there is none
	P          Number   `json:"p"`          // of no difference
	Holm       Number   `json:"p_holm"`     // P adjusted by Holm's method over the measures of the pair
}

// maxArms is the number of arms whose pairs are all compared.
const maxArms = 6

// armReplicates is the number of times that testers are drawn for a difference.
const armReplicates = 2000

func armsOf(est *estimator, analysed []result, attributes []session.Attribute) *Arms {
	named := func(r result) string {
		p := r.in.state.Plan
		return fmt.Sprintf("%s, level %d, %s", p.Model.Name, p.Level, p.Context)
	}
	names, groups := grouped(analysed, named)
	if len(names) < 2 {
		return nil
	}
	a := &Arms{Pairs: []Pair{}}
	for _, name := range names {
		group := groups[name]
		h := group[0].in.header
		arm := Arm{Name: name, Model: h.Model, ModelID: h.ModelID, Level: h.Level, Context: h.Context, Slice: cell(est, name, group, attributes)}
		sessions, testers := map[*folded]bool{}, map[int]bool{}
		for _, r := range group {
			sessions[r.in], testers[r.in.tester] = true, true
		}
		arm.Sessions, arm.Testers = len(sessions), len(testers)
		a.Arms = append(a.Arms, arm)
	}
	names = names[:min(len(names), maxArms)]
	for i, first := range names {
		for _, second := range names[i+1:] {
			a.Pairs = append(a.Pairs, pairOf(est, first, second, groups[first], groups[second], attributes))
		}
	}
	return a
}

// same says which results are of the same task: its text and tests, where they are
// known.
func (r result) same() string {
	return clean(r.in.header.Benchmark) + "\x00" + r.ID + "\x00" + string(r.Content)
}

func pairOf(est *estimator, first, second string, a, b []result, attributes []session.Attribute) Pair {
	p := Pair{First: first, Second: second}
	in := func(group []result) map[string]bool {
		tasks := map[string]bool{}
		for _, r := range group {
			tasks[r.same()] = true
		}
		return tasks
	}
	inA, inB := in(a), in(b)
	for task := range inA {
		if inB[task] {
			p.Tasks++
		}
	}
	p.OnlyOne = len(inA) + len(inB) - 2*p.Tasks
	if p.Paired = p.Tasks >= 2; p.Paired {
		common := func(r result) bool { return !inA[r.same()] || !inB[r.same()] }
		a, b = slices.DeleteFunc(slices.Clone(a), common), slices.DeleteFunc(slices.Clone(b), common)
	}
	measures := []struct {
		name string
		of   func(result) (float64, bool)
	}{
		{"attempts", func(r result) (float64, bool) { return float64(r.counted), true }},
		{"satisfied", func(r result) (float64, bool) { return one(r.happy), true }},
		{"completion time, s", func(r result) (float64, bool) { return seconds(r.times.Completion), true }},
		{"total", func(r result) (float64, bool) {
			sum, whole := total(r.Task, attributes)
			return float64(sum), whole
		}},
		{"share of tests passed", func(r result) (float64, bool) {
			v, counts := r.verdict()
			if !counts {
				return 0, false
			}
			return passRate(v), true
		}},
	}
	var ps []float64
	for _, m := range measures {
		c := compared(est, m.name, p.Paired, a, b, m.of)
		p.Measures = append(p.Measures, c)
		if c.P.defined() {
			ps = append(ps, float64(c.P))
		}
	}
	holm, err := stats.Holm(ps)
	for i := range p.Measures {
		if p.Measures[i].Holm = Number(math.NaN()); err == nil && p.Measures[i].P.defined() {
			p.Measures[i].Holm, holm = Number(holm[0]), holm[1:]
		}
	}
	return p
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// observed is a value of one task by one tester in one of two arms.
type observed struct {
	task, tester, arm int
	v                 float64
}

func compared(est *estimator, name string, paired bool, a, b []result, of func(result) (float64, bool)) Compared {
	c := Compared{Measure: name, P: Number(math.NaN())}
	tasks := map[string]int{}
	var all []observed
	var both [2]series
	for arm, group := range [][]result{a, b} {
		for _, r := range group {
			v, known := of(r)
			if !known {
				continue
			}
			task, seen := tasks[r.same()]
			if !seen {
				task = len(tasks)
				tasks[r.same()] = task
			}
			both[arm].add(r, v)
			all = append(all, observed{task, r.in.tester, arm, v})
		}
	}
	c.First, c.Second = est.mean(both[0]), est.mean(both[1])
	x, y := perTask(all, len(tasks))
	if !paired {
		c.unpaired(both[0].x, both[1].x)
	} else {
		c.Difference = Estimate{N: len(x), Value: Number(meanDifference(x, y))}
		c.Test = "Wilcoxon signed-rank over tasks"
		if w, err := stats.WilcoxonSignedRank(x, y, stats.Pratt, stats.TwoSided, stats.Auto); err == nil {
			c.P = Number(w.P)
		}
	}
	c.bound(est, all, x, y, len(tasks), paired)
	return c
}

func (c *Compared) unpaired(x, y []float64) {
	c.Difference = Estimate{N: len(x) + len(y), Value: Number(stats.Mean(x) - stats.Mean(y))}
	c.Test = "Mann-Whitney over tasks"
	if m, err := stats.MannWhitney(x, y, stats.TwoSided, stats.Auto); err == nil {
		c.P = Number(m.P)
	}
}

// bound gives the difference its interval: over testers where both arms have enough
// of them, else over tasks.
func (c *Compared) bound(est *estimator, all []observed, x, y []float64, tasks int, paired bool) {
	difference := func(drawn []observed) float64 {
		if paired {
			return meanDifference(perTask(drawn, tasks))
		}
		var sums [2]float64
		var n [2]int
		for _, o := range drawn {
			sums[o.arm] += o.v
			n[o.arm]++
		}
		return sums[0]/float64(n[0]) - sums[1]/float64(n[1])
	}
	var arms [2]map[int][]observed
	arms[0], arms[1] = map[int][]observed{}, map[int][]observed{}
	for _, o := range all {
		arms[o.arm][o.tester] = append(arms[o.arm][o.tester], o)
	}
	testers := len(arms[0]) >= Small && len(arms[1]) >= Small
	switch {
	case paired && !testers:
		var d []float64
		for i := range x {
			d = append(d, x[i]-y[i])
		}
		of := est.mean(series{d, make([]int, len(d))})
		c.Difference.Interval, c.Difference.Method = of.Interval, of.Method
		if of.Interval != nil {
			c.Difference.Method = "BCa bootstrap over tasks"
		}
	case !testers:
		c.Difference.Method = "no interval: the arms have no tasks in common and too few testers"
	default:
		c.Difference.Interval, c.Difference.Method = drawTesters(est, arms, difference)
	}
}

// drawTesters is the percentile interval of a difference when testers are drawn:
// those who worked in both arms with all their work, the others within their arm.
func drawTesters(est *estimator, arms [2]map[int][]observed, difference func([]observed) float64) (*stats.Interval, string) {
	var both, first, second [][]observed
	for _, t := range slices.Sorted(maps.Keys(arms[0])) {
		if other, is := arms[1][t]; is {
			both = append(both, slices.Concat(arms[0][t], other))
		} else {
			first = append(first, arms[0][t])
		}
	}
	for _, t := range slices.Sorted(maps.Keys(arms[1])) {
		if _, is := arms[0][t]; !is {
			second = append(second, arms[1][t])
		}
	}
	random := rand.New(rand.NewPCG(est.seed, uint64(len(both)+len(first)+len(second))))
	var values []float64
	for range armReplicates {
		var drawn []observed
		for _, group := range [][][]observed{both, first, second} {
			for range group {
				drawn = append(drawn, group[random.IntN(len(group))]...)
			}
		}
		if d := difference(drawn); !math.IsNaN(d) {
			values = append(values, d)
		}
	}
	low, err := stats.Quantile(values, (1-Confidence)/2, stats.Linear)
	high, err2 := stats.Quantile(values, (1+Confidence)/2, stats.Linear)
	if err != nil || err2 != nil || low == high {
		return nil, "no interval: the difference does not vary"
	}
	return &stats.Interval{Low: low, High: high}, "percentile bootstrap over testers"
}

// perTask are the means of the tasks that both arms have.
func perTask(all []observed, tasks int) (x, y []float64) {
	sums, counts := make([][2]float64, tasks), make([][2]int, tasks)
	for _, o := range all {
		sums[o.task][o.arm] += o.v
		counts[o.task][o.arm]++
	}
	for i, n := range counts {
		if n[0] > 0 && n[1] > 0 {
			x, y = append(x, sums[i][0]/float64(n[0])), append(y, sums[i][1]/float64(n[1]))
		}
	}
	return x, y
}

func meanDifference(x, y []float64) float64 { return stats.Mean(x) - stats.Mean(y) }
