package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
)

// typedTask has cases as data for a function in a compiled language.
func typedTask(t *testing.T, j *Judge, language string, cases ...string) *benchmark.Task {
	t.Helper()
	task := callsTask(t, "f", cases...)
	task.Language = language
	task.Limits = benchmark.Limits{CPUSeconds: 2, CPUTotal: 8, MemoryMB: 256}
	ready(t, j, task)
	return task
}

// The same cases are called in all compiled languages, with values of every kind that
// a declaration can ask for.
func TestTypedCalls(t *testing.T) {
	j := newJudge(t)
	const whole, number = `{"args":[2],"expected":4}`, `{"args":[2],"expected":1.0}`
	for _, tt := range []struct{ language, name, cases, code, statuses, message string }{
		{"go", "whole file", whole, "package main\n\nfunc f(x int) int { return x * x }\n", "passed", ""},
		{"go", "no package clause", whole, "func f(x int) int { return x * x }", "passed", ""},
		{"go", "another package", whole, "// Package shop squares.\npackage shop // squares\n\nfunc f(x int) int { return x * x }\n", "passed", ""},
		{"go", "its own main", whole, "package main\n\nimport \"fmt\"\n\nfunc f(x int) int { fmt.Println(x); return x * x }\n\nfunc main() { fmt.Println(f(3)); select {} }\n", "passed", ""},
		{"go", "wrong", whole, "func f(x int) int { return x }", "wrong_answer", ""},
		{"go", "a float", number, "func f(x float64) float64 { return x / 2 }", "passed", ""},
		{"go", "lists and maps", `{"args":[[["a",1],["b",2]],{"k":[1,2]}],"expected":{"k":3,"n":2}}`,
			"func f(rows [][]any, m map[string][]int) map[string]int { s := 0; for _, v := range m[\"k\"] { s += v }; return map[string]int{\"k\": s, \"n\": len(rows)} }", "passed", ""},
		{"go", "two results", `{"args":[7],"expected":[3,1]}`, "func f(x int) (int, int) { return x / 2, x % 2 }", "passed", ""},
		{"go", "an error, no package clause", `{"args":[-1],"raises":"error"}`, "import \"errors\"\n\nfunc f(x int) (int, error) { return 0, errors.New(\"no\") }", "passed", ""},
		{"go", "no error", whole, "func f(x int) (int, error) { return x * x, nil }", "passed", ""},
		{"go", "a set", `{"args":[[1,1]],"expected":{"$set":[1]}}`, "func f(x []int) map[int]struct{} { m := map[int]struct{}{}; for _, v := range x { m[v] = struct{}{} }; return m }", "passed", ""},
		{"go", "not a number", `{"args":[{"$float":"nan"}],"expected":[{"$float":"nan"},{"$float":"-inf"}]}`, "package main\n\nimport \"math\"\n\nfunc f(x float64) []float64 { return []float64{x, math.Inf(-1)} }", "passed", ""},
		{"go", "panics", whole, "func f(x int) int { var a []int; return a[x] }", "runtime_error", "index out of range"},
		{"go", "the wrong type", whole, "func f(x string) string { return x }", "runtime_error", "argument 1 is no string"},
		{"go", "does not compile", whole, "func f(x int) int { return y }", "not_run", "undefined: y"},
		{"go", "missing", whole, "func g(x int) int { return x }", "not_run", "undefined: f"},
		{"go", "exits", whole, "package main\n\nimport \"os\"\n\nfunc f(x int) int { os.Exit(0); return 4 }", "runtime_error", "exit status 0"},
		{"go", "panics before main", whole, "package main\n\nvar _ = []int{}[len(\"\")]\n\nfunc f(x int) int { return x * x }", "not_run", ""},
		{"go", "exits before main", whole, "package main\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n\nfunc f(x int) int { return x * x }", "not_run", "exit status 0"},
		{"go", "endless before main", whole, "package main\n\nfunc init() { for { } }\n\nfunc f(x int) int { return x * x }", "not_run", "processor time"},
		{"go", "names of its own", whole, "package main\n\ntype any int\n\nfunc min(a []int) int { return len(a) }\n\nvar real, imag = 1, 2\n\n/*\nfunc main() {}\n*/\nfunc f(x int) int { return x * x * real * min([]int{imag}) }", "passed", ""},
		{"cpp", "exits before main", whole, "#include <cstdlib>\nstatic int a = (std::exit(0), 1);\nint f(int x) { return x * x; }", "not_run", "exit status 0"},
		{"java", "names of its own", whole, "class Type {}\nclass Array {}\nclass Optional {}\nclass Solution { static int f(int x) { return x * x; } }", "passed", ""},
		{"go", "endless", whole, "func f(x int) int { for { } }", "time_limit", "processor time"},

		{"cpp", "function", whole, "int f(int x) { return x * x; }", "passed", ""},
		{"cpp", "its own main", whole, "#include <iostream>\nint f(int x) { std::cout << x; return x * x; }\nint main() { return 3; }", "passed", ""},
		{"cpp", "wrong", whole, "int f(int x) { return x; }", "wrong_answer", ""},
		{"cpp", "a float", number, "double f(double x) { return x / 2; }", "passed", ""},
		{"cpp", "lists and maps", `{"args":[[["a","b"],[]],{"k":[1,2]}],"expected":{"k":3,"n":2}}`,
			"#include <map>\n#include <string>\n#include <vector>\nusing namespace std;\nmap<string, int> f(const vector<vector<string>>& rows, map<string, vector<int>> m) { int s = 0; for (int v : m[\"k\"]) s += v; return {{\"k\", s}, {\"n\", (int)rows.size()}}; }", "passed", ""},
		{"cpp", "pairs", `{"args":[[1,"é\"\n"]],"expected":["é\"\n",1]}`, "#include <string>\n#include <utility>\nstd::pair<std::string, int> f(std::pair<int, std::string> p) { return {p.second, p.first}; }", "passed", ""},
		{"cpp", "perhaps nothing", `{"args":[null],"expected":null}`, "#include <optional>\nstd::optional<int> f(std::optional<int> x) { return x; }", "passed", ""},
		{"cpp", "truth values", `{"args":[[true,false]],"expected":[false,true]}`, "#include <vector>\nstd::vector<bool> f(std::vector<bool> x) { return {x[1], x[0]}; }", "passed", ""},
		{"cpp", "throws what is wanted", `{"args":[2],"raises":"invalid_argument"}`, "#include <stdexcept>\nint f(int x) { throw std::invalid_argument(\"no\"); }", "passed", ""},
		{"cpp", "throws", whole, "#include <stdexcept>\nint f(int x) { throw std::runtime_error(\"no way\"); }", "runtime_error", "no way"},
		{"cpp", "the wrong type", whole, "#include <string>\nint f(std::string x) { return 1; }", "runtime_error", "an argument is not text"},
		{"cpp", "too large", `{"args":[3000000000],"expected":1}`, "int f(int x) { return 1; }", "runtime_error", "too large for its type"},
		{"cpp", "crashes", whole, "int f(int x) { volatile int *p = nullptr; return *p; }", "runtime_error", "signal 11"},
		{"cpp", "does not compile", whole, "int f(int x) { return y; }", "not_run", "was not declared"},
		{"cpp", "int is another", whole, "#include <vector>\n#define int long long\nint f(int x) { return x * x; }\nsigned main() {}", "passed", ""},
		{"cpp", "endless", whole, "int f(int x) { volatile int i = 0; for (;;) i = i + 1; }", "time_limit", "processor time"},

		{"java", "Solution", whole, "class Solution { static int f(int x) { return x * x; } }", "passed", ""},
		{"java", "public, not static", whole, "public class Solution { public int f(int x) { return x * x; } }", "passed", ""},
		{"java", "another class, with main", whole, "public class Main { static int f(int x) { System.out.println(x); return x * x; }\n public static void main(String[] a) { System.exit(3); } }", "passed", ""},
		{"java", "wrong", whole, "class Solution { static int f(int x) { return x; } }", "wrong_answer", ""},
		{"java", "a float", number, "class Solution { static double f(double x) { return x / 2; } }", "passed", ""},
		{"java", "lists and maps", `{"args":[[["a","b"],[]],{"k":[1,2]}],"expected":{"k":3,"n":2}}`,
			"import java.util.*;\nclass Solution { static Map<String, Integer> f(List<List<String>> rows, Map<String, int[]> m) { return Map.of(\"k\", Arrays.stream(m.get(\"k\")).sum(), \"n\", rows.size()); } }", "passed", ""},
		{"java", "arrays", `{"args":[[[1,2],[3]],"é\"\n"],"expected":["é\"\n","3"]}`, "class Solution { static String[] f(int[][] x, String s) { return new String[]{s, \"\" + x[1][0]}; } }", "passed", ""},
		{"java", "a helper of the same name", whole, "class Solution {\n static int f(int x, int n) { return n == 0 ? 0 : x + f(x, n - 1); }\n static int f(int x) { return f(x, x); }\n static int f(int x, int n, int m) { return 0; } }", "passed", ""},
		{"java", "a class within an earlier one", whole, "class Pair {\n  record Two(int a, int b) {}\n}\npublic class Main { static int f(int x) { return new Pair.Two(x, x).a() * x; } }", "passed", ""},
		{"java", "throws what is wanted", `{"args":[2],"raises":"IllegalArgumentException"}`, "class Solution { static int f(int x) { throw new NumberFormatException(\"no\"); } }", "passed", ""},
		{"java", "throws", whole, "class Solution {\n static int f(int x) { throw new IllegalStateException(\"no way\"); } }", "runtime_error", "no way"},
		{"java", "recursion", whole, "class Solution { static int f(int x) { return f(x + 1) + 1; } }", "runtime_error", "StackOverflowError"},
		{"java", "missing", whole, "class Solution { static int g(int x) { return x; } }", "not_run", "has no method f"},
		{"java", "does not compile", whole, "class Solution { static int f(int x) { return y; } }", "not_run", "cannot find symbol"},
		{"java", "exits", whole, "class Solution { static int f(int x) { System.exit(0); return 4; } }", "runtime_error", "exit status 0"},
	} {
		t.Run(tt.language+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			r := judgeCode(t, j, typedTask(t, j, tt.language, tt.cases), tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" {
				t.Errorf("%s [%s] %q %s %s, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Isolation, r.Interpreter, tt.statuses, tt.message)
			}
		})
	}
}

// After a case that ends the process the others are run in a new one, without
// compiling again.
func TestTypedCallsGoOn(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for language, code := range map[string]string{
		"go":   "package main\n\nimport \"os\"\n\nfunc f(x int) int { if x == 1 { os.Exit(1) }; return x }\n",
		"cpp":  "#include <cstdlib>\nint f(int x) { if (x == 1) std::abort(); return x; }",
		"java": "class Solution { static int f(int x) { if (x == 1) Runtime.getRuntime().halt(1); return x; } }",
	} {
		r := judgeCode(t, j, typedTask(t, j, language, `{"args":[0],"expected":0}`, `{"args":[1],"expected":1}`, `{"args":[2],"expected":2}`), code)
		if statuses(r) != "passed runtime_error passed" || r.Verdict != RuntimeError {
			t.Errorf("%s: %s [%s] %s", language, r.Verdict, statuses(r), r.Message)
		}
	}
}
