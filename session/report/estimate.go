package report

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/scoring/stats"
)

// resamples is the number drawn for a report that somebody reads.
const resamples = 10_000

// manyValues is the number from which the normal interval takes the place of the
// bootstrap's, from which it then hardly differs.
const manyValues = 2000

// estimator makes estimates whose random numbers depend on the sessions and on
// the number of values alone: equal data have equal intervals, and the order in
// which things are estimated does not matter.
type estimator struct {
	quick   bool // normal intervals where there is one tester: see quickly
	seed    uint64
	count   int             // of resamples
	testers int             // in the report
	drawn   map[int][][]int // resamples by the number of values
}

func newEstimator(logs []folded, count, testers int) *estimator {
	var ids []string
	for _, f := range logs {
		ids = append(ids, f.state.Session)
	}
	if count == 0 {
		count = resamples
	}
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	return &estimator{false, binary.BigEndian.Uint64(sum[:]), count, testers, map[int][][]int{}}
}

// quickly is the estimator for groups of which there may be hundreds, each of one
// tester's tasks: a bootstrap of each would take longer than all else.
func (e *estimator) quickly() *estimator {
	q := *e
	q.quick = true
	return &q
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

// fewTesters is the number of testers below which intervals over them are Student's: in
// simulations the bootstrap over 5 testers held the true mean in 85 of 100 cases, over 12
// in 90, and Student's in 95.
const fewTesters = 30

// series are values with the tester that each is from.
type series struct {
	x  []float64
	by []int

	// The ends of the scale, which no interval goes beyond; where both are 0, an
	// interval of values that are not negative does not go below 0.
	low, high float64
}

// within is the series on a scale.
func (s series) within(low, high float64) series {
	s.low, s.high = low, high
	return s
}

// clip keeps an interval on the scale.
func (s series) clip(iv stats.Interval) stats.Interval {
	switch {
	case s.low < s.high:
		return stats.Interval{Low: max(iv.Low, s.low), High: min(iv.High, s.high)}
	case len(s.x) > 0 && slices.Min(s.x) >= 0:
		return stats.Interval{Low: max(iv.Low, 0), High: iv.High}
	}
	return iv
}

func (s *series) add(r result, v float64) {
	s.x, s.by = append(s.x, v), append(s.by, r.in.tester)
}

func (s *series) sum() float64 { return stats.Sum(s.x) }

func (s *series) addIf(r result, is bool) {
	if is {
		s.add(r, 1)
	} else {
		s.add(r, 0)
	}
}

// mean is the mean of the series with its BCa bootstrap interval. Where several
// testers worked, whole testers are drawn, since the tasks of one are alike.
func (e *estimator) mean(s series) Estimate {
	est := Estimate{N: len(s.x), Value: Number(stats.Mean(s.x))}
	if reason := without(s); reason != "" {
		est.Method = "no interval: " + reason
		return est
	}
	iv, method, err := e.interval(s)
	if err != nil {
		est.Method = "no interval: " + err.Error()
		return est
	}
	if !(iv.Low < iv.High) {
		est.Method = "no interval: the testers' means are equal"
		return est
	}
	iv = s.clip(iv)
	est.Interval, est.Method = &iv, method
	return est
}

func without(s series) string {
	switch {
	case len(s.x) < 2:
		return "fewer than two values"
	case constant(s.x):
		return "all values are equal"
	}
	return ""
}

// tasksOfOne ends the name of an interval over tasks where several testers worked.
const tasksOfOne = " over the tasks of one tester"

// interval is that of the mean of values that are not all equal.
func (e *estimator) interval(s series) (stats.Interval, string, error) {
	if groups := stats.Clusters(s.by); len(groups) > 1 {
		return e.clustered(s, groups)
	}
	if len(s.x) > manyValues || e.quick {
		return normal(s.x), "normal", nil
	}
	iv, err := stats.BootstrapBCa(s.x, stats.Mean, e.resamples(len(s.x)), Confidence)
	if e.testers > 1 {
		return iv.Interval, "BCa bootstrap" + tasksOfOne, err
	}
	return iv.Interval, "BCa bootstrap", err
}

// clustered draws whole testers: a tester's sum and number of values say all that a
// mean needs.
func (e *estimator) clustered(s series, groups [][]int) (stats.Interval, string, error) {
	return e.clusteredMean(groups, func(i int) (float64, float64) { return s.x[i], 1 })
}

// clusteredMean is the interval of a weighted mean; each of the values is given with
// its weight.
func (e *estimator) clusteredMean(groups [][]int, value func(i int) (v, weight float64)) (stats.Interval, string, error) {
	sums, weights, which := make([]float64, len(groups)), make([]float64, len(groups)), make([]float64, len(groups))
	for g, members := range groups {
		which[g] = float64(g)
		for _, i := range members {
			v, weight := value(i)
			sums[g] += v * weight
			weights[g] += weight
		}
	}
	if len(groups) < fewTesters {
		return fewClusters(sums, weights), fmt.Sprintf("t interval over %d testers", len(groups)), nil
	}
	pooled := func(drawn []float64) float64 {
		sum, weight := 0.0, 0.0
		for _, g := range drawn {
			sum += sums[int(g)]
			weight += weights[int(g)]
		}
		return sum / weight
	}
	iv, err := stats.BootstrapBCa(which, pooled, e.resamples(len(groups)), Confidence)
	return iv.Interval, fmt.Sprintf("BCa bootstrap over %d testers", len(groups)), err
}

// fewClusters is the interval of a weighted mean over so few testers that a bootstrap
// would be too narrow: Student's t with the standard error of a ratio (Cochran,
// Sampling Techniques, 1977, section 6.4), taken over whole testers.
func fewClusters(sums, weights []float64) stats.Interval {
	n := float64(len(sums))
	mean := stats.Sum(sums) / stats.Sum(weights)
	squares := 0.0
	for g := range sums {
		residual := sums[g] - mean*weights[g]
		squares += residual * residual
	}
	half := stats.TQuantile(0.5+Confidence/2, n-1) * math.Sqrt(squares*n/(n-1)) / stats.Sum(weights)
	return stats.Interval{Low: mean - half, High: mean + half}
}

// normal is the mean with so many of its standard errors to either side.
func normal(x []float64) stats.Interval {
	half := stats.NormalQuantile(0.5+Confidence/2) * stats.SD(x) / math.Sqrt(float64(len(x)))
	m := stats.Mean(x)
	return stats.Interval{Low: m - half, High: m + half}
}

func constant(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// rate is the share of ones in a series of ones and zeros: with Wilson's interval, or
// with several testers the bootstrap's over them.
func (e *estimator) rate(s series) Share {
	share := Share{Count: int(stats.Sum(s.x)), Estimate: Estimate{N: len(s.x), Method: "Wilson"}}
	iv, err := stats.Wilson(share.Count, share.N, Confidence)
	if err == nil && share.N == 0 {
		err = errors.New("nothing was observed")
	}
	if err != nil {
		share.Value, share.Method = Number(stats.Mean(nil)), "no interval: "+err.Error()
		return share
	}
	share.Value, share.Interval = Number(float64(share.Count)/float64(share.N)), &iv
	groups := stats.Clusters(s.by)
	if len(groups) < 2 {
		return share
	}
	share.Method = "Wilson, as if tasks of one tester were not alike"
	if constant(s.x) {
		return share
	}
	iv, method, err := e.clustered(s, groups)
	switch {
	case err != nil:
	case !(iv.Low < iv.High):
		share.Interval, share.Method = nil, "no interval: the testers' shares are equal"
	default:
		iv.Low, iv.High = max(iv.Low, 0), min(iv.High, 1)
		share.Interval, share.Method = &iv, method
	}
	return share
}
