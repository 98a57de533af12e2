package sessions

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/scoring/calibrate"
)

// Intervals over testers and tasks, both drawn, cover what other testers do with other
// tasks; those over testers alone speak of these tasks, and do not.
func TestCalibrateNewTasks(t *testing.T) {
	for _, c := range []struct{ testers, tasks int }{{5, 10}, {12, 16}, {30, 20}} {
		for _, newTasks := range []bool{true, false} {
			est := &estimator{testers: c.testers, newTasks: newTasks}
			scope, rate := "these tasks", calibrate.Coverage("mean rating, these tasks", fmt.Sprintf("%d testers, the same %d tasks", c.testers, c.tasks), 300)
			if newTasks {
				scope, rate.What = "new tasks", "mean rating, new tasks"
			}
			rate.High = 1 // conservative of few units
			rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
				tasks := make([]float64, c.tasks)
				truth := 3.0
				for j := range tasks {
					tasks[j] = 0.5 * r.NormFloat64()
					if scope == "these tasks" {
						truth += tasks[j] / float64(c.tasks)
					}
				}
				s := series{low: 1, high: 5}
				for i := range c.testers {
					own := 0.4 * r.NormFloat64()
					for j, hard := range tasks {
						s.x = append(s.x, min(max(3+own+hard+0.5*r.NormFloat64(), 1), 5))
						s.by, s.of = append(s.by, i), append(s.of, j)
					}
				}
				e := est.mean(s)
				switch {
				case e.Interval == nil:
					return calibrate.Withheld
				case e.Interval.Low <= truth && truth <= e.Interval.High:
					return calibrate.Hit
				}
				return calibrate.Miss
			})
		}
	}
}

// An interval names what it is over.
func TestIntervalsNameTheirScope(t *testing.T) {
	s := series{x: []float64{1, 2, 3, 4, 2, 3}, by: []int{0, 0, 0, 1, 1, 1}, of: []int{0, 1, 2, 0, 1, 2}, low: 1, high: 5}
	one := s
	one.by = make([]int, len(s.x))
	for _, c := range []struct {
		est  estimator
		s    series
		want string
	}{
		{estimator{testers: 1}, one, "score on the scale, at least 95 %, over tasks"},
		{estimator{testers: 2}, one, "score on the scale, at least 95 %, over tasks of one tester"},
		{estimator{testers: 2}, s, "score on the scale, at least 95 %, over 2 testers"},
		{estimator{testers: 2, newTasks: true}, s, "score on the scale, at least 95 %, over 2 testers and 3 tasks"},
	} {
		if e := c.est.mean(c.s); e.Method != c.want || e.Interval == nil {
			t.Errorf("%+v: %+v, want %s", c.est, e, c.want)
		}
	}
	s.low, s.high = 0, 0
	if e := (&estimator{testers: 2}).mean(s); e.Interval != nil || !strings.HasPrefix(e.Method, "no interval: too few") {
		t.Errorf("%+v", e)
	}
}

// The restricted mean, of tasks of which some were given up early.
func TestCalibrateRestrictedMean(t *testing.T) {
	const k = 4
	for _, chance := range []float64{0.3, 0.6, 0.85} {
		truth, left := 0.0, 1.0
		for range k {
			truth, left = truth+left, left*(1-chance)
		}
		for _, n := range []int{5, 10, 20, 45} {
			rate := calibrate.Coverage("restricted mean, given up early is unknown", fmt.Sprintf("one tester, %d tasks, an attempt satisfies with %.2f", n, chance), 300)
			rate.Low, rate.High = 0.92, 1
			rate.Check(t, func(r *rand.Rand) calibrate.Outcome {
				var all []result
				for i := range n {
					one := result{in: &folded{}, task: i, attempts: 1}
					for one.happy = r.Float64() < chance; !one.happy && one.attempts < k && r.Float64() > 0.15; one.happy = r.Float64() < chance {
						one.attempts++
					}
					all = append(all, one)
				}
				e := censoredMean(&estimator{testers: 1}, all, k)
				switch {
				case e.Interval == nil:
					return calibrate.Withheld
				case e.Interval.Low <= truth && truth <= e.Interval.High:
					return calibrate.Hit
				}
				return calibrate.Miss
			})
		}
	}
}
