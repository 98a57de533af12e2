package stats_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/data/fatal"
	"assay/scoring/stats"
)

// fourTesters are the first four rows of the plan that `assay study init` writes, whose values
// are tester + 3 in the second period - 2 for the second set + 5 for the second arm.
func fourTesters() []stats.Cell {
	var cells []stats.Cell
	for tester, row := range [][4]int{{0, 0, 1, 1}, {1, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 0, 1}} { // arm, set; arm, set
		for period := range 2 {
			arm, set := row[2*period], row[2*period+1]
			cells = append(cells, stats.Cell{Subject: tester, Period: period, Set: set, Arm: arm, Value: 10*float64(tester) + 3*float64(period) - 2*float64(set) + 5*float64(arm)})
		}
	}
	return cells
}

// TestCrossoverRecovers: additive effects are recovered exactly, whichever testers are missing.
func TestCrossoverRecovers(t *testing.T) {
	for _, cells := range [][]stats.Cell{fourTesters(), fourTesters()[:6]} {
		m, err := stats.FitCrossover(cells, stats.PeriodTerm, stats.SetTerm, stats.ArmTerm)
		fatal.If(t, err)
		for term, want := range map[stats.Term]float64{stats.PeriodTerm: 3, stats.SetTerm: -2, stats.ArmTerm: 5} {
			if d, err := m.Difference(term, 1, 0); err != nil || math.Abs(d.Value-want) > 1e-9 {
				t.Errorf("term %d of %d cells: %+v, %v, want %v", term, len(cells), d, err, want)
			}
		}
	}
	m, err := stats.FitCrossover(fourTesters()[:4], stats.PeriodTerm, stats.SetTerm, stats.ArmTerm)
	fatal.If(t, err)
	if _, err := m.Difference(stats.ArmTerm, 1, 0); !errors.Is(err, stats.ErrShape) {
		t.Errorf("two testers tell arm, set and period apart: %v", err)
	}
	one, err := m.Mean(stats.PeriodTerm, 5)
	if err == nil {
		t.Errorf("there is a sixth period: %+v", one)
	}
}

// TestCrossoverIsThePairedTest: with two periods and arms as the only effects, the model is the paired t
// test: differences 1, 2, 3, 4 have mean 2.5 and SD 1.290994.
func TestCrossoverIsThePairedTest(t *testing.T) {
	var cells []stats.Cell
	for s := range 4 {
		cells = append(cells, stats.Cell{Subject: s, Value: float64(s * s)}, stats.Cell{Subject: s, Period: 1, Arm: 1, Value: float64(s*s + s + 1)})
	}
	m, err := stats.FitCrossover(cells, stats.ArmTerm)
	fatal.If(t, err)
	d, err := m.Difference(stats.ArmTerm, 1, 0)
	if err != nil || math.Abs(d.Value-2.5) > 1e-12 || math.Abs(d.SE-1.2909944487/2) > 1e-9 || d.DF != 3 {
		t.Errorf("%+v, %v", d, err)
	}
	p, err := d.P() // R: t.test(1:4) gives t = 3.873, df = 3, p = 0.03047
	if err != nil || math.Abs(p-0.03047) > 5e-5 {
		t.Errorf("p = %v, %v", p, err)
	}
	iv, err := d.Interval(0.95) // 0.4457397 to 4.5542603
	if err != nil || math.Abs(iv.Low-0.4457397) > 1e-6 || math.Abs(iv.High-4.5542603) > 1e-6 {
		t.Errorf("%+v, %v", iv, err)
	}
}

// TestRandomisedFloor: four testers of the plan give four allocations, of which two are
// equally far: p cannot be below 0.5.
func TestRandomisedFloor(t *testing.T) {
	cells := fourTesters()
	for i := range cells {
		cells[i].Value += float64(i*i%5) / 10
	}
	r, err := stats.RandomiseArms(cells, 0, 1)
	if err != nil || r.Allocations != 4 || r.Floor != 0.5 || r.P != 0.5 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestNothingToRandomise: where values are sums of effects of subject and period no allocation makes a difference, whatever
// the rounding.
func TestNothingToRandomise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		cells := fourTesters()
		subject, period := map[int]float64{}, map[int]float64{}
		for i, c := range cells {
			for _, of := range []struct {
				effects map[int]float64
				key     int
			}{{subject, c.Subject}, {period, c.Period}} {
				if _, known := of.effects[of.key]; !known {
					of.effects[of.key] = random.Float64()
				}
			}
			cells[i].Value = subject[c.Subject] + period[c.Period]
		}
		if r, err := stats.RandomiseArms(cells, 0, 1); !errors.Is(err, stats.ErrNoVariation) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}

