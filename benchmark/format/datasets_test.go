package format

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

func loadText(t *testing.T, text string) (*benchmark.Benchmark, error) {
	t.Helper()
	return load(write(t, "tasks.jsonl", []byte(text)))
}

func TestLoadMBPP(t *testing.T) {
	b, err := loadText(t, `{"task_id":"MbppEval/1","prompt":"def helper (x):\n    '''\n    Adds.\n    '''\n","entry_point":"helper ","canonical_solution":"  return x\ndef main(x):\n  return helper(x)\n","test":"def check(candidate):\n    assert main(1) == 1\n    assert(math.isclose(main(2),\n      2))\n"}`)
	fatal.If(t, err)
	task := b.Tasks[0]
	if task.EntryPoint != "main" || task.Tests.Style != benchmark.Asserts || task.Tests.Setup != "import math\n" {
		t.Errorf("%+v", task)
	}
	if a := task.Tests.Asserts; len(a) != 2 || a[0] != "assert main(1) == 1" || a[1] != "assert(math.isclose(main(2),\n      2))" {
		t.Errorf("%q", a)
	}
	if want := "def helper (x):\n  return x\ndef main(x):\n  return helper(x)\n"; task.Reference != want {
		t.Errorf("reference %q, want %q", task.Reference, want)
	}
}

func TestLoadMBPPPlus(t *testing.T) {
	const line = `{"task_id":7,"prompt":"'''\nAdds.\n'''","entry_point":"f","canonical_solution":"def f(x):\n    return x\n","base_input":[[1],["it's"]],"plus_input":[[Infinity],[-Infinity],[NaN],["NaN"]],"atol":0.1}`
	b, err := loadText(t, line)
	fatal.If(t, err)
	task := b.Tasks[0]
	if task.ID != "Mbpp/7" || task.Description != "Adds." || strings.Count(task.Tests.Check, "    assert ") != 6 || !strings.Contains(task.Tests.Check, "_atol = 0.1\n") {
		t.Errorf("%+v", task)
	}
	for _, tt := range []struct{ old, new, want string }{
		{`"atol":0.1`, `"atol":"x"`, `field "atol": the field must be a number`},
		{`[[1],["it's"]]`, `[3]`, `field "base_input": the field must be a list of lists`},
		{`[[1],["it's"]]`, `{"a":1}`, `field "base_input": the field must be a list of lists`},
		{`"task_id":7`, `"task_id":[7]`, `field "task_id"`},
		{`"entry_point":"f"`, `"entry_point":" "`, `field "entry_point": the field is empty`},
	} {
		if _, err := loadText(t, strings.Replace(line, tt.old, tt.new, 1)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.new, err, tt.want)
		}
	}
}

func TestLoadEvalPlus(t *testing.T) {
	b, err := load("testdata/evalplus.jsonl")
	fatal.If(t, err)
	for i, want := range []struct{ id, description, prompt string }{
		{"HumanEval/900", "Half of each number.", "from typing"},
		{"HumanEval/32", "Any zero of the polynomial.", "def find_zero"},
		{"Mbpp/900", "Write a function to add one.", ""},
	} {
		task := b.Tasks[i]
		if err := task.Check(); err != nil {
			t.Error(err)
		}
		if task.ID != want.id || task.Description != want.description || !strings.HasPrefix(task.Prompt, want.prompt) || (want.prompt == "") != (task.Prompt == "") ||
			!strings.HasPrefix(task.Reference, task.Prompt) {
			t.Errorf("%+v", task)
		}
	}
	if got := b.Tasks[0].SignatureText(); got != "halves(xs: List[int]) -> List[float]" {
		t.Errorf("signature %q", got)
	}
	text := testdata(t, "evalplus.jsonl")
	for _, tt := range []struct{ old, new, want string }{
		{`"HumanEval/900"`, `""`, `:1: field "task_id": the field must be a number or a text in quotes: write "HumanEval/0"`},
		{`"plus_input": [[2]]`, `"plus_input": [2]`, `:3: field "plus_input": the field must be a list of lists`},
		{`"canonical_solution": "    return 1.0`, `"solution": "    return 1.0`, `:2: field "canonical_solution": the field is missing`},
	} {
		if _, err := loadText(t, strings.Replace(text, tt.old, tt.new, 1)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.new, err, tt.want)
		}
	}
}

