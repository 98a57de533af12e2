package format

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

// TestReaders reads a small file of each format, made from its published schema.
func TestReaders(t *testing.T) {
	for _, tt := range []struct {
		file   string
		format Format
		ids    []string
		styles []benchmark.Style
		extra  []string // fields that the first task keeps
	}{
		{"livecodebench.jsonl", LiveCodeBench, []string{"abc900_a", "9001", "9002"},
			[]benchmark.Style{benchmark.Stdin, benchmark.Check, benchmark.Calls}, []string{"contest_id", "metadata", "platform"}},
		{"classeval.json", ClassEval, []string{"ClassEval_900", "ClassEval_900/add", "ClassEval_900/double"},
			[]benchmark.Style{benchmark.Unittest, benchmark.Unittest, benchmark.Unittest}, []string{"class_constructor", "class_description", "fields", "import_statement", "test_classes"}},
		{"bigcodebench.jsonl", BigCodeBench, []string{"BigCodeBench/900"}, []benchmark.Style{benchmark.Unittest}, []string{"code_prompt", "doc_struct", "libs"}},
		{"ds1000.jsonl", DS1000, []string{"DS-1000/900"}, []benchmark.Style{benchmark.Script}, []string{"metadata"}},
		{"miahzhu.json", MiahZhu, []string{"X1", "X2"}, []benchmark.Style{"", ""}, []string{"Source"}},
		{"mbpp.jsonl", MBPP, []string{"Mbpp/900", "Mbpp/901"}, []benchmark.Style{benchmark.Asserts, benchmark.Asserts}, []string{"challenge_test_list"}},
		{"tasks.csv", CSV, []string{"t1", "t2", "t3"}, []benchmark.Style{benchmark.Asserts, benchmark.Calls, ""}, []string{"course_week"}},
		{"cruxeval.jsonl", CRUXEval, []string{"sample_0", "sample_1", "sample_2"}, []benchmark.Style{benchmark.Execution, benchmark.Execution, benchmark.Execution}, nil},
		{"livecodebench_execution.jsonl", LiveCodeBenchExecution, []string{"sample_0", "sample_1"}, []benchmark.Style{benchmark.Execution, benchmark.Execution},
			[]string{"question_id", "numsteps", "problem_id", "contest_id"}},
		{"livecodebench_output.jsonl", LiveCodeBenchOutput, []string{"9101_0", "9103_2"}, []benchmark.Style{benchmark.Output, benchmark.Output}, []string{"contest_id"}},
		{"codecontests.jsonl", CodeContests, []string{"9001_A. Two Sums", "p90002 A Divisor"}, []benchmark.Style{benchmark.Stdin, benchmark.Stdin},
			[]string{"difficulty", "cf_contest_id", "cf_index", "cf_points", "cf_rating", "input_file", "output_file", "untranslated_description", "is_description_translated", "incorrect_solutions"}},
		{"apps.jsonl", APPS, nil, nil, nil},
		{"leetcode.jsonl", LeetCode, nil, nil, nil},
		{"evalplus.jsonl", EvalPlus, nil, nil, nil},
		{"multiple.jsonl", MultiPLE, nil, nil, nil},
	} {
		t.Run(tt.file, func(t *testing.T) {
			b, as, err := LoadAs("testdata/"+tt.file, "")
			fatal.If(t, err)
			if as != tt.format {
				t.Errorf("read as %s", as)
			}
			if tt.ids == nil {
				return
			}
			if len(b.Tasks) != len(tt.ids) {
				t.Fatalf("%d tasks", len(b.Tasks))
			}
			for i, task := range b.Tasks {
				if task.ID != tt.ids[i] || task.Tests.Style != tt.styles[i] {
					t.Errorf("%s has tests of style %q", task.ID, task.Tests.Style)
				}
				if err := task.Check(); err != nil {
					t.Error(err)
				}
			}
			kept := b.Tasks[0].Extra
			for _, name := range tt.extra {
				if kept[name] == nil {
					t.Errorf("the field %s was not kept", name)
				}
			}
			if len(kept) != len(tt.extra) {
				t.Errorf("kept %v, want %v", kept, tt.extra)
			}
			if _, as, err := LoadAs("testdata/"+tt.file, tt.format); err != nil || as != tt.format {
				t.Errorf("with its name: %s, %v", as, err)
			}
		})
	}
	if _, _, err := LoadAs("testdata/tasks.csv", "word"); err == nil || !strings.Contains(err.Error(), "the formats are apps, assay, bigcodebench") {
		t.Error(err)
	}
}

