package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/data/fatal"
)

// packages has the files of a problem package of each kind, which judge a sum.
var packages = map[format.Format]map[string]string{
	format.Kattis: {
		"problem.yaml":                     "name:\n  en: A Sum\nsource: Contest 2024\nlicense: cc by-sa\nkeywords: [math]\nvalidator_flags: float_tolerance 1e-6\nlimits:\n  memory: 512\n  time_limit: 2\n",
		"problem_statement/problem.en.tex": "\\problemname{A Sum}\nAdd two numbers.\n",
		"data/sample/1.in":                 "1 2\n", "data/sample/1.ans": "3.0\n", "data/secret/1.in": "2 5\n", "data/secret/1.ans": "7.0\n", "data/secret/big/2.in": "0 0\n", "data/secret/big/2.ans": "0.0\n",
		"submissions/accepted/sum.py": "a, b = input().split()\nprint(float(a) + float(b))\n",
	},
	format.Polygon: {
		"problem.xml": `<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="a-sum" url="https://polygon.codeforces.com/p/x/a-sum">
<names><name language="russian" value="Сумма"/><name language="english" value="A Sum"/></names>
<statements><statement charset="UTF-8" language="english" path="statements/english/problem.tex" type="application/x-tex"/></statements>
<judging input-file="" output-file=""><testset name="tests"><time-limit>2000</time-limit><memory-limit>536870912</memory-limit><test-count>2</test-count>
<input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests><test method="manual" sample="true"/><test cmd="gen 5" method="generated"/></tests></testset></judging>
<assets><checker name="std::rcmp6.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
<solutions><solution tag="main"><source path="solutions/sum.py" type="python.3"/></solution></solutions></assets>
<tags><tag value="math"/></tags></problem>`,
		"statement-sections/english/legend.tex": "Add two numbers.\n", "statement-sections/english/input.tex": "Two numbers.\n",
		"tests/01": "1 2\n", "tests/01.a": "3.0\n", "tests/02": "2 5\n", "tests/02.a": "7.0\n",
		"solutions/sum.py": "a, b = input().split()\nprint(float(a) + float(b))\n",
	},
}

// packed writes a package with changed files; a text of "-" removes one.
func packed(t *testing.T, as format.Format, changed map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sum")
	for _, files := range []map[string]string{packages[as], changed} {
		for name, text := range files {
			place := filepath.Join(dir, name)
			if text == "-" {
				fatal.If(t, os.RemoveAll(place))
				continue
			}
			fatal.If(t, os.MkdirAll(filepath.Dir(place), 0o755))
			fatal.If(t, os.WriteFile(place, []byte(text), 0o644))
		}
	}
	return dir
}

func TestProblemPackages(t *testing.T) {
	for as := range packages {
		b, found, err := format.LoadAs(packed(t, as, nil), "")
		fatal.If(t, err)
		if found != as || len(b.Tasks) != 1 {
			t.Fatalf("%s: read as %s, %d tasks", as, found, len(b.Tasks))
		}
		task := b.Tasks[0]
		if task.ID != "sum" || task.Title != "A Sum" || task.Topics[0] != "math" || task.Limits.CPUSeconds != 2 || task.Limits.MemoryMB != 512 ||
			!strings.Contains(task.Description, "Add two numbers.") || !strings.Contains(task.Reference, "float(a)") ||
			len(task.Examples) != 1 || task.Examples[0] != (benchmark.Example{Input: "1 2", Output: "3.0"}) ||
			len(task.Tests.Runs) < 2 || task.Tests.Runs[1].Input != "2 5\n" || !strings.Contains(task.Tests.Checker, "1e-06") {
			t.Errorf("%s: %+v", as, task)
		}
	}
}

