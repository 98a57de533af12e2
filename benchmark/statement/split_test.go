package statement

import (
	"reflect"
	"testing"

	"assay/benchmark"
)

func TestSplit(t *testing.T) {
	type example = benchmark.Example
	for _, tt := range []struct {
		name, text, description string
		constraints             []string
		examples                []example
	}{
		{"nothing to take apart", "Add two numbers.", "Add two numbers.", nil, nil},
		{"only examples", ">>> add(1, 2)\n3", ">>> add(1, 2)\n3", nil, nil},
		{"doctests", "Add.\n>>> add(1,\n... 2)\n3\n>>> add(0, 0)\n0\n\nBoth are whole.", "Add.\n\nBoth are whole.", nil,
			[]example{{Input: "add(1,\n2)", Output: "3"}, {Input: "add(0, 0)", Output: "0"}}},
		{"a doctest below a heading, and a sentence", "Add.\nFor example:\n>>> add(1, 2)\n3\n\nBoth are whole.", "Add.\n\nBoth are whole.", nil,
			[]example{{Input: "add(1, 2)", Output: "3"}}},
		{"LeetCode", "Add.\n\u00a0\nExample 1:\n\nInput: a = 1\nOutput: 2\nExplanation:\n\nOne.\nNote that it is more.\n\n\nExample 2:\n\nInput: a = 0\nOutput: 0\n\n\u00a0\nConstraints:\n\n-109 <= a <= 109\na is even.\n\n\nFollow-up: How fast?",
			"Add.\n\nFollow-up: How fast?", []string{"-109 <= a <= 109", "a is even."},
			[]example{{Input: "a = 1", Output: "2", Explanation: "One.\nNote that it is more."}, {Input: "a = 0", Output: "0"}}},
		{"a list of constraints", "Add.\nConstrain:\n* a > 0\n  and whole\n* b > 0\n\nHave fun :)", "Add.\n\nHave fun :)", []string{"a > 0 and whole", "b > 0"}, nil},
		{"a constraint on its heading's line", "Add.\n  Constraints: 0 ≤ N.\nOutput:\n  a string", "Add.\nOutput:\n  a string", []string{"0 ≤ N."}, nil},
		{"arrows", "Add.\nExamples:\n* add(1, 2) ➞ 3\n# one and two\nadd(\")\", 1)  # returns \"x\"\nadd([\n 1\n], 2) == 3", "Add.", nil,
			[]example{{Input: "add(1, 2)", Output: "3", Explanation: "# one and two"}, {Input: "add(\")\", 1)", Output: "\"x\""}, {Input: "add([\n1\n], 2)", Output: "3"}}},
		{"the task after its examples", "Given is:\nFor example:\nadd(2, 1) = add(1, 1) + 1\n       = 3\nYou are given n, and return\nall sums.\nExamples:\nadd(1, 1) = 2", "Given is:\nYou are given n, and return\nall sums.", nil,
			[]example{{Input: "add(2, 1)", Output: "add(1, 1) + 1", Explanation: "= 3"}, {Input: "add(1, 1)", Output: "2"}}},
		{"the task after indented parts", "Example 1:\n    Input: 1\n    Output: 2\n    Explanation: One more.\n\nReturn it.", "Return it.", nil, []example{{Input: "1", Output: "2", Explanation: "One more."}}},
		{"another language's name", "Sum.\nA_dd(1, 2) => 3", "Sum.", nil, []example{{Input: "A_dd(1, 2)", Output: "3"}}},
		{"asserts", "Add.\nassert add(1, 2) == 3\nassert add(2, 2) == 4", "Add.", nil, []example{{Input: "add(1, 2)", Output: "3"}, {Input: "add(2, 2)", Output: "4"}}},
		{"sentences as examples", "Add.\nExamples:\nFor N = 1 the output should be 2.\nFor N = 2 the output should be 3.", "Add.", nil,
			[]example{{Input: "For N = 1 the output should be 2."}, {Input: "For N = 2 the output should be 3."}}},
		{"a sentence", "Add. For example, [1] is one. While [2] is not. Then return.", "Add. Then return.", nil, []example{{Input: "For example, [1] is one. While [2] is not."}}},
		{"a definition", "Defined by:\nadd(0) -> 0\nadd(n) -> add(n-1) + 1.\nGive it.\n>>> add(5)\n5", "Defined by:\nadd(0) -> 0\nadd(n) -> add(n-1) + 1.\nGive it.", nil,
			[]example{{Input: "add(5)", Output: "5"}}},
	} {
		task := benchmark.Task{EntryPoint: "add", Description: tt.text}
		Split(&task)
		if task.Description != tt.description || !reflect.DeepEqual(task.Constraints, tt.constraints) || !reflect.DeepEqual(task.Examples, tt.examples) {
			t.Errorf("%s: %q\nconstraints %q\nexamples %q", tt.name, task.Description, task.Constraints, task.Examples)
		}
		again := task
		if Split(&again); !reflect.DeepEqual(again, task) {
			t.Errorf("%s: taken apart again: %+v", tt.name, again)
		}
	}
}

func TestComments(t *testing.T) {
	const text = "Adds.\n>>> f(1)\n2"
	for name, code := range map[string]string{
		"Go":     "package main\n\nimport (\n\t\"math\"\n)\n\n// Adds.\n// >>> f(1)\n// 2\nfunc f(x int) int {\n",
		"C++":    "/*\nAdds.\n>>> f(1)\n2\n*/\n#include<vector>\nusing namespace std;\nfunc f(x int) int {",
		"Java":   "import java.util.*;\n\n    /**\n     * Adds.\n     * >>> f(1)\n     * 2\n     */\nfunc f(x int) int {\n    ",
		"Lua":    "-- Adds.\n-- >>> f(1)\n-- 2\nfunc f(x int) int {",
		"Racket": "#lang racket\n\n;; Adds.\n;; >>> f(1)\n;; 2\nfunc f(x int) int {",
		"OCaml":  "(**Adds.\n * >>> f(1)\n * 2\n*)\nfunc f(x int) int {",
		"R":      "# Adds.\n# >>> f(1)\n# 2\nfunc f(x int) int {",
		"Julia":  "\"\"\"Adds.\n>>> f(1)\n2\"\"\"\nfunc f(x int) int {",
		"PHP":    "<?php\n// Adds.\n// >>> f(1)\n// 2\nfunc f(x int) int {",
	} {
		got, declared := Comments(code)
		if got != text || declared != "func f(x int) int {" {
			t.Errorf("%s: %q and %q", name, got, declared)
		}
	}
	if got, declared := Comments("(defn f\n  \"Adds.\n  >>> (f 1)\n  2\"\n  [x]\n"); got != "Adds.\n>>> (f 1)\n2" || declared != "(defn f\n  [x]" {
		t.Errorf("Clojure: %q and %q", got, declared)
	}
	if got, declared := Comments("// a helper\nint h() { return 1; }\n// Adds.\nint f() {"); got != "Adds." || declared != "// a helper\nint h() { return 1; }\nint f() {" {
		t.Errorf("%q and %q", got, declared)
	}
}
