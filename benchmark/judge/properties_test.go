package judge

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
)

// propertyTask has properties of a function in a language, from JSON.
func propertyTask(t testing.TB, lang, properties string, cases ...benchmark.Case) *benchmark.Task {
	t.Helper()
	task := &benchmark.Task{ID: "t/1", Language: lang, EntryPoint: "f", Tests: benchmark.Tests{Style: benchmark.Calls, Cases: cases}}
	fatal.If(t, json.Unmarshal([]byte(properties), &task.Tests.Properties))
	return task
}

const sorts = `[{"name": "sorts", "args": [{"list": {"int": [-1000, 1000]}, "size": [0, 30]}],
	"holds": "def holds(call, xs):\n    return call(xs) == sorted(xs)"}]`

// A property is a case of its own. Where it fails, the simplest input stands in the case, with the seed and where it came from.
func TestProperties(t *testing.T) {
	j := newJudge(t)
	five := benchmark.Case{Args: []json.RawMessage{json.RawMessage("[5]")}, Expected: json.RawMessage("[5]")}
	for _, tt := range []struct{ name, properties, code, statuses, call, got, message string }{
		{"holds", sorts, "def f(xs): return sorted(xs)", "passed passed", "f on 100 inputs, seed 0", "", ""},
		{"loses what occurs twice", sorts, "def f(xs): return sorted(set(xs))", "passed wrong_answer", "f([0, 0])", "[0]", "seed 0, shrunk from f(["},
		{"wrong for large numbers", sorts, "def f(xs): return sorted(x for x in xs if x < 317)", "passed wrong_answer", "f([317])", "[]", "input "},
		{"wrong for long lists", sorts, "def f(xs): return sorted(xs)[:7]", "passed wrong_answer", "f([0, 0, 0, 0, 0, 0, 0, 0])", "[0, 0, 0, 0, 0, 0, 0]", "input "},
		{"raises", sorts, "def f(xs): return sorted(xs) if xs else xs[0]", "passed runtime_error", "f([])", "", "IndexError"},
		{"crashes", sorts, "import os\ndef f(xs): return sorted(xs) if len(xs) < 9 else os._exit(3)", "passed runtime_error", "f([", "", "exit status 3"},
		{"changes its argument", sorts, "def f(xs):\n    xs.sort()\n    return xs", "passed passed", "f on", "", ""},
		{"equals everything", sorts, magic + "def f(xs): return xs if xs == [5] else Yes()", "passed wrong_answer", "f([])", "", "input 1 of 100"},
		{"does not compile", sorts, "def f(xs)", "not_run not_run", "", "", "SyntaxError"},
		{"several calls", `[{"name": "idempotent", "args": [{"text": "ab ", "size": [0, 9]}], "seed": 3, "runs": 50,
			"holds": "def holds(call, s):\n    once = call(s)\n    return call(once) == once or 'twice is not once'"}]`,
			"def f(s): return s[:-1] if type(s) is str and len(s) > 3 else s", "passed wrong_answer", "f('aaaaa')", "'aaa'", "twice is not once (input "},
		{"given", `[{"name": "least", "args": [{"list": {"any_of": [{"float": [0, 1]}, {"int": [3, 9]}]}, "size": [1, 4], "sorted": true, "unique": true}, {"bool": true}, {"one_of": [{"$int": "12"}]}],
			"holds": "def given(xs, yes, n): return len(xs) > 1\ndef holds(call, xs, yes, n): return len(xs) > 1 and xs == sorted(set(xs)) and n == 12 and call(xs, yes, n) == xs"}]`,
			"def f(xs, *_): return xs if len(xs) != 2 else 0", "wrong_answer", "f([0.0, 3], False, 12)", "0", "seed 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := propertyTask(t, "python", tt.properties)
			if strings.Contains(tt.statuses, " ") {
				task.Tests.Cases = []benchmark.Case{five}
			}
			r := judgeCode(t, j, task, tt.code)
			if len(r.Cases) == 0 {
				t.Fatalf("%s %q", r.Verdict, r.Message)
			}
			last := r.Cases[len(r.Cases)-1]
			if statuses(r) != tt.statuses || !strings.Contains(last.Call, tt.call) || tt.got != "" && last.Got != tt.got || !strings.Contains(r.Message, tt.message) {
				t.Errorf("%s [%s] %q: %+v", r.Verdict, statuses(r), r.Message, last)
			}
			if again := judgeCode(t, j, task, tt.code); again.Cases[len(again.Cases)-1].Call != last.Call || again.Message != r.Message {
				t.Errorf("judged again: %+v, then %+v", last, again.Cases[len(again.Cases)-1])
			}
		})
	}
}

