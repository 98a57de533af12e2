package chart_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/tools/txtar"

	"assay/session/report/figure"
	"assay/tui/chart"
	"assay/tui/frame"
)

// rising is a curve that rises from 0 to 1, or falls, with respondents on it.
func rising(falls bool) (figure.Line, []figure.Point) {
	l := figure.Line{About: figure.About{Title: "Score expected by ability", N: 5, Of: "respondents"}, X: figure.Axis{Name: "ability", From: 0, To: 1}, Y: figure.Axis{Name: "expected score", From: 0, To: 1}}
	c := figure.Curve{}
	for i := range 101 {
		x := float64(i) / 100
		y := 1 / (1 + math.Exp(-12*(x-0.5)))
		if falls {
			y = 1 - y
		}
		c.Points = append(c.Points, figure.Point{X: x, Y: y})
	}
	l.Curves = []figure.Curve{c}
	dots := []figure.Point{{X: 0.1, Y: 0}, {X: 0.9, Y: 1}, {X: 0.9, Y: 1}, {X: 0.3, Y: 0.4}, {X: math.NaN(), Y: 1}}
	for range 11 {
		dots = append(dots, figure.Point{X: 0.7, Y: 1})
	}
	return l, dots
}

func TestGoldenLine(t *testing.T) {
	var archive txtar.Archive
	for _, falls := range []bool{false, true} {
		for _, look := range []chart.Look{{Width: 78}, {Width: 60, Height: 12, ASCII: true}} {
			look.Theme = frame.NewTheme(true, false)
			l, dots := rising(falls)
			lines := chart.Line(l, dots, look)
			for _, line := range lines {
				if frame.Width(line) > look.Width {
					t.Errorf("%d columns: %s", frame.Width(line), line)
				}
			}
			if look.Height > 0 && len(lines) > look.Height {
				t.Errorf("%d rows of %d", len(lines), look.Height)
			}
			archive.Files = append(archive.Files, txtar.File{Name: fmt.Sprintf("falls %v, %d columns", falls, look.Width), Data: []byte(ansi.Strip(strings.Join(lines, "\n")) + "\n")})
		}
	}
	compare(t, filepath.Join("testdata", "line.txtar"), txtar.Format(&archive))
}

func TestLineWithoutData(t *testing.T) {
	l, dots := rising(false)
	l.X.To = 0
	for _, look := range []chart.Look{{Width: 78}, {Width: 5}, {}} {
		look.Theme = frame.NewTheme(true, false)
		chart.Line(l, dots, look)
		chart.Line(figure.Line{}, nil, look)
		if l, dots := rising(false); look.Width == 78 && !strings.Contains(strings.Join(chart.Line(l, dots, look), "\n"), "●") {
			t.Error("nobody is on the curve")
		}
	}
}

func TestInterval(t *testing.T) {
	look := chart.Look{Width: 11}
	for _, row := range []struct {
		value, low, high float64
		ascii            bool
		want             string
	}{
		{0.5, 0.2, 0.8, false, "  ├──●──┤  "},
		{0.5, 0, 0, false, "     ●     "},
		{0.5, 0.5, 0.52, false, "     ●     "},
		{0, 0, 1, false, "●─────────┤"},
		{9, -9, 99, false, "├─────────●"},
		{0.5, 0.2, 0.8, true, "  ---o---  "},
	} {
		look.ASCII = row.ascii
		if got := chart.Interval(row.value, row.low, row.high, 0, 1, look); got != row.want {
			t.Errorf("%v: %q, want %q", row, got, row.want)
		}
	}
	if chart.Interval(1, 0, 1, 0, 1, chart.Look{}) != "" {
		t.Error("no room, but something is drawn")
	}
}
