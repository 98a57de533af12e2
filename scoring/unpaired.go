package scoring

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// UnpairedDifference is the mean of the first values minus that of the second, which are
// of other tasks, all from 0 to 1. The interval at 95 % is made of those of both means as
// Newcombe does of Wilson's (Statistics in Medicine 17, 1998, method 10); there is none
// where one of them has none. N counts both. It wraps stats.ErrTooFew where a side is
// empty, and stats.ErrNotFinite.
func UnpairedDifference(first, second []float64) (Metric, error) {
	var sides [2]Metric
	for i, values := range [][]float64{first, second} {
		if len(values) == 0 {
			return Metric{}, fmt.Errorf("unpaired difference: a side has no task: %w", stats.ErrTooFew)
		}
		m, err := weightedMean(values, nil, 0, 1) // with Wilson's interval, also of 0 and 1
		if err != nil {
			return Metric{}, fmt.Errorf("unpaired difference: %w", err)
		}
		sides[i] = m
	}
	a, b := sides[0], sides[1]
	d := Metric{Value: a.Value - b.Value, N: a.N + b.N}
	if a.Method == "" || b.Method == "" {
		return d, nil
	}
	d.Interval = stats.Interval{
		Low:  d.Value - math.Hypot(a.Value-a.Interval.Low, b.Interval.High-b.Value),
		High: d.Value + math.Hypot(a.Interval.High-a.Value, b.Value-b.Interval.Low),
	}
	d.Method = "Newcombe, unpaired, " + LikeThese
	return d, nil
}
