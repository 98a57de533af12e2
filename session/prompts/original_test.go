package prompts

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/benchmark/statement"
	"assay/data/fatal"
)

// The usual forms of examples are removed completely, and nothing else.
func TestWithoutExamples(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"none", "Add two numbers.\nBoth are whole.", "Add two numbers.\nBoth are whole."},
		{"doctest", "Add two numbers.\n>>> add(1, 2)\n3\n>>> add(0, 0)\n0", "Add two numbers."},
		{"doctest in the middle", "Add.\n>>> add(1, 2)\n3\n\nBoth are whole.", "Add.\n\nBoth are whole."},
		{"doctest before a sentence", "Add.\n>>> add(1, 2)\n3\nThe numbers are never negative.", "Add.\nThe numbers are never negative."},
		{"heading", "Add.\n\nExamples:\nadd(1, 2) == 3\nadd(0, 0) == 0\n", "Add."},
		{"numbered, with what follows", "Add.\n\nExample 1:\n    Input: 1 2\n    Output: 3\n    Explanation: one and two\n    make three.\n\nExample 2:\n    Input: 0 0\n    Output: 0\n\nConstraints:\n    * 1 <= a", "Add.\n\nConstraints:\n    * 1 <= a"},
		{"Markdown", "Add.\n\n**Example 1:**\n\nInput: nums = [1,2]\nOutput: 3\n\n**Constraints:**\n- none", "Add.\n\n**Constraints:**\n- none"},
		{"a sentence after examples", "Add.\nFor example:\nadd(1) => 1\nIt is assumed that the list is not empty.", "Add.\nIt is assumed that the list is not empty."},
		{"inline", "Add them. For example, add(1.5, 2) should\nreturn 3.5. Both are numbers.", "Add them. Both are numbers."},
		{"e.g.", "The first digit is negative:\ne.g. -123 has signed digits -1, 2, and 3.\nCount.", "The first digit is negative.\nCount."},
		{"in brackets", "Take a list of pairs (e.g. [(1, 2), (3, 4)]) and add.", "Take a list of pairs and add."},
		{"calls without a heading", "Simplify it.\n\nadd(\"1/5\", \"5/1\") = True\nadd(1, 2) == 3\n\nIf it is empty, return 0.", "Simplify it.\n\nIf it is empty, return 0."},
		{"a definition stays", "It is defined by\nadd(1) = 3\nadd(n) = 1 + n / 2, if n is even.", "It is defined by\nadd(1) = 3\nadd(n) = 1 + n / 2, if n is even."},
		{"from the field", "Add.\n`7 8` gives `15`\nDone.", "Add.\nDone."},
		{"the word alone", "Find the example that fits, as an example, and keep it.", "Find the example that fits, as an example, and keep it."},
	} {
		got := statement.New("add").Without(tc.text, []benchmark.Example{{Input: "7 8", Output: "15"}})
		if got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

// A statement that consists of examples is kept.
func TestOnlyExamples(t *testing.T) {
	task := &benchmark.Task{EntryPoint: "add", Description: ">>> add(1, 2)\n3", Constraints: []string{"whole numbers"}}
	if got, want := Original(task), ">>> add(1, 2)\n3\n\nConstraints:\n- whole numbers"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// shared finds a data file that is not part of the project.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	root := os.Getenv("ASSAY_SHARED")
	full := filepath.Join(append([]string{root}, path...)...)
	if _, err := os.Stat(full); root == "" || err != nil {
		t.Skip("the published files are not here: set ASSAY_SHARED to their folder")
	}
	return full
}

// HumanEval's 164 statements contain examples in a dozen forms: all results are removed, and the other
// sentences remain.
func TestHumanEvalWithoutExamples(t *testing.T) {
	b, _, err := format.LoadAs(shared(t, "datasets", "HumanEval.jsonl.gz"), "")
	fatal.If(t, err)
	left := regexp.MustCompile(`(?i)>>>|==>|➞|\bexample|e\.g\.|\bassert\b`)
	for i := range b.Tasks {
		got := Original(&b.Tasks[i])
		if found := left.FindString(got); found != "" || strings.TrimSpace(got) == "" {
			t.Errorf("%s has %q left:\n%s", b.Tasks[i].ID, found, got)
		}
	}
	for id, want := range map[string]string{
		"HumanEval/0":   "Check if in given list of numbers, are any two numbers closer to each other than\ngiven threshold.",
		"HumanEval/6":   "Input to this function is a string represented multiple groups for nested parentheses separated by spaces.\nFor each of the group, output the deepest level of nesting of parentheses.",
		"HumanEval/84":  "Given a positive integer N, return the total sum of its digits in binary.\n\nVariables:\n    @N integer\nOutput:\n     a string of binary number\n\nConstraints:\n- 0 ≤ N ≤ 10000.",
		"HumanEval/108": "Write a function count_nums which takes an array of integers and returns\nthe number of elements which has a sum of digits > 0.\nIf a number is negative, then its first signed digit will be negative.",
		"HumanEval/122": "Given a non-empty array of integers arr and an integer k, return\nthe sum of the elements with at most two digits from the first k elements of arr.\n\nConstraints:\n- 1 <= len(arr) <= 100\n- 1 <= k <= len(arr)",
		"HumanEval/151": "Given a list of numbers, return the sum of squares of the numbers\nin the list that are odd. Ignore numbers that are negative or not integers.\n\nIf the input list is empty, return 0.",
	} {
		task, err := b.Task(id)
		fatal.If(t, err)
		if got := Original(task); got != want {
			t.Errorf("%s is\n%s\nand should be\n%s", id, got, want)
		}
	}
	for id, part := range map[string]string{
		"HumanEval/110": "NO\".\nIt is assumed that the input lists will be non-empty.", "HumanEval/119": "are balanced.\nReturn 'Yes' if",
		"HumanEval/127": "is a pair of integers.\nThe given intervals", "HumanEval/130": "tri(1) = 3\n", "HumanEval/99": "Rounding away from zero means",
	} {
		task, err := b.Task(id)
		fatal.If(t, err)
		if got := Original(task); !strings.Contains(got, part) {
			t.Errorf("%s has lost %q:\n%s", id, part, got)
		}
	}
}
