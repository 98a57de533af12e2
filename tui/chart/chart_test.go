package chart_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"assay/data/fatal"
	"assay/session/report/figure"
	"assay/tui/chart"
	"assay/tui/frame"
)

var update = flag.Bool("update", false, "write the golden drawings anew")

var about = figure.About{Title: "The title of the figure", N: 17, Of: "tasks", Note: "What a reader has to know."}

var seconds = []float64{12, 15, 33, 41, 42, 44, 45, 50, 51, 52, 58, 70, 75, 90, 130, 44, 46}

// marks are one figure of each kind, with names in several scripts.
func marks() []struct {
	name string
	mark figure.Mark
} {
	bar := figure.Bar{About: about, X: figure.Axis{Name: "attempt"}, Y: figure.Axis{Name: "tasks"}, Bars: []figure.Value{
		{Name: "1", Value: 9}, {Name: "2", Value: 4}, {Name: "3", Value: 1, Note: "2 ended here without satisfaction"}, {Name: "4"},
		{Name: "none", Value: 3, Note: "given up or exhausted"},
	}}
	signed := figure.Bar{About: about, Y: figure.Axis{Name: "difference", Unit: "%"}, Bars: []figure.Value{
		{Name: "可读性", Value: -12.5, Low: -20, High: -3}, {Name: "עברית", Value: 4}, {Name: "👍🏽 emoji", Value: math.NaN()},
	}}
	followed := figure.Followed{
		Times: []float64{1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5, 5, 5, 4},
		Event: []bool{true, true, true, true, true, true, true, true, true, true, true, false, false, false, true},
	}
	survival := figure.Survival{
		About: about, X: figure.Axis{Name: "attempts"}, Y: figure.Axis{Name: "tasks satisfied"},
		Rising: true, Ticks: []float64{0, 1, 2, 3, 4, 5}, Groups: []figure.Followed{followed},
	}
	falling := survival
	falling.Rising = false
	time := figure.Axis{Name: "completion time", Unit: "s"}
	return []struct {
		name string
		mark figure.Mark
	}{
		{"bar", bar}, {"bar-signed", signed},
		{"histogram", figure.Histogram{About: about, X: time, Values: seconds, References: []figure.Reference{{Name: "median", At: 46}, {Name: "mean", At: 52.8}}}},
		{"survival", survival}, {"survival-falling", falling},
		{"ecdf", figure.ECDF{About: about, X: time, Samples: []figure.Sample{{Name: "completion", Values: seconds}, {Name: "without waiting", Values: []float64{5, 10, 20, 30, 31, 32, 40, 41, 60, 70, 100}}}}},
		{"likert", figure.Likert{About: about, Levels: []string{"1 poorest", "2", "3", "4", "5 best"}, Rows: []figure.Rated{
			{Name: "Accuracy", Counts: []int{1, 2, 3, 8, 6}}, {Name: "Coverage of parameters", Counts: []int{0, 0, 10, 10, 0}},
			{Name: "可读性 👍", Counts: []int{10, 0, 0, 0, 1}}, {Name: "nobody asked"},
		}}},
		{"heatmap", figure.Heatmap{
			About: about, X: figure.Axis{Name: "difficulty"}, Y: figure.Axis{Name: "type"}, Value: figure.Axis{Name: "mean total quality", Unit: "of 40"},
			Columns: []string{"easy", "medium", "hard"}, Rows: []string{"numerical", "数据"}, Small: 5,
			Cells: [][]figure.Cell{{{Value: 36.25, N: 8}, {}, {Value: 20, N: 2}}, {{Value: 33, N: 5}, {Value: 12.123, N: 6}}},
		}},
		{"scatter", figure.Scatter{About: about, X: figure.Axis{Name: "attempts made"}, Y: figure.Axis{Name: "total"}, Points: []figure.Dot{{X: 1, Y: 30, Group: "satisfied"}, {X: 3, Y: 12, Group: "satisfied"}}}},
	}
}

