package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
)

// doubling is in each language a program that doubles the numbers it reads, and
// the same with an error that a compiler finds, and with one at run time.
var doubling = map[string]struct{ good, broken, fails, loops, script, missed string }{
	"python": {"import sys\nfor w in sys.stdin.read().split(): print(2 * int(w))", "print(", "print(1); raise ValueError('x')", "while True: pass",
		"assert 1 + 1 == 2", "assert 1 + 1 == 3"},
	"javascript": {"const t = require('fs').readFileSync(0, 'utf8');\nfor (const w of t.split(/\\s+/).filter(x => x)) console.log(2 * w);", "let x = ;", "throw new Error('x')", "for (;;) {}",
		"require('assert').strictEqual(1 + 1, 2)", "require('assert').strictEqual(1 + 1, 3)"},
	"c": {"#include <stdio.h>\nint main(void) { int n; while (scanf(\"%d\", &n) == 1) printf(\"%d\\n\", 2 * n); return 0; }", "int main(void) { return x; }", "#include <stdlib.h>\nint main(void) { abort(); }", "int main(void) { volatile int i = 0; for (;;) i++; }",
		"#include <assert.h>\nint main(void) { assert(1 + 1 == 2); return 0; }", "#include <assert.h>\nint main(void) { assert(1 + 1 == 3); return 0; }"},
	"cpp": {"#include <iostream>\nint main() { int n; while (std::cin >> n) std::cout << 2 * n << '\\n'; }", "int main() { return x; }", "#include <stdexcept>\nint main() { throw std::runtime_error(\"x\"); }", "int main() { volatile int i = 0; for (;;) i = i + 1; }",
		"#include <cassert>\nint main() { assert(1 + 1 == 2); }", "#include <cassert>\nint main() { assert(1 + 1 == 3); }"},
	"go": {"package main\nimport \"fmt\"\nfunc main() { var n int; for { if _, err := fmt.Scan(&n); err != nil { return }; fmt.Println(2 * n) } }", "package main\nfunc main() { x := 1 }", "package main\nfunc main() { panic(1) }", "package main\nfunc main() { for {} }",
		"package main\nimport (\"testing\"; \"github.com/stretchr/testify/assert\")\nfunc TestX(t *testing.T) { assert.New(t).Equal(2, 1 + 1) }", "package main\nimport (\"testing\"; \"github.com/stretchr/testify/assert\")\nfunc TestX(t *testing.T) { assert.New(t).Equal(3, 1 + 1) }"},
	"java": {"import java.util.*;\npublic class Solution { public static void main(String[] a) { Scanner s = new Scanner(System.in); while (s.hasNextInt()) System.out.println(2 * s.nextInt()); } }", "class Main { int x = ; }", "class Main { public static void main(String[] a) { throw new RuntimeException(\"x\"); } }", "class Main { public static void main(String[] a) { for (;;); } }",
		"class Main { public static void main(String[] a) { assert 1 + 1 == 2; } }", "class Main { public static void main(String[] a) { assert 1 + 1 == 3; } }"},
	"bash": {"for w in $(cat); do echo $((2 * w)); done", "if then", "exit 3", "while :; do :; done", "[ $((1 + 1)) = 2 ]", "[ $((1 + 1)) = 3 ]"},
	"r":    {"for (n in scan('stdin', quiet = TRUE)) cat(2 * n, '\\n')", "x <- (", "stop('x')", "repeat {}", "stopifnot(1 + 1 == 2)", "stopifnot(1 + 1 == 3)"},
}

// ready skips a language that is not installed.
func ready(t *testing.T, j *Judge, task *benchmark.Task) {
	t.Helper()
	if err := j.Ready(task); err != nil {
		t.Skip(err)
	}
}

func TestPrograms(t *testing.T) {
	j := newJudge(t)
	for _, language := range languageNames() {
		t.Run(language, func(t *testing.T) {
			code := doubling[language]
			stdin := &benchmark.Task{ID: "p", Language: language, Tests: benchmark.Tests{Style: benchmark.Stdin,
				Runs: []benchmark.Run{{Input: "1 2\n3", Output: "2\n4\n6\n"}, {Input: "", Output: ""}, {Input: "21", Output: "42"}}},
				Limits: benchmark.Limits{CPUSeconds: 1, CPUTotal: 4}}
			ready(t, j, stdin)
			script := *stdin
			script.Tests = benchmark.Tests{Style: benchmark.Script, Script: "\n"}
			for _, tt := range []struct {
				name, code string
				task       *benchmark.Task
				verdict    Verdict
				passed     int
				isolation  string
			}{
				{"good", code.good, stdin, Accepted, 3, "isolated"},
				{"wrong", strings.ReplaceAll(code.good, "2 *", "3 *"), stdin, WrongAnswer, 1, "isolated"},
				{"compile error", code.broken, stdin, CompileError, 0, "isolated"},
				{"fails", code.fails, stdin, RuntimeError, 0, "isolated"},
				{"loops", code.loops, stdin, TimeLimit, 0, "isolated"},
				{"script", code.script, &script, Accepted, 1, "in_process"},
				{"script fails", code.missed, &script, RuntimeError, 0, "in_process"},
			} {
				r := judgeCode(t, j, tt.task, tt.code)
				if r.Verdict != tt.verdict || r.Passed != tt.passed || r.Isolation != tt.isolation || r.Total != len(r.Cases) || r.Interpreter == "" {
					t.Errorf("%s: %s %d/%d %q %s %+v\n%s", tt.name, r.Verdict, r.Passed, r.Total, r.Message, r.Isolation, r.Cases, r.Stderr)
				}
			}
		})
	}
}

// TestCompileBombs: attack 43.
func TestCompileBombs(t *testing.T) {
	j := newJudge(t)
	for language, code := range map[string]string{
		"c":    "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\nint main(void) { C(C(int y;)) }",
		"cpp":  "template<int N> struct A { static const long v = A<N - 1>::v + A<N - 2>::v; typedef A<N * 2> next; typename A<N + 1>::next x; };\nint main() { A<1> a; return A<100000>::v; }",
		"go":   "package main\nvar x = [1 << 40]int{1 << 39: 1}\nfunc main() { println(x[0]) }",
		"java": "class Main { " + strings.Repeat("static int f(){return 1;} ", 70000) + "public static void main(String[] a) {} }",
	} {
		t.Run(language, func(t *testing.T) {
			task := &benchmark.Task{ID: "p", Language: language, Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{}}}}
			ready(t, j, task)
			if r := judgeCode(t, j, task, code); r.Verdict != CompileError || r.Message == "" {
				t.Errorf("%s %q", r.Verdict, r.Message)
			}
		})
	}
}
