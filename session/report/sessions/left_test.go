package sessions

import (
	"bytes"
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
	"assay/session/report/reporttest"
)

// leaving is a simulated crossover of two arms that are alike; testers who were not satisfied leave the session with
// a chance that depends on the arm.
type leaving struct {
	testers, tasks int
	chance         [2]float64
	ease           float64 // logit of being satisfied
	apart          float64 // logits by which the second set is harder
}

func (l leaving) draw(random *rand.Rand) (a, b []result, logs []*folded) {
	plans := [2]session.Plan{}
	ease := make([]float64, 2*l.tasks)
	for i := range ease {
		set := i / l.tasks
		ease[i] = l.ease + 0.8*random.NormFloat64() - l.apart*float64(set)
		plans[set].K = 5
		plans[set].Tasks = append(plans[set].Tasks, session.PlanTask{ID: fmt.Sprint(i), Set: fmt.Sprint(set)})
	}
	arms := [2][]result{}
	for tester := range l.testers {
		skill := 0.8 * random.NormFloat64()
		for period := range 2 {
			arm, set := (tester+period)%2, (tester/2+tester+period)%2
			f := &folded{tester: tester, state: &session.State{Plan: plans[set]}}
			f.header.Study = Study{Name: "s", Hash: "h", Arm: string(rune('a' + arm)), Part: period + 1}
			f.header.Counts.Planned = l.tasks
			logs = append(logs, f)
			own := skill + 0.3*random.NormFloat64()
			for _, i := range random.Perm(l.tasks) {
				task := set*l.tasks + i
				r := result{Task: &session.Task{PlanTask: plans[set].Tasks[i]}, in: f, counted: 5, happy: random.Float64() < 1/(1+math.Exp(-own-ease[task]))}
				if r.happy {
					r.counted = 1 + random.IntN(4)
				}
				f.header.Counts.Analysed++
				arms[arm] = append(arms[arm], r)
				if !r.happy && random.Float64() < l.chance[arm] {
					break
				}
			}
		}
	}
	return arms[0], arms[1], logs
}

// Where testers leave one arm after a failure, means of sessions find an effect that there is not; the mixed model, which
// decides then, does not.
func TestCalibrateLeaving(t *testing.T) {
	for _, l := range []leaving{
		{testers: 12, tasks: 10, chance: [2]float64{0, 0.5}}, {testers: 24, tasks: 10, chance: [2]float64{0, 0.5}},
		{testers: 24, tasks: 6, chance: [2]float64{0, 0.8}, ease: 1},
	} {
		setting := fmt.Sprintf("%d testers, %d tasks a session, %g leave one arm after a failure, logit %g", l.testers, l.tasks, l.chance[1], l.ease)
		for _, decides := range []bool{false, true} {
			rate := calibrate.TypeI("crossover, session means (before)", setting, 0)
			if rate.Low, rate.High = 0, 1; decides {
				rate = calibrate.TypeI("crossover, the model that decides", setting, 8)
				rate.Low = 0 // it is conservative on a scale
			}
			if calibrate.Simulations(t, rate.Few) == 0 {
				continue
			}
			rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
				a, b, _ := l.draw(random)
				results := append(append([]result{}, a...), b...)
				c := compared(&crossings{results: results, fits: map[string]*crossing{}}, measuresOf(5, 100, nil)[0], false, true, a, b)
				p := c.P
				if decides {
					p = c.declared(nil)
				}
				switch {
				case !p.Defined():
					return calibrate.Withheld
				case p <= 0.05:
					return calibrate.Hit
				}
				return calibrate.Miss
			})
		}
	}
}

// No mean, difference or interval leaves the scale of its measure, however unequal sets and arms are.
func TestAdjustedNumbersStayOnTheScale(t *testing.T) {
	random := rand.New(rand.NewPCG(20261127, 1))
	off := 0
	for i := range 300 {
		l := leaving{testers: 3 + i%10, tasks: 2 + i%5, ease: 4 * random.NormFloat64(), apart: 6 * random.Float64()}
		l.chance[i%2] = random.Float64()
		a, b, _ := l.draw(random)
		results := append(append([]result{}, a...), b...)
		cross := &crossings{results: results, fits: map[string]*crossing{}}
		for _, m := range measuresOf(5, 100, nil)[:2] {
			c := compared(cross, m, false, true, a, b)
			for _, e := range []report.Estimate{c.First, c.Second} {
				if !m.holds(float64(e.Value)) {
					t.Fatalf("%+v, %s: a mean of %v", l, m.id, e.Value)
				}
			}
			if x := cross.of(m, a[0]); c.First.Method != adjustedMean && x.err == nil {
				off++
			}
			all := []report.Estimate{c.Difference}
			if c.General != nil {
				all = append(all, c.General.Difference)
			}
			for _, e := range all {
				if iv := e.Interval; iv != nil && (iv.Low < m.low-m.high || iv.High > m.high-m.low) {
					t.Fatalf("%+v, %s: an interval from %v to %v", l, m.id, iv.Low, iv.High)
				}
			}
		}
	}
	if off == 0 {
		t.Error("no adjusted mean left the scale: the test tests nothing")
	}
}

