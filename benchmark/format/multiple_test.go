package format

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

func TestLoadMultiPLE(t *testing.T) {
	b, err := load("testdata/multiple.jsonl")
	fatal.If(t, err)
	for i, want := range []struct{ language, entry, description, prompt, setup string }{
		{"cpp", "add_one", "Adds one.", "#include<assert.h>", ""},
		{"java", "theEnds", "The first and the last.", "import java.util.*;\nimport java.lang.reflect.*;\nimport java.security", ""},
		{"go", "add_one", "Adds one.", "// Adds one.\nfunc add_one", "package main\n\n"},
		{"javascript", "add_one", "Adds one.", "//Adds one.", ""},
		{"bash", "add_one", "Adds one.\n\n$1 is an integer", "#!/bin/bash", ""},
		{"r", "add_one", "Adds one.", "# Adds one.", ""},
		{"python", "add_one", "Adds one.", "def add_one", ""},
	} {
		task := b.Tasks[i]
		if err := task.Check(); err != nil {
			t.Error(err)
		}
		if task.Language != want.language || task.EntryPoint != want.entry || task.Description != want.description || task.Tests.Style != benchmark.Script ||
			!strings.HasPrefix(task.Prompt, want.prompt) || task.Tests.Setup != want.setup {
			t.Errorf("%+v", task)
		}
	}
	if script := b.Tasks[1].Tests.Script; !strings.HasPrefix(script, "    }\n}\nclass Main extends Problem {\n    public static void main") || !strings.Contains(script, "record Pair<A, B>") {
		t.Errorf("Java's tests: %s", script)
	}
	text := testdata(t, "multiple.jsonl")
	for _, tt := range []struct{ old, new, want string }{
		{`"language": "cpp"`, `"language": "cobol"`, `:1: field "language": "cobol" cannot be judged here: 'assay doctor'`},
		{`"tests": "}\nint main`, `"tests": 1, "more": "}\nint main`, `:1: field "tests": the field must be text, not a number`},
		{`long add_one(long n) {\n"`, `"`, `:1: field "prompt": the prompt declares no function: it must end with`},
		{`"name": "HumanEval_901_ends"`, `"name": "HumanEval_900_add_one"`, `:2: field "name": the id "HumanEval_900_add_one" was used on line 1`},
		{`"name": "HumanEval_900_add_one", `, ``, `:1: field "name": the field is missing`},
	} {
		if _, err := loadText(t, strings.Replace(text, tt.old, tt.new, 1)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.new, err, tt.want)
		}
	}
}

// Published files name languages also by the file that translated them.
func TestMultiPLELanguages(t *testing.T) {
	for name, want := range map[string]string{"humaneval_to_dlang.py": "d", "humaneval_to_r.py": "r", "notypes.py": "python", "go_test.go": "go", "humaneval_to_java.py": "java",
		"py": "python", "rs": "rust", "humaneval_to_cobol.py": "", "lang": "", ".py": ""} {
		if got := multiPLELanguage(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// A completion ends before the first of its task's stop tokens, wherever that stands in the list.
func TestStopped(t *testing.T) {
	task := &benchmark.Task{Extra: map[string]json.RawMessage{"stop_tokens": json.RawMessage(`["\n}", "\n//", ""]`)}}
	for _, tt := range []struct{ completion, text, stop string }{
		{"  return x;", "  return x;", ""}, {"  return x;\n}\nint main", "  return x;", "\n}"}, {"  x\n// y\n}", "  x", "\n//"}, {"\n}", "", "\n}"}, {"", "", ""}, {"} // a", "} // a", ""},
	} {
		text, stop := Stopped(tt.completion, task)
		if text != tt.text || stop != tt.stop {
			t.Errorf("%q: %q, %q", tt.completion, text, stop)
		}
		if again, stop := Stopped(text, task); again != text || stop != "" {
			t.Errorf("%q is cut again, at %q", text, stop)
		}
	}
	if text, stop := Stopped("x\n}", &benchmark.Task{}); text != "x\n}" || stop != "" {
		t.Errorf("without tokens: %q, %q", text, stop)
	}
}

// TestLoadReflexion: Reflexion's benchmarks and logs have MultiPL-E's fields, with the tests in another.
func TestLoadReflexion(t *testing.T) {
	b, err := loadText(t, `{"name":"mbpp_9_f","language":"rs","prompt":"fn f() -> i32 {\n","prompt_terminology":"reworded","test":"fn main() {}\n","solution":"fn f() -> i32 { 1 }","is_solved":true}`)
	fatal.If(t, err)
	if task := b.Tasks[0]; task.Language != "rust" || task.EntryPoint != "f" || task.Tests.Script != "fn main() {}\n" {
		t.Errorf("%+v", task)
	}
}
