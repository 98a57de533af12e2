package stats

// Single is one result of a crossover study: one subject at one task.
type Single struct {
	Subject, Task, Period, Arm int
	Value                      float64
}

// The numbers from which MixedCrossover holds its level in simulations (TestCalibrateMixed), and the
// largest number of results that it is fitted to.
const (
	MixedSubjects = 8
	MixedTasks    = 12
	mixedResults  = 20_000
)

// MixedCrossover compares the arms of a crossover study with subjects and tasks as crossed random effects,
// each with its own effect of the arm, so its standard error allows for other tasks giving another
// difference. Periods are fixed effects; sets are draws of tasks and need no term.
type MixedCrossover struct {
	*Mixed
	arms, columns int
}

// FitMixedCrossover fits the model. With fewer than MixedSubjects subjects or MixedTasks tasks the error
// wraps ErrTooFew; other errors are those of FitMixed.
func FitMixedCrossover(values []Single) (*MixedCrossover, error) {
	const statistic = "mixed crossover model"
	subjects, tasks, periods := map[int]int{}, map[int]int{}, 0
	m := &MixedCrossover{}
	for _, v := range values {
		number(subjects, v.Subject)
		number(tasks, v.Task)
		periods, m.arms = max(periods, v.Period+1), max(m.arms, v.Arm+1)
	}
	switch {
	case len(subjects) < MixedSubjects:
		return nil, tooFew(statistic+", subjects", len(subjects), MixedSubjects)
	case len(tasks) < MixedTasks:
		return nil, tooFew(statistic+", tasks", len(tasks), MixedTasks)
	case len(values) > mixedResults:
		return nil, ErrTooMany
	}
	m.columns = 1 + (m.arms - 1) + (periods - 1) // the intercept, and all levels but the first
	x, y := make([][]float64, m.columns), make([]float64, len(values))
	for j := range x {
		x[j] = make([]float64, len(values))
	}
	factors := make([][]int, 4)
	for f := range factors {
		factors[f] = make([]int, len(values))
	}
	bySubject, byTask := map[[2]int]int{}, map[[2]int]int{}
	for i, v := range values {
		y[i], x[0][i] = v.Value, 1
		if v.Arm > 0 {
			x[v.Arm][i] = 1
		}
		if v.Period > 0 {
			x[m.arms-1+v.Period][i] = 1
		}
		factors[0][i], factors[1][i] = number(subjects, v.Subject), number(tasks, v.Task)
		factors[2][i], factors[3][i] = number(bySubject, [2]int{v.Subject, v.Arm}), number(byTask, [2]int{v.Task, v.Arm})
	}
	var err error
	m.Mixed, err = FitMixed(y, x, factors)
	return m, err
}

// Difference returns the effect of arm a minus that of arm b.
func (m *MixedCrossover) Difference(a, b int) (Contrast, error) {
	l := make([]float64, m.columns)
	if a > 0 {
		l[a]++
	}
	if b > 0 {
		l[b]--
	}
	return m.Contrast(l)
}

// number returns the number of a key; keys are numbered as they first occur.
func number[K comparable](known map[K]int, key K) int {
	n, ok := known[key]
	if !ok {
		n = len(known)
		known[key] = n
	}
	return n
}
