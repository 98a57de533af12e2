package scoring

import (
	"fmt"
	"math"
	"math/rand/v2"

	"assay/scoring/stats"
)

// Metric is a mean with its interval at 95 %: Wilson's where every value is 0 or
// 1, else a BCa bootstrap, with the number of resamples and the seed fixed so
// that equal results have equal intervals; of very many values, where that hardly
// differs, the normal interval.
type Metric struct {
	Value    float64
	Interval stats.Interval
	Method   string // "Wilson", "BCa" or "normal"; "" where there is no interval: one value, or all equal
	N        int    // what the mean is over: tasks, unless the function says otherwise
}

// The intervals of metrics.
const (
	confidence    = 0.95
	resampleCount = 2000
	resampleSeed  = 1
	manyValues    = 2000 // more have normal intervals
)

// resampler starts the random numbers again, so that an interval depends on its
// data alone.
func resampler() *rand.Rand { return rand.New(rand.NewPCG(resampleSeed, 0)) }

// Draws keeps the resamples of intervals, which depend on the number of values alone, for
// those who need very many intervals: drawing them takes longer than all else. The
// intervals are the same. It is for one goroutine; the zero value is ready.
type Draws struct {
	kept    map[int][][]int
	indices int
}

// mostIndices bounds what is kept to 32 MB.
const mostIndices = 4 << 20

func (d *Draws) resamples(n int) [][]int {
	if all, known := d.kept[n]; known {
		return all
	}
	all := stats.Resamples(resampler(), n, resampleCount)
	if d.indices+n*resampleCount <= mostIndices {
		if d.kept == nil {
			d.kept = map[int][][]int{}
		}
		d.kept[n] = all
		d.indices += n * resampleCount
	}
	return all
}

// MeanOverTasks is the mean of one value per task. Tasks are what is resampled,
// so the interval is clustered by task: it says how sure the mean is if other
// tasks of the same kind had been asked. It wraps stats.ErrTooFew for no tasks
// and stats.ErrNotFinite for a value that is no number.
func MeanOverTasks(values []float64) (Metric, error) { return (&Draws{}).MeanOverTasks(values) }

// MeanOverTasks is the function of that name.
func (d *Draws) MeanOverTasks(values []float64) (Metric, error) {
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
	if ones, binary := binaryOnes(values); binary {
		iv, err := stats.Wilson(ones, len(values), confidence)
		if err != nil {
			return Metric{}, err
		}
		m.Interval, m.Method = iv, "Wilson"
		return m, nil
	}
	if constant(values) { // also a single one
		return m, nil
	}
	if len(values) > manyValues {
		half := stats.NormalQuantile(0.5+confidence/2) * stats.SD(values) / math.Sqrt(float64(len(values)))
		m.Interval, m.Method = stats.Interval{Low: m.Value - half, High: m.Value + half}, "normal"
		return m, nil
	}
	iv, err := stats.BootstrapBCa(values, stats.Mean, d.resamples(len(values)), confidence)
	if err != nil {
		return Metric{}, err
	}
	m.Interval, m.Method = iv.Interval, "BCa"
	return m, nil
}

// ClusteredMean is the mean of all values, for samples of which several belong
// to one task (or to one tester): the interval resamples whole clusters, those
// of one key. N counts the values. The mean weighs a task by its samples, other
// than MeanOverTasks. With fewer than two clusters there is no interval. Errors
// are those of MeanOverTasks, and stats.ErrShape for keys that are not as many.
func ClusteredMean(values []float64, keys []string) (Metric, error) {
	if len(values) != len(keys) {
		return Metric{}, fmt.Errorf("clustered mean: %d values with %d keys: %w", len(values), len(keys), stats.ErrShape)
	}
	if _, err := stats.Ranks(values); err != nil {
		return Metric{}, fmt.Errorf("clustered mean: %w", err)
	}
	if len(values) == 0 {
		return Metric{}, fmt.Errorf("clustered mean of nothing: %w", stats.ErrTooFew)
	}
	m := Metric{Value: stats.Mean(values), N: len(values)}
	if !finite(m.Value) {
		return Metric{}, fmt.Errorf("clustered mean: the sum is too large: %w", stats.ErrNotFinite)
	}
	clusters := stats.Clusters(keys)
	if len(clusters) < 2 || constant(values) {
		return m, nil
	}
	iv, err := stats.BootstrapClusters(values, clusters, stats.Mean, resampler(), resampleCount, confidence)
	if err != nil {
		return Metric{}, err
	}
	m.Interval, m.Method = iv.Interval, "BCa, clustered"
	return m, nil
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
