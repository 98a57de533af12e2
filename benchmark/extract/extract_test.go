package extract

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
)

var task = &benchmark.Task{Language: "python", EntryPoint: "add"}

const (
	add   = "def add(a, b):\n    return a + b\n"
	marks = "```"
)

func fenced(language, code string) string { return marks + language + "\n" + code + marks + "\n" }

func TestCode(t *testing.T) {
	for _, tt := range []struct {
		name, answer, code, method string
		blocks                     int
		chosen                     []int
	}{
		{"one block", "Sure!\n" + fenced("python", add) + "It adds.", add, MethodFence, 1, []int{1}},
		{"tildes", "~~~python\n" + add + "~~~\n", add, MethodFence, 1, []int{1}},
		{"no language", fenced("", add), add, MethodFence, 1, []int{1}},
		{"no language, output only", fenced("", "3\n"), "", MethodNone, 1, nil},
		{"language with attributes", fenced("{.python .numberLines}", add), add, MethodFence, 1, []int{1}},
		{"capital", fenced("Python", add), add, MethodFence, 1, []int{1}},
		{"unclosed", "Here:\n```python\n" + add, add, MethodUnclosed, 1, []int{1}},
		{"indented in a list", "1. So:\n   ```python\n   def add(a, b):\n       return a + b\n   ```\n", add, MethodFence, 1, []int{1}},
		{"longer fence holds a shorter one", "````python\ndef add(a, b):\n    \"\"\"\n    ```\n    \"\"\"\n    return a\n````\n", "def add(a, b):\n    \"\"\"\n    ```\n    \"\"\"\n    return a\n", MethodFence, 1, []int{1}},
		{"usage after it", fenced("python", add) + "Use:\n" + fenced("python", "print(add(1, 2))\n"), add, MethodFence, 2, []int{1}},
		{"shell before it", fenced("bash", "pip install x\n") + fenced("python", add), add, MethodFence, 2, []int{2}},
		{"output after it", fenced("python", add) + "Output:\n" + fenced("", "3\n"), add, MethodFence, 2, []int{1}},
		{"corrected", fenced("python", "def add(a, b):\n    return a\n") + "Sorry:\n" + fenced("python", add), add, MethodFence, 2, []int{2}},
		{"helper in its own block", fenced("python", "def one():\n    return 1\n") + "then\n" + fenced("python", "def add(a, b):\n    return a + b + one() - one()\n"),
			"def one():\n    return 1\n\ndef add(a, b):\n    return a + b + one() - one()\n", MethodJoined, 2, []int{1, 2}},
		{"helper in an example", fenced("python", "def add(a, b):\n    return a + b + zero()\n") + fenced("python", "def zero():\n    return 0\nprint(add(1, 2))\n"),
			"def add(a, b):\n    return a + b + zero()\n", MethodFence, 2, []int{1}},
		{"imports in their own block", fenced("python", "import math\n") + fenced("python", "def add(a, b):\n    return math.fsum([a, b])\n"),
			"import math\n\ndef add(a, b):\n    return math.fsum([a, b])\n", MethodJoined, 2, []int{1, 2}},
		{"tests use it", fenced("python", add) + fenced("python", "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(add(1, 2), 3)\n"), add, MethodFence, 2, []int{1}},
		{"wrong language with the function", fenced("javascript", "function add(a, b) { return a + b }\n"), "function add(a, b) { return a + b }\n", MethodFence, 1, []int{1}},
		{"other language only", fenced("javascript", "let x = 1\n"), "", MethodNone, 1, nil},
		{"thinking", "<think>\n" + fenced("python", "def add(a, b): pass\n") + "</think>\n" + fenced("python", add), add, MethodFence, 1, []int{1}},
		{"thinking unclosed", "<thinking>\n" + fenced("python", add), "", MethodNone, 0, nil},
		{"thinking, closing only", fenced("python", "def add(a, b): pass\n") + "</think>" + fenced("python", add), add, MethodFence, 1, []int{1}},
		{"reasoning", "<REASONING>def add(): pass</REASONING>\n" + add, add, MethodBare, 0, nil},
		{"prose only", "I would define a function that adds two numbers.", "", MethodNone, 0, nil},
		{"prose with inline code", "Use `a + b`.", "", MethodNone, 0, nil},
		{"prose that starts like code", "import duties are high.\nclass is over", "", MethodNone, 0, nil},
		{"empty", "", "", MethodNone, 0, nil},
		{"bare", add, add, MethodBare, 0, nil},
		{"bare with prose around", "Here you go:\n\n" + add + "\nThis adds two numbers.\n", add, MethodBare, 0, nil},
		{"bare with a docstring", "def add(a, b):\n    \"\"\"\nAdds.\n    \"\"\"\n    return a + b\n", "def add(a, b):\n    \"\"\"\nAdds.\n    \"\"\"\n    return a + b\n", MethodBare, 0, nil},
		{"transcript", ">>> def add(a, b):\n...     return a + b\n...\n>>> add(1, 2)\n3\n", "def add(a, b):\n    return a + b\n\nadd(1, 2)\n", MethodTranscript, 0, nil},
		{"empty block", fenced("python", ""), "", MethodNone, 1, nil},
		{"carriage returns", "```python\r\ndef add(a, b):\r\n    return a + b\r\n```\r\n", add, MethodFence, 1, []int{1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := Code(tt.answer, task)
			if e.Code != tt.code || e.Method != tt.method || e.Blocks != tt.blocks || !slices.Equal(e.Chosen, tt.chosen) {
				t.Errorf("got %+v\nwant %q by %s, %d blocks, chosen %v", e, tt.code, tt.method, tt.blocks, tt.chosen)
			}
			if e.Note == "" || !strings.HasSuffix(e.Note, ".") {
				t.Errorf("the note %q is no sentence", e.Note)
			}
		})
	}
}

