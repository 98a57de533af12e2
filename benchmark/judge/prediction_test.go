package judge

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
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
	Runs    bool // the answer makes Python compute something: LiveCodeBench runs it, and assay does not
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
		same, ran := 0, 0
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
				want, ran = false, ran+1
			} else {
				same++
			}
			if got := r.Verdict == Accepted; got != want && !p.Skipped || r.Verdict != Accepted && r.Verdict != WrongAnswer && r.Verdict != NoCode || (r.Verdict == NoCode) != (found.Code == "") || r.RepeatsCall != p.Skipped {
				t.Errorf("%s of %q: %s, repeats the call: %v (%s); LiveCodeBench: passed %v, skipped %v", style, p.Answer, r.Verdict, r.RepeatsCall, r.Why(), p.Passed, p.Skipped)
			}
		}
		if same != 500 || ran != 8 {
			t.Errorf("%s: %d answers, and %d that are run", style, same, ran)
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
