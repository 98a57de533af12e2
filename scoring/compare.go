package scoring

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"assay/scoring/stats"
)

// Level is the significance level of tests: a difference is significant if p is at most Level, which is
// when its interval excludes 0.
const Level = 1 - confidence

// fewDiffer is the number of tasks below which a difference gets no interval if so few tasks differ that
// the test cannot reject. In simulations such an interval would cover only 87 % for 10 tasks that hardly
// any sample passes.
const fewDiffer = 20

// Difference is how much better the first of two models did than the second on the same tasks.
type Difference struct {
	Metric             // the mean over the common tasks of first minus second; N counts them
	Better, Worse, Tie int
	SD                 float64 // of the differences, with n-1; 0 for one task

	// P is the p-value of the test that the mean difference is 0; the interval inverts the same test. P is
	// 1 if no task differs. Exact reports that P is not an approximation.
	P     float64
	Exact bool

	// Unequal reports that some task has more samples of one model than of the other. P is then the larger one of
	// two tests: signs flipped, and samples permuted within tasks.
	Unequal bool

	// Least is the smallest P that this number of differing tasks can give: if it is above Level, the test
	// cannot reject.
	Least float64

	// Clusters is the number of clusters of tasks whose signs were flipped; 0 if each task was flipped on
	// its own.
	Clusters int

	// Tasks that only one of the models has; they are left out.
	OnlyFirst, OnlySecond []string
}

// Significant reports whether the mean difference differs significantly from 0.
func (d *Difference) Significant() bool { return d.P <= Level }

// PairedDifference compares two models by a value from 0 to 1 for each task they have in common, such as
// pass@1. It tests the mean difference itself with stats.SignFlipTest over tasks, or over clusters of tasks
// with the same key where cluster is not nil. The interval inverts the same test, so the two never
// disagree.
//
// If all tasks differ by the same amount, flipping signs cannot account for a rare task that differs the
// other way. Test and interval are then based on the probability of this event: if the mean difference were
// μ, all n tasks would differ by d with at most the probability ((1+μ)/(1+d))^n for μ < d, since no
// difference is below -1, and ((1-μ)/(1-d))^n for μ > d. For d = 1 that is Clopper and Pearson's interval.
//
// Where a task has more samples of one model than of the other, the difference is skewed even if both are equally good,
// and flipped signs reject too often: for 20 tasks with ten samples against one that 95 % pass, in 29 % of data sets. P is
// then at least that of stats.WithinTest, and the interval contains that test's. Values other than shares of samples
// count as the nearest share, which varies at least as much.
//
// Errors wrap stats.ErrTooFew (no task in common) and stats.ErrNotFinite. A value outside 0 to 1 is an
// error.
func PairedDifference(first, second map[string]TaskValue, cluster func(task string) string) (Difference, error) {
	d, p, err := pair(first, second, cluster)
	if err == nil {
		err = d.test(p.differences, p.clusters)
	}
	if err == nil {
		err = d.bySamples(p.sides)
	}
	if err != nil {
		return Difference{}, err
	}
	d.onThese(p.sides)
	return d, nil
}

// PairedP is the P of [PairedDifference], without the intervals, which take most of its time.
func PairedP(first, second map[string]TaskValue) (float64, error) {
	d, p, err := pair(first, second, nil)
	if err != nil {
		return 0, err
	}
	d.P = 1
	if constant(p.differences) {
		d.alike(p.differences[0], float64(d.N))
	} else {
		test, err := stats.SignFlipP(p.differences)
		if err != nil {
			return 0, err
		}
		d.P = test.P
	}
	err = d.bySamples(p.sides)
	return d.P, err
}

// pairs are the tasks that two models have in common.
type pairs struct {
	differences []float64
	sides       [2][]TaskValue
	clusters    [][]int // nil: each task on its own
}

