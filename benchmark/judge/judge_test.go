package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
	"assay/data/sampled"
)

// newJudge returns a working judge with warm boxes, or skips where the machine
// has no sandbox. ASSAY_TEST_ISOLATION=strict runs every test in strict ones.
func newJudge(t testing.TB) *Judge { return judgeIn(t, os.Getenv("ASSAY_TEST_ISOLATION") != "strict") }

// inWarm and inStrict are the judges that most tests share: what compilers need is made
// ready once.
var (
	inWarm   = sync.OnceValues(func() (*Judge, error) { return keep(makeJudge(true)) })
	inStrict = sync.OnceValues(func() (*Judge, error) { return keep(makeJudge(false)) })
	forAll   = sync.OnceValues(func() (*Judge, error) { return keep(New(Options{})) })
	inHaste  = sync.OnceValues(func() (*Judge, error) {
		j, err := keep(makeJudge(true))
		if err == nil {
			j.hurry()
		}
		return j, err
	})
	kept    []*Judge // until the tests have ended
	keeping sync.Mutex
)

func keep(j *Judge, err error) (*Judge, error) {
	if err == nil {
		keeping.Lock()
		kept = append(kept, j)
		keeping.Unlock()
	}
	return j, err
}

func TestMain(m *testing.M) {
	sandbox.Reexec()
	code := m.Run()
	for _, j := range kept {
		if j.Close(); !j.ownBox {
			j.box.Close()
		}
	}
	os.Exit(code)
}

// judgeIn returns a judge that others use, too.
func judgeIn(t testing.TB, warm bool) *Judge {
	t.Helper()
	if warm {
		return need(t)(inWarm())
	}
	return need(t)(inStrict())
}

// ownJudge makes a judge for a test that looks into it or ends it.
func ownJudge(t testing.TB) *Judge {
	t.Helper()
	j := need(t)(makeJudge(true))
	t.Cleanup(func() { j.Close(); j.box.Close() })
	return j
}

// hasty returns a judge that others use, too, with less processor time for checkers, compilers
// and samples of tasks that name no limit: for tests that use all of it.
func hasty(t testing.TB) *Judge { return need(t)(inHaste()) }

func (j *Judge) hurry() *Judge {
	j.checkerCPU, j.compileCPU, j.usualCPU = time.Second, 2*time.Second, 0.5
	return j
}

// errNoBox tells a machine without a sandbox, on which tests are skipped.
var errNoBox = errors.New("no sandbox")

func need(t testing.TB) func(*Judge, error) *Judge {
	return func(j *Judge, err error) *Judge {
		t.Helper()
		switch {
		case errors.Is(err, errNoBox):
			t.Skip(err)
		case err != nil:
			t.Fatal(err)
		}
		return j
	}
}

func makeJudge(warm bool) (*Judge, error) {
	strict, err := sandbox.NewBubblewrap()
	if err != nil {
		return nil, errors.Join(errNoBox, err)
	}
	var b sandbox.Box = strict
	if warm {
		b = sandbox.NewWarm(strict)
	}
	if err := b.Probe(context.Background()); err != nil {
		return nil, errors.Join(errNoBox, err)
	}
	j, err := New(Options{Box: b})
	if err == nil {
		j.pace = func(context.Context) float64 { return 1 } // limits are the same beside other work
	}
	return j, err
}

// checkTask is a task in HumanEval's style.
func checkTask(prompt, entry, check string) *benchmark.Task {
	return &benchmark.Task{ID: "t/1", Language: "python", EntryPoint: entry, Prompt: prompt,
		Tests: benchmark.Tests{Style: benchmark.Check, Check: check}}
}

// callsTask is a task with cases as data; each is written as JSON.
func callsTask(t *testing.T, entry string, cases ...string) *benchmark.Task {
	t.Helper()
	task := &benchmark.Task{ID: "t/1", Language: "python", EntryPoint: entry, Tests: benchmark.Tests{Style: benchmark.Calls}}
	for _, text := range cases {
		var c benchmark.Case
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		task.Tests.Cases = append(task.Tests.Cases, c)
	}
	return task
}

func judgeCode(t testing.TB, j *Judge, task *benchmark.Task, code string) verdicts.Result {
	t.Helper()
	r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: code})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func statuses(r verdicts.Result) string {
	var all []string
	for _, c := range r.Cases {
		all = append(all, string(c.Status))
	}
	return strings.Join(all, " ")
}

const returnsOne = "def check(candidate):\n    assert candidate() == 1\n"

