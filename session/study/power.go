package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"assay/scoring/stats"
	"assay/session"
)

// Assumptions are the assumptions of a power calculation.
type Assumptions struct {
	Outcome string  `json:"outcome"` // "satisfied", "attempts" or "time"
	Effect  float64 `json:"effect"`  // difference of the last arm from the others: a share, attempts, or seconds
	Base    float64 `json:"base"`    // the mean of the other arms
	Power   float64 `json:"power"`   // the target
	Level   float64 `json:"level"`   // significance level of the test

	// Standard deviations of testers, tasks, a tester with an arm, a task with an arm, and (for time only)
	// single tasks; in logits, for time in logarithms.
	Tester  float64 `json:"tester_sd"`
	Task    float64 `json:"task_sd"`
	Session float64 `json:"session_sd"`
	TaskArm float64 `json:"task_arm_sd"`
	Noise   float64 `json:"noise_sd"`

	Leave  float64 `json:"leave,omitempty"`  // share of testers who leave before their last task, after a number of tasks drawn uniformly
	Margin float64 `json:"margin,omitempty"` // arms that differ by less are alike: in the outcome's unit, of time a factor above 1; 0: none

	Runs int    `json:"runs"` // simulated studies for each row
	Seed uint64 `json:"seed"`
}

// DefaultAssumptions returns the assumptions for an outcome: a task of medium difficulty, testers of different
// skill, and a relevant effect.
func DefaultAssumptions(outcome string) (Assumptions, error) {
	a := Assumptions{Outcome: outcome, Power: 0.8, Level: 0.05, Tester: 0.8, Task: 1, Session: 0.3, TaskArm: 0.2, Runs: 500, Seed: 1}
	switch outcome {
	case "satisfied":
		a.Base, a.Effect = 0.7, 0.15
	case "attempts":
		a.Base, a.Effect = 3.5, 1
	case "time":
		a.Base, a.Effect = 600, 120
		a.Tester, a.Task, a.Session, a.TaskArm, a.Noise = 0.3, 0.4, 0.15, 0.1, 0.5
	default:
		return a, fmt.Errorf("the power for %q cannot be simulated: choose satisfied, attempts or time", outcome)
	}
	return a, nil
}

// Limits of a calculation.
const (
	maxRuns       = 100_000
	maxPowerTasks = 1000
)

// check returns the first problem of the assumptions, for k attempts at a task.
func (a Assumptions) check(k int) error {
	low, high := 0.0, 1.0
	switch a.Outcome {
	case "attempts":
		low, high = 1, float64(k)
	case "time":
		high = 1e6
	}
	in := func(v, low, high float64) bool { return v > low && v < high }
	switch {
	case !in(a.Base, low, high):
		return fmt.Errorf("base %v of %s is not between %v and %v", a.Base, a.Outcome, low, high)
	case a.Effect == 0 || !in(a.Base+a.Effect, low, high):
		return fmt.Errorf("effect %v: with a base of %v the last arm would be at %v, which must differ from the base and lie between %v and %v", a.Effect, a.Base, a.Base+a.Effect, low, high)
	case !in(a.Power, 0, 1):
		return fmt.Errorf("power %v is not between 0 and 1", a.Power)
	case !in(a.Level, 0, 1):
		return fmt.Errorf("level %v is not between 0 and 1", a.Level)
	case !(a.Leave >= 0 && a.Leave <= 1):
		return fmt.Errorf("the share of testers who leave, %v, is not from 0 to 1", a.Leave)
	case !(a.Margin >= 0):
		return fmt.Errorf("margin %v is below 0", a.Margin)
	case a.Outcome == "time" && a.Margin != 0 && !(a.Margin > 1 && a.Margin <= session.MostFactor):
		return fmt.Errorf("margin %v: that of time is a factor above 1 and at most %d, such as 1.25", a.Margin, session.MostFactor)
	case a.Runs < 10 || a.Runs > maxRuns:
		return fmt.Errorf("%d runs are not from 10 to %d", a.Runs, maxRuns)
	}
	for name, sd := range map[string]float64{"tester": a.Tester, "task": a.Task, "session": a.Session, "task with arm": a.TaskArm, "noise": a.Noise} {
		if !(sd >= 0 && sd <= 10) {
			return fmt.Errorf("the standard deviation of %s, %v, is not from 0 to 10", name, sd)
		}
	}
	return nil
}

