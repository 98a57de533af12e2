package scoring

import (
	"fmt"
	"math"

	"assay/scoring/stats"
)

// Metric is a mean over tasks with its intervals at 95 %.
type Metric struct {
	Value float64
	N     int // tasks

	// Interval is for tasks like these: it says how sure the mean is if other tasks of
	// the same kind had been asked, each with as many samples.
	Interval stats.Interval
	Method   string // names the method and the scope; "" where there is no interval: of one value between 0 and 1

	// These is for these tasks: it says how sure the mean is if the same tasks had been
	// asked again. Nothing but the draw of samples varies.
	These       stats.Interval
	TheseMethod string // "" where the samples are not known
}

// The names of what intervals are for.
const (
	LikeThese  = "tasks like these"
	TheseTasks = "these tasks"
)

const confidence = 0.95

// The rules of means over tasks, chosen by the simulations of TestCalibrateMeans: BCa and
// Student's intervals cover 44 to 90 % near 0 and 1, or of few tasks.
const (
	pseudoTasks = 4    // tasks of 0 or 1 in the variance, as Agresti & Coull (1998) add to a proportion
	fewOff      = 20   // tasks off the end of the scale, and
	fewOffShare = 0.25 // their share, below which their spread says too little …
	rareOff     = 0.1  // … or whatever their number
)

// MeanOverTasks is the mean of one value for each task, from 0 to 1, with both intervals.
// It wraps stats.ErrTooFew for no tasks and stats.ErrNotFinite for a value that is no
// number.
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

// MeanOf is the mean of one value for each task, on a scale from low to high. Where each
// value is an end of the scale the interval is exact (Clopper & Pearson). Else it is
// Wilson's with an effective sample size: as many more than the tasks as the spread of the
// values is smaller than that of such ends would be (Korn & Graubard, Survey Methodology
// 24, 1998), with Student's quantile for the spread, and pseudoTasks in it, since few tasks
// may happen to agree. Where nearly all lie on one end of the scale the rest says nothing
// of how far others lie from it, and the effective size is the number of tasks. A value
// that is not on the scale is an error; so are those of MeanOverTasks.
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

// fewStudent is the number of tasks below which Student's interval of a skewed quantity
// without ends is not given. Its coverage has not been simulated.
const fewStudent = 20

// StudentMean is the mean of one value for each task on a scale without ends, such as a
// variance, with Student's interval; there is none below 20 tasks, or where all are equal.
// Errors are those of MeanOverTasks.
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

// weightedMean is MeanOf with weights; nil weighs all alike.
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
		return m, nil // a scale of one value
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
	kish := sum * sum / squares // as many tasks of equal weight
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

// effective is the effective sample size of the mean of n values from 0 to 1, which weigh
// as much as kish equal ones, and the name of the method; 0 where there is none.
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
	part := spread / (mean * (1 - mean)) * n * student * student // of the largest spread
	return kish / min(1, (part+pseudoTasks)/(n-1+pseudoTasks)), "modified Wilson, effective n, at least 95 %, " + LikeThese
}

// onThese adds the interval for these tasks: Wilson's, modified, with the effective size that the
// variances of the tasks' values give, and one more task of the largest variance, since
// few samples may happen to agree. Where some task has one draw nothing tells its variance,
// and the interval is that for tasks like these, which vary more.
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

// asForLikeThese takes the interval for tasks like these, which is the wider one.
func (m Metric) asForLikeThese() Metric {
	if m.Method != "" {
		m.These, m.TheseMethod = m.Interval, "as for "+LikeThese+", at least 95 %, "+TheseTasks
	}
	return m
}

// theseVariance is the variance of a mean over tasks if their samples were drawn again,
// all draws, and the fewest of a task. It is not known where samples are not.
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

// binaryOnes counts the ones, if all values are 0 or 1.
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
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}