func TestVerdictsOfCheck(t *testing.T) {
	j := newJudge(t)
	three := "def check(candidate):\n    assert candidate(1) == 1\n    assert candidate(2) == 4, 'two %s' % candidate(2)\n    assert candidate(3) == 9\n"
	loop := "def check(candidate):\n    assert True\n    for i in range(5):\n        x = candidate(i)\n        assert x == i * i\n    assert candidate(9) == 81\n"
	for _, tt := range []struct {
		name, check, code string
		verdict           verdicts.Verdict
		statuses, message string
	}{
		{"accepted", three, "def f(x): return x*x", verdicts.Accepted, "passed passed passed", ""},
		{"one wrong, message calls the candidate", three, "def f(x): return 5 if x == 2 else x*x", verdicts.WrongAnswer, "passed wrong_answer passed", "two 5"},
		{"one raises", three, "def f(x): return x*x if x != 2 else 1/0", verdicts.RuntimeError, "passed runtime_error passed", "ZeroDivisionError: division by zero (line 1: def f(x): return x*x if x != 2 else 1/0)"},
		{"compile error", three, "def f(x) return x", verdicts.CompileError, "not_run not_run not_run", "SyntaxError"},
		{"does not load", three, "import nosuch\ndef f(x): return x*x", verdicts.RuntimeError, "not_run not_run not_run", "No module named 'nosuch'"},
		{"entry point missing", three, "def g(x): return x*x", verdicts.RuntimeError, "not_run not_run not_run", "defines no f"},
		{"loop passes", loop, "def f(x): return x*x", verdicts.Accepted, "passed passed passed", ""},
		{"loop fails once", loop, "def f(x): return x*x + (x == 3)", verdicts.WrongAnswer, "passed wrong_answer passed", ""},
		{"raises outside an assert", loop, "def f(x): return x*x if x < 3 else 1/0", verdicts.RuntimeError, "passed runtime_error not_run", "ZeroDivisionError"},
		{"returns None", three, "def f(x): pass", verdicts.WrongAnswer, "wrong_answer wrong_answer wrong_answer", ""},
		{"tests call it by name", "def check(c):\n    assert tuple(c(2)) == tuple(f(2))\n", "def f(x): return [x]", verdicts.Accepted, "passed", ""},
		{"no asserts", "def check(c):\n    if c(2) != 4: raise ValueError('no')\n", "def f(x): return 4", verdicts.Accepted, "passed", ""},
		{"no asserts, fails", "def check(c):\n    if c(2) != 4: raise ValueError('no')\n", "def f(x): return 3", verdicts.WrongAnswer, "wrong_answer", "no"},
		{"expects an exception", "def check(c):\n    try:\n        c(2)\n    except ValueError as e:\n        assert 'bad' in str(e)\n", "def f(x): raise ValueError('bad')", verdicts.Accepted, "passed", ""},
		{"guarded main block is not run", three, "def f(x): return x*x\nif __name__ == '__main__':\n    input()\n", verdicts.Accepted, "passed passed passed", ""},
		{"dataclass", three, "from dataclasses import dataclass\n@dataclass\nclass P:\n    v: int\ndef f(x): return P(x*x).v", verdicts.Accepted, "passed passed passed", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r := judgeCode(t, j, checkTask("", "f", tt.check), tt.code)
			if r.Verdict != tt.verdict || statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) {
				t.Errorf("%s [%s] %q; want %s [%s] %q", r.Verdict, statuses(r), r.Message, tt.verdict, tt.statuses, tt.message)
			}
			if (r.Verdict == verdicts.Accepted) != (r.Passed == r.Total) {
				t.Errorf("%s with %d of %d passed", r.Verdict, r.Passed, r.Total)
			}
		})
	}
}

