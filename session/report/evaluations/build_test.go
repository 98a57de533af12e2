package evaluations_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/scoring"
	"assay/session/report"
	"assay/session/report/evaluations"
)

// sample is one row: passed of total test cases.
func sample(task string, n, passed, total int) batch.Row {
	row := batch.Row{TaskID: task, Sample: n, PassedTests: passed, TotalTests: total, Verdict: verdicts.WrongAnswer, Loads: true, Extraction: "solution", Isolation: "isolated",
		Measures: &batch.Measures{Parses: true, Cyclomatic: 3, Cognitive: 2, CodeLines: 9, CommentLines: 1, CommentRate: 10, Reliability: "A", Security: "A", Analyser: "assay rules 1"}}
	if passed == total {
		row.Verdict = verdicts.Accepted
	}
	return row
}

// run makes the results of a run from the test cases that each of a task's samples
// passed, of ten.
func run(name string, passed map[string][]int) evaluations.Results {
	r := evaluations.Results{Name: name}
	for task, samples := range passed {
		for i, n := range samples {
			r.Rows = append(r.Rows, sample(task, i, n, 10))
		}
	}
	return r
}

// eight are two difficulties by two years by two tasks.
func eight() *benchmark.Benchmark {
	b := &benchmark.Benchmark{Name: "eight"}
	human := 0.5
	for _, d := range []benchmark.Difficulty{benchmark.Easy, benchmark.Hard} {
		for _, year := range []string{"2022", "2023-04"} {
			for i := range 2 {
				category := "strings"
				if i == 1 {
					category = "sets"
				}
				b.Tasks = append(b.Tasks, benchmark.Task{ID: fmt.Sprintf("%s-%s-%d", d, year[:4], i+1), Difficulty: d, Published: benchmark.Date(year), Category: category, HumanPassRate: &human})
			}
		}
	}
	return b
}

// two runs of eight tasks, five samples each.
func two() []evaluations.Results {
	return []evaluations.Results{
		run("first", map[string][]int{
			"easy-2022-1": {10, 10, 10, 10, 10}, "easy-2022-2": {10, 10, 10, 5, 0},
			"easy-2023-1": {10, 10, 5, 5, 0}, "easy-2023-2": {10, 10, 10, 10, 0},
			"hard-2022-1": {10, 0, 0, 0, 0}, "hard-2022-2": {5, 5, 5, 5, 5},
			"hard-2023-1": {0, 0, 0, 0, 0}, "hard-2023-2": {8, 6, 0, 0, 0},
		}),
		run("second", map[string][]int{
			"easy-2022-1": {10, 10, 10, 10, 0}, "easy-2022-2": {10, 10, 5, 5, 0},
			"easy-2023-1": {10, 5, 5, 5, 0}, "easy-2023-2": {10, 10, 10, 0, 0},
			"hard-2022-1": {0, 0, 0, 0, 0}, "hard-2022-2": {5, 5, 5, 5, 5},
			"hard-2023-1": {0, 0, 0, 0, 0}, "hard-2023-2": {8, 6, 0, 0, 0},
		}),
	}
}

func build(t *testing.T, runs []evaluations.Results, o evaluations.Options) *evaluations.Report {
	t.Helper()
	r, err := evaluations.Build(runs, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Checks {
		if len(c.Faults) > 0 {
			t.Errorf("%s: %q", c.Name, c.Faults)
		}
	}
	return r
}

func near(t *testing.T, what string, got report.Number, want float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) < 1e-12) {
		t.Errorf("%s: %v, not %v", what, float64(got), want)
	}
}

