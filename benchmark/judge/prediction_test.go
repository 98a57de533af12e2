package judge

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// prediction is an answer with what LiveCodeBench's own functions make of it. testdata/livecodebench/make.py
// has made the answers and asked these functions.
type prediction struct {
	Answer, Call, Expected, Extracted string

	Passed  bool
	Skipped bool // the answer contains the call: LiveCodeBench does not count it, however right it is
	Runs    bool // the answer makes Python compute, choose or compare something: LiveCodeBench runs it, and assay does not
}

func predictions(t *testing.T, style benchmark.Style) []prediction {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "livecodebench", string(style)+".jsonl"))
	fatal.If(t, err)
	defer f.Close()
	var all []prediction
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p prediction
		fatal.If(t, json.Unmarshal(lines.Bytes(), &p))
		all = append(all, p)
	}
	return all
}

func predicting(style benchmark.Style, call, expected string) *benchmark.Task {
	task := &benchmark.Task{ID: "p", Title: "p", Language: "python", Description: "p", Tests: benchmark.Tests{Style: style, Runs: []benchmark.Run{{Input: call, Output: expected}}}}
	if style == benchmark.Input {
		task.EntryPoint, task.Tests.Setup, task.Limits.CPUSeconds = "f", "def f(x):\n    return 5 * x", 0.3
	}
	return task
}

// What is taken from an answer, and whether it is right, is as LiveCodeBench has it on 500 answers of each
// scenario. Answers that it runs as code are failed, and a string in which it finds == is not cut in two.
func TestPredictionsAsLiveCodeBench(t *testing.T) {
	j := newJudge(t)
	for _, style := range []benchmark.Style{benchmark.Execution, benchmark.Output} {
		same := 0
		for _, p := range predictions(t, style) {
			task := predicting(style, p.Call, p.Expected)
			fatal.If(t, task.Check())
			found := extract.Code(p.Answer, task)
			if found.Code == "' == '" && p.Extracted == "'" {
				p.Extracted, p.Passed = found.Code, p.Expected == found.Code
			}
			if found.Code != p.Extracted {
				t.Errorf("%s: from %q %q is taken, not %q", style, p.Answer, found.Code, p.Extracted)
			}
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: found.Code})
			fatal.If(t, err)
			want := p.Passed
			if p.Runs {
				if !p.Passed {
					t.Errorf("%s: LiveCodeBench refuses %q", style, p.Answer)
				}
				want = false
			} else {
				same++
			}
			if got := r.Verdict == verdicts.Accepted; got != want && !p.Skipped || r.Verdict != verdicts.Accepted && r.Verdict != verdicts.WrongAnswer && r.Verdict != verdicts.NoCode || (r.Verdict == verdicts.NoCode) != (found.Code == "") || r.RepeatsCall != p.Skipped {
				t.Errorf("%s of %q: %s, repeats the call: %v (%s); LiveCodeBench: passed %v, skipped %v", style, p.Answer, r.Verdict, r.RepeatsCall, r.Why(), p.Passed, p.Skipped)
			}
		}
		if run := map[benchmark.Style]int{benchmark.Execution: 25, benchmark.Output: 10}[style]; same != 508-run {
			t.Errorf("%s: %d answers as LiveCodeBench", style, same)
		}
	}
}

// A value is compared, and not what an answer makes of the comparison: no form of an answer is accepted whose value is
// another, and no choice or comparison is a value.
func TestPredictionsAreValues(t *testing.T) {
	j := newJudge(t)
	forms := []string{"%s or 1", "0 or %s", "%s if 1 else 0", "%s if 0 else 1", "%s or lambda: 1", "lambda: %s", "(x := %s)", "%s == %s", "%s != 'x'", "%s is not 'x'",
		"not %s", "(%s or 1)", "[%s or 1]", "%s and 1", "%s < inf", "%s in [%s]", "%s, 1 or 1", "%s\nassert True", "%s;x = 1", "7 == 7", "%s, 7 or 1"}
	values := []string{"0", "1", "True", "'=='", "'==c'", "['a == b', 2]", "(1,)", "{'==': '!='}", "None", "-1"}
	for _, style := range []benchmark.Style{benchmark.Execution, benchmark.Output} {
		accepted := func(expected, code string) bool {
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: predicting(style, "f(1)", expected), Code: code})
			fatal.If(t, err)
			return r.Verdict == verdicts.Accepted
		}
		for i, expected := range values {
			for k, code := range values {
				if same := i == k || expected == "1" && code == "True" || expected == "True" && code == "1"; accepted(expected, code) != same {
					t.Errorf("%s: %s for %s: accepted is %v", style, code, expected, !same)
				}
			}
			for _, form := range forms {
				code := strings.ReplaceAll(form, "%s", values[(i+4)%len(values)])
				if accepted(expected, code) {
					t.Errorf("%s: %s is accepted for %s", style, code, expected)
				}
			}
		}
	}
}