func TestVerdictsOfCalls(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct {
		name, cases, code string
		statuses          string
	}{
		{"exact", `{"args":[2],"expected":4}`, "def f(x): return 4", "passed"},
		{"float for int", `{"args":[2],"expected":1}`, "def f(x): return 1.0", "passed"},
		{"bool is not int", `{"args":[2],"expected":1}`, "def f(x): return True", "wrong_answer"},
		{"int is not bool", `{"args":[2],"expected":[true]}`, "def f(x): return [1]", "wrong_answer"},
		{"list is not tuple", `{"args":[2],"expected":{"$tuple":[1,2]}}`, "def f(x): return [1,2]", "wrong_answer"},
		{"namedtuple is a tuple", `{"args":[2],"expected":{"$tuple":[1,2]}}`, "from collections import namedtuple\ndef f(x): return namedtuple('P','a b')(1,2)", "passed"},
		{"Counter", `{"args":[2],"expected":{"a":2,"b":1}}`, "from collections import Counter\ndef f(x): return Counter('aab')", "passed"},
		{"OrderedDict", `{"args":[2],"expected":{"$dict":[[1,2]]}}`, "from collections import OrderedDict\ndef f(x): return OrderedDict([(1,2)])", "passed"},
		{"defaultdict", `{"args":[2],"expected":{"a":[1]}}`, "from collections import defaultdict\ndef f(x):\n d=defaultdict(list); d['a'].append(1); return d", "passed"},
		{"IntEnum", `{"args":[2],"expected":1}`, "from enum import IntEnum\nclass C(IntEnum):\n A=1\ndef f(x): return C.A", "passed"},
		{"set", `{"args":[{"$set":[1,2]}],"expected":{"$set":[2,3]}}`, "def f(x): return {v+1 for v in x}", "passed"},
		{"bytes", `{"args":[{"$bytes":"aGk="}],"expected":{"$bytes":"aGk="}}`, "def f(x): return x", "passed"},
		{"nan", `{"args":[{"$float":"nan"}],"expected":{"$float":"nan"}}`, "def f(x): return x", "passed"},
		{"large int", `{"args":[{"$int":"1` + strings.Repeat("0", 5000) + `"}],"expected":{"$int":"2` + strings.Repeat("0", 5000) + `"}}`, "def f(x): return 2*x", "passed"},
		{"complex", `{"args":[{"$complex":[1,-2]}],"expected":{"$complex":[1,2]}}`, "def f(x): return x.conjugate()", "passed"},
		{"repeat", `{"args":[{"$repeat":["ab",50000]}],"expected":100000}`, "def f(x): return len(x)", "passed"},
		{"range", `{"args":[{"$range":[0,1000,1]}],"expected":499500}`, "def f(x): return sum(x)", "passed"},
		{"keyword arguments", `{"args":[1],"kwargs":{"y":2},"expected":3}`, "def f(x, y): return x+y", "passed"},
		{"lone surrogate", `{"args":["\ud800x"],"expected":"\ud800x"}`, "def f(x): return x", "passed"},
		{"close", `{"args":[2],"expected":1.4142135,"compare":"close","tolerance":1e-4}`, "def f(x): return x**.5", "passed"},
		{"not close", `{"args":[2],"expected":1.5,"compare":"close","tolerance":1e-4}`, "def f(x): return x**.5", "wrong_answer"},
		{"unordered", `{"args":[2],"expected":[1,2,2,[3]],"compare":"unordered"}`, "def f(x): return [[3],2,1,2]", "passed"},
		{"unordered counts", `{"args":[2],"expected":[1,2,2],"compare":"unordered"}`, "def f(x): return [1,1,2]", "wrong_answer"},
		{"any of", `{"args":[2],"expected":["a","b"],"compare":"any_of"}`, "def f(x): return 'b'", "passed"},
		{"raises", `{"args":[2],"raises":"ValueError"}`, "def f(x): raise ValueError('x')", "passed"},
		{"raises own subclass", `{"args":[2],"raises":"ValueError"}`, "class E(ValueError): pass\ndef f(x): raise E('x')", "passed"},
		{"raises something else", `{"args":[2],"raises":"ValueError"}`, "def f(x): raise KeyError('x')", "runtime_error"},
		{"raises nothing", `{"args":[2],"raises":"ValueError"}`, "def f(x): return 1", "wrong_answer"},
		{"generator is opaque", `{"args":[2],"expected":[1]}`, "def f(x): yield 1", "wrong_answer"},
		{"cyclic list", `{"args":[2],"expected":[1]}`, "def f(x):\n a=[]; a.append(a); return a", "wrong_answer"},
		{"lists that explode", `{"args":[2],"expected":[1]}`, "def f(x):\n a=[0]\n for i in range(40): a=[a,a]\n return a", "wrong_answer"},
		{"surrogate error text", `{"args":[2],"expected":[1]}`, "def f(x): raise ValueError('\\ud800 \\x1b[2J')", "runtime_error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r := judgeCode(t, j, callsTask(t, "f", tt.cases), tt.code)
			if statuses(r) != tt.statuses {
				t.Errorf("%s [%s] %+v, want [%s]", r.Verdict, statuses(r), r.Cases, tt.statuses)
			}
		})
	}
}

