package batch

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
)

// casesJudge is a fakeJudge whose results have test cases, the first of which passed.
type casesJudge struct{ fakeJudge }

func (f *casesJudge) Judge(ctx context.Context, s verdicts.Submission) (verdicts.Result, error) {
	r, err := f.fakeJudge.Judge(ctx, s)
	for i := range r.Total {
		status := verdicts.Passed
		if i >= r.Passed {
			status = verdicts.NotRun
		}
		r.Cases = append(r.Cases, verdicts.CaseResult{Index: i + 1, Status: status})
	}
	r.Message = map[bool]string{false: "it \"failed\""}[r.Verdict == verdicts.Accepted]
	return r, err
}

var noon = time.Date(2026, 3, 9, 12, 30, 0, 0, time.UTC)

// evaluated judges samples and writes their results as another tool does.
func evaluated(t *testing.T, path string, b *benchmark.Benchmark, as ResultsFormat) ([]string, error) {
	t.Helper()
	o := Options{Samples: path, Benchmark: b, Out: t.TempDir(), Judge: &casesJudge{}, NoMeasures: true}
	if _, err := Eval(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return WriteResults(o, as, "d41d8cd9", noon)
}

func TestHumanEvalResults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	const text = `{"task_id": "a", "completion": "accepted 2/2", "temperature": 0.2}
{"completion": "wrong_answer 1/2", "task_id": "b"}
{"task_id": "a", "solution": "time_limit 0/2", "result": "passed", "passed": true}
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	paths, err := evaluated(t, path, tasks("a", "b"), HumanEvalResults)
	if err != nil || len(paths) != 1 || filepath.Base(paths[0]) != "s.jsonl_results.jsonl" {
		t.Fatal(paths, err)
	}
	got, err := os.ReadFile(paths[0])
	const want = `{"task_id": "a", "completion": "accepted 2/2", "temperature": 0.2, "result": "passed", "passed": true}
{"completion": "wrong_answer 1/2", "task_id": "b", "result": "failed: it \"failed\"", "passed": false}
{"passed":false,"result":"timed out","solution":"time_limit 0/2","task_id":"a"}
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	// They are samples again.
	if again, err := format.OpenSamples(paths[0]); err != nil || again.Format() != format.HumanEvalSamples {
		t.Error(err)
	} else {
		again.Close()
	}
}

