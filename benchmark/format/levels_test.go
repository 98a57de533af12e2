package format

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/data/sampled"
)

// Whatever parts a statement is composed of, in whatever published format: level 1 of its prompt has the description and the
// signature, level 2 also the constraints, level 3 also the examples, and no word is lost.
func TestLevelsOfComposedStatements(t *testing.T) {
	const each = 20
	r := rand.New(rand.NewPCG(53, 1))
	for _, style := range publishedStyles {
		var file strings.Builder
		var want []*composed
		for n := range sampled.Of(each, 10_000/len(publishedStyles)) {
			c := compose(r, style)
			want = append(want, c)
			line, err := json.Marshal(style.fields(c, n))
			fatal.If(t, err)
			file.Write(append(line, '\n'))
		}
		b, err := loadText(t, file.String())
		if err != nil {
			t.Errorf("%s: %v", style.name, err)
			continue
		}
		wrong := 0
		for i, c := range want {
			if problems := c.problems(&b.Tasks[i], style.declared); len(problems) > 0 {
				if wrong++; wrong <= 3 {
					t.Errorf("%s: %s\nstatement:\n%s\nlevel 3:\n%s", style.name, strings.Join(problems, "; "), c.text, b.Tasks[i].PromptText(3))
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of %d statements", style.name, wrong, len(want))
		}
	}
}

// composed is a statement whose words are known: those of each level are the words that only this level and those above have.
type composed struct {
	text  string
	words [4][]string // by level
	count int
}

// fill replaces each @ of a text by a new word that belongs to a level.
func (c *composed) fill(level int, text string) string {
	for strings.Contains(text, "@") {
		c.count++
		word := fmt.Sprintf("q%c%c", 'a'+c.count/26, 'a'+c.count%26)
		c.words[level] = append(c.words[level], word)
		text = strings.Replace(text, "@", word, 1)
	}
	return text
}

// problems are where the prompts of a task have other words than its statement.
func (c *composed) problems(task *benchmark.Task, declared string) (found []string) {
	add := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	for level := 1; level <= 3; level++ {
		text := task.PromptText(level)
		for of := 1; of <= 3; of++ {
			for _, word := range c.words[of] {
				if n := strings.Count(text, word); n != min(1, max(0, level-of+1)) {
					add("%q of level %d is %d times in level %d", word, of, n, level)
				}
			}
		}
		if !strings.Contains(text, declared) {
			add("level %d lacks the signature %q", level, declared)
		}
		if level > 1 && (text == task.PromptText(level-1)) != (len(c.words[level]) == 0) {
			add("levels %d and %d: the same %v", level-1, level, text == task.PromptText(level-1))
		}
	}
	if match := shown.FindString(task.PromptText(2)); match != "" {
		add("%q in level 2", match)
	}
	return found
}

var (
	sentences = []string{"Return the @ of @.", "You are given a list @ of @ and a number @.", "Note that @ is never @.", "The result is @ if @ holds, otherwise @.",
		"If there is no such @, return @.", "Write a function to find the @ of @.", "Input to this function is a string @.", "Each @ must be followed by @, as in the statement of @.",
		"It returns True where @ == @, and False otherwise.", "@ takes @ and returns the @ (see @).", "Your task is to count the @s: a @ is one if it has @.",
		"Given @ and @, compute their @ without changing the @ of the @.", "@ < @ is not guaranteed; the @ may be empty."}
	lists = []string{"\nA move is one of these:\n\n- take a @\n- leave a @\n", "\nFor each @ do this:\n1. take the @\n2. add it to the @\n"}
	tails = []string{"Note: @ are never @.", "Follow-up: can you do @ in @?", "You are given @ and have to return a list of the first @ of @.", "The function should return @ where @ is @.", "Have fun with @ and @!"}
	// one example of each form, without a heading
	doctest  = ">>> f(@)\n@"
	equation = []string{"f(@) == @", "f(@) ➞ @", "f(@) => @", "f(@) -> @", "f([@, @]) returns @", "* f(@) → @", "f(@) # => @"}
	inlines  = []string{"For example, @ is the @ of @.", "For instance, f(@) is @.", "For example, if @ is @, the result is @. But @ is not.", "(e.g. @ is a @)"}
	bounds   = []string{"@ <= @ <= 10", "@ has no @.", "1 <= @.length <= 1000", "@ is a @ of @"}
)

func compose(r *rand.Rand, style publishedStyle) *composed {
	c := &composed{}
	pick := func(of []string) string { return of[r.IntN(len(of))] }
	var b strings.Builder
	say := func(level int, text string) { b.WriteString(c.fill(level, text) + "\n") }
	for range 1 + r.IntN(3) {
		say(1, pick(sentences))
	}
	if r.IntN(4) == 0 {
		say(1, pick(lists))
		say(1, pick(sentences))
	}
	if r.IntN(4) == 0 {
		say(3, pick(inlines))
		b.WriteString("\n")
	}
	if style.headed {
		c.likeLeetCode(r, say, pick)
		c.text = b.String()
		return c
	}
	bounded := r.IntN(2) == 0
	first := r.IntN(2) == 0
	if bounded && first {
		say(2, "\nConstraints:\n* "+pick(bounds)+"\n* "+pick(bounds)+"\n")
	}
	switch form := r.IntN(7); {
	case form == 0:
	case form <= 2 || style.lisp:
		for range 1 + r.IntN(3) {
			say(3, doctest)
		}
		b.WriteString("\n")
	case form == 3:
		say(3, pick([]string{"For example:", "Example:", "Examples:", "[input/output] samples:", "Some examples:"}))
		arrow := pick(equation)
		for range 1 + r.IntN(3) {
			say(3, "    "+arrow)
		}
	case form == 4:
		for n := range 1 + r.IntN(3) {
			say(3, fmt.Sprintf("\nExample %d:\n    Input: @, @\n    Output: @\n    Explanation: @ is the @ of @.\n", n+1))
		}
	case form == 5:
		for range 1 + r.IntN(3) {
			say(3, "assert f(@) == @")
		}
	default:
		say(3, "\nExamples:\nFor N = @ the output should be @.\nFor N = @ the output should be @.")
	}
	if bounded && !first {
		say(2, "\nConstraints:\n* "+pick(bounds)+"\n* "+pick(bounds)+"\n")
	}
	if r.IntN(3) == 0 {
		say(1, pick(tails))
	}
	c.text = strings.TrimSpace(b.String())
	return c
}

func (c *composed) likeLeetCode(r *rand.Rand, say func(int, string), pick func([]string) string) {
	for n := range 1 + r.IntN(3) {
		explained := pick([]string{"", "Explanation: @ is the @ of @.\n", "Explanation:\n\n@ is the @.\nNote that @ is the @ of @.\nReturn @ then.\n", "Explanation: You are given @.\nThus, return @.\n"})
		say(3, fmt.Sprintf("\u00a0\nExample %d:\n\nInput: a = @, b = [@,@]\nOutput: @\n%s", n+1, explained))
	}
	say(2, "\n\u00a0\nConstraints:\n\n"+pick(bounds)+"\n"+pick(bounds)+"\n")
	if r.IntN(3) == 0 {
		say(1, "\n\u00a0\nFollow-up: Can you do it in @ of @?")
	}
}

// publishedStyle is a published format of tasks, with how it writes a statement.
type publishedStyle struct {
	name     string
	declared string // the signature as a prompt has it
	headed   bool   // statements in LeetCode's form
	lisp     bool   // calls are lists
	fields   func(c *composed, n int) map[string]any
}

var publishedStyles = styles()

func styles() []publishedStyle {
	const python = "def f(x: int) -> int:\n    \"\"\""
	check := "def check(candidate):\n    assert candidate(1) == 1\n"
	docstring := func(text string) string { return python + indentedBy(text, "    ") + "\n    \"\"\"\n" }
	all := []publishedStyle{
		{"LeetCode", "def g(self, a: int)", true, false, func(c *composed, n int) map[string]any {
			return map[string]any{"task_id": fmt.Sprint("t", n), "problem_description": c.text, "starter_code": "class Solution:\n    def g(self, a: int) -> int:\n        ", "completion": "class Solution:\n    def g(self, a):\n        return a",
				"entry_point": "Solution().g", "test": check, "prompt": "import math\n"}
		}},
		{"HumanEval", "f(x: int) -> int", false, false, func(c *composed, n int) map[string]any {
			return map[string]any{"task_id": fmt.Sprint("t/", n), "prompt": "import math\n\n" + docstring(c.text), "entry_point": "f", "canonical_solution": "    return x\n", "test": check}
		}},
		{"MBPP", "f(x, y)", false, false, func(c *composed, n int) map[string]any {
			return map[string]any{"task_id": n + 1, "text": c.text, "code": "def f(x, y):\n    return x\n", "test_list": []string{"assert f(1, 2) == 1"}}
		}},
		{"MBPP as HumanEval", "f(x)", false, false, func(c *composed, n int) map[string]any {
			return map[string]any{"task_id": fmt.Sprint("MbppEval/", n), "prompt": "def f(x):\n    '''\n    " + indentedBy(c.text, "    ") + "\n    '''\n", "entry_point": "f", "canonical_solution": "    return x\n", "test": "def check(candidate):\n    assert f(1) == 1\n"}
		}},
		{"MBPP+", "f(x, y)", false, false, func(c *composed, n int) map[string]any {
			return map[string]any{"task_id": n + 1, "prompt": "'''\n" + c.text + "\n'''", "entry_point": "f", "canonical_solution": "\ndef f(x, y):\n    return x\n", "base_input": [][]int{{1, 2}}, "plus_input": [][]int{{3, 4}}, "atol": 0}
		}},
	}
	for _, l := range []struct {
		language, before, line, after, head string // a comment and the declaration after it
		inside                              bool   // the comment is within the declaration
	}{
		{"cpp", "#include<assert.h>\n#include<bits/stdc++.h>\n", "// ", "", "long f(long x) {\n", false},
		{"java", "import java.util.*;\nclass Problem {\n", "    // ", "", "    public static long f(long x) {\n", false},
		{"go_test.go", "package f_test\n\nimport (\n    \"testing\"\n    \"fmt\"\n)\n\n", "// ", "", "func f(x int) int {\n", false},
		{"js", "", "//", "", "function f(x){\n", false},
		{"ts", "", "//", "", "function f(x: number): number {\n", false},
		{"rs", "", "/// ", "", "fn f(x: isize) -> isize {\n", false},
		{"cs", "using System;\nusing System.Linq;\nclass Problem {\n", "    // ", "", "    public static long F(long x) {\n", false},
		{"scala", "import math._\nobject Problem {\n", "    // ", "", "    def f(x : Long) : Long = {\n", false},
		{"php", "<?php\n", "// ", "", "function f($x) {\n", false},
		{"swift", "", "/// ", "", "func f(x: Int) -> Int {\n", false},
		{"lua", "", "-- ", "", "local function f(x)\n", false},
		{"hs", "", "-- ", "", "f :: Int -> Int\nf x = ", false},
		{"rb", "", "# ", "", "def f(x)\n", false},
		{"r", "", "# ", "", "f <- function(x) {", false},
		{"pl", "", "# ", "", "sub f {\n    my($x) = @_;\n", false},
		{"sh", "#!/bin/bash\n", "# ", "", "f() {\n", false},
		{"jl", "\"\"\"", "", "\"\"\"\n", "function f(x::Int64)::Int64 \n", false},
		{"ml", "(**", "", "*)\n", "let f (x : int) : int =\n", false},
		{"d", "import std.math;\n/*\n", "", "*/\n", "long f(long x) \n", false},
		{"rkt", "#lang racket\n\n", ";; ", "", "(define (f x)\n", false},
		{"elixir", "", "# ", "\n\n", "defmodule HumanEval do\n  def f(x) do\n", false},
		{"clj", "(defn f\n  \"", "  ", "\"\n", "  [x]\n", true},
		{"py", python, "    ", "    \"\"\"\n", "", true},
	} {
		all = append(all, publishedStyle{"MultiPL-E " + l.language, strings.TrimSpace(strings.TrimPrefix(strings.SplitN(l.head, "\n", 2)[0], "local ")), false, l.language == "rkt" || l.language == "clj", func(c *composed, n int) map[string]any {
			text := l.line + strings.ReplaceAll(c.text, "\n", "\n"+l.line)
			if l.inside {
				text = strings.TrimLeft(text, " ")
			}
			return map[string]any{"name": fmt.Sprint("HumanEval_", n), "language": l.language, "prompt": l.before + text + "\n" + l.after + l.head, "tests": "tests", "stop_tokens": []string{"\n}"}}
		}})
	}
	for _, l := range []struct{ prefix, before, line, after, head string }{
		{"CPP", "/*\n", "", "*/\n", "#include<vector>\nusing namespace std;\nlong f(long x){\n"},
		{"Go", "import (\n    \"math\"\n)\n\n", "// ", "", "func f(x int) int {\n"},
		{"Java", "import java.util.*;\n\nclass Solution {\n    /**\n", "    ", "     */\n", "    public long f(long x) {\n"},
		{"JavaScript", "/* ", "  ", "  */\n", "const f = (x) => {\n"},
		{"Rust", "\n/*\n", " ", "*/\n", "fn f(x:i32) -> i32{\n"},
	} {
		all = append(all, publishedStyle{"HumanEval-X " + l.prefix, regexp.MustCompile(`.*\bf\b.*\{`).FindString(l.head), false, false, func(c *composed, n int) map[string]any {
			prompt := l.before + l.line + strings.ReplaceAll(c.text, "\n", "\n"+l.line) + "\n" + l.after
			if l.prefix != "Rust" {
				prompt += l.head
			}
			return map[string]any{"task_id": fmt.Sprint(l.prefix, "/", n), "prompt": prompt, "declaration": l.head, "canonical_solution": "}\n", "test": "tests"}
		}})
	}
	return all
}

func indentedBy(text, by string) string { return strings.ReplaceAll(text, "\n", "\n"+by) }
