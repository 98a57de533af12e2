package scoring

import (
	"fmt"

	"assay/scoring/stats"
)

// TaskAttempts is the outcome of a person's work on one task: the number of attempts made, and whether the
// last one satisfied the person; if not, the person gave up.
type TaskAttempts struct {
	Made      int
	Satisfied bool
}

// AttemptScore is #attempt_k with its companion metrics. N is the number of tasks.
type AttemptScore struct {
	Mean      Metric // a task not satisfied within k counts as k
	Censored  Metric // a task given up after j attempts is censored at j
	Satisfied Metric // the share of tasks satisfied within k
}

// AttemptK computes #attempt_k (Miah & Zhu 2024, section IV.B): the mean over tasks of the attempts until
// the tester is satisfied, counting k for a task that was not satisfied within k or was given up earlier.
// It equals the mean of the Kaplan-Meier curve of satisfaction restricted to k, with given-up tasks
// followed to k; it is not the mean number of attempts to success. Censored is the restricted mean with
// given-up tasks censored when they were given up, and the normal interval of its standard error. It is an
// error if k < 1 or a task has fewer than one attempt; for no tasks the error is stats.ErrTooFew.
func AttemptK(tasks []TaskAttempts, k int) (AttemptScore, error) {
	if k < 1 {
		return AttemptScore{}, fmt.Errorf("#attempt_%d: k must be at least 1", k)
	}
	var s AttemptScore
	n := len(tasks)
	counted, made, happy, event := make([]float64, n), make([]float64, n), make([]float64, n), make([]bool, n)
	for i, t := range tasks {
		if t.Made < 1 {
			return AttemptScore{}, fmt.Errorf("#attempt_%d: task %d ended after %d attempts; it needs at least one", k, i+1, t.Made)
		}
		counted[i], made[i] = float64(k), float64(min(t.Made, k))
		if t.Satisfied && t.Made <= k {
			counted[i], happy[i], event[i] = float64(t.Made), 1, true
		}
	}
	var err error
	if s.Mean, err = MeanOf(counted, 1, float64(k)); err != nil {
		return AttemptScore{}, fmt.Errorf("#attempt_%d: %w", k, err)
	}
	if s.Satisfied, err = MeanOf(happy, 0, 1); err != nil {
		return AttemptScore{}, err
	}
	s.Censored, err = restrictedMean(made, event, k)
	return s, err
}

// restrictedMean returns the area from 0 to k under the survival curve of "not yet satisfied".
func restrictedMean(made []float64, event []bool, k int) (Metric, error) {
	curve, err := stats.KaplanMeier(made, event, confidence)
	if err != nil {
		return Metric{}, err
	}
	mean, se, err := curve.RestrictedMean(float64(k))
	if err != nil {
		return Metric{}, err
	}
	m := Metric{Value: mean, N: len(made)}
	if se > 0 {
		z := stats.NormalQuantile((1 + confidence) / 2)
		m.Interval = stats.Interval{Low: max(1, mean-z*se), High: min(float64(k), mean+z*se)}
		m.Method = "normal, Greenwood"
	}
	return m, nil
}
