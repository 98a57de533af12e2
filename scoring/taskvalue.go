package scoring

import (
	"math"

	"assay/scoring/stats"
)

// TaskValue is a metric's value for one task, from 0 to 1, with the precision that its samples give it.
type TaskValue struct {
	Value float64

	// Variance is the variance of Value if the task's samples were drawn again. Draws is how many times the
	// samples suffice for the metric; Variance is known if Draws is at least 2. One draw does not tell the
	// variance; 0 draws: the samples are not known.
	Variance float64
	Draws    int
}

// ShareValue returns the share c/n of a task's samples that have some property; 0 for no samples.
func ShareValue(c, n int) TaskValue {
	if n < 1 {
		return TaskValue{}
	}
	p := float64(c) / float64(n)
	return TaskValue{p, p * (1 - p) / float64(max(n-1, 1)), n}
}

// PassAtKValue is pass@k of one task, with the errors of PassAtK. For k > 1 the variance is that of the
// estimator for n samples that each pass with probability (c+1/2)/(n+1).
func PassAtKValue(n, c, k int) (TaskValue, error) {
	v, err := PassAtK(n, c, k)
	if err != nil {
		return TaskValue{}, err
	}
	if k == 1 {
		return ShareValue(c, n), nil
	}
	t := TaskValue{Value: v, Draws: n / k}
	if t.Draws > 1 {
		t.Variance = passAtKVariance(n, k, (float64(c)+0.5)/float64(n+1))
	}
	return t, nil
}

// passAllKValue is pass^k of one task, with the errors of PassAllK. All of k samples pass where none fails: its
// variance is that of pass@k with passed and failed samples exchanged.
func passAllKValue(n, c, k int) (TaskValue, error) {
	v, err := PassAllK(n, c, k)
	if err != nil {
		return TaskValue{}, err
	}
	t, err := PassAtKValue(n, n-c, k)
	t.Value = v
	return t, err
}

// passAtKVariance returns the variance of pass@k for n samples that each pass with probability p: a sum over the
// number that pass, starting where nearly all of the probability is.
func passAtKVariance(n, k int, p float64) float64 {
	middle, spread := float64(n)*p, 9*math.Sqrt(float64(n)*p*(1-p))+9
	from, to := max(0, int(middle-spread)), min(n, int(middle+spread))
	mean, squares := 0.0, 0.0
	whole, _ := math.Lgamma(float64(n + 1))
	for c := from; c <= to; c++ {
		passed, _ := math.Lgamma(float64(c + 1))
		failed, _ := math.Lgamma(float64(n - c + 1))
		weight := math.Exp(whole - passed - failed + float64(c)*math.Log(p) + float64(n-c)*math.Log1p(-p))
		v, err := PassAtK(n, c, k)
		if err != nil {
			return 0 // the caller has checked n and k
		}
		mean, squares = mean+weight*v, squares+weight*v*v
	}
	return max(0, squares-mean*mean)
}

// samplesValue returns the mean over a task's samples of a number from 0 to 1.
func samplesValue(values []float64) TaskValue {
	if ones, binary := binaryOnes(values); binary {
		return ShareValue(ones, len(values)) // bit for bit the value of pass@1
	}
	n, mean, squares := len(values), stats.Mean(values), 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return TaskValue{mean, squares / float64(max(n-1, 1)) / float64(n), n}
}

// MeanOfValues returns the mean of a task's values under several conditions, such as wordings, with samples
// drawn independently.
func MeanOfValues(values []TaskValue) TaskValue {
	var m TaskValue
	n := float64(len(values))
	for i, v := range values {
		m.Value += v.Value / n
		m.Variance += v.Variance / (n * n)
		if i == 0 || v.Draws < m.Draws {
			m.Draws = v.Draws
		}
	}
	return m
}