// Power is the expected power of a number of testers and tasks.
type Power struct {
	Testers  int            `json:"testers"`
	Tasks    int            `json:"tasks_per_set"`
	Each     int            `json:"tasks_per_tester"`
	Power    float64        `json:"power"`    // share of simulated studies that detect the effect
	Interval stats.Interval `json:"interval"` // of that share, at 95 %, for the number of runs
	Withheld float64        `json:"withheld"` // share of simulated studies in which the analysis has no test
	Enough   bool           `json:"enough"`   // Power reaches the target

	// Alike is the share of simulated studies without a difference that show the first arm and the last to be alike
	// within the margin; nil without a margin.
	Alike *float64 `json:"alike,omitempty"`

	Used *float64 `json:"mean_testers,omitempty"` // testers until the study stops, on average; nil: no looks are declared
}

// Simulate simulates the study with the given numbers of testers and tasks in a set, and analyses each run
// like the report: by the crossover model, by the mixed model, or between testers by Welch's t, with Holm's
// correction over pairs of arms.
func (s *Study) Simulate(a Assumptions, testers, tasks int) (Power, error) {
	p := Power{Testers: testers, Tasks: tasks, Each: s.each(tasks)}
	if err := a.check(s.Session.K); err != nil {
		return p, err
	}
	switch {
	case len(s.Arms) < 2:
		return p, fmt.Errorf("%s has one arm: there is nothing to compare", s.Path())
	case testers < 1 || testers > maxTesters:
		return p, fmt.Errorf("%d testers are not from 1 to %d", testers, maxTesters)
	case tasks < 1 || tasks > maxPowerTasks:
		return p, fmt.Errorf("%d tasks in a set are not from 1 to %d", tasks, maxPowerTasks)
	}
	random := rand.New(rand.NewPCG(a.Seed, uint64(testers)<<32+uint64(tasks)))
	intercepts := a.intercepts(s.Session.K)
	looks, err := s.looksAt(testers, a.Level)
	if err != nil {
		return p, err
	}
	found, withheld, alike, used := 0, 0, 0, 0
	for range a.Runs {
		w, at := s.draw(a, intercepts, random, testers, tasks), len(looks)-1
		for i, l := range looks {
			q, _, ok := s.decides(a, w.first(l.testers))
			if !ok && i == at {
				withheld++
			}
			if ok && q <= l.Level {
				found++
				at = i
				break
			}
		}
		used += looks[at].testers
		if a.Margin > 0 && s.alike(a, s.draw(a, [2]float64{intercepts[0], intercepts[0]}, random, testers, tasks)) {
			alike++
		}
	}
	if a.Margin > 0 {
		share := float64(alike) / float64(a.Runs)
		p.Alike = &share
	}
	if len(s.Analysis.Looks) > 1 {
		mean := float64(used) / float64(a.Runs)
		p.Used = &mean
	}
	p.Power, p.Withheld = float64(found)/float64(a.Runs), float64(withheld)/float64(a.Runs)
	p.Enough = p.Power >= a.Power
	p.Interval, err = stats.ClopperPearson(found, a.Runs, 0.95)
	return p, err
}

// decides compares the first arm with the last as the report decides: by values, or times by their logarithms.
func (s *Study) decides(a Assumptions, w worked) (p float64, compared stats.Contrast, ok bool) {
	if a.Outcome == "time" {
		w = w.logarithms()
	}
	return s.test(w, a.Outcome == "satisfied")
}

// alike reports whether the report calls the first arm and the last alike: the interval of their difference, of times that
// of their ratio, lies within the margin.
func (s *Study) alike(a Assumptions, w worked) bool {
	_, c, ok := s.decides(a, w)
	if !ok {
		return false
	}
	margin := a.Margin
	if a.Outcome == "time" {
		margin = math.Log(margin)
	}
	iv, err := c.Interval(1 - a.Level)
	return err == nil && iv.Within(margin)
}

