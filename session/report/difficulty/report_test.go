package difficulty_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
	"assay/scoring/irt"
	"assay/scoring/quality"
	"assay/scoring/stats"
	"assay/session/difficulty"
	"assay/session/estimate"
	"assay/session/report"
	diffreport "assay/session/report/difficulty"
)

var updateExample = flag.Bool("update-example", false, "write testdata/example anew, from its difficulty.json")

// responses are those of a β3 model; on the task t3 the less able do better, and most fail.
func responses(respondents, items, trials int, seed uint64) irt.Responses {
	random := rand.New(rand.NewPCG(seed, 7))
	var r irt.Responses
	for i := range respondents {
		r.Respondents = append(r.Respondents, fmt.Sprintf("model %d", i))
		ability := 0.1 + 0.8*float64(i)/float64(respondents-1)
		var scores, n []float64
		for j := range items {
			if i == 0 {
				r.Items = append(r.Items, fmt.Sprintf("t%d", j))
			}
			hard, slope := 0.1+0.8*math.Mod(float64(j)*0.618, 1), 0.8+math.Mod(float64(j)*0.414, 1)
			if j == 3 {
				hard, slope = 0.3, -1.2
			}
			p := 1 / (1 + math.Pow(hard/(1-hard), slope)*math.Pow(ability/(1-ability), -slope))
			hits := 0
			for range trials {
				if random.Float64() < p {
					hits++
				}
			}
			scores, n = append(scores, float64(hits)/float64(trials)), append(n, float64(trials))
		}
		r.Scores, r.Trials = append(r.Scores, scores), append(r.Trials, n)
	}
	return r
}

func analysis(t *testing.T, r irt.Responses, o difficulty.Options, name string) *difficulty.Analysis {
	t.Helper()
	a, err := difficulty.Analyse(r, o)
	if err != nil {
		t.Fatal(err)
	}
	a.Source = difficulty.Source{Name: name, Results: []string{name}, Seed: o.Seed}
	if err := a.Draw(nil); err != nil {
		t.Fatal(err)
	}
	return a
}

