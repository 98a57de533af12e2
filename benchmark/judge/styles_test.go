package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// styleTask is a Python task whose tests are written in one of the styles.
func styleTask(tests benchmark.Tests) *benchmark.Task {
	return &benchmark.Task{ID: "t/1", Language: "python", EntryPoint: "f", Tests: tests}
}

func TestAsserts(t *testing.T) {
	j := newJudge(t)
	task := styleTask(benchmark.Tests{Style: benchmark.Asserts, Setup: "import math\nxs = [3, 1]\n",
		Asserts: []string{"assert f(2) == 4", "assert math.isclose(f(1.5), 2.25)", "y = f(3)\nassert y == 9, 'it was %s' % y", "assert sorted(xs) == [1, 3]"}})
	for _, tt := range []struct{ name, code, statuses, message string }{
		{"all", "def f(x): return x * x", "passed passed passed passed", ""},
		{"one wrong", "def f(x): return x * x + (x == 3)", "passed passed wrong_answer passed", "it was 10"},
		{"one raises outside its assert", "def f(x): return x * x if x < 3 else 1 / 0", "passed passed runtime_error passed", "ZeroDivisionError"},
		{"one ends the process", "import os\ndef f(x): return x * x if x != 2 else os._exit(0)", "runtime_error passed passed passed", "exit status 0"},
		{"does not compile", "def f(x)", "not_run not_run not_run not_run", "SyntaxError"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r := judgeCode(t, j, task, tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" {
				t.Errorf("%s [%s] %q, want [%s] %q", r.Verdict, statuses(r), r.Message, tt.statuses, tt.message)
			}
		})
	}
	for _, broken := range []string{"x = 1", "assert f(1) ==", "assert f(1)\nassert f(2)"} {
		task := styleTask(benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{broken}})
		if r := judgeCode(t, j, task, "def f(x): return 1"); r.Verdict != verdicts.NotJudged {
			t.Errorf("%q: %s %q", broken, r.Verdict, r.Message)
		}
	}
}

const unittestSource = `
import unittest
from solution import f

class Base(unittest.TestCase):
    def setUp(self): self.xs = [3, 1, 2]

class TestF(Base):
    def test_a_square(self): self.assertEqual(f(2), 4)
    def test_b_error(self):
        with self.assertRaises(ValueError): f(-1)
    def test_c_subtests(self):
        for i in range(3):
            with self.subTest(i=i): self.assertEqual(f(i), i * i)
    def test_d_close(self): self.assertAlmostEqual(f(1.5), 2.25)
    @unittest.skip("not here")
    def test_e_skipped(self): self.fail()
    @unittest.expectedFailure
    def test_f_expected(self): self.assertEqual(f(2), 5)

if __name__ == "__main__":
    unittest.main()
`

func TestUnittest(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	task := styleTask(benchmark.Tests{Style: benchmark.Unittest, Unittest: unittestSource})
	task.Limits = benchmark.Limits{CPUSeconds: 0.5, CPUTotal: 2}
	for _, tt := range []struct{ name, code, statuses, message string }{
		{"all", "def f(x):\n    if x < 0: raise ValueError(x)\n    return x * x", "passed passed passed passed passed", ""},
		{"no error raised", "def f(x): return x * x", "passed wrong_answer passed passed passed", "ValueError not raised"},
		{"a subtest", "def f(x):\n    if x < 0: raise ValueError(x)\n    return x * x if x != 1 else 7", "passed passed wrong_answer passed passed", "7 != 1"},
		{"raises", "def f(x): return {}[x]", "runtime_error runtime_error runtime_error runtime_error passed", "KeyError"},
		{"a busy loop in one", "def f(x):\n    if x < 0: raise ValueError(x)\n    while x == 1.5: id(x)\n    return x * x", "passed passed passed time_limit passed", "processor time"},
		{"agrees with everything", magic + "def f(x): return Yes()", "wrong_answer wrong_answer wrong_answer wrong_answer passed", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r := judgeCode(t, j, task, tt.code)
			if statuses(r) != tt.statuses || !strings.Contains(r.Message, tt.message) || r.Isolation != "isolated" {
				t.Errorf("%s [%s] %q %+v, want [%s] %q", r.Verdict, statuses(r), r.Message, r.Cases, tt.statuses, tt.message)
			}
		})
	}
	fixture := styleTask(benchmark.Tests{Style: benchmark.Unittest, Unittest: "import unittest\nclass T(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls): cls.y = f(3)\n    def test_y(self): self.assertEqual(self.y, 9)\n"})
	if r := judgeCode(t, j, fixture, "def f(x): return x * x"); r.Verdict != verdicts.Accepted {
		t.Errorf("%s %q", r.Verdict, r.Message)
	}
	if r := judgeCode(t, j, fixture, "def f(x): return 1 / 0"); r.Verdict != verdicts.RuntimeError {
		t.Errorf("%s %q", r.Verdict, r.Message)
	}
	for _, broken := range []string{"x = 1", "import unittest\nclass T(unittest.TestCase): pass", "import unittest\nf(1)", "def"} {
		task := styleTask(benchmark.Tests{Style: benchmark.Unittest, Unittest: broken})
		if r := judgeCode(t, j, task, "def f(x): return 1"); r.Verdict != verdicts.NotJudged {
			t.Errorf("%q: %s %q", broken, r.Verdict, r.Message)
		}
	}
}

