package stats

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Method is how a p-value is computed.
type Method int

// Auto uses the exact distribution without ties and for few values, as each test documents, and otherwise
// the normal approximation. The result names the method used.
const (
	Auto Method = iota
	Exact
	Normal           // without continuity correction
	NormalContinuity // with a continuity correction of 1/2

	// Permutation is exact even with ties and zeros: it covers all signs that the differences could have.
	// Callers cannot request it; Auto chooses it.
	Permutation

	// Saddlepoint approximates Permutation for thousands of differences.
	Saddlepoint
)

// String names the method for a report.
func (m Method) String() string {
	return cmp.Or(map[Method]string{
		Auto:             "automatic",
		Exact:            "exact",
		Normal:           "normal approximation",
		NormalContinuity: "normal approximation with continuity correction",
		Permutation:      "exact, over all signs of the differences",
		Saddlepoint:      "saddlepoint approximation",
	}[m], fmt.Sprintf("method %d", int(m)))
}

// MarshalText names the method in JSON.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the name that MarshalText writes.
func (m *Method) UnmarshalText(text []byte) error {
	for method := Auto; method <= Saddlepoint; method++ {
		if method.String() == string(text) {
			*m = method
			return nil
		}
	}
	return fmt.Errorf("there is no method %q", text)
}

// upperNormal returns 1 - Φ(z) without cancellation.
func upperNormal(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// upperChiSquare returns the probability that χ² with df degrees of freedom is at
// least x: the regularised upper incomplete gamma function Q(df/2, x/2).
func upperChiSquare(x float64, df int) float64 {
	if x <= 0 {
		return 1
	}
	return mathext.GammaIncRegComp(float64(df)/2, x/2)
}

// twoSidedT returns the probability that |t| of Student's distribution with df
// degrees of freedom is at least sqrt(df q/(1-q)), where share = 1-q:
// I_{1-q}(df/2, 1/2). For a correlation, share is 1-r².
func twoSidedT(share, df float64) float64 { return mathext.RegIncBeta(df/2, 0.5, share) }

// TQuantile returns the quantile of Student's t distribution with df degrees of freedom: NaN
// for a probability outside 0 to 1, or df that is not positive.
func TQuantile(p, df float64) float64 {
	if !(p >= 0 && p <= 1) || !(df > 0) {
		return math.NaN()
	}
	if p < 0.5 {
		return -TQuantile(1-p, df)
	}
	// Find |t| by bisection: the tail decreases in it.
	tail := 2 * (1 - p)
	if tail == 0 {
		return math.Inf(1)
	}
	low, high := 0.0, 1.0
	outside := func(t float64) float64 { return twoSidedT(df/(df+t*t), df) }
	for outside(high) > tail && high < 1e300 {
		high *= 2
	}
	for range 200 {
		mid := (low + high) / 2
		if mid == low || mid == high {
			break
		}
		if outside(mid) > tail {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}