func TestLoadHumanEvalX(t *testing.T) {
	for _, tt := range []struct {
		line, language, entry string
		style                 benchmark.Style
		setup, prompt         string
	}{
		{`{"task_id":"Python/0","prompt":"def f(x: int) -> int:\n    \"\"\" Adds. \"\"\"\n","declaration":"def f(x: int) -> int:\n","canonical_solution":"    return x\n","test":"def check(f):\n    assert f(1) == 1\n\ncheck(f)"}`, "python", "f", benchmark.Check, "import math, re,", "def f(x: int) -> int:\n    \"\"\" Adds. \"\"\"\n"},
		{`{"task_id":"JavaScript/0","prompt":"/* Adds. */\nconst f = (x) => {\n","declaration":"\nconst f = (x) => {\n","canonical_solution":"  return x;\n}\n","test":"console.assert(f(1) === 1)"}`, "javascript", "f", benchmark.Script, "console.assert", "/* Adds. */\nconst f = (x) => {\n"},
		{`{"task_id":"Go/0","prompt":"import (\n    \"math\"\n)\n\n// Adds.\nfunc F(x int) int {\n","import":"import (\n    \"math\"\n)\n","docstring":"// Adds.\n","declaration":"\nfunc F(x int) int {\n","canonical_solution":"    return x\n}\n","test":"func TestF(t *testing.T) {}","test_setup":"package main\n"}`, "go", "F", benchmark.Script, "package main\n", "// Adds.\nfunc F(x int) int {\n"},
		{`{"task_id":"CPP/0","prompt":"#include<vector>\nint helper(int x){ return x; }\nint f(int x){\n","declaration":"int helper(int x){ return x; }\nint f(int x){\n","canonical_solution":"return x; }","test":"int main(){}"}`, "cpp", "f", benchmark.Script, "#include <stdlib.h>\n#include <algorithm>", "#include<vector>\nint helper(int x){ return x; }\nint f(int x){\n"},
		{`{"task_id":"Java/0","prompt":"class Solution {\n    public int f(int x) {\n","declaration":"class Solution {\n    public int f(int x) {\n","canonical_solution":"return x; } }","test":"public class Main {}"}`, "java", "f", benchmark.Script, "", "class Solution {\n    public int f(int x) {\n"},
		{`{"task_id":"Rust/0","prompt":"\n/*\n Adds.\n*/\n","declaration":"\nuse std::cmp;\nuse rand::Rng;\nuse md5;\nfn f(x: i32) -> i32 {\n","canonical_solution":"x }","test":"#[cfg(test)]\nmod tests {\n #[test]\n fn test_f() {}\n}"}`, "rust", "f", benchmark.Script, "", "\n/*\n Adds.\n*/\n\nuse std::cmp;\nfn f(x: i32) -> i32 {\n"},
	} {
		t.Run(tt.language, func(t *testing.T) {
			b, err := loadText(t, tt.line)
			fatal.If(t, err)
			task := b.Tasks[0]
			if task.Language != tt.language || task.EntryPoint != tt.entry || task.Tests.Style != tt.style || task.Prompt != tt.prompt ||
				!strings.HasPrefix(task.Tests.Setup, tt.setup) || !strings.HasPrefix(task.Reference, tt.prompt) || strings.Contains(task.Tests.Check, "\ncheck(f)") {
				t.Errorf("%+v", task)
			}
		})
	}
	if _, err := loadText(t, `{"task_id":"Cobol/0","prompt":"x","declaration":"x","test":"x"}`); err == nil || !strings.Contains(err.Error(), `"Cobol/0" is of no known language`) {
		t.Error(err)
	}
	if _, err := loadText(t, `{"task_id":"Go/0","prompt":"x","declaration":"x","test":"x"}`); err == nil || !strings.Contains(err.Error(), "declares no function") {
		t.Error(err)
	}
}
