package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Interval is a confidence interval, in the unit of the quantity it bounds.
type Interval struct {
	Low  float64 `json:"low"`  // lower bound
	High float64 `json:"high"` // upper bound
}

// Holds reports whether a value is in the interval.
func (i Interval) Holds(x float64) bool { return i.Low <= x && x <= i.High }

// Within reports whether the interval shows a difference to be smaller than a margin in either direction. With an
// interval of confidence 1-α both one-sided tests against the margin reject at α/2 (Schuirmann 1987).
func (i Interval) Within(margin float64) bool { return -margin < i.Low && i.High < margin }

// Beyond reports whether the interval shows a difference to be larger than a margin, in one direction.
func (i Interval) Beyond(margin float64) bool { return i.Low > margin || i.High < -margin }

// PairsAlike returns how many pairs show a difference of 0 to be smaller than a margin with the given power, by the interval
// of the confidence: ((z(½+confidence/2) + z(½+power/2)) SD / margin)² (Julious 2004, with normal quantiles).
func PairsAlike(sd, margin, confidence, power float64) float64 {
	z := NormalQuantile(0.5+confidence/2) + NormalQuantile(0.5+power/2)
	return math.Ceil(z * z * sd * sd / (margin * margin))
}

// NormalQuantile returns the inverse of the standard normal distribution function,
// Φ⁻¹(p) = -√2 erfc⁻¹(2p). It is -Inf at 0, +Inf at 1 and NaN outside [0, 1].
func NormalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// normalCDF returns the standard normal distribution function Φ(z).
func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

func checkConfidence(confidence float64) error {
	if !(confidence > 0 && confidence < 1) {
		return fmt.Errorf("confidence %v: it must lie between 0 and 1, for example 0.95", confidence)
	}
	return nil
}

// scoreInterval is Wilson's score interval for a proportion p of n (JASA 22, 1927; without
// continuity correction):
//
//	(p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)
func scoreInterval(p, n, confidence float64) Interval {
	z := NormalQuantile((1 + confidence) / 2)
	centre := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	iv := Interval{max(0, (centre-half)/scale), min(1, (centre+half)/scale)}
	// At the ends the formula gives 0 or 1 only up to rounding.
	if p == 0 {
		iv.Low = 0
	}
	if p == 1 {
		iv.High = 1
	}
	return iv
}

// ModifiedWilson is Wilson's interval for a mean p of values from 0 to 1 whose precision is that of a
// proportion of n. n > 0 need not be whole: it is the effective sample size of survey statistics, p(1-p)
// over the variance of the mean. Near 0 and 1, where Wilson's interval covers as little as 84 %, the nearer
// end is that of Brown, Cai & DasGupta (Statistical Science 16, 2001, section 4.1.1): for x = np ≤ 2, and ≤
// 3 for n > 50, the lower end is at most λ/n, with λ the 1-c quantile of the gamma distribution of shape x.
func ModifiedWilson(p, n, confidence float64) (Interval, error) {
	if err := checkConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if !(p >= 0 && p <= 1) || !(n > 0) || math.IsInf(n, 0) {
		return Interval{}, fmt.Errorf("a proportion of %v out of %v is none", p, n)
	}
	return checked("Wilson's interval", nearEnds(scoreInterval(p, n, confidence), p, n, confidence))
}

// nearEnds is the modification of [ModifiedWilson].
func nearEnds(iv Interval, p, n, confidence float64) Interval {
	most := 2 + 1e-9 // tolerance for rounding
	if n > 50 {
		most = 3 + 1e-9
	}
	end := func(x float64) float64 { return mathext.GammaIncRegInv(x, 1-confidence) / n }
	if x := n * p; x > 0 && x <= most {
		iv.Low = min(iv.Low, end(x))
	}
	if x := n * (1 - p); x > 0 && x <= most {
		iv.High = max(iv.High, 1-end(x))
	}
	return iv
}

// ClopperPearson returns the exact interval for a proportion of successes out of n. At its ends the probability
// of at least, or at most, that many successes is (1-c)/2; both are quantiles of beta distributions:
//
//	[B⁻¹((1-c)/2; s, n-s+1), B⁻¹((1+c)/2; s+1, n-s)]
//
// (Clopper & Pearson, Biometrika 26, 1934.) Coverage is at least the confidence, usually more; Wilson's 95
// % interval covers 85 to 99 % for 5 to 20 trials, depending on p. It is an error if successes is not from
// 0 to n, or the confidence not between 0 and 1; for n = 0 nothing is known and the interval is [0, 1].
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
		// The upper end is computed as the lower end for the failures: that keeps the tail small, whereas
		// 1-tail would lose digits.
		iv.High = 1 - betaQuantile(f, s+1, tail)
	}
	return iv, nil
}

// betaQuantile returns the p-quantile of the beta distribution: gonum's, refined by Newton steps because gonum's
// tolerance is not relative.
func betaQuantile(a, b, p float64) float64 {
	x := mathext.InvRegIncBeta(a, b, p)
	for range 3 {
		if !(x > 0 && x < 1) {
			return x
		}
		density := math.Exp((a-1)*math.Log(x) + (b-1)*math.Log1p(-x) - mathext.Lbeta(a, b))
		next := x - (mathext.RegIncBeta(a, b, x)-p)/density
		if !(next > 0 && next < 1) || math.Abs(next-x) > 1e-3*x {
			return x // the quotient is unreliable here
		}
		x = next
	}
	return x
}
