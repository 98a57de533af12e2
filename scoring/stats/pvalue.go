package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Alternative is what a test's p-value speaks against the null hypothesis for.
type Alternative int

// The alternatives; for two samples Less means that the first is the smaller.
const (
	TwoSided Alternative = iota
	Less
	Greater
)

// String names the alternative for a report.
func (a Alternative) String() string {
	switch a {
	case TwoSided:
		return "two-sided"
	case Less:
		return "less"
	case Greater:
		return "greater"
	}
	return fmt.Sprintf("alternative %d", int(a))
}

func (a Alternative) check() error {
	if a < TwoSided || a > Greater {
		return fmt.Errorf("there is no %v, only two-sided, less and greater", a)
	}
	return nil
}

// Method is how a p-value is computed.
type Method int

// Auto takes the exact distribution where there are no ties and few values, as
// each test says, and else the normal approximation. The result names which.
const (
	Auto Method = iota
	Exact
	Normal           // without continuity correction
	NormalContinuity // with a continuity correction of 1/2

	// Permutation is exact as well, with ties and zeros: over all signs that the
	// differences could have. No test can be asked for it; Auto takes it.
	Permutation

	// Saddlepoint is an approximation to Permutation for thousands of differences.
	Saddlepoint
)

// String names the method for a report.
func (m Method) String() string {
	switch m {
	case Auto:
		return "automatic"
	case Exact:
		return "exact"
	case Normal:
		return "normal approximation"
	case NormalContinuity:
		return "normal approximation with continuity correction"
	case Permutation:
		return "exact, over all signs of the differences"
	case Saddlepoint:
		return "saddlepoint approximation"
	}
	return fmt.Sprintf("method %d", int(m))
}

func (m Method) check() error {
	if m < Auto || m > NormalContinuity {
		return fmt.Errorf("there is no %v", m)
	}
	return nil
}

// MarshalText names the method in JSON.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the name that MarshalText writes.
func (m *Method) UnmarshalText(text []byte) error {
	for one := Auto; one <= Saddlepoint; one++ {
		if one.String() == string(text) {
			*m = one
			return nil
		}
	}
	return fmt.Errorf("there is no method %q", text)
}

// MarshalText names the alternative in JSON.
func (a Alternative) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// upperNormal is 1 - Φ(z), without losing small values.
func upperNormal(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// upperChiSquare is the probability that χ² with df degrees of freedom is at
// least x: the regularised upper incomplete gamma function Q(df/2, x/2).
func upperChiSquare(x float64, df int) float64 {
	if x <= 0 {
		return 1
	}
	return mathext.GammaIncRegComp(float64(df)/2, x/2)
}

// twoSidedT is the probability that |t| of Student's distribution with df
// degrees of freedom is at least sqrt(df q/(1-q)), where share = 1-q:
// I_{1-q}(df/2, 1/2). For a correlation, share is 1-r².
func twoSidedT(share, df float64) float64 { return mathext.RegIncBeta(df/2, 0.5, share) }

// exactP is the p-value of a discrete statistic from its distribution over 0,
// 1, 2 … The two-sided one is twice the smaller tail, at most 1.
func exactP(pmf []float64, at int, a Alternative) float64 {
	less, greater := Sum(pmf[:at+1]), Sum(pmf[at:])
	switch a {
	case Less:
		return min(1, less)
	case Greater:
		return min(1, greater)
	}
	return min(1, 2*min(less, greater))
}

// normalP is the p-value of a statistic whose mean and standard deviation are
// known, with the continuity correction if the method has one: half a unit
// towards the mean.
func normalP(statistic, mean, sd float64, a Alternative, m Method) (z, p float64) {
	d, c := statistic-mean, 0.0
	if m == NormalContinuity {
		c = 0.5
	}
	switch a {
	case Less:
		z = (d + c) / sd
		return z, upperNormal(-z)
	case Greater:
		z = (d - c) / sd
		return z, upperNormal(z)
	}
	z = math.Copysign(max(math.Abs(d)-c, 0), d) / sd
	return z, min(1, 2*upperNormal(math.Abs(z)))
}

// TQuantile is the quantile of Student's t distribution with df degrees of freedom: NaN
// for a probability outside 0 to 1, or df that is not positive.
func TQuantile(p, df float64) float64 {
	if !(p >= 0 && p <= 1) || !(df > 0) {
		return math.NaN()
	}
	if p < 0.5 {
		return -TQuantile(1-p, df)
	}
	// |t| is found by halving: its tail falls with it.
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
