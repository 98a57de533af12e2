package judge

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
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

// endings is for each compiled language one function that ends in another way for each argument: every call
// has its own end, and after one that ends the process the others are called in a new process, without
// compiling again.
var endings = map[string]struct {
	code  string
	cases []callEnd
}{
	"go": {`package main

import "os"

func f(x int) int {
	var a []int
	switch x {
	case 3:
		return 5
	case 4:
		return a[x]
	case 5:
		os.Exit(0)
	case 7:
		for {
		}
	}
	return x * x
}
`, []callEnd{returns, isWrong, {`{"args":[4],"expected":16}`, "runtime_error", "index out of range"},
		{`{"args":[5],"expected":25}`, "runtime_error", "exit status 0"}, goesOn, isEndless}},
	"cpp": {`#include <cstdlib>
#include <stdexcept>
int f(int x) {
	volatile int *nowhere = nullptr, i = 0;
	switch (x) {
	case 3: return 5;
	case 4: throw std::runtime_error("no way");
	case 5: std::abort();
	case 7: for (;;) i = i + 1;
	case 8: throw std::invalid_argument("no");
	case 9: return *nowhere;
	}
	return x * x;
}
`, []callEnd{returns, isWrong, {`{"args":[4],"expected":16}`, "runtime_error", "no way"}, {`{"args":[5],"expected":25}`, "runtime_error", "signal 6"},
		goesOn, {`{"args":[8],"raises":"invalid_argument"}`, "passed", ""}, {`{"args":[3000000000],"expected":1}`, "runtime_error", "too large for its type"},
		{`{"args":[9],"expected":81}`, "runtime_error", "signal 11"}, isEndless}},
	"java": {`class Solution {
	static int down(int x) { return down(x + 1) + 1; }
	static int f(int x) {
		switch (x) {
		case 3: return 5;
		case 4: throw new IllegalStateException("no way");
		case 5: System.exit(0);
		case 7: for (;;);
		case 8: throw new NumberFormatException("no");
		case 9: return down(x);
		case 10: Runtime.getRuntime().halt(1);
		}
		return x * x;
	}
}
`, []callEnd{returns, isWrong, {`{"args":[4],"expected":16}`, "runtime_error", "no way"}, {`{"args":[5],"expected":25}`, "runtime_error", "exit status 0"},
		goesOn, {`{"args":[8],"raises":"IllegalArgumentException"}`, "passed", ""}, {`{"args":[9],"expected":81}`, "runtime_error", "StackOverflowError"},
		{`{"args":[10],"expected":100}`, "runtime_error", "exit status 1"}, goesOn, isEndless}},
	"rust": {`fn down(x: i64) -> i64 { let a = [x; 1000]; if x < 0 { 0 } else { down(x + 1) + a[(x % 1000) as usize] } }
fn f(x: i32) -> Result<i64, String> {
    let a: Vec<i64> = Vec::new();
    match x {
        3 => return Ok(5),
        4 => return Ok(a[x as usize]),
        5 => std::process::exit(0),
        7 => loop {},
        8 => return Err("no".to_string()),
        9 => return Ok(down(9)),
        10 => std::process::abort(),
        11 => return Ok((i32::MAX - 20 + x * 2 + (x - 1)) as i64),
        _ => {}
    }
    Ok((x * x) as i64)
}
`, []callEnd{returns, isWrong, {`{"args":[4],"expected":16}`, "runtime_error", "index out of bounds"},
		{`{"args":[5],"expected":25}`, "runtime_error", "exit status 0"}, goesOn, {`{"args":[8],"raises":"Err"}`, "passed", ""},
		{`{"args":[8],"expected":64}`, "runtime_error", "no"}, {`{"args":[9],"expected":81}`, "runtime_error", "signal"},
		{`{"args":[10],"expected":100}`, "runtime_error", "signal 6"}, {`{"args":[11],"expected":1}`, "runtime_error", "overflow"},
		{`{"args":[3000000000],"expected":1}`, "runtime_error", "an argument is no i32: 3000000000"}, isEndless}},
}

