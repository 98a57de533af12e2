package judge

import (
	"os/exec"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// roots accepts any square root, and says what is wrong with others.
const roots = `
def accept(got, expected, args, kwargs):
    if type(got) not in (int, float):
        return "not a number"
    return abs(got * got - args[0]) < 1e-6
`

func TestOwnCheckerOfCalls(t *testing.T) {
	t.Parallel()
	for _, warm := range []bool{true, false} {
		j := judgeIn(t, warm)
		for _, tt := range []struct{ name, language, code, verdict, message string }{
			{"one root", "python", "def f(x): return x ** 0.5", "accepted", ""},
			{"the other", "python", "def f(x): return -x ** 0.5", "accepted", ""},
			{"wrong", "python", "def f(x): return x", "wrong_answer", ""},
			{"says why", "python", "def f(x): return 'two'", "wrong_answer", "not a number"},
			{"raises", "python", "def f(x): return 1 / 0", "runtime_error", ""},
			{"claims to be right", "python", "class R(float):\n    def __mul__(s, o): return s\n    def __sub__(s, o): return 0.0\ndef f(x): return R(9)", "wrong_answer", ""},
			{"another language", "javascript", "function f(x) { return -Math.sqrt(x); }", "accepted", ""},
		} {
			t.Run(tt.name, func(t *testing.T) {
				sampled.Row(t, 6)
				if _, err := exec.LookPath("node"); err != nil && tt.language == "javascript" {
					t.Skip("there is no node")
				}
				task := callsTask(t, "f", `{"args":[4],"expected":2,"compare":"checker"}`, `{"args":[9],"expected":3,"compare":"checker"}`)
				task.Language, task.Tests.Checker = tt.language, roots
				r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: tt.code})
				if err != nil || string(r.Verdict) != tt.verdict || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" {
					t.Fatalf("%v: %s %q %s", err, r.Verdict, r.Message, r.Isolation)
				}
			})
		}
	}
}

func TestOwnCheckerOfPrograms(t *testing.T) {
	j := judgeIn(t, true)
	task := &benchmark.Task{ID: "t/1", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin,
		Checker: "def accept(output, expected, input):\n    return sorted(output.split()) == sorted(input.split()) or 'not the same words as ' + expected\n",
		Runs:    []benchmark.Run{{Input: "b a c", Output: "abc", Compare: benchmark.OutputByChecker}, {Input: "x", Output: "x"}}}}
	for _, tt := range []struct{ code, verdict, message string }{
		{"print(*input().split()[::-1])", "accepted", ""},
		{"print(input()[:1])", "wrong_answer", "not the same words as abc"},
	} {
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: tt.code, Assembly: assemble.Program})
		if err != nil || string(r.Verdict) != tt.verdict || r.Message != tt.message {
			t.Errorf("%v: %s %q %+v", err, r.Verdict, r.Message, r.Cases)
		}
	}
}

func TestBrokenChecker(t *testing.T) {
	j := judgeIn(t, true)
	for source, want := range map[string]string{
		"def accept(got": "SyntaxError",
		"x = 1":          "defines no function accept",
		"def accept(got, expected, args, kwargs): return got.missing": "the checker raised AttributeError",
	} {
		task := callsTask(t, "f", `{"args":[4],"expected":2,"compare":"checker"}`)
		task.Tests.Checker = source
		r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: "def f(x): return 2"})
		if err != nil || r.Verdict != verdicts.NotJudged && r.Verdict != verdicts.WrongAnswer || !strings.Contains(r.Message, want) {
			t.Errorf("%q: %v %s %q", source, err, r.Verdict, r.Message)
		}
	}
}
