package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assay/scoring/stats"
	"assay/session"
)

// Arms are sessions that differ in the model, the prompt level, the context or in who
// worked, side by side.
type Arms struct {
	Arms  []Arm  `json:"arms"`  // two or more
	Pairs []Pair `json:"pairs"` // comparisons of two arms each
}

// Arm is one of them with its results.
type Arm struct {
	Name     string `json:"name"`        // what tells it from the others
	Kind     string `json:"tester_kind"` // "human" or "automatic"
	Feedback string `json:"feedback"`    // of an automatic tester
	Model    string `json:"model"`       // as the study calls it
	ModelID  string `json:"model_id"`    // as the provider calls it
	Level    int    `json:"level"`       // the prompt level
	Context  string `json:"context"`     // what the model saw of earlier attempts
	Sessions int    `json:"sessions"`    // how many
	Testers  int    `json:"testers"`     // different pseudonyms
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

func armsOf(est *estimator, analysed []result, attributes []session.Attribute) (*Arms, map[string][]result) {
	definitions := definitionsOf(analysed)
	mixed := slices.ContainsFunc(analysed, func(r result) bool { return r.in.header.automatic() })
	named := func(r result) string {
		h := r.in.header
		model := h.modelName()
		if h.Definition != "" && definitions[model] > 1 {
			model += " as " + h.Definition
		}
		if h.Study.Arm != "" {
			model = h.Study.Arm + ": " + model
		}
		return fmt.Sprintf("%s%s, level %d, %s", h.who(mixed), model, h.Level, h.Context)
	}
	names, groups := grouped(analysed, named)
	if len(names) < 2 {
		return nil, nil
	}
	a := &Arms{Pairs: []Pair{}}
	for _, name := range names {
		group := groups[name]
		h := group[0].in.header
		arm := Arm{Name: name, Kind: h.Kind, Feedback: h.Feedback, Model: h.Model, ModelID: h.ModelID, Level: h.Level, Context: h.Context, Slice: cell(est, name, group, attributes)}
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
	return a, groups
}

// modelName is the model's name with its id, where that says more.
func (h Header) modelName() string {
	if h.ModelID == "" || h.ModelID == h.Model {
		return h.Model
	}
	return h.Model + " (" + h.ModelID + ")"
}

// definitionsOf counts, for each model that is named alike, how many definitions of it
// there were: another temperature or system prompt makes another model.
func definitionsOf(analysed []result) map[string]int {
	seen := map[[2]string]bool{}
	counts := map[string]int{}
	for _, r := range analysed {
		h := r.in.header
		model := h.modelName()
		if key := [2]string{model, h.Definition}; !seen[key] {
			seen[key] = true
			counts[model]++
		}
	}
	return counts
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
		if m.name == "total" && (a[0].in.header.automatic() || b[0].in.header.automatic()) {
			continue // a program rates nothing
		}
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
	c.Difference = Estimate{N: len(all), Value: Number(stats.Mean(both[0].x) - stats.Mean(both[1].x))}
	if paired {
		c.Difference = Estimate{N: len(x), Value: Number(meanDifference(x, y))}
	}
	switch program := byProgram(a, b); {
	case program < 0:
		c.judge(est, all, x, y, paired)
	case paired:
		c.againstAutomatic(est, all, program, x, y)
	default:
		c.Test, c.Difference.Method = "none", "no interval: people and the program did different tasks"
	}
	return c
}

// judge says how sure the difference is. What is drawn from a population are the
// testers, and the tasks of one are alike; so tests and intervals are over testers'
// means wherever there are several of them, and over tasks only where one and the same
// tester worked in both arms. Where too few testers worked to tell the arms from the
// testers, there is neither.
func (c *Compared) judge(est *estimator, all []observed, x, y []float64, paired bool) {
	var arms [2]map[int][]float64
	for i := range arms {
		arms[i] = map[int][]float64{}
	}
	for _, o := range all {
		arms[o.arm][o.tester] = append(arms[o.arm][o.tester], o.v)
	}
	both, first, second := []float64{}, []float64{}, []float64{}
	for _, t := range slices.Sorted(maps.Keys(arms[0])) {
		if other, is := arms[1][t]; is {
			both = append(both, stats.Mean(arms[0][t])-stats.Mean(other))
		}
		first = append(first, stats.Mean(arms[0][t]))
	}
	for _, t := range slices.Sorted(maps.Keys(arms[1])) {
		second = append(second, stats.Mean(arms[1][t]))
	}
	c.Test, c.Difference.Method = "none", "no interval: too few testers to tell the arms from the testers"
	switch {
	case len(both) == 1 && len(first) == 1 && len(second) == 1 && paired:
		c.overTasks(est, x, y, "one tester")
	case len(both) == len(first) && len(both) == len(second) && len(both) >= fewestTesters:
		c.sameTesters(both)
	case len(both) == 0 && len(first) >= fewestTesters && len(second) >= fewestTesters:
		c.otherTesters(first, second)
	case len(both) > 0 && (len(both) < len(first) || len(both) < len(second)):
		c.Difference.Method = "no interval: some testers worked in both arms and some in one"
	}
}

// fewestTesters is the number of testers in each arm from which arms are compared over
// them.
const fewestTesters = 3

// overTasks compares the arms task by task; whose says which testers' they are.
func (c *Compared) overTasks(est *estimator, x, y []float64, whose string) {
	var d series
	for i := range x {
		d.x, d.by = append(d.x, x[i]-y[i]), append(d.by, 0)
	}
	of := est.mean(d)
	if c.Difference.Interval, c.Difference.Method = of.Interval, of.Method; of.Interval != nil {
		c.Difference.Method = strings.TrimSuffix(of.Method, " of one tester") + ", of " + whose
	}
	c.Test = "Wilcoxon signed-rank over tasks"
	if w, err := stats.WilcoxonSignedRank(x, y, stats.Pratt, stats.TwoSided, stats.Auto); err == nil {
		c.P = Number(w.P)
	}
}

// sameTesters compares arms in which the same testers worked, by the differences of
// their means.
func (c *Compared) sameTesters(d []float64) {
	n := float64(len(d))
	c.Difference.Value, c.Difference.N = Number(stats.Mean(d)), len(d)
	c.tInterval(stats.SD(d)/math.Sqrt(n), n-1, fmt.Sprintf("t interval over %d testers", len(d)))
	c.Test = "Wilcoxon signed-rank over testers"
	if w, err := stats.WilcoxonSignedRank(d, make([]float64, len(d)), stats.Pratt, stats.TwoSided, stats.Auto); err == nil {
		c.P = Number(w.P)
	}
}

// otherTesters compares arms in which different testers worked, by their means (Welch).
func (c *Compared) otherTesters(x, y []float64) {
	n, m := float64(len(x)), float64(len(y))
	c.Difference.Value, c.Difference.N = Number(stats.Mean(x)-stats.Mean(y)), len(x)+len(y)
	vx, vy := stats.SD(x)*stats.SD(x)/n, stats.SD(y)*stats.SD(y)/m
	df := (vx + vy) * (vx + vy) / (vx*vx/(n-1) + vy*vy/(m-1))
	c.tInterval(math.Sqrt(vx+vy), df, fmt.Sprintf("Welch's t interval over %d and %d testers", len(x), len(y)))
	c.Test = "Mann-Whitney over testers"
	if w, err := stats.MannWhitney(x, y, stats.TwoSided, stats.Auto); err == nil {
		c.P = Number(w.P)
	}
}

func (c *Compared) tInterval(se, df float64, method string) {
	half := stats.TQuantile(0.5+Confidence/2, df) * se
	if !(half > 0) {
		c.Difference.Method = "no interval: the testers' differences are equal"
		return
	}
	v := float64(c.Difference.Value)
	c.Difference.Interval, c.Difference.Method = &stats.Interval{Low: v - half, High: v + half}, method
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
