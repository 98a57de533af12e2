package sessions

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/session"
	"assay/session/report"
	"assay/session/report/figure"
)

// TestFiguresAreWritten: those that there are data for are files and linked with
// their text alternative; those of an earlier report are gone.
func TestFiguresAreWritten(t *testing.T) {
	dir := t.TempDir()
	if _, err := mustBuild(t, live(t)).WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	markdown, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"attempts", "success-by-attempt", "completion-time", "completion-time-ecdf", "time-by-phase", "attributes", "attempts-and-quality"} {
		svg, err := os.Open(filepath.Join(dir, "figures", name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		for dec := xml.NewDecoder(svg); ; {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		svg.Close()
		text, err := os.ReadFile(filepath.Join(dir, "figures", name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(text)); err != nil {
			t.Errorf("%s as PNG: %v", name, err)
		}
		if !strings.Contains(string(markdown), "](figures/"+name+".svg)") || !strings.Contains(string(markdown), "](figures/"+name+".csv)") {
			t.Errorf("report.md does not link %s", name)
		}
	}
	for _, alt := range []string{
		"Bars of tasks by attempt. 1: 1; 2: 0; none: 2.", "Kaplan-Meier curves of tasks satisfied: 33.3 % at 1.",
		"least 11, median 15, greatest 17 s", "Accuracy 33 % of 3",
	} {
		if !strings.Contains(string(markdown), alt) {
			t.Errorf("report.md does not say %q", alt)
		}
	}
	if _, err := mustBuild(t, live(t)[:2]).WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "figures")); err != nil || len(left) > 0 {
		t.Errorf("figures of an earlier report are left: %v %v", left, err)
	}
}

// TestNoImages: for who compares files with those of another assay.
func TestNoImages(t *testing.T) {
	b := NewBuilder(Options{NoImages: true})
	if err := b.Add(live(t)); err != nil {
		t.Fatal(err)
	}
	r, err := b.Report()
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, f := range r.Files() {
		if strings.HasSuffix(f.Name, ".png") {
			t.Errorf("there is %s", f.Name)
		}
		if strings.HasSuffix(f.Name, ".svg") {
			drawn++
		}
	}
	if drawn == 0 {
		t.Error("there are no figures at all")
	}
}

// TestFiguresNeedData: without ratings there are no figures of them.
func TestFiguresNeedData(t *testing.T) {
	l := &log{t: t, process: "p1"}
	l.add(session.Opened{Session: "01J0000000000000000000TEST", Plan: session.Plan{
		K: 2, Context: session.Fresh, Attributes: session.MiahZhuAttributes(), Criterion: session.DefaultCriterion,
		Tasks: []session.PlanTask{{ID: "a"}}, Model: session.Model{Name: "m", Provider: "p"},
	}})
	l.add(session.TaskOpened{Index: 0, Task: "a"})
	if got := mustBuild(t, l.events).Marks(); len(got) != 0 {
		t.Errorf("%d figures of no result", len(got))
	}
}

// A cell of eight results of one task is as small as one of a single result.
func TestGridHidesCellsOfFewTasks(t *testing.T) {
	few := Slice{N: 8, Tasks: 1, Testers: 8, Small: true, Total: report.Estimate{N: 8, Value: 30}}
	enough := Slice{N: 40, Tasks: 5, Testers: 8, Total: report.Estimate{N: 40, Value: 25}}
	r := &Report{Testers: 8, Grid: Grid{Difficulties: []string{"easy", "hard"}, Types: []string{"strings"}, Cells: [][]Slice{{few, enough}}}}
	if !r.Grid.tells() || (Grid{Cells: [][]Slice{{few}}}).tells() {
		t.Error("a grid tells something where one cell has five tasks, and only there")
	}
	if text := totalFigure(r).Draw(figure.Wide).Alt(); strings.Contains(text, "easy") || !strings.Contains(text, "hard: 25 (n = 40)") {
		t.Error(text)
	}
}

// Where no group has enough tasks there is one table of counts, and no pair of arms is
// compared by numbers when nothing of it can be.
func TestNothingToCompare(t *testing.T) {
	pair := Pair{First: "a", Second: "b", Measures: []Compared{{Measure: "satisfied", Primary: true, Difference: report.Estimate{Value: undefined(), Method: "no interval: with 1 tester, set, period and arm cannot be told apart"}}}}
	all := func(*Compared) bool { return true }
	if why := uncompared([]Pair{pair}, all); why != "with 1 tester, set, period and arm cannot be told apart" {
		t.Error(why)
	}
	pair.Measures[0].Difference.Value = 0
	if why := uncompared([]Pair{pair}, all); why != "" {
		t.Error(why)
	}
}