// TestBadPackages: a package that cannot be judged is named with its file, line and field.
func TestBadPackages(t *testing.T) {
	xml := packages[format.Polygon]["problem.xml"]
	for _, c := range []struct {
		as         format.Format
		file, text string
		want       string
	}{
		{format.Kattis, "problem.yaml", "name: [\n", "problem.yaml: "},
		{format.Kattis, "problem.yaml", "name: a\nvalidation: custom interactive\n", `problem.yaml:2: validation: "custom" needs a program`},
		{format.Kattis, "problem.yaml", "type: [pass-fail, multi-pass]\n", `problem.yaml:1: type: "multi-pass" needs a program`},
		{format.Kattis, "problem.yaml", "validator_flags: float_tolerance\n", "float_tolerance has no number"},
		{format.Kattis, "problem.yaml", "validator_flags: float_tolerance two\n", `followed by "two"`},
		{format.Kattis, "problem.yaml", "validator_flags: exact\n", `flag "exact" is not one of`},
		{format.Kattis, "problem.yaml", "name: 3\n", "problem.yaml:1: name: the value must be text"},
		{format.Kattis, "output_validators/check/check.py", "x", "a validator of its own (check)"},
		{format.Kattis, "problem_statement", "-", "there is no statement"},
		{format.Kattis, "data/secret", "-", "there are no tests"},
		{format.Kattis, "data/secret/1.ans", "-", "1.ans: the file is missing"},
		{format.Kattis, "data/secret/1.args", "x", "needs files or arguments"},
		{format.Kattis, "data/secret/big/testdata.yaml", "output_validator_flags: case_sensitive\n", "different flags"},
		{format.Kattis, "data/secret/testdata.yaml", "output_validator_flags: {a: b}\n", "testdata.yaml:1: output_validator_flags: the value must be text"},
		{format.Polygon, "problem.xml", "<problem>\n<names>\n", "problem.xml:3: "},
		{format.Polygon, "problem.xml", strings.Replace(xml, "std::rcmp6.cpp", "check.cpp", 1), "checker: check.cpp is not supported"},
		{format.Polygon, "problem.xml", strings.Replace(xml, `input-file=""`, `input-file="in.txt"`, 1), "solved with files (in.txt)"},
		{format.Polygon, "problem.xml", strings.Replace(xml, "<assets>", "<assets><interactor/>", 1), "interactor: a program talks"},
		{format.Polygon, "problem.xml", strings.Replace(xml, "tests/%02d<", "tests/<", 1), "is no pattern of paths"},
		{format.Polygon, "problem.xml", strings.Replace(xml, "tests/%02d<", "tests/%s<", 1), "is no pattern of paths"},
		{format.Polygon, "tests/02.a", "-", "02.a: the file is missing: only Polygon's full package"},
		{format.Polygon, "statement-sections", "-", "problem.tex: the file is missing"},
	} {
		_, _, err := format.LoadAs(packed(t, c.as, map[string]string{c.file: c.text}), "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, not %q", c.as, c.file, err, c.want)
		}
	}
}

func TestCodeforces(t *testing.T) {
	const row = `{"id":"1/A","title":"Sum","description":"Add.","input_format":"Two numbers.","output_format":"One.","examples":[{"input":"1 2\n","output":"3\n"}],
"official_tests":[{"input":"1 2\n","output":"3\n"},{"input":"2 2\n","output":"4\n"}],"official_tests_complete":true,"input_mode":"stdio","generated_checker":null,
"time_limit":2.0,"memory_limit":256.0,"tags":["math"],"contest_start":1718376000,"rating":800}`
	read := func(text string) (*benchmark.Benchmark, error) {
		path := filepath.Join(t.TempDir(), "rows.jsonl")
		fatal.If(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "\n\"", "\"")), 0o644))
		b, as, err := format.LoadAs(path, "")
		if err == nil && as != format.Codeforces {
			t.Errorf("read as %s", as)
		}
		return b, err
	}
	b, err := read(row)
	fatal.If(t, err)
	if task := b.Tasks[0]; task.ID != "1/A" || task.Published != "2024-06-14" || len(task.Tests.Runs) != 2 || task.Limits.CPUSeconds != 2 || !strings.Contains(task.Description, "Input\n\nTwo numbers.") || task.Extra["rating"] == nil {
		t.Errorf("%+v", task)
	}
	for change, want := range map[string]string{
		`"generated_checker":null|"generated_checker":"import sys"`: "generated_checker",
		`"input_mode":"stdio"|"input_mode":"file"`:                  "solved with a file",
		`_complete":true|_complete":false`:                          "official_tests_complete",
		`"official_tests":[|"official_tests":[],"x":[`:              "no tests",
		`"id":"1/A",|`: `"id"`,
	} {
		old, with, _ := strings.Cut(change, "|")
		if _, err := read(strings.Replace(row, old, with, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", change, err, want)
		}
	}
}
