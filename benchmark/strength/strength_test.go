package strength

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/scoring/syntax"
)

// The changes and their results, for small programs.
func TestMutants(t *testing.T) {
	for source, want := range map[string][]string{
		"x = a + b":                 {"deletion x = a + b>pass", "arithmetic +>-"},
		"x -= 2":                    {"deletion x -= 2>pass", "arithmetic -=>+=", "constant 2>3", "constant 2>1"},
		"x = a < b":                 {"deletion x = a < b>pass", "comparison <><=", "comparison <>>="},
		"x = a not in b":            {"deletion x = a not in b>pass", "comparison not in>in"},
		"x = a is not b":            {"deletion x = a is not b>pass", "comparison is not>is"},
		"x = a < b == c":            {"deletion x = a < b == c>pass", "comparison <><=", "comparison <>>=", "comparison ==>!="},
		"x = a and not b":           {"deletion x = a and not b>pass", "logic and>or", "logic not b>(b)"},
		"x = -a":                    {"deletion x = -a>pass", "arithmetic -a>(a)"},
		"x = 0":                     {"deletion x = 0>pass", "constant 0>1"},
		"x = 1.5":                   {"deletion x = 1.5>pass", "constant 1.5>(1.5 + 1)"},
		"x = True":                  {"deletion x = True>pass", "constant True>False"},
		"x = ''":                    {"deletion x = ''>pass", "constant >XX"},
		"x = 'ab' + y":              {"deletion x = 'ab' + y>pass", "constant ab>XabX"}, // text and a number cannot be told apart by a minus
		"x = f'{a + 1}'":            {"deletion x = f'{a + 1}'>pass", "arithmetic +>-", "constant 1>2", "constant 1>0"},
		"x = None":                  {"deletion x = None>pass"},
		"x: int = y":                {"deletion x: int = y>pass"},
		"if a: b()":                 {"condition a>True", "condition a>False", "deletion b()>pass"},
		"while a: b()":              {"condition a>False", "deletion b()>pass"},
		"x = a if b else c":         {"deletion x = a if b else c>pass", "condition b>True", "condition b>False"},
		"x = [a for a in b if c]":   {"deletion x = [a for a in b if c]>pass", "condition c>True"},
		"for a in b:\n    break":    {"jump break>continue"},
		"for a in b:\n    continue": {"jump continue>break"},
		"raise E('text', 3)":        {"deletion raise E('text', 3)>pass"},
		"def f(a: int = 2) -> str:\n    'doc'\n    ...\n    return a": {"constant 2>3", "constant 2>1", "return return a>return None"},
		"def f():\n    return None":                                   nil,
		"def f():\n    return":                                        nil,
		"import a\nfrom b import c\nassert x > 2, 'm'":                nil,
	} {
		mutants, err := Mutants(source + "\n")
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		var got []string
		for _, m := range mutants {
			got = append(got, fmt.Sprintf("%s %s>%s", m.Operator, m.Was, m.Is))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", source, got, want)
		}
	}
	if _, err := Mutants("def f(:\n"); err == nil {
		t.Error("a program that does not parse was mutated")
	}
	if _, err := Mutants(strings.Repeat("x = 1\n", syntax.MaxSize/6+1)); !errors.Is(err, syntax.ErrTooLarge) {
		t.Errorf("a program that is too large: %v", err)
	}
}

func TestDiff(t *testing.T) {
	source := "def f(a):\n    if a < 2:\n        return 1\n    return a\n"
	mutants, err := Mutants(source)
	fatal.If(t, err)
	if got := mutants[0].diff(source); got != "@@ line 2 @@\n-    if a < 2:\n+    if True:\n" {
		t.Errorf("got %s", got)
	}
	for _, m := range mutants {
		if strings.Count(m.Source, "\n") != strings.Count(source, "\n") || m.Source == source {
			t.Errorf("not a mutant: %q", m.Source)
		}
	}
}

// fake judges by looking at the text, if there is one.
type fake func(task *benchmark.Task, code string) verdicts.Result

func (f fake) Judge(_ context.Context, s verdicts.Submission) (verdicts.Result, error) {
	if s.Code == "" {
		return verdict(verdicts.NoCode), nil
	}
	return f(s.Task, s.Code), nil
}
func (f fake) Workers() int { return 2 }

func verdict(v verdicts.Verdict) verdicts.Result {
	r := verdicts.Result{Verdict: v, Total: 2, Cases: []verdicts.CaseResult{{Index: 1, Status: verdicts.Passed}, {Index: 2, Name: "second", Status: verdicts.Status(v)}}}
	if v == verdicts.Accepted {
		r.Cases[1].Status = verdicts.Passed
	}
	return r
}

func aTask() *benchmark.Task {
	return &benchmark.Task{
		ID: "t", Title: "T", Language: "python", EntryPoint: "f", Description: "d", Reference: "def f(a):\n    return a + 1\n",
		Examples: []benchmark.Example{{Input: "f(1)", Output: "2"}},
		Tests:    benchmark.Tests{Style: benchmark.Calls, Cases: []benchmark.Case{{Name: "first"}, {Name: "second"}}},
	}
}