// An answer can neither run anything, nor occupy the checker.
func TestHostilePredictions(t *testing.T) {
	j := newJudge(t)
	deep := func(open, shut string, n int) string {
		text := make([]byte, 0, 2*n)
		for range n {
			text = append(text, open...)
		}
		text = append(text, '1')
		for range n {
			text = append(text, shut...)
		}
		return string(text)
	}
	for _, style := range []benchmark.Style{benchmark.Execution, benchmark.Output, benchmark.Input} {
		for _, code := range []string{
			"9 ** 9 ** 9", "2 << 99999999999", "'a' * 10 ** 12", "[0] * 10 ** 9", "10 ** 9 * [0]", "'%999999999d' % 5", "1.0 ** 1e308",
			"__import__('os').system('id')", "().__class__.__bases__", "(lambda: 5)()", "5 if (x := 5) else 5", "f'{5}'", "*[5]",
			deep("[", "]", 100_000), deep("(", ")", 500), deep("-", "", 100_000), "\x00", "5\x00", "\xff", "assert f(1) == \x00",
			"f(10 ** 10 ** 10)", "f([0] * 10 ** 10)", "f([0 for i in range(10 ** 9)])", "f(" + deep("[", "]", 50_000) + ")", "f(" + deep("-", "", 50_000) + ")", "f(1 if (x := 5) else 5)",
			"f((lambda g: g(g))(lambda g: g(g)))", "f(1)\nexit()", "f(''.format.__self__)", "f(1)\n) or (5", "f(5 .__class__(1))", "f(*[1, 2])", "f(**{'__builtins__': 1})",
			"exit()", "raise SystemExit", "5; import os", "accept_output", "expected",
		} {
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: predicting(style, "f(1)", "5"), Code: code})
			if err != nil || r.Verdict == verdicts.Accepted || r.Verdict == verdicts.SandboxError || r.Verdict == verdicts.NotJudged || r.Isolation != verdicts.Isolated {
				t.Errorf("%s %.40q: %+v, %v", style, code, r, err)
			}
		}
		right := "5"
		if style == benchmark.Input {
			right = "f(1)"
		}
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: predicting(style, "f(1)", "5"), Code: right})
		if err != nil || r.Verdict != verdicts.Accepted || r.Passed != 1 || r.Total != 1 {
			t.Errorf("%s after them: %+v, %v", style, r, err)
		}
	}
}

// An answer that is a call is judged by the value that the call returns: CRUXEval's own judging accepts these, and
// those that are no call of the function with arguments that stand for themselves are refused before anything is run.
func TestInputPredictions(t *testing.T) {
	j := newJudge(t)
	task := &benchmark.Task{ID: "p", Title: "p", Language: "python", Description: "p", EntryPoint: "f", Reference: "f('ab', 2)", Limits: benchmark.Limits{CPUSeconds: 0.2},
		Tests: benchmark.Tests{Style: benchmark.Input, Setup: "def f(text, n=1, by=None):\n    while n > 9:\n        pass\n    return [text * n, (by or len)(text)]",
			Runs: []benchmark.Run{{Input: "f('ab', 2)", Output: "['abab', 2]"}}}}
	fatal.If(t, task.Check())
	for verdict, codes := range map[verdicts.Verdict][]string{
		verdicts.Accepted: {"f('ab', 2)", `f("a" "b", n=2)`, "f(text='ab' * 2, by=lambda s: len(s) // 2)", "f('abab', True, lambda s: 2.0)", "f('baba'[::-1], 1, lambda s: 2)  # found",
			"f(*['ab', 2])", "f('-'.join(['ab']), len([1, 2]))", "f('abab', 1, lambda _: sum([1 for i in range(2)]))", "f(\n'ab',\n  2)", "f(f('ab')[0], 2)"},
		verdicts.WrongAnswer: {"f('ab')", "f('ab', 3)", "('abab', 2)", "['abab', 2]", "f", "f('ab', 2) or 1", "f('x') and ['abab', 2]", "[f('ab', 2), ['abab', 2]][1]", "(lambda: f('ab', 2))()", "f('ab', 2) if f else 0",
			"f('ab', (n := 2))", "f(type('X', (str,), {})('ab'), 2)", "f('ab', 2, ''.__class__)", "f('ab', globals().__len__())", "f('ab', print(2) or 2)", "f('ab', 2)\n)\nf = print\n(", "f('ab', 2), 1",
			"f('ab', 2", "assert f('ab', 2) == ['abab', 2]", "f('ab', 2) == ['abab', 2]", "__import__('os').system('f(')", "f('ab', 2)\x00", "g('ab', 2)", "len(f('ab', 2))", "f('ab', 2, lambda s: f.__code__)",
			"f('abab', [g.gi_frame.f_globals.update(len=lambda s: 2) for g in [(x for x in [1])]] and 1)", "f('ab', 3, (x for x in [1]).gi_frame)", "f('ab', 2, (x for x in [2]).send)", "f('{0.__class__}'.format(1), 2)"},
		verdicts.RuntimeError: {"f()", "f('ab', 2, 3, 4)", "f(None, 'x')", "f('ab', 1 // 0)", "f('ab', x=1)"},
		verdicts.TimeLimit:    {"f('ab', 10)"},
		verdicts.NoCode:       {"", "# f('ab', 2)"},
	} {
		for _, code := range codes {
			r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: code})
			if want := verdict; err != nil || r.Verdict != want || r.Total != 1 || r.Isolation != verdicts.Isolated {
				t.Errorf("%q: %s, want %s: %s, %v, %+v", code, r.Verdict, want, r.Why(), err, r)
			}
		}
	}
	r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: "f('ba')"})
	if c := r.Cases[0]; err != nil || c.Call != "f('ba')" || c.Expected != "['abab', 2]" || c.Got != "['ba', 2]" {
		t.Errorf("%+v, %v", r.Cases, err)
	}
}