func TestLiveCodeBench(t *testing.T) {
	b, err := load("testdata/livecodebench.jsonl")
	fatal.If(t, err)
	first := b.Tasks[0]
	if first.Published != "2024-08-11" || first.Difficulty != benchmark.Easy || first.Source.Title != "atcoder" || first.Source.Year != 2024 {
		t.Errorf("%+v", first)
	}
	runs := first.Tests.Runs
	if len(runs) != 2 || runs[0].Compare != benchmark.Decimals || runs[1].Compare != benchmark.Decimals || runs[1].Output != "1.50\n" || runs[1].Name != "private 1" {
		t.Errorf("%+v", runs)
	}
	if c := b.Tasks[1].Tests.Check; strings.Count(c, "    assert ") != 2 || !strings.Contains(c, "candidate().order(") {
		t.Error(c)
	}
	if c := b.Tasks[2].Tests.Cases; len(c) != 1 || string(c[0].Args[0]) != "[1]" || string(c[0].Expected) != "[1, 1]" || b.Tasks[2].EntryPoint != "twice" {
		t.Errorf("%+v", c)
	}
}

func TestPickledText(t *testing.T) {
	for _, tt := range []struct{ name, data, want, problem string }{
		{"protocol 2", "\x80\x02X\x03\x00\x00\x00abcq\x00.", "abc", ""},
		{"protocol 4, framed", "\x80\x04\x95\x07\x00\x00\x00\x00\x00\x00\x00\x8c\x03abc\x94.", "abc", ""},
		{"eight bytes of length", "\x80\x04\x8d\x03\x00\x00\x00\x00\x00\x00\x00abc\x94.", "abc", ""},
		{"a call", "cos\nsystem\n(S'true'\ntR.", "", "something other than a string (opcode 0x63)"},
		{"truncated", "\x80\x04\x8c\x09abc", "", "truncated"},
		{"a length out of bounds", "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffabc.", "", "truncated"},
		{"nothing", "\x80\x04.", "", "does not hold exactly one string"},
		{"two", "\x8c\x01a\x8c\x01b.", "", "several"},
		{"not UTF-8", "\x8c\x01\xff.", "", "not UTF-8"},
	} {
		got, err := pickledText([]byte(tt.data))
		if got != tt.want || (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}

func TestClassEvalMethod(t *testing.T) {
	b, err := load("testdata/classeval.json")
	fatal.If(t, err)
	add, double := b.Tasks[1], b.Tasks[2]
	for _, want := range []string{"import math\n", "    def add(*args, **kwargs):\n", "    @staticmethod\n    def double(n):\n        return 2 * n\n"} {
		if !strings.Contains(add.Prompt, want) {
			t.Errorf("the prompt has no %q:\n%s", want, add.Prompt)
		}
	}
	if strings.Contains(add.Prompt, "self.total +=") || !strings.Contains(double.Prompt, "    @staticmethod\n    def double(*args, **kwargs):\n") {
		t.Errorf("the method's own code is in its prompt:\n%s\n%s", add.Prompt, double.Prompt)
	}
	if !strings.Contains(add.Description, "Adds n and returns the total.") || strings.Contains(add.Description, "self.total +=") {
		t.Error(add.Description)
	}
	if strings.Contains(add.Tests.Unittest, "TestDouble") || !strings.HasPrefix(add.Tests.Unittest, "import unittest") || add.Type != "method" || b.Tasks[0].Type != "class" {
		t.Errorf("%+v", add.Tests)
	}
}

func TestOtherReaders(t *testing.T) {
	load := func(name string) []benchmark.Task {
		b, err := load("testdata/" + name)
		fatal.If(t, err)
		return b.Tasks
	}
	big := load("bigcodebench.jsonl")[0]
	if !big.Tests.InProcess || big.Constraints[0] != "These libraries may be used: random, itertools" || !strings.HasPrefix(big.Description, "Roll n dice") ||
		!strings.HasPrefix(big.Reference, big.Prompt) {
		t.Errorf("%+v", big)
	}
	ds := load("ds1000.jsonl")[0]
	if ds.Category != "numpy" || ds.Type != "origin" || !strings.Contains(ds.Tests.Script, "\ntest_string(_solution)\n") {
		t.Errorf("%+v", ds)
	}
	mz := load("miahzhu.json")
	for i, want := range []benchmark.Task{
		{Difficulty: benchmark.Hard, Title: "Write R code that sums a vector.", Source: benchmark.Source{Title: "A Book of R", Year: 2017, Chapter: "13"}},
		{Difficulty: benchmark.Easy, Title: "Write R code that sorts a vector of many numbers …", Source: benchmark.Source{Title: "A Book of R", Year: 2017, Chapter: "2"}},
	} {
		if got := mz[i]; got.Type != "numerical" || got.Language != "r" || got.Difficulty != want.Difficulty || got.Title != want.Title ||
			got.Source != want.Source || got.Published != "2017" {
			t.Errorf("%+v", got)
		}
	}
	if mz[1].Extra["Note"] == nil || mz[1].Reference != "sort(x, decreasing = TRUE)" || mz[0].Reference != "# The source's answer is a picture: X1.png" {
		t.Errorf("%+v, %q, %q", mz[1].Extra, mz[0].Reference, mz[1].Reference)
	}
	mbpp := load("mbpp.jsonl")
	if mbpp[0].EntryPoint != "add_one" || mbpp[1].Tests.Setup != "import math\n" || mbpp[1].Extra["source_file"] == nil {
		t.Errorf("%+v", mbpp)
	}
	table := load("tasks.csv")
	if a := table[0]; a.Description != "Add two numbers; say \"why\".\nOver two lines." || a.Difficulty != benchmark.Easy || strings.Join(a.Topics, "|") != "arithmetic|sums" ||
		a.Source != (benchmark.Source{Title: "A Book", Year: 2023}) || len(a.Tests.Asserts) != 2 || a.Tests.Asserts[1] != "assert add(\n    2, 2) == 4" ||
		string(a.Extra["course_week"]) != `"3"` {
		t.Errorf("%+v", a)
	}
	if table[1].Title != "t2" || table[1].Language != "python" {
		t.Errorf("%+v", table[1])
	}
}

// TestCSVDialects reads the same table with each separator, and as spreadsheets write it.
func TestCSVDialects(t *testing.T) {
	const table = "Id,Description,Language\r\na,\"x\r\ny\",r\r\n"
	for _, text := range []string{table, "\ufeff" + table, strings.ReplaceAll(table, ",", ";"), strings.ReplaceAll(table, ",", "\t")} {
		b, as, err := LoadAs(write(t, "table", []byte(text)), "")
		if err != nil || as != CSV || b.Tasks[0].Description != "x\ny" || b.Tasks[0].Language != "r" {
			t.Errorf("%q: %v, %s", text, err, as)
		}
	}
}

func TestPackages(t *testing.T) {
	big, err := load("testdata/bigcodebench.jsonl")
	fatal.If(t, err)
	if got := Packages(big); len(got) != 0 {
		t.Errorf("Python brings %v", got)
	}
	big.Tasks[0].Extra["libs"] = []byte(`"['numpy', 'os', 'Pandas']"`)
	ds, err := load("testdata/ds1000.jsonl")
	fatal.If(t, err)
	big.Tasks = append(big.Tasks, ds.Tasks...)
	ds.Tasks[0].Extra["metadata"] = []byte(`{"library": "Pytorch"}`)
	if got := strings.Join(Packages(big), " "); got != "numpy pandas torch" {
		t.Error(got)
	}
}
