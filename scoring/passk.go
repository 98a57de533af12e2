package scoring

import (
	"errors"
	"fmt"
)

// ErrTooFewSamples is returned if k is larger than the number of samples.
var ErrTooFewSamples = errors.New("too few samples")

// PassAtK returns the unbiased estimate of the probability that at least one of k samples passes, from n
// independent samples of which c passed:
//
//	1 - C(n-c, k) / C(n, k)
//
// (Chen et al. 2021, equation 1). The samples must have been drawn independently: the formula does not hold
// for a person's refined attempts.
//
// If k > n the error is ErrTooFewSamples: dropping such tasks would change the question.
func PassAtK(n, c, k int) (float64, error) {
	switch {
	case n < 0 || c < 0 || c > n:
		return 0, fmt.Errorf("pass@k of %d passed among %d samples: that many cannot have passed", c, n)
	case k < 1:
		return 0, fmt.Errorf("pass@%d: k must be at least 1", k)
	case k > n:
		return 0, fmt.Errorf("%w: pass@%d needs at least %d samples for each task, and there are %d", ErrTooFewSamples, k, k, n)
	case n-c < k:
		return 1, nil
	case k == 1:
		return float64(c) / float64(n), nil // exactly the share of samples that passed
	}
	// C(n-c,k)/C(n,k) is a product of k factors, and by symmetry of c factors (n-k-i)/(n-i); the loop uses
	// the shorter one. Each factor is below 1, so no intermediate value overflows however large n is.
	removed, factors := c, k
	if c < k {
		removed, factors = k, c
	}
	none := 1.0
	for i := range factors {
		none *= 1 - float64(removed)/float64(n-i)
	}
	return 1 - none, nil
}

// Cases is the number of a sample's test cases, and how many of them passed.
type Cases struct{ Passed, Total int }

// PassRatio is pass-ratio@n of one task: the mean over its n samples of
// (passed/total)² (Yeo et al. 2024). A sample without test cases has no ratio
// and is an error.
func PassRatio(samples []Cases) (TaskValue, error) {
	return valueOf("pass-ratio@n", samples, func(s Cases) float64 {
		ratio := float64(s.Passed) / float64(s.Total)
		return ratio * ratio
	})
}
