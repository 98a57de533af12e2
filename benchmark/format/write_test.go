package format

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

// roundTrip writes tasks in a format and reads them again.
func roundTrip(t *testing.T, b *benchmark.Benchmark, as Format) {
	t.Helper()
	var text bytes.Buffer
	if err := WriteTasks(&text, b, as, false); err != nil {
		t.Errorf("%s: %v", as, err)
		return
	}
	again, got, err := LoadAs(write(t, "written", text.Bytes()), "")
	if err != nil || got != as {
		t.Errorf("written as %s, read as %s: %v", as, got, err)
		return
	}
	for i := range b.Tasks {
		if b.Tasks[i].Hash() != again.Tasks[i].Hash() {
			t.Errorf("%s: %s came back as another", as, b.Tasks[i].ID)
		}
	}
}

func TestRoundTrips(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	fatal.If(t, err)
	for _, file := range files {
		b, as, err := LoadAs(file, "")
		fatal.If(t, err)
		roundTrip(t, b, Assay)
		if as != SWEBench { // a table cannot hold repositories
			roundTrip(t, b, CSV)
		}
		if as == MBPP {
			roundTrip(t, b, MBPP)
		}
	}
	b, err := loadText(t, line1)
	fatal.If(t, err)
	b.Tasks[0].Extra = map[string]json.RawMessage{"seen": json.RawMessage(`[1]`)}
	roundTrip(t, b, HumanEval)
}

// TestDatasetsRoundTrip imports the complete published files, and exports them.
func TestDatasetsRoundTrip(t *testing.T) {
	dir := os.Getenv("ASSAY_SHARED")
	if dir == "" {
		t.Skip("the published files are not here: set ASSAY_SHARED to their folder")
	}
	for _, tt := range []struct {
		file   string
		format Format
		tasks  int
		to     []Format
	}{
		{"HumanEval.jsonl.gz", HumanEval, 164, []Format{HumanEval}},
		{"codet_mbpp_sanitized.jsonl", HumanEval, 427, []Format{HumanEval}},
		{"evalplus_MbppPlus_20231114.jsonl.gz", EvalPlus, 420, nil},
		{"leetcode_v0.3.1_test.jsonl.gz", LeetCode, 228, nil},
		{"humanevalx_python.jsonl.gz", HumanEvalX, 164, nil},
		{"humanevalx_js.jsonl.gz", HumanEvalX, 164, nil},
		{"humanevalx_go.jsonl.gz", HumanEvalX, 164, nil},
		{"humanevalx_cpp.jsonl.gz", HumanEvalX, 164, nil},
		{"humanevalx_java.jsonl.gz", HumanEvalX, 164, nil},
	} {
		b, as, err := LoadAs(filepath.Join(dir, "datasets", tt.file), "")
		if err != nil {
			t.Error(err)
			continue
		}
		if as != tt.format || len(b.Tasks) != tt.tasks {
			t.Errorf("%s: %d tasks in the format %s", tt.file, len(b.Tasks), as)
		}
		for _, to := range append(tt.to, Assay, CSV) {
			roundTrip(t, b, to)
		}
	}
}

func TestWriteTasksRefuses(t *testing.T) {
	task := benchmark.Task{ID: "t", Title: "f", Language: "python", EntryPoint: "f", Description: "Adds.", Prompt: "def f():\n    \"\"\"Adds.\"\"\"\n",
		Reference: "def f():\n    \"\"\"Adds.\"\"\"\n    return 1\n", Tests: benchmark.Tests{Style: benchmark.Check, Check: "def check(candidate):\n    assert candidate() == 1\n"}}
	for _, tt := range []struct {
		name   string
		to     Format
		change func(*benchmark.Task)
		want   string // "": it is written
		lossy  string // and with --lossy
	}{
		{"fits", HumanEval, func(*benchmark.Task) {}, "", ""},
		{"a difficulty", HumanEval, func(t *benchmark.Task) { t.Difficulty = benchmark.Easy }, `its field "difficulty" would be lost; choose another format, such as assay, or allow that with --lossy`, ""},
		{"another title", HumanEval, func(t *benchmark.Task) { t.Title = "x" }, `its field "title" would be lost`, ""},
		{"in process", HumanEval, func(t *benchmark.Task) { t.Tests.InProcess = true }, `its field "tests" would change`, `its field "tests" would change`},
		{"another language", HumanEval, func(t *benchmark.Task) { t.Language = "r" }, "it is in r", "it is in r"},
		{"another reference", HumanEval, func(t *benchmark.Task) { t.Reference = "x" }, "does not continue its prompt", "does not continue its prompt"},
		{"no asserts", MBPP, func(*benchmark.Task) {}, `the style "check"`, `the style "check"`},
		{"no such format", "word", func(*benchmark.Task) {}, `tasks cannot be written as "word"; the formats are [assay csv humaneval mbpp]`, `cannot be written as "word"`},
	} {
		changed := task
		tt.change(&changed)
		for i, want := range []string{tt.want, tt.lossy} {
			var out bytes.Buffer
			err := WriteTasks(&out, &benchmark.Benchmark{Name: "b", Tasks: []benchmark.Task{changed}}, tt.to, i == 1)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", tt.name, err, want)
			}
			if err != nil && out.Len() > 0 {
				t.Errorf("%s: an error, and yet %d bytes were written", tt.name, out.Len())
			}
		}
	}
}
