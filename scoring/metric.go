package scoring

import (
	"fmt"
	"math"
	"slices"

	"assay/scoring/stats"
)

// Metric is a mean over tasks with its intervals at 95 %.
type Metric struct {
	Value float64
	N     int // tasks

	// Interval is the interval for tasks like these: it covers the mean over other tasks of the same kind,
	// each with as many samples.
	Interval stats.Interval
	Method   string // names method and scope; "" if there is no interval: a single value between 0 and 1

	// These is the interval for these tasks: it covers the mean over the same tasks. Only the draw of
	// samples varies.
	These       stats.Interval
	TheseMethod string // "" if the samples are not known
}

// The scopes of intervals.
const (
	LikeThese  = "tasks like these"
	TheseTasks = "these tasks"
)

const confidence = 0.95

// Parameters of means over tasks, chosen by the simulations of TestCalibrateMeans. BCa and Student's
// intervals cover only 44 to 90 % near 0 and 1, or with few tasks.
const (
	pseudoTasks = 4    // tasks of 0 or 1 added to the variance, as Agresti & Coull (1998) add them to a proportion
	fewOff      = 20   // if fewer tasks than this lie off the end of the scale,
	fewOffShare = 0.25 // and they are a smaller share than this, their spread is not enough …
	rareOff     = 0.1  // … nor is it below this share, whatever their number
)

// MeanOverTasks returns the mean of one value from 0 to 1 for each task, with both intervals. Errors wrap
// stats.ErrTooFew (no tasks) and stats.ErrNotFinite.
func MeanOverTasks(tasks []TaskValue) (Metric, error) {
	values := make([]float64, len(tasks))
	for i, t := range tasks {
		values[i] = t.Value
	}
	m, err := MeanOf(values, 0, 1)
	if err != nil {
		return Metric{}, err
	}
	return m.onThese(tasks)
}

// MeanOf returns the mean of one value for each task, on a scale from low to high. If each value is an end
// of the scale the interval is exact (Clopper & Pearson). Otherwise it is Wilson's with an effective sample
// size: the number of tasks, times the ratio of the spread that values at the ends would have to the actual
// spread (Korn & Graubard, Survey Methodology 24, 1998), with Student's quantile for the spread and with
// pseudoTasks added to it, since few tasks may agree by chance. If nearly all values lie on one end of the
// scale the rest says too little about how far others lie from it, and the effective size is the number of
// tasks. A value off the scale is an error; other errors are those of MeanOverTasks.
func MeanOf(values []float64, low, high float64) (Metric, error) {
	m, err := weightedMean(values, nil, low, high)
	if err != nil || !(low < high) {
		return m, err
	}
	top := 0
	for _, v := range values {
		switch v {
		case high:
			top++
		case low:
		default:
			return m, nil
		}
	}
	iv, err := stats.ClopperPearson(top, len(values), confidence)
	m.Interval, m.Method = stats.Interval{Low: low + (high-low)*iv.Low, High: low + (high-low)*iv.High}, "exact, at least 95 %, "+LikeThese
	return m, err
}

// fewStudent is the number of tasks below which a skewed quantity on an unbounded scale gets no Student's
// interval: its coverage has not been simulated.
const fewStudent = 20

// StudentMean returns the mean of one value for each task on an unbounded scale, such as a variance, with
// Student's interval; there is no interval below 20 tasks, or if all values are equal. Errors are those of
// MeanOverTasks.
func StudentMean(values []float64) (Metric, error) {
	if _, err := stats.Ranks(values); err != nil {
		return Metric{}, fmt.Errorf("mean over tasks: %w", err)
	}
	if len(values) == 0 {
		return Metric{}, fmt.Errorf("mean over no tasks: %w", stats.ErrTooFew)
	}
	m := Metric{Value: stats.Mean(values), N: len(values)}
	if !finite(m.Value) {
		return Metric{}, fmt.Errorf("mean over tasks: their sum is too large: %w", stats.ErrNotFinite)
	}
	if m.N < fewStudent || constant(values) {
		return m, nil
	}
	half := stats.TQuantile(0.5+confidence/2, float64(m.N-1)) * stats.SD(values) / math.Sqrt(float64(m.N))
	if !finite(half) {
		return Metric{}, fmt.Errorf("mean over tasks: their spread is too large: %w", stats.ErrNotFinite)
	}
	m.Interval, m.Method = stats.Interval{Low: m.Value - half, High: m.Value + half}, "Student, "+LikeThese
	return m, nil
}

