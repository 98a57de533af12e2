package stats

import (
	"errors"
	"fmt"
	"math"
)

// Interval is a confidence interval, in the unit of what it bounds.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// NormalQuantile is the inverse of the standard normal distribution function,
// Φ⁻¹(p) = -√2 erfc⁻¹(2p). It is -Inf at 0, +Inf at 1 and NaN outside [0, 1].
func NormalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// NormalCDF is the standard normal distribution function Φ(z).
func NormalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

func checkConfidence(confidence float64) error {
	if !(confidence > 0 && confidence < 1) {
		return fmt.Errorf("confidence %v: it must lie between 0 and 1, for example 0.95", confidence)
	}
	return nil
}

// Wilson is the score interval for a proportion of successes out of n:
//
//	(p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n),  p = successes/n
//
// (Wilson, JASA 22, 1927; without continuity correction.) It is an error if
// successes is not from 0 to n, or the confidence not between 0 and 1; for n =
// 0 nothing is known and the interval is [0, 1].
func Wilson(successes, n int, confidence float64) (Interval, error) {
	if err := checkConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if n < 0 || successes < 0 || successes > n {
		return Interval{}, fmt.Errorf("a proportion of %d out of %d is none", successes, n)
	}
	if n == 0 {
		return Interval{0, 1}, nil
	}
	z := NormalQuantile((1 + confidence) / 2)
	size, p := float64(n), float64(successes)/float64(n)
	centre := p + z*z/(2*size)
	half := z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	scale := 1 + z*z/size
	iv := Interval{max(0, (centre-half)/scale), min(1, (centre+half)/scale)}
	// At the ends the formula gives exactly 0 or 1, up to rounding.
	if successes == 0 {
		iv.Low = 0
	}
	if successes == n {
		iv.High = 1
	}
	return iv, nil
}

// ErrTooFew: an interval is not defined for so few values.
var ErrTooFew = errors.New("too few values for an interval")
