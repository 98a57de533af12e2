package report

import (
	"fmt"

	"assay/scoring/stats"
)

// General is a difference for testers and tasks like these, by a mixed model.
type General struct {
	Difference Estimate `json:"difference"` // the first minus the second, adjusted for period; N counts results
	P          Number   `json:"p"`          // of no difference
	Scope      string   `json:"scope"`      // what the interval and the test speak of
}

// The numbers from which the mixed model holds its level in simulations
// (TestCalibrateMixed), and that of results up to which it is fitted.
const (
	mixedTesters = 8
	mixedTasks   = 12
	mixedResults = 20_000
)

// generalOf compares two arms with testers and tasks as crossed random effects, each with
// an effect of the arm of their own: so the error knows that another draw of tasks would
// have given another difference. Test sets are draws of tasks, and no term of their own.
// It is nil where there are too few of either.
func generalOf(x *crossing, first, second int) *General {
	if x.mixed == nil && !x.tried {
		x.tried = true
		x.fitMixed()
	}
	if x.mixed == nil {
		return nil
	}
	l := make([]float64, x.columns)
	for arm, sign := range map[int]float64{first: 1, second: -1} {
		if arm > 0 { // arm 0 is the reference
			l[arm] += sign
		}
	}
	c, err := x.mixed.Contrast(l)
	if err != nil || !(c.DF >= 2) {
		return nil
	}
	p, err := c.P()
	if err != nil {
		return nil
	}
	iv, err := c.Interval(Confidence)
	if err != nil {
		return nil
	}
	return &General{
		Difference: Estimate{N: len(x.values), Value: Number(c.Value), Interval: &iv, Method: fmt.Sprintf("mixed model (REML), t with %.1f degrees of freedom (Satterthwaite)", c.DF)},
		P:          Number(p), Scope: scopeBoth,
	}
}

// fitMixed fits the model of all results, with columns for the intercept, the arms but
// the first, and the periods but the first.
func (x *crossing) fitMixed() {
	testers, tasks, periods := numbers{}, numbers{}, 0
	for _, o := range x.values {
		testers.of(fmt.Sprint(o.tester))
		tasks.of(fmt.Sprint(o.task))
		periods = max(periods, o.period+1)
	}
	if len(testers) < mixedTesters || len(tasks) < mixedTasks || len(x.values) > mixedResults {
		return
	}
	arms, n := len(x.arms), len(x.values)
	x.columns = 1 + (arms - 1) + (periods - 1)
	columns, y := make([][]float64, x.columns), make([]float64, n)
	for j := range columns {
		columns[j] = make([]float64, n)
	}
	factors := make([][]int, 4)
	for f := range factors {
		factors[f] = make([]int, n)
	}
	byTester, byTask := numbers{}, numbers{}
	for i, o := range x.values {
		y[i], columns[0][i] = o.v, 1
		if o.arm > 0 {
			columns[o.arm][i] = 1
		}
		if o.period > 0 {
			columns[arms-1+o.period][i] = 1
		}
		factors[0][i], factors[1][i] = testers.of(fmt.Sprint(o.tester)), o.task
		factors[2][i], factors[3][i] = byTester.of(fmt.Sprint(o.tester, o.arm)), byTask.of(fmt.Sprint(o.task, o.arm))
	}
	x.mixed, _ = stats.FitMixed(y, columns, factors)
}
