package report

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"assay/scoring/stats"
)

// resamples is the number drawn for a report that somebody reads.
const resamples = 10_000

// estimator makes estimates whose random numbers depend on the session and on
// the number of values alone: equal data have equal intervals, and the order in
// which things are estimated does not matter.
type estimator struct {
	seed  uint64
	count int             // of resamples
	drawn map[int][][]int // resamples by the number of values
}

func newEstimator(sessionID string, count int) *estimator {
	sum := sha256.Sum256([]byte(sessionID))
	return &estimator{binary.BigEndian.Uint64(sum[:]), count, map[int][][]int{}}
}

func (e *estimator) resamples(n int) [][]int {
	if all, known := e.drawn[n]; known {
		return all
	}
	all := stats.Resamples(rand.New(rand.NewPCG(e.seed, uint64(n))), n, e.count)
	if n <= 500 { // kept ones would take 40 MB from there on
		e.drawn[n] = all
	}
	return all
}

// mean is the mean of x with its BCa bootstrap interval.
func (e *estimator) mean(x []float64) Estimate {
	est := Estimate{N: len(x), Value: Number(stats.Mean(x))}
	if len(x) < 2 {
		est.Method = "no interval: fewer than two values"
		return est
	}
	if constant(x) {
		est.Method = "no interval: all values are equal"
		return est
	}
	iv, err := stats.BootstrapBCa(x, stats.Mean, e.resamples(len(x)), Confidence)
	if err != nil {
		est.Method = "no interval: " + err.Error()
		return est
	}
	est.Interval, est.Method = &iv.Interval, "BCa bootstrap"
	return est
}

func constant(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// share is count of n with its Wilson interval.
func (e *estimator) share(count, n int) Share {
	s := Share{Count: count, Estimate: Estimate{N: n, Method: "Wilson"}}
	iv, err := stats.Wilson(count, n, Confidence)
	if err == nil && n == 0 {
		err = errors.New("nothing was observed")
	}
	if err != nil {
		s.Value, s.Method = Number(stats.Mean(nil)), "no interval: "+err.Error()
		return s
	}
	s.Value, s.Interval = Number(float64(count)/float64(n)), &iv
	return s
}
