package judge

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// withoutTimes is a result without what differs from run to run.
func withoutTimes(t *testing.T, r verdicts.Result) string {
	r.CPUMS, r.WallMS, r.MemoryKB, r.Enforcement = 0, 0, 0, nil
	r.Stdout = verdicts.Clip(r.Stdout, 200)
	if strings.Contains(r.Stderr, "Traceback") { // with line numbers of ours
		r.Stderr = ""
	}
	if r.Verdict == verdicts.OutputLimit { // when it is noticed depends on who reads first
		r.Passed, r.Cases, r.Stdout = 0, nil, ""
	}
	for i := range r.Cases {
		r.Cases[i].CPUMS = 0
	}
	if r.Allowed != nil { // whether a limit is near is a question of time, too
		own := *r.Allowed
		own.Near, own.Slowness = false, 0
		r.Allowed = &own
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWarmAndStrictAgree judges samples of every kind in warm boxes with all
// calls at once, and in strict ones call by call: whole results are the same. ASSAY_TESTS=all judges each sample for all four
// tasks, else for two of them.
func TestWarmAndStrictAgree(t *testing.T) {
	t.Parallel()
	warm, strict := judgeIn(t, true), judgeIn(t, false)
	check := "def check(candidate):\n    assert candidate(1) == 1\n    assert candidate(2) == 4, 'two: %s' % candidate(2)\n" +
		"    for i in range(3, 6):\n        assert candidate(i) == i * i\n    assert abs(candidate(9) - 81) < 1e-6\n    assert candidate([1]) == [1]\n"
	outside := "def check(candidate):\n    assert candidate(1) == 1\n    x = candidate(2)\n    assert x == 4\n    assert candidate(x) == 16\n    assert candidate([1]) == [1]\n"
	twice := "def check(candidate):\n    assert candidate(candidate(2)) == 16\n    import random\n    assert candidate(random.randrange(1000)) >= 0\n"
	limits := benchmark.Limits{CPUSeconds: 0.2, CPUTotal: 0.5, WallSeconds: 0.5, MemoryMB: 200, Processes: 16, OutputKB: 64, FileMB: 8}
	tasks := []*benchmark.Task{checkTask("", "f", check), checkTask("import math\n", "f", outside), checkTask("", "f", twice),
		callsTask(t, "f", `{"args":[1],"expected":1}`, `{"args":[2],"expected":4}`, `{"args":[3],"raises":"ValueError"}`, `{"args":[[1]],"expected":[1]}`)}
	square := "def f(x): return x * x if type(x) is not list else x\n"
	for k, s := range []struct{ name, code string }{
		{"canonical", square},
		{"wrong", "def f(x): return x + 1 if type(x) is not list else x"},
		{"wrong once", "def f(x): return 5 if x == 2 else x * x if x != [1] else x"},
		{"returns a tuple", "def f(x): return (x,)"},
		{"returns a huge value", "def f(x): return 'x' * (20 << 20)"},
		{"raises", "def f(x):\n    if x == 3: raise ValueError('three \\x1b[2J')\n    return x * x"},
		{"raises its own", "class E(ValueError): pass\ndef f(x): raise E('é' * 500)"},
		{"MemoryError", "def f(x): return [0] * 10 ** 12"},
		{"does not compile", "def f(x) return x"},
		{"does not load", "1/0\ndef f(x): return x"},
		{"loads nothing", "def g(x): return x"},
		{"exits", "import os\ndef f(x):\n    if x == 2: os._exit(3)\n    return x * x"},
		{"SystemExit", "def f(x):\n    if x == 2: raise SystemExit(0)\n    return x * x"},
		{"exits while loading", "import sys\nsys.exit(0)\ndef f(x): return x"},
		{"loops once", "def f(x):\n    while x == 2: pass\n    return x * x"},
		{"loops while loading", "while id(0): pass\ndef f(x): return x"},
		{"loops always", "def f(x):\n    while id(0): pass"},
		{"sleeps once", "import time\ndef f(x):\n    if x == 2: time.sleep(60)\n    return x * x"},
		{"memory", "def f(x):\n    if x == 2:\n        y = bytearray(b'x') * (400 << 20)\n        while id(0): pass\n    return x * x"},
		{"prints", "print('loading')\ndef f(x):\n    print('f', x)\n    return x * x if type(x) is not list else x"},
		{"prints too much", "def f(x):\n    if x == 2: print('x' * 100000)\n    return x * x"},
		{"many files", "def f(x):\n    if x == 2:\n        for i in range(5000): open(str(i), 'w').close()\n    return x * x"},
		{"remembers", "seen = []\ndef f(x):\n    seen.append(x)\n    return x * x if len(seen) < 3 else len(seen)"},
		{"changes its argument", "def f(x):\n    if type(x) is list:\n        x.append(2)\n        return x[:1]\n    return x * x"},
		{"forks", "import os\ndef f(x):\n    os.fork()\n    return x * x if type(x) is not list else x"},
		{"redefines itself", "def f(x):\n    global f\n    f = lambda x: 0\n    return x * x"},
		{"closes its channel", "import os\ndef f(x):\n    os.close(4)\n    return x * x"},
		{"kills itself", "import os\ndef f(x):\n    if x == 2: os.kill(os.getpid(), 9)\n    return x * x"},
		{"recursion", "def f(x): return f(x)"},
		{"deep recursion", "def f(x):\n    def g(n): return 0 if n == 0 else g(n - 1)\n    g(970)\n    return x * x"},
		{"opaque", "class P:\n    def __repr__(self): return 'a P'\ndef f(x): return P()"},
		{"nan", "def f(x): return float('nan')"},
		{"canonical again", square},
	} {
		t.Run(s.name, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			for i, task := range tasks {
				if !sampled.OneIn(16, i+k) {
					continue
				}
				if i%3 != 0 && slices.Contains([]string{"loops always", "loops while loading", "sleeps once", "memory", "forks"}, s.name) {
					continue // they take long, and only by being cut off
				}
				own := *task
				own.Limits = limits
				if s.name != "sleeps once" {
					own.Limits.WallSeconds = 30 // on a busy machine, half a second of processor time may take long
				}
				if slices.Contains([]string{"memory", "closes its channel", "returns a huge value"}, s.name) { // its error takes a while to be told
					timeToFill(&own)
				}
				a, b := withoutTimes(t, judgeCode(t, warm, &own, s.code)), withoutTimes(t, judgeCode(t, strict, &own, s.code))
				if a != b {
					t.Errorf("task %d, first difference:\n%s", i, firstDifference(a, b))
				}
			}
		})
	}
}

// firstDifference shows where two texts part.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return strings.Join(x[max(0, i-4):i+1], "\n") + "\n--- and ---\n" + y[i]
		}
	}
	return "one is longer"
}

