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
	return &benchmark.Task{ID: "p", Title: "p", Language: "python", Description: "p", Tests: benchmark.Tests{Style: style, Runs: []benchmark.Run{{Input: call, Output: expected}}}}
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
			r, err := j.Judge(t.Context(), Submission{Task: task, Code: found.Code})
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
			if got := r.Verdict == Accepted; got != want && !p.Skipped || r.Verdict != Accepted && r.Verdict != WrongAnswer && r.Verdict != NoCode || (r.Verdict == NoCode) != (found.Code == "") || r.RepeatsCall != p.Skipped {
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
			r, err := j.Judge(t.Context(), Submission{Task: predicting(style, "f(1)", expected), Code: code})
			fatal.If(t, err)
			return r.Verdict == Accepted
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
	for _, style := range []benchmark.Style{benchmark.Execution, benchmark.Output} {
		for _, code := range []string{
			"9 ** 9 ** 9", "2 << 99999999999", "'a' * 10 ** 12", "[0] * 10 ** 9", "10 ** 9 * [0]", "'%999999999d' % 5", "1.0 ** 1e308",
			"__import__('os').system('id')", "().__class__.__bases__", "(lambda: 5)()", "5 if (x := 5) else 5", "f'{5}'", "*[5]",
			deep("[", "]", 100_000), deep("(", ")", 500), deep("-", "", 100_000), "\x00", "5\x00", "\xff", "assert f(1) == \x00",
			"exit()", "raise SystemExit", "5; import os", "accept_output", "expected",
		} {
			r, err := j.Judge(t.Context(), Submission{Task: predicting(style, "f(1)", "5"), Code: code})
			if err != nil || r.Verdict == Accepted || r.Verdict == SandboxError || r.Verdict == NotJudged || r.Isolation != Isolated {
				t.Errorf("%s %.40q: %+v, %v", style, code, r, err)
			}
		}
		r, err := j.Judge(t.Context(), Submission{Task: predicting(style, "f(1)", "5"), Code: "5"})
		if err != nil || r.Verdict != Accepted || r.Passed != 1 || r.Total != 1 {
			t.Errorf("%s after them: %+v, %v", style, r, err)
		}
	}
}
