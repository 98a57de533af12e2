package evaluations_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
	"assay/scoring/stats"
	"assay/session/report/evaluations"
)

// Table 2 of Yeo et al.: one model, three types of prompts, ten problems, one sample.
func paperTable2() []evaluations.Results {
	var runs []evaluations.Results
	for i, solved := range []string{"PPPFFFPPPF", "PPPFFPPPPF", "PPPPFPPPPF"} {
		passed := map[string][]int{}
		for task, outcome := range solved {
			passed[fmt.Sprint(task+1)] = []int{map[rune]int{'P': 10, 'F': 4}[outcome]}
		}
		r := run("", passed)
		r.Model, r.Prompt = "GPT-3.5", fmt.Sprintf("level-%d", i+1)
		runs = append(runs, r)
	}
	return runs
}

// The table comes out as it is printed in the paper, whatever order the runs are in.
func TestPublishedPromptTypes(t *testing.T) {
	runs := paperTable2()
	runs[0], runs[2] = runs[2], runs[0]
	r := build(t, runs, evaluations.Options{})
	var text bytes.Buffer
	if err := r.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	want := `| prompt type | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |
|:--|:--|:--|:--|:--|:--|:--|:--|:--|:--|:--|
| level-1 (description only) | pass | pass | pass | fail | fail | fail | pass | pass | pass | fail |
| level-2 (description + constraints) | pass | pass | pass | fail | fail | pass | pass | pass | pass | fail |
| level-3 (description + constraints + examples) | pass | pass | pass | pass | fail | pass | pass | pass | pass | fail |
`
	if got := strings.ReplaceAll(text.String(), `\-`, "-"); !strings.Contains(got, want) {
		t.Errorf("the table of prompt types is not the paper's:\n%s", got)
	}
	// 6, 7 and 8 of 10: from level to level one more, from the first to the last two.
	for i, want := range []struct {
		difference   float64
		gained, lost int
	}{{0.1, 1, 0}, {0.1, 1, 0}, {0.2, 2, 0}} {
		e := r.Prompts.Effects[i]
		near(t, e.From+" to "+e.To, e.Measures[0].Difference.Value, want.difference)
		if e.Gained != want.gained || e.Lost != want.lost || e.Flips.N != 10 || e.Ends != (i == 2) {
			t.Errorf("%s to %s: %d gained, %d lost of %d, ends %v", e.From, e.To, e.Gained, e.Lost, e.Flips.N, e.Ends)
		}
	}
	written(t, r)
}

// study is two models with three levels and two contexts of three wordings, with
// cutoffs, outliers, and prompts that nobody reviewed.
func study() ([]evaluations.Results, evaluations.Options) {
	random := rand.New(rand.NewPCG(3, 0))
	b := eight()
	for i := range b.Tasks {
		b.Tasks[i].Published = benchmark.Date([]string{"2021-05-01", "2022-02-28", "2022-03", "2023-01-15", "", "2022-03-01", "2023", "2022-03-02"}[i])
	}
	var runs []evaluations.Results
	for m, model := range []string{"alpha", "beta"} {
		for p, prompt := range []string{"context-2.10", "level-1", "level-2", "level-3", "context-1.1", "context-1.2", "context-2.1", "context-2.2"} {
			passed := map[string][]int{}
			for i := range b.Tasks {
				for range 4 {
					n := 10
					if random.Float64() < 0.5-0.05*float64(p)+0.1*float64(m) {
						n = random.IntN(10)
					}
					passed[b.Tasks[i].ID] = append(passed[b.Tasks[i].ID], n)
				}
			}
			r := run("", passed)
			r.Model, r.Prompt, r.Unreviewed = model, prompt, strings.HasPrefix(prompt, "context-2") && m == 0
			if m == 0 {
				r.Cutoff = time.Date(2022, 3, 1, 0, 0, 0, 0, time.UTC)
			}
			if p < 4 {
				r.Generated, r.Flags = 33, map[string]int{"refusal": 2, "no_code": 1, "odd": 1}
				r.Flagged = map[string][]int{"easy-2022-1": {0, 3}, "hard-2023-2": {1}}
			}
			runs = append(runs, r)
		}
	}
	return runs, evaluations.Options{Tasks: b, Title: "Two models, eight types of prompts", K: []int{1, 4}}
}

