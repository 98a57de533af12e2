package ppi

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Sample is what a proportion is estimated from: values are 0 or 1. The rated items are a random sample of all items.
type Sample struct {
	Human  []float64 // people's ratings
	Judged []float64 // the model's judgements of the same items, in the same order
	Others []float64 // the model's judgements of the items that nobody rated
}

// Estimate is an estimate with its interval. Its unit is that of the ratings.
type Estimate struct {
	Value    float64
	SE       float64 // standard error
	Lambda   float64 // weight of the judgements
	Interval stats.Interval
	P        float64 // two-sided, of a coefficient or a difference that is 0 (or another null), by the interval's distribution
}

// leastRated is the number of ratings without which no variance can be estimated.
const leastRated = 2

func (s Sample) check() error {
	switch {
	case len(s.Human) != len(s.Judged):
		return fmt.Errorf("proportion: %d ratings beside %d judgements of the same items: %w", len(s.Human), len(s.Judged), stats.ErrShape)
	case len(s.Human) < leastRated || len(s.Others) < leastRated:
		return fmt.Errorf("proportion of %d ratings and %d judgements of other items: at least %d of each are needed: %w",
			len(s.Human), len(s.Others), leastRated, stats.ErrTooFew)
	}
	return finite("proportion", s.Human, s.Judged, s.Others)
}

func finite(statistic string, lists ...[]float64) error {
	for _, list := range lists {
		for i, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: value %d is %v: %w", statistic, i, v, stats.ErrNotFinite)
			}
		}
	}
	return nil
}

func checkConfidence(confidence float64) error {
	if !(confidence > 0 && confidence < 1) {
		return fmt.Errorf("confidence %v: it must lie between 0 and 1, for example 0.95", confidence)
	}
	return nil
}

// checked returns the result if its numbers are finite: squares of finite values can overflow.
func checked[T any](result T, numbers ...float64) (T, error) {
	if err := finite("prediction-powered inference", numbers); err != nil {
		var none T
		return none, err
	}
	return result, nil
}