// worked is one simulated study.
type worked struct {
	cells   []stats.Cell // of each tester and session
	singles []stats.Single
	arms    [][]float64 // the testers' means by arm
	unequal bool        // somebody left
}

// first returns the study as it is when so many testers have ended.
func (w worked) first(testers int) worked {
	part := worked{arms: make([][]float64, len(w.arms)), unequal: w.unequal}
	for _, x := range w.cells {
		if x.Subject < testers {
			part.cells, part.arms[x.Arm] = append(part.cells, x), append(part.arms[x.Arm], x.Value)
		}
	}
	for _, x := range w.singles {
		if x.Subject < testers {
			part.singles = append(part.singles, x)
		}
	}
	return part
}

// logarithms returns the study with the logarithms of its values, as the report compares times.
func (w worked) logarithms() worked {
	logs := worked{singles: slices.Clone(w.singles), cells: slices.Clone(w.cells), arms: make([][]float64, len(w.arms)), unequal: w.unequal}
	sums, counts := map[[2]int]float64{}, map[[2]int]float64{} // by tester and period
	for i := range logs.singles {
		x := &logs.singles[i]
		x.Value = math.Log(x.Value)
		sums[[2]int{x.Subject, x.Period}] += x.Value
		counts[[2]int{x.Subject, x.Period}]++
	}
	for i := range logs.cells {
		x := &logs.cells[i]
		x.Value = sums[[2]int{x.Subject, x.Period}] / counts[[2]int{x.Subject, x.Period}]
		logs.arms[x.Arm] = append(logs.arms[x.Arm], x.Value)
	}
	return logs
}

// each returns the tasks of a tester in all sessions, where sets have so many.
func (s *Study) each(tasks int) int {
	if s.Design.Arms == Crossed {
		return tasks * s.Tasks.Sets * len(s.Arms)
	}
	return tasks * s.Tasks.Sets
}

func (s *Study) draw(a Assumptions, intercepts [2]float64, random *rand.Rand, testers, tasks int) worked {
	arms := len(s.Arms)
	w := worked{arms: make([][]float64, arms)}
	type task struct {
		itself float64
		arm    []float64
	}
	all := make([]task, tasks*s.Tasks.Sets)
	for i := range all {
		all[i] = task{a.Task * random.NormFloat64(), make([]float64, arms)}
		for arm := range arms {
			all[i].arm[arm] = a.TaskArm * random.NormFloat64()
		}
	}
	sets := map[string]int{}
	for tester := range testers {
		skill := a.Tester * random.NormFloat64()
		left := -1 // tasks until the tester leaves, below 0 if they stay
		if a.Leave > 0 && random.Float64() < a.Leave && s.each(tasks) > 1 {
			left, w.unequal = 1+random.IntN(s.each(tasks)-1), true
		}
		for period, part := range s.Assign(tester + 1) {
			level := skill + a.Session*random.NormFloat64() + intercepts[0]
			if part.Arm == arms-1 {
				level += intercepts[1] - intercepts[0]
			}
			sum, n := 0.0, 0
			for _, set := range part.Sets {
				for i := range tasks {
					if left == 0 {
						break
					}
					left--
					id := set*tasks + i
					v := a.value(random, level+all[id].itself+all[id].arm[part.Arm], s.Session.K)
					sum, n = sum+v, n+1
					w.singles = append(w.singles, stats.Single{Subject: tester, Task: id, Period: period, Arm: part.Arm, Value: v})
				}
			}
			if n == 0 {
				continue
			}
			mean := sum / float64(n)
			sorted := slices.Sorted(slices.Values(part.Sets))
			key := fmt.Sprint(sorted)
			if _, known := sets[key]; !known {
				sets[key] = len(sets)
			}
			w.cells = append(w.cells, stats.Cell{Subject: tester, Period: period, Set: sets[key], Arm: part.Arm, Value: mean})
			w.arms[part.Arm] = append(w.arms[part.Arm], mean)
		}
	}
	return w
}

