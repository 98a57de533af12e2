package judge

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// isolations are the boxes of this machine, by name; to keep the run short only the first, unless
// all are asked for.
func isolations(t *testing.T) map[string]*Judge {
	t.Helper()
	if !sampled.All {
		return map[string]*Judge{"warm": judgeIn(t, true)}
	}
	return everyIsolation(t)
}

// everyIsolation has the judges of all boxes of this machine. Boxes without protection are not
// among them: what a sample can do there is no fault.
func everyIsolation(t *testing.T) map[string]*Judge {
	t.Helper()
	all := map[string]*Judge{"warm": judgeIn(t, true), "strict": judgeIn(t, false)}
	box, err := sandbox.NewLandlock()
	if err == nil {
		err = box.Probe(t.Context())
	}
	if err != nil {
		t.Logf("no landlock: %v", err)
		return all
	}
	j, err := New(Options{Box: box})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close(); box.Close() })
	all["landlock"] = j
	return all
}

// writes has a program write frames of its own, each a text in Python.
func writes(texts ...string) string {
	code := "import os\ndef frame(b):\n    b = len(b).to_bytes(4, 'big') + b\n    while b: b = b[os.write(4, b):]\n"
	for _, text := range texts {
		code += "frame(" + text + ")\n"
	}
	return code
}

// hostile is a sample that brings the side which is trusted to its limits, or to its end.
type hostile struct {
	name     string
	task     *benchmark.Task
	code     string
	verdicts []verdicts.Verdict
	slow     bool // it takes the checker all its time
}

const slowPattern = "import re\npattern = re.compile(r'(\\s*\\d+\\s*)+')\n"

