package sessions

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// Compared is a measure in both arms; Difference is the first minus the second. Its
// interval and its test are of one family, so that the interval holds 0 exactly where p is
// above 1 - Confidence.
type Compared struct {
	ID         string          `json:"id"`         // of the measure, as an analysis plan names it
	Measure    string          `json:"measure"`    // its name
	First      report.Estimate `json:"first"`      // mean of the first arm, adjusted as the difference is
	Second     report.Estimate `json:"second"`     // mean of the second arm, likewise
	Difference report.Estimate `json:"difference"` // the first minus the second; N counts what the error is estimated over

	Testers int    `json:"testers"` // whose results are compared
	Tasks   int    `json:"tasks"`   // different tasks among them
	Results int    `json:"results"` // tasks of testers
	Scope   string `json:"scope"`   // what the interval and the test speak of

	// Ratio is that of two arms' times, the geometric mean of the first divided by that of the second, with Student's
	// interval of the logarithms; then P is of a ratio of 1. Null: of another measure, a time is 0, or the
	// design has no interval.
	Ratio *report.Estimate `json:"ratio,omitempty"`

	Prior *Prior `json:"with_prior,omitempty"` // of three to six testers; null: of more, or nothing is left to estimate the error from

	Effect *Effect `json:"effect"` // the difference in standard deviations; null: it is a difference of shares, or cannot be estimated

	Test      string        `json:"test"`        // its name, "none" where there is none
	P         report.Number `json:"p"`           // of no difference
	Floor     report.Number `json:"p_floor"`     // the smallest p that the test could give; null: any
	Corrected report.Number `json:"p_corrected"` // P corrected within its family
	Primary   bool          `json:"primary"`     // of the study's primary outcome; all else is exploratory

	General *General `json:"general"` // for testers and tasks like these; null: too few for a mixed model, or values that do not vary

	// Unequal is true of a crossover whose sessions have unequal numbers of results: then the mixed model, where
	// there is one, decides, as if the plan had declared it.
	Unequal bool     `json:"unequal_sessions,omitempty"`
	Missing *Missing `json:"missing,omitempty"` // how far missing results could change the difference; null: none is missing, or the scale has no end

	observed   [2]float64 // means of all results
	confidence float64    // of the interval of the difference

	contrast stats.Contrast // over testers; of times, of their logarithms
}

// Effect is a standardised difference.
type Effect struct {
	Value    report.Number  `json:"value"`    // Hedges' g
	Interval stats.Interval `json:"interval"` // at the confidence of Method
	Unit     string         `json:"unit"`     // of whose standard deviation it is
}

// onePerSession returns a result of each session.
func onePerSession(results []result) []result {
	seen := map[*folded]bool{}
	return slices.DeleteFunc(slices.Clone(results), func(r result) bool {
		before := seen[r.in]
		seen[r.in] = true
		return before
	})
}

func pairOf(cross *crossings, first, second string, a, b []result, horizon float64, attributes []session.Attribute, dropout *Dropout) Pair {
	p := Pair{First: first, Second: second, Crossed: byProgram(a, b) < 0 && crossed(a, b), Dropout: dropout}
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
	p.SameTasks = p.Crossed && doneTwice(a, b)
	if p.SameTasks && len(testersOf(a)) == 1 && len(testersOf(b)) == 1 { // one person's order of the arms and the arms are one
		p.Crossed = p.Tasks < 2
	}
	p.OnlyOne = len(inA) + len(inB) - 2*p.Tasks
	all := [2][]result{a, b}
	if p.Paired = p.Tasks >= 2; p.Paired && !p.Crossed {
		alone := func(r result) bool { return !inA[r.same()] || !inB[r.same()] }
		a, b = slices.DeleteFunc(slices.Clone(a), alone), slices.DeleteFunc(slices.Clone(b), alone)
	}
	measures := measuresOf(a[0].in.state.Plan.K, horizon, attributes)
	if p.Adaptive = !slices.ContainsFunc(slices.Concat(a, b), func(r result) bool { return r.in.ability == nil }); p.Adaptive {
		measures, p.Paired, a, b = adaptiveMeasures(), false, onePerSession(all[0]), onePerSession(all[1])
	}
	for _, m := range measures {
		if m.said == nil || m.rated && (len(attributes) == 0 || a[0].in.header.automatic() || b[0].in.header.automatic()) {
			continue
		}
		c := compared(cross, m, p.Paired, p.Crossed, a, b)
		if m.ratio {
			c.ratio(cross, m, p.Paired, p.Crossed, a, b)
		}
		c.pool(m)
		if c.missing(m, dropout); p.Adaptive {
			c.Tasks = a[0].in.ability.Pool
		}
		p.Measures = append(p.Measures, c)
	}
	if cross.layout > 3 && !p.Adaptive && !a[0].in.header.automatic() && !b[0].in.header.automatic() {
		for _, attribute := range attributes {
			if c := compared(cross, ratingOf(attribute), p.Paired, p.Crossed, a, b); c.Results > 0 {
				p.Ratings = append(p.Ratings, c)
			}
		}
	}
	return p
}

