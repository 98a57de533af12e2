package sessions_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/session"
	"assay/session/importer"
	"assay/session/report"
	"assay/session/report/sessions"
)

// shared finds a file of the shared oracles; without it the test is skipped.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
				break
			}
			if filepath.Dir(root) == root {
				t.Fatal("no go.mod above the test")
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared")
	}
	name := filepath.Join(append([]string{dir}, path...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skipf("the shared oracles are absent (%v): set ASSAY_SHARED", err)
	}
	return name
}

var builtOnce sync.Once

var built *sessions.Report

// study is the report of the synthetic study beside the paper, built once.
func study(t *testing.T) *sessions.Report {
	t.Helper()
	shared(t, "oracles", "miah_zhu") // skips
	builtOnce.Do(func() { built = buildStudy(t) })
	if built == nil {
		t.Fatal("the study could not be built")
	}
	return built
}

func buildStudy(t *testing.T) *sessions.Report {
	t.Helper()
	r, err := sessions.Build(studyEvents(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func studyEvents(t *testing.T) []session.Event {
	t.Helper()
	open := func(name string) importer.Source {
		f, err := os.Open(shared(t, "oracles", "miah_zhu", name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return importer.Source{Name: name, R: f}
	}
	s, err := importer.Read(importer.Tables{
		Tasks: open("miah_zhu_attempts.csv"), Attempts: open("miah_zhu_attempt_rows.csv"), Ratings: open("miah_zhu_ratings.csv"),
	}, 10)
	if err != nil {
		t.Fatal(err)
	}
	events, _ := s.Events(importer.As{Session: "01HZXW5T3N8M9P0Q1R2S3T4V5W", Benchmark: "miah-zhu", Model: "synthetic", Assay: "0.1.0", Now: 1_700_000_000_000})
	return events
}

func near(t *testing.T, what string, got report.Number, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance) {
		t.Errorf("%s = %.10g, want %.10g", what, float64(got), want)
	}
}

// TestSyntheticStudyAttempts holds the values of the study's README, section
// 4: they are exact for the real data too (R survfit, statsmodels).
func TestSyntheticStudyAttempts(t *testing.T) {
	r := study(t)
	a := r.Tries
	near(t, "mean", a.Mean.Value, 1.61, 1e-12)
	near(t, "SD", a.SD, 1.369915, 5e-7)
	near(t, "mean over successes", a.Happy.Value, 1.525253, 5e-7)
	near(t, "censored mean", a.Censored.Value, 1.61, 1e-12) // the one failure made all k attempts
	near(t, "median", a.Median, 1, 0)
	near(t, "low", report.Number(a.Mean.Interval.Low), 1.40, 0.05)
	near(t, "high", report.Number(a.Mean.Interval.High), 1.96, 0.05)
	if a.Made != 161 || a.Success.Count != 99 || a.Mean.N != 100 {
		t.Errorf("made %d, satisfied %d of %d", a.Made, a.Success.Count, a.Mean.N)
	}
	near(t, "99/100 exact low", report.Number(a.Success.Interval.Low), 0.945541, 5e-7)
	near(t, "99/100 exact high", report.Number(a.Success.Interval.High), 0.999747, 5e-7)
	cumulative := []int{72, 86, 92, 96, 98, 98, 99, 99, 99, 99}
	satisfied := []int{72, 14, 6, 4, 2, 0, 1, 0, 0, 0}
	for i, s := range a.Steps {
		if s.Attempt != i+1 || s.Satisfied != satisfied[i] || s.Within.Count != cumulative[i] || s.GaveUp != map[bool]int{true: 1}[i == 9] {
			t.Errorf("step %+v", s)
		}
	}
	near(t, "72/100 exact low", report.Number(a.Steps[0].Within.Interval.Low), 0.621333, 5e-7)
	near(t, "72/100 exact high", report.Number(a.Steps[0].Within.Interval.High), 0.805206, 5e-7)
	near(t, "98/100 exact low", report.Number(a.Steps[4].Within.Interval.Low), 0.929616, 5e-7)
	for _, want := range []struct {
		n, atRisk        int
		s, se, low, high float64
	}{
		{1, 100, 0.28, 0.044900, 0.196036, 0.3699}, {2, 28, 0.14, 0.034699, 0.080688, 0.2153}, {3, 14, 0.08, 0.027129, 0.037402, 0.1435},
		{4, 8, 0.04, 0.019596, 0.013067, 0.0918}, {5, 4, 0.02, 0.014000, 0.003867, 0.0636}, {7, 2, 0.01, 0.009950, 0.000882, 0.0490},
	} {
		s := a.Steps[want.n-1]
		if s.AtRisk != want.atRisk {
			t.Errorf("attempt %d: %d at risk, want %d", want.n, s.AtRisk, want.atRisk)
		}
		near(t, "S", s.Survival, want.s, 1e-12)
		near(t, "SE", s.SE, want.se, 5e-7)
		near(t, "log-log low", report.Number(s.LogLog.Low), want.low, 5e-7)
		near(t, "log-log high", report.Number(s.LogLog.High), want.high, 5e-5)
	}
}

// TestSyntheticStudyDifferences holds the tests and associations of section 4 (scipy,
// statsmodels, R).
func TestSyntheticStudyDifferences(t *testing.T) {
	r := study(t)
	near(t, "satisfied by attempts made", r.Tries.PerAttempt, 99.0/161, 1e-12)
	for _, e := range r.Times.Completion.ECDF {
		want := map[float64][2]float64{100: {0.823777, 0.950995}, 150: {0.929616, 0.997569}}[e.Seconds]
		if want != [2]float64{} {
			near(t, "exact low of the ECDF", report.Number(e.Within.Interval.Low), want[0], 5e-7)
			near(t, "exact high of the ECDF", report.Number(e.Within.Interval.High), want[1], 5e-7)
		}
	}
	near(t, "geometric mean time", r.Times.Completion.Geometric, 33.659025, 5e-7)
	near(t, "Spearman of attempts and time", r.Times.WithAttempts, 0.760578, 5e-7)
	near(t, "Cronbach's alpha", r.Ratings.Alpha.Value, 0.369142, 5e-7)
	d := r.Slices[0].Differences
	if len(d) != 4 {
		t.Fatalf("%d tests by difficulty", len(d))
	}
	near(t, "Kruskal-Wallis", d[0].Value, 4.430521, 5e-7)
	near(t, "its p", d[0].P, 0.109125, 5e-7)
	near(t, "Cliff's delta of attempts", *d[0].Delta, 0.160160, 5e-7)
	near(t, "Cliff's delta of time", *d[1].Delta, 0.443443, 5e-7)
	near(t, "log-rank", d[3].Value, 5.5, 0.05)
	near(t, "its p", d[3].P, 0.06, 0.005)
	if d[3].DF != 2 {
		t.Errorf("log-rank with %d degrees of freedom", d[3].DF)
	}
	g := r.Grid
	if g.Total != 100 || fmt.Sprint(g.ByDifficulty) != "[37 36 27]" || fmt.Sprint(g.ByType) != "[8 16 24 15 16 21]" {
		t.Errorf("type and difficulty %v %v %d", g.ByType, g.ByDifficulty, g.Total)
	}
	for _, v := range []struct {
		kind  string
		worst func(sessions.Slice) report.Number
	}{ // S9, S10
		{"attempts", func(s sessions.Slice) report.Number { return s.Attempts.Value }},
		{"time", func(s sessions.Slice) report.Number { return s.Completion.Value }},
	} {
		for _, c := range r.Slices[1].Cells {
			if c.Value != "visualization" && v.worst(c) >= v.worst(r.Slices[1].Cells[5]) {
				t.Errorf("%s are worst for %s", v.kind, c.Value)
			}
		}
	}
}

func TestSyntheticStudyTimes(t *testing.T) {
	r := study(t)
	c := r.Times.Completion
	near(t, "mean", c.Mean.Value, 47.02, 1e-12)
	near(t, "median", c.Median, 31.50, 0)
	near(t, "SD", c.SD, 54.590853, 5e-7)
	near(t, "min", c.Min, 8, 0)
	near(t, "max", c.Max, 462, 0)
	// BCa has 39.4 to 62.7; drawn from these times, it covers in 89 of 100 cases, and Hall's in 91.
	near(t, "Hall low", report.Number(c.Mean.Interval.Low), 38.92, 0.01)
	near(t, "Hall high", report.Number(c.Mean.Interval.High), 91.89, 0.01)
	want := map[string]float64{"0.9 1": 98, "0.98 1": 148, "0.9 7": 98.60, "0.98 7": 148.78, "0.9 6": 103.40, "0.98 6": 186.22}
	for _, q := range c.Quantiles {
		near(t, q.Name, q.Value, want[fmt.Sprint(q.P, q.Type)], 1e-9)
	}
	ecdf := map[float64]int{}
	for _, e := range c.ECDF {
		ecdf[e.Seconds] = e.Within.Count
	}
	if ecdf[100] != 90 || ecdf[150] != 98 || ecdf[180] != 98 || ecdf[462] != 0 && ecdf[462] != 100 {
		t.Errorf("ECDF %v", ecdf)
	}
	if r.Times.WithoutModel != nil || r.Times.Rating != nil || len(r.Times.Phases) != 0 {
		t.Error("phases are reported that the tables do not tell")
	}
}

func TestSyntheticStudyRatingsAndSlices(t *testing.T) {
	r := study(t)
	means := map[string]float64{
		"accuracy": 4.42, "completeness": 4.78, "conciseness": 3.80, "logic_clarity": 4.87,
		"readability": 4.85, "structuredness": 4.84, "parameter_coverage": 4.83, "explanation_depth": 4.76,
	}
	for i, a := range r.Ratings.Attributes {
		near(t, a.ID, a.Mean.Value, means[a.ID], 1e-12)
		if a.ID == "conciseness" {
			near(t, "its share of 5", a.Of, 0.76, 1e-12)
			for _, c := range r.Slices[1].Cells {
				if c.Value == "visualization" {
					near(t, "visualization conciseness", c.Attributes[i].Value, 72.0/21, 1e-12)
				}
			}
		}
	}
	near(t, "total", r.Ratings.Total.Mean.Value, 37.15, 1e-12)
	want := map[string]struct {
		n                          int
		attempts, time, total      float64
		writtenAttempts, writtenTo string
	}{
		"easy": {37, 47, 1221, 1404, "1.27", "37.95"}, "medium": {36, 58, 1638, 1336, "1.61", "37.11"}, "hard": {27, 56, 1843, 975, "2.07", "36.11"},
		"programming": {24, 32, 810, 914, "1.33", "38.08"}, "visualization": {21, 48, 1588, 765, "2.29", "36.43"},
		"exploratory": {8, 12, 324, 293, "1.50", "36.63"}, "numerical": {16, 23, 634, 589, "1.44", "36.81"},
		"statistical": {15, 21, 559, 561, "1.40", "37.40"}, "structural": {16, 25, 787, 593, "1.56", "37.06"},
	}
	var md strings.Builder
	if err := r.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, s := range r.Slices[:2] {
		for _, c := range s.Cells {
			w := want[c.Value]
			n := float64(w.n)
			if c.N != w.n {
				t.Errorf("%s: n = %d, want %d", c.Value, c.N, w.n)
			}
			near(t, c.Value+" attempts", c.Attempts.Value, w.attempts/n, 1e-9)
			near(t, c.Value+" time", c.Completion.Value, w.time/n, 1e-9)
			near(t, c.Value+" total", c.Total.Value, w.total/n, 1e-9)
			row := fmt.Sprintf("\n| %s | %d | %s | ", c.Value, c.N, w.writtenAttempts)
			_, line, found := strings.Cut(md.String(), row)
			line, _, _ = strings.Cut(line, "\n")
			if !found || !strings.Contains(line, " | "+w.writtenTo+" | ") {
				t.Errorf("the line of %s does not say %s and %s: %s", c.Value, w.writtenAttempts, w.writtenTo, line)
			}
			seen++
		}
	}
	if seen != len(want) {
		t.Errorf("%d slices, want %d", seen, len(want))
	}
	sets := []float64{1.50, 1.70, 1.70, 1.55, 1.60}
	times := []float64{43.10, 51.55, 52.70, 47.10, 40.65}
	for i, c := range r.Slices[3].Cells {
		near(t, c.Value, c.Attempts.Value, sets[i], 1e-9)
		near(t, c.Value, c.Completion.Value, times[i], 1e-9)
	}
	if got := []string{r.Slices[0].Cells[0].Value, r.Slices[0].Cells[1].Value, r.Slices[0].Cells[2].Value}; fmt.Sprint(got) != "[easy medium hard]" {
		t.Errorf("difficulties in the order %v", got)
	}
	for _, trend := range r.Slices[0].Trends { // S11: every one is monotone
		if !trend.Holds {
			t.Errorf("trend %+v", trend)
		}
	}
}

func TestSyntheticStudyIsWritten(t *testing.T) {
	r := study(t)
	dir := t.TempDir()
	files, err := r.WriteDir(dir)
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"**1.61 (n = 100;", "restricted mean to 10 of the Kaplan-Meier curve", "imported", "99 of 100 = 99.0 %", "| completion | type 1 (inverse ECDF) | 98.00 | 148.00 |",
		"**Total of 40** | 100 | 37.15 ", "not measured", "No final answer was judged by tests",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if strings.Contains(string(text), "NaN") {
		t.Error("the report says NaN")
	}
	text, err = os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Attempts struct {
			Mean report.Estimate `json:"attempt_k_mean"`
		}
	}
	if err := json.Unmarshal(text, &back); err != nil || back.Attempts.Mean.N != 100 {
		t.Errorf("%+v, %v", back, err)
	}
	if again := buildStudy(t); again.Tries.Mean.Interval.Low != r.Tries.Mean.Interval.Low {
		t.Error("the same session gave another interval")
	}
}
