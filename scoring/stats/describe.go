package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Sum returns the sum of x with Neumaier's compensation, so that small terms are not lost beside large ones.
// (Neumaier, ZAMM 54, 1974.)
func Sum(x []float64) float64 {
	sum, lost := 0.0, 0.0
	for _, v := range x {
		t := sum + v
		if math.Abs(sum) >= math.Abs(v) {
			lost += sum - t + v
		} else {
			lost += v - t + sum
		}
		sum = t
	}
	return sum + lost
}

// Mean returns the arithmetic mean Σx/n, in the unit of x. NaN for no values.
func Mean(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return Sum(x) / float64(len(x))
}

// SD returns the standard deviation with n-1, sqrt(Σ(x-mean)²/(n-1)), in the unit of
// x: the square root of the unbiased variance. NaN for fewer than two values.
func SD(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	mean := Mean(x)
	squares := make([]float64, len(x))
	for i, v := range x {
		squares[i] = (v - mean) * (v - mean)
	}
	return math.Sqrt(Sum(squares) / float64(len(x)-1))
}

// Median returns the middle value, or the mean of the two middle values, in the unit
// of x. NaN for no values.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(x))
	return s[(len(s)-1)/2]/2 + s[len(s)/2]/2
}

// QuantileType is a definition of the sample quantile, numbered as by Hyndman &
// Fan, "Sample Quantiles in Statistical Packages", The American Statistician
// 50 (1996), and by R's quantile(type =).
type QuantileType int

// The definitions offered. They differ visibly in small samples, so a report has to name the one it used.
const (
	InverseECDF QuantileType = 1 // the smallest x with ECDF(x) >= p: always one of the values
	Weibull     QuantileType = 6 // linear, position (n+1)p: Minitab, SPSS
	Linear      QuantileType = 7 // linear, position 1+(n-1)p: the default of R and numpy
)

// String names the type for a report.
func (t QuantileType) String() string {
	return cmp.Or(map[QuantileType]string{
		InverseECDF: "type 1 (inverse ECDF)",
		Weibull:     "type 6 (Weibull)",
		Linear:      "type 7 (linear)",
	}[t], fmt.Sprintf("type %d", int(t)))
}

// Quantile returns the p-quantile of x by the named definition, in the unit of x.
// NaN for no values. It is an error if p is not in [0, 1] or the type is not
// one of 1, 6 and 7.
func Quantile(x []float64, p float64, t QuantileType) (float64, error) {
	if !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("quantile %v: the probability must be from 0 to 1", p)
	}
	if t != InverseECDF && t != Weibull && t != Linear {
		return 0, fmt.Errorf("quantile: there is no %v here, only types 1, 6 and 7", t)
	}
	if len(x) == 0 {
		return math.NaN(), nil
	}
	return quantileSorted(slices.Sorted(slices.Values(x)), p, t), nil
}

// quantileSorted is Quantile for sorted, non-empty x.
func quantileSorted(x []float64, p float64, t QuantileType) float64 {
	n := float64(len(x))
	// A product such as 100 * 0.07 may lie a rounding error above a whole number; R corrects by the same
	// amount.
	const fuzz = 4 * 2.220446049250313e-16
	switch t {
	case InverseECDF:
		i := int(math.Ceil(n*p - fuzz*n))
		return x[min(max(i, 1), len(x))-1]
	case Weibull:
		return interpolate(x, (n+1)*p-1)
	default:
		return interpolate(x, (n-1)*p)
	}
}

// interpolate returns the value at a position counted from 0: linear between neighbours, constant beyond
// the ends.
func interpolate(x []float64, at float64) float64 {
	if at <= 0 {
		return x[0]
	}
	if at >= float64(len(x)-1) {
		return x[len(x)-1]
	}
	i := int(math.Floor(at))
	return x[i] + (at-float64(i))*(x[i+1]-x[i])
}