// full has everything that a report can have.
func full(t *testing.T, respondents int) *difficulty.Analysis {
	t.Helper()
	r := responses(respondents, 30, 20, 11)
	b := &benchmark.Benchmark{Name: "b"}
	var runs []difficulty.Run
	for j, id := range r.Items {
		words := []string{"bracket nested balanced depth", "prime factor divisor modulo", "vowel letter palindrome word"}[j%3]
		b.Tasks = append(b.Tasks, benchmark.Task{ID: id, Title: "Task", Language: "python", Description: fmt.Sprintf("%s %s number%d", words, words, j%5), Reference: "def f(x):\n    return x\n"})
	}
	for i, who := range r.Respondents {
		row := batch.Row{TaskID: "t3", Verdict: verdicts.WrongAnswer, PassedTests: 3, TotalTests: 9, FailedTests: "4-6,8", Message: "expected 1"}
		if i == 0 {
			row = batch.Row{TaskID: "t3", Verdict: verdicts.Accepted, PassedTests: 9, TotalTests: 9}
		}
		if i == 1 {
			row.FailedTests = ""
			row.Verdict = verdicts.RuntimeError
		}
		runs = append(runs, difficulty.Run{Model: who, Rows: []batch.Row{row}})
	}
	a := analysis(t, r, difficulty.Options{Tasks: b, Topics: true, Subset: 8, Seed: 1}, "b")
	samples := func(each func(difficulty.Code) error) error {
		for _, task := range a.Tasks {
			for _, who := range r.Respondents[:respondents-1] {
				code := "def f(x):\n" + strings.Repeat("    if x:\n        x = x + 1\n", int(10*task.Difficulty.Value)) + "    return x\n"
				if err := each(difficulty.Code{Model: who, Task: task.ID, Source: code, Accepted: true}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	var err error
	if a.Constructs, err = difficulty.CountConstructs(a, b, samples, difficulty.Similar()); err != nil {
		t.Fatal(err)
	}
	asked := func(tasks map[string]bool, each func(difficulty.Answer)) error {
		for _, who := range r.Respondents {
			if tasks["t3"] {
				each(difficulty.Answer{Model: who, Task: "t3", Text: "answer of " + who})
			}
		}
		return nil
	}
	if err := a.LookAt(runs, difficulty.ByModel, b, 3, asked); err != nil {
		t.Fatal(err)
	}
	originals(t, a)
	estimated(t, a, estimate.DefaultMinutes(), 0, 1, 2, 3, 5, 2, 1)
	return a
}

func build(t *testing.T, o diffreport.Options, all ...*difficulty.Analysis) *diffreport.Report {
	t.Helper()
	r, err := diffreport.Build(all, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t *testing.T, r *diffreport.Report) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := r.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	if faults := faultsIn(t, dir); len(faults) > 0 {
		t.Errorf("the written report does not hold: %q", faults)
	}
	return dir
}

func faultsIn(t *testing.T, dir string) (faults []string) {
	t.Helper()
	_, checks, err := diffreport.CheckFiles(os.DirFS(dir))
	if err != nil {
		return []string{err.Error()}
	}
	for _, c := range checks {
		faults = append(faults, c.Faults...)
	}
	return faults
}

func markdown(t *testing.T, r *diffreport.Report) string {
	t.Helper()
	var text bytes.Buffer
	if err := r.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// The example is what this version writes from the analysis that lies beside it: of 32
// recorded models over HumanEval (README.md).
func TestExampleIsCurrent(t *testing.T) {
	example := filepath.Join("testdata", "example")
	a, err := difficulty.Read(os.DirFS(example))
	if err != nil {
		t.Fatal(err)
	}
	dir := written(t, build(t, diffreport.Options{Title: "Task difficulty: 32 recorded models over HumanEval"}, a))
	kept := func(name string) bool {
		return name == "report.md" || name == difficulty.FileName || strings.HasPrefix(name, "figures"+string(filepath.Separator))
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		if err != nil || entry.IsDir() || !kept(name) {
			return err
		}
		got, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(example, name)
		if *updateExample {
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				return err
			}
			return os.WriteFile(to, got, 0o644)
		}
		if want, err := os.ReadFile(to); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s of the example is not current (%v); look at it and run the test with -update-example", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text := markdown(t, build(t, diffreport.Options{}, a))
	for _, want := range []string{"32 respondents answered 164 tasks of HumanEval: 5248 responses.", "tau-b 0.97", "(node type) with regard to the tasks' difficulty, after TaskEval, table 1", "| R32 | togethercomputer"} {
		if !strings.Contains(text, want) {
			t.Errorf("the example does not say %q", want)
		}
	}
}

func TestReport(t *testing.T) {
	a := full(t, 20)
	a.People = &difficulty.People{Discretisation: "halves", Scale: []string{"trivial", "hard"}, Statistic: "agreement A", Threshold: 0.6, N: 2,
		Kappa: difficulty.PeopleKappa{Value: &stats.Kappa{Kappa: 0.21, Interval: stats.Interval{Low: 0.1, High: 0.3}}},
		Up:    difficulty.PeopleKappa{Why: "everything is in one category"}, Down: difficulty.PeopleKappa{Why: "the same"},
		Tau:  &stats.KendallTau{TauB: -0.25, N: 2, P: 0.4, Method: stats.Exact},
		Rows: []difficulty.PeopleRow{{Task: "t1", Title: "Prime factors", Models: 1, People: 3, MedianTime: "20 min", N: 5, Agreement: 0.8}}}
	r := build(t, diffreport.Options{}, a)
	dir := written(t, r)
	text := markdown(t, r)
	for _, want := range []string{
		"> **Warning.** Suspect tasks: 1.", "[t3](#answers-1)", `<a id="answers-1"></a>`, "19 of 20 answers fail", "| 18 | wrong answer | 4 | expected 1 |", "| 1 | runtime error | – |",
		"As it was given:", "answer of model 0", "answer of model 19", "Cohen's kappa with linear weights 0.21 (95 % CI 0.10–0.30)", "| Prime factors | t1 | 1 | 3 | 20 min | 5 | 0.80 |", "no kappa, since everything is in one category", "category: -0.25 (2 tasks, p 0.400)",
		"half of the respondents chose tasks for the others", "Holm over all models and constructs", "| If |", "weights of n-grams 0.25",
	} {
		if !strings.Contains(strings.ReplaceAll(text, "They rank", "they rank"), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	back, err := difficulty.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(back)
	if !bytes.Equal(x, y) {
		t.Error("the analysis that was written is another when it is read")
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<a href="#answers-1">`, `<a id="answers-1">`, `<p class="warning"><strong>Warning.</strong>`} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// The figures and tables that have no room for all say whom they show.
func TestModels(t *testing.T) {
	a := full(t, 9)
	if got := build(t, diffreport.Options{}, a).Views[0].Shown; !slices.Equal(got, []int{0, 1, 3, 4, 6, 8}) {
		t.Errorf("shown are %v", got)
	}
	r := build(t, diffreport.Options{Models: []string{"model 2", "model 8"}}, a)
	if got := r.Views[0].Shown; !slices.Equal(got, []int{0, 6}) {
		t.Errorf("shown are %v", got)
	}
	written(t, r)
	if text := markdown(t, r); !strings.Contains(text, "There is no room for all 9 respondents") {
		t.Error("it does not say that not all are shown")
	}
	if text := markdown(t, build(t, diffreport.Options{}, full(t, 6))); strings.Contains(text, "There is no room") {
		t.Error("it says that not all are shown, and they are")
	}
	for _, models := range [][]string{{"nobody"}, {"1", "2", "3", "4", "5", "6", "7"}} {
		if _, err := diffreport.Build([]*difficulty.Analysis{a}, diffreport.Options{Models: models}); err == nil {
			t.Errorf("%v: no error", models)
		}
	}
}

func TestTwoBenchmarks(t *testing.T) {
	easy, hard := responses(8, 40, 20, 1), responses(8, 50, 20, 2)
	for i := range hard.Scores {
		for j := range hard.Scores[i] {
			hard.Scores[i][j] = math.Round(20*hard.Scores[i][j]*hard.Scores[i][j]) / 20
		}
	}
	hard.Respondents[7] = "another"
	a, b := analysis(t, easy, difficulty.Options{Seed: 1}, "easy"), analysis(t, hard, difficulty.Options{Seed: 1}, "hard")
	notLinked(t, a, b)
	a, b, err := difficulty.Calibrate(a, b, true)
	if err != nil {
		t.Fatal(err)
	}
	r := build(t, diffreport.Options{}, a, b)
	c := r.Compared
	if !c.Linked || c.Shared != 7 || c.All != 9 || len(c.Rows) != 9 || c.Tests != 7 || len(c.Only) != 2 || c.Only[1] != (diffreport.Only{Respondent: "another", Benchmark: "hard"}) {
		t.Fatalf("%+v", c)
	}
	for _, row := range c.Rows[:2] { // seven of nine link them
		if row.Problem == "" || row.P != 1 || row.Gap == nil || row.GapInterval == nil || *row.Gap < row.GapInterval.Low || *row.Gap > row.GapInterval.High {
			t.Errorf("%+v", row)
		}
	}
	if c.Rows[0].GapInterval.Low <= 0 {
		t.Errorf("harder by %v, %v", *c.Rows[0].Gap, *c.Rows[0].GapInterval)
	}
	for _, row := range c.Rows[2:] {
		ad, err := stats.AndersonDarling(true, expected(a, row.What), expected(b, row.What))
		if err != nil || ad.P != row.P || ad.Capped != row.Capped || row.Holm < row.P || row.GapInterval == nil || row.First.MedianInterval == nil || row.First.N != 40 || row.Second.N != 50 {
			t.Errorf("%+v, not %+v, %v", row, ad, err)
		}
	}
	written(t, r)
	text := markdown(t, r)
	for _, want := range []string{"| expected of model 3 |", "<0.001", "one family, all 7 tests", "model 7 (easy), another (hard)", "Shares of tasks by the score expected", "One scale: easy and hard were calibrated together", "7 of them answered both",
		"Scale: that of easy and hard together, linked by 7 respondents of both.", "rests on the 7 shared respondents", "by draws of the joint fit"} {
		if !strings.Contains(strings.ReplaceAll(text, "&lt;", "<"), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	// One benchmark twice is not told apart from itself.
	twin, other := *a, *a
	twin.Source.Name = "twin"
	x, y, err := difficulty.Calibrate(a, &twin, true)
	if err != nil {
		t.Fatal(err)
	}
	same := build(t, diffreport.Options{}, x, y)
	for _, row := range same.Compared.Rows {
		if row.P < 0.1 || row.Holm < 0.9 {
			t.Errorf("a benchmark and itself: %+v", row)
		}
	}
	if !strings.Contains(markdown(t, same), ">0.25") {
		t.Error("a p beyond the table is not written as a bound")
	}
	// What was fitted in another way lies on another scale.
	other = *b
	other.Fit.By = difficulty.TaskEval
	if _, err := diffreport.Build([]*difficulty.Analysis{a, &other}, diffreport.Options{}); err == nil || !strings.Contains(err.Error(), "different scales") {
		t.Errorf("two methods are compared: %v", err)
	}
	// One discrimination for all tasks is no distribution.
	first, second := *a, *b
	first.Model, second.Model = "1PL", "1PL"
	ones := build(t, diffreport.Options{}, &first, &second).Compared
	if row := ones.Rows[1]; row.What != "discrimination" || row.Problem == "" || row.Gap != nil || ones.Tests != 7 {
		t.Errorf("%+v of %d tests", row, ones.Tests)
	}
}

// notLinked: what was fitted apart is shown side by side, and its parameters are not tested.
func notLinked(t *testing.T, a, b *difficulty.Analysis) {
	t.Helper()
	r := build(t, diffreport.Options{Apart: difficulty.ErrNotShared.Error()}, a, b)
	for _, row := range r.Compared.Rows[:2] {
		if row.Problem == "" || row.P != 1 || row.Gap != nil || row.GapInterval != nil {
			t.Errorf("%+v", row)
		}
	}
	if r.Compared.Linked || r.Compared.Tests != 7 {
		t.Errorf("%d tests", r.Compared.Tests)
	}
	written(t, r)
	text := markdown(t, r)
	for _, want := range []string{"> **Warning.** The difficulties of the two benchmarks are not comparable, and are not tested: no respondent answered both benchmarks", "Scale: that of these tasks alone", "difficulty: there is no test: each benchmark has a scale of its own"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
}

// The constructs of two benchmarks stand in one table, as in the paper.
func TestConstructsOfTwo(t *testing.T) {
	a, b := full(t, 6), full(t, 6)
	b.Source.Name = "second"
	r := build(t, diffreport.Options{}, a, b)
	written(t, r)
	text := markdown(t, r)
	if n := strings.Count(text, "after TaskEval, table 1"); n != 1 {
		t.Errorf("%d tables 1", n)
	}
	for _, want := range []string{"| Benchmark | Node | model 4 τ | AD |", "| b | If | ", "| second | If | "} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s", want)
		}
	}
	b.Constructs = nil
	if text := markdown(t, build(t, diffreport.Options{}, a, b)); strings.Contains(text, "| Benchmark |") || !strings.Contains(text, "after TaskEval, table 1, b") {
		t.Error("the table of one benchmark alone is not there")
	}
}

// expected are the values of a row.
func expected(a *difficulty.Analysis, what string) (all []float64) {
	for _, x := range a.Tasks {
		switch what {
		case "difficulty":
			all = append(all, x.Difficulty.Value)
		case "discrimination":
			all = append(all, x.Discrimination.Value)
		}
	}
	for _, r := range a.Respondents {
		if r.Name == what {
			return r.Expected
		}
	}
	return all
}

// Each method, missing responses and few tasks give a report that holds.
func TestEdges(t *testing.T) {
	holes := responses(5, 9, 10, 3)
	for i := range holes.Scores {
		holes.Scores[i][(2*i)%9], holes.Trials[i][(2*i)%9] = math.NaN(), math.NaN()
	}
	binary := responses(14, 12, 1, 4)
	binary.Trials = nil
	for _, c := range []struct {
		name string
		r    irt.Responses
		m    difficulty.Method
	}{
		{"two tasks, two respondents", responses(2, 2, 5, 1), difficulty.MAP}, {"holes", holes, difficulty.MAP}, {"as TaskEval", responses(5, 9, 10, 3), difficulty.TaskEval},
		{"2PL", binary, difficulty.TwoPL}, {"1PL", binary, difficulty.OnePL},
	} {
		t.Run(c.name, func(t *testing.T) {
			written(t, build(t, diffreport.Options{}, analysis(t, c.r, difficulty.Options{Method: c.m, Seed: 1}, c.name)))
		})
	}
}

// Names from outside mean only themselves, in every file.
func TestForeignText(t *testing.T) {
	hostile := []string{"<script>alert(1)</script>", "=cmd|' /C calc'!A0", "a\x1b[31mred", "מודל 4", "模型🚀", "50% & \\input{x} | `b`", "\u202Eevil", "two\nlines", "[1,\n 2, 3]", strings.Repeat("long ", 3000)}
	r := responses(len(hostile), len(hostile), 20, 5)
	r.Items, r.Respondents = hostile, slices.Clone(hostile)
	a := analysis(t, r, difficulty.Options{Seed: 1, Subset: 3}, "<b>\u202E")
	dir := written(t, build(t, diffreport.Options{Title: "<h1>@x"}, a))
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.ContainsRune(text, 0x1b) || bytes.ContainsRune(text, 0x202e) {
			t.Errorf("%s has a control sequence", path)
		}
		if filepath.Ext(path) == ".html" && (bytes.Contains(text, []byte("<script>")) || bytes.Contains(text, []byte("<img"))) {
			t.Errorf("%s has markup from outside", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	back, err := difficulty.Read(os.DirFS(dir))
	if err != nil || !slices.ContainsFunc(back.Tasks, func(x difficulty.Task) bool { return x.ID == "[1,\n 2, 3]" }) {
		t.Errorf("a name is changed in the data: %v", err)
	}
}

// What somebody changes in a written report is found.
func TestTampering(t *testing.T) {
	a := full(t, 8)
	hardest := a.Tasks[0]
	for _, c := range []struct{ file, old, new string }{
		{"report.html", fmt.Sprintf(">%.2f<", hardest.Difficulty.Value), ">0.01<"},
		{"report.json", `"suspects": 1`, `"suspects": 0`},
		{"report.json", `"kind": "suspect"`, `"kind": ""`},
		{"report.json", `"mean": ` + strings.TrimRight(fmt.Sprintf("%.3f", hardest.Mean), "0"), `"mean": 0.9`},
		{report.DatasetFile("tasks"), hardest.ID + ",", "another,"},
		{report.DatasetFile("responses"), ",20,", ",21,"},
	} {
		t.Run(c.file+" "+c.new, func(t *testing.T) {
			sampled.Row(t, 3)
			dir := written(t, build(t, diffreport.Options{}, a))
			path := filepath.Join(dir, c.file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(text), c.old, c.new, 1)
			if changed == string(text) {
				t.Fatalf("%s has no %q", c.file, c.old)
			}
			if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
			if faults := faultsIn(t, dir); len(faults) < 2 { // the sum, and what it says
				t.Errorf("found only %q", faults)
			}
		})
	}
}

// A difficulty.json of which something is missing is an error, not a crash.
func TestCutShort(t *testing.T) {
	a := full(t, 8)
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	for name, value := range whole {
		list, is := value.([]any)
		if !is || len(list) < 2 {
			continue
		}
		whole[name] = list[:1]
		cut, err := json.Marshal(whole)
		whole[name] = value
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, difficulty.FileName), cut, 0o644); err != nil {
			t.Fatal(err)
		}
		if back, err := difficulty.Read(os.DirFS(dir)); err == nil {
			if r, err := diffreport.Build([]*difficulty.Analysis{back}, diffreport.Options{}); err == nil {
				markdown(t, r)
			}
		}
	}
}

// A construct whose p lies beyond the table of the Anderson-Darling test is written as a
// bound.
func TestBounds(t *testing.T) {
	a := full(t, 7)
	a.Constructs.Difficulty = []difficulty.ConstructRow{{Model: "model 6", Construct: quality.AllConstructs()[0], N: 30, Tau: 0.5, P: 0.0001, Holm: 0.0001, AD: 9, ADP: 0.001, ADCapped: stats.AtMost, ADHolm: 0.011},
		{Model: "model 6", Construct: quality.AllConstructs()[1], N: 30, Tau: 0.5, P: 0.05, Holm: 0.05, AD: -1, ADP: 0.25, ADCapped: stats.AtLeast, ADHolm: 0.5}}
	text := strings.ReplaceAll(markdown(t, build(t, diffreport.Options{}, a)), "&lt;", "<")
	for _, want := range []string{"| <0.001 | <0.001 | 9.00 | <0.001 | ≤0.011 |", "| 0.050 | 0.050 | -1.00 | >0.25 | ≥0.500 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s", want)
		}
	}
}
