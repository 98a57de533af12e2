package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Statistic is a number computed from a sample, such as Mean or Median. It
// must not change or keep the sample.
type Statistic func([]float64) float64

// Resamples draws count resamples of n indices from 0 to n-1, with replacement.
// The same source gives the same resamples.
func Resamples(random *rand.Rand, n, count int) [][]int {
	all, indices := make([][]int, count), make([]int, count*n)
	for b := range all {
		all[b] = indices[b*n : (b+1)*n : (b+1)*n]
		for i := range all[b] {
			all[b][i] = random.IntN(n)
		}
	}
	return all
}

// replicates is the statistic of each resample, sorted. It checks what both
// intervals demand of their arguments.
func replicates(x []float64, stat Statistic, resamples [][]int, confidence float64) ([]float64, error) {
	if err := checkConfidence(confidence); err != nil {
		return nil, err
	}
	if len(x) < 2 {
		return nil, fmt.Errorf("bootstrap of %d values: %w", len(x), ErrTooFew)
	}
	if len(resamples) == 0 {
		return nil, fmt.Errorf("bootstrap: there are no resamples")
	}
	if err := finite("bootstrap", x); err != nil {
		return nil, err
	}
	thetas := make([]float64, len(resamples))
	sample := make([]float64, 0, len(x))
	for b, index := range resamples {
		sample = sample[:0]
		for _, i := range index {
			if i < 0 || i >= len(x) {
				return nil, fmt.Errorf("bootstrap: resample %d takes value %d of %d", b, i, len(x))
			}
			sample = append(sample, x[i])
		}
		thetas[b] = stat(sample)
	}
	return defined(thetas)
}

// defined sorts the statistics of resamples, all of which must be numbers.
func defined(thetas []float64) ([]float64, error) {
	for b, t := range thetas {
		switch {
		case math.IsNaN(t):
			return nil, fmt.Errorf("bootstrap: the statistic of resample %d is not defined: %w", b, ErrTooFew)
		case math.IsInf(t, 0):
			return nil, fmt.Errorf("bootstrap: the statistic of resample %d is %v: %w", b, t, ErrNotFinite)
		}
	}
	slices.Sort(thetas)
	return thetas, nil
}

func percentile(thetas []float64, confidence float64) Interval {
	tail := (1 - confidence) / 2
	return Interval{quantileSorted(thetas, tail, Linear), quantileSorted(thetas, 1-tail, Linear)}
}

// BCa is a bias-corrected and accelerated bootstrap interval with what it was
// corrected by.
type BCa struct {
	Interval
	Theta  float64    // the statistic of the sample itself
	Z0     float64    // bias correction, Φ⁻¹ of the share of resamples below Theta, ties by half
	Accel  float64    // acceleration, from the jackknife's skewness
	Alphas [2]float64 // the corrected probabilities whose quantiles (type 7) are the ends
}

// BootstrapBCa is the BCa interval of Efron, JASA 82 (1987), as in Efron &
// Tibshirani 1993, equations 14.9 to 14.15:
//
//	α = Φ(z0 + (z0 + z)/(1 - a(z0 + z))),  z = ±Φ⁻¹((1+c)/2)
//	a = Σ(m-θ₍ᵢ₎)³ / 6(Σ(m-θ₍ᵢ₎)²)^(3/2),  θ₍ᵢ₎ without the i-th value, m their mean
//
// If all resamples agree (a constant sample) the interval is that one value.
// If all of them lie on one side of the statistic, the correction is infinite
// and the percentile interval is returned with Z0 infinite. It is an error for
// fewer than two values, wrapping ErrTooFew.
func BootstrapBCa(x []float64, stat Statistic, resamples [][]int, confidence float64) (BCa, error) {
	thetas, err := replicates(x, stat, resamples, confidence)
	if err != nil {
		return BCa{}, err
	}
	jack := make([]float64, len(x))
	rest := make([]float64, 0, len(x))
	for i := range x {
		rest = append(append(rest[:0], x[:i]...), x[i+1:]...)
		jack[i] = stat(rest)
	}
	return corrected(thetas, stat(x), acceleration(jack), confidence)
}

// corrected is the BCa interval from the sorted statistics of the resamples,
// that of the sample, and the acceleration.
func corrected(thetas []float64, theta, accel, confidence float64) (BCa, error) {
	r := BCa{Interval: percentile(thetas, confidence), Theta: theta, Accel: accel}
	tail := (1 - confidence) / 2
	r.Alphas = [2]float64{tail, 1 - tail}
	if thetas[0] == thetas[len(thetas)-1] {
		return r, nil
	}
	below := 0.0
	for _, t := range thetas {
		switch {
		case t < r.Theta:
			below++
		case t == r.Theta:
			below += 0.5
		}
	}
	r.Z0 = NormalQuantile(below / float64(len(thetas)))
	if math.IsInf(r.Z0, 0) {
		return r, nil
	}
	for i, p := range r.Alphas {
		z := r.Z0 + NormalQuantile(p)
		r.Alphas[i] = NormalCDF(r.Z0 + z/(1-r.Accel*z))
	}
	r.Low = quantileSorted(thetas, r.Alphas[0], Linear)
	r.High = quantileSorted(thetas, r.Alphas[1], Linear)
	return checked("bootstrap", r)
}

// acceleration is the skewness of the jackknife values over six; 0 where they
// do not vary, or are not defined.
func acceleration(jack []float64) float64 {
	mean, squares, cubes := Mean(jack), 0.0, 0.0
	for _, t := range jack {
		d := mean - t
		squares += d * d
		cubes += d * d * d
	}
	a := cubes / (6 * math.Pow(squares, 1.5))
	if math.IsNaN(a) || math.IsInf(a, 0) {
		return 0
	}
	return a
}