// TestBatchesAreUsed: samples whose calls are the recorded ones need no round
// trips, and a task whose tests depend on the answers learns its calls.
func TestBatchesAreUsed(t *testing.T) {
	j := judgeIn(t, true)
	one, err := New(Options{Box: j.box, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	dependent := checkTask("", "f", "def check(candidate):\n    x = candidate(2)\n    assert candidate(x) == 16\n")
	for range 4 {
		if r := judgeCode(t, one, dependent, "def f(x): return x * x"); r.Verdict != verdicts.Accepted || r.Passed != 1 {
			t.Errorf("%+v", r)
		}
	}
	w := <-one.workers
	defer func() { one.workers <- w }()
	if task := w.tasks[testsKey(dependent)]; task.hits != 3 || task.misses != 1 {
		t.Errorf("%d batches held and %d did not, want 3 and 1", task.hits, task.misses)
	}
}

// TestBatchesChangeArguments as single calls do, and tests see it.
func TestBatchesChangeArguments(t *testing.T) {
	j := judgeIn(t, true)
	one, err := New(Options{Box: j.box, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	task := checkTask("", "f", "def check(candidate):\n    x, y = [3, {'a': [1]}], [4]\n    assert candidate(x, more=y) == 7\n    assert (x, y) == ([3, {'a': [1, 2]}], [4, 5])\n")
	for _, tt := range []struct {
		code, statuses string
	}{
		{"def f(x, more): x[1]['a'].append(2); more.append(5); return 7", "passed passed"},
		{"def f(x, more): x[1]['a'].append(2); return 7", "passed wrong_answer"},
		{"def f(x, more): return 7", "passed wrong_answer"},
		{"def f(x, more): x[1]['a'].append(2); more.append(5); return 7", "passed passed"},
		{"def f(x, more): x.append(object()); return 7", "passed wrong_answer"},
	} {
		if r := judgeCode(t, one, task, tt.code); statuses(r) != tt.statuses {
			t.Errorf("%s: %s, want %s", tt.code, statuses(r), tt.statuses)
		}
	}
	w := <-one.workers
	defer func() { one.workers <- w }()
	if task := w.tasks[testsKey(task)]; task.hits != 4 || task.misses != 0 {
		t.Errorf("%d batches held and %d did not, want 4 and 0", task.hits, task.misses)
	}
}

// TestBatchedListsAreGrown: how much room a list has can be told by a program.
func TestBatchedListsAreGrown(t *testing.T) {
	task := callsTask(t, "f", `{"args":[[1,2,3]],"expected":88}`, `{"args":[{"$tuple":[[1,2,3]]}],"expected":48}`)
	for _, warm := range []bool{true, false} {
		r, err := judgeIn(t, warm).Judge(t.Context(), verdicts.Submission{Task: task, Code: "import sys\ndef f(x): return sys.getsizeof(x)\n"})
		if err != nil || r.Verdict != verdicts.Accepted {
			t.Errorf("warm %v: %v %s %+v", warm, err, r.Verdict, r.Cases)
		}
	}
}

// A program has as many levels of calls in a warm box as in a strict one.
func TestSameDepth(t *testing.T) {
	task := checkTask("", "depth", "def check(candidate):\n    assert candidate() < 0\n")
	code := "def depth(n=0):\n    try:\n        return depth(n + 1)\n    except RecursionError:\n        return n\n"
	warm, strict := judgeCode(t, judgeIn(t, true), task, code), judgeCode(t, judgeIn(t, false), task, code)
	if got, want := warm.Cases[0].Got, strict.Cases[0].Got; got != want || want == "" || warm.Enforcement["box"] == strict.Enforcement["box"] {
		t.Errorf("%s levels in %s, %s in %s", got, warm.Enforcement["box"], want, strict.Enforcement["box"])
	}
}