// sections are those of a report whose titles begin so.
func sections(markdown string, titles ...string) []byte {
	var kept []byte
	for _, part := range strings.Split(markdown, "\n## ") {
		for _, title := range titles {
			if strings.HasPrefix(part, title) {
				kept = append(append(append(kept, "## "...), part...), '\n')
			}
		}
	}
	return kept
}

func TestAnalysesGolden(t *testing.T) {
	runs, o := study()
	r := build(t, runs, o)
	var text bytes.Buffer
	if err := r.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	golden(t, "prompts.md", sections(text.String(), "Outliers", "Prompts, difficulty", "What the type", "Before and after"))
	written(t, r)
	if n := len(r.Prompts.Effects); n != 2*(3+1)+3+1 {
		t.Errorf("%d effects", n)
	}
	if w := r.Prompts.Wordings; len(w) != 4 || w[0].Wordings != 2 || w[1].Wordings != 3 || w[0].Problem != "" {
		t.Errorf("wordings: %+v", w)
	}
	// Before or on the day: 2021-05-01, 2022-02-28, 2022-03-01; after: 2023-01-15, 2023,
	// 2022-03-02; the month is not enough for 2022-03; one has no date.
	for _, c := range r.Cutoffs {
		if c.Before.N != 3 || c.After.N != 3 || c.Unclear != 1 || c.Undated != 1 {
			t.Errorf("%s: %d before, %d after, %d unclear, %d undated", c.Run, c.Before.N, c.After.N, c.Unclear, c.Undated)
		}
	}
	if len(r.Cutoffs) != 8 {
		t.Errorf("%d runs are split by a cutoff", len(r.Cutoffs))
	}
}

// Every table that has a number of an unreviewed run says so.
func TestUnreviewed(t *testing.T) {
	runs := two()
	runs[0].Name, runs[0].Unreviewed = "unlooked at", true
	r := build(t, runs, evaluations.Options{Tasks: eight()})
	named := 0
	for _, table := range r.Document().Tables() {
		var text bytes.Buffer
		if err := table.LaTeX(&text); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), "unlooked at") {
			if named++; strings.Count(text.String(), "‡") < 2 || !strings.Contains(text.String(), "nobody reviewed") {
				t.Errorf("table %s names the run without saying that its prompts are not reviewed", table.ID)
			}
		}
	}
	if named < 8 {
		t.Errorf("%d tables name the run", named)
	}
}

// The metrics without flagged samples, by hand: of a, two of three samples are left, one
// accepted; of b none is left, so b is in no mean.
func TestWithoutFlagged(t *testing.T) {
	one := run("one", map[string][]int{"a": {10, 5, 0}, "b": {0, 0, 0}})
	one.Generated, one.Flags = 7, map[string]int{"empty": 4}
	one.Flagged = map[string][]int{"a": {2}, "b": {0, 1, 2}}
	r := build(t, []evaluations.Results{one}, evaluations.Options{K: []int{1, 3}})
	x := r.Runs[0]
	near(t, "pass@1, all", x.Metrics[0].Value, (1.0/3)/2)
	near(t, "pass@1, without", x.Without[0].Value, 0.5)
	near(t, "pass-ratio, without", x.Without[3].Value, (1+0.25)/2)
	if x.Flagged != 4 || x.Without[0].N != 1 || !math.IsNaN(float64(x.Without[1].Value)) {
		t.Errorf("%d flagged, over %d tasks, pass@3 %v", x.Flagged, x.Without[0].N, float64(x.Without[1].Value))
	}
	if f := x.Flags[0]; f.Name != "empty" || f.Count != 4 || f.N != 7 || x.Flags[2].Name != "refusal" || x.Flags[2].Count != 0 {
		t.Errorf("flags: %+v", x.Flags)
	}
	written(t, r)
}