// The metrics by difficulty and year, worked out by hand. Of "first", in pass@1,
// pass@5, pass^5 (one task passes five times) and pass-ratio@5:
//
//	easy 2022: tasks with 5 and 3 of 5 accepted: (1+0.6)/2, both solved;
//	  squares 1 and (3+0.25)/5 = 0.65
//	easy 2023: 2 and 4 of 5: (0.4+0.8)/2, both; (2+0.5)/5 = 0.5 and 0.8
//	hard 2022: 1 and 0 of 5: (0.2+0)/2, one; 0.2 and 0.25
//	hard 2023: none; 0 and (0.64+0.36)/5 = 0.2
func TestGroups(t *testing.T) {
	r := build(t, two(), evaluations.Options{Tasks: eight()})
	if fmt.Sprint(r.Metrics) != "[pass@1 pass@5 pass^5 pass-ratio@5 average pass rate strict accuracy]" {
		t.Fatalf("the metrics are %q", r.Metrics)
	}
	g := r.Groups
	if fmt.Sprint(g.Difficulties, g.Years, g.Missing) != "[easy hard] [2022 2023] []" {
		t.Fatalf("grouped by %v and %v", g.Difficulties, g.Years)
	}
	for _, want := range []struct {
		d, y                      int
		pass1, pass5, all5, ratio float64
		solved                    int
		expected                  float64
	}{
		{0, 0, 0.8, 1, 0.5, 0.825, 2, 1.6},
		{0, 1, 0.6, 1, 0, 0.65, 2, 1.2},
		{1, 0, 0.1, 0.5, 0, 0.225, 1, 0.2},
		{1, 1, 0, 0, 0, 0.1, 0, 0},
	} {
		c := g.Runs[0][want.d][want.y]
		what := g.Difficulties[want.d] + " " + g.Years[want.y]
		if c.N != 2 || !c.Few || c.Solved != want.solved {
			t.Errorf("%s: %d tasks, few %v, %d solved", what, c.N, c.Few, c.Solved)
		}
		near(t, what+" pass@1", c.Metrics[0].Value, want.pass1)
		near(t, what+" pass@5", c.Metrics[1].Value, want.pass5)
		near(t, what+" pass^5", c.Metrics[2].Value, want.all5)
		near(t, what+" pass-ratio@5", c.Metrics[3].Value, want.ratio)
		near(t, what+" solved by one sample", c.Expected, want.expected)
	}
	near(t, "pass@1", r.Runs[0].Metrics[0].Value, (0.8+0.6+0.1)/4)
	near(t, "pass-ratio@5", r.Runs[0].Metrics[3].Value, (0.825+0.65+0.225+0.1)/4)
}

// Years before the latest two stand together where there are more than three.
func TestYearsBefore(t *testing.T) {
	b := eight()
	for i, year := range []string{"2019", "2020", "2021", "2021", "2022", "2022", "2023", "2023"} {
		b.Tasks[i].Published = benchmark.Date(year)
	}
	r := build(t, two(), evaluations.Options{Tasks: b})
	if fmt.Sprint(r.Groups.Years) != "[~2021 2022 2023]" || r.Groups.Runs[0][0][0].N != 4 {
		t.Errorf("years %v, %d easy tasks in the first", r.Groups.Years, r.Groups.Runs[0][0][0].N)
	}
}

// The published table 4 of Yeo et al.
func TestPublishedExamples(t *testing.T) {
	rows := func(task string, total int, passed ...int) (all []batch.Row) {
		for i, n := range passed {
			all = append(all, sample(task, i, n, total))
		}
		return all
	}
	var all []batch.Row
	all = append(all, rows("1", 72, 72, 72, 72, 72, 72)...)
	all = append(all, rows("2", 135, 128, 135, 135, 0, 135)...)
	all = append(all, rows("3", 61, 56, 48, 21, 48, 56)...)
	r := build(t, []evaluations.Results{{Name: "GPT-3.5", Rows: all}}, evaluations.Options{})
	if len(r.Samples) != 3 {
		t.Fatalf("%d examples", len(r.Samples))
	}
	for i, want := range []struct {
		passAt []string
		ratio  string
	}{{[]string{"100", "100", "100", "100", "100"}, "100"}, {[]string{"60", "90", "100", "100", "100"}, "78"}, {[]string{"0", "0", "0", "0", "0"}, "61"}} {
		e := r.Samples[i]
		for k, v := range e.PassAtK {
			if got := fmt.Sprintf("%.0f", 100*v); got != want.passAt[k] {
				t.Errorf("task %s: pass@%d is %s %%, in the paper %s %%", e.Task, k+1, got, want.passAt[k])
			}
		}
		if got := fmt.Sprintf("%.0f", 100*e.PassRatio); got != want.ratio {
			t.Errorf("task %s: pass-ratio@5 is %s %%, in the paper %s %%", e.Task, got, want.ratio)
		}
	}
}