// Properties that cannot be tried are the task's fault.
func TestPropertiesBroken(t *testing.T) {
	j := newJudge(t)
	for holds, says := range map[string]string{
		"holds = 1":                 "defines no function holds",
		"def holds(call, n) return": "SyntaxError",
		"def holds(call, n): return True\ndef given(n): return n > 9": "is given none of 100 inputs",
	} {
		task := propertyTask(t, "python", `[{"name": "p", "args": [{"int": [0, 9]}], "holds": "holds"}]`)
		task.Tests.Properties[0].Holds = holds
		if r := judgeCode(t, j, task, "def f(n): return n"); r.Verdict != verdicts.NotJudged || !strings.Contains(r.Message, says) {
			t.Errorf("%q: %s %q", holds, r.Verdict, r.Message)
		}
	}
}

// A value that fails only from some size on is shrunk to that size, whatever the bound and the seed.
func TestPropertiesShrinkToTheBound(t *testing.T) {
	j := newJudge(t)
	rapid.Check(t, func(rt *rapid.T) {
		bound, seed := rapid.IntRange(1, 900).Draw(rt, "bound"), rapid.Uint64Range(0, 50).Draw(rt, "seed")
		task := propertyTask(t, "python", `[{"name": "small", "args": [{"int": [-5000, 5000]}], "holds": "def holds(call, n): return call(n) == n"}]`)
		task.Tests.Properties[0].Seed = seed
		r := judgeCode(t, j, task, strings.ReplaceAll("def f(n): return n if n < BOUND else 0", "BOUND", rapidText(bound)))
		if want := "f(" + rapidText(bound) + ")"; r.Cases[0].Call != want {
			rt.Errorf("seed %d: %q, want %q: %s", seed, r.Cases[0].Call, want, r.Cases[0].Message)
		}
	})
}

func rapidText(n int) string { text, _ := json.Marshal(n); return string(text) }

// Every language in which functions are called has properties, for inputs of its types.
func TestPropertiesOfLanguages(t *testing.T) {
	j := newJudge(t)
	for lang, programs := range map[string][2]string{
		"javascript": {"function f(xs, s) { return s.length + xs.length; }", "function f(xs, s) { return s.length + Math.min(xs.length, 3); }"},
		"typescript": {"function f(xs: number[], s: string): number { return s.length + xs.length; }", "function f(xs: number[], s: string): number { return s.length + Math.min(xs.length, 3); }"},
		"r":          {"f <- function(xs, s) nchar(s) + length(xs)", "f <- function(xs, s) nchar(s) + min(length(xs), 3)"},
		"ruby":       {"def f(xs, s) = s.length + xs.length", "def f(xs, s) = s.length + [xs.length, 3].min"},
		"php":        {"<?php\nfunction f($xs, $s) { return strlen($s) + count($xs); }", "<?php\nfunction f($xs, $s) { return strlen($s) + min(count($xs), 3); }"},
		"go":         {"func f[T any](xs []T, s string) int { return len(s) + len(xs) }", "func f(xs []int, s string) int { return len(s) + min(len(xs), 3) }"},
		"java":       {"class Main { static int f(int[] xs, String s) { return s.length() + xs.length; } }", "class Main { static int f(int[] xs, String s) { return s.length() + Math.min(xs.length, 3); } }"},
		"cpp":        {"#include <vector>\n#include <string>\ntemplate <class T> int f(std::vector<T> xs, std::string s) { return s.size() + xs.size(); }", "#include <vector>\n#include <string>\nint f(std::vector<int> xs, std::string s) { return s.size() + (xs.size() < 3 ? xs.size() : 3); }"},
		"rust":       {"fn f(xs: Vec<i64>, s: String) -> usize { s.len() + xs.len() }", "fn f(xs: Vec<i64>, s: String) -> usize { s.len() + xs.len().min(3) }"},
	} {
		t.Run(lang, func(t *testing.T) {
			sampled.Row(t, 6)
			task := propertyTask(t, lang, `[{"name": "adds", "runs": 30, "args": [{"list": {"int": [-9, 9]}, "size": [0, 8]}, {"text": "xyz", "size": [1, 4]}],
				"holds": "def holds(call, xs, s):\n    return call(xs, s) == len(xs) + len(s)"}]`)
			if _, _, err := j.prepare(task); err != nil {
				t.Skip(err)
			}
			if r := judgeCode(t, j, task, programs[0]); r.Verdict != verdicts.Accepted {
				t.Errorf("%s %q %+v", r.Verdict, r.Message, r.Cases)
			}
			r := judgeCode(t, j, task, programs[1])
			if got := strings.ReplaceAll(r.Cases[0].Call, `"`, "'"); r.Verdict != verdicts.WrongAnswer || got != "f([0, 0, 0, 0], 'x')" || r.Cases[0].Got != "4" {
				t.Errorf("%s %q %+v", r.Verdict, r.Message, r.Cases)
			}
		})
	}
}