// made are runs over the same tasks that solve a share of them each.
func made(tasks int, shares ...float64) (runs []evaluations.Results) {
	random := rand.New(rand.NewPCG(5, 0))
	hard := make([]float64, tasks)
	for i := range hard {
		hard[i] = random.Float64()
	}
	for n, share := range shares {
		r := evaluations.Results{Name: fmt.Sprintf("model %d", n+1)}
		for i := range tasks {
			passed := random.IntN(10)
			if 0.7*hard[i]+0.3*random.Float64() < share {
				passed = 10
			}
			r.Rows = append(r.Rows, sample(fmt.Sprint("t/", i), 0, passed, 10))
		}
		runs = append(runs, r)
	}
	return runs
}

// Ranks and ties: the best stands alone, equal ones share a rank, and who is not told
// apart from whom is what Holm's correction over all pairs says.
func TestLeaderboard(t *testing.T) {
	runs := made(100, 0.2, 0.9, 0.25, 0.5)
	again := runs[2]
	again.Name = "model 3 again"
	runs = append(runs, again)
	r := build(t, runs, evaluations.Options{})
	if len(r.Leaderboards) != 1 || r.Leaderboards[0].Tests != 18 { // six pairs of four different runs, in three different metrics
		t.Fatalf("%+v", r.Leaderboards)
	}
	var text bytes.Buffer
	if err := r.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	golden(t, "leaderboard.md", sections(text.String(), "Leaderboard"))
	rows := r.Leaderboards[0].Rows
	if rows[0].Run != "model 2" || rows[0].Rank != 1 || len(rows[0].Ties) != 0 || rows[1].Run != "model 4" || len(rows[1].Ties) != 0 {
		t.Errorf("the first: %+v\n%+v", rows[0], rows[1])
	}
	if rows[2].Rank != 3 || rows[3].Rank != 3 || rows[4].Rank != 5 {
		t.Errorf("ranks %d, %d, %d", rows[2].Rank, rows[3].Rank, rows[4].Rank)
	}
	if fmt.Sprint(rows[2].Ties, rows[4].Ties) != "[{3 5}] [{3 3}]" {
		t.Errorf("ties: %v %v", rows[2].Ties, rows[4].Ties)
	}
	best := rows[4].Best
	near(t, "the last against the best", best.Difference.Value, float64(rows[4].Metric.Value-rows[0].Metric.Value))
	if best.Run != "model 2" || best.Difference.Interval == nil || !(best.Difference.Interval.High < 0) || !(best.P < best.Holm) || !(best.Holm < 0.05) {
		t.Errorf("the last against the best: %+v", best)
	}
	written(t, r)
}

// planted is a change of a report that a check has to find.
type planted struct {
	name   string
	report *evaluations.Report
	change func(*evaluations.Report)
}

