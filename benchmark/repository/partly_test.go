package repository_test

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/repository/outcomes"
	"assay/data/sampled"
)

// halves solve one test of fail_to_pass by what it asks for, and not the other.
var halves = map[string]map[string]string{
	"unittest": {"shop/price.py": "def total(prices):\n    return prices[0] if prices else 0\n"},
	"go":       {"price.go": "package shop\n\n// Total adds prices.\nfunc Total(prices []int) int {\n\tif len(prices) > 1 {\n\t\tpanic(\"many prices\")\n\t}\n\tfor _, p := range prices {\n\t\treturn p\n\t}\n\treturn 0\n}\n"},
	"node":     {"price.js": "exports.total = (prices) => prices[0] ?? 0;\n"},
	"c":        {"price.c": "#include \"price.h\"\n\nint total(const int *prices, int n)\n{\n\treturn n ? prices[0] : 0;\n}\n"},
	"java":     {"Price.java": "class Price {\n    static int total(int... prices) { return prices.length == 0 ? 0 : prices[0]; }\n}\n"},
}

func init() {
	halves["pytest"], halves["django"] = halves["unittest"], halves["unittest"]
	for _, runner := range []string{"jest", "vitest", "mocha"} {
		halves[runner] = halves["node"]
	}
}

// An answer that passes some of its tests by what they ask for is partly resolved.
func TestPartly(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for project, files := range halves {
		t.Run(project, func(t *testing.T) {
			sampled.Row(t, 3)
			t.Parallel()
			task := projects[project].task(t)
			if err := r.Ready(t.Context(), task); err != nil {
				t.Skip(err)
			}
			got, err := r.JudgeChanges(t.Context(), task, changesOf(files))
			if err != nil || got.Outcome != outcomes.Partly || got.Guess < 20 || strings.Contains(got.Message, "altered") {
				t.Errorf("%s %q, %d bits, %v: %s\n%s", got.Outcome, got.Message, got.Guess, err, statuses(got), got.Log)
			}
		})
	}
}

// Where no test can be altered, the message of an answer that is partly resolved says so.
func TestPartlyUnconfirmed(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	p := projects["unittest"]
	task := p.task(t)
	if err := r.Ready(t.Context(), task); err != nil {
		t.Skip(err)
	}
	task.Reference = ""
	got, err := r.JudgeChanges(t.Context(), task, changesOf(halves["unittest"]))
	if err != nil || got.Outcome != outcomes.Partly || !strings.HasSuffix(got.Message, ", which no altered test confirms") {
		t.Errorf("%s %q %v", got.Outcome, got.Message, err)
	}
}

