package scoring

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// UnpairedDifference returns the mean of the first values minus the mean of the second, which belong to other
// tasks; all lie between 0 and 1. The 95 % interval combines the intervals of both means as Newcombe does
// with Wilson's (Statistics in Medicine 17, 1998, method 10); there is none if one of them has none. N
// counts both. Errors wrap stats.ErrTooFew (an empty side) and stats.ErrNotFinite.
func UnpairedDifference(first, second []float64) (Metric, error) {
	var sides [2]Metric
	for i, values := range [][]float64{first, second} {
		if len(values) == 0 {
			return Metric{}, fmt.Errorf("unpaired difference: a side has no task: %w", stats.ErrTooFew)
		}
		m, err := weightedMean(values, nil, 0, 1) // Wilson's interval, also for values of 0 and 1
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