// plantedErrors are wrong numbers in the leaderboard of one report, and in the prompts,
// cutoffs and outliers of another.
func plantedErrors(many, r *evaluations.Report) []planted {
	return []planted{
		{"a rank", many, func(r *evaluations.Report) { r.Leaderboards[0].Rows[1].Rank = 1 }},
		{"an order", many, func(r *evaluations.Report) {
			rows := r.Leaderboards[0].Rows
			rows[0].Metric, rows[1].Metric = rows[1].Metric, rows[0].Metric
		}},
		{"a tie", many, func(r *evaluations.Report) {
			r.Leaderboards[0].Rows[0].Ties = append(r.Leaderboards[0].Rows[0].Ties, evaluations.Ranks{From: 2, To: 2})
		}},
		{"a difference to the best", many, func(r *evaluations.Report) { r.Leaderboards[0].Rows[2].Best.Difference.Value /= 2 }},
		{"a corrected p", many, func(r *evaluations.Report) { r.Leaderboards[0].Rows[2].Above.Holm /= 2 }},
		{"accepted samples", many, func(r *evaluations.Report) { r.Leaderboards[0].Rows[0].Accepted++ }},
		{"no leaderboard", many, func(r *evaluations.Report) { r.Leaderboards = nil }},
		{"an effect", r, func(r *evaluations.Report) { r.Prompts.Effects[0].Measures[1].Difference.Value += 0.01 }},
		{"an effect over models", r, func(r *evaluations.Report) {
			r.Prompts.Effects[len(r.Prompts.Effects)-1].Measures[0].To += 0.01
		}},
		{"an effect left out", r, func(r *evaluations.Report) { r.Prompts.Effects = r.Prompts.Effects[1:] }},
		{"the corrected p of an effect", r, func(r *evaluations.Report) { r.Prompts.Effects[2].Measures[0].Holm = 0.01 }},
		{"a flip", r, func(r *evaluations.Report) { r.Prompts.Effects[1].Gained++ }},
		{"a variance", r, func(r *evaluations.Report) { r.Prompts.Wordings[0].Between.Value /= 3 }},
		{"the best wording", r, func(r *evaluations.Report) { r.Prompts.Wordings[1].Highest.Value += 0.1 }},
		{"wordings left out", r, func(r *evaluations.Report) { r.Prompts.Wordings = r.Prompts.Wordings[:1] }},
		{"tasks before the cutoff", r, func(r *evaluations.Report) { r.Cutoffs[0].Before.N++ }},
		{"the difference at the cutoff", r, func(r *evaluations.Report) {
			r.Cutoffs[0].Differences[0].Value = -r.Cutoffs[0].Differences[0].Value - 0.1
		}},
		{"a cutoff left out", r, func(r *evaluations.Report) { r.Cutoffs = r.Cutoffs[1:] }},
		{"a metric without flagged samples", r, func(r *evaluations.Report) { r.Runs[1].Without[0].Value = 1 }},
		{"flagged samples", r, func(r *evaluations.Report) { r.Runs[1].Flagged-- }},
		{"answers with a flag", r, func(r *evaluations.Report) { r.Runs[1].Flags[2].Count-- }},
		{"what was reviewed", r, func(r *evaluations.Report) { r.Runs[0].Unreviewed = false }},
		{"a prompt", r, func(r *evaluations.Report) { r.Runs[1].Prompt = "level-2" }},
	}
}

// Tables that have no room for the names of runs call them by numbers, which are explained.
func TestNumberedRuns(t *testing.T) {
	var runs []evaluations.Results
	for _, name := range []string{"a-model-with-a-long-name", "another-with-a-long-name", "the-last-with-a-long-name"} {
		runs = append(runs, run(name, map[string][]int{"1": {10}, "2": {4}}))
	}
	var text bytes.Buffer
	if err := build(t, runs, evaluations.Options{}).Markdown(&text); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(text.String(), `\-`, "-")
	if !strings.Contains(got, "| run 1 | run 2 | run 3 |") {
		t.Fatalf("no table has numbers of runs:\n%s", got)
	}
	for i, r := range runs {
		if want := fmt.Sprintf("run %d: %s\n", i+1, r.Name); strings.Count(got, want) != 1 {
			t.Errorf("%q does not stand in the report once:\n%s", want, got)
		}
	}
}