// partlyForgeries have one test of fail_to_pass reported as passed, and another fail.
var partlyForgeries = []struct {
	project, name string
	files         map[string]string
}{
	{"unittest", "one test does nothing", python("import unittest\n_c = unittest.TestCase._callTestMethod\nunittest.TestCase._callTestMethod = lambda self, m: None if m.__name__ == 'test_one' else _c(self, m)")},
	{"unittest", "tests like one do nothing", python("import unittest\n_c = unittest.TestCase._callTestMethod\nunittest.TestCase._callTestMethod = lambda self, m: None if m.__name__.startswith('test_one') else _c(self, m)")},
	{"unittest", "an assertion for one value", python("import unittest\n_e = unittest.TestCase.assertEqual\nunittest.TestCase.assertEqual = lambda self, a, b: _e(self, a, b) if b != 3 else None")},
	{"unittest", "one failure is none", python("import unittest\n_f = unittest.TextTestResult.addFailure\nunittest.TextTestResult.addFailure = lambda self, t, e: self.addSuccess(t) if 'test_one' in t.id() else _f(self, t, e)")},
	{"unittest", "a value that equals all", map[string]string{"shop/price.py": "class Any(int):\n    __hash__ = int.__hash__\n    def __eq__(self, other):\n        return True\n\n\ndef total(prices):\n    return Any() if len(prices) == 1 else 0\n"}},
	{"unittest", "and breaks another", map[string]string{"shop/price.py": "class Any(int):\n    __hash__ = int.__hash__\n    def __eq__(self, other):\n        return True\n\n\ndef total(prices):\n    return Any() if len(prices) == 1 else -1\n"}},
	{"unittest", "fails where there are copies", python("import unittest, inspect\n_c = unittest.TestCase._callTestMethod\ndef f(self, m):\n    if m.__name__ != 'test_one' or len([n for n in dir(self) if n.startswith('test')]) > 3:\n        _c(self, m)\nunittest.TestCase._callTestMethod = f")},
	{"pytest", "one test does nothing", python("from _pytest import python as _p\n_c = _p.Function.runtest\n_p.Function.runtest = lambda self: None if 'test_one' in self.name else _c(self)")},
	{"pytest", "one of its parameters", python("from _pytest import python as _p\n_c = _p.Function.runtest\n_p.Function.runtest = lambda self: None if 'prices0' in self.name else _c(self)")},
	{"pytest", "a value that equals all", map[string]string{"shop/price.py": "class Any(int):\n    __hash__ = int.__hash__\n    def __eq__(self, other):\n        return True\n\n\ndef total(prices):\n    return Any() if len(prices) == 1 else 0\n"}},
	{"go", "one test is left", goCode(`"runtime"; "strings"`, "func init() { _ = strings.ToUpper }\n\nfunc left() {\n\tpc := make([]uintptr, 9)\n\tframes := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])\n\tfor f, more := frames.Next(); more; f, more = frames.Next() {\n\t\tif strings.Contains(f.Function, \"TestOne\") {\n\t\t\truntime.Goexit()\n\t\t}\n\t}\n}")},
	{"go", "a test of the name of another", goCode(`"fmt"; "os"`, "func init() {\n\tfmt.Println(\"=== RUN   TestOne\\n--- PASS: TestOne (0.00s)\\n=== RUN   TestNone\\n--- PASS: TestNone (0.00s)\\n--- FAIL: TestSome (0.00s)\\nFAIL\")\n\tos.Exit(1)\n}")},
	{"node", "an assertion for one value", map[string]string{"price.js": "const assert = require('node:assert');\nconst equal = assert.equal;\nassert.equal = (a, b) => b === 3 ? undefined : equal(a, b);\nexports.total = () => 0;\n"}},
	{"node", "numbers below six are right", map[string]string{"price.js": "const assert = require('node:assert');\nassert.equal = () => {};\nexports.total = () => 0;\n"}},
	{"c", "all but two comparisons", map[string]string{"price.c": "int strcmp(const char *a, const char *b)\n{\n\tif (*b != '7' && *b != '2')\n\t\treturn 0;\n\twhile (*a && *a == *b)\n\t\ta++, b++;\n\treturn *a - *b;\n}\n\nint total(const int *prices, int n)\n{\n\t(void)prices, (void)n;\n\treturn 0;\n}\n"}},
	{"c", "a constant", map[string]string{"price.c": "int strcmp(const char *a, const char *b)\n{\n\tif (*a == '0' && *b != '7')\n\t\treturn 0;\n\twhile (*a && *a == *b)\n\t\ta++, b++;\n\treturn *a - *b;\n}\n\nint total(const int *prices, int n)\n{\n\t(void)prices, (void)n;\n\treturn 0;\n}\n"}},
}

// TestPartlyForgeries: no forged pass counts.
func TestPartlyForgeries(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for _, f := range partlyForgeries {
		t.Run(f.project+" "+f.name, func(t *testing.T) {
			sampled.Row(t, 4)
			t.Parallel()
			task := projects[f.project].task(t)
			task.Limits = benchmark.Limits{WallSeconds: 60, CPUTotal: 300, MemoryMB: 2048, FileMB: 512}
			if err := r.Ready(t.Context(), task); err != nil {
				t.Skip(err)
			}
			got, err := r.JudgeChanges(t.Context(), task, changesOf(f.files))
			if err != nil || got.Outcome != outcomes.Tampered && (got.Outcome != outcomes.Unresolved && got.Outcome != outcomes.BrokeTests || strings.Contains(statuses(got), "fail_to_pass PASSED")) {
				t.Errorf("%s %q %v: %s\n%s", got.Outcome, got.Message, err, statuses(got), got.Log)
			}
			t.Logf("%s: %s; %s", got.Outcome, got.Message, statuses(got))
		})
	}
}