// weightedMean is MeanOf with weights; nil gives every value the same weight.
func weightedMean(values, weights []float64, low, high float64) (Metric, error) {
	if _, err := stats.Ranks(values); err != nil {
		return Metric{}, fmt.Errorf("mean over tasks: %w", err)
	}
	if len(values) == 0 {
		return Metric{}, fmt.Errorf("mean over no tasks: %w", stats.ErrTooFew)
	}
	for _, v := range values {
		if !(low <= v && v <= high) {
			return Metric{}, fmt.Errorf("mean over tasks: the value %v is not from %v to %v", v, low, high)
		}
	}
	m := Metric{Value: stats.Mean(values), N: len(values)}
	if !(high > low) {
		return m, nil // low == high: the scale has one value
	}
	scaled, sum, squares := make([]float64, len(values)), 0.0, 0.0
	for i, v := range values {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		scaled[i] = (v - low) / (high - low)
		sum, squares = sum+w, squares+w*w
	}
	kish := sum * sum / squares // Kish's effective sample size
	mean, spread := stats.Mean(scaled), 0.0
	if weights != nil {
		mean = 0
		for i, x := range scaled {
			mean += weights[i] / sum * x
		}
		m.Value = low + (high-low)*mean
	}
	for i, x := range scaled {
		w := 1 / float64(len(values))
		if weights != nil {
			w = weights[i] * weights[i] / squares
		}
		spread += w * (x - mean) * (x - mean)
	}
	size, method := effective(scaled, mean, spread, kish)
	if size == 0 {
		return m, nil
	}
	mean = min(max(mean, 0), 1)
	iv, err := stats.ModifiedWilson(mean, size, confidence)
	if err != nil {
		return Metric{}, err
	}
	m.Method = method
	m.Interval = stats.Interval{Low: min(m.Value, low+(high-low)*iv.Low), High: max(m.Value, low+(high-low)*iv.High)}
	return m, nil
}

// effective returns the effective sample size of the mean of n values from 0 to 1, whose weights are worth
// kish equal ones, and the name of the method; 0 if there is none.
func effective(scaled []float64, mean, spread, kish float64) (size float64, method string) {
	n := float64(len(scaled))
	if _, binary := binaryOnes(scaled); binary {
		return kish, "modified Wilson, " + LikeThese
	}
	if n < 2 {
		return 0, ""
	}
	above, below := 0.0, 0.0
	for _, x := range scaled {
		if x > 0 {
			above++
		}
		if x < 1 {
			below++
		}
	}
	if off := min(above, below); off < rareOff*n || off < fewOff && off < fewOffShare*n {
		return kish, "modified Wilson as of 0 or 1 for each task, at least 95 %, " + LikeThese
	}
	student := stats.TQuantile(0.5+confidence/2, n-1) / stats.NormalQuantile(0.5+confidence/2)
	// the actual spread as a share of the largest possible one
	part := spread / (mean * (1 - mean)) * n * student * student
	return kish / min(1, (part+pseudoTasks)/(n-1+pseudoTasks)), "modified Wilson, effective n, at least 95 %, " + LikeThese
}

// onThese adds the interval for these tasks: modified Wilson, with the effective size that follows from the
// variances of the tasks' values and one more task of the largest variance, since few samples may agree by
// chance. If some task has one draw its variance is unknown, and the interval for tasks like these is used,
// which is wider.
func (m Metric) onThese(tasks []TaskValue) (Metric, error) {
	variance, draws, fewest, known := theseVariance(tasks)
	if !known {
		return m, nil
	}
	if fewest < 2 {
		return m.asForLikeThese(), nil
	}
	size := float64(draws)
	if 0 < m.Value && m.Value < 1 {
		size = m.Value * (1 - m.Value) / variance
	}
	iv, err := stats.ModifiedWilson(min(max(m.Value, 0), 1), size, confidence)
	if err != nil {
		return Metric{}, err
	}
	m.These, m.TheseMethod = iv, "modified Wilson, effective n, "+TheseTasks
	return m, nil
}

// asForLikeThese uses the interval for tasks like these, the wider one, for these tasks as well.
func (m Metric) asForLikeThese() Metric {
	if m.Method != "" {
		m.These, m.TheseMethod = m.Interval, "as for "+LikeThese+", at least 95 %, "+TheseTasks
	}
	return m
}

// theseVariance returns the variance of a mean over tasks if their samples were drawn again, the number of
// all draws, and the fewest draws of a task. The variance is not known if the samples of a task are not.
func theseVariance(tasks []TaskValue) (variance float64, draws, fewest int, known bool) {
	n := float64(len(tasks))
	fewest = math.MaxInt
	for _, t := range tasks {
		if t.Draws < 1 {
			return 0, 0, 0, false
		}
		draws, fewest = draws+t.Draws, min(fewest, t.Draws)
		variance += t.Variance
	}
	variance += 0.25 / float64(fewest)
	return variance / (n * n), draws, fewest, n > 0
}

// binaryOnes counts the ones if all values are 0 or 1.
func binaryOnes(values []float64) (ones int, binary bool) {
	for _, v := range values {
		switch v {
		case 1:
			ones++
		case 0:
		default:
			return 0, false
		}
	}
	return ones, true
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func constant(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}