// What somebody changes in the analyses is found by working them out again, not only by
// the sums of the files.
func TestTamperingWithAnalyses(t *testing.T) {
	runs, o := study()
	r, many := build(t, runs, o), build(t, made(30, 0.2, 0.9, 0.5), evaluations.Options{})
	dirs := map[*evaluations.Report]string{r: written(t, r), many: written(t, many)}
	for _, c := range plantedErrors(many, r) {
		t.Run(c.name, func(t *testing.T) {
			sampled.Row(t, 3)
			dir := dirs[c.report]
			path := filepath.Join(dir, "report.json")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := os.WriteFile(path, text, 0o644); err != nil {
					t.Error(err)
				}
			}()
			var wrong evaluations.Report
			if err := json.Unmarshal(text, &wrong); err != nil {
				t.Fatal(err)
			}
			c.change(&wrong)
			var changed bytes.Buffer
			if err := wrong.JSON(&changed); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, changed.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			_, checks, err := evaluations.CheckFiles(os.DirFS(dir))
			if err != nil {
				t.Fatal(err)
			}
			faults := 0
			for _, check := range checks {
				if !strings.HasPrefix(check.Name, "Files") && !strings.HasPrefix(check.Name, "Numbers") {
					faults += len(check.Faults)
				}
			}
			if faults == 0 {
				t.Error("not found")
			}
		})
	}
}

// The recorded models over HumanEval, as `assay eval` left their results in the folders
// of $ASSAY_RECORDED: the counts of the leaderboard are those of samples/EXPECTED.tsv.
func TestRecordedModels(t *testing.T) {
	recorded := os.Getenv("ASSAY_RECORDED")
	if recorded == "" {
		t.Skip("judging the recorded samples takes minutes: set ASSAY_RECORDED to a folder with the results of each file in a folder of its name, and ASSAY_SHARED")
	}
	table, err := os.ReadFile(filepath.Join(os.Getenv("ASSAY_SHARED"), "samples", "EXPECTED.tsv"))
	if err != nil {
		t.Skip(err)
	}
	want := map[string]int{}
	var runs []evaluations.Results
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		name := strings.TrimSuffix(cells[0], ".jsonl")
		rows, err := batch.ReadResults(filepath.Join(recorded, name))
		if err != nil {
			continue // the head, and files that are not in models/
		}
		want[name], _ = strconv.Atoi(cells[2])
		runs = append(runs, evaluations.Results{Name: name, Rows: rows})
	}
	// One sample redefines the helper of its own test, which openai/human-eval accepts: see
	// rejectedOnPurpose of benchmark/judge.
	want["Aeala_VicUnlocked-alpaca-65b-4bit_ALPACA_MD_RECALC"]--
	start := time.Now()
	r := build(t, runs, evaluations.Options{})
	t.Logf("%d runs in %v", len(runs), time.Since(start))
	if len(runs) != 32 {
		t.Fatalf("%d of 32 models", len(runs))
	}
	for _, row := range r.Leaderboards[0].Rows {
		if row.Accepted != want[row.Run] || row.Counted != 164 {
			t.Errorf("%s: %d of %d accepted, not %d", row.Run, row.Accepted, row.Counted, want[row.Run])
		}
	}
	written(t, r)
}

