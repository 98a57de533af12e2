package scenario

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

func sandboxed(t *testing.T) *judge.Judge {
	t.Helper()
	j, err := judge.New(judge.Options{Workers: 1})
	if err != nil {
		t.Skipf("there is no sandbox: %v", err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func raws(texts ...string) (all []json.RawMessage) {
	for _, text := range texts {
		all = append(all, json.RawMessage(text))
	}
	return all
}

const doubled = `import math
import os


def helper(x):
    """Doubles."""
    return x * 2


def unused(x):
    return x


def double(x):
    """Return twice x.

    >>> double(2)
    4
    """
    return helper(x)
`

// Each style of tests gives calls whose values the reference has computed, and the tasks that are made of them
// are accepted with their references.
func TestMake(t *testing.T) {
	j := sandboxed(t)
	base := benchmark.Task{ID: "double", Title: "Double", Language: "python", EntryPoint: "double", Description: "Return twice the number; double(1) is 2.", Reference: doubled,
		Published: "2024-05", Topics: []string{"numbers"}, Examples: []benchmark.Example{{Input: "double(3)", Output: "6"}, {Input: "double(4)", Output: "8"}}}
	for _, tt := range []struct {
		name  string
		tests benchmark.Tests
		want  []string // calls and values, in order
	}{
		{"calls, of which one is in the statement", benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{
			{Args: raws("1")}, {Args: raws("3")}, {Args: raws(`{"$tuple": [1]}`)}, {Args: raws(`"a\u00e9"`)}, {Args: raws("null"), Raises: "TypeError"}}},
			[]string{"double(3)", "6", "double((1,))", "(1, 1)", `double("a\u00e9")`, "'aéaé'"}},
		{"a named argument", benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Args: raws(), Kwargs: map[string]json.RawMessage{"x": json.RawMessage("[true]")}}}},
			[]string{"double(x = [True])", "[True, True]"}},
		{"a function check", benchmark.Tests{Style: benchmark.Check, Check: "def check(candidate):\n    for i in (5, 7):\n        assert candidate(i) == 2 * i\n    assert candidate(object) is None"},
			[]string{"double(5)", "10", "double(7)", "14"}},
		{"assertions", benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{"assert double('a') == 'aa'", "assert double(2.5) == 5"}},
			[]string{"double('a')", "'aa'", "double(2.5)", "5.0"}},
		{"different results first", benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Args: raws("0")}, {Args: raws("-0")}, {Args: raws("9")}}},
			[]string{"double(0)", "0", "double(9)", "18", "double(-0)", "0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			task := base
			task.Tests = tt.tests
			for _, style := range []benchmark.Style{benchmark.Execution, benchmark.Output, benchmark.Input} {
				made, problem, err := Make(t.Context(), j, &task, Options{Style: style, Most: 5})
				if err != nil || problem != "" || len(made) != len(tt.want)/2 {
					t.Fatalf("%s: %d tasks, %q, %v", style, len(made), problem, err)
				}
				for i := range made {
					m := &made[i]
					fatal.If(t, m.Check())
					run := m.Tests.Runs[0]
					if run.Input != tt.want[2*i] || run.Output != tt.want[2*i+1] || m.Published != "2024-05" {
						t.Errorf("%s %d: %s gives %s", style, i, run.Input, run.Output)
					}
					prompt := m.PromptText(benchmark.MaxPromptLevel)
					shown := style != benchmark.Output
					if strings.Contains(prompt, "return helper(x)") != shown || strings.Contains(prompt, "unused") || strings.Contains(prompt, "Write it in") || strings.Contains(prompt, run.Input+" → ") {
						t.Errorf("%s %d asks:\n%s", style, i, prompt)
					}
					r, err := j.Judge(t.Context(), verdicts.Submission{Task: m, Code: m.Reference})
					if err != nil || r.Verdict != verdicts.Accepted {
						t.Errorf("%s %d: the reference is %s (%s), %v", style, i, r.Verdict, r.Why(), err)
					}
				}
			}
		})
	}
}

func TestMakeLeavesOut(t *testing.T) {
	j := sandboxed(t)
	calls := benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Args: raws("3")}}}
	for _, tt := range []struct {
		name, language, entry, reference string
		tests                            benchmark.Tests
		want                             string
	}{
		{"no reference", "python", "f", "", calls, "no reference"},
		{"another language", "go", "f", "func f() {}", calls, "its language is go"},
		{"a program", "python", "", "print(1)", benchmark.Tests{Style: benchmark.Stdin}, "no function"},
		{"no calls", "python", "f", "def f(x): return x", benchmark.Tests{Style: benchmark.Unittest, Unittest: "x"}, `style "unittest"`},
		{"a broken reference", "python", "f", "def f(x):", calls, "could not be called"},
		{"an object", "python", "f", "def f(x): return object()", calls, "no call of its tests"},
		{"random values", "python", "f", "import random\ndef f(x): return random.random()", calls, "no call of its tests"},
		{"a long value", "python", "f", "def f(x): return 'a' * 300", calls, "no call of its tests"},
		{"not a number", "python", "f", "def f(x): return float('nan')", calls, "no call of its tests"},
		{"an exit", "python", "f", "def f(x): raise SystemExit", calls, "could not be called"},
		{"long code", "python", "f", "def f(x): return [" + strings.Repeat("1, ", 800) + "][0]", calls, "can be traced"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			task := &benchmark.Task{ID: "t", Title: "t", Language: tt.language, Description: "d", EntryPoint: tt.entry, Reference: tt.reference, Tests: tt.tests}
			made, problem, err := Make(t.Context(), j, task, Options{Style: benchmark.Execution, Most: 1})
			if err != nil || len(made) > 0 || !strings.Contains(problem, tt.want) {
				t.Errorf("%d tasks, %q, %v; want %q", len(made), problem, err, tt.want)
			}
		})
	}
}