// TestInProcess: tests that pass functions are run beside the code only where
// the task asks for that, and the result says so.
func TestInProcess(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const check = "class Odd:\n    def __init__(self, n): self.n = n\ndef check(c):\n    assert c(lambda x: x + 1, 2) == 3\n    assert c(lambda o: o.n, Odd(5)) == 5\n"
	split := checkTask("", "f", check)
	if r := judgeCode(t, j, split, "def f(g, x): return g(x)"); r.Verdict != verdicts.NotJudged || !strings.Contains(r.Message, "in_process") {
		t.Errorf("%s %q", r.Verdict, r.Message)
	}
	within := checkTask("", "f", check)
	within.Tests.InProcess = true
	within.Limits = benchmark.Limits{CPUSeconds: 0.5, CPUTotal: 2}
	for _, tt := range []struct {
		name, code string
		verdict    verdicts.Verdict
		statuses   string
	}{
		{"accepted", "def f(g, x): return g(x)", verdicts.Accepted, "passed passed"},
		{"wrong", "def f(g, x): return 3", verdicts.WrongAnswer, "passed wrong_answer"},
		{"raises", "def f(g, x): return g(x) if x == 2 else 1 / 0", verdicts.RuntimeError, "passed runtime_error"},
		{"does not compile", "def f(g, x", verdicts.CompileError, "not_run not_run"},
		{"does not load", "1 / 0", verdicts.RuntimeError, "not_run not_run"},
		{"exits", "import sys\ndef f(g, x): sys.exit(0)", verdicts.RuntimeError, "runtime_error runtime_error"},
		{"ends the process", "import os\ndef f(g, x): return 3 if x == 2 else os._exit(0)", verdicts.RuntimeError, "passed runtime_error"},
		{"busy loop", "def f(g, x):\n    while True: pass", verdicts.TimeLimit, "time_limit not_run"},
		{"nonsense", "import os\ndef f(g, x): os.write(4, b'\\0\\0\\0\\2{}')", verdicts.RuntimeError, ""},
		{"claims an error of ours", "import os\ndef f(g, x):\n    b = b'{\"k\":\"done\",\"cases\":[{\"index\":1,\"status\":\"sandbox_error\"},{\"index\":2,\"status\":\"passed\"}]}'\n    os.write(4, len(b).to_bytes(4, 'big') + b)", verdicts.RuntimeError, "runtime_error passed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			r := judgeCode(t, j, within, tt.code)
			if r.Verdict != tt.verdict || tt.statuses != "" && statuses(r) != tt.statuses || r.Isolation != "in_process" {
				t.Errorf("%s [%s] %q %s, want %s [%s]", r.Verdict, statuses(r), r.Message, r.Isolation, tt.verdict, tt.statuses)
			}
		})
	}
	unit := styleTask(benchmark.Tests{Style: benchmark.Unittest, Unittest: unittestSource, InProcess: true})
	if r := judgeCode(t, j, unit, "def f(x):\n    if x < 0: raise ValueError(x)\n    return x * x"); r.Verdict != verdicts.Accepted || r.Isolation != "in_process" {
		t.Errorf("%s %q %+v", r.Verdict, r.Message, r.Cases)
	}
}
