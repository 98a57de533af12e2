package scoring

import "fmt"

// SampleMetric is a metric of the samples of one task.
type SampleMetric struct {
	Kind SampleKind
	K    int // of pass@k and pass^k
}

// SampleKind is a kind of SampleMetric.
type SampleKind int

// The kinds of metrics, in the order of tables.
const (
	PassAt     SampleKind = iota // at least one of k samples passes
	PassAll                      // all of k samples pass
	RatioKind                    // PassRatio
	RateKind                     // AveragePassRate
	StrictKind                   // StrictAccuracy
)

// SampleMetrics lists the metrics of an evaluation: pass@k for each k, pass^k for each k above 1, since pass^1
// is pass@1, and the three of test cases.
func SampleMetrics(ks []int) []SampleMetric {
	var all []SampleMetric
	for _, k := range ks {
		all = append(all, SampleMetric{PassAt, k})
	}
	for _, k := range ks {
		if k != 1 {
			all = append(all, SampleMetric{PassAll, k})
		}
	}
	return append(all, SampleMetric{Kind: RatioKind}, SampleMetric{Kind: RateKind}, SampleMetric{Kind: StrictKind})
}

// Name returns the metric's name in output for programs.
func (m SampleMetric) Name() string {
	switch m.Kind {
	case PassAt:
		return fmt.Sprintf("pass@%d", m.K)
	case PassAll:
		return fmt.Sprintf("pass^%d", m.K)
	case RatioKind:
		return "pass_ratio@n"
	case RateKind:
		return "average_pass_rate"
	}
	return "strict_accuracy"
}

// AllCases reports whether the metric needs all test cases of every sample: samples judged only up to the
// first failing case have none.
func (m SampleMetric) AllCases() bool { return m.Kind == RatioKind || m.Kind == RateKind }

// Of returns the metric of a task's samples, of which so many were accepted. Errors wrap ErrTooFewSamples if
// there are fewer than k.
func (m SampleMetric) Of(accepted int, samples []Cases) (TaskValue, error) {
	switch m.Kind {
	case PassAt:
		return PassAtKValue(len(samples), accepted, m.K)
	case PassAll:
		return PassAllKValue(len(samples), accepted, m.K)
	case RatioKind:
		return PassRatio(samples)
	case RateKind:
		return AveragePassRate(samples)
	}
	return StrictAccuracy(samples)
}
