package judge

import (
	"math"
	"strconv"
	"strings"

	"assay/benchmark"
)

// sameOutput compares what a program wrote with what it must write.
func sameOutput(run benchmark.Run, got string) bool {
	if run.Compare == benchmark.Tokens {
		a, b := strings.Fields(got), strings.Fields(run.Output)
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if !sameToken(a[i], b[i], run.Tolerance) {
				return false
			}
		}
		return true
	}
	return trimmedLines(got) == trimmedLines(run.Output)
}

func sameToken(a, b string, tolerance float64) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil || math.IsNaN(x) || math.IsNaN(y) || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return false
	}
	return math.Abs(x-y) <= tolerance*max(1, math.Abs(y))
}

// trimmedLines removes the white space at the ends of lines and empty lines at
// the end.
func trimmedLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r\f\v")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
