package stats

import (
	"fmt"
	"math"
)

// AgreementInterval returns the confidence interval of a coefficient of agreement a of n units by the same raters: the
// jackknife of log(1-a), leaving out one unit at a time (Tukey 1958), cut off at -1. Student's quantile has the degrees of
// freedom of a variance whose values vᵢ, the logarithms without each unit, may have long tails, as near a ceiling:
//
//	ν = 2n/(b-1), at least 1 and at most n-1,  b = Σ((vᵢ-v̄)/s)⁴/n
//
// (Satterthwaite, Biometrics Bulletin 2, 1946, with the variance of a variance by the fourth moment.) coefficient returns a
// without a unit, or of all for -1. The error wraps ErrTooFew with fewer than 10 units, and ErrNoVariation if a is 1 with or
// without a unit, or the same without each; other errors are those of coefficient.
func AgreementInterval(n int, coefficient func(without int) (float64, error), confidence float64) (Interval, error) {
	const statistic, least = "interval of a coefficient of agreement", 10
	if err := checkConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if n < least {
		return Interval{}, tooFew(statistic+", units", n, least)
	}
	logs := make([]float64, n+1) // of all, then without each
	for i := range logs {
		a, err := coefficient(i - 1)
		if err != nil {
			return Interval{}, err
		}
		if 1-a < 1e-12 {
			return Interval{}, fmt.Errorf("%s: with or without a unit all agree: %w", statistic, ErrNoVariation)
		}
		logs[i] = math.Log(1 - a)
	}
	centre, size := logs[0], float64(n)
	sd := SD(logs[1:])
	if sd < 1e-12 {
		return Interval{}, fmt.Errorf("%s: it is the same whichever unit is left out: %w", statistic, ErrNoVariation)
	}
	mean, fourth := Mean(logs[1:]), 0.0
	for _, v := range logs[1:] {
		fourth += math.Pow((v-mean)/sd, 4) / size
	}
	df := min(size-1, max(1, 2*size/(fourth-1)))
	half := TQuantile((1+confidence)/2, df) * sd * (size - 1) / math.Sqrt(size)
	return checked(statistic, Interval{max(-1, 1-math.Exp(centre+half)), 1 - math.Exp(centre-half)})
}
