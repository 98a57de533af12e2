package stats

// PercentDecimals is how many decimals of a percentage mean something, by the width of its
// interval: none where it is 20 points wide, one where it is 2. Without an interval,
// with width 0, it is by the number of values: none below 100.
func PercentDecimals(width float64, n int) int {
	switch {
	case width >= 0.2 || width == 0 && n < 100:
		return 0
	case width >= 0.02 || width == 0 && n < 1000:
		return 1
	}
	return 2
}

// RoundP writes a p-value with four decimals, behind "= " or, where it is smaller than
// 0.001, "< 0.001": a p-value is never 0.
func RoundP(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return "= " + Round(p, 4)
}
