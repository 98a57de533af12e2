package batch

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
	"assay/scoring"
)

const anAnswer = "def f(x):\n    # twice\n    if x < 0:\n        return eval('-x')\n    return 2 * x\n"

// farJudge is a fleet: its results carry a worker and what that measured.
type farJudge struct {
	workers  int // 0: three
	measures func(s verdicts.Submission) json.RawMessage
	asked    atomic.Int64 // submissions that ask for measures
}

func (f *farJudge) Workers() int { return cmp.Or(f.workers, 3) }

func (f *farJudge) Judge(_ context.Context, s verdicts.Submission) (verdicts.Result, error) {
	if s.Measure {
		f.asked.Add(1)
	}
	return verdicts.Result{Verdict: verdicts.Accepted, Passed: 1, Total: 1, Worker: "alice\x1b[2J", Assay: "1.0", Measures: f.measures(s)}, nil
}

// Measures are those that came with the result, as far as they are some.
func TestMeasuresOfWorkers(t *testing.T) {
	b := tasks("a")
	path := samples(t, "a "+anAnswer, "a "+anAnswer, "a "+anAnswer)
	here := measure(&b.Tasks[0], anAnswer, assemble.Solution)
	other := *here
	other.Cognitive = 77
	written := func(m *Measures) string {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	bad := other
	bad.Security = "F"
	negative := other
	negative.CodeLines = -1
	long := other
	long.Cyclomatic = len(anAnswer) + 2
	lines := other
	lines.CodeLines, lines.CommentRate = lines.CodeLines+1, here.CommentRate
	loud := other
	loud.Analyser = "x\x1b[2J"
	for _, x := range []struct {
		name, brought string
		want          *Measures
		said          string
	}{
		{"brought", written(&other), &other, ""},
		{"nothing to be found", "null", here, "nothing can be measured"},
		{"an older worker", "", here, "there are none"},
		{"no JSON of measures", `[1]`, here, "cannot unmarshal"},
		{"something is missing", `{}`, here, "not in the form that this version writes"},
		{"something more", strings.Replace(written(&other), "{", `{"more":1,`, 1), here, "not in the form that this version writes"},
		{"a rating that is none", written(&bad), here, `"F" is not a rating`},
		{"a count that is none", written(&negative), here, "-1 is not a count"},
		{"more than there can be", written(&long), here, "is impossible for the program"},
		{"comments that are not in the lines", written(&lines), here, "percent comments do not match the counts of lines"},
		{"too many comments", strings.Replace(written(&other), `"comment_rate":`, `"comment_rate":9`, 1), here, "percent comments do not match"},
		{"an escape sequence", written(&loud), here, "the name of the analyser is invalid"},
		{"too long", strings.Repeat(" ", maxMeasures) + written(&other), here, "the limit is 4096"},
	} {
		t.Run(x.name, func(t *testing.T) {
			var said []string
			out := t.TempDir()
			j := &farJudge{measures: func(verdicts.Submission) json.RawMessage { return json.RawMessage(x.brought) }}
			if _, err := Eval(t.Context(), Options{Samples: path, Benchmark: b, Out: out, Judge: j, Say: func(text string) { said = append(said, text) }}); err != nil {
				t.Fatal(err)
			}
			rows, err := ReadResults(out)
			if err != nil || len(rows) != 3 || j.asked.Load() != 3 {
				t.Fatalf("%d rows, %v; measures were asked for %d times", len(rows), err, j.asked.Load())
			}
			for _, r := range rows {
				if !reflect.DeepEqual(r.Measures, x.want) {
					t.Errorf("%+v, not %+v", r.Measures, x.want)
				}
			}
			switch {
			case x.said == "" && len(said) > 0:
				t.Errorf("it says %q", said)
			case x.said != "" && (len(said) != 1 || !strings.Contains(said[0], x.said) || !strings.HasPrefix(said[0], "alice sent no usable measures of a ")):
				t.Errorf("it says %q, not once that %s", said, x.said)
			}
		})
	}
}

// A sample that ended who judged it was measured by nobody, and is not measured here either.
// One of a language without a grammar has no measures, and nothing is said of that.
func TestMeasuresThatNobodyHas(t *testing.T) {
	b, said := tasks("a"), ""
	e := &evaluation{Options: Options{Say: func(text string) { said += text }}, measuring: make(chan struct{}, 1)}
	r := verdicts.Result{Verdict: verdicts.SandboxError, Worker: "alice", Measures: json.RawMessage("null")}
	if m := e.measured(r, &b.Tasks[0], anAnswer, assemble.Solution); m != nil {
		t.Errorf("%+v", m)
	}
	other := &benchmark.Task{ID: "b", Language: "cobol"}
	r.Verdict = verdicts.Accepted
	if m := e.measured(r, other, anAnswer, assemble.Solution); m != nil || said != "" {
		t.Errorf("%+v, said %q", m, said)
	}
}

// Who only runs samples asks for no measures, and keeps none that come all the same.
func TestRunOnlyAsksForNoMeasures(t *testing.T) {
	b, out := tasks("a"), t.TempDir()
	j := &farJudge{measures: func(s verdicts.Submission) json.RawMessage { return MeasureAsJSON(s.Task, s.Code, s.Assembly) }}
	if _, err := Eval(t.Context(), Options{Samples: samples(t, "a "+anAnswer), Benchmark: b, Out: out, Judge: j, NoMeasures: true}); err != nil {
		t.Fatal(err)
	}
	rows, err := ReadResults(out)
	if err != nil || len(rows) != 1 || rows[0].Measures != nil || j.asked.Load() != 0 {
		t.Errorf("%+v, %v; asked %d times", rows, err, j.asked.Load())
	}
}

// What one machine measures and another reads is what it would have measured itself.
func TestMeasuresTravelWhole(t *testing.T) {
	for _, language := range []string{"python", "javascript", "java", "c", "cobol"} {
		for _, program := range []string{anAnswer, "", "((((", "x = '<é&>'\n# comment\n"} {
			task := &benchmark.Task{Language: language}
			got, err := decodeMeasures(MeasureAsJSON(task, program, assemble.Program), program)
			if want := measure(task, program, assemble.Program); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s %q: %+v, not %+v (%v)", language, program, got, want, err)
			}
		}
	}
}