func hostiles(t *testing.T) (all []hostile) {
	in := func(task *benchmark.Task, language string) *benchmark.Task {
		task.Language = language
		return task
	}
	program := func(language, checker string) *benchmark.Task {
		return in(&benchmark.Task{ID: "t/1", Tests: benchmark.Tests{Style: benchmark.Stdin, Checker: checker,
			Runs: []benchmark.Run{{Input: "x", Output: "1", Compare: benchmark.OutputByChecker}, {Input: "y", Output: "1", Compare: benchmark.OutputByChecker}}}}, language)
	}
	own := func(checker string) *benchmark.Task {
		task := callsTask(t, "f", `{"args":[],"expected":1,"compare":"checker"}`)
		task.Tests.Checker = checker
		return task
	}
	plain := func(language string) *benchmark.Task {
		return in(&benchmark.Task{ID: "t/1", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "x", Output: "1"}}}}, language)
	}
	check := func(body string) *benchmark.Task { return checkTask("", "f", "def check(candidate):\n"+body) }
	inProcess := checkTask("", "f", returnsOne)
	inProcess.Tests.InProcess = true
	class := &benchmark.Task{ID: "t/1", Language: "python", EntryPoint: "C", Prompt: "class C:\n    pass\n", Tests: benchmark.Tests{Style: benchmark.Unittest,
		Unittest: "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        c = C()\n        c.take(c.give())\n        self.assertEqual(c.n(), 1)\n"}}
	accept := "def accept(output, expected, input):\n    return "
	return []hostile{
		{"a slow pattern in a checker of values", own(slowPattern + "def accept(got, expected, args, kwargs):\n    return bool(pattern.fullmatch(got))\n"), "def f(): return '1' * 40 + 'x'", []verdicts.Verdict{verdicts.TimeLimit}, true},
		{"a slow pattern in asserts", check("    import re\n    assert re.fullmatch(r'(\\s*\\d+\\s*)+', candidate())\n"), "def f(): return '1' * 40 + 'x'", []verdicts.Verdict{verdicts.TimeLimit}, true},
		{"a checker's memory", program("python", accept+"len(bytearray(int(output))) > 0\n"), "print(10 ** 11)", []verdicts.Verdict{verdicts.MemoryLimit}, false},
		{"a checker's memory, piece by piece", program("python", accept+"len([' ' * 9999 + str(i) for i in range(int(output))]) > 0\n"), "print(10 ** 9)", []verdicts.Verdict{verdicts.MemoryLimit, verdicts.TimeLimit}, false},
		{"memory of asserts", check("    assert len([0] * candidate()) > 0\n"), "def f(): return 10 ** 11", []verdicts.Verdict{verdicts.MemoryLimit}, false},
		{"memory on many values", check("    assert sorted(map(str, candidate())) == []\n"), "def f(): return [[]] * 1999999", []verdicts.Verdict{verdicts.WrongAnswer, verdicts.MemoryLimit, verdicts.OutputLimit, verdicts.TimeLimit}, false},
		{"a checker that exits", program("python", "import os\n"+accept+"os._exit(int(output))\n"), "print(3)", []verdicts.Verdict{verdicts.RuntimeError}, false},
		{"a checker that raises SystemExit", program("python", accept+"exit(int(output))\n"), "print(3)", []verdicts.Verdict{verdicts.WrongAnswer}, false},
		{"a checker that kills itself", program("python", "import os\n"+accept+"os.kill(os.getpid(), int(output))\n"), "print(9)", []verdicts.Verdict{verdicts.RuntimeError}, false},
		{"a checker that prints", program("python", accept+"print('x' * int(output))\n"), "print(10 ** 8)", []verdicts.Verdict{verdicts.OutputLimit}, false},
		{"a checker that recurses", program("python", "def down(n): return n and 1 + down(n - 1)\n"+accept+"down(int(output)) > 0\n"), "print(10 ** 9)", []verdicts.Verdict{verdicts.WrongAnswer, verdicts.RuntimeError}, false},
		{"a checker that recurses in C", program("python", "import ast\n"+accept+"ast.literal_eval(output) == 1\n"), "print('(' * 300000)", []verdicts.Verdict{verdicts.WrongAnswer, verdicts.RuntimeError, verdicts.MemoryLimit}, false},
		{"asserts that exit", check("    import os\n    assert candidate() == 1 or os._exit(2)\n"), "def f(): return 2", []verdicts.Verdict{verdicts.RuntimeError}, false},
		{"asserts that pass a value on", check("    assert candidate() == 1\n    assert candidate(candidate()) == 1\n"), "def f(x=0): return iter([x])", never, false},
		{"asserts that pass a long iteration on", check("    assert candidate(iter(range(candidate()))) == 1\n"), "def f(x=0): return 10 ** 7", []verdicts.Verdict{verdicts.OutputLimit}, false},
		{"an object that hands out its class", class, "class C:\n    def give(self): return type(self)\n    def take(self, x): pass\n    def n(self): return 2\n", never, false},
		{"an object that hands out its method", class, "class C:\n    def give(self): return self.give\n    def take(self, x): pass\n    def n(self): return 2\n", never, false},
		{"an object that hands out a module", class, "import os\nclass C:\n    def give(self): return os\n    def take(self, x): pass\n    def n(self): return 2\n", never, false},
		{"an exception whose text is long", check("    assert candidate() == 1\n"), "def f(): raise ValueError('\\x1b<' * 10 ** 7)", []verdicts.Verdict{verdicts.RuntimeError}, false},
		{"nested deeper than JSON may be", check("    assert candidate() == 1\n"), writes(`b'{"k":"batch","answers":[{"k":"value","v":' + b'[' * 9900 + b']' * 9900 + b'}]}'`) + "def f(): pass", never, false},
		{"nested values for repr", check("    assert repr(candidate()) == 1\n"), writes(`b'{"k":"batch","answers":[{"k":"value","v":' + b'[' * 9900 + b']' * 9900 + b'}]}'`) + "def f(): pass", never, false},
		{"a frame that does not end", check("    assert candidate() == 1\n"), "import os\nos.write(4, b'\\0\\1\\0\\0{')\nos._exit(0)", never, false},
		{"a frame of nothing", check("    assert candidate() == 1\n"), writes("b''") + "def f(): pass", never, false},
		{"closes its channels", check("    assert candidate() == 1\n"), "import os\nos.close(3); os.close(4)\ndef f(): return 1", never, false},
		{"kills whom it can", check("    assert candidate() == 2\n"), "import os\ndef f():\n    for p in (os.getppid(), -1, 1, 0):\n        try: os.kill(p, 9)\n        except OSError: pass\n    return 1", never, false},
		{"stops whom it can", check("    assert candidate() == 2\n"), "import os\ndef f():\n    for p in (os.getppid(), -1, 1):\n        try: os.kill(p, 19)\n        except OSError: pass\n    os._exit(1)", never, false},
		{"in process: leaves", inProcess, "import os\ndef f(): os._exit(0)", never, false},
		{"in process: answers nonsense", inProcess, writes(`b'{"k":"broken","text":"x"}'`) + "def f(): return 2", never, false},
		{"in process: says what is ours", inProcess, writes(`b'{"k":"loaded"}'`, `b'{"k":"done","cases":[{"index":1,"status":"sandbox_error"}],"aborted":{"status":"not_judged"}}'`) + "def f(): return 2", never, false},
		{"JavaScript closes its channels", in(callsTask(t, "f", `{"args":[],"expected":1}`), "javascript"), "require('fs').closeSync(4);\nfunction f() { return 1; }", never, false},
		{"JavaScript answers nonsense", in(callsTask(t, "f", `{"args":[],"expected":1}`), "javascript"), "function f() { require('fs').writeSync(4, '\\0\\0\\0\\3[[['); return 1; }", never, false},
		{"JavaScript exits while loading", in(callsTask(t, "f", `{"args":[],"expected":1}`), "javascript"), "process.exit(0);\nfunction f() { return 1; }", never, false},
		{"JavaScript writes much", in(callsTask(t, "f", `{"args":[],"expected":1}`), "javascript"), "function f() { return 'x'.repeat(4e7); }", never, false},
		{"a Java class of a long name", plain("java"), "public class " + strings.Repeat("A", 300) + " { public static void main(String[] a) { System.out.println(2); } }", never, false},
		{"a long name of a Java class in a comment", in(callsTask(t, "f", `{"args":[],"expected":1}`), "java"), "class Solution { static int f() { return 2; } }\n/*\nclass " + strings.Repeat("B", 200000) + "\n*/\n", []verdicts.Verdict{verdicts.WrongAnswer}, false},
		{"many names of Java classes in a comment", in(callsTask(t, "f", `{"args":[],"expected":1}`), "java"), "class Solution { static int f() { return 2; } }\n/*\n" + strings.Repeat("class LongerNameOfAClass\n", 100000) + "*/\n", []verdicts.Verdict{verdicts.WrongAnswer}, false},
		{"a C++ program of 50 MB", plain("cpp"), "char big[50 << 20] = {1};\nint main() { return big[7]; }", []verdicts.Verdict{verdicts.OutputLimit}, false},
		{"a C++ function of 50 MB", in(callsTask(t, "f", `{"args":[],"expected":1}`), "cpp"), "char big[50 << 20] = {1};\nint f() { return big[7]; }", []verdicts.Verdict{verdicts.OutputLimit}, false},
		{"C++ that leaves before main", in(callsTask(t, "f", `{"args":[],"expected":1}`), "cpp"), "#include <cstdlib>\nstruct A { A() { _Exit(0); } } a;\nint f() { return 1; }", never, false},
		{"Go that panics before main", in(callsTask(t, "f", `{"args":[],"expected":1}`), "go"), "package main\nfunc init() { panic(1) }\nfunc f() int { return 1 }", never, false},
		{"Go that fills its channel", plain("go"), "package main\nimport \"fmt\"\nfunc main() { for { fmt.Println(\"x\") } }", never, false},
		{"very long code", check("    assert candidate() == 1\n"), "def f(): return 2\n#" + strings.Repeat("x", 20<<20), []verdicts.Verdict{verdicts.CompileError}, false},
		{"very long Java", plain("java"), "class Main { public static void main(String[] a) { System.out.println(2); } }//" + strings.Repeat("x", 20<<20), []verdicts.Verdict{verdicts.CompileError}, false},
	}
}

