package scoring

import "fmt"

// AveragePassRate is the mean over a task's samples of passed/total, from 0 to
// 1 (Hendrycks et al. 2021, APPS: "test case average", section 4.3). Over a
// benchmark it is the mean over the tasks; the pass rate over all cases
// together, CasePassRate, is another number. Errors are those of PassRatio.
func AveragePassRate(samples []Cases) (float64, error) {
	return meanOf("average pass rate", samples, func(s Cases) float64 { return float64(s.Passed) / float64(s.Total) })
}

// StrictAccuracy is the share of a task's samples that passed every test case
// (Hendrycks et al. 2021, section 4.3). Errors are those of PassRatio.
func StrictAccuracy(samples []Cases) (float64, error) {
	return meanOf("strict accuracy", samples, func(s Cases) float64 {
		if s.Passed == s.Total {
			return 1
		}
		return 0
	})
}

// CasePassRate is the share of all test cases that passed, whatever sample or
// task they belong to: tasks with many cases weigh more. Errors are those of
// PassRatio.
func CasePassRate(samples []Cases) (float64, error) {
	sum, total := 0, 0
	if _, err := AveragePassRate(samples); err != nil {
		return 0, err
	}
	for _, s := range samples {
		sum += s.Passed
		total += s.Total
	}
	return float64(sum) / float64(total), nil
}

// meanOf is the mean of a number for each sample. Counts that cannot be are an
// error, and so is a sample without test cases.
func meanOf(what string, samples []Cases, of func(Cases) float64) (float64, error) {
	if len(samples) == 0 {
		return 0, fmt.Errorf("%s: %w: there are none", what, ErrTooFewSamples)
	}
	sum := 0.0
	for _, s := range samples {
		if s.Total <= 0 || s.Passed < 0 || s.Passed > s.Total {
			return 0, fmt.Errorf("%s: a sample with %d of %d test cases passed has no ratio", what, s.Passed, s.Total)
		}
		sum += of(s)
	}
	return sum / float64(len(samples)), nil
}

// Counts are a task's samples: of N judged, Passed passed every test.
type Counts struct{ N, Passed int }

// PassAtKOver is pass@k over a benchmark: the mean over its tasks, with the
// interval clustered by task. One task with fewer than k samples makes it
// ErrTooFewSamples.
func PassAtKOver(tasks []Counts, k int) (Metric, error) {
	return over(tasks, func(t Counts) (float64, error) { return PassAtK(t.N, t.Passed, k) })
}

// PassRatioOver is pass-ratio@n over a benchmark's tasks, each with its samples.
func PassRatioOver(tasks [][]Cases) (Metric, error) { return over(tasks, PassRatio) }

// AveragePassRateOver is the average pass rate over a benchmark's tasks.
func AveragePassRateOver(tasks [][]Cases) (Metric, error) { return over(tasks, AveragePassRate) }

// StrictAccuracyOver is the strict accuracy over a benchmark's tasks.
func StrictAccuracyOver(tasks [][]Cases) (Metric, error) { return over(tasks, StrictAccuracy) }

// over is the mean over tasks of a metric. A task without a value is an error: a
// mean over the others would answer another question.
func over[T any](tasks []T, metric func(T) (float64, error)) (Metric, error) {
	values := make([]float64, len(tasks))
	for i, t := range tasks {
		v, err := metric(t)
		if err != nil {
			return Metric{}, fmt.Errorf("task %d of %d: %w", i+1, len(tasks), err)
		}
		values[i] = v
	}
	return MeanOverTasks(values)
}