// Every kind of figure at several widths, in ASCII and in words is as its golden file
// has it. go test ./tui/chart -update writes them anew.
func TestGoldenDrawings(t *testing.T) {
	plain := frame.NewTheme(true, false)
	for _, m := range marks() {
		var archive txtar.Archive
		add := func(name string, lines []string, width int) {
			for i, l := range lines {
				if frame.Width(l) > width {
					t.Errorf("%s, %s: row %d is %d columns wide", m.name, name, i+1, frame.Width(l))
				}
			}
			text := strings.ReplaceAll(strings.Join(lines, "\n"), "\x1b[", "␛[")
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text + "\n")})
		}
		for _, size := range []frame.Size{{Width: 40, Height: 10}, {Width: 60, Height: 14}, {Width: 80, Height: 18}, {Width: 120, Height: 34}} {
			add(fmt.Sprintf("%d columns", size.Width), chart.Draw(m.mark, chart.Look{Width: size.Width, Height: size.Height, Theme: plain}), size.Width)
		}
		add("60 columns, ASCII", chart.Draw(m.mark, chart.Look{Width: 60, Height: 14, Theme: plain, ASCII: true}), 60)
		add("60 columns, coloured", chart.Draw(m.mark, chart.Look{Width: 60, Height: 14, Theme: frame.NewTheme(true, true)}), 60)
		add("60 columns, words", chart.Words(m.mark, chart.Look{Width: 60, Theme: plain}), 60)
		compare(t, filepath.Join("testdata", m.name+".txtar"), txtar.Format(&archive))
	}
}

func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test ./tui/chart -update writes it", err)
	}
	if string(want) != string(got) {
		t.Errorf("%s has changed; it is now\n%s", path, got)
	}
}

// The numbers beside the bars are those that the drawing of the report has in its data.
func TestSameNumbersAsTheReport(t *testing.T) {
	h := marks()[2].mark.(figure.Histogram)
	edges, counts := h.Counted()
	var want []string
	for i, n := range counts {
		want = append(want, fmt.Sprintf("%g,%g,%d", edges[i], edges[i+1], n))
	}
	data := strings.Split(strings.TrimSpace(string(h.Draw(figure.Wide).CSV())), "\n")[1:]
	if !slices.Equal(data, want) {
		t.Errorf("the terminal counts %v, the report %v", want, data)
	}
	s := marks()[3].mark.(figure.Survival)
	for i, row := range strings.Split(strings.TrimSpace(string(s.Draw(figure.Wide).CSV())), "\n")[1:] {
		step := s.Stairs()[0].Steps[i]
		var at, survival float64
		var risk int
		fields := strings.Split(row, ",")
		_, _ = fmt.Sscan(fields[1], &at)
		_, _ = fmt.Sscan(fields[2], &risk)
		_, _ = fmt.Sscan(fields[5], &survival)
		if step.At != at || math.Abs(step.Share-100*(1-survival)) > 1e-9 || s.Stairs()[0].AtRisk(at) != risk {
			t.Errorf("step %d is %+v with %d at risk; the report has %s", i+1, step, s.Stairs()[0].AtRisk(at), row)
		}
	}
}

// ASCII means ASCII, as long as the names are.
func TestASCII(t *testing.T) {
	for _, m := range marks() {
		text := strings.Join(chart.Draw(m.mark, chart.Look{Width: 80, Theme: frame.NewTheme(true, false), ASCII: true}), "\n")
		for _, name := range []string{"可读性", "עברית", "👍🏽", "👍", "数据"} {
			text = strings.ReplaceAll(text, name, "")
		}
		for _, r := range text {
			if r > 126 {
				t.Errorf("%s has %q", m.name, r)
			}
		}
	}
}

