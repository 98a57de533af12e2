package frame

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"assay/scoring/stats"
)

// Duration returns a time for people: "4.2 s", "3 min", "3 min 12 s", "1 h 5 min"; "–" where there
// is none.
func Duration(seconds float64) string {
	switch {
	case math.IsNaN(seconds) || math.IsInf(seconds, 0):
		return "–"
	case seconds < 9.95:
		return stats.Round(seconds, 1) + " s"
	case seconds < 99.5:
		return stats.Round(seconds, 0) + " s"
	case seconds < 3599.5:
		s := int(math.Round(seconds))
		if s%60 == 0 {
			return fmt.Sprintf("%d min", s/60)
		}
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	}
	m := int(math.Round(seconds / 60))
	return fmt.Sprintf("%d h %d min", m/60, m%60)
}

// WholeSeconds formats a time in whole seconds.
func WholeSeconds(d time.Duration) string {
	if s := int(math.Round(d.Seconds())); s < 100 {
		return fmt.Sprintf("%d s", s)
	}
	return Duration(math.Round(d.Seconds()))
}

// Number returns a statistic with so many decimals; "–" where there is none.
func Number(v float64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return stats.Round(v, decimals)
}

// Extent tells how long a text is: its lines, or the characters of a single one.
func Extent(text string) string {
	if lines := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1; lines > 1 {
		return Count(lines, "line")
	}
	return Count(utf8.RuneCountInString(text), "character")
}

// Count writes "1 task", "2 tasks". It is the only place where screens form a plural.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
