package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestAssertionsOfScripts: an assertion that fails is a wrong answer, with its own words;
// any other error of a program is its own.
func TestAssertionsOfScripts(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const throwing = "console.assert = (ok, ...said) => { if (!ok) throw new Error('assertion failed ' + said.join(' ')); };\n"
	for i, tt := range []struct {
		language, setup, code, tests string
		verdict                      verdicts.Verdict
		message                      string
	}{
		{"javascript", "", "var x;", "require('assert').strictEqual(2, 1)", verdicts.WrongAnswer, "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 2 !== 1"},
		{"javascript", "", "var x;", "require('assert').deepStrictEqual([2], [1])", verdicts.WrongAnswer, "AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal: + actual - expected [ +   2 -   1 ]"},
		{"javascript", "", "var x;", "require('assert')(false, 'one is wanted')", verdicts.WrongAnswer, "AssertionError [ERR_ASSERTION]: one is wanted"},
		{"javascript", throwing, "const f = () => 2", "const t = () => {\n  console.assert(\n    f() === 1\n  )\n}\nt()", verdicts.WrongAnswer, "Error: assertion failed: console.assert( f() === 1 )"},
		{"javascript", throwing, "var x;", "console.assert(false, 'one is wanted')", verdicts.WrongAnswer, "Error: assertion failed one is wanted"},
		{"javascript", throwing, "const f = () => { throw new TypeError('assert: ' + 3); }", "console.assert(f() === 1)", verdicts.RuntimeError, "TypeError: assert: 3"},
		{"javascript", "", "throw 'x'", "", verdicts.RuntimeError, "the program ended with exit status 1: x"},
		{"python", "", "x = 1", "assert 2 == 1", verdicts.WrongAnswer, "AssertionError: assert 2 == 1"},
		{"python", "", "x = 1", "assert 2 == 1, 'one is wanted'", verdicts.WrongAnswer, "AssertionError: one is wanted"},
		{"python", "", "def f(): raise KeyError('assert')", "assert f() == 1", verdicts.RuntimeError, "the program ended with exit status 1: KeyError: 'assert'"},
		{"c", "", "int x;", "#include <assert.h>\nint main(void) { assert(2 == 1); }", verdicts.WrongAnswer, "main: main.c:3: main: Assertion `2 == 1' failed."},
		{"c", "#include <stdlib.h>\n", "int f(void) { abort(); }", "int main(void) { f(); }", verdicts.RuntimeError, "the process was ended by signal 6 (aborted)"},
		{"go", ends["go"].setup, "func f() int { return 2 }", "func TestF(t *testing.T) { assert.New(t).Equal(1, f()) }", verdicts.WrongAnswer, "not equal: expected 1, actual 2"},
		{"go", ends["go"].setup, "func f() int { panic(\"x\") }", "func TestF(t *testing.T) { f() }", verdicts.RuntimeError, "panic: x"},
		{"java", "", "class X {}", "class Main {\n  public static void main(String[] a) {\n    assert (2 == 1);\n  }\n}", verdicts.WrongAnswer, "java.lang.AssertionError: assert (2 == 1);"},
		{"java", "", "class S { static void f() { throw new RuntimeException(\"x\"); } }", "class Main { public static void main(String[] a) { S.f(); } }", verdicts.RuntimeError, "java.lang.RuntimeException: x"},
		{"bash", "", "x=1", "[ 2 = 1 ]", verdicts.WrongAnswer, "exit status 1"},
		{"bash", "", "x=1", "exit 3", verdicts.RuntimeError, "exit status 3"},
		{"r", "", "x <- 1", "stopifnot(2 == 1)", verdicts.WrongAnswer, "2 == 1 is not TRUE"},
		{"r", "", "x <- 1", "f <- function() stop('x')\nf()", verdicts.RuntimeError, "x"},
		{"r", "", "x <- 1", "stopifnot(all.equal(c(1, 2), c(1, 3)))", verdicts.WrongAnswer, "all.equal(c(1, 2), c(1, 3)) is not TRUE"},
		{"r", "", "x <- 1", "stopifnot(c(1, 2) == c(1, 2), 'two is one' = 2 == 1)", verdicts.WrongAnswer, "assertion failed: two is one"},
		{"r", "", "x <- 1", "stopifnot(exprs = { 1 == 1\n 2 == 1 })", verdicts.WrongAnswer, "2 == 1 is not TRUE"},
		{"r", "", "x <- 1", "test <- function() {\n    if (!identical(2, 1)) {quit('no', 1)}\n}\ntest()", verdicts.WrongAnswer, "the tests quit with status 1"},
		{"r", "", "f <- function() stop('x')", "stopifnot(f() == 1)", verdicts.RuntimeError, "x"},
		{"r", "", "f <- function() quit('no', 1)", "stopifnot(f() == 1)", verdicts.RuntimeError, "exit status 1"},
	} {
		if !sampled.OneIn(4, i) {
			continue
		}
		task := &benchmark.Task{ID: "t", Language: tt.language, Tests: benchmark.Tests{Style: benchmark.Script, Setup: tt.setup, Script: tt.tests}}
		if err := j.Ready(task); err != nil {
			t.Log(err)
			continue
		}
		if r := judgeCode(t, j, task, tt.code); r.Verdict != tt.verdict || !strings.Contains(r.Message, tt.message) {
			t.Errorf("%s %q: %s %q, want %s %q\n%s", tt.language, tt.tests, r.Verdict, r.Message, tt.verdict, tt.message, r.Stderr)
		}
	}
}
