package format

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository/testlog"
)

func TestSWEBench(t *testing.T) {
	b, as, err := LoadAs("testdata/swebench.jsonl", "")
	if err != nil || as != SWEBench {
		t.Fatal(as, err)
	}
	first, second := b.Tasks[0], b.Tasks[1]
	if r := first.Repository; first.ID != "o__r-12" || first.Title != "The number is wrong" || first.Language != "python" || first.Published != "2023-01-23" ||
		first.Source.URL != "https://github.com/o/r/pull/12" || r.Name != "o/r" || r.Version != "2.0" || r.Apply != benchmark.ApplyInTurn || !slices.Equal(r.FailToPass, []string{"tests/test_a.py::test_a"}) ||
		!slices.Equal(r.PassToPass, []string{"tests/test_a.py::test_b[1]"}) || string(first.Extra["hints_text"]) != `"Look at a."` {
		t.Errorf("%+v %+v", first, r)
	}
	if second.Language != "go" || second.Repository.FailToPass[0] != "TestA" {
		t.Errorf("%+v", second)
	}
	// Lists in Python's notation, and a file that is one list.
	text := testdata(t, "swebench.jsonl")
	line, _, _ := strings.Cut(text, "\n")
	python := strings.Replace(line, `"[\"tests/test_a.py::test_a\"]"`, `"['a', \"it's\", 'b\\'c']"`, 1)
	if b, err = loadText(t, "["+python+"]"); err != nil || !slices.Equal(b.Tasks[0].Repository.FailToPass, []string{"a", "it's", "b'c"}) {
		t.Errorf("%v, %v", b, err)
	}
	for _, tt := range []struct{ old, new, want string }{
		{`"[\"tests/test_a.py::test_a\"]", "PASS_TO_PASS": "[\"tests/test_a.py::test_b[1]\"]"`, `"[]", "PASS_TO_PASS": "[\"tests/test_a.py::test_b[1]\"]"`, `:1: field "FAIL_TO_PASS": the list is empty`},
		{`"[\"tests/test_a.py::test_a\"]"`, `"a, b"`, `:1: field "FAIL_TO_PASS": the field must be a list of texts`},
		{`"[\"tests/test_a.py::test_a\"]"`, `[1]`, `:1: field "FAIL_TO_PASS": the field must be a list of texts`},
		{`"FAIL_TO_PASS"`, `"FAIL"`, `:1: field "FAIL_TO_PASS": the field is missing`},
		{`"repo": "o/r"`, `"repo": 1`, `:1: field "repo": the field must be text`},
		{`"2023-01-23T13:45:00Z"`, `"January"`, `:1: field "created_at": "January" does not begin with a date`},
		{`"version": "2.0"`, `"version": ["2.0"]`, `:1: field "version": the field must be text or a number, not a list`},
		{`"0123456789abcdef0123456789abcdef01234567"`, `"main"`, `field "repository.base_commit": "main" is not a commit`},
	} {
		if _, err := loadText(t, strings.Replace(line, tt.old, tt.new, 1)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.new, err, tt.want)
		}
	}
}

// The data sets themselves are read whole.
func TestSWEBenchDataSets(t *testing.T) {
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		t.Skip("ASSAY_SHARED is not set")
	}
	for name, n := range map[string]struct{ tasks, leftOut int }{"lite": {292, 0}, "multilingual": {296, 1}} {
		b, as, err := LoadAs(filepath.Join(shared, "datasets/swebench", name+".jsonl"), "")
		if err != nil || as != SWEBench || len(b.Tasks) != n.tasks || len(b.LeftOut) != n.leftOut {
			t.Errorf("%s: %v %v", name, as, err)
		}
	}
}

// sweBenchFiles are the files of a task's folder.
func sweBenchFiles(id string) map[string]string {
	at := "tasks/" + id + "/"
	return map[string]string{
		at + "task.yaml":            "repo: o/r\ninstance_id: " + id + "\nbase_commit: 0123456789abcdef0123456789abcdef01234567\nversion: '2.10'\ncreated_at: '2023-01-23T13:45:00Z'\nsplit: test\ndatasets:\n- x/y\nimage: o/i:latest\n",
		at + "tests.json":           `{"FAIL_TO_PASS": ["a"], "PASS_TO_PASS": []}`,
		at + "problem_statement.md": "Wrong\n", at + "gold.patch": "--- a/x\r\n+++ b/x\r\n", at + "test.patch": "--- a/t\n", at + "eval.sh": "true\n",
	}
}

func TestSWEBenchFolder(t *testing.T) {
	files := sweBenchFiles("o__r-1")
	for name, text := range sweBenchFiles("o__r-2") {
		files[name] = text
	}
	dir := folder(t, files)
	b, as, err := LoadAs(dir, "")
	if err != nil || as != SWEBench || len(b.Tasks) != 2 {
		t.Fatal(as, err)
	}
	task := b.Tasks[0]
	if task.ID != "o__r-1" || task.Repository.Version != "2.10" || task.Reference != "--- a/x\r\n+++ b/x\r\n" || task.Repository.Environment.Image != "o/i:latest" || string(task.Extra["eval_script"]) != `"true\n"` {
		t.Errorf("%+v %+v", task, task.Repository)
	}
	if one, _, err := LoadAs(filepath.Join(dir, "tasks/o__r-2"), ""); err != nil || one.Tasks[0].ID != "o__r-2" {
		t.Error(err)
	}
	for _, tt := range []struct{ file, text, want string }{
		{"task.yaml", "repo: [", "task.yaml: line 1"},
		{"task.yaml", "repo: o/r\n", `task.yaml:1: field "instance_id": the field is missing`},
		{"tests.json", "[]", "tests.json: this is not a JSON object"},
		{"tests.json", `{"FAIL_TO_PASS": [], "PASS_TO_PASS": ["a"]}`, `field "FAIL_TO_PASS": the list is empty`},
	} {
		files := sweBenchFiles("o__r-1")
		files["tasks/o__r-1/"+tt.file] = tt.text
		if _, _, err := LoadAs(folder(t, files), ""); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.file, err, tt.want)
		}
	}
	files = sweBenchFiles("o__r-1")
	delete(files, "tasks/o__r-1/gold.patch")
	if _, _, err := LoadAs(folder(t, files), ""); err == nil || !strings.Contains(err.Error(), "gold.patch: the file cannot be read") {
		t.Error(err)
	}
}

