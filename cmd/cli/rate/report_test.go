package rate

import (
	"testing"

	"assay/scoring/stats"
)

// A statistic is printed with its interval, or with the reason why either is missing.
func TestShownStat(t *testing.T) {
	v := 1.0
	for want, got := range map[string]string{
		"– one rater":            shownStat(nil, nil, "one rater", ""),
		"1.000":                  shownStat(&v, nil, "", ""),
		"1.000 (0.500 to 1.000)": shownStat(&v, &stats.Interval{Low: 0.5, High: 1}, "", ""),
		"1.000 (no interval: fewer than 5 items)": shownStat(&v, nil, "", "fewer than 5 items"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
