package ppi

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Tuned asks for the λ that minimises the variance. Other values of λ are taken as given: 1 is PPI without tuning, 0
// leaves the judgements out.
const Tuned = -1.0

// Sample is what a mean is estimated from. The rated items are a random sample of all items.
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
}

// P returns the two-sided p of the hypothesis that the value is null, from the normal distribution. A standard error
// of 0 gives 0 or 1.
func (e Estimate) P(null float64) float64 { return twoSided(e.Value-null, e.SE) }

func twoSided(difference, se float64) float64 {
	switch {
	case difference == 0:
		return 1
	case se == 0:
		return 0
	}
	return math.Erfc(math.Abs(difference) / se / math.Sqrt2)
}

// leastRated is the number of ratings without which no variance can be estimated.
const leastRated = 2

func (s Sample) check() error {
	switch {
	case len(s.Human) != len(s.Judged):
		return fmt.Errorf("prediction-powered mean: %d ratings beside %d judgements of the same items: %w", len(s.Human), len(s.Judged), stats.ErrShape)
	case len(s.Human) < leastRated || len(s.Others) < leastRated:
		return fmt.Errorf("prediction-powered mean of %d ratings and %d judgements of other items: at least %d of each are needed: %w",
			len(s.Human), len(s.Others), leastRated, stats.ErrTooFew)
	}
	return finite("prediction-powered mean", s.Human, s.Judged, s.Others)
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

// Mean estimates the mean of all ratings that people would give (PPI++, equation 5):
//
//	θ = mean(Y) + λ (mean(f of others) - mean(f of rated))
//
// with the variance var(λf)/N + var(Y-λf)/n, divisors N and n, and the normal quantile. A tuned λ is clipped
// to [0, 1]; it is 0 if the judge always says the same.
func Mean(s Sample, lambda, confidence float64) (Estimate, error) {
	lambda, err := s.lambda(lambda)
	if err != nil {
		return Estimate{}, err
	}
	return s.at(min(max(lambda, 0), 1), confidence)
}

// MeanP is the two-sided p of the hypothesis that the mean is null. As in the reference program a tuned λ is not
// clipped here.
func MeanP(s Sample, lambda, null float64) (float64, error) {
	lambda, err := s.lambda(lambda)
	if err != nil {
		return 0, err
	}
	e, err := s.at(lambda, 0.95)
	return e.P(null), err
}

// lambda returns a given λ, or one tuned by the covariance of ratings and judgements (PPI++, section 6): cov(Y, f)
// / ((1 + n/N) var(f)), the covariance with the divisor n, the variance over all items with the divisor n+N-1.
func (s Sample) lambda(given float64) (float64, error) {
	if err := s.check(); err != nil {
		return 0, err
	}
	if given != Tuned {
		if !(given >= 0 && given <= 1) {
			return 0, fmt.Errorf("λ is %v: it must be from 0 to 1", given)
		}
		return given, nil
	}
	n, others := float64(len(s.Human)), float64(len(s.Others))
	spread := variance(append(append([]float64{}, s.Judged...), s.Others...))
	if spread == 0 {
		return 0, nil
	}
	return covariance(s.Human, s.Judged) / n / ((1 + n/others) * spread), nil
}

// variance returns the variance with the divisor n-1.
func variance(x []float64) float64 { return covariance(x, x) / float64(len(x)-1) }

// covariance returns the sum of products of deviations.
func covariance(x, y []float64) float64 {
	mx, my, sum := stats.Mean(x), stats.Mean(y), 0.0
	for i := range x {
		sum += (x[i] - mx) * (y[i] - my)
	}
	return sum
}

// at is the estimate at a fixed λ.
func (s Sample) at(lambda, confidence float64) (Estimate, error) {
	if err := checkConfidence(confidence); err != nil {
		return Estimate{}, err
	}
	rest := s.rest(lambda)
	n, others := float64(len(s.Human)), float64(len(s.Others))
	e := Estimate{Value: stats.Mean(rest) + lambda*stats.Mean(s.Others), Lambda: lambda}
	e.SE = math.Sqrt(covariance(rest, rest)/(n*n) + lambda*lambda*covariance(s.Others, s.Others)/(others*others))
	e.Interval = normal(e.Value, e.SE, confidence)
	return checked(e, e.Value, e.SE)
}

// rest returns the part of the ratings that the judgements do not explain, Y-λf.
func (s Sample) rest(lambda float64) []float64 {
	rest := make([]float64, len(s.Human))
	for i := range rest {
		rest[i] = s.Human[i] - lambda*s.Judged[i]
	}
	return rest
}

func normal(value, se, confidence float64) stats.Interval {
	half := stats.NormalQuantile((1+confidence)/2) * se
	return stats.Interval{Low: value - half, High: value + half}
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
