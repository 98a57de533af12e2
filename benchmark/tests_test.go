package benchmark

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestStylesOfTests: each style with its fields, and the errors about invalid ones.
func TestStylesOfTests(t *testing.T) {
	for _, tc := range []struct{ name, tests, want string }{
		{"asserts", `{"style":"asserts","setup":"import math","asserts":["assert f(1) == 1"]}`, ""},
		{"asserts in process", `{"style":"asserts","asserts":["assert f(1) == 1"],"in_process":true}`, ""},
		{"unittest", `{"style":"unittest","unittest":"import unittest"}`, ""},
		{"stdin", `{"style":"stdin","runs":[{"input":"1","output":"2","files":{"a.txt":"x"},"compare":"tokens","tolerance":0.1}]}`, ""},
		{"script", `{"style":"script","setup":"x","script":"y"}`, ""},
		{"check in process", `{"style":"check","check":"def check(c): pass","in_process":true}`, ""},

		{"properties", `{"style":"calls","properties":[{"name":"p","args":[{"list":{"int":[0,9]},"size":[0,3],"unique":true}],"holds":"def holds(call, xs): return True","runs":5,"seed":7}]}`, ""},
		{"a property of another style", `{"style":"script","script":"y","properties":[{"name":"p","args":[{"bool":true}],"holds":"def holds(call, x): return True"}]}`, `"tests.properties" belongs to tests of style "calls", not "script"`},
		{"a property without a name", `{"style":"calls","properties":[{"args":[{"bool":true}],"holds":"def holds(call, x): return True"}]}`, `"tests.properties[0]": "name" is missing`},
		{"a property of nothing", `{"style":"calls","properties":[{"name":"p","args":[],"holds":"def holds(call): return True"}]}`, `"args" is empty; give a generator`},
		{"no predicate", `{"style":"calls","properties":[{"name":"p","args":[{"bool":true}],"holds":"x"}]}`, `"holds" is the source of a Python function`},
		{"too many inputs", `{"style":"calls","properties":[{"name":"p","args":[{"bool":true}],"holds":"def holds(c, x): return True","runs":1001}]}`, `"runs": 1001 is not between 1 and 1000`},
		{"two kinds", generated(`{"int":[0,1],"bool":true}`), `"args"[0]: a generator is one of int, float, bool, text, list, set, dict, tuple, one_of and any_of, not 2 of them (int, bool)`},
		{"no kind", generated(`{}`), `not 0 of them`},
		{"an empty range", generated(`{"int":[3,1]}`), `"int" takes the least and the greatest number`},
		{"a number that is not exact", generated(`{"int":[0,9007199254740993]}`), `within ±2^53`},
		{"no size", generated(`{"list":{"bool":true}}`), `"list" needs "size"`},
		{"a size of numbers", generated(`{"int":[0,1],"size":[0,1]}`), `"size" does not belong to "int"`},
		{"a sorted text", generated(`{"text":"ab","size":[0,1],"sorted":true}`), `"unique" and "sorted" do not belong to "text"`},
		{"a fault within", generated(`{"tuple":[{"bool":true},{"dict":[{"bool":true}],"size":[0,1]}]}`), `"tuple": "dict" takes a generator of keys and one of values`},
		{"nothing to choose", generated(`{"one_of":[]}`), `"one_of" is empty`},

		{"no style", `{"asserts":["assert f(1)"]}`, `"tests.style" is missing; write one of "calls", "check", "asserts", "unittest", "stdin", "script"`},
		{"unknown style", `{"style":"assert"}`, `"tests.style": "assert" is not one of "calls"`},
		{"no asserts", `{"style":"asserts"}`, `"tests.asserts" is missing or empty; it lists assert statements`},
		{"an empty assert", `{"style":"asserts","asserts":["assert f(1)"," "]}`, `"tests.asserts[1]" is empty`},
		{"no unittest", `{"style":"unittest","check":"x"}`, `"tests.unittest" is missing or empty`},
		{"a field of another style", `{"style":"unittest","unittest":"x","check":"x"}`, `"tests.check" belongs to tests of style "check", not "unittest"`},
		{"no runs", `{"style":"stdin","runs":[]}`, `"tests.runs" is missing or empty`},
		{"no script", `{"style":"script","setup":"x"}`, `"tests.script" is missing or empty`},
		{"calls in process", `{"style":"calls","cases":[{"args":[],"expected":1}],"in_process":true}`, `"tests.in_process" belongs to tests of style "check", "asserts", "unittest"`},
		{"a file elsewhere", `{"style":"stdin","runs":[{"input":"","output":"","files":{"../x":""}}]}`, `tests.runs[0]": "files": "../x" is not a plain file name`},
		{"a hidden file", `{"style":"stdin","runs":[{"input":"","output":"","files":{".input":""}}]}`, `is not a plain file name`},
		{"unknown comparison", `{"style":"stdin","runs":[{"input":"","output":"","compare":"close"}]}`, `"compare": "close" is not one of "lines", "tokens"`},
		{"tolerance of lines", `{"style":"stdin","runs":[{"input":"","output":"","tolerance":1}]}`, `"tolerance" needs "compare": "tokens"`},
		{"unknown field", `{"style":"stdin","runs":[{"input":"","output":"","expect":""}]}`, `field "expect" is not known`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := strings.Replace(file(task), `{"style":"calls","cases":[{"args":[1],"expected":2}]}`, tc.tests, 1)
			_, err := Parse("b.json", []byte(text))
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
	without := strings.Replace(file(task), `"entry_point":"f",`, "", 1)
	for style, fails := range map[string]bool{`"asserts","asserts":["assert f(1)"]`: true, `"unittest","unittest":"x"`: true, `"stdin","runs":[{"input":"","output":""}]`: false} {
		_, err := Parse("b.json", []byte(strings.Replace(without, `"calls","cases":[{"args":[1],"expected":2}]`, style, 1)))
		if (err != nil) != fails {
			t.Errorf("%s without an entry point: %v", style, err)
		}
	}
}

// generated are tests with one property, of a generator.
func generated(generator string) string {
	return `{"style":"calls","properties":[{"name":"p","args":[` + generator + `],"holds":"def holds(call, x): return True"}]}`
}

func TestOwnCheckerIsNamedAndUsed(t *testing.T) {
	c := Case{Args: []json.RawMessage{}, Expected: json.RawMessage("1"), Compare: ByChecker}
	task := Task{ID: "a", Title: "A", Language: "python", EntryPoint: "f", Description: "d", Tests: Tests{Style: Calls, Cases: []Case{c}}}
	said := func() string { return strings.Join(task.testProblems(), "; ") }
	if !strings.Contains(said(), `"tests.checker" is missing`) {
		t.Error(said())
	}
	task.Tests.Checker = "def accept(got, expected, args, kwargs): return True"
	if said() != "" {
		t.Error(said())
	}
	task.Tests.Cases[0].Compare = Exact
	if !strings.Contains(said(), `"tests.checker" is never used`) {
		t.Error(said())
	}
	task.Tests = Tests{Style: Check, Check: "def check(c): pass", Checker: "x"}
	if !strings.Contains(said(), `belongs to tests of style "calls", "stdin"`) {
		t.Error(said())
	}
}
