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

// Signed writes a number with four decimals and its sign.
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

// answerWidth is that of the narrowest terminal that everything is made for.
const answerWidth = 79

// metricHead are the columns of metricCells.
const metricHead = "95 %%, tasks like these\t95 %%, these tasks"

// MetricCells writes a metric in three cells: the value, and its intervals for tasks like
// these and for these tasks, as fractions with as many digits as mean something.
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

// decimalsOf are those of a metric in percent.
func decimalsOf(m *scoring.Metric) int {
	if m.Method == "" {
		return stats.PercentDecimals(0, m.N)
	}
	return stats.PercentDecimals(m.Interval.High-m.Interval.Low, m.N)
}

// PrintMethods names the methods of the intervals above it.
func PrintMethods(out io.Writer, metrics ...*scoring.Metric) {
	var like, these []string
	add := func(to *[]string, method, scope string) {
		if method = strings.TrimSuffix(method, ", "+scope); method != "" && !slices.Contains(*to, method) {
			*to = append(*to, method)
		}
	}
	for _, m := range metrics {
		if m != nil {
			add(&like, m.Method, scoring.LikeThese)
			add(&these, m.TheseMethod, scoring.TheseTasks)
		}
	}
	if len(like) > 0 {
		fmt.Fprintln(out, frame.Wrap("95 %, tasks like these (tasks and samples drawn anew): "+strings.Join(like, "; ")+".", answerWidth))
	}
	if len(these) > 0 {
		fmt.Fprintln(out, frame.Wrap("95 %, these tasks (samples drawn anew): "+strings.Join(these, "; ")+".", answerWidth))
	}
}
