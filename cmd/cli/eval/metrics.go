package eval

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/scoring"
	"assay/scoring/stats"
	"assay/tui/frame"
)

// Signed formats a number with four decimals and its sign.
func Signed(v float64) string { return signedTo(v, 4) }

func signedTo(v float64, decimals int) string {
	text := stats.Round(v, decimals)
	if v > 0 {
		return "+" + text
	}
	return text
}

func interval(iv stats.Interval, method string, decimals int) string {
	if method == "" {
		return ""
	}
	return signedTo(iv.Low, decimals) + " to " + signedTo(iv.High, decimals)
}

// answerWidth is the width of the narrowest supported terminal.
const answerWidth = 79

// metricHead is the header of metricCells.
const metricHead = "95 %%, tasks like these\t95 %%, these tasks"

// MetricCells formats a metric as three cells: the value, and its intervals for tasks like these and for
// these tasks, as fractions with the meaningful digits.
func MetricCells(m *scoring.Metric) string {
	if m == nil {
		return "withheld\t\t"
	}
	decimals := 2 + decimalsOf(m)
	between := func(iv stats.Interval, method string) string {
		if method == "" {
			return ""
		}
		return stats.Round(iv.Low, decimals) + "–" + stats.Round(iv.High, decimals)
	}
	return fmt.Sprintf("%s\t%s\t%s", stats.Round(m.Value, decimals), between(m.Interval, m.Method), between(m.These, m.TheseMethod))
}

// decimalsOf returns the number of meaningful decimals of a metric in percent.
func decimalsOf(m *scoring.Metric) int {
	if m.Method == "" {
		return stats.PercentDecimals(0, m.N)
	}
	return stats.PercentDecimals(m.Interval.High-m.Interval.Low, m.N)
}

// PrintMethods prints the methods of the intervals above.
func PrintMethods(out io.Writer, metrics ...*scoring.Metric) {
	var like, theseTasks []string
	add := func(to *[]string, method, scope string) {
		if method = strings.TrimSuffix(method, ", "+scope); method != "" && !slices.Contains(*to, method) {
			*to = append(*to, method)
		}
	}
	for _, m := range metrics {
		if m != nil {
			add(&like, m.Method, scoring.LikeThese)
			add(&theseTasks, m.TheseMethod, scoring.TheseTasks)
		}
	}
	if len(like) > 0 {
		fmt.Fprintln(out, frame.Wrap("95 %, tasks like these (tasks and samples drawn anew): "+strings.Join(like, "; ")+".", answerWidth))
	}
	if len(theseTasks) > 0 {
		fmt.Fprintln(out, frame.Wrap("95 %, these tasks (samples drawn anew): "+strings.Join(theseTasks, "; ")+".", answerWidth))
	}
}
