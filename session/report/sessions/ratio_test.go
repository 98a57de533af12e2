package sessions

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/report"
)

// timed is a simulated study of two arms, in which a task takes factor times as long with the second: the logarithm of a
// time is the sum of normal effects of the tester, the task, the session, the task with the arm, and of the single time.
type timed struct {
	testers, tasks int // testers in all; tasks in a session
	factor         float64
	within         bool    // each tester works with both arms, on different sets
	skill          float64 // standard deviation of testers, of the logarithm
}

func (s timed) String() string {
	design := "between"
	if s.within {
		design = "within"
	}
	return fmt.Sprintf("%d testers, SD of log time %g, arms %s testers, %d tasks a session, one arm %g times as slow", s.testers, s.skill, design, s.tasks, s.factor)
}

// Further standard deviations of logarithms of times, those of `assay study power`.
const taskSD, sessionSD, taskArmSD, timeSD = 0.4, 0.15, 0.1, 0.5

// horizonOfTimed is the horizon in seconds; the median time of the quicker arm is 150 s.
const horizonOfTimed = 600

// timedTruth are true differences of two arms, for these tasks: of mean times, of mean logarithms, and of those up to the
// horizon.
type timedTruth struct{ difference, logs, restricted float64 }

// draw returns the results of both arms, and what is true of the tasks drawn.
func (s timed) draw(random *rand.Rand) (arms [2][]result, truth timedTruth) {
	sets := 1 + int(one(s.within))
	levels := make([][2]float64, sets*s.tasks)
	plans := make([]session.Plan, sets)
	sd := math.Sqrt(s.skill*s.skill + sessionSD*sessionSD + timeSD*timeSD)
	n := float64(len(levels))
	for i := range levels {
		task := 5 + taskSD*random.NormFloat64()
		for arm := range 2 {
			levels[i][arm] = task + float64(arm)*math.Log(s.factor) + taskArmSD*random.NormFloat64()
		}
		truth.difference += (math.Exp(levels[i][0]+sd*sd/2) - math.Exp(levels[i][1]+sd*sd/2)) / n
		truth.logs += (levels[i][0] - levels[i][1]) / n
		truth.restricted += (restricted(levels[i][0], sd, math.Log(horizonOfTimed)) - restricted(levels[i][1], sd, math.Log(horizonOfTimed))) / n
		set := i / s.tasks
		plans[set].K = 5
		plans[set].Tasks = append(plans[set].Tasks, session.PlanTask{ID: fmt.Sprint(i), Set: fmt.Sprint(set)})
	}
	for tester := range s.testers {
		skill := s.skill * random.NormFloat64()
		for period := range sets {
			arm, set := (tester+period)%2, (tester/2+tester+period)%sets
			f := &folded{tester: tester, state: &session.State{Plan: plans[set]}}
			f.header.Study = Study{Name: "s", Hash: "h", Arm: string(rune('a' + arm)), Part: period + 1}
			own := skill + sessionSD*random.NormFloat64()
			for i, task := range plans[set].Tasks {
				r := result{Task: &session.Task{PlanTask: task}, in: f, happy: true}
				r.times.Completion = int64(1000 * math.Exp(own+levels[set*s.tasks+i][arm]+timeSD*random.NormFloat64()))
				arms[arm] = append(arms[arm], r)
			}
		}
	}
	return arms, truth
}

// restricted returns the mean of the smaller one of a normal value and a limit.
func restricted(mean, sd, limit float64) float64 {
	z := (limit - mean) / sd
	below := math.Erfc(-z/math.Sqrt2) / 2
	return mean*below - sd*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi) + limit*(1-below)
}