// testersOf returns who gave the results.
func testersOf(group []result) map[int]bool {
	all := map[int]bool{}
	for _, r := range group {
		all[r.in.tester] = true
	}
	return all
}

// doneTwice reports whether a tester did a task with both arms.
func doneTwice(a, b []result) bool {
	type done struct {
		tester int
		task   string
	}
	before := map[done]bool{}
	for _, r := range a {
		before[done{r.in.tester, r.same()}] = true
	}
	return slices.ContainsFunc(b, func(r result) bool { return before[done{r.in.tester, r.same()}] })
}

// observed is a value of one task by one tester in one of two arms.
type observed struct {
	task, tester, arm int
	v                 float64
}

func compared(cross *crossings, m measure, paired, crossed bool, a, b []result) Compared {
	c := Compared{ID: m.id, Measure: m.name, P: undefined(), Floor: undefined(), Corrected: undefined(), confidence: cross.confidence(m)}
	tasks, testers := map[string]int{}, map[int]bool{}
	var all []observed
	var both [2][]float64
	for arm, group := range [][]result{a, b} {
		for _, r := range group {
			v, known := m.of(r)
			if !known {
				continue
			}
			task, seen := tasks[r.same()]
			if !seen {
				task = len(tasks)
				tasks[r.same()] = task
			}
			both[arm], testers[r.in.tester] = append(both[arm], v), true
			all = append(all, observed{task, r.in.tester, arm, v})
		}
	}
	c.Testers, c.Tasks, c.Results = len(testers), len(tasks), len(all)
	c.means(both[0], both[1])
	c.without("too few testers to tell the arms from the testers")
	switch program := byProgram(a, b); {
	case crossed:
		c.crossed(cross, m, a, b)
	case program < 0:
		c.judge(m, all, len(tasks), paired)
	case paired:
		c.againstAutomatic(m, all, len(tasks), program)
	default:
		c.without("people and the program did different tasks")
	}
	return c
}

// means computes the unadjusted means of both arms and their difference.
func (c *Compared) means(x, y []float64) {
	c.First = report.Estimate{N: len(x), Value: report.Number(stats.Mean(x)), Method: "mean of all results"}
	c.Second = report.Estimate{N: len(y), Value: report.Number(stats.Mean(y)), Method: "mean of all results"}
	c.Difference = report.Estimate{N: len(x) + len(y), Value: c.First.Value - c.Second.Value}
	c.observed = [2]float64{float64(c.First.Value), float64(c.Second.Value)}
}

// without records why there is neither interval nor test.
func (c *Compared) without(reason string) {
	c.Test, c.Difference.Interval, c.Difference.Method = "none", nil, "no interval: "+reason
}

// judge computes interval and test of a difference if no plan crosses testers with arms. The testers are a
// sample of a population, and the tasks of
// one are alike; so tests and intervals are over testers' means wherever there are
// several of them, and over tasks only where one and the same tester worked in both arms.
func (c *Compared) judge(m measure, all []observed, tasks int, paired bool) {
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
	switch {
	case len(both) == 1 && len(first) == 1 && len(second) == 1 && paired:
		c.overTasks(m, all, tasks, "one tester")
	case len(both) == len(first) && len(both) == len(second) && len(both) >= fewestTesters:
		c.sameTesters(m, both, pooledSD(first, second))
		c.Difference.Method += ", not adjusted for the order of the arms, which no plan fixed"
	case len(both) == 0 && len(first) >= fewestTesters && len(second) >= fewestTesters:
		c.otherTesters(m, first, second)
	case len(both) > 0 && (len(both) < len(first) || len(both) < len(second)):
		c.without("some testers worked in both arms and some in one")
	}
}

// overTasks compares the arms task by task; whose names the testers.
func (c *Compared) overTasks(m measure, all []observed, tasks int, whose string) {
	x, y := perTask(all, tasks)
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	c.Difference.N = len(d)
	t, err := stats.OneSample(d)
	if err != nil {
		c.without("fewer than two tasks in common")
		return
	}
	c.student(m, t, fmt.Sprintf("paired t over %d tasks, of %s", len(d), whose), "tasks' values")
	c.Scope = scopeTasks
	c.standardise(m, t, pooledSD(x, y), float64(len(d)-1), "tasks in an arm")
}

// sameTesters compares arms in which the same testers worked, by the differences of
// their means.
func (c *Compared) sameTesters(m measure, d []float64, sd float64) {
	c.Difference.N = len(d)
	t, _ := stats.OneSample(d)
	c.student(m, t, fmt.Sprintf("paired t over %d testers", len(d)), "testers' differences")
	c.standardise(m, t, sd, float64(len(d)-1), "testers in an arm")
}

