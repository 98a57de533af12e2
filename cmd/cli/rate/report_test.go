package rate

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/data/fatal"
	"assay/scoring/stats"
	"assay/session/overlap"
	"assay/session/report/ratings"
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

// Every number of the text is on the page, but percentages of shares, whose counts are there.
func TestPageHasTheNumbersOfTheText(t *testing.T) {
	number := regexp.MustCompile(`\d+(?:\.\d+)?`)
	percentage := regexp.MustCompile(`(\d+ of \d+) \([\d.]+ %\)`)
	data := regexp.MustCompile(`<[^>]*>`)
	for _, name := range []string{"pairs", "scores"} {
		a, err := Analyse(filepath.Join("..", "..", "..", "session", "report", "ratings", "testdata", name+".jsonl"), overlap.Apart, benchmark.Filter{})
		fatal.If(t, err)
		var text, page bytes.Buffer
		fatal.If(t, printReport(&console.IO{Out: &text}, a))
		fatal.If(t, ratings.Build(a, "").HTML(&page))
		_, main, _ := strings.Cut(page.String(), "<main>")
		said := map[string]bool{}
		for _, n := range number.FindAllString(data.ReplaceAllString(main, " "), -1) {
			said[n] = true
		}
		all := number.FindAllString(percentage.ReplaceAllString(text.String(), "$1"), -1)
		if len(all) < 100 {
			t.Errorf("%s: the text has %d numbers only", name, len(all))
		}
		for _, n := range all {
			if !said[n] {
				t.Errorf("%s: %s of the text is not on the page", name, n)
			}
		}
	}
}