// callEnd is a call and how it must end.
type callEnd struct{ call, status, message string }

var (
	returns   = callEnd{`{"args":[2],"expected":4}`, "passed", ""}
	isWrong   = callEnd{`{"args":[3],"expected":9}`, "wrong_answer", ""}
	goesOn    = callEnd{`{"args":[6],"expected":36}`, "passed", ""}
	isEndless = callEnd{`{"args":[7],"expected":49}`, "time_limit", "processor time"}
)

func TestEndingsOfTypedCalls(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, language := range slices.Sorted(maps.Keys(endings)) {
		e := endings[language]
		t.Run(language, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			var calls []string
			for _, c := range e.cases {
				calls = append(calls, c.call)
			}
			task := typedTask(t, j, language, calls...)
			task.Limits.CPUSeconds = 1
			r := judgeCode(t, j, task, e.code)
			if r.Verdict != verdicts.TimeLimit || r.Isolation != "isolated" || len(r.Cases) != len(e.cases) {
				t.Fatalf("%s %q %s, %d cases", r.Verdict, r.Message, r.Isolation, len(r.Cases))
			}
			for i, c := range e.cases {
				if got := r.Cases[i]; string(got.Status) != c.status || !strings.Contains(got.Message, c.message) {
					t.Errorf("%s: %s %q, want %s %q", c.call, got.Status, got.Message, c.status, c.message)
				}
			}
		})
	}
}