// otherTesters compares arms in which different testers worked, by their means.
func (c *Compared) otherTesters(m measure, x, y []float64) {
	c.Difference.N = len(x) + len(y)
	t, _ := stats.Welch(x, y)
	c.student(m, t, fmt.Sprintf("Welch's t over %d and %d testers", len(x), len(y)), "testers' means")
	c.standardise(m, t, pooledSD(x, y), float64(len(x)+len(y)-2), "testers in an arm")
}

// student sets the difference with Student's interval and test.
func (c *Compared) student(m measure, t stats.Contrast, method, what string) {
	c.Difference.Value, c.Scope, c.contrast = report.Number(t.Value), scopeTesters, t
	if t.DF > 0 && t.DF < stats.FewestDF(m.share) && t.SE > 0 {
		c.without(fmt.Sprintf("%.1f degrees of freedom are too few for Student's t of this measure", t.DF))
		return
	}
	p, err := t.P()
	if errors.Is(err, stats.ErrNoVariation) {
		c.without("the " + what + " are equal")
		return
	}
	iv, err2 := t.Interval(c.confidence)
	if err = errors.Join(err, err2); err != nil {
		c.without(err.Error())
		return
	}
	if c.confidence != report.Confidence {
		method += ", at " + percent(c.confidence)
	}
	c.P, c.Test = report.Number(p), "t"
	c.Difference.Interval, c.Difference.Method = m.clamp(&iv), method
}

func (c *Compared) standardise(m measure, t stats.Contrast, sd, df float64, unit string) {
	if m.share || c.Difference.Interval == nil {
		return
	}
	if g, err := t.Standardise(sd, df, report.Confidence); err == nil {
		c.Effect = &Effect{report.Number(g.Value), g.Interval, unit}
	}
}

// pooledSD returns the pooled standard deviation of two samples.
func pooledSD(x, y []float64) float64 {
	n, m := float64(len(x)), float64(len(y))
	if n < 2 || m < 2 {
		return math.NaN()
	}
	sx, sy := stats.SD(x), stats.SD(y)
	return math.Sqrt(((n-1)*sx*sx + (m-1)*sy*sy) / (n + m - 2))
}

// perTask returns the means of the tasks that both arms have.
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

// Pair compares two arms.
type Pair struct {
	First    string     `json:"first"`        // the name of an arm
	Second   string     `json:"second"`       // the name of another
	Paired   bool       `json:"paired"`       // they have two tasks or more in common
	Crossed  bool       `json:"crossed"`      // one plan dealt both arms to the same testers: a crossover study
	Tasks    int        `json:"tasks"`        // that both arms have
	OnlyOne  int        `json:"tasks_of_one"` // tasks that only one of the two has
	Measures []Compared `json:"measures"`     // what is compared

	Ratings []Compared `json:"ratings,omitempty"` // of single attributes; absent before layout 4, and where none is rated

	// SameTasks is true if testers did the same tasks with both arms, as the plan dealt them: what they learned with the
	// first carries over to the second.
	SameTasks bool `json:"same_tasks,omitempty"`

	// Adaptive is true if the tasks of every session were chosen: then expected scores on all tasks of the pool and
	// abilities are compared, one of each session.
	Adaptive bool `json:"adaptive,omitempty"`

	Dropout *Dropout `json:"dropout,omitempty"` // null: every session of both is complete
}

// unit names what a comparison counts.
func (p *Pair) unit(n int) string {
	if p.Adaptive {
		return plural("session", n)
	}
	return plural("result", n)
}

// shownAs returns the measure's name with the unit that its values are shown in.
func (c *Compared) shownAs() string {
	if declared(c.ID).share {
		return c.Measure + ", %"
	}
	return c.Measure
}

// againstAutomatic compares people with a program on the tasks that both did. The program is no sample of a
// population: people's means are compared with the program's on the same tasks. With too few people, the
// interval is over tasks.
func (c *Compared) againstAutomatic(m measure, all []observed, tasks, program int) {
	own := map[int][]float64{} // of the program, by task
	for _, o := range all {
		if o.arm == program {
			own[o.task] = append(own[o.task], o.v)
		}
	}
	differences := map[int][]float64{} // of each person, human minus program
	var testers []int
	for _, o := range all {
		of, both := own[o.task]
		if o.arm == program || !both {
			continue
		}
		if differences[o.tester] == nil {
			testers = append(testers, o.tester)
		}
		differences[o.tester] = append(differences[o.tester], o.v-stats.Mean(of))
	}
	if len(testers) < fewestTesters {
		whose := fmt.Sprintf("these %d people and this program", len(testers))
		if len(testers) == 1 {
			whose = "this one person and this program"
		}
		c.overTasks(m, all, tasks, whose)
		return
	}
	slices.Sort(testers)
	var means []float64
	for _, t := range testers {
		d := stats.Mean(differences[t])
		if program == 0 {
			d = -d
		}
		means = append(means, d)
	}
	c.sameTesters(m, means, stats.SD(means))
	if c.Effect != nil {
		c.Effect.Unit = "testers' differences from the program"
	}
	if c.Difference.Interval != nil {
		c.Difference.Method += ", against the program as it was"
	}
}
