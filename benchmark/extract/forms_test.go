package extract

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
)

// promptedTask has a prompt, which an answer may complete.
var promptedTask = &benchmark.Task{Language: "python", EntryPoint: "add", Prompt: "def add(a, b):\n    \"\"\" The sum. \"\"\"\n"}

// What models wrap code in, beyond a fence of Markdown.
func TestForms(t *testing.T) {
	const nested = "def add(a, b):\n    \"\"\"\n    ```\n    add(1, 2)\n    ```\n    \"\"\"\n    return a + b\n"
	const margin = "HELP = '''\n```\nadd 1 2\n```\n'''\n" + add
	const tokens = "def add(a, b):\n    return a + b if a != '</s>' else \"<|im_end|>\"\n"
	const tags = "def add(a, b):\n    s = '<think>' + '</think>'\n    return a + b\n"
	const stub = "def add(a, b):\n    pass\n"
	for _, tt := range []struct {
		name, answer, code, method string
		chosen                     []int
	}{
		{"code that begins within a fence", add + "```\n\nIt adds.\n", add, MethodFence, []int{1}},
		{"the same, and an example", add + "```\n\nExample:\n" + fenced("python", "print(add(1, 2))\n"), add, MethodFence, []int{1}},
		{"body that begins within a fence", "    return a + b\n```\n", "    return a + b\n", MethodFence, []int{1}},
		{"body alone", "    return a + b\n", "    return a + b\n", MethodBare, nil},
		{"fence in a docstring", fenced("python", nested) + "It adds.\n", nested, MethodFence, []int{1}},
		{"fence in a text at the margin", fenced("python", margin), margin, MethodFence, []int{1}},
		{"fence on the last line of code", "```python\ndef add(a, b):\n    return a + b```\nIt adds.\n", add, MethodFence, []int{1}},
		{"fence forgotten", "```python\n" + add + fenced("python", "print(add(1, 2))\n"), add, MethodFence, []int{1}},
		{"label below the fence", "```\npython\n" + add + "```\n", add, MethodFence, []int{1}},
		{"quotes as fences", "'''python\n" + add + "'''\n", add, MethodFence, []int{1}},
		{"stub after it", fenced("python", add) + "The form:\n" + fenced("python", stub), add, MethodFence, []int{1}},
		{"broken correction", fenced("python", add) + "Or:\n" + fenced("python", "def add(a, b):\n    return a +\n"), add, MethodFence, []int{1}},
		{"correction cut off", fenced("python", add) + "Or:\n```python\n" + add, add, MethodFence, []int{1}},
		{"token in a text of the program", fenced("python", tokens), tokens, MethodFence, []int{1}},
		{"tags in a text of the program", fenced("python", tags), tags, MethodFence, []int{1}},
		{"thinking in brackets", "[THINK]\n" + fenced("python", stub) + "[/THINK]\n" + add, add, MethodBare, nil},
		{"thinking of a channel, and no answer", "<|channel|>analysis<|message|>def add(a, b): return a", "", MethodNone, nil},
		{"thinking twice", "<think>a</think>" + fenced("python", add) + "<think>\n" + fenced("python", stub) + "</think>\n", add, MethodFence, []int{1}},
		{"refusal that names the function", "I am sorry, add(a, b) is beyond me.", "", MethodNone, nil},
		{"one word", "Sorry", "", MethodNone, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := Code(tt.answer, promptedTask)
			if e.Code != tt.code || e.Method != tt.method || !slices.Equal(e.Chosen, tt.chosen) {
				t.Errorf("got %+v\nwant %q by %s, chosen %v", e, tt.code, tt.method, tt.chosen)
			}
		})
	}
}

