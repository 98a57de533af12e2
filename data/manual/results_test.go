package manual

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/data/fatal"
)

var updateResults = flag.Bool("update-results", false, "write the simulated figures of numbers.md from scoring/calibrate/RESULTS.md")

// The simulated figures of the manual are those of the table that `make calibrate` writes: rate, settings and data sets of
// each row whose first cell names rows of that table.
func TestSimulatedFigures(t *testing.T) {
	text, err := os.ReadFile("../../scoring/calibrate/RESULTS.md")
	fatal.If(t, err)
	type row struct{ rates, sets []float64 }
	all := map[string]row{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) != 6 {
			continue
		}
		rate, err := strconv.ParseFloat(cells[3], 64)
		sets, err2 := strconv.ParseFloat(cells[5], 64)
		if err == nil && err2 == nil {
			r := all[cells[0]]
			all[cells[0]] = row{append(r.rates, rate), append(r.sets, sets)}
		}
	}
	page, err := os.ReadFile("numbers.md")
	fatal.If(t, err)
	thousands := func(n float64) string {
		if n >= 1000 {
			return fmt.Sprintf("%d,%03d", int(n)/1000, int(n)%1000)
		}
		return fmt.Sprint(n)
	}
	lines, compared := strings.Split(string(page), "\n"), 0
	for i, line := range lines {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 || strings.Trim(cells[3], "0123456789,× to") != "" || cells[3] == "" {
			continue
		}
		r, is := all[cells[0]]
		if !is {
			t.Errorf("no row of the simulations is %q", cells[0])
			continue
		}
		compared++
		sets := thousands(slices.Min(r.sets))
		if most := slices.Max(r.sets); most > slices.Min(r.sets) {
			sets += " to " + thousands(most)
		}
		rates := fmt.Sprintf("%.3f", slices.Min(r.rates))
		if len(r.rates) > 1 {
			rates += fmt.Sprintf("–%.3f", slices.Max(r.rates))
		}
		want := fmt.Sprintf("| %s | %s | %s | %d × %s |", cells[0], rates, cells[2], len(r.rates), sets)
		if line != want && !*updateResults {
			t.Errorf("numbers.md says\n%s\nthe simulations\n%s\nrun the test with -update-results", line, want)
		}
		lines[i] = want
	}
	if compared < 10 {
		t.Errorf("%d rows are compared", compared)
	}
	if *updateResults {
		fatal.If(t, os.WriteFile("numbers.md", []byte(strings.Join(lines, "\n")), 0o644))
	}
}
