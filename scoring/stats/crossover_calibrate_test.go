package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/data/fatal"
	"assay/scoring/calibrate"
	"assay/scoring/stats"
)

// crossed is a made-up crossover study: testers work on as many test sets as there are arms, each with a
// different arm, in Latin squares as a study file assigns them. A task takes attempts until one succeeds,
// at most k.
type crossed struct {
	testers, arms, tasks int
	apart                float64 // logits between the easiest and the hardest set
	period               float64 // logits that each period adds to the ability
	effect               float64 // logits that the last arm is better by
}

const k = 10

func (s crossed) String() string {
	return fmt.Sprintf("%d testers, %d arms, %d tasks a set, sets %.1f logits apart, period %+.1f", s.testers, s.arms, s.tasks, s.apart, s.period)
}

// rows are the arm and set of each tester and period.
func (s crossed) rows(tester int) (arms, sets []int) {
	square := [][]int{{0, 1}, {1, 0}}
	if s.arms == 3 {
		square = [][]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}}
	}
	dealt := tester / len(square)
	for _, arm := range square[tester%len(square)] {
		arms, sets = append(arms, arm), append(sets, (arm+dealt)%s.arms)
	}
	return arms, sets
}

// draw returns one data set: the named measure of each tester and period.
func (s crossed) draw(random *rand.Rand) map[string][]stats.Cell {
	easiness := make([][]float64, s.arms) // of the tasks of each set
	for set := range easiness {
		for range s.tasks {
			easiness[set] = append(easiness[set], 0.8*random.NormFloat64()-s.apart*float64(set)/float64(s.arms-1))
		}
	}
	all := map[string][]stats.Cell{}
	for tester := range s.testers {
		ability := 0.7*random.NormFloat64() + 0.3
		arms, sets := s.rows(tester)
		for period, arm := range arms {
			attempts, happy, time := 0.0, 0.0, 0.0
			for _, e := range easiness[sets[period]] {
				logit := ability + e + s.period*float64(period)
				if arm == s.arms-1 {
					logit += s.effect
				}
				needed := s.k(random, 1/(1+math.Exp(-logit)))
				attempts += float64(min(needed, k)) / float64(s.tasks)
				if needed <= 3 {
					happy += 1 / float64(s.tasks)
				}
				time += float64(min(needed, k)) * 60 * math.Exp(0.5*random.NormFloat64()) / float64(s.tasks)
			}
			for name, v := range map[string]float64{"attempts": attempts, "satisfied": happy, "time": time} {
				all[name] = append(all[name], stats.Cell{Subject: tester, Period: period, Set: sets[period], Arm: arm, Value: v})
			}
		}
	}
	return all
}

func (s crossed) k(random *rand.Rand, p float64) int {
	for n := 1; n <= k; n++ {
		if random.Float64() < p {
			return n
		}
	}
	return k + 1
}

// TestCalibrateCrossover: with sets that differ much, and odd numbers of testers, the comparison of arms
// has its nominal type I error. Without the adjustment, by the mean differences of the testers, it almost
// never rejected, and was biased: the row "unadjusted".
func TestCalibrateCrossover(t *testing.T) {
	for _, arms := range []int{2, 3} {
		for _, testers := range []int{3, 4, 5, 8, 12, 30} {
			s := crossed{testers: testers, arms: arms, tasks: 6, apart: 1.5, period: 0.4}
			for _, measure := range []string{"attempts", "satisfied", "time"} {
				calibrate.TypeI("crossover t, "+measure, s.String(), 300).Check(t, func(random *rand.Rand) calibrate.Outcome {
					return s.rejects(t, s.draw(random)[measure], stats.FewestDF(measure == "satisfied"))
				})
			}
			s.bias(t)
		}
	}
}

func (s crossed) rejects(t *testing.T, cells []stats.Cell, fewest float64) calibrate.Outcome {
	m, err := stats.FitCrossover(cells, stats.PeriodTerm, stats.SetTerm, stats.ArmTerm)
	fatal.If(t, err)
	d, err := m.Difference(stats.ArmTerm, 0, s.arms-1)
	if err != nil || d.DF < fewest {
		return calibrate.Withheld
	}
	p, err := d.P()
	switch {
	case errors.Is(err, stats.ErrTooFew), errors.Is(err, stats.ErrNoVariation):
		return calibrate.Withheld
	case p <= 0.05:
		return calibrate.Hit
	}
	return calibrate.Miss
}

