package sessions

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"assay/scoring/stats"
	"assay/session/report"
)

// estimator makes estimates with intervals. The sampling units are the testers if several worked, since the
// tasks of one tester are correlated, and else the tasks.
type estimator struct {
	testers  int  // in the report
	newTasks bool // intervals speak of other tasks like these, too, not of these alone
	early    bool // of layouts before 4
}

// series are values with the tester and the task that each is from.
type series struct {
	x  []float64
	by []int
	of []int // nil: of no single task

	// The ends of the scale, which no interval exceeds. If both are 0 and no value is negative, the scale has
	// no upper end.
	low, high float64

	parts int // values that each is the sum of, such as the ratings of a total; 0: one
}

// within returns the series on a scale.
func (s series) within(low, high float64) series {
	s.low, s.high = low, high
	return s
}

func (s *series) add(r result, v float64) {
	s.x, s.by, s.of = append(s.x, v), append(s.by, r.in.tester), append(s.of, r.task)
}

func (s *series) sum() float64 { return stats.Sum(s.x) }

func (s *series) addIf(r result, is bool) { s.add(r, one(is)) }

// mean returns the mean of the series with its interval.
func (e *estimator) mean(s series) report.Estimate {
	est := report.Estimate{N: len(s.x), Value: report.Number(stats.Mean(s.x))}
	switch {
	case len(s.x) < 2:
		est.Method = "no interval: fewer than two values"
		return est
	case constant(s.x) && s.low == s.high:
		est.Method = "no interval: all values are equal"
		return est
	}
	return e.weighted(est, s, func(int) float64 { return 1 })
}

// weighted gives the weighted mean of a series its interval.
func (e *estimator) weighted(est report.Estimate, s series, weight func(i int) float64) report.Estimate {
	units, over := e.units(s, weight)
	var iv stats.Interval
	var err error
	method := "score on the scale, at least 95 %"
	switch {
	case s.low < s.high:
		onScale := stats.MeanOnScale
		if e.early {
			onScale = stats.WilsonOnScale
		}
		iv, err = onScale(units, s.low, s.high, report.Confidence)
	case slices.Min(s.x) >= 0:
		iv, method, err = stats.MeanOfSkewed(units, report.Confidence)
	default:
		iv, err = stats.MeanT(units, report.Confidence)
		method = "t"
	}
	switch {
	case err != nil:
		est.Method = "no interval: " + noInterval(err) + over
	case !(iv.Low < iv.High):
		est.Method = "no interval: the means are equal" + over
	default:
		est.Interval, est.Method = &iv, method+over
	}
	return est
}

// noInterval returns the reason without the name of the error that it wraps.
func noInterval(err error) string {
	switch {
	case errors.Is(err, stats.ErrUnbounded):
		return "they differ too much to bound the mean"
	case errors.Is(err, stats.ErrTooFew):
		return "too few"
	}
	return err.Error()
}

// units returns the sampling units of the interval of a mean, and their name.
func (e *estimator) units(s series, weight func(i int) float64) (stats.Units, string) {
	testers := stats.Clusters(s.by)
	if len(testers) < 2 {
		where := ", over tasks"
		if e.testers > 1 {
			where += " of one tester"
		}
		units := groupedBy(s, singles(len(s.x)), weight)
		units.Error, units.Number = 0, 0 // tasks are of one size, whatever their weight
		return units, where
	}
	units := groupedBy(s, testers, weight)
	if !e.newTasks || len(s.of) != len(s.x) {
		over := fmt.Sprintf(", over %d testers", len(testers))
		if units.Number > 0 {
			over += " with unequal numbers of results, each result counting alike (CR2, Satterthwaite)"
		}
		return units, over
	}
	tasks := stats.Clusters(s.of)
	if len(tasks) < 2 {
		return stats.Units{}, ", over one task"
	}
	// Both testers and tasks are samples (Cameron, Gelbach & Miller, Journal of Business & Economic
	// Statistics 29, 2011): the variance over testers, plus that over tasks, less that of
	// single values, which is in both. It is at least that over either.
	byTask := groupedBy(s, tasks, weight)
	a, b := units.Square(), byTask.Square()
	both := max(a, b, a+b-groupedBy(s, singles(len(s.x)), weight).Square())
	units.Error, units.Number = math.Sqrt(both), min(units.Count(), byTask.Count())
	units.Per = float64(len(s.x)*max(s.parts, 1)) / units.Number
	return units, fmt.Sprintf(", over %d testers and %d tasks", len(testers), len(tasks))
}

func singles(n int) [][]int {
	all := make([][]int, n)
	for i := range all {
		all[i] = []int{i}
	}
	return all
}

// groupedBy returns the units of one grouping of the values.
func groupedBy(s series, groups [][]int, weight func(i int) float64) stats.Units {
	sums, weights := make([]float64, len(groups)), make([]float64, len(groups))
	for g, members := range groups {
		for _, i := range members {
			sums[g] += s.x[i] * weight(i)
			weights[g] += weight(i)
		}
	}
	units := stats.Grouped(sums, weights)
	units.Per = float64(len(s.x)*max(s.parts, 1)) / float64(len(groups))
	return units
}

func constant(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}

// rate returns the share of ones in a series of ones and zeros: with the exact interval over
// the tasks of one tester, and else with that of a mean on the scale from 0 to 1.
func (e *estimator) rate(s series) report.Share {
	share := report.Share{Count: int(stats.Sum(s.x)), Estimate: report.Estimate{N: len(s.x), Value: report.Number(stats.Mean(s.x))}}
	if len(s.x) == 0 {
		share.Method = "no interval: nothing was observed"
		return share
	}
	if len(stats.Clusters(s.by)) > 1 {
		share.Estimate = e.mean(s.within(0, 1))
		return share
	}
	iv, err := stats.ClopperPearson(share.Count, share.N, report.Confidence)
	if err != nil { // which no count can cause
		share.Method = "no interval: " + err.Error()
		return share
	}
	share.Interval, share.Method = &iv, report.Exact
	return share
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func undefined() report.Number { return report.Number(math.NaN()) }

// fewestTesters is the number of testers in each arm from which arms are compared over
// them.
const fewestTesters = 3

func seconds(ms int64) float64 { return float64(ms) / 1000 }