// Six dimensions of three tasks with one sample each, by hand:
//
//	a: accepted, all known: 15+30+10+10+10+25 = 100, weight 1.2 (hard, 30 % of people)
//	b: half of the cases, cognitive 16, no comments, explanation bad:
//	   15+15+0+10+10+0 = 50, weight 0.8 (easy, 90 %)
//	c: does not load, reliability E, no label, comments: 0+0+10+0+10+(10 to 25) =
//	   30 to 45, weight 1.0 (medium, not known)
//
// Final: (120+40+30)/3 = 63.33 to (120+40+45)/3 = 68.33.
func TestSixDimensions(t *testing.T) {
	thirty, ninety := 0.3, 0.9
	tasks := &benchmark.Benchmark{Name: "three", Tasks: []benchmark.Task{
		{ID: "a", Difficulty: benchmark.Hard, HumanPassRate: &thirty, Category: "sets"},
		{ID: "b", Difficulty: benchmark.Easy, HumanPassRate: &ninety, Category: "sets"},
		{ID: "c", Difficulty: benchmark.Medium, Category: "files"},
	}}
	a, b, c := sample("a", 0, 20, 20), sample("b", 0, 5, 10), sample("c", 0, 0, 10)
	b.Measures.Cognitive, b.Measures.CommentRate = 16, 0
	c.Loads, c.Verdict, c.Measures.Reliability = false, verdicts.CompileError, "E"
	labels, err := evaluations.ReadLabels(strings.NewReader("run,task,sample,explanation,cause\nm,a,0,yes,\nm,b,0,no,understanding\nm,c,0,,code\n"), "labels.csv")
	if err != nil {
		t.Fatal(err)
	}
	r := build(t, []evaluations.Results{{Name: "m", Rows: []batch.Row{a, b, c}}}, evaluations.Options{Tasks: tasks, Labels: labels})
	written(t, r)
	x := r.Six.Runs[0]
	near(t, "final score, least", x.Final.Low, 190.0/3)
	near(t, "final score, most", x.Final.High, 205.0/3)
	near(t, "readability, least", x.Dimensions[5].Low, (25.0+0+10)/3)
	near(t, "readability, most", x.Dimensions[5].High, (25.0+0+25)/3)
	near(t, "mean over questions", x.MeanRate.Value, 0.5)
	near(t, "over all cases", x.CaseRate.Value, 25.0/40)
	near(t, "comment rate", x.CommentRate.Value, 20.0/3)
	if x.Open != 1 || x.Assumed != 1 || x.Cyclomatic != 9 || x.Cognitive != 20 {
		t.Errorf("open %d, assumed %d, complexities %d and %d", x.Open, x.Assumed, x.Cyclomatic, x.Cognitive)
	}
	if x.Accurate != 1 || x.Inaccurate != 1 || x.Unlabelled != 1 || x.CodeProblems != 1 || x.Misunderstood != 1 || x.NoCause != 0 {
		t.Errorf("labels: %+v", x)
	}
	for i, want := range []int{1, 1, 1} {
		if x.Outcomes[i].Count != want {
			t.Errorf("%s: %d", x.Outcomes[i].Name, x.Outcomes[i].Count)
		}
	}
	for i, want := range []struct {
		name  string
		share float64
	}{{"files", 1}, {"sets", 0.5}} {
		if got := r.Six.Categories[i]; got.Name != want.name {
			t.Errorf("category %s", got.Name)
		} else {
			near(t, "incorrect in "+want.name, got.Runs[0].Metrics[0].Value, want.share)
		}
	}
}

// The differences in pass@1 of the eight tasks are 0.2 five times, 0 three times; with
// Pratt's zeros the positive ranks are 4 to 8, all tied at 6.
func TestComparison(t *testing.T) {
	runs := two()
	runs[0].Rows = append(runs[0].Rows, sample("only-first", 0, 10, 10), sample("only-first", 1, 10, 10), sample("only-first", 2, 10, 10), sample("only-first", 3, 10, 10), sample("only-first", 4, 10, 10))
	runs[0].Rows[0].Task, runs[1].Rows[0].Task = "old", "old"
	for i := range runs[0].Rows {
		if runs[0].Rows[i].TaskID == "hard-2023-1" {
			runs[0].Rows[i].Task = "one"
		}
	}
	for i := range runs[1].Rows {
		if runs[1].Rows[i].TaskID == "hard-2023-1" {
			runs[1].Rows[i].Task = "two"
		}
	}
	r := build(t, runs, evaluations.Options{})
	p := r.Pairs[0]
	if p.Tasks != 8 || p.OnlyFirst != 1 || p.OnlySecond != 0 || fmt.Sprint(p.LeftOutIDs, p.ChangedIDs) != "[only-first] [hard-2023-1]" {
		t.Errorf("%d tasks; left out %v, changed %v", p.Tasks, p.LeftOutIDs, p.ChangedIDs)
	}
	m := p.Measures[0]
	near(t, "difference in pass@1", m.Difference.Value, 5*0.2/8)
	if m.Better != 5 || m.Worse != 0 || m.Same != 3 || m.Difference.Interval != nil { // five differ, which bound the difference too badly
		t.Errorf("better %d, worse %d, same %d", m.Better, m.Worse, m.Same)
	}
	if !(m.P > 0 && m.P < 0.1 && m.Holm >= m.P) {
		t.Errorf("p %v, corrected %v", float64(m.P), float64(m.Holm))
	}
}

