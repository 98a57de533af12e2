package scoring

import "fmt"

// averagePassRate returns the mean over a task's samples of passed/total, from 0 to 1 (Hendrycks et al. 2021,
// APPS: "test case average", section 4.3). For a benchmark take the mean over its tasks; casePassRate pools
// all cases and gives another number. Errors are those of PassRatio.
func averagePassRate(samples []Cases) (TaskValue, error) {
	return valueOf("average pass rate", samples, func(s Cases) float64 { return float64(s.Passed) / float64(s.Total) })
}

// strictAccuracy returns the share of a task's samples that passed every test case
// (Hendrycks et al. 2021, section 4.3). Errors are those of PassRatio.
func strictAccuracy(samples []Cases) (TaskValue, error) {
	return valueOf("strict accuracy", samples, func(s Cases) float64 {
		if s.Passed == s.Total {
			return 1
		}
		return 0
	})
}

// casePassRate returns the share of all test cases that passed, pooled over samples and tasks: tasks with many
// cases weigh more. Errors are those of PassRatio.
func casePassRate(samples []Cases) (float64, error) {
	sum, total := 0, 0
	if _, err := averagePassRate(samples); err != nil {
		return 0, err
	}
	for _, s := range samples {
		sum += s.Passed
		total += s.Total
	}
	return float64(sum) / float64(total), nil
}

// valueOf returns the mean of a number for each sample. Impossible counts and a sample without test cases
// are errors.
func valueOf(what string, samples []Cases, of func(Cases) float64) (TaskValue, error) {
	if len(samples) == 0 {
		return TaskValue{}, fmt.Errorf("%s: %w: there are none", what, ErrTooFewSamples)
	}
	values := make([]float64, len(samples))
	for i, s := range samples {
		if s.Total <= 0 || s.Passed < 0 || s.Passed > s.Total {
			return TaskValue{}, fmt.Errorf("%s: a sample with %d of %d test cases passed has no ratio", what, s.Passed, s.Total)
		}
		values[i] = of(s)
	}
	return samplesValue(values), nil
}