// What is missing is counted by arm, bounds the difference, and has a tipping point that makes both means equal.
func TestMissingResults(t *testing.T) {
	random := rand.New(rand.NewPCG(20261127, 2))
	m := measuresOf(5, 100, nil)[0]
	for range 50 {
		l := leaving{testers: 8, tasks: 6, chance: [2]float64{0.1, 0.7}}
		a, b, logs := l.draw(random)
		var arms [2][]*folded
		for _, f := range logs {
			arm := int(one(f.header.Study.Arm == "b"))
			arms[arm] = append(arms[arm], f)
		}
		d := dropoutOf(arms[0], arms[1])
		if d == nil || d.First.Missing != 48-len(a) || d.Second.Missing != 48-len(b) || d.Second.Sessions != 8 || d.Second.Cut > d.Second.Missing {
			t.Fatalf("%+v, of %d and %d results", d, len(a), len(b))
		}
		c := compared(&crossings{results: append(append([]result{}, a...), b...), fits: map[string]*crossing{}}, m, false, true, a, b)
		c.missing(m, d)
		iv := c.Missing.Worst
		if low := c.observed[0]*float64(len(a))/48 - (c.observed[1]*float64(len(b))+float64(d.Second.Missing))/48; math.Abs(iv.Low-low) > 1e-12 || iv.High < c.observed[0]-c.observed[1] {
			t.Fatalf("%+v, not from %v", iv, low)
		}
		if x := float64(c.Missing.Tipping); c.Missing.Tipping.Defined() && d.Second.Missing > d.First.Missing {
			if second := (c.observed[1]*float64(len(b)) + x*float64(d.Second.Missing)) / 48; math.Abs(second-c.observed[0]) > 1e-12 {
				t.Fatalf("at the tipping point the means are %v and %v", c.observed[0], second)
			}
		}
	}
	if d := dropoutOf([]*folded{{}}, nil); d != nil {
		t.Errorf("a complete session: %+v", d)
	}
}

// leftEarly is the report of sessions with two models, in which testers left those with the second in the middle.
func leftEarly(t *testing.T) *Report {
	t.Helper()
	logs, texts := logsOf(t, reporttest.Study{Tasks: 6, K: 3, Testers: []string{"a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"}, Models: []string{"m", "n"}, Seed: 5}, 12)
	b := NewBuilder(Options{Texts: texts, NoImages: true})
	for i, events := range logs {
		if i%2 == 1 {
			events = events[:len(events)/2]
		}
		fatal.If(t, b.Add(events))
	}
	r, err := b.Report()
	fatal.If(t, err)
	return r
}

// Page 1 counts the sessions that are incomplete in each arm, with the test.
func TestDropoutIsOnPageOne(t *testing.T) {
	r := leftEarly(t)
	var page bytes.Buffer
	fatal.If(t, r.Markdown(&page))
	first, _, _ := strings.Cut(page.String(), "## Participants")
	for _, want := range []string{
		"Incomplete are 0 of 6 sessions with m and 6 of 6 with n (Fisher's exact test, p = 0.002)", "0 of 36 tasks", "of 36.",
		"**Testers left one arm more often than the other.**", "percentage points; ",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("page 1 has no %q:\n%s", want, first)
		}
	}
	if f := faults(r.checkData()); len(f) > 0 {
		t.Error(f)
	}
}

// Who gives up at once is not quick: the time to satisfaction takes the horizon for results that did not satisfy, so that
// its mean is the area above the cumulative incidence; the completion time has its own name.
func TestGivingUpIsNotQuick(t *testing.T) {
	var arms [2][]result
	for tester := range 6 {
		for arm := range 2 {
			f := &folded{tester: tester, state: &session.State{Plan: session.Plan{K: 5}}}
			f.header.Study = Study{Name: "s", Hash: "h", Arm: string(rune('a' + arm)), Part: (tester+arm)%2 + 1}
			for i := range 10 {
				r := result{Task: &session.Task{PlanTask: session.PlanTask{ID: fmt.Sprint(i)}}, in: f, counted: 5}
				r.happy = arm == 0 || i == tester // with b, one of ten
				r.times.Completion = int64(60_000 + 1000*(3*i+7*tester%5))
				if !r.happy {
					r.times.Completion = int64(5000 + 100*tester)
				}
				arms[arm] = append(arms[arm], r)
			}
		}
	}
	const horizon = 80.0
	results := append(append([]result{}, arms[0]...), arms[1]...)
	cross := &crossings{results: results, fits: map[string]*crossing{}}
	for _, m := range measuresOf(5, horizon, nil)[2:4] {
		c := compared(cross, m, false, true, arms[0], arms[1])
		if m.id == "work" {
			if c.Measure != "completion time, s" || !(c.Difference.Value > 40) {
				t.Errorf("%+v", c)
			}
			continue
		}
		if iv := c.Difference.Interval; iv == nil || !(iv.High < 0) || c.Measure != "time to satisfaction, s" {
			t.Errorf("a, whose testers were satisfied, is not said to be sooner: %+v", c)
		}
		for arm, group := range arms {
			area := 0.0
			for second := 0.5; second < horizon; second++ {
				satisfied := 0.0
				for _, r := range group {
					satisfied += one(r.happy && seconds(r.times.Completion) <= second)
				}
				area += 1 - satisfied/float64(len(group))
			}
			if got := c.observed[arm]; math.Abs(got-area) > 0.51 {
				t.Errorf("arm %d: a mean of %v, the area above the cumulative incidence is %v", arm, got, area)
			}
		}
	}
}

// What correction leaves above the level is not said to be more than chance.
func TestVerdictIsCorrected(t *testing.T) {
	for corrected, want := range map[report.Number]string{0.091: "**These results do not show a difference.**", 0.04: "**More than by chance"} {
		r := leftEarly(t)
		m := &r.Arms.Pairs[0].Measures[0]
		m.General, m.P, m.Corrected = nil, 0.023, corrected
		m.Difference.Value, m.Difference.Interval = 0.3, &stats.Interval{Low: 0.05, High: 0.55}
		var page bytes.Buffer
		fatal.If(t, r.Markdown(&page))
		if !strings.Contains(page.String(), want) {
			t.Errorf("p %v: the page has no %q", corrected, want)
		}
	}
}