func TestEvalPlusResults(t *testing.T) {
	b, _, err := format.LoadAs("../../benchmark/format/testdata/evalplus.jsonl", "")
	if err != nil {
		t.Fatal(err)
	}
	b.Tasks = append(b.Tasks, tasks("plain").Tasks...)
	// Mbpp/900 has one base test, [1], and one plus test, [2].
	path := samples(t, "Mbpp/900 accepted 2/2", "Mbpp/900 wrong_answer 1/2", "Mbpp/900 time_limit 0/2", "plain wrong_answer 0/1")
	paths, err := evaluated(t, path, b, EvalPlusResults)
	if err != nil || filepath.Base(paths[0]) != "eval_results.json" {
		t.Fatal(paths, err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"date":"2026-03-09 12:30","hash":"d41d8cd9","eval":{"Mbpp/900":[` +
		`{"task_id":"Mbpp/900","solution":"accepted 2/2","base_status":"pass","plus_status":"pass","base_fail_tests":[],"plus_fail_tests":[]},` +
		`{"task_id":"Mbpp/900","solution":"wrong_answer 1/2","base_status":"pass","plus_status":"fail","base_fail_tests":[],"plus_fail_tests":[[2]]},` +
		`{"task_id":"Mbpp/900","solution":"time_limit 0/2","base_status":"timeout","plus_status":"timeout","base_fail_tests":[[1]],"plus_fail_tests":[[2]]}],` +
		`"plain":[{"task_id":"plain","solution":"wrong_answer 0/1","base_status":"fail","plus_status":null,"base_fail_tests":[],"plus_fail_tests":[]}]}}`
	if string(text) != want {
		t.Errorf("%s", text)
	}
}

func TestMultiPLEResults(t *testing.T) {
	dir := t.TempDir()
	const text = `{"name": "a", "language": "py", "prompt": "p", "tests": "t", "completions": ["accepted 1/1", "compile_error 0/1", "time_limit 0/1"], "stop_tokens": ["x"]}`
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	b := tasks("a")
	b.Tasks[0].Tests = benchmark.Tests{Style: benchmark.Script, Script: "t"}
	paths, err := evaluated(t, dir, b, MultiPLEResults)
	if err != nil || len(paths) != 1 || filepath.Base(paths[0]) != "a.results.json.gz" {
		t.Fatal(paths, err)
	}
	f, err := os.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Name, Language, Prompt, Tests string
		Stop                          []string         `json:"stop_tokens"`
		Results                       []map[string]any `json:"results"`
		Completions                   []string
	}
	if err := json.NewDecoder(z).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "a" || got.Language != "py" || got.Prompt != "p" || got.Tests != "t" || len(got.Stop) != 1 || got.Completions != nil || len(got.Results) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []map[string]any{{"status": "OK", "exit_code": 0.0}, {"status": "SyntaxError", "exit_code": 1.0}, {"status": "Timeout", "exit_code": -1.0}} {
		r := got.Results[i]
		if r["status"] != want["status"] || r["exit_code"] != want["exit_code"] || r["timestamp"] != float64(noon.Unix()) || !strings.HasSuffix(r["program"].(string), "/1\nt") ||
			r["stdout"] != "" || len(r) != 6 {
			t.Errorf("%v", r)
		}
	}
}

func TestResultsRefused(t *testing.T) {
	for _, tt := range []struct {
		name, sample string
		as           ResultsFormat
		want         string
	}{
		{"no verdict", "a not_judged 0/0", HumanEvalResults, "sample 0 of a is not_judged"},
		{"our fault", "a sandbox_error 0/0", EvalPlusResults, "is sandbox_error"},
		{"no such format", "a accepted 1/1", "word", `unknown format of results "word"`},
	} {
		if _, err := evaluated(t, samples(t, tt.sample), tasks("a"), tt.as); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestFailedTests(t *testing.T) {
	const p, f = verdicts.Passed, verdicts.NotRun
	for _, tt := range []struct {
		statuses []verdicts.Status
		want     string
		numbers  []int
	}{
		{[]verdicts.Status{p, p}, "", []int{1, 2}}, // none are named: all
		{[]verdicts.Status{f, p, f, f, f, p, f}, "1,3-5,7", []int{1, 3, 4, 5, 7}},
		{[]verdicts.Status{f}, "1", []int{1}},
	} {
		var cases []verdicts.CaseResult
		for _, s := range tt.statuses {
			cases = append(cases, verdicts.CaseResult{Status: s})
		}
		row := Row{Verdict: verdicts.WrongAnswer, TotalTests: len(cases), FailedTests: failedTests(cases)}
		if row.FailedTests != tt.want || !slices.Equal(row.failed(), tt.numbers) {
			t.Errorf("%v: %q, %v", tt.statuses, row.FailedTests, row.failed())
		}
	}
	if all := (Row{Verdict: verdicts.Accepted, TotalTests: 3}).failed(); len(all) != 0 {
		t.Error(all)
	}
}

// Samples of several models are in a log for each, with epochs of their own.
func TestInspectModels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	const text = `{"task_id": "a", "completion": "accepted 2/2", "model": "y"}
{"task_id": "a", "completion": "wrong_answer 1/2", "model": "x"}
{"task_id": "a", "completion": "accepted 2/2", "model": "x"}
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	paths, err := evaluated(t, path, tasks("a"), InspectResults)
	if err != nil || len(paths) != 2 {
		t.Fatal(paths, err)
	}
	for i, want := range []string{"x 2 0.5 [1 2]", "y 1 1 [1]"} {
		text, err := os.ReadFile(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		var log format.InspectLog
		var listed struct{ Samples []format.InspectSample }
		if json.Unmarshal(text, &log) != nil || json.Unmarshal(text, &listed) != nil {
			t.Fatalf("%s", text)
		}
		var epochs []int
		for _, s := range listed.Samples {
			epochs = append(epochs, s.Epoch)
		}
		if got := fmt.Sprint(log.Eval.Model, " ", log.Eval.Config.Epochs, " ", log.Results.Scores[0].Metrics["accuracy"].Value, " ", epochs); got != want {
			t.Errorf("%s: %s, want %s", paths[i], got, want)
		}
	}
}

// TestInspectResults writes a log of Inspect, and reads its answers again.
func TestInspectResults(t *testing.T) {
	b := tasks("a", "b", "c")
	b.Name = "three"
	path := samples(t, "a accepted 2/2", "a wrong_answer 1/2", "b wrong_answer 0/2", "c not_judged 0/2")
	paths, err := evaluated(t, path, b, InspectResults)
	if err != nil || len(paths) != 1 || filepath.Base(paths[0]) != "inspect.json" {
		t.Fatal(paths, err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	var log format.InspectLog
	var listed struct{ Samples []format.InspectSample }
	if json.Unmarshal(text, &log) != nil || json.Unmarshal(text, &listed) != nil {
		t.Fatalf("%s", text)
	}
	// Tasks a and b: shares 1/2 and 0, of mean 1/4 and standard error 1/4.
	score := log.Results.Scores[0]
	if log.Eval.Dataset.Samples != 3 || log.Eval.Config.Epochs != 2 || log.Results.Completed != 3 || score.Unscored != 1 ||
		score.Metrics["accuracy"].Value != 0.25 || score.Metrics["stderr"].Value != 0.25 {
		t.Errorf("%+v", log)
	}
	var got []string
	for _, s := range listed.Samples {
		value := "none"
		if s.Error == nil {
			value = s.Scores["assay"].Value
		}
		got = append(got, fmt.Sprintf("%s/%d %s", s.ID, s.Epoch, value))
	}
	if want := "a/1 C, a/2 I, b/1 I, c/1 none"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	again, err := format.OpenSamples(paths[0])
	if err != nil || again.Format() != format.InspectSamples {
		t.Fatal(err)
	}
	defer again.Close()
	for _, want := range []string{"a accepted 2/2", "b wrong_answer 0/2", "c not_judged 0/2", "a wrong_answer 1/2"} {
		if s, err := again.Next(); err != nil || s.TaskID+" "+s.Text != want || s.Kind != format.Completion {
			t.Errorf("%+v, %v, want %s", s, err, want)
		}
	}
}
