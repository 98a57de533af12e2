package judge

import (
	"os/exec"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
)

// A loop that repeats its state is found before its limit, and nothing else is taken for one.
func TestEndlessLoopsEndEarly(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const work = "import time, signal, threading, random\n"
	for _, tt := range []struct {
		name, body string
		want       verdicts.Verdict
		claimed    bool
	}{
		{"nothing in it", "while True: pass", verdicts.TimeLimit, true},
		{"the same number", "n = 3\n    while n > 0:\n        m = n % 10", verdicts.TimeLimit, true},
		{"a cycle", "n = 1\n    while n != 0:\n        n = n * 7 % 101", verdicts.TimeLimit, true},
		{"a counter beside it", "n, count = -1, 0\n    while n:\n        count += 1\n        n //= 10", verdicts.TimeLimit, true},
		{"a list that grows", "n, bits = -1, []\n    while n != 0:\n        bits.append(n & 1)\n        n //= 2", verdicts.TimeLimit, true},
		{"inside a for", "for i in range(5):\n        n = i\n        while n % 2 == 0:\n            n //= 2", verdicts.TimeLimit, true},
		{"it counts down without end", "n = 1\n    while n % 2 != 0:\n        n -= 2", verdicts.TimeLimit, false},
		{"a for around it", "for i in range(3000000):\n        while x == 0: break", verdicts.Accepted, false},
		{"a long cycle that ends", "n, i = 1, 0\n    while i < 900000:\n        n = n * 7 % 101\n        i += 1", verdicts.Accepted, false},
		{"time passes", "end = time.process_time() + 0.3\n    while time.process_time() < end: pass", verdicts.Accepted, false},
		{"numbers at random", "random.seed()\n    while random.random() > 1e-6:\n        pass", verdicts.Accepted, false},
		{"a signal", "def stop(*_): raise KeyError\n    signal.signal(signal.SIGALRM, stop)\n    signal.setitimer(signal.ITIMER_REAL, 0.3)\n" +
			"    try:\n        while True:\n            x = x\n    except KeyError: pass", verdicts.Accepted, false},
		{"another thread", "go = [True]\n    threading.Timer(0.3, go.clear).start()\n    while go: pass", verdicts.Accepted, false},
	} {
		task := callsTask(t, "f", `{"args":[0],"expected":0}`)
		task.Limits = benchmark.Limits{CPUSeconds: 1}
		r := judgeCode(t, j, task, work+"def f(x):\n    "+tt.body+"\n    return x\n")
		if claimed := strings.Contains(r.Message, "it never ends: the loop in line"); r.Verdict != tt.want || claimed != tt.claimed {
			t.Errorf("%s: %s after %d ms: %s", tt.name, r.Verdict, r.CPUMS, r.Message)
		}
	}
}

// What a program claims is to its own disadvantage.
func TestForgedEndlessLoop(t *testing.T) {
	j := newJudge(t)
	task := callsTask(t, "f", `{"args":[0],"expected":0}`, `{"args":[1],"expected":1}`)
	r := judgeCode(t, j, task, "import sys\nfor o in __import__('gc').get_objects():\n    if type(o).__name__ == 'Channel': c = o\ndef f(x):\n    if x: c.send({'k': 'endless'})\n    return x\n")
	if r.Verdict == verdicts.Accepted {
		t.Errorf("%+v", r)
	}
}

// TestEndlessClaims holds what is claimed of programs at random against what they do.
func TestEndlessClaims(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(python, "testdata/loops.py", "python/endless.py", "1", "30").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if f := strings.Fields(string(out)); len(f) != 3 || f[0] == "0" || f[1] == "0" {
		t.Errorf("the programs are too much alike: %s", out)
	}
}