// bias logs the mean difference of two equal arms, adjusted and not, in attempts, with the
// type I error of the unadjusted t.
func (s crossed) bias(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	runs := calibrate.Simulations(t, 300)
	var adjusted, plain []float64
	rejected := 0
	for range runs {
		cells := s.draw(random)["attempts"]
		m, err := stats.FitCrossover(cells, stats.PeriodTerm, stats.SetTerm, stats.ArmTerm)
		fatal.If(t, err)
		if d, err := m.Difference(stats.ArmTerm, 0, s.arms-1); err == nil {
			adjusted = append(adjusted, d.Value)
		}
		d := make([]float64, s.testers)
		for _, c := range cells {
			switch c.Arm {
			case 0:
				d[c.Subject] += c.Value
			case s.arms - 1:
				d[c.Subject] -= c.Value
			}
		}
		plain = append(plain, stats.Mean(d))
		if c, err := stats.OneSample(d); err == nil {
			if p, err := c.P(); err == nil && p <= 0.05 {
				rejected++
			}
		}
	}
	what := "withheld"
	if len(adjusted) == runs {
		what = fmt.Sprintf("%.3f", stats.Mean(adjusted))
		if slack := 4 * stats.SD(adjusted) / math.Sqrt(float64(runs)); math.Abs(stats.Mean(adjusted)) > 0.05+slack {
			t.Errorf("%v: the adjusted difference of equal arms is %s attempts", s, what)
		}
	}
	t.Logf("calibrate: bias in attempts, adjusted (unadjusted; its type I error) | %v | 0 | %s (%.3f; %.3f) | | %d", s, what, stats.Mean(plain), float64(rejected)/float64(runs), runs)
}

// TestCalibrateStandardised: the interval of g holds the true difference in standard
// deviations of testers in one session.
func TestCalibrateStandardised(t *testing.T) {
	const effect, between, within = 0.8, 1.0, 0.7
	truth := effect / math.Hypot(between, within)
	for _, testers := range []int{8, 12, 30} { // of 5 the interval covers 90 %: the report has none
		s := crossed{testers: testers, arms: 2}
		calibrate.Coverage("Hedges' g, noncentral t, crossover", fmt.Sprintf("%d testers, 2 arms, normal values, true g %.2f", testers, truth), 300).Check(t, func(random *rand.Rand) calibrate.Outcome {
			var cells []stats.Cell
			for tester := range testers {
				arms, sets := s.rows(tester)
				level := between * random.NormFloat64()
				for period, arm := range arms {
					cells = append(cells, stats.Cell{Subject: tester, Period: period, Set: sets[period], Arm: arm,
						Value: level + effect*float64(arm) + float64(sets[period]) + 0.3*float64(period) + within*random.NormFloat64()})
				}
			}
			m, err := stats.FitCrossover(cells, stats.PeriodTerm, stats.SetTerm, stats.ArmTerm)
			fatal.If(t, err)
			d, _ := m.Difference(stats.ArmTerm, 1, 0)
			g, err := d.Standardise(m.Spread, float64(testers-1), 0.95)
			switch {
			case err != nil:
				return calibrate.Withheld
			case g.Interval.Low <= truth && truth <= g.Interval.High:
				return calibrate.Hit
			}
			return calibrate.Miss
		})
	}
}

// TestCalibrateWelch: testers of two arms that differ in nothing, attempts by tester.
func TestCalibrateWelch(t *testing.T) {
	for _, testers := range []int{3, 5, 12, 30} {
		calibrate.TypeI("Welch's t over testers", fmt.Sprintf("%d testers an arm, mean attempts of 12 tasks", testers), 300).Check(t, func(random *rand.Rand) calibrate.Outcome {
			var arms [2][]float64
			for tester := range 2 * testers {
				cells := crossed{testers: 1, arms: 2, tasks: 6, apart: 1.5}.draw(random)["attempts"]
				arms[tester%2] = append(arms[tester%2], (cells[0].Value+cells[1].Value)/2)
			}
			c, err := stats.Welch(arms[0], arms[1])
			fatal.If(t, err)
			if p, err := c.P(); err == nil && p <= 0.05 {
				return calibrate.Hit
			}
			return calibrate.Miss
		})
	}
}

