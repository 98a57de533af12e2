// Package calibrate measures intervals and tests by simulation, for tests alone: how
// often an interval covers what it estimates, and how often a test rejects what is true.
//
// Each measurement is one row of the table that `make calibrate` prints. By default a
// simulation draws few data sets, enough to notice a method that is wrong by several
// points; ASSAY_SIMULATIONS=N draws N times as many, for the published table.
package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Outcome is what one simulated data set gave.
type Outcome int

const (
	Miss     Outcome = iota // the interval does not cover the truth; the test does not reject
	Hit                     // the interval covers the truth; the test rejects
	Withheld                // the method gave no interval or no p, and said so
)

// Rate is one measurement.
type Rate struct {
	What    string // the interval or test, and its method
	Setting string // what is simulated, with its numbers
	Nominal float64

	// Low and High are the rates that are accepted, 0 to 1. A small simulation may
	// leave them by 3.5 standard errors.
	Low, High float64

	Few int // how many data sets are drawn by default
}

// Coverage is a 95 % interval that must cover in 93 to 97 % of data sets.
func Coverage(what, setting string, few int) Rate {
	return Rate{What: what, Setting: setting, Nominal: 0.95, Low: 0.93, High: 0.97, Few: few}
}

// TypeI is a test at 5 % that must reject a true null in 3 to 6 % of data sets.
func TypeI(what, setting string, few int) Rate {
	return Rate{What: what, Setting: setting, Nominal: 0.05, Low: 0.03, High: 0.06, Few: few}
}

// Check draws data sets until enough are drawn, logs the row, and fails where the rate
// of hits among those not withheld is outside of its bounds. The seed is fixed, so that
// a result never changes by itself. A method that is withheld in every data set passes.
func (r Rate) Check(t *testing.T, simulate func(*rand.Rand) Outcome) {
	t.Helper()
	n := Simulations(t, r.Few)
	random := rand.New(rand.NewPCG(20261122, uint64(len(r.Setting))))
	var counts [3]int
	for range n {
		counts[simulate(random)]++
	}
	given := counts[Hit] + counts[Miss]
	if given == 0 {
		t.Logf("calibrate: %s | %s | %.3g | withheld | | %d", r.What, r.Setting, r.Nominal, n)
		return
	}
	rate := float64(counts[Hit]) / float64(given)
	withheld := fmt.Sprintf("%.1f %%", 100*float64(counts[Withheld])/float64(n))
	t.Logf("calibrate: %s | %s | %.3g | %.3f | %s | %d", r.What, r.Setting, r.Nominal, rate, withheld, n)
	slack := func(bound float64) float64 { return 3.5 * math.Sqrt(bound*(1-bound)/float64(given)) }
	if rate < r.Low-slack(r.Low) || rate > r.High+slack(r.High) {
		t.Errorf("%s, %s: %.3f of %d data sets, want %.2f to %.2f", r.What, r.Setting, rate, given, r.Low, r.High)
	}
}

// Simulations is the number of data sets to draw: few, or ASSAY_SIMULATIONS times as many,
// and as often for what is simulated for the published table alone, where few is 0.
func Simulations(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("ASSAY_SIMULATIONS")
	if text == "" {
		return few
	}
	times, err := strconv.Atoi(text)
	if err != nil || times < 1 {
		t.Fatalf("ASSAY_SIMULATIONS=%q is not a whole number from 1", text)
	}
	return times * max(few, 1)
}
