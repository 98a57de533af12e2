package format

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/data/sampled"
)

// TestBadInput: for any invalid file, the error states the place and a remedy.
func TestBadInput(t *testing.T) {
	const lcb, classEval, big, ds, mz, mbpp, table = "livecodebench.jsonl", "classeval.json", "bigcodebench.jsonl", "ds1000.jsonl", "miahzhu.json", "mbpp.jsonl", "tasks.csv"
	const crux, execution, output, contests = "cruxeval.jsonl", "livecodebench_execution.jsonl", "livecodebench_output.jsonl", "codecontests.jsonl"
	for _, tt := range []struct {
		file, old, new string
		want           string // after the path
	}{
		{lcb, `"question_content": "Print the sum of two numbers.", `, ``, `:1: field "question_content": the field is missing: add it, as text`},
		{lcb, `"difficulty": "easy"`, `"difficulty": "800"`, `:1: field "difficulty": "800" is not known: write easy, medium or hard`},
		{lcb, `"contest_date": "2023-05-06"`, `"contest_date": "6 May"`, `:2: field "contest_date": "6 May" is not a date: write 2024-08-11T00:00:00`},
		{lcb, `"private_test_cases": "eJ`, `"private_test_cases": "!!`, `:1: field "private_test_cases": the field must be a list of test cases, or that as a text in base64, zlib and pickle: it is not base64`},
		{lcb, `"private_test_cases": "eJ`, `"private_test_cases": "AA`, `it is not zlib-compressed`},
		{lcb, `\"output\": \"[2, 1]\"`, `\"output\": \"[2, 1\"`, `:2: field "public_test_cases": test case 1: the output "[2, 1" is not JSON: write what the function returns as JSON`},
		{lcb, `\"input\": \"[1]\"`, `\"input\": \"one\"`, `:3: field "public_test_cases": test case 1: "one" in the input is not JSON: write each argument as JSON`},
		{lcb, `\"testtype\": \"stdin\"`, `\"testtype\": \"\"`, `:1: field "public_test_cases": the testtype of test case 1 is "": all of a task's must be "stdin", or all "functional"`},
		{lcb, `"question_id": "9001"`, `"question_id": "abc900_a"`, `:2: field "question_id": the id "abc900_a" was used on line 1 already`},
		{classEval, `"class_name": "Counter2"`, `"class_name": "Other"`, `:2: field "solution_code": the class Other has no method add, which methods_info names: add it`},
		{classEval, `"method_name": "add"`, `"method_name": ""`, `:2: field "methods_info": method 1 has no method_name: add it`},
		{classEval, `"test_code"`, `"tests"`, `:2: field "methods_info": the method add has no test_code: add its unittest class`},
		{classEval, `"solution_code": "import`, `"solution": "import`, `:2: field "solution_code": the field is missing: add it, as text`},
		{classEval, "}\n]\n", "}\n", `the file ends in the middle of a value; it may not have been written completely`},
		{classEval, "}\n]\n", "}\n]\n{}", `something follows the closing ]; remove it`},
		{classEval, `"task_id": "ClassEval_900",`, `"task_id": "ClassEval_900";`, `:2: what begins here is not valid JSON: invalid character ';'`},
		{classEval, `Counts things`, "Counts\xe9things", `:2: in the element that begins here, byte`},
		{big, `class TestCases(unittest.TestCase)`, `class TestCases`, `:1: field "test": the tests define no class of unittest.TestCase: add it`},
		{big, `"entry_point": "task_func"`, `"entry_point": 1`, `:1: field "entry_point": the field must be text, not a number`},
		{ds, `def test_execution(`, `def test(`, `:1: field "code_context": the tests define no function test_execution(solution): add it`},
		{ds, `"problem_id": 900, `, ``, `:1: field "metadata": the number of the problem is missing: add it`},
		{mz, `"Difficulty": "Hard"`, `"Difficulty": "4"`, `:2: field "Difficulty": "4" is not known: write Easy, Medium or Hard`},
		{mz, `"Input"`, `"Question"`, `:2: field "Input": the field is missing: add it, as text`},
		{mz, `"Year": 2017`, `"Year": "soon"`, `:17: field "Year": soon is not a year: write 2017`},
		{mz, `"ID": "X2"`, `"ID": "X1"`, `:17: field "ID": the id "X1" was used on line 2 already: ids must be unique`},
		{mbpp, `"task_id": 900`, `"task_id": null`, `:1: field "task_id": the field must be a number or a text in quotes`},
		{crux, `"def f(words)`, `"def g(words)`, `:1: field "code": the code defines no function f, which the input is given to: name it so`},
		{crux, `"output": "{'a': 3, 'n': 2}", `, ``, `:2: field "output": the field is missing: add it, as text`},
		{crux, `"input": "'a===c'", `, ``, `:3: field "input": the field is missing: add it, as text`},
		{execution, `"difficulty": "easy"`, `"difficulty": "800"`, `:1: field "difficulty": "800" is not known: write easy, medium or hard`},
		{execution, `1707523200000`, `true`, `:2: field "contest_date": "true" is not a date: write 2024-08-11T00:00:00`},
		{output, `"test_id": 2`, `"test_id": {}`, `:2: field "test_id": the field must be a number or a text: add it`},
		{output, `\"output\": \"2\"`, `\"output\": \"two\"`, `:1: field "test": the output "two" is no value in JSON: write it so`},
		{contests, `["2\n", "3\n", "6\n"]`, `6`, `:2: field "public_tests": output 1 must be a text, or a list of texts that are all correct`},
		{contests, `"input": ["1\n2 2\n"], `, `"input": [], `, `:1: field "public_tests": there are 0 inputs and 1 outputs: give each input its output`},
		{contests, `{"seconds": 1, "nanos": 500000000}`, `"1 s"`, `:1: field "time_limit": the field must be an object with seconds and nanos`},
		{table, `;Easy;`, `;trivial;`, `:2: task "t1": field "difficulty": "trivial" is not one of`},
		{table, `;2024-05;`, `;May;`, `:2: task "t1": field "published": "May" is not a date; write 2026, 2026-03 or 2026-03-09`},
		{table, `;2023;`, `;then;`, `:2: field "year": "then" is not a year: write 2017`},
		{table, `""expected"": 2`, `""expected"": two`, `:7: field "tests": the value cannot be read (invalid character`},
		{table, `""expected"": 2`, `""wanted"": 2`, `:7: field "tests": the value cannot be read (json: unknown field "wanted"): write it as the field "tests" of assay's own format`},
		{table, "t2;", "t1;", `:7: field "id": the id "t1" was used on line 2 already: ids must be unique`},
		{table, ";12\n", "\n", `:8: the row has another number of values than the header has columns`},
		{table, ";Plot a line.;", ";\"Plot a line.;", `:8: a double quote stands wrong in the row that begins here`},
		{table, "Subtract.", "Subtra\xe7t.", `:7: field "description": in the value byte 7 (0xe7) is not UTF-8: save the file as UTF-8`},
		{table, ";type;", ";title;", `:1: field "title": two columns have this name: rename or remove one`},
		{table, "t3;;r;", "t3;;;", `:8: task "t3": field "language" is missing or empty`},
		{"apps.jsonl", `"question"`, "\"qu\xffestion\"", `:1: byte`},
		{"leetcode.jsonl", `"entry_point"`, `"entry"`, `:1: field "entry_point": the field is missing: add it, as text`},
		{"multiple.jsonl", `"tests"`, `"texts"`, `:1: field "tests": the field is missing: add it, as text`},
	} {
		text := testdata(t, tt.file)
		changed := strings.Replace(text, tt.old, tt.new, 1)
		if changed == text {
			t.Fatalf("%s: %s is not in the file", tt.file, tt.old)
		}
		// By its name, since the missing field may be the one that identifies the format.
		_, as, err := LoadAs("testdata/"+tt.file, "")
		fatal.If(t, err)
		path := write(t, tt.file, []byte(changed))
		if _, _, err := LoadAs(path, as); err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %s: %v, want %q", tt.file, tt.new, err, tt.want)
		}
	}
}

