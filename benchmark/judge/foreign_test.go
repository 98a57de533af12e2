package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/language"
)

// elsewhere is a box whose programs are looked for inside it.
type elsewhere struct{ *sandbox.Bubblewrap }

func (elsewhere) Foreign() bool { return true }

// TestProgramsOfAnImage: what code is run with is looked for where it runs, and
// what is missing there is no fault of the code.
func TestProgramsOfAnImage(t *testing.T) {
	b, err := sandbox.NewBubblewrap()
	if err != nil {
		t.Skip(err)
	}
	defer b.Close()
	if err := b.Probe(t.Context()); err != nil {
		t.Skip(err)
	}
	j, err := New(Options{Box: elsewhere{b}})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	program := &benchmark.Task{ID: "t/1", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "3", Output: "9"}}}}
	if r := judgeCode(t, j, program, "print(int(input()) ** 2)"); r.Verdict != verdicts.Accepted {
		t.Errorf("a program: %s %q", r.Verdict, r.Message)
	}
	if r := judgeCode(t, j, checkTask("", "f", returnsOne), "def f(): return 1"); r.Verdict != verdicts.Accepted {
		t.Errorf("a function: %s %q", r.Verdict, r.Message)
	}
	program.Language = "go"
	if r := judgeCode(t, j, program, "package main"); r.Verdict != verdicts.NotJudged || !strings.Contains(r.Message, "strict") {
		t.Errorf("Go: %s %q", r.Verdict, r.Message)
	}
	missing := &language.Entry{Name: "nonsense", Title: "Nonsense", Programs: []string{"no-such-compiler"}}
	if _, err := locateFor(t.Context(), j.box, missing, j.python, nil); err == nil || !strings.Contains(err.Error(), "no-such-compiler") {
		t.Errorf("a missing program: %v", err)
	}
	if _, err := findPythonFor(t.Context(), j.box, "/no/python"); err == nil || !strings.Contains(err.Error(), "/no/python") {
		t.Errorf("a missing interpreter: %v", err)
	}
}