// pair pairs the values of two models.
func pair(first, second map[string]TaskValue, cluster func(task string) string) (d Difference, p pairs, err error) {
	var keys []string
	for _, id := range slices.Sorted(maps.Keys(first)) {
		other, common := second[id]
		if !common {
			d.OnlyFirst = append(d.OnlyFirst, id)
			continue
		}
		difference := snapped(first[id].Value - other.Value)
		p.differences = append(p.differences, difference)
		p.sides[0], p.sides[1] = append(p.sides[0], first[id]), append(p.sides[1], other)
		key := "task " + id
		if cluster != nil {
			if c := cluster(id); c != "" {
				key = "cluster " + c
			}
		}
		keys = append(keys, key)
		switch {
		case difference > 0:
			d.Better++
		case difference < 0:
			d.Worse++
		default:
			d.Tie++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(second)) {
		if _, common := first[id]; !common {
			d.OnlySecond = append(d.OnlySecond, id)
		}
	}
	if len(p.differences) == 0 {
		return Difference{}, p, fmt.Errorf("the two have no task in common: %w", stats.ErrTooFew)
	}
	for _, x := range slices.Concat(p.sides[0], p.sides[1]) {
		if !(x.Value >= 0 && x.Value <= 1) {
			return Difference{}, p, fmt.Errorf("paired difference: the value %v is not from 0 to 1: %w", x.Value, stats.ErrNotFinite)
		}
	}
	d.Metric = Metric{Value: snapped(stats.Mean(p.differences)), N: len(p.differences)}
	if d.N > 1 {
		d.SD = stats.SD(p.differences)
	}
	if cluster != nil {
		p.clusters = stats.Clusters(keys)
		d.Clusters = len(p.clusters)
	}
	return d, p, nil
}

// bySamples makes the test and the interval hold for unequal numbers of samples.
func (d *Difference) bySamples(sides [2][]TaskValue) error {
	tasks := make([]stats.Shares, len(sides[0]))
	for i, a := range sides[0] {
		b := sides[1][i]
		if a.Draws < 1 || b.Draws < 1 {
			return nil // the samples are not known
		}
		tasks[i] = stats.Shares{Passed: a.passed(), N: a.Draws, OtherPassed: b.passed(), OtherN: b.Draws}
		d.Unequal = d.Unequal || a.Draws != b.Draws
	}
	if !d.Unequal {
		return nil
	}
	within, err := stats.WithinTest(tasks, confidence)
	if err != nil {
		return err
	}
	d.P, d.Exact = max(d.P, within.P), false
	if d.Method != "" {
		center := snapped(d.Value - within.Mean) // rounded shares differ a little
		d.Interval.Low = max(-1, min(d.Interval.Low, snapped(within.Interval.Low+center)))
		d.Interval.High = min(1, max(d.Interval.High, snapped(within.Interval.High+center)))
		d.Method = "the wider one of " + d.Method + ", and of samples permuted within tasks"
	}
	return nil
}

// passed returns the number of samples that pass, if the value is their share.
func (t TaskValue) passed() int { return int(math.Round(t.Value * float64(t.Draws))) }

// test sets P and the interval for tasks like these.
func (d *Difference) test(differences []float64, clusters [][]int) error {
	units := d.N
	if clusters != nil {
		units = len(clusters)
	}
	d.P, d.Exact, d.Least = 1, true, 1
	if constant(differences) {
		d.alike(differences[0], float64(units))
		return nil
	}
	test, err := stats.SignFlipTest(differences, clusters, confidence)
	if errors.Is(err, stats.ErrNoVariation) {
		return nil // each cluster adds up to 0
	}
	if err != nil {
		return err
	}
	d.P, d.Exact, d.Least = test.P, test.Method == stats.Permutation, test.Least
	if few := d.Least > Level && d.N < fewDiffer; test.Interval != nil && !few {
		d.Interval = stats.Interval{Low: max(-1, test.Interval.Low), High: min(1, test.Interval.High)}
		d.Method = "sign-flip, paired by task, " + LikeThese
		if clusters != nil {
			d.Method = "sign-flip, paired, by cluster, " + LikeThese
		}
	}
	return nil
}

// alike sets P and the interval if all tasks differ by the same amount.
func (d *Difference) alike(difference, units float64) {
	seldom := math.Pow(Level/2, 1/units)
	d.Interval = stats.Interval{Low: (1+difference)*seldom - 1, High: 1 - (1-difference)*seldom}
	d.Method = "bound for equal differences, at least 95 %, " + LikeThese
	d.P = min(1, 2*math.Pow(1/(1+math.Abs(difference)), units))
	d.Least = d.P
}

// onThese adds the interval for these tasks: a normal one, since both means are sums over many samples,
// with the sum of both variances.
func (d *Difference) onThese(sides [2][]TaskValue) {
	sum := 0.0
	for _, side := range sides {
		variance, _, fewest, known := theseVariance(side)
		if !known {
			return
		}
		if fewest < 2 {
			d.Metric = d.asForLikeThese()
			return
		}
		sum += variance
	}
	half := stats.NormalQuantile(0.5+confidence/2) * math.Sqrt(sum)
	d.These, d.TheseMethod = stats.Interval{Low: max(-1, d.Value-half), High: min(1, d.Value+half)}, "normal, "+TheseTasks
}

// snapped removes the binary rounding error from a difference of quotients of small counts: 0.6-0.4 and
// 0.4-0.2 become equal, and the mean of 0.3, -0.1 and -0.2 becomes 0.
func snapped(difference float64) float64 {
	const steps = 1e12
	if !(math.Abs(difference) < steps) {
		return difference
	}
	return cmp.Or(math.Round(difference*steps)/steps, 0) // not -0
}
