package format

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// Rows of the scenarios are the tasks that LiveCodeBench and CRUXEval make of them.
func TestScenarioRows(t *testing.T) {
	b, err := load("testdata/livecodebench_execution.jsonl")
	fatal.If(t, err)
	first, second := b.Tasks[0], b.Tasks[1]
	if first.Difficulty != benchmark.Easy || first.Published != "2024-02-03" || second.Published != "2024-02-10" || first.Source.Year != 2024 ||
		!strings.Contains(first.Description, "assert countAbove(limit = 2, xs = [1, 3, 5]) == ??") {
		t.Errorf("%+v", first)
	}
	if run := second.Tests.Runs[0]; run.Output != "'==c'" || second.Reference != "'==c'" {
		t.Errorf("%+v", run)
	}
	b, err = load("testdata/livecodebench_output.jsonl")
	fatal.If(t, err)
	if run := b.Tasks[0].Tests.Runs[0]; run.Input != "countAbove(2, [1, 3, 5])" || run.Output != "2" || !strings.Contains(b.Tasks[0].Description, "def countAbove(self,") ||
		!strings.Contains(b.Tasks[0].Description, "assert countAbove(2, [1, 3, 5]) == # TODO") {
		t.Errorf("%+v", b.Tasks[0])
	}
	if run := b.Tasks[1].Tests.Runs[0]; run.Output != `[False, "a/b", None]` {
		t.Errorf("%+v", run)
	}
	b, as, err := LoadAs("testdata/cruxeval.jsonl", CRUXEvalInput)
	fatal.If(t, err)
	if task := b.Tasks[1]; as != CRUXEvalInput || task.Tests.Style != benchmark.Input || task.EntryPoint != "f" || task.Reference != "f('banana', 1)" ||
		!strings.Contains(task.Description, "assert f(??) == {'a': 3, 'n': 2}") || strings.Contains(task.Description, "banana") {
		t.Errorf("%+v", task)
	}
}

// The reference of each row is accepted, and what nearly is right is not.
func TestJudgedRows(t *testing.T) {
	j, err := judge.New(judge.Options{Workers: 1})
	if err != nil {
		t.Skipf("there is no sandbox: %v", err)
	}
	t.Cleanup(func() { j.Close() })
	accepted := func(task *benchmark.Task, code string) bool {
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: code})
		fatal.If(t, err)
		return r.Verdict == verdicts.Accepted
	}
	for file, formats := range map[string][]Format{"cruxeval.jsonl": {CRUXEval, CRUXEvalInput}, "livecodebench_execution.jsonl": {""}, "livecodebench_output.jsonl": {""}, "codecontests.jsonl": {""}} {
		for _, as := range formats {
			b, _, err := LoadAs("testdata/"+file, as)
			fatal.If(t, err)
			for i := range b.Tasks {
				task := &b.Tasks[i]
				if !accepted(task, task.Reference) || task.Tests.Style.Predicts() && accepted(task, task.Reference+" or 1") || accepted(task, "0 or 1") {
					t.Errorf("%s %s: %s", file, task.ID, task.Reference)
				}
			}
		}
	}
	b, err := load("testdata/codecontests.jsonl")
	fatal.If(t, err)
	if l := b.Tasks[0].Limits; l.CPUSeconds != 1.5 || l.MemoryMB != 244 || b.Tasks[1].Limits.CPUSeconds != 10 || b.Tasks[1].Limits.MemoryMB != 0 {
		t.Errorf("%+v", l)
	}
	for code, want := range map[string]bool{"print(2)": true, "print('3')": true, "print(6.0)": true, "print(4)": false, "print(2, 3)": false, "print()": false, "print(5.9999)": false, "print(5.999999)": true} {
		if got := accepted(&b.Tasks[1], code); got != want {
			t.Errorf("%s: accepted is %v", code, got)
		}
	}
}

// Words and numbers are compared as CodeContests does.
func TestCodeContestsWords(t *testing.T) {
	j, err := judge.New(judge.Options{Workers: 1})
	if err != nil {
		t.Skipf("there is no sandbox: %v", err)
	}
	t.Cleanup(func() { j.Close() })
	for _, tt := range []struct {
		got, expected string
		want          bool
	}{
		{"yes", "YES\n", true}, {" 1\t2 ", "1\n2", true}, {"1 2", "12", false}, {"1.000001", "1", true}, {"1.0001", "1", false}, {"1e3", "1000", true},
		{"007", "7", true}, {"-0", "0", true}, {"+5", "5", true}, {"-5", "5", false}, {"10", "1", false}, {"0", "", false}, {"", "", true}, {"nan", "NaN", true},
		{"1000000000000000001", "1000000000000000000", false}, {"1_000", "1000", false}, {"0x10", "16", false}, {"a.5", "a.50", false},
	} {
		task := &benchmark.Task{ID: "t", Title: "t", Description: "t", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin, Checker: codeContestsCompare + codeContestsOne,
			Runs: []benchmark.Run{{Output: tt.expected, Compare: benchmark.OutputByChecker}}}}
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: "print(" + pythonText(tt.got) + ")"})
		fatal.If(t, err)
		if got := r.Verdict == verdicts.Accepted; got != tt.want {
			t.Errorf("%q for %q: %s (%s)", tt.got, tt.expected, r.Verdict, r.Why())
		}
	}
}

// A row of a benchmark whose repositories are missing says which one.
func TestEvoCodeBench(t *testing.T) {
	const row = `{"namespace": "tools.text.trim", "type": "function", "completion_path": "Text/tools/tools/text.py", "signature_position": [3, 3], "body_position": [4, 5], "tests": ["tests/test_text.py::test_trim"], "indent": 4, "domain": "Text"`
	for suffix, want := range map[string]string{"}": "in the repository Text/tools, which is not in the file", `, "project_path": "Text/more"}`: "in the repository Text/more, which"} {
		_, err := load(write(t, "data.jsonl", []byte(row+suffix)))
		if err == nil || !strings.Contains(err.Error(), `data.jsonl:1: field "completion_path": this is a row of EvoCodeBench`) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "assay help repositories") {
			t.Error(err)
		}
	}
}
