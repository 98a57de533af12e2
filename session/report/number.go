package report

import (
	"encoding/json"
	"math"

	"assay/scoring/stats"
)

// Confidence is the confidence level of every interval in a report.
const Confidence = 0.95

// Small is the number of different tasks below which the means of a cell are not shown.
const Small = 5

// Number is a statistic. NaN means that it is not defined for the data, and is null in JSON.
type Number float64

// MarshalJSON writes null where the statistic is not defined.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Defined() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as a statistic that is not defined.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Defined reports whether the statistic is defined.
func (n Number) Defined() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// Estimate is a statistic over N values with its interval.
type Estimate struct {
	N        int             `json:"n"`                  // values that it is over
	Value    Number          `json:"value"`              // the statistic
	Interval *stats.Interval `json:"interval,omitempty"` // at the confidence of Method; absent where there is none
	Method   string          `json:"method"`             // of the interval, or why there is none
}

// Share is Count out of N.
type Share struct {
	Count int `json:"count"` // of N things those that are so; Value is the part that they are
	Estimate
}

// Count is a named count.
type Count struct {
	Name  string `json:"name"`  // what was so
	Count int    `json:"count"` // how often
}

// Exact is the name of the interval of a share (Clopper & Pearson).
const Exact = "exact, at least 95 %"

// PercentDecimals returns the number of decimals of a percentage that its interval, or n, supports.
func (e *Estimate) PercentDecimals() int {
	if e.Interval == nil {
		return stats.PercentDecimals(0, e.N)
	}
	return stats.PercentDecimals(e.Interval.High-e.Interval.Low, e.N)
}
