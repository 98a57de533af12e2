// Package calibrate measures intervals and tests by simulation, for use in tests: how often an interval
// covers the true value, and how often a test rejects a true null hypothesis.
//
// Each measurement is one row of the table that `make calibrate` prints. By default a simulation draws few
// data sets, enough to notice an error of several points; ASSAY_SIMULATIONS=N draws N times as many, for
// the published table.
package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"assay/data/sampled"
)

// Outcome is the result of one simulated data set.
type Outcome int

const (
	Miss     Outcome = iota // the interval does not cover the truth; the test does not reject
	Hit                     // the interval covers the truth; the test rejects
	Withheld                // the method reported that it gives no interval or p
)

// Rate is one measurement.
type Rate struct {
	What    string // the interval or test, with its method
	Setting string // what is simulated, with its parameters
	Nominal float64

	// Low and High bound the accepted rate, 0 to 1. A small simulation may leave them by 3.5 standard
	// errors.
	Low, High float64

	Few int // the number of data sets drawn by default
}

// Coverage describes a 95 % interval that must cover in 93 to 97 % of data sets.
func Coverage(subject, setting string, few int) Rate {
	return Rate{What: subject, Setting: setting, Nominal: 0.95, Low: 0.93, High: 0.97, Few: few}
}

// TypeI describes a test at 5 % that must reject a true null hypothesis in 3 to 6 % of data sets.
func TypeI(subject, setting string, few int) Rate {
	return Rate{What: subject, Setting: setting, Nominal: 0.05, Low: 0.03, High: 0.06, Few: few}
}

// Check simulates, logs the row, and fails the test if the rate of hits among data sets not withheld is out
// of bounds. The seed is fixed, so results are reproducible. A method that is withheld in every data set
// passes.
func (r Rate) Check(t *testing.T, simulate func(*rand.Rand) Outcome) {
	t.Helper()
	random := rand.New(rand.NewPCG(20261122, uint64(len(r.Setting))))
	var counts Counts
	for range Simulations(t, r.Few) {
		counts[simulate(random)]++
	}
	r.Log(t, counts)
}

// Counts are numbers of data sets by Outcome.
type Counts [3]int

// Rate is the share of hits among data sets that are not withheld; NaN if all are.
func (c Counts) Rate() float64 { return float64(c[Hit]) / float64(c[Hit]+c[Miss]) }

// Log logs the row of data sets that were simulated elsewhere, and fails the test as Check does.
func (r Rate) Log(t *testing.T, counts Counts) {
	t.Helper()
	n, decided := counts[Hit]+counts[Miss]+counts[Withheld], counts[Hit]+counts[Miss]
	if decided == 0 {
		t.Logf("calibrate: %s | %s | %.3g | withheld | | %d", r.What, r.Setting, r.Nominal, n)
		return
	}
	rate := counts.Rate()
	withheld := fmt.Sprintf("%.1f %%", 100*float64(counts[Withheld])/float64(n))
	t.Logf("calibrate: %s | %s | %.3g | %.3f | %s | %d", r.What, r.Setting, r.Nominal, rate, withheld, n)
	slack := func(bound float64) float64 { return 3.5 * math.Sqrt(bound*(1-bound)/float64(decided)) }
	if rate < r.Low-slack(r.Low) || rate > r.High+slack(r.High) {
		t.Errorf("%s, %s: %.3f of %d data sets, want %.2f to %.2f", r.What, r.Setting, rate, decided, r.Low, r.High)
	}
}

// Simulations returns the number of data sets to draw: few times ASSAY_SIMULATIONS if that is set, else a third of
// few, or few in thorough tests. A simulation only for the published table has few 0, and draws ASSAY_SIMULATIONS
// data sets.
func Simulations(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("ASSAY_SIMULATIONS")
	if text == "" {
		return sampled.Of((few+2)/3, few)
	}
	times, err := strconv.Atoi(text)
	if err != nil || times < 1 {
		t.Fatalf("ASSAY_SIMULATIONS=%q is not a whole number from 1", text)
	}
	return times * max(few, 1)
}
