package evaluations_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session"
	"assay/session/report"
	"assay/session/report/evaluations"
	"assay/session/report/reporttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// written writes a report into a folder and checks it there.
func written(t *testing.T, r *evaluations.Report) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := r.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	if faults := faultsIn(t, dir); len(faults) > 0 {
		t.Errorf("the written report does not hold: %q", faults)
	}
	reporttest.Repeat(t, dir)
	return dir
}

func faultsIn(t *testing.T, dir string) (faults []string) {
	t.Helper()
	_, checks, err := evaluations.CheckFiles(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		faults = append(faults, c.Faults...)
		if c.Compared == 0 && !strings.HasPrefix(c.Name, "Comparisons") {
			t.Errorf("%s: nothing was compared", c.Name)
		}
	}
	return faults
}

// All tables of eight tasks, whose metrics TestGroups has by hand.
func TestGolden(t *testing.T) {
	r := build(t, two(), evaluations.Options{Tasks: eight(), Title: "Two runs of eight tasks"})
	var text bytes.Buffer
	if err := r.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	golden(t, "eight.md", text.Bytes())
	written(t, r)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not as it was; go test -update writes it anew. Now:\n%s", path, got)
	}
}

// Real samples, as `assay eval --out` left their results: testdata/README.md.
func TestExample(t *testing.T) {
	var runs []evaluations.Results
	for _, name := range []string{"gpt-4", "bard"} {
		rows, err := batch.ReadResults(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, evaluations.Results{Name: name, Rows: rows})
	}
	r := build(t, runs, evaluations.Options{})
	var text bytes.Buffer
	if err := r.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	golden(t, "example.md", text.Bytes())
	written(t, r)
}

func TestEdges(t *testing.T) {
	failed := func(rows []batch.Row, v verdicts.Verdict) []batch.Row {
		for i := range rows {
			rows[i].Verdict, rows[i].PassedTests, rows[i].TotalTests, rows[i].Measures = v, 0, 0, nil
		}
		return rows
	}
	for _, c := range []struct {
		name string
		runs []evaluations.Results
		o    evaluations.Options
	}{
		{"one run, one task, one sample", []evaluations.Results{run("only", map[string][]int{"a": {10}})}, evaluations.Options{}},
		{"tokens and prices", spending(two()), evaluations.Options{Tasks: eight()}},
		{"no accepted sample", []evaluations.Results{run("poor", map[string][]int{"a": {0, 0}, "b": {5, 0}})}, evaluations.Options{}},
		{"all withheld", []evaluations.Results{{Name: "x", Rows: failed(two()[0].Rows, verdicts.SandboxError)}}, evaluations.Options{Tasks: eight()}},
		{"all withheld in both", []evaluations.Results{{Name: "x", Rows: failed(two()[0].Rows, verdicts.SandboxError)}, {Name: "y", Rows: failed(two()[1].Rows, verdicts.SandboxError)}}, evaluations.Options{Tasks: eight()}},
		{"withheld in one", []evaluations.Results{{Name: "x", Rows: failed(two()[0].Rows, verdicts.SandboxError)}, two()[1]}, evaluations.Options{Tasks: eight()}},
		{"not judged", []evaluations.Results{{Name: "x", Rows: failed(two()[0].Rows, verdicts.NotJudged)}}, evaluations.Options{}},
		{"none compiles", []evaluations.Results{{Name: "x", Rows: failed(two()[0].Rows, verdicts.CompileError)}}, evaluations.Options{}},
		{"other numbers of samples", []evaluations.Results{run("x", map[string][]int{"a": {10}, "b": {10, 0, 5}})}, evaluations.Options{}},
		{"seven runs", seven(), evaluations.Options{By: [][]string{{"difficulty", "year"}, {"category"}}, Tasks: eight(), K: []int{1, 2, 5}}},
		{"other tasks", []evaluations.Results{run("x", map[string][]int{"easy-2022-1": {10}, "z": {10}})}, evaluations.Options{Tasks: eight()}},
	} {
		t.Run(c.name, func(t *testing.T) { written(t, build(t, c.runs, c.o)) })
	}
}

func seven() (runs []evaluations.Results) {
	for i := range 7 {
		r := two()[i%2]
		r.Name = fmt.Sprintf("model %d", i+1)
		runs = append(runs, r)
	}
	return runs
}

