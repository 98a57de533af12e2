package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Interval is a confidence interval, in the unit of what it bounds.
type Interval struct {
	Low  float64 `json:"low"`  // lower bound
	High float64 `json:"high"` // upper bound
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

// ClopperPearson is the exact interval for a proportion of successes out of n:
// the p at which so many or more, and so many or fewer, have probability
// (1-c)/2, by quantiles of beta distributions
//
//	[B⁻¹((1-c)/2; s, n-s+1), B⁻¹((1+c)/2; s+1, n-s)]
//
// (Clopper & Pearson, Biometrika 26, 1934.) It covers at least with the
// confidence asked for, usually more. Domain and errors are those of Wilson.
func ClopperPearson(successes, n int, confidence float64) (Interval, error) {
	if err := checkConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if n < 0 || successes < 0 || successes > n {
		return Interval{}, fmt.Errorf("a proportion of %d out of %d is none", successes, n)
	}
	iv := Interval{0, 1}
	tail, s, f := (1-confidence)/2, float64(successes), float64(n-successes)
	if successes > 0 {
		iv.Low = betaQuantile(s, f+1, tail)
	}
	if successes < n {
		// The upper end is the lower end for the failures: the tail stays small,
		// where 1-tail would lose its digits.
		iv.High = 1 - betaQuantile(f, s+1, tail)
	}
	return iv, nil
}

// betaQuantile is the p-quantile of the beta distribution: gonum's, and then
// Newton steps, because its own goal is not a relative one.
func betaQuantile(a, b, p float64) float64 {
	x := mathext.InvRegIncBeta(a, b, p)
	for range 3 {
		if !(x > 0 && x < 1) {
			return x
		}
		density := math.Exp((a-1)*math.Log(x) + (b-1)*math.Log1p(-x) - mathext.Lbeta(a, b))
		next := x - (mathext.RegIncBeta(a, b, x)-p)/density
		if !(next > 0 && next < 1) || math.Abs(next-x) > 1e-3*x {
			return x // the quotient is not to be trusted here
		}
		x = next
	}
	return x
}