// A whole program without fences is recognised by its grammar, or by the form of its lines; prose is none, also where
// it parses.
func TestBarePrograms(t *testing.T) {
	for name, program := range map[string]string{
		"python":     "n = int(input())\nfor _ in range(n):\n    print(sum(map(int, input().split())))\n",
		"javascript": "const L = require('fs').readFileSync(0, 'utf8').split('\\n');\nconsole.log(L.length);\n",
		"cpp":        "#include <iostream>\nint main() {\n  int n;\n  std::cin >> n;\n  std::cout << n;\n}\n",
		"c":          "#include <stdio.h>\nint main(void) {\n  int n;\n  scanf(\"%d\", &n);\n  printf(\"%d\", n);\n}\n",
		"go":         "package main\nimport \"fmt\"\nfunc main() {\n\tvar n int\n\tfmt.Scan(&n)\n\tfmt.Println(n)\n}\n",
		"java":       "import java.util.*;\npublic class Main {\n  public static void main(String[] x) {\n    System.out.println(1);\n  }\n}\n",
		"bash":       "read n\nwhile read a b; do echo $((a+b)); done\n",
		"r":          "x <- readLines(file('stdin'))\ncat(length(x))\n",
		"ruby":       "n = gets.to_i\nputs(n + 1)\n[1].each do |x|\n  puts x\nend\n",
		"rust":       "use std::io;\nfn main() {\n    let mut s = String::new();\n    io::stdin().read_line(&mut s).unwrap();\n    print!(\"{}\", s);\n}\n",
		"typescript": "const n: number = 1;\nconsole.log(n);\n",
	} {
		task := &benchmark.Task{Language: name, Tests: benchmark.Tests{Style: benchmark.Stdin}}
		if e := Code(program, task); e.Code != program || e.Method != MethodBare {
			t.Errorf("%s: %+v", name, e)
		}
		for _, prose := range []string{"I am sorry, I cannot help with that.", "Sorry", "Output: 3", "The program would read a number\nand print it.\n", "I don't know how to read this."} {
			if e := Code(prose, task); e.Method != MethodNone || e.Reason != NoCode {
				t.Errorf("%s: %q is code: %+v", name, prose, e)
			}
		}
		within := Code("Here it is:\n\n"+program+"\nIt reads all lines of the input.\n", task)
		if grammarless := name == "ruby" || name == "rust" || name == "typescript"; !grammarless && within.Code != program {
			t.Errorf("%s within prose: %+v", name, within)
		}
	}
}

// Every candidate is described, and another one can be taken.
func TestCandidates(t *testing.T) {
	const worse = "def add(a, b):\n    return a\n"
	answer := "First:\n" + fenced("python", worse) + "Better:\n" + fenced("python", add) + "Run:\n" + fenced("bash", "python add.py\n")
	e := Code(answer, task)
	if len(e.Candidates) != 3 || !e.Candidates[1].Chosen {
		t.Fatalf("%+v", e.Candidates)
	}
	for i, want := range []string{"A later block does the same.", "Block 2 of the answer's 3 was taken, because it defines add.", "It is marked Bash, and the task wants Python."} {
		if c := e.Candidates[i]; c.Reason != want || !strings.HasSuffix(answer[:c.Start], "\n") || c.Lines == 0 || !strings.HasPrefix(answer[c.End:], "\n```") {
			t.Errorf("%+v", c)
		}
	}
	if other := Take(answer, task, 0); other.Code != worse || !other.Candidates[0].Chosen || !strings.Contains(other.Note, "by the tester") {
		t.Errorf("%+v", other)
	}
	if same := Take(answer, task, 9); same.Code != e.Code {
		t.Errorf("%+v", same)
	}
}

// Runaway answers repeat what marks thinking, turns and fences. What is found in a hundred times as much text is the
// same; a cost that grew with its square would end the test at its time-out.
func TestRunawayAnswers(t *testing.T) {
	for _, part := range []string{"</think>", "</think>\n", "<think>a</think>", "x <think> ", "<s>", "a <|x|> ", "```\n", "```python\n", "<code>\n", "[INST]"} {
		for _, n := range []int{500, 10_000} {
			if e := Code(strings.Repeat(part, n), promptedTask); e.Method != MethodNone {
				t.Errorf("%q × %d: %s", part, n, e.Method)
			}
		}
	}
}
