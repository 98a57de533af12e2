package stats

// PercentDecimals returns how many decimals of a percentage are meaningful, by the width of its interval in
// points: none at 20 points, one at 2. Width 0 means that there is no interval; then the number of values
// decides: none below 100.
func PercentDecimals(width float64, n int) int {
	switch {
	case width >= 0.2 || width == 0 && n < 100:
		return 0
	case width >= 0.02 || width == 0 && n < 1000:
		return 1
	}
	return 2
}

// RoundP writes a p-value with four decimals as "= 0.0123", or as "< 0.001" if it is smaller: a p-value is
// never 0.
func RoundP(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return "= " + Round(p, 4)
}