// test compares the first arm with the last, with a p-value corrected over all pairs.
func (s *Study) test(w worked, share bool) (p float64, compared stats.Contrast, ok bool) {
	difference := s.analyser(w)
	if difference == nil {
		return 0, compared, false
	}
	var ps []float64
	at := -1 // index of the first arm against the last
	for i := range s.Arms {
		for j := i + 1; j < len(s.Arms); j++ {
			c, err := difference(i, j)
			if err != nil || c.DF < stats.FewestDF(share) {
				continue
			}
			p, err := c.P()
			if err != nil {
				continue
			}
			if i == 0 && j == len(s.Arms)-1 {
				at, compared = len(ps), c
			}
			ps = append(ps, p)
		}
	}
	corrected, err := stats.Holm(ps)
	if err != nil || at < 0 {
		return 0, compared, false
	}
	return corrected[at], compared, true
}

// analyser returns the design's comparison of two arms, nil if there are too few testers for one.
func (s *Study) analyser(w worked) func(a, b int) (stats.Contrast, error) {
	if s.Design.Arms == Between {
		return func(a, b int) (stats.Contrast, error) {
			if min(len(w.arms[a]), len(w.arms[b])) < 3 {
				return stats.Contrast{}, stats.ErrTooFew
			}
			return stats.Welch(w.arms[a], w.arms[b])
		}
	}
	if w.unequal || s.Analysis.Model == session.ModelMixed {
		if m, err := stats.FitMixedCrossover(w.singles); err == nil {
			return m.Difference
		}
	}
	m, err := stats.FitCrossover(w.cells, stats.PeriodTerm, stats.SetTerm, stats.ArmTerm)
	if err != nil {
		return nil
	}
	return func(a, b int) (stats.Contrast, error) { return m.Difference(stats.ArmTerm, a, b) }
}

// value draws one result at a point of the latent scale.
func (a Assumptions) value(random *rand.Rand, at float64, k int) float64 {
	switch a.Outcome {
	case "time":
		return math.Exp(at + a.Noise*random.NormFloat64())
	case "attempts":
		p := logistic(at)
		for n := 1; n < k; n++ {
			if random.Float64() < p {
				return float64(n)
			}
		}
		return float64(k)
	}
	if random.Float64() < logistic(at) {
		return 1
	}
	return 0
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// intercepts returns the points of the latent scale, for the last arm and for the others, at which the means
// over testers and tasks are the assumed ones.
func (a Assumptions) intercepts(k int) [2]float64 {
	spread := math.Sqrt(a.Tester*a.Tester + a.Task*a.Task + a.Session*a.Session + a.TaskArm*a.TaskArm)
	mean := func(at float64) float64 { // over the normal distribution, by the midpoint rule
		sum, weight := 0.0, 0.0
		for i := range 401 {
			z := -6 + 12*float64(i)/400
			w := math.Exp(-z * z / 2)
			sum, weight = sum+w*a.expected(at+spread*z, k), weight+w
		}
		return sum / weight
	}
	var found [2]float64
	for i, want := range []float64{a.Base, a.Base + a.Effect} {
		low, high := -40.0, 40.0
		for range 80 {
			mid := (low + high) / 2
			if (mean(mid) < want) == (a.Outcome != "attempts") { // attempts decrease along the scale
				low = mid
			} else {
				high = mid
			}
		}
		found[i] = (low + high) / 2
	}
	return found
}

// expected returns the mean of value.
func (a Assumptions) expected(at float64, k int) float64 {
	switch a.Outcome {
	case "time":
		return math.Exp(at + a.Noise*a.Noise/2)
	case "attempts":
		miss, mean := 1-logistic(at), 0.0
		for n := range k { // the sum of P(attempts > n)
			mean += math.Pow(miss, float64(n))
		}
		return mean
	}
	return logistic(at)
}

// Fewest returns the smallest number of testers with which the comparison of arms can have a test; 0 if there is
// only one arm.
func (s *Study) Fewest() int {
	arms := len(s.Arms)
	switch {
	case arms < 2:
		return 0
	case s.Design.Arms == Between:
		return 3 * arms
	}
	random := rand.New(rand.NewPCG(1, 1))
	for testers := 2; testers < 200; testers++ {
		w := s.draw(Assumptions{Outcome: "time", Noise: 1}, [2]float64{}, random, testers, 1)
		if _, _, ok := s.test(w, s.Analysis.Primary == "satisfied" || s.Analysis.Primary == "tests"); ok {
			return testers
		}
	}
	return 200
}