// TestUnusable: a row that is in its format, but whose task cannot be judged, leaves out that task; the error has the
// place and a remedy. Alone it is the error of the file.
func TestUnusable(t *testing.T) {
	const lcb, mbpp, plus = "livecodebench.jsonl", "mbpp.jsonl", "evalplus.jsonl"
	const output, contests, swe = "livecodebench_output.jsonl", "codecontests.jsonl", "swebench.jsonl"
	for _, tt := range []struct {
		file, old, new string
		want           string // after the path
	}{
		{lcb, `"public_test_cases": "[{\"input\": \"[1]\", \"output\": \"[1, 1]\", \"testtype\": \"functional\"}]"`, `"public_test_cases": "[]"`, `:3: field "public_test_cases": the task has no test cases: add some`},
		{mbpp, `"test_list": ["assert add_one(1) == 2", "assert add_one(-1) == 0"]`, `"test_list": []`, `:1: field "test_list": the task has no tests: add a list of assert statements`},
		{mbpp, `def half(x)`, `def halve(x)`, `:2: field "code": the code defines no function that the tests call, as in assert math.isclose(half(3), 1.5): add it`},
		{output, `"[{\"input\": \"2\\n[1, 3, 5]\", \"output\": \"2\", \"testtype\": \"functional\"}]"`, `[]`, `:1: field "test": the row has no test case: add it`},
		{contests, `{"input": ["6\n"], "output": [["2\n", "3\n", "6\n"]]}`, `{}`, `:2: field "public_tests": the problem has no tests: add some`},
		{contests, `"input_file": ""`, `"input_file": "sums.in"`, `:1: field "input_file": the problem is solved with the file "sums.in", and programs are judged by their standard input and output: remove the row`},
		{plus, `"base_input": [[[-1, 0, 1]]]`, `"base_input": []`, `:2: field "base_input": the task has no inputs: add a list`},
		{swe, `"[\"tests/test_a.py::test_a\"]"`, `[]`, `:1: field "FAIL_TO_PASS": the list is empty`},
		{swe, `"[\"tests/test_a.py::test_a\"]"`, `""`, `:1: field "FAIL_TO_PASS": the list is empty`},
	} {
		text := testdata(t, tt.file)
		whole, as, err := LoadAs("testdata/"+tt.file, "")
		fatal.If(t, err)
		changed := strings.Replace(text, tt.old, tt.new, 1)
		path := write(t, tt.file, []byte(changed))
		b, _, err := LoadAs(path, as)
		if err != nil || len(b.LeftOut) != 1 || len(b.Tasks) != len(whole.Tasks)-1 {
			t.Errorf("%s, %s: %v", tt.file, tt.new, err)
			continue
		}
		left := b.LeftOut[0]
		if text := left.Fault.Error(); !strings.HasPrefix(text, path+tt.want) {
			t.Errorf("%s, %s: %s, want %q", tt.file, tt.new, text, tt.want)
		}
		if _, err := b.Task(left.ID); whole.Tasks[left.Index].ID != left.ID || err == nil || !strings.Contains(err.Error(), left.Fault.Error()) {
			t.Errorf("%s, %s: task %d, %q: %v", tt.file, tt.new, left.Index, left.ID, err)
		}
		lines := strings.SplitAfter(changed, "\n")
		if as != HumanEval && left.Index < len(lines) && !strings.HasPrefix(changed, "[") {
			if _, _, err := LoadAs(write(t, "alone", []byte(lines[left.Index])), as); err == nil || !strings.Contains(err.Error(), strings.SplitN(tt.want, ": ", 2)[1]) {
				t.Errorf("%s, %s alone: %v", tt.file, tt.new, err)
			}
		}
		twice := lines[left.Index] + strings.TrimRight(changed, "\n") + "\n"
		if _, _, err := LoadAs(write(t, "twice", []byte(twice)), as); err == nil || !strings.Contains(err.Error(), "was used on line 1 already") {
			t.Errorf("%s, %s twice: %v", tt.file, tt.new, err)
		}
	}
}

