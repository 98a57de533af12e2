package sessions

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/session"
)

// worked are made-up results: testers who differ, and nothing else, each with some tasks.
func worked(random *rand.Rand, testers, tasks, first int, shared bool) []result {
	var all []result
	for t := range testers {
		f := &folded{tester: first + t, state: &session.State{}}
		own := random.NormFloat64() * 5
		for i := range tasks {
			id := fmt.Sprintf("t%d", i)
			if !shared {
				id = fmt.Sprintf("t%d-%d", first+t, i)
			}
			r := result{Task: &session.Task{PlanTask: session.PlanTask{ID: id}}, in: f}
			r.times.Completion = int64(1000 * (60 + own + random.NormFloat64()))
			all = append(all, r)
		}
	}
	return all
}

// TestIntervalsHoldTheirLevel: where testers differ and nothing else does, an interval at
// 95 % leaves out the truth about five times in a hundred, with few testers and with
// many, of means and of differences between arms.
func TestIntervalsHoldTheirLevel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	of := func(r result) (float64, bool) { return seconds(r.times.Completion), true }
	const runs = 400
	for _, testers := range []int{2, 4, 8, 20} {
		est := &estimator{testers: testers}
		missed, apart, significant := 0, 0, 0
		for range runs {
			a := worked(random, testers, 10, 0, false)
			var s series
			for _, r := range a {
				s.add(r, seconds(r.times.Completion))
			}
			if e := est.mean(s); e.Interval == nil != (testers < 3) || e.Interval != nil && (e.Interval.Low > 60 || e.Interval.High < 60) {
				missed++
			}
			b := worked(random, testers, 10, testers, false)
			c := compared(&crossings{}, measure{id: "time", name: "time", of: of, high: math.Inf(1)}, false, false, a, b)
			if c.Difference.Interval != nil && (c.Difference.Interval.Low > 0 || c.Difference.Interval.High < 0) {
				apart++
			}
			if c.P < 0.05 {
				significant++
			}
			if testers < fewestTesters && (c.P.Defined() || c.Difference.Interval != nil) {
				t.Fatalf("%d testers an arm: %+v", testers, c)
			}
		}
		if missed > runs/10 || apart > runs/10 || significant > runs/10 {
			t.Errorf("%d testers: of %d, %d intervals miss the mean, %d differences are apart from 0, %d are significant", testers, runs, missed, apart, significant)
		}
	}
}

// Testers who agree leave an interval of some width, within the scale.
func TestEqualTesters(t *testing.T) {
	est := &estimator{testers: 2}
	for _, s := range []series{
		{x: []float64{4, 6, 4, 6}, by: []int{0, 0, 1, 1}, low: 1, high: 10},
		{x: []float64{0, 1, 0, 1}, by: []int{0, 0, 1, 1}, high: 1},
		{x: []float64{1, 1, 1, 1}, by: []int{0, 0, 1, 1}, high: 1},
		{x: []float64{1, 5}, by: []int{0, 1}, low: 1, high: 5},
	} {
		e := est.mean(s)
		if e.Interval == nil || !(e.Interval.Low < float64(e.Value)+1e-12 && e.Interval.High > float64(e.Value)-1e-12 && e.Interval.Low < e.Interval.High) ||
			e.Interval.Low < s.low || e.Interval.High > s.high {
			t.Errorf("%v: %+v", s.x, e)
		}
	}
	if e := est.mean(series{x: []float64{4, 6, 4, 6}, by: []int{0, 0, 1, 1}}); e.Interval != nil {
		t.Errorf("times of two testers: %+v", e)
	}
}