// FuzzCode: nothing is invented. Every line of the code is part of a line of the
// answer, in order.
func FuzzCode(f *testing.F) {
	f.Add("```python\ndef add(a, b):\n    return a\n```")
	f.Add(">>> def add(a):\n...   return\n")
	f.Add("<think>x</think>~~~\nimport x\n~~~\n```\ndef add(): x.y\n```")
	f.Fuzz(func(t *testing.T, answer string) {
		e := Code(answer, task)
		if (e.Code == "") != (e.Method == MethodNone) {
			t.Fatalf("method %s with %d bytes of code", e.Method, len(e.Code))
		}
		rest := answer
		for line := range strings.Lines(e.Code) {
			line = strings.TrimRight(line, "\n")
			i := strings.Index(rest, line)
			if i < 0 && e.Method != MethodJoined {
				t.Fatalf("%q is not in the rest of the answer", line)
			}
			if !strings.Contains(answer, line) {
				t.Fatalf("%q is not in the answer", line)
			}
			if i >= 0 {
				rest = rest[i+len(line):]
			}
		}
		for _, c := range e.Chosen {
			if c < 1 || c > e.Blocks {
				t.Fatalf("block %d of %d", c, e.Blocks)
			}
		}
	})
}

// Answers without code are counted by reason.
func TestReasons(t *testing.T) {
	python := &benchmark.Task{Language: "python", EntryPoint: "f"}
	for answer, reason := range map[string]string{
		"":                              NoAnswer,
		" \n":                           NoAnswer,
		"I cannot do that.":             NoCode,
		"```\n```\n":                    NoCode,
		"```rust\nfn g() {}\n```":       NoLanguage,
		"```python\ndef f(): pass\n```": "",
		"def f():\n    return 1\n":      "",
	} {
		if e := Code(answer, python); e.Reason != reason || (reason != "") != (e.Method == MethodNone) {
			t.Errorf("%q: %+v", answer, e)
		}
	}
}

// The code of an answer to a repository task is the whole answer, since paths may stand before its fences.
func TestRepositoryAnswer(t *testing.T) {
	task := &benchmark.Task{Language: "python", Repository: &benchmark.Repository{Name: "o/r"}}
	const diff = "Here:\n\n```diff\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n```\n"
	for _, tt := range []struct{ name, answer, code, method, note string }{
		{"diff", diff, diff, MethodPatch, "a diff"},
		{"thinking", "<think>no</think>" + diff, diff, MethodPatch, "a diff"},
		{"file", "x.py\n```\nb\n```\n", "x.py\n```\nb\n```\n", MethodPatch, "whole files"},
		{"block without its end", "x.py\n<<<<<<< SEARCH\na\n", "x.py\n<<<<<<< SEARCH\na\n", MethodPatch, "cannot be read"},
		{"prose", "I would change x.", "", MethodNone, "no diff"},
		{"empty", " ", "", MethodNone, "is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if e := Code(tt.answer, task); e.Code != tt.code || e.Method != tt.method || !strings.Contains(e.Note, tt.note) {
				t.Errorf("%+v", e)
			}
		})
	}
}
