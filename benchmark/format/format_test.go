package format

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/disk"
	"assay/data/fatal"
)

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	fatal.If(t, os.WriteFile(path, content, 0o644))
	return path
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	fatal.If(t, z.Close())
	return b.Bytes()
}

const (
	line1 = `{"task_id":"a/0","prompt":"import math\n\n\ndef f(xs: List[int], n) -> Dict[str, int]:\n    \"\"\" Adds.\n    More.\n    \"\"\"\n","entry_point":"f","canonical_solution":"    return 1\n","test":"def check(candidate):\n    assert candidate([], 1) == 1\n"}`
	line2 = `{"task_id":"a/1","prompt":"def g():\n","entry_point":"g","test":"def check(c): pass"}`
)

func TestLoadHumanEval(t *testing.T) {
	text := line1 + "\n\n" + line2
	for name, content := range map[string][]byte{
		"plain.jsonl": []byte(text), "misnamed.gz": []byte(text), "zipped.jsonl": zipped(t, text),
		"windows.jsonl": []byte("\ufeff" + strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			b, err := load(write(t, name, content))
			fatal.If(t, err)
			if len(b.Tasks) != 2 {
				t.Fatalf("%d tasks", len(b.Tasks))
			}
			a := b.Tasks[0]
			if a.ID != "a/0" || a.Language != "python" || a.Tests.Style != benchmark.Check || a.EntryPoint != "f" {
				t.Errorf("%+v", a)
			}
			if !strings.HasSuffix(a.Reference, "\"\"\"\n    return 1\n") {
				t.Errorf("reference %q", a.Reference)
			}
			if got := a.SignatureText(); got != "f(xs: List[int], n) -> Dict[str, int]" {
				t.Errorf("signature %q", got)
			}
			if a.Description != "Adds.\nMore." {
				t.Errorf("description %q", a.Description)
			}
			if b.Tasks[1].Reference != "" {
				t.Errorf("a reference without a canonical solution: %q", b.Tasks[1].Reference)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	whole := zipped(t, line1+"\n"+line2)
	for _, tt := range []struct {
		name    string
		content []byte
		want    []string
	}{
		{"empty", nil, []string{"is empty"}},
		{"blank", []byte("\n \n"), []string{"holds no tasks"}},
		{"not JSON", []byte("hello\n"), []string{":1: ", "not a JSON object", "hello"}},
		{"broken JSON", []byte(line1 + "\n{\"task_id\": \n"), []string{":2: ", "not valid JSON"}},
		{"missing", []byte(strings.Replace(line1, `"entry_point":"f",`, "", 1)), []string{":1: ", `"entry_point"`, "missing"}},
		{"wrong type", []byte(strings.Replace(line1, `"entry_point":"f"`, `"entry_point":["f"]`, 1)), []string{":1: ", `"entry_point"`, "text, not a list"}},
		{"empty field", []byte(strings.Replace(line1, `"entry_point":"f"`, `"entry_point":""`, 1)), []string{`"entry_point"`, "empty"}},
		{"duplicate", []byte(line1 + "\n" + line1), []string{":2: ", `"task_id"`, `"a/0"`, "line 1"}},
		{"no check", []byte(strings.Replace(line2, "def check(c): pass", "assert 1", 1)), []string{`"test"`, "check(candidate)"}},
		{"truncated gzip", whole[:len(whole)-20], []string{"truncated or damaged"}},
		{"broken gzip head", []byte{0x1f, 0x8b, 1, 2}, []string{"gzip", "cannot be unpacked"}},
		{"no known format", []byte("{\"question\": \"x\", \"answer\": 1}"), []string{":1: ", "the fields answer, question, by which no format of tasks is known", "name the format"}},
		{"its own without the mark", []byte("{\"name\": \"x\", \"tasks\": []}"), []string{":1: ", "\"assay_benchmark\": 1"}},
		{"a list of no objects", []byte("[" + line1 + ",\n 7]"), []string{":2: ", "a number stands here where an object is wanted"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "tasks.jsonl", tt.content)
			_, err := load(path)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range append(tt.want, path) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not mention %q", err, want)
				}
			}
		})
	}
	if _, err := load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a directory: %v", err)
	}
}

// from returns samples one by one.
func from(list []Sample) func() (Sample, error) {
	return func() (Sample, error) {
		if len(list) == 0 {
			return Sample{}, io.EOF
		}
		s := list[0]
		list = list[1:]
		return s, nil
	}
}

func TestSamples(t *testing.T) {
	for _, name := range []string{"s.jsonl", "s.jsonl.gz"} {
		path := filepath.Join(t.TempDir(), name)
		want := []Sample{{TaskID: "a/0", Kind: Completion, Text: "    return '<1>'\n", Line: 1},
			{TaskID: "a/0", Kind: Solution, Text: "x", Line: 2}, {TaskID: "a/1", Kind: Answer, Text: "", Line: 3}}
		if n, err := WriteSamples(disk.Out{Path: path}, HumanEvalSamples, nil, from(want)); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		r, err := OpenSamples(path)
		fatal.If(t, err)
		defer r.Close()
		for _, s := range want {
			got, err := r.Next()
			if got.Path != path || !strings.Contains(got.Object, s.TaskID) {
				t.Errorf("%+v", got)
			}
			if got.Path, got.Object = "", ""; err != nil || got != s {
				t.Errorf("%+v, %v, want %+v", got, err, s)
			}
		}
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("after the last: %v", err)
		}
	}
}

func TestSampleErrors(t *testing.T) {
	good := `{"task_id":"a","completion":"x"}` + "\n"
	for _, tt := range []struct{ name, text, want string }{
		{"no code", good + `{"task_id":"a"}`, ":2: the sample has no code"},
		{"two codes", good + `{"task_id":"a","completion":"x","answer":"y"}`, ":2: the sample has completion and answer"},
		{"no id", good + `{"completion":"x"}`, `:2: field "task_id": the field is missing`},
		{"a number as text", good + `{"task_id":"a","completion":3}`, `:2: field "completion": the field must be text, not a number`},
		{"a list as id", good + `{"task_id":[3],"completion":"x"}`, `:2: field "task_id": the field must be the id of a task`},
		{"null as id", good + `{"task_id":null,"completion":"x"}`, `:2: field "task_id": the field must be the id of a task`},
		{"cut off", good + `{"task_id":"a","compl`, ":2: the line is not valid JSON"},
		{"blank", "\n\n", "holds no samples"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := OpenSamples(write(t, "s.jsonl", []byte(tt.text)))
			fatal.If(t, err)
			defer r.Close()
			for err == nil {
				_, err = r.Next()
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want %q", err, tt.want)
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(line1 + "\n" + line2))
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	for _, name := range []string{"leetcode.jsonl", "evalplus.jsonl", "multiple.jsonl", "apps.jsonl"} {
		f.Add([]byte(testdata(f, name)))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "t")
		fatal.If(t, os.WriteFile(path, content, 0o600))
		if b, err := load(path); err == nil && len(b.Tasks) == 0 {
			t.Error("no tasks and no error")
		}
	})
}

// load reads a file of an unknown format.
func load(path string) (*benchmark.Benchmark, error) {
	b, _, err := LoadAs(path, "")
	return b, err
}