func TestErrors(t *testing.T) {
	one := run("one", map[string][]int{"a": {10}})
	for _, c := range []struct {
		name string
		runs []evaluations.Results
		o    evaluations.Options
		want string
	}{
		{"nothing", nil, evaluations.Options{}, "no results"},
		{"empty", []evaluations.Results{{Name: "x"}}, evaluations.Options{}, "are empty"},
		{"twice", []evaluations.Results{one, one}, evaluations.Options{}, "name them apart"},
		{"k too large", []evaluations.Results{one}, evaluations.Options{K: []int{1, 5}}, "pass@5 cannot be computed: it needs at least 5 samples for each task, and a has 1 in one"},
		{"other tasks", []evaluations.Results{one}, evaluations.Options{Tasks: eight()}, "give the file of tasks that the samples were made for"},
		{"no common task", []evaluations.Results{one, run("two", map[string][]int{"b": {10}})}, evaluations.Options{}, "have no task in common"},
		{"fields without tasks", []evaluations.Results{one}, evaluations.Options{By: [][]string{{"year"}}}, "give the file of tasks"},
		{"a label of nothing", []evaluations.Results{one}, evaluations.Options{Labels: []evaluations.Label{{Run: "one", Task: "a", Sample: 1}}}, "which one does not have"},
	} {
		_, err := evaluations.Build(c.runs, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := evaluations.Build([]evaluations.Results{one}, evaluations.Options{K: []int{2}}); !errors.Is(err, scoring.ErrTooFewSamples) {
		t.Errorf("k > n: %v", err)
	}
}

// TestManyRuns: of many runs each is compared in all metrics with the next in rank, and the first ones with the best;
// leaderboards tell all apart as if all were compared.
func TestManyRuns(t *testing.T) {
	var runs []evaluations.Results
	for i := range 14 {
		passed := map[string][]int{}
		for task := range 30 {
			n := 5
			if task <= 2*i {
				n = 10
			}
			passed[fmt.Sprintf("t%02d", task)] = []int{n, n}
		}
		runs = append(runs, run(fmt.Sprintf("run %d", i), passed))
	}
	few, all := build(t, runs, evaluations.Options{}), build(t, runs, evaluations.Options{AllPairs: true})
	if !few.Selected || len(few.Pairs) != 13+10 || all.Selected || len(all.Pairs) != 91 || few.Families[0].Tests >= all.Families[0].Tests {
		t.Errorf("%d pairs of %d, %d tests and %d", len(few.Pairs), len(all.Pairs), few.Families[0].Tests, all.Families[0].Tests)
	}
	for i, row := range few.Leaderboards[0].Rows {
		whole := all.Leaderboards[0].Rows[i]
		if row.Run != whole.Run || row.Rank != whole.Rank || row.Above.P != whole.Above.P && row.Above.P.Defined() {
			t.Errorf("%+v, with all pairs %+v", row, whole)
		}
		if i > 0 && !row.Best.Holm.Defined() {
			t.Errorf("%s is not compared with the best", row.Run)
		}
	}
}

// TestUnequalSamples: more samples of one run than of the other are no sign that it is better.
func TestUnequalSamples(t *testing.T) {
	first, second := map[string][]int{}, map[string][]int{}
	for task := range 24 {
		id := fmt.Sprintf("t%02d", task)
		for n := range 10 {
			first[id] = append(first[id], 10)
			if task < 8 && n == 0 {
				first[id][0] = 0
			}
		}
		second[id] = []int{10}
	}
	r := build(t, []evaluations.Results{run("first", first), run("second", second)}, evaluations.Options{})
	m := r.Pairs[0].Measures[0]
	if m.P < 0.3 || m.Holm < 0.3 || !strings.Contains(m.Test, "permutation") || m.Difference.Interval.High < 0 {
		t.Errorf("%+v", m)
	}
}
