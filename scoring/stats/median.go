package stats

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// MedianInterval returns the confidence interval of a median between two order statistics: the narrowest
// symmetric one that the binomial distribution allows. It covers at least as often as asked, whatever the
// distribution (Conover, Practical Nonparametric Statistics, 1999, section 3.2). The error wraps ErrTooFew
// if even the extremes do not cover often enough, as with fewer than 6 values at 95 %.
func MedianInterval(x []float64, confidence float64) (Interval, error) {
	if err := checkConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if err := finite("interval of a median", x); err != nil {
		return Interval{}, err
	}
	n, out := len(x), -1
	for k := range n / 2 { // with k values left out at each end
		if 2*atMost(k, n) > 1-confidence {
			break
		}
		out = k
	}
	if out < 0 {
		return Interval{}, fmt.Errorf("interval of a median of %d values: %w", n, ErrTooFew)
	}
	order := slices.Sorted(slices.Values(x))
	return Interval{order[out], order[n-1-out]}, nil
}

// atMost returns the probability of at most k heads in n tosses of a fair coin.
func atMost(k, n int) float64 { return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5) }
