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
	if err := checkSubsets("pass@", n, c, k); err != nil {
		return 0, err
	}
	if k == 1 {
		return float64(c) / float64(n), nil // exactly the share of samples that passed
	}
	return 1 - subsetsWithin(n, n-c, k), nil
}

// PassAllK returns pass^k, the unbiased estimate of the probability that all of k samples pass, from n
// independent samples of which c passed:
//
//	C(c, k) / C(n, k)
//
// (Yao et al. 2024, τ-bench, section 2). It measures reliability: pass@k grows with k, pass^k falls. Samples
// and errors are those of PassAtK.
func PassAllK(n, c, k int) (float64, error) {
	if err := checkSubsets("pass^", n, c, k); err != nil {
		return 0, err
	}
	if k == 1 {
		return float64(c) / float64(n), nil
	}
	return subsetsWithin(n, c, k), nil
}

// checkSubsets returns an error if no k of n samples can be chosen, or if c of them cannot have passed.
func checkSubsets(metric string, n, c, k int) error {
	switch {
	case n < 0 || c < 0 || c > n:
		return fmt.Errorf("%sk of %d passed among %d samples: that many cannot have passed", metric, c, n)
	case k < 1:
		return fmt.Errorf("%s%d: k must be at least 1", metric, k)
	case k > n:
		return fmt.Errorf("%w: %s%d needs at least %d samples for each task, and there are %d", ErrTooFewSamples, metric, k, k, n)
	}
	return nil
}

// subsetsWithin returns C(m, k) / C(n, k), the share of the subsets of k out of n samples that lie within a
// given m of them. It is a product of k factors, and by symmetry of n-m factors (n-k-i)/(n-i); the loop uses
// the shorter one. Each factor is at most 1, so no intermediate value overflows however large n is.
func subsetsWithin(n, m, k int) float64 {
	if m < k {
		return 0
	}
	removed, factors := n-m, k
	if n-m < k {
		removed, factors = k, n-m
	}
	share := 1.0
	for i := range factors {
		share *= 1 - float64(removed)/float64(n-i)
	}
	return share
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