func TestPredictions(t *testing.T) {
	const one = `{"instance_id": "o__r-1", "model_name_or_path": "m", "model_patch": "--- a/x\n"}`
	for _, tt := range []struct{ name, text, want string }{
		{"lines", one + "\n" + strings.ReplaceAll(one, "r-1", "r-2"), "o__r-1 patch --- a/x\n|o__r-2 patch --- a/x\n"},
		{"list", "[" + one + "]", "o__r-1 patch --- a/x\n"},
		{"by instance", `{"o__r-2": {"model_patch": "p"}, "o__r-1": ` + one + `}`, "o__r-1 patch --- a/x\n|o__r-2 patch p"},
		{"by instance over lines", "{\n \"o__r-1\": {\n  \"model_patch\": \"p\"\n }\n}\n", "o__r-1 patch p"},
		{"no patch", `{"instance_id": "o__r-1", "model_name_or_path": "m", "model_patch": null}`, "o__r-1 patch "},
	} {
		got, as, err := readSamples(write(t, "p.jsonl", []byte(tt.text)), "")
		if err != nil || as != SWEBenchSamples || strings.Join(got, "|") != tt.want {
			t.Errorf("%s: %q, %s, %v", tt.name, got, as, err)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{`{"instance_id": "a"}`, `:1: field "model_patch": the field is missing`},
		{`{"instance_id": "a", "model_patch": 1}`, `:1: field "model_patch": the field must be text`},
		{`{"instance_id": 1, "model_patch": ""}`, `:1: field "instance_id": the field must be text`},
		{`{"a": {"instance_id": "b", "model_patch": ""}}`, `the prediction's own instance_id is "b"`},
	} {
		if _, _, err := readSamples(write(t, "p.jsonl", []byte(tt.text)), ""); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// The reports have the harness' fields, in its order.
func TestHarnessReports(t *testing.T) {
	grades := testlog.Grade(map[string]testlog.Status{"a": testlog.Passed}, testlog.Lists{FailToPass: []string{"a"}, PassToPass: []string{"b"}})
	solved := testlog.Grade(map[string]testlog.Status{"a": testlog.Passed}, testlog.Lists{FailToPass: []string{"a"}})
	results := []HarnessResult{{ID: "o__r-2", Grades: &grades}, {ID: "o__r-1", Grades: &solved}, {ID: "o__r-3", NoPatch: true}, {ID: "o__r-4", Infra: "out_of_memory"}, {ID: "o__r-5", Error: true}}
	dir := t.TempDir()
	if _, err := WriteHarness(dir, "org/m", "run", []string{"o__r-6", "o__r-1", "o__r-2"}, results); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"logs/run_evaluation/run/org__m/o__r-2/report.json": `{"o__r-2":{"patch_is_None":false,"patch_exists":true,"patch_successfully_applied":true,"resolved":false,"infra_failure":false,"tests_status":{"FAIL_TO_PASS":{"success":["a"],"failure":[]},"PASS_TO_PASS":{"success":[],"failure":["b"]},"FAIL_TO_FAIL":{"success":[],"failure":[]},"PASS_TO_FAIL":{"success":[],"failure":[]}}}}`,
		"logs/run_evaluation/run/org__m/o__r-4/report.json": `{"o__r-4":{"patch_is_None":false,"patch_exists":true,"patch_successfully_applied":false,"resolved":false,"infra_failure":true,"infra_failure_reason":"out_of_memory"}}`,
		"org__m.run.json": `{"total_instances":3,"submitted_instances":5,"completed_instances":3,"resolved_instances":1,"unresolved_instances":2,"infra_failure_instances":1,"ambiguous_failure_instances":0,"empty_patch_instances":1,"error_instances":1,` +
			`"completed_ids":["o__r-1","o__r-2","o__r-4"],"incomplete_ids":["o__r-6"],"empty_patch_ids":["o__r-3"],"submitted_ids":["o__r-1","o__r-2","o__r-3","o__r-4","o__r-5"],"resolved_ids":["o__r-1"],"unresolved_ids":["o__r-2","o__r-4"],"infra_failure_ids":["o__r-4"],"ambiguous_failure_ids":[],"failure_reasons":{"o__r-4":"out_of_memory"},"error_ids":["o__r-5"],"schema_version":2}`,
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var compact strings.Builder
		if err := compactJSON(&compact, text); err != nil || compact.String() != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, compact.String(), want)
		}
	}
	if _, err := WriteHarness(dir, "../m", "run", nil, nil); err == nil {
		t.Error("a model named ../m is written outside")
	}
}

func compactJSON(to *strings.Builder, text []byte) error {
	var raw json.RawMessage = text
	out, err := json.Marshal(raw)
	to.Write(out)
	return err
}
