package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Planned is what a pilot tells about paired differences when another study is planned: their mean and
// standard deviation among N pairs. A non-zero Effect is the mean that the study should detect; then only
// the standard deviation is uncertain.
type Planned struct {
	Mean, SD float64
	N        int
	Effect   float64
}

// assurance returns the probability that a two-sided test at level alpha of this many pairs finds a mean
// difference in the planned direction: its power, averaged over the uncertainty that the pilot leaves
// (O'Hagan, Stevens & Campbell, Pharmaceutical Statistics 4, 2005). Given the pilot, (N-1) SD²/σ² has a χ²
// distribution with N-1 degrees of freedom, and the mean a normal one with the variance σ²/N. The power is
// Φ(√pairs δ/σ - t), t Student's quantile.
func (p Planned) assurance(pairs, alpha float64) float64 {
	const grid = 40 // equally probable values of mean and of standard deviation
	critical := NormalQuantile(1 - alpha/2)
	if pairs < 1000 {
		critical = TQuantile(1-alpha/2, pairs-1)
	}
	sum, n := 0.0, float64(p.N)
	for i := range grid {
		variance := 2 * mathext.GammaIncRegInv((n-1)/2, (float64(i)+0.5)/grid)
		sigma := p.SD * math.Sqrt((n-1)/variance)
		if p.Effect != 0 {
			sum += grid * normalCDF(math.Sqrt(pairs)*math.Abs(p.Effect)/sigma-critical)
			continue
		}
		for j := range grid {
			delta := math.Abs(p.Mean) + sigma/math.Sqrt(n)*NormalQuantile((float64(j)+0.5)/grid)
			sum += normalCDF(math.Sqrt(pairs)*delta/sigma - critical)
		}
	}
	return sum / (grid * grid)
}

// PairsAssured returns the number of pairs with which the assurance is at least the target. It wraps ErrTooFew
// for a pilot of fewer than two pairs, ErrNoVariation if its differences do not vary, and ErrTooMany if
// not even ten million pairs are enough because the pilot leaves the sign of the difference open.
func (p Planned) PairsAssured(alpha, target float64) (float64, error) {
	const statistic, most = "pairs for an assurance", 1e7
	if err := finite(statistic, []float64{p.Mean, p.SD, p.Effect, alpha, target}); err != nil {
		return 0, err
	}
	switch {
	case !(0 < alpha && alpha < 1 && 0 < target && target < 1):
		return 0, fmt.Errorf("%s: level %v and assurance %v: both must be between 0 and 1", statistic, alpha, target)
	case p.N < 2:
		return 0, tooFew(statistic, p.N, 2)
	case !(p.SD > 0):
		return 0, fmt.Errorf("%s: the standard deviation is %v: %w", statistic, p.SD, ErrNoVariation)
	case p.assurance(most, alpha) < target:
		return 0, fmt.Errorf("%s: at most %.2f: %w", statistic, p.assurance(most, alpha), ErrTooMany)
	}
	low, high := 1.0, 2.0
	for p.assurance(high, alpha) < target {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if mid := math.Floor((low + high) / 2); p.assurance(mid, alpha) < target {
			low = mid
		} else {
			high = mid
		}
	}
	return high, nil
}