// Programs in compiled languages that are written in several ways, with values of every kind that a
// declaration can ask for.
func TestTypedCalls(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const whole = `{"args":[2],"expected":4}`
	for _, tt := range []struct{ language, name, cases, code, statuses, message string }{
		{"go", "another package", whole, "// Package shop squares.\npackage shop // squares\n\nfunc f(x int) int { return x * x }\n", "passed", ""},
		{"go", "its own main", whole, "package main\n\nimport \"fmt\"\n\nfunc f(x int) int { fmt.Println(x); return x * x }\n\nfunc main() { fmt.Println(f(3)); select {} }\n", "passed", ""},
		{"go", "an error, no package clause", `{"args":[-1],"raises":"error"} {"args":[2],"expected":4}`,
			"import \"errors\"\n\nfunc f(x int) (int, error) { if x < 0 { return 0, errors.New(\"no\") }; return x * x, nil }", "passed passed", ""},
		{"go", "values", `{"args":[2,{"$float":"nan"},[["a",1],["b",2]],{"k":[1,2]},[1,1]],"expected":[1.0,[{"$float":"nan"},{"$float":"-inf"}],{"k":3,"n":2},{"$set":[1]}]}`,
			"package main\n\nimport \"math\"\n\nfunc f(x, nan float64, rows [][]any, m map[string][]int, l []int) (float64, []float64, map[string]int, map[int]struct{}) {\n" +
				"\ts, set := 0, map[int]struct{}{}\n\tfor _, v := range m[\"k\"] { s += v }\n\tfor _, v := range l { set[v] = struct{}{} }\n" +
				"\treturn x / 2, []float64{nan, math.Inf(-1)}, map[string]int{\"k\": s, \"n\": len(rows)}, set\n}\n", "passed", ""},
		{"go", "the wrong type", whole, "func f(x string) string { return x }", "runtime_error", "argument 1 is no string"},
		{"go", "does not compile", whole, "func f(x int) int { return y }", "not_run", "undefined: y"},
		{"go", "missing", whole, "func g(x int) int { return x }", "not_run", "undefined: f"},
		{"go", "panics before main", whole, "package main\n\nvar _ = []int{}[len(\"\")]\n\nfunc f(x int) int { return x * x }", "not_run", ""},
		{"go", "exits before main", whole, "package main\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n\nfunc f(x int) int { return x * x }", "not_run", "exit status 0"},
		{"go", "endless before main", whole, "package main\n\nfunc init() { for { } }\n\nfunc f(x int) int { return x * x }", "not_run", "processor time"},
		{"go", "names of its own", whole, "package main\n\ntype any int\n\nfunc min(a []int) int { return len(a) }\n\nvar real, imag = 1, 2\n\n/*\nfunc main() {}\n*/\nfunc f(x int) int { return x * x * real * min([]int{imag}) }", "passed", ""},

		{"cpp", "exits before main", whole, "#include <cstdlib>\nstatic int a = (std::exit(0), 1);\nint f(int x) { return x * x; }", "not_run", "exit status 0"},
		{"cpp", "its own main", whole, "#include <iostream>\nint f(int x) { std::cout << x; return x * x; }\nint main() { return 3; }", "passed", ""},
		{"cpp", "values", `{"args":[2,[["a","b"],[]],{"k":[1,2]},[1,"é\"\n"],null,[true,false]],"expected":[[1.0,{"k":3,"n":2}],[["é\"\n",1],[null,[false,true]]]]}`,
			"#include <map>\n#include <optional>\n#include <string>\n#include <utility>\n#include <vector>\nusing namespace std;\n" +
				"pair<pair<double, map<string, int>>, pair<pair<string, int>, pair<optional<int>, vector<bool>>>>\n" +
				"f(double x, const vector<vector<string>>& rows, map<string, vector<int>> m, pair<int, string> p, optional<int> o, vector<bool> b) {\n" +
				"  int s = 0;\n  for (int v : m[\"k\"]) s += v;\n" +
				"  map<string, int> sums = {{\"k\", s}, {\"n\", (int)rows.size()}};\n  vector<bool> turned = {b[1], b[0]};\n" +
				"  return {{x / 2, sums}, {{p.second, p.first}, {o, turned}}};\n}\n", "passed", ""},
		{"cpp", "the wrong type", whole, "#include <string>\nint f(std::string x) { return 1; }", "runtime_error", "an argument is not text"},
		{"cpp", "does not compile", whole, "int f(int x) { return y; }", "not_run", "was not declared"},
		{"cpp", "int is another", whole, "#include <vector>\n#define int long long\nint f(int x) { return x * x; }\nsigned main() {}", "passed", ""},

		{"rust", "its own main", whole, "fn f(x: i32) -> i32 { println!(\"{}\", x); x * x }\nfn main() { println!(\"{}\", f(3)); loop {} }", "passed", ""},
		{"rust", "a method of Solution", whole, "impl Solution {\n    pub fn f(x: i32) -> i32 { Self::g(x) * x }\n    fn g(x: i32) -> i32 { x }\n}", "passed", ""},
		{"rust", "Solution is declared, and the function is free", whole, "struct Solution;\nimpl Solution { fn g(x: i64) -> i64 { x } }\nfn f(x: i64) -> i64 { Solution::g(x) * x }", "passed", ""},
		{"rust", "values", `{"args":[2,[["a","b"],[]],{"k":[1,2]},[1,"é\"\n"],null,[true,false],"𝄞",{"$int":"0x40000000000000"}],` +
			`"expected":[[1.0,{"k":3,"n":2}],[["é\"\n",1],[null,[false,true]]],["𝄞",18014398509481984]]}`,
			"use std::collections::{BTreeMap, HashMap};\n" +
				"fn f(x: f64, rows: &[Vec<String>], m: HashMap<String, Vec<i32>>, p: (u8, &str), o: Option<i32>, b: [bool; 2], c: char, big: i64)\n" +
				"    -> ((f64, BTreeMap<&'static str, i32>), ((String, u8), (Option<i32>, Vec<bool>)), (char, i64)) {\n" +
				"    let sums = BTreeMap::from([(\"k\", m[\"k\"].iter().sum()), (\"n\", rows.len() as i32)]);\n" +
				"    ((x / 2.0, sums), ((p.1.to_string(), p.0), (o, vec![b[1], b[0]])), (c, big))\n}\n", "passed", ""},
		{"rust", "numbers and sets", `{"args":[{"$float":"nan"},{"$float":"-inf"},{"$dict":[[1,"a"]]},{"$set":[1,2]}],"expected":[{"$float":"nan"},{"$float":"-inf"},{"$dict":[["a",1]]},{"$set":[2,4]},1e300]}`,
			"use std::collections::*;\nfn f(x: f64, y: f64, m: BTreeMap<i32, char>, s: HashSet<u64>) -> (f64, f64, HashMap<char, i32>, BTreeSet<u64>, f64) {\n" +
				"    (x, y, m.into_iter().map(|(k, v)| (v, k)).collect(), s.iter().map(|n| n * 2).collect(), 1e300)\n}", "passed", ""},
		{"rust", "borrowed", `{"args":["abc",[1,2],[3]],"expected":["bc",[2,1]]}`,
			"fn f<'a>(s: &'a str, v: &mut Vec<i32>, w: &'a mut [i64]) -> (&'a str, Vec<i32>) { v.reverse(); w[0] += 1; (&s[1..], v.clone()) }", "passed", ""},
		{"rust", "nothing", `{"args":[],"expected":null}`, "fn f() {}", "passed", ""},
		{"rust", "the wrong type", whole, "fn f(x: String) -> String { x }", "runtime_error", "an argument is no text"},
		{"rust", "too few", whole, "fn f(x: i32, y: i32) -> i32 { x * y }", "runtime_error", "takes 2 arguments, and is called with 1"},
		{"rust", "does not compile", whole, "fn f(x: i32) -> i32 { y }", "not_run", "cannot find value"},
		{"rust", "missing", whole, "fn g(x: i32) -> i32 { x }", "not_run", "f"},
		{"rust", "names of its own", whole, "trait Take { fn take(&self) -> i32; }\nimpl Take for i32 { fn take(&self) -> i32 { *self } }\nstruct Vec;\nenum Value { String }\n" +
			"type Result = i32;\nfn call(x: i32) -> Result { x }\nfn f(x: i32) -> i32 { call(x.take()) * x }", "passed", ""},

		{"java", "public, not static", whole, "public class Solution { public int f(int x) { return x * x; } }", "passed", ""},
		{"java", "another class, with main", whole, "public class Main { static int f(int x) { System.out.println(x); return x * x; }\n public static void main(String[] a) { System.exit(3); } }", "passed", ""},
		{"java", "values", `{"args":[2,[["a","b"],[]],{"k":[1,2]}],"expected":{"k":3,"n":2,"x":1.0}}`,
			"import java.util.*;\nclass Solution { static Map<String, Object> f(double x, List<List<String>> rows, Map<String, int[]> m) { return Map.of(\"k\", Arrays.stream(m.get(\"k\")).sum(), \"n\", rows.size(), \"x\", x / 2); } }", "passed", ""},
		{"java", "arrays", `{"args":[[[1,2],[3]],"é\"\n"],"expected":["é\"\n","3"]}`, "class Solution { static String[] f(int[][] x, String s) { return new String[]{s, \"\" + x[1][0]}; } }", "passed", ""},
		{"java", "a helper of the same name", whole, "class Solution {\n static int f(int x, int n) { return n == 0 ? 0 : x + f(x, n - 1); }\n static int f(int x) { return f(x, x); }\n static int f(int x, int n, int m) { return 0; } }", "passed", ""},
		{"java", "a class within an earlier one", whole, "class Pair {\n  record Two(int a, int b) {}\n}\npublic class Main { static int f(int x) { return new Pair.Two(x, x).a() * x; } }", "passed", ""},
		{"java", "missing", whole, "class Solution { static int g(int x) { return x; } }", "not_run", "has no method f"},
		{"java", "does not compile", whole, "class Solution { static int f(int x) { return y; } }", "not_run", "cannot find symbol"},
		{"java", "names of its own", whole, "class Type {}\nclass Array {}\nclass Optional {}\nclass Solution { static int f(int x) { return x * x; } }", "passed", ""},
	} {
		t.Run(tt.language+" "+tt.name, func(t *testing.T) {
			sampled.Row(t, 4)
			t.Parallel()
			r := judgeCode(t, j, typedTask(t, j, tt.language, strings.SplitAfter(tt.cases, "} ")...), tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" {
				t.Errorf("%s [%s] %q %s %s, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Isolation, r.Interpreter, tt.statuses, tt.message)
			}
		})
	}
}
