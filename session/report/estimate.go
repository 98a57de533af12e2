package report

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math/rand/v2"

	"assay/scoring/stats"
)

const resamples = 10_000

// estimator makes estimates whose random numbers depend on the session and on
// what is estimated, not on the order in which it is done.
type estimator struct{ seed uint64 }

func newEstimator(sessionID string) estimator {
	sum := sha256.Sum256([]byte(sessionID))
	return estimator{binary.BigEndian.Uint64(sum[:])}
}

// mean is the mean of x with its BCa bootstrap interval.
func (e estimator) mean(what string, x []float64) Estimate {
	est := Estimate{N: len(x), Value: Number(stats.Mean(x))}
	if len(x) < 2 {
		est.Method = "no interval: fewer than two values"
		return est
	}
	if constant(x) {
		est.Method = "no interval: all values are equal"
		return est
	}
	name := fnv.New64a()
	name.Write([]byte(what))
	random := rand.New(rand.NewPCG(e.seed, name.Sum64()))
	iv, err := stats.BootstrapBCa(x, stats.Mean, stats.Resamples(random, len(x), resamples), Confidence)
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
func (e estimator) share(count, n int) Share {
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