// TestSamplesOfLeftOut: samples of a task that is left out are absent, and do not move those of others.
func TestSamplesOfLeftOut(t *testing.T) {
	b := &benchmark.Benchmark{Tasks: sampleTasks(), LeftOut: []benchmark.LeftOut{{ID: "HumanEval/7", Index: 1}}}
	for _, tt := range []struct{ name, text, want string }{
		{"by id", `{"task_id":"HumanEval/7","completion":"x"}` + "\n" + `{"task_id":"HumanEval/1","completion":"y"}`, "HumanEval/1 y"},
		{"by another spelling", `{"task_id":"humaneval_7","completion":"x"}` + "\n" + `{"task_id":"HumanEval/1","completion":"y"}`, "HumanEval/1 y"},
		{"by place", `[["w"], ["x"], ["y"]]`, "HumanEval/0 w|HumanEval/1 y"},
	} {
		s, err := OpenSamplesAs(write(t, "s", []byte(tt.text)), "", b)
		fatal.If(t, err)
		var got []string
		for sample, err := s.Next(); err == nil; sample, err = s.Next() {
			got = append(got, sample.TaskID+" "+sample.Text)
		}
		if absent := s.Absent(); strings.Join(got, "|") != tt.want || len(absent) != 1 || absent[0].TaskID != "HumanEval/7" || absent[0].Line != 1 {
			t.Errorf("%s: %q, %+v", tt.name, got, absent)
		}
	}
}