// TestStandardised: the noncentral interval contains 0 exactly if p is above 0.05.
func TestStandardised(t *testing.T) {
	c := stats.Contrast{Value: 2, SE: 1, DF: 9}
	g, err := c.Standardise(math.Sqrt(10), 9, 0.95)
	fatal.If(t, err)
	p, _ := c.P()
	if (g.Interval.Low > 0) != (p < 0.05) {
		t.Errorf("p = %v, %+v", p, g)
	}
	edge := stats.Contrast{Value: stats.TQuantile(0.975, 9), SE: 1, DF: 9}
	if g, err := edge.Standardise(1, 9, 0.95); err != nil || math.Abs(g.Interval.Low) > 2e-3 {
		t.Errorf("at p = 0.05 the interval begins at %v, %v", g.Interval.Low, err)
	}
	if want := (1 - 3.0/35) * 2 / math.Sqrt(10); math.Abs(g.Value-want) > 1e-12 {
		t.Errorf("g = %v, want %v", g.Value, want)
	}
}

// TestBenjaminiHochberg has the values of R's p.adjust(…, "BH").
func TestBenjaminiHochberg(t *testing.T) {
	got, err := stats.BenjaminiHochberg([]float64{0.04, 0.01, 0.03, 0.5})
	want := []float64{0.16 / 3, 0.04, 0.16 / 3, 0.5}
	fatal.If(t, err)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if _, err := stats.BenjaminiHochberg([]float64{1.5}); err == nil {
		t.Error("1.5 is taken for a p")
	}
}

// TestMixedIsAnova: of balanced groups, restricted maximum likelihood gives the estimates
// of the analysis of variance: the means 2, 5, 11 of three have MS 63 between groups of 3
// and MS 1 within, so that the groups' variance is (63-1)/3; and the mean has 2 degrees of
// freedom, for its error is that of the groups' means.
func TestMixedIsAnova(t *testing.T) {
	y := []float64{1, 2, 3, 4, 5, 6, 10, 11, 12}
	ones, group := make([]float64, 9), make([]int, 9)
	for i := range y {
		ones[i], group[i] = 1, i/3
	}
	m, err := stats.FitMixed(y, [][]float64{ones}, [][]int{group})
	fatal.If(t, err)
	if math.Abs(m.Residual-1) > 1e-3 || math.Abs(m.SD[0]-math.Sqrt(62.0/3)) > 1e-2 {
		t.Errorf("%+v", m)
	}
	c, err := m.Contrast([]float64{1})
	if err != nil || math.Abs(c.Value-6) > 1e-9 || math.Abs(c.SE-math.Sqrt(63.0/9)) > 1e-3 || math.Abs(c.DF-2) > 2e-2 {
		t.Errorf("%+v, %v", c, err)
	}
}

// All testers satisfied but at one task, or at all, says nothing of how values vary: a model would be of rounding errors.
func TestMixedWithoutVariation(t *testing.T) {
	for _, failures := range []int{0, 1} {
		var values []stats.Single
		for subject := range 8 {
			for task := range 20 {
				if arm := (subject + task/10) % 2; (subject+task)%2 == 0 || subject < 2 && task == 5 {
					v := 1.0
					if subject == 1 && task == 5 {
						v -= float64(failures)
					}
					values = append(values, stats.Single{Subject: subject, Task: task, Period: task / 10, Arm: arm, Value: v})
				}
			}
		}
		// The only result of a task in an arm explains itself.
		values = slices.DeleteFunc(values, func(v stats.Single) bool { return v.Task == 5 && v.Subject != 1 && v.Arm == 1 })
		m, err := stats.FitMixedCrossover(values)
		if !errors.Is(err, stats.ErrNoVariation) {
			t.Errorf("%d failures: %+v, %v", failures, m, err)
		}
	}
}