// Names and ids from outside mean only themselves, in every file.
func TestForeignText(t *testing.T) {
	hostile := []string{"<script>alert(1)</script>", "=cmd|' /C calc'!A0", "a\x1b[31mred", "ared", "מודל 4", "模型🚀", "50% & \\input{x} | `b`", "1", "\u202Eevil", "two\nlines", "'=cmd|' /C calc'!A0"}
	b := &benchmark.Benchmark{Name: "<b>"}
	rows := map[string][]int{}
	for i, id := range hostile {
		b.Tasks = append(b.Tasks, benchmark.Task{ID: id, Category: hostile[(i+1)%len(hostile)], Difficulty: benchmark.Easy, Topics: []string{id, "x; y"}})
		rows[id] = []int{10 - i, i}
	}
	var runs []evaluations.Results
	for _, name := range []string{"=1+1 <img src=x>", "מודל 4", "模型🚀"} {
		runs = append(runs, run(name, rows))
	}
	dir := written(t, build(t, runs, evaluations.Options{Tasks: b, Title: "<h1>@x"}))
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
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
		if filepath.Ext(path) == ".csv" {
			for line := range strings.Lines(string(text)) {
				for cell := range strings.SplitSeq(line, ",") {
					if cell = strings.Trim(cell, "\""); strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") {
						t.Errorf("%s has the formula %q", path, cell)
					}
				}
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// What somebody changes in a written report is found.
func TestTampering(t *testing.T) {
	for _, c := range []struct{ file, old, new string }{
		{"report.html", ">45<", ">46<"},
		{"report.json", `"scored": 8`, `"scored": 7`},
		{"report.json", `"accepted": 15`, `"accepted": 16`},
		{"dataset/data/description-samples_data.csv", ",wrong_answer,5,10,", ",wrong_answer,6,10,"},
		{"dataset/data/description-tasks_data.csv", "first,easy-2022-2,", "first,easy-2022-9,"},
	} {
		t.Run(c.file+" "+c.new, func(t *testing.T) {
			sampled.Row(t, 3)
			dir := written(t, build(t, two(), evaluations.Options{Tasks: eight()}))
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

// A report.json that somebody cut short is an error, not a crash.
func TestCutShort(t *testing.T) {
	dir := written(t, build(t, two(), evaluations.Options{Tasks: eight()}))
	path := filepath.Join(dir, "report.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	for name := range whole {
		if name == "assay_batch_report" {
			continue
		}
		cut := maps.Clone(whole)
		delete(cut, name)
		text, err := json.Marshal(cut)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		_, checks, err := evaluations.CheckFiles(os.DirFS(dir))
		faults := 0
		for _, c := range checks {
			faults += len(c.Faults)
		}
		if err == nil && faults == 0 {
			t.Errorf("without %q the report holds", name)
		}
	}
}

// spending gives the first run tokens with prices, the second an agent's own cost, and a third, if any, tokens alone.
func spending(runs []evaluations.Results) []evaluations.Results {
	price := session.Price{In: 2.5, Cached: 1.25, Out: 10, Currency: "USD", At: "2026-03-01"}
	account := session.Account{Answers: 40, Uncounted: 3, Input: 123_456, Cached: 100_000, Output: 7_890, Reasoning: 1_234}
	for i := range runs {
		switch i {
		case 0:
			runs[i].Spent = report.NewSpent(account, &price)
		case 1:
			account.CostUSD = 0.75
			runs[i].Spent = report.NewSpent(account, &price)
		default:
			runs[i].Spent = report.NewSpent(account, nil)
		}
	}
	return runs
}

// TestSpent: the page says what the answers of each run took and cost; without any account it says nothing.
func TestSpent(t *testing.T) {
	three := append(two(), run("third", map[string][]int{"easy-2022-1": {10, 10}}))
	for _, tt := range []struct {
		runs []evaluations.Results
		has  []string
		not  string
	}{
		{two(), nil, "What the answers took"},
		{spending(three)[2:], []string{"123456"}, "cost"},
		{spending(three), []string{"| first | 40 | 3 | 123456 | 100000 | 7890 | 1234 | 0.2625 USD |", "| second | 40 | 3 | 123456 | 100000 | 7890 | 1234 | 0.7500 USD |", "| third | 40 | 3 | 123456 | 100000 | 7890 | 1234 | – |", "| 2.5000 | 1.2500 | 10.0000 | USD | 2026-03-01 |"}, ""},
	} {
		var page strings.Builder
		fatal.If(t, build(t, tt.runs, evaluations.Options{}).Markdown(&page))
		_, part, found := strings.Cut(page.String(), "What the answers took")
		for _, want := range tt.has {
			if !strings.Contains(part, want) {
				t.Errorf("no %q in %s", want, part[:min(len(part), 2000)])
			}
		}
		if found == (tt.has == nil) || tt.not == "cost" && strings.Contains(part, "Prices of a million") {
			t.Errorf("%v: %s", tt.has, part[:min(len(part), 2000)])
		}
	}
}
