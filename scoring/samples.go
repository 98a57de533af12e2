package scoring

import (
	"strconv"
	"strings"
)

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
	RateKind                     // averagePassRate
	StrictKind                   // strictAccuracy
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

// sampleKind declares a kind of metric: {k} stands for its k, and {n} for the number of samples.
type sampleKind struct {
	name     string // in output for programs
	words    string // in reports
	column   string // in tables
	allCases bool   // see SampleMetric.AllCases
	of       func(accepted int, samples []Cases, k int) (TaskValue, error)
}

func (m SampleMetric) declared() sampleKind {
	return [...]sampleKind{
		PassAt: {name: "pass@{k}", words: "pass@{k}", column: "pass_at_{k}",
			of: func(accepted int, samples []Cases, k int) (TaskValue, error) {
				return PassAtKValue(len(samples), accepted, k)
			}},
		PassAll: {name: "pass^{k}", words: "pass^{k}", column: "pass_all_{k}",
			of: func(accepted int, samples []Cases, k int) (TaskValue, error) {
				return passAllKValue(len(samples), accepted, k)
			}},
		RatioKind: {name: "pass_ratio@n", words: "pass-ratio@{n}", column: "pass_ratio", allCases: true,
			of: func(_ int, samples []Cases, _ int) (TaskValue, error) { return PassRatio(samples) }},
		RateKind: {name: "average_pass_rate", words: "average pass rate", column: "average_pass_rate", allCases: true,
			of: func(_ int, samples []Cases, _ int) (TaskValue, error) { return averagePassRate(samples) }},
		StrictKind: {name: "strict_accuracy", words: "strict accuracy", column: "strict_accuracy",
			of: func(_ int, samples []Cases, _ int) (TaskValue, error) { return strictAccuracy(samples) }},
	}[m.Kind]
}

func (m SampleMetric) filled(text, n string) string {
	return strings.NewReplacer("{k}", strconv.Itoa(m.K), "{n}", n).Replace(text)
}

// Name returns the metric's name in output for programs.
func (m SampleMetric) Name() string { return m.filled(m.declared().name, "") }

// Words returns the metric's name in reports, of n samples for each task.
func (m SampleMetric) Words(n string) string { return m.filled(m.declared().words, n) }

// Column returns the name of the metric's column in tables.
func (m SampleMetric) Column() string { return m.filled(m.declared().column, "") }

// AllCases reports whether the metric needs all test cases of every sample: samples judged only up to the
// first failing case have none.
func (m SampleMetric) AllCases() bool { return m.declared().allCases }

// Of returns the metric of a task's samples, of which so many were accepted. Errors wrap ErrTooFewSamples if
// there are fewer than k.
func (m SampleMetric) Of(accepted int, samples []Cases) (TaskValue, error) {
	return m.declared().of(accepted, samples, m.K)
}
