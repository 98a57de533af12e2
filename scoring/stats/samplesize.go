package stats

import (
	"fmt"
	"math"
)

// PairsNeeded is the number of pairs with which a two-sided test at level alpha finds a
// mean difference with the given probability (the power), if the differences have that
// mean and that standard deviation:
//
//	n = ((z₁₋α/₂ + z_power) sd/mean)² + z²₁₋α/₂ / 2, rounded up
//
// (the normal approximation, as Lachin, Controlled Clinical Trials 2, 1981, has it for
// one mean; the last term, by which Student's test needs more, is Guenther's, The
// American Statistician 35, 1981). At least two. For a mean of 0 no number is enough,
// which is an error, as are numbers that are not finite, a negative sd, and an alpha or
// a power that is not between 0 and 1.
func PairsNeeded(mean, sd, alpha, power float64) (float64, error) {
	const what = "pairs needed"
	if err := finite(what, []float64{mean, sd, alpha, power}); err != nil {
		return 0, err
	}
	switch {
	case mean == 0:
		return 0, fmt.Errorf("%s: the mean difference is 0, which no number of pairs tells from 0: %w", what, ErrNoVariation)
	case sd < 0:
		return 0, fmt.Errorf("%s: the standard deviation is %v", what, sd)
	case !(0 < alpha && alpha < 1 && 0 < power && power < 1):
		return 0, fmt.Errorf("%s: level %v and power %v: both must be between 0 and 1", what, alpha, power)
	}
	z := NormalQuantile(1 - alpha/2)
	ratio := (z + NormalQuantile(power)) * sd / math.Abs(mean)
	return max(2, math.Ceil(ratio*ratio+z*z/2)), nil
}