func TestOwnFormat(t *testing.T) {
	const own = "{\"assay_benchmark\": 1, \"name\": \"b\", \"tasks\": [\n {\"id\": \"a\", \"title\": \"\xe9\", \"language\": \"r\", \"description\": \"d\"}]}"
	for _, tt := range []struct {
		content []byte
		want    string
	}{
		{[]byte(own), ":2: the file is not UTF-8 here (byte 0xe9): save it as UTF-8"},
		{zipped(t, own), "is compressed, but assay's own format must be uncompressed: unpack it"},
	} {
		if _, as, err := LoadAs(write(t, "own.json", tt.content), ""); err == nil || as != Assay || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	b, as, err := LoadAs(write(t, "own.json", []byte(strings.Replace(own, "\xe9", "\ufffd", 1))), "")
	if err != nil || as != Assay || b.Tasks[0].Title != "\ufffd" {
		t.Error(err)
	}
}

// TestTruncated cuts the file of each format in its middle, plain and compressed.
func TestTruncated(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	fatal.If(t, err)
	for _, file := range files {
		_, as, err := LoadAs(file, "")
		fatal.If(t, err)
		text := testdata(t, filepath.Base(file))
		cut := text[:strings.LastIndexByte(text, '"')-1] // within a text
		packed := zipped(t, text)
		for _, content := range [][]byte{[]byte(cut), packed[:len(packed)/2]} {
			path := write(t, "cut", content)
			_, _, err := LoadAs(path, as)
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// TestBombs: input that unpacks to far too much is rejected early.
func TestBombs(t *testing.T) {
	if !sampled.All {
		t.Skip("unpacks hundreds of megabytes")
	}
	bomb := func(before, fill string, megabytes int) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(before))
		block := bytes.Repeat([]byte(fill), (1<<20)/len(fill))
		for range megabytes {
			z.Write(block)
		}
		fatal.If(t, z.Close())
		return write(t, "bomb.gz", b.Bytes())
	}
	for _, tt := range []struct {
		name, before, fill string
		megabytes          int
		want               string
	}{
		{"one line", `{"task_id":"`, "a", 66, "the line is longer than 64 MB"},
		{"blank lines", line1 + "\n", "\n", 140, "suspicious: it unpacks to more than 300 times its size; if you trust it, unpack it"},
		{"one value of a document", `[{"task_id":"`, "a", 66, "a value is longer than 64 MB"},
		{"blanks in a document", "[\n", " ", 66, "more than 4 MB of white space"},
		{"a table", "id,description,language\na,\"", "b", 140, "suspicious"},
	} {
		if _, err := load(bomb(tt.before, tt.fill, tt.megabytes)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, _, err := readSamples(bomb(`[["`, "a", 66), ""); err == nil || !strings.Contains(err.Error(), "longer than 64 MB") {
		t.Error(err)
	}
}

// FuzzReaders reads fuzzed input in each format; tasks that were read can be written.
func FuzzReaders(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	fatal.If(f, err)
	formats := Formats()
	for _, file := range files {
		text := []byte(testdata(f, filepath.Base(file)))
		_, as, err := LoadAs(file, "")
		fatal.If(f, err)
		for i := range formats {
			if formats[i] == as {
				f.Add(text, uint8(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, content []byte, which uint8) {
		path := filepath.Join(t.TempDir(), "t")
		fatal.If(t, os.WriteFile(path, content, 0o600))
		b, _, err := LoadAs(path, formats[int(which)%len(formats)])
		if err != nil {
			var at *LineError
			if errors.As(err, &at) && (at.Line < 1 || at.Text == "") {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		var out bytes.Buffer
		if err := WriteTasks(&out, b, Assay, false); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}

func FuzzPickledText(f *testing.F) {
	f.Add([]byte("\x80\x04\x95\x07\x00\x00\x00\x00\x00\x00\x00\x8c\x03abc\x94."))
	f.Fuzz(func(t *testing.T, data []byte) {
		if text, err := pickledText(data); err == nil && len(text) > len(data) {
			t.Error("more came out than went in")
		}
	})
}