// BenchmarkLeaderboard is a report of 32 runs of 164 tasks.
func BenchmarkLeaderboard(b *testing.B) {
	var shares []float64
	for i := range 32 {
		shares = append(shares, 0.1+0.02*float64(i))
	}
	runs := made(164, shares...)
	for b.Loop() {
		if _, err := evaluations.Build(runs, evaluations.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Wordings that differ are told from samples that do: in made-up runs the variance
// between wordings is about what they were made with.
func TestWordingVariance(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 0))
	const tasks, wordings, samples = 150, 4, 5
	var runs []evaluations.Results
	var truth []float64
	chances := make([][]float64, tasks)
	for i := range chances {
		for range wordings {
			chances[i] = append(chances[i], 0.3+0.4*random.Float64())
		}
		sd := stats.SD(chances[i])
		truth = append(truth, sd*sd)
	}
	for w := range wordings {
		r := evaluations.Results{Model: "m", Prompt: fmt.Sprintf("context-1.%d", w+1)}
		for i := range tasks {
			for n := range samples {
				row := batch.Row{TaskID: fmt.Sprint(i), Sample: n, Verdict: verdicts.WrongAnswer, TotalTests: 1}
				if random.Float64() < chances[i][w] {
					row.Verdict, row.PassedTests = verdicts.Accepted, 1
				}
				r.Rows = append(r.Rows, row)
			}
		}
		runs = append(runs, r)
	}
	r := build(t, runs, evaluations.Options{})
	x := r.Prompts.Wordings[0]
	if iv := x.Between.Interval; iv == nil || !(iv.Low < stats.Mean(truth) && stats.Mean(truth) < iv.High) || iv.High > 0.03 {
		t.Errorf("between wordings %+v, made with %v", x.Between, stats.Mean(truth))
	}
	if s := float64(x.Sampling); math.Abs(s-0.237) > 0.01 { // E p(1-p) for p from 0.3 to 0.7
		t.Errorf("sampling variance %v", s)
	}
	for i := range runs {
		runs[i].Rows = slices.DeleteFunc(runs[i].Rows, func(row batch.Row) bool { return row.Sample > 0 })
	}
	var text bytes.Buffer
	if err := build(t, runs, evaluations.Options{}).Markdown(&text); err != nil || !strings.Contains(text.String(), "–: with one sample for a wording, wordings cannot be told from samples.") {
		t.Errorf("it does not say why there are no variances: %v", err)
	}
}

// Tables 3 and 5 of Yeo et al. from made-up samples with the paper's pass@1 and pass@5:
// ten tasks a cell, five samples a task.
func TestPublishedGroups(t *testing.T) {
	b := &benchmark.Benchmark{Name: "ninety"}
	passed := map[string][]int{}
	type cell struct {
		accepted, solved int    // of 50 samples, of 10 tasks
		row, count       string // in tables 5 and 3
	}
	paper := [][]cell{
		{{40, 9, "80", "8.0 (9) of 10"}, {31, 8, "62", "6.2 (8) of 10"}, {32, 8, "64", "6.4 (8) of 10"}},
		{{20, 6, "40", "4.0 (6) of 10"}, {8, 2, "16", "1.6 (2) of 10"}, {7, 3, "14", "1.4 (3) of 10"}},
		{{13, 4, "26", "2.6 (4) of 10"}, {0, 0, "0", "0.0 (0) of 10"}, {0, 0, "0", "0.0 (0) of 10"}},
	}
	for d, difficulty := range benchmark.Difficulties {
		for y, x := range paper[d] {
			for i := range 10 {
				id, year := fmt.Sprintf("%s-%d-%d", difficulty, y, i), 2021+y
				if y == 0 {
					year -= i % 3 // up to 2021
				}
				b.Tasks = append(b.Tasks, benchmark.Task{ID: id, Difficulty: difficulty, Published: benchmark.Date(fmt.Sprint(year))})
				passed[id] = []int{4, 4, 4, 4, 4}
				for n := i; i < x.solved && n < x.accepted; n += x.solved { // spread over the solved ones
					passed[id][n/x.solved] = 10
				}
			}
		}
	}
	r := run("", passed)
	r.Model, r.Prompt = "GPT-3.5", "level-3"
	made := build(t, []evaluations.Results{r}, evaluations.Options{Tasks: b})
	var text bytes.Buffer
	if err := made.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	got := text.String()
	for d, difficulty := range benchmark.Difficulties {
		want := []string{fmt.Sprintf("| GPT-3.5, level-3 | %s | %s | %s | %s |", difficulty, paper[d][0].count, paper[d][1].count, paper[d][2].count)}
		for y, x := range paper[d] {
			g := made.Groups.Runs[0][d][y]
			if g.N != 10 || g.Solved != x.solved {
				t.Errorf("%s, %s: %d tasks, %d solved", difficulty, made.Groups.Years[y], g.N, g.Solved)
			}
			want = append(want, fmt.Sprintf("| %s | 10 | %s |", made.Groups.Years[y], x.row))
		}
		for _, line := range want {
			if !strings.Contains(strings.ReplaceAll(got, `\`, ""), line) {
				t.Errorf("no row %q", line)
			}
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}