// Whatever the data and the room, nothing panics and no line is too wide.
func TestAnyData(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-10, 100), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0}))
	name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "可读性可读性可读性", "\x1b[2Jevil", "👩‍👩‍👧‍👦", "עברית"}))
	axis := rapid.Custom(func(t *rapid.T) figure.Axis {
		return figure.Axis{Name: name.Draw(t, "axis"), Unit: name.Draw(t, "unit"), Log: rapid.Bool().Draw(t, "log"), Zero: rapid.Bool().Draw(t, "zero")}
	})
	numbers := rapid.SliceOfN(number, 0, 40)
	rapid.Check(t, func(t *rapid.T) {
		about := figure.About{Title: name.Draw(t, "title"), N: rapid.IntRange(-1, 1000).Draw(t, "n"), Of: name.Draw(t, "of"), Note: name.Draw(t, "note")}
		bar := figure.Bar{About: about, X: axis.Draw(t, "x"), Y: axis.Draw(t, "y")}
		for _, v := range numbers.Draw(t, "bars") {
			bar.Bars = append(bar.Bars, figure.Value{Name: name.Draw(t, "bar"), Value: v, Low: number.Draw(t, "low"), High: number.Draw(t, "high"), Note: name.Draw(t, "of bar")})
		}
		histogram := figure.Histogram{About: about, X: bar.X, Values: numbers.Draw(t, "values"), Bins: rapid.IntRange(0, 90).Draw(t, "bins"), References: []figure.Reference{{Name: name.Draw(t, "ref"), At: number.Draw(t, "at")}}}
		survival := figure.Survival{About: about, X: bar.X, Y: bar.Y, Rising: rapid.Bool().Draw(t, "rising"), Ticks: numbers.Draw(t, "ticks")}
		for range rapid.IntRange(0, 3).Draw(t, "groups") {
			survival.Groups = append(survival.Groups, figure.Followed{Name: name.Draw(t, "group"), Times: numbers.Draw(t, "times"), Event: rapid.SliceOfN(rapid.Bool(), 0, 40).Draw(t, "events")})
		}
		ecdf := figure.ECDF{About: about, X: bar.X, Samples: []figure.Sample{{Name: name.Draw(t, "sample"), Values: histogram.Values}, {Values: numbers.Draw(t, "more")}}}
		likert := figure.Likert{About: about, Levels: rapid.SliceOfN(name, 0, 8).Draw(t, "levels")}
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			likert.Rows = append(likert.Rows, figure.Rated{Name: name.Draw(t, "row"), Counts: rapid.SliceOfN(rapid.IntRange(-2, 2000), 0, 9).Draw(t, "counts")})
		}
		heatmap := figure.Heatmap{About: about, X: bar.X, Y: bar.Y, Value: bar.Y, Columns: rapid.SliceOfN(name, 0, 6).Draw(t, "columns"), Rows: rapid.SliceOfN(name, 0, 4).Draw(t, "of grid"), Small: 5}
		for range heatmap.Rows {
			var row []figure.Cell
			for _, v := range numbers.Draw(t, "cells") {
				row = append(row, figure.Cell{Value: v, N: rapid.IntRange(0, 9).Draw(t, "things")})
			}
			heatmap.Cells = append(heatmap.Cells, row)
		}
		look := chart.Look{
			Width: rapid.IntRange(-1, 130).Draw(t, "width"), Height: rapid.IntRange(-1, 50).Draw(t, "height"),
			Theme: frame.NewTheme(true, rapid.Bool().Draw(t, "colour")), ASCII: rapid.Bool().Draw(t, "ASCII"),
		}
		for _, m := range []figure.Mark{bar, histogram, survival, ecdf, likert, heatmap} {
			for _, lines := range [][]string{chart.Draw(m, look), chart.Words(m, look)} {
				for _, line := range lines {
					if frame.Width(line) > max(0, look.Width) || strings.ContainsAny(line, "\n\x07") || strings.Contains(line, "\x1b[2J") {
						t.Fatalf("%T in %d columns has %q", m, look.Width, line)
					}
				}
			}
		}
	})
}