// What a task's prompt brings is not the model's, wherever the code stands in the program.
func TestThePromptIsNotMeasured(t *testing.T) {
	prompt := "# A helper.\ndef twice(x):\n    if x:\n        return 2 * x\n    return 0\n\ndef f(x):\n    \"\"\"Double x.\"\"\"\n"
	java := "// Imports.\nimport java.util.*;\n\nclass Solution {\n    // Double x.\n    public int f(int x) {\n"
	closing := map[string]string{"java": "    }\n    public static void main(String[] args) {}\n}\n"}
	for _, c := range []struct {
		language, prompt, code string
		as                     assemble.Assembly
		lines, comments        int
	}{
		{"python", prompt, "def f(x):\n    return 2 * x\n", assemble.Solution, 2, 0},
		{"python", prompt, "def f(x):\n    return 2 * x\n", assemble.Program, 2, 0},
		{"python", prompt, "    return 2 * x\n", assemble.Completion, 1, 0},
		{"python", prompt, "    return 2 * x\n", assemble.Solution, 1, 0},
		{"java", java, "        // Twice.\n        return 2 * x;\n", assemble.Completion, 1, 1},
		{"java", java, "class Solution {\n    public int f(int x) { return 2 * x; }\n}\n", assemble.Solution, 3, 0},
	} {
		m := measure(&benchmark.Task{Language: c.language, Prompt: c.prompt, EntryPoint: "f", Tests: benchmark.Tests{Script: closing[c.language]}}, c.code, c.as)
		if m == nil || !m.Parses || m.CodeLines != c.lines || m.CommentLines != c.comments {
			t.Errorf("%s %s %q: %+v, want %d lines of code and %d of comments", c.language, c.as, c.code, m, c.lines, c.comments)
		}
	}
}

// Code is measured in the environment in which it is judged: what the prompt defines and imports is known, and what
// is wrong in it is not the model's.
func TestMeasuresInTheEnvironment(t *testing.T) {
	task := &benchmark.Task{Language: "python", Prompt: "from typing import *\nfrom math import *\n\ninf = eval('float(\"inf\")')\n\ndef node(x):\n    return x\n"}
	for _, c := range []struct {
		code     string
		findings int
		rating   scoring.Rating
	}{
		{"class Solution:\n    def f(self, xs: List[int]) -> Optional[int]:\n        return node(min(xs, default=inf)) + sqrt(2)\n", 0, "A"},
		{"class Solution:\n    def f(self, xs: Lists[int]) -> int:\n        return node(1, 2)\n", 2, "E"},
	} {
		for _, as := range []assemble.Assembly{assemble.Solution, assemble.Completion} {
			if m := measure(task, c.code, as); m == nil || m.Findings != c.findings || m.Reliability != c.rating || m.Security != "A" {
				t.Errorf("%s as a %s: %+v", c.code, as, m)
			}
		}
	}
}

// An answer without code has no measures but zero, in any language.
func TestMeasuresOfNothing(t *testing.T) {
	for _, language := range []string{"python", "java", "cobol"} {
		for _, code := range []string{"", " \n\t"} {
			if m := measure(&benchmark.Task{Language: language, Prompt: "def f():\n    'Nothing.'\n"}, code, assemble.Completion); m == nil || !reflect.DeepEqual(*m, Measures{}) {
				t.Errorf("%s %q: %+v", language, code, m)
			}
		}
	}
}

// Whatever is taken for measures is written to results as it came.
func FuzzMeasures(f *testing.F) {
	f.Add([]byte(MeasureAsJSON(&benchmark.Task{Language: "python"}, anAnswer, assemble.Program)))
	f.Add([]byte("null"))
	f.Add([]byte(`{"parses":true,"cyclomatic":1e400}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := decodeMeasures(text, anAnswer)
		if err != nil {
			return
		}
		again, err := json.Marshal(m)
		if err != nil || string(again) != string(text) {
			t.Fatalf("%s became %s, %v", text, again, err)
		}
		if m != nil && (m.Cognitive < 0 || m.CommentRate > 100 || len(m.Analyser) > maxAnalyser) {
			t.Fatalf("%+v", m)
		}
	})
}