func TestScore(t *testing.T) {
	// a - 1, a + 2, a + 0 and None; the tests miss a + 2, and a + 0 does not compile.
	j := fake(func(task *benchmark.Task, code string) verdicts.Result {
		switch {
		case strings.Contains(code, "a + 0"):
			return verdict(verdicts.CompileError)
		case strings.Contains(code, "a + 1"), strings.Contains(code, "a + 2"):
			return verdict(verdicts.Accepted)
		}
		return verdict(verdicts.TimeLimit)
	})
	s, err := measure(t.Context(), j, aTask())
	if err != nil || s.Mutants != 3 || s.Killed != 2 || len(s.Survivors) != 1 || !strings.Contains(s.Survivors[0].Diff, "+    return a + 2") {
		t.Errorf("got %+v, %v", s, err)
	}
	for name, change := range map[string]func(*benchmark.Task){
		"another language": func(t *benchmark.Task) { t.Language = "r" },
		"no reference":     func(t *benchmark.Task) { t.Reference = "" },
		"no tests":         func(t *benchmark.Task) { t.Tests = benchmark.Tests{} },
		"wrong reference":  func(t *benchmark.Task) { t.Reference = "def f(a): return 7\n" },
		"does not parse":   func(t *benchmark.Task) { t.Reference = "def f(" },
	} {
		task := aTask()
		change(task)
		if _, err := measure(t.Context(), j, task); !errors.Is(err, errNoScore) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	broken := fake(func(_ *benchmark.Task, code string) verdicts.Result {
		if strings.Contains(code, "a + 1") {
			return verdict(verdicts.Accepted)
		}
		return verdict(verdicts.SandboxError)
	})
	if _, err := measure(t.Context(), broken, aTask()); err == nil || errors.Is(err, errNoScore) {
		t.Errorf("the sandbox failed on a mutant: got %v", err)
	}
}

// Each fault of a task is found, and no other.
func TestExamine(t *testing.T) {
	answers := []benchmark.RecordedAnswer{
		{Attempt: 1, Expect: "wrong_answer", Fault: "wrong", Text: "```python\ndef f(a): return 0\n```\n"},
		{Attempt: 2, Expect: "accepted", Text: "```python\ndef f(a): return a + 1\n```\n"},
		{Attempt: 3, Expect: "no_code", Text: "I cannot."},
	}
	right := func(_ *benchmark.Task, code string) verdicts.Result {
		if strings.Contains(code, "a + 1") {
			return verdict(verdicts.Accepted)
		}
		return verdict(verdicts.WrongAnswer)
	}
	for name, row := range map[string]struct {
		judge   fake
		answers []benchmark.RecordedAnswer
		want    string // the faults
	}{
		"nothing":           {right, answers, ""},
		"a wrong reference": {func(*benchmark.Task, string) verdicts.Result { return verdict(verdicts.WrongAnswer) }, answers, "reference"},
		"depends on the order": {func(task *benchmark.Task, code string) verdicts.Result {
			if len(task.Tests.Cases) > 0 && task.Tests.Cases[0].Name == "second" {
				return verdict(verdicts.WrongAnswer)
			}
			return right(task, code)
		}, answers, "order"},
		"depends on the time": {func(task *benchmark.Task, code string) verdicts.Result {
			if strings.Contains(code, "time.time") {
				return verdict(verdicts.RuntimeError)
			}
			return right(task, code)
		}, answers, "time"},
		"a wrong example": {func(task *benchmark.Task, code string) verdicts.Result {
			if task.Tests.Style == benchmark.Asserts {
				return verdict(verdicts.WrongAnswer)
			}
			return right(task, code)
		}, answers, "examples"},
		"a wrong answer is accepted":     {right, append([]benchmark.RecordedAnswer{{Attempt: 1, Expect: "wrong_answer", Text: answers[1].Text}}, answers...), "answers"},
		"an answer with another verdict": {right, append([]benchmark.RecordedAnswer{{Attempt: 1, Expect: "time_limit", Text: answers[0].Text}}, answers...), "answers"},
		"weak tests":                     {func(*benchmark.Task, string) verdicts.Result { return verdict(verdicts.Accepted) }, nil, "strength"},
	} {
		e := Examiner{Judge: row.judge, Others: []verdicts.Judge{row.judge, row.judge}, Mutate: true}
		x, err := e.Examine(t.Context(), aTask(), row.answers)
		fatal.If(t, err)
		var faults []string
		for _, f := range x.Findings {
			if f.Weight == Fault && !slices.Contains(faults, f.What) {
				faults = append(faults, f.What)
			}
		}
		if got := strings.Join(faults, " "); got != row.want {
			t.Errorf("%s: found %q in %+v", name, got, x.Findings)
		}
		if name == "nothing" && (x.Runs != 3 || x.Examples != 1 || x.Wrong != 1 || x.Strength.Share() != 1) {
			t.Errorf("got %+v", x)
		}
	}
}

// For any program, each mutant differs from it and parses.
func FuzzMutants(f *testing.F) {
	f.Add("def f(a, b=2):\n    while a < b and not a:\n        a += 1\n    return [x for x in f'{a}' if x] or -1\n")
	f.Add("class A:\n    'doc'\n    def g(self): raise E('x')\n")
	f.Fuzz(func(t *testing.T, source string) {
		mutants, err := Mutants(source)
		if err != nil {
			return
		}
		for _, m := range mutants {
			if m.Source == source || m.Line < 1 || m.diff(source) == "" {
				t.Fatalf("%+v", m)
			}
		}
	})
}
