package scoring

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// UnpairedDifference is the mean of the first values minus that of the second, which are
// of other tasks. The interval at 95 % is Newcombe's where all values are 0 or 1
// (Statistics in Medicine 17, 1998, method 10: from Wilson's intervals of both), else
// Welch's (Biometrika 34, 1947); there is none with fewer than two values on a side, or
// where no value differs from another on its side. N counts both. It wraps
// stats.ErrTooFew where a side is empty, and stats.ErrNotFinite.
func UnpairedDifference(first, second []float64) (Metric, error) {
	for _, values := range [][]float64{first, second} {
		if len(values) == 0 {
			return Metric{}, fmt.Errorf("unpaired difference: a side has no task: %w", stats.ErrTooFew)
		}
		if _, err := stats.Ranks(values); err != nil {
			return Metric{}, fmt.Errorf("unpaired difference: %w", err)
		}
	}
	n, m := float64(len(first)), float64(len(second))
	p, q := stats.Mean(first), stats.Mean(second)
	d := Metric{Value: p - q, N: len(first) + len(second)}
	if !finite(d.Value) {
		return Metric{}, fmt.Errorf("unpaired difference: a sum is too large: %w", stats.ErrNotFinite)
	}
	x, binary := binaryOnes(first)
	y, both := binaryOnes(second)
	if binary && both {
		a, err := stats.Wilson(x, len(first), confidence)
		if err != nil {
			return Metric{}, err
		}
		b, err := stats.Wilson(y, len(second), confidence)
		if err != nil {
			return Metric{}, err
		}
		d.Interval = stats.Interval{Low: d.Value - math.Hypot(p-a.Low, b.High-q), High: d.Value + math.Hypot(a.High-p, q-b.Low)}
		d.Method = "Newcombe, unpaired"
		return d, nil
	}
	if len(first) < 2 || len(second) < 2 {
		return d, nil
	}
	s, t := stats.SD(first), stats.SD(second)
	v, w := s*s/n, t*t/m
	if v+w == 0 {
		return d, nil
	}
	degrees := (v + w) * (v + w) / (v*v/(n-1) + w*w/(m-1))
	half := stats.TQuantile(0.5+confidence/2, degrees) * math.Sqrt(v+w)
	d.Interval, d.Method = stats.Interval{Low: d.Value - half, High: d.Value + half}, "Welch, unpaired"
	return d, nil
}