// TestNoSampleVanishes: whatever a sample does to the side which is trusted, it has a
// verdict of its own, which counts. Where it has none its task leaves the metrics, so
// that a model would gain by it.
func TestNoSampleVanishes(t *testing.T) {
	t.Parallel()
	programs := map[string]string{"javascript": "node", "java": "javac", "cpp": "g++", "go": "go"}
	for name, j := range isolations(t) {
		for i, h := range hostiles(t) {
			if !sampled.OneIn(2, i) {
				continue
			}
			j := j
			if h.slow {
				if name != "warm" {
					continue
				}
				j = hasty(t)
			}
			if program := programs[h.task.Language]; program != "" {
				if _, err := exec.LookPath(program); err != nil {
					continue
				}
			}
			t.Run(name+"/"+h.name, func(t *testing.T) {
				t.Parallel()
				began := time.Now()
				r := judgeCode(t, j, h.task, h.code)
				if !slices.Contains(h.verdicts, r.Verdict) {
					t.Errorf("%s %q %+v, want one of %v", r.Verdict, r.Message, r.Cases, h.verdicts)
				}
				t.Logf("%s %q in %v", r.Verdict, r.Message, time.Since(began))
				if again := judgeCode(t, j, checkTask("", "f", returnsOne), "def f(): return 1"); again.Verdict != verdicts.Accepted {
					t.Errorf("the next sample: %s %q", again.Verdict, again.Message)
				}
			})
		}
	}
}

// counted counts the boxes that are started.
type counted struct {
	sandbox.Box
	started atomic.Int32
}

func (c *counted) Start(ctx context.Context, spec sandbox.Spec) (sandbox.Process, error) {
	c.started.Add(1)
	return c.Box.Start(ctx, spec)
}

// TestTimeOfACheckerIsSpentOnce: a checker that an output keeps busy is not asked again.
func TestTimeOfACheckerIsSpentOnce(t *testing.T) {
	t.Parallel()
	box := &counted{Box: newJudge(t).box}
	j, err := New(Options{Box: box, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer j.hurry().Close()
	task := &benchmark.Task{ID: "t/1", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin,
		Checker: slowPattern + "def accept(output, expected, input):\n    return bool(pattern.fullmatch(output))\n"}}
	for range 9 {
		task.Tests.Runs = append(task.Tests.Runs, benchmark.Run{Compare: benchmark.OutputByChecker})
	}
	expect(t, j, printing("python"), "print('yes')", verdicts.Accepted) // which tries to fork
	box.started.Store(0)
	r := judgeCode(t, j, task, "print('1' * 40 + 'x', end='')")
	if n := box.started.Load(); r.Verdict != verdicts.TimeLimit || n != 2 || r.Cases[0].Status != verdicts.Status(verdicts.TimeLimit) || r.Cases[1].Status != verdicts.NotRun {
		t.Errorf("%s %q after %d boxes, and not one of the program and one of the checker: %s", r.Verdict, r.Message, n, statuses(r))
	}
}
