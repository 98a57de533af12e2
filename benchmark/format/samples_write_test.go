package format

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/disk"
	"assay/data/fatal"
)

// Samples written in each format are read back unchanged: completions, and complete functions that start
// with the prompt.
func TestWriteSamples(t *testing.T) {
	tasks := []benchmark.Task{{ID: "HumanEval/0", Language: "python", Prompt: "def f():\n"}, {ID: "HumanEval/1", Language: "python", Prompt: "def g():\n"}}
	list := []Sample{
		{TaskID: "HumanEval/1", Kind: Completion, Text: "    return '<ü>'\n"}, {TaskID: "HumanEval/0", Kind: Completion, Text: "    return 1\n"},
		{TaskID: "HumanEval/1", Kind: Solution, Text: "def g():\n    return 2\n"},
	}
	completions := []string{"HumanEval/1 completion     return '<ü>'\n", "HumanEval/1 completion     return 2\n", "HumanEval/0 completion     return 1\n"}
	programs := []string{"HumanEval/1 solution def g():\n    return '<ü>'\n", "HumanEval/1 solution def g():\n    return 2\n", "HumanEval/0 solution def f():\n    return 1\n"}
	as := []string{"HumanEval/1 completion     return '<ü>'\n", "HumanEval/0 completion     return 1\n", "HumanEval/1 solution def g():\n    return 2\n"}
	sorted := func(list []string) []string { return slices.Sorted(slices.Values(list)) }
	for format, want := range map[SampleFormat][]string{
		HumanEvalSamples: as, EvalPlusSamples: as, EvalPlusFolder: programs, BigCodeSamples: programs, CodeTSamples: completions,
		MultiPLESamples: completions, LiveCodeBenchSamples: programs, CRUXEvalSamples: programs,
	} {
		path := filepath.Join(t.TempDir(), "samples")
		if format != EvalPlusFolder && format != MultiPLESamples {
			path += ".gz"
		}
		if n, err := WriteSamples(disk.Out{Path: path}, format, tasks, from(list)); n != 3 || err != nil {
			t.Errorf("%s: %d, %v", format, n, err)
		}
		read, err := OpenSamplesAs(path, format, &benchmark.Benchmark{Tasks: tasks})
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		var got []string
		for s, err := read.Next(); err == nil; s, err = read.Next() {
			// MultiPL-E's completions always continue the prompt, regardless of the tasks' file.
			got = append(got, s.TaskID+" "+string(s.Kind)+" "+s.Text)
		}
		read.Close()
		want = slices.Clone(want)
		if format == CodeTSamples { // whose reader ends a completion at the next definition
			want = slices.Clone(completions)
		}
		if !slices.Equal(sorted(got), sorted(want)) {
			t.Errorf("%s: got %q, want %q", format, got, want)
		}
	}
	for id, task := range map[string]benchmark.Task{"sample_1": {Tests: benchmark.Tests{Style: benchmark.Execution}}, "9101_0": {Tests: benchmark.Tests{Style: benchmark.Output}}} {
		task.ID = id
		path := filepath.Join(t.TempDir(), "samples")
		if _, err := WriteSamples(disk.Out{Path: path}, LiveCodeBenchSamples, []benchmark.Task{task}, from([]Sample{{TaskID: id, Kind: Solution, Text: "1"}})); err != nil {
			t.Error(err)
		}
		if got, _, err := readSamples(path, ""); err != nil || !slices.Equal(got, []string{id + " solution 1"}) {
			t.Errorf("%s: %q, %v, %s", id, got, err, fatal.Read(t, path))
		}
	}
	for name, row := range map[string]struct {
		as     SampleFormat
		sample Sample
		want   string
	}{
		"a raw answer":           {BigCodeSamples, Sample{TaskID: "HumanEval/0", Kind: Answer, Path: "s", Line: 3}, "s:3: the sample of task \"HumanEval/0\" is a raw answer"},
		"a raw answer, in lines": {EvalPlusSamples, Sample{TaskID: "HumanEval/0", Kind: Answer}, "is a raw answer"},
		"another task":           {BigCodeSamples, Sample{TaskID: "x", Kind: Solution}, "there is no task \"x\""},
		"a whole function":       {CodeTSamples, Sample{TaskID: "HumanEval/0", Kind: Solution, Text: "def f(): pass"}, "does not begin with the task's prompt"},
		"a way out":              {MultiPLESamples, Sample{TaskID: "..", Kind: Completion}, "cannot be a file name"},
	} {
		path := filepath.Join(t.TempDir(), "samples")
		if _, err := WriteSamples(disk.Out{Path: path}, row.as, tasks, from([]Sample{row.sample})); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %q", name, err, row.want)
		}
	}
	full := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(full, "x"), nil, 0o600))
	if _, err := WriteSamples(disk.Out{Path: full}, EvalPlusFolder, tasks, from(nil)); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a folder with something in it: %v", err)
	}
}