// TestCalibrateMixed: if effects of the arm vary between testers and tasks, the mixed model has its nominal
// type I error; the test over testers does not, since it holds for these tasks only.
func TestCalibrateMixed(t *testing.T) {
	for _, c := range []struct {
		testers, tasks int
		own            float64 // standard deviation of a task's own effect of the arm
	}{{8, 6, 0}, {8, 6, 0.5}, {12, 6, 0.5}, {12, 10, 0.5}, {30, 6, 0.5}} {
		few := 240 / c.testers / c.tasks
		setting := fmt.Sprintf("%d testers, 2 arms, %d tasks, SD of a task's own effect of the arm %.1f", c.testers, 2*c.tasks, c.own)
		calibrate.TypeI("mixed model, Satterthwaite t", setting, few).Check(t, func(random *rand.Rand) calibrate.Outcome {
			s := crossed{testers: c.testers, arms: 2, tasks: c.tasks}
			y, x, factors := s.mixed(random, c.own)
			fit, err := stats.FitMixed(y, x, factors)
			fatal.If(t, err)
			d, err := fit.Contrast([]float64{0, 1, 0})
			if err != nil || d.DF < 2 {
				return calibrate.Withheld
			}
			if p, err := d.P(); err == nil && p <= 0.05 {
				return calibrate.Hit
			}
			return calibrate.Miss
		})
	}
}

// mixed draws normal values with random effects of testers, tasks, and of both with arms.
func (s crossed) mixed(random *rand.Rand, own float64) (y []float64, x [][]float64, factors [][]int) {
	x, factors = make([][]float64, 3), make([][]int, 4)
	task := make([][3]float64, s.arms*s.tasks) // its effect, and those with each arm
	for i := range task {
		task[i] = [3]float64{random.NormFloat64(), own * random.NormFloat64(), own * random.NormFloat64()}
	}
	for tester := range s.testers {
		level := random.NormFloat64()
		arms, sets := s.rows(tester)
		for period, arm := range arms {
			session := 0.5 * random.NormFloat64()
			for i := range s.tasks {
				id := sets[period]*s.tasks + i
				y = append(y, level+session+task[id][0]+task[id][1+arm]+1.5*random.NormFloat64())
				x[0], x[1], x[2] = append(x[0], 1), append(x[1], float64(arm)), append(x[2], float64(period))
				factors[0], factors[1] = append(factors[0], tester), append(factors[1], id)
				factors[2], factors[3] = append(factors[2], 2*tester+arm), append(factors[3], 2*id+arm)
			}
		}
	}
	return y, x, factors
}

// TestCalibrateMixedBounded: for attempts from 1 to k, and for shares, the mixed model is conservative,
// with many testers too: its variances cannot be negative, and so are slightly too large where the true
// ones are near 0. It may reject less often than its level, but not more often.
func TestCalibrateMixedBounded(t *testing.T) {
	for _, c := range []struct {
		measure      string
		testers, few int
	}{{"attempts", 8, 6}, {"satisfied", 8, 6}, {"attempts", 12, 0}, {"satisfied", 12, 0}, {"attempts", 30, 0}, {"satisfied", 30, 0}} {
		measure, s := c.measure, crossed{testers: c.testers, arms: 2, tasks: 6, apart: 1.5, period: 0.4}
		rate := calibrate.Rate{What: "mixed model, Satterthwaite t, " + measure, Setting: s.String(), Nominal: 0.05, Low: 0, High: 0.06, Few: c.few}
		rate.Check(t, func(random *rand.Rand) calibrate.Outcome {
			fit, err := stats.FitMixedCrossover(s.singles(random, measure == "satisfied"))
			if err != nil {
				return calibrate.Withheld
			}
			d, err := fit.Difference(0, 1)
			if err != nil || d.DF < stats.FewestDF(false) {
				return calibrate.Withheld
			}
			if p, err := d.P(); err == nil && p <= 0.05 {
				return calibrate.Hit
			}
			return calibrate.Miss
		})
	}
}

// singles draws the results of each tester at each task.
func (s crossed) singles(random *rand.Rand, share bool) []stats.Single {
	easiness := make([]float64, s.arms*s.tasks)
	for i := range easiness {
		easiness[i] = 0.8*random.NormFloat64() - s.apart*float64(i/s.tasks)/float64(s.arms-1)
	}
	var all []stats.Single
	for tester := range s.testers {
		ability := 0.7*random.NormFloat64() + 0.3
		arms, sets := s.rows(tester)
		for period, arm := range arms {
			for i := range s.tasks {
				id := sets[period]*s.tasks + i
				needed := s.k(random, 1/(1+math.Exp(-ability-easiness[id]-s.period*float64(period))))
				v := float64(min(needed, k))
				if share {
					v = 0
					if needed <= 3 {
						v = 1
					}
				}
				all = append(all, stats.Single{Subject: tester, Task: id, Period: period, Arm: arm, Value: v})
			}
		}
	}
	return all
}