func TestCaseTexts(t *testing.T) {
	j := newJudge(t)
	r := judgeCode(t, j, checkTask("", "f", "def check(candidate):\n    assert candidate([1, 2]) == 3\n    assert abs(candidate([2]) - 2.0) < 1e-6\n"), "def f(x): return len(x)")
	want := []verdicts.CaseResult{
		{Index: 1, Status: verdicts.Status(verdicts.WrongAnswer), Call: "candidate([1, 2])", Expected: "3", Got: "2"},
		{Index: 2, Status: verdicts.Status(verdicts.WrongAnswer), Call: "abs(candidate([2]) - 2.0) < 1e-06", Expected: "true", Got: "1"},
	}
	for i, w := range want {
		r.Cases[i].CPUMS = 0
		if r.Cases[i] != w {
			t.Errorf("got %+v, want %+v", r.Cases[i], w)
		}
	}
}

// TestKilledCallsDoNotStopTheRest has one case in five end its process.
func TestKilledCallsDoNotStopTheRest(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	task := callsTask(t, "f", `{"args":[0],"expected":0}`, `{"args":[1],"expected":1}`, `{"args":[2],"expected":2}`, `{"args":[3],"expected":3}`, `{"args":[4],"expected":4}`)
	task.Limits = benchmark.Limits{CPUSeconds: 3, CPUTotal: 12, MemoryMB: 100} // also for filling memory
	r := judgeCode(t, j, task, `
import os
def f(x):
    if x == 1:
        while id(0): pass
    if x == 2: os._exit(0)
    if x == 3:
        y = bytearray(b"x") * (200 << 20)
        while id(0): pass
    print("x" * x)
    return x
`)
	if want := "passed time_limit runtime_error memory_limit passed"; statuses(r) != want || r.Verdict != verdicts.MemoryLimit {
		t.Errorf("%s [%s], want [%s]", r.Verdict, statuses(r), want)
	}
	task.Limits = benchmark.Limits{CPUSeconds: 0.3, CPUTotal: 0.5}
	r = judgeCode(t, j, task, "def f(x):\n    while id(0): pass")
	if want := "time_limit time_limit not_run not_run not_run"; statuses(r) != want || r.Verdict != verdicts.TimeLimit {
		t.Errorf("%s [%s], want [%s]", r.Verdict, statuses(r), want)
	}
}

func TestNotJudged(t *testing.T) {
	j := newJudge(t)
	none := &benchmark.Task{ID: "n", Language: "python"}
	cobol := checkTask("", "f", returnsOne)
	cobol.Language = "cobol"
	broken := checkTask("", "f", "def check(candidate:\n")
	for _, task := range []*benchmark.Task{none, cobol, broken} {
		if r := judgeCode(t, j, task, "def f(): return 1"); r.Verdict != verdicts.NotJudged || r.Message == "" {
			t.Errorf("%+v", r)
		}
	}
	for _, python := range []string{"/nonexistent/python3", pythonBelow(t, t.TempDir())} {
		without, err := New(Options{Box: j.box, Python: python})
		if err != nil {
			t.Fatal(err)
		}
		defer without.Close()
		if r := judgeCode(t, without, checkTask("", "f", returnsOne), ""); r.Verdict != verdicts.NotJudged || !strings.Contains(r.Message, python) {
			t.Errorf("%s: %+v", python, r)
		}
	}
}

// pythonBelow returns an interpreter whose standard library is in a directory below /tmp, which programs in boxes do not
// see.
func pythonBelow(t *testing.T, dir string) string {
	t.Helper()
	var library, version string
	out, err := exec.Command("/usr/bin/python3", "-I", "-c", "import os, sys; print(os.path.dirname(os.__file__), 'python%d.%d' % sys.version_info[:2])").Output()
	fatal.If(t, err)
	_, err = fmt.Sscan(string(out), &library, &version)
	fatal.If(t, err)
	fatal.If(t, errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Mkdir(filepath.Join(dir, "bin"), 0o755), os.Mkdir(filepath.Join(dir, "lib"), 0o755)))
	fatal.If(t, os.Symlink(library, filepath.Join(dir, "lib", version)))
	binary, err := os.ReadFile("/usr/bin/" + version)
	fatal.If(t, err)
	path := filepath.Join(dir, "bin", version)
	fatal.If(t, os.WriteFile(path, binary, 0o755))
	return path
}
