package ppi

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Needed is how many ratings of people an interval of some width takes.
type Needed struct {
	Together int // with judgements of all items; 0: not even ratings of all are enough
	Alone    int // without a judge
}

// Explained returns the share of the variance of ratings that the judge explains, from 0 to 1: with the best λ the variance
// of a pilot of n ratings and N further judgements is that of the ratings alone times 1 - ρ² N/(n+N) (PPI++, section 6).
func (b Both) Explained() float64 {
	if b.Alone.SE == 0 || b.Judged == 0 {
		return 0
	}
	n, others := float64(b.Rated), float64(b.Judged)
	left := b.SE * b.SE / (b.Alone.SE * b.Alone.SE)
	return min(1, max(0, (1-left)*(n+others)/others))
}

// Needs returns how many ratings an interval of a width takes, where a judge rates all of total items, if ratings and judge
// are like those of the pilot:
//
//	width = 2 t σ/√n √(1 - ρ² (total-n)/total)
//
// with as many ratings for each cluster as in the pilot, and Student's quantile for the clusters of n ratings.
func (b Both) Needs(width float64, total int, confidence float64) (Needed, error) {
	if err := checkNeed(width, total, confidence); err != nil {
		return Needed{}, err
	}
	deviation, each := b.Alone.SE*math.Sqrt(float64(b.Rated)), float64(b.Rated)/float64(b.Clusters)
	enough := func(n int, explained float64) bool {
		df := float64(n)/each - 1
		if df < leastClusters-1 {
			return false
		}
		left := 1 - explained*float64(max(0, total-n))/float64(total)
		return 2*stats.TQuantile((1+confidence)/2, df)*deviation*math.Sqrt(left/float64(n)) <= width
	}
	first := func(most int, explained float64) int {
		for low, high := 1, most; ; {
			if low > high {
				return 0
			}
			if low == high {
				if enough(low, explained) {
					return low
				}
				return 0
			}
			if middle := (low + high) / 2; enough(middle, explained) {
				high = middle
			} else {
				low = middle + 1
			}
		}
	}
	const most = 10_000_000
	return Needed{Together: first(total, b.Explained()), Alone: first(most, 0)}, nil
}

// checkNeed returns the first problem of a wanted width.
func checkNeed(width float64, total int, confidence float64) error {
	switch {
	case !(width > 0) || math.IsInf(width, 0):
		return fmt.Errorf("the width is %v: it must be more than 0", width)
	case total < 1:
		return fmt.Errorf("%d items: at least 1 is needed", total)
	}
	return checkConfidence(confidence)
}