// TestCalibrateRatio: where one arm is much slower, differences of times are skewed and Student's interval covers too
// seldom, so it is not printed. The interval of the ratio, on the scale of logarithms, does not depend on how much slower the arm is. The time to satisfaction is
// followed up to a horizon, which the slower arm reaches often.
func TestCalibrateRatio(t *testing.T) {
	covers := func(iv *stats.Interval, truth float64) calibrate.Outcome {
		switch {
		case iv == nil:
			return calibrate.Withheld
		case iv.Low <= truth && truth <= iv.High:
			return calibrate.Hit
		}
		return calibrate.Miss
	}
	for _, s := range []timed{
		{factor: 1, skill: 0.3}, {factor: 4, skill: 0.3}, {factor: 1, skill: 0.8}, {factor: 1.5, skill: 0.8}, {factor: 4, skill: 0.8},
	} {
		for i, testers := range []int{6, 12, 24, 6, 12, 24} {
			s.testers, s.tasks, s.within = testers, 5, i < 3
			of := func(random *rand.Rand, id int) (before, after Compared, truth timedTruth) {
				var arms [2][]result
				arms, truth = s.draw(random)
				cross := &crossings{results: append(append([]result{}, arms[0]...), arms[1]...), fits: map[string]*crossing{}}
				m := measuresOf(5, horizonOfTimed, nil)[id]
				before = compared(cross, m, false, s.within, arms[0], arms[1])
				after = before
				after.ratio(cross, m, false, s.within, arms[0], arms[1])
				return before, after, truth
			}
			rate := calibrate.Coverage("difference of times, Student's t (before)", s.String(), 10)
			rate.Low, rate.High = 0, 1
			rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
				c, _, truth := of(random, 3)
				return covers(c.Difference.Interval, truth.difference)
			})
			rate.What, rate.Low = "ratio of times, t of the logarithms", 0.92
			rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
				_, c, truth := of(random, 3)
				return covers(c.Ratio.Interval, math.Exp(truth.logs))
			})
			rate.What = "ratio of times up to a horizon, t of the logarithms"
			rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
				_, c, truth := of(random, 2)
				return covers(c.Ratio.Interval, math.Exp(truth.restricted))
			})
		}
	}
}

// TestCalibrateRatioDecides: that the ratio decides where arms are far apart, by what the data say, costs no level.
func TestCalibrateRatioDecides(t *testing.T) {
	for _, s := range []timed{{testers: 6}, {testers: 12}, {testers: 24}, {testers: 12, within: true}} {
		s.tasks, s.factor, s.skill = 5, 1, 0.8
		calibrate.TypeI("times of two equal arms, what decides", s.String(), 10).Check(t, func(random *rand.Rand) calibrate.Outcome {
			arms, _ := s.draw(random)
			cross := &crossings{results: append(append([]result{}, arms[0]...), arms[1]...), fits: map[string]*crossing{}}
			m := measuresOf(5, horizonOfTimed, nil)[3]
			c := compared(cross, m, false, s.within, arms[0], arms[1])
			if c.ratio(cross, m, false, s.within, arms[0], arms[1]); c.P <= 0.05 {
				return calibrate.Hit
			}
			return calibrate.Miss
		})
	}
}

// Page 1 concludes from the ratio of times where the difference in seconds has no interval.
func TestRatioOnPageOne(t *testing.T) {
	for interval, want := range map[stats.Interval]string{
		{Low: 0.2, High: 0.4}: "ratio 0.30 (95 % CI 0.20–0.40, p = 0.010)**|**More than by chance, testers were satisfied sooner with m.** The interval of the ratio does not include 1.",
		{Low: 0.2, High: 1.4}: "**These results neither show a difference nor rule one out.** The interval of the ratio includes 1: ratios from 0.20 to 1.40 fit these results",
	} {
		r := leftEarly(t)
		m := &r.Arms.Pairs[0].Measures[0]
		m.ID, m.Measure, m.General, m.P, m.Corrected, m.Test = "time", "time to satisfaction, s", nil, 0.01, 0.01, testOfLogs
		m.Difference.Value, m.Difference.Interval, m.Difference.Method = -300, nil, "no interval"
		m.Ratio = &report.Estimate{N: 6, Value: 0.3, Interval: &interval, Method: "paired t over 6 testers"}
		var page strings.Builder
		fatal.If(t, r.Markdown(&page))
		for _, part := range strings.Split(want, "|") {
			if !strings.Contains(page.String(), part) {
				t.Errorf("%v: the page has no %q:\n%s", interval, part, page.String()[:1500])
			}
		}
	}
}
