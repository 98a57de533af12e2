package judge

import (
	"cmp"
	"os"
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
	const work = "import time, signal, threading, random\nseen = []\ndef odd(n):\n    return n % 2 == 1\ndef counted(n):\n    seen.append(n)\n    return len(seen) > 300000\n"
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
		{"it counts down without end", "n = 1\n    while n % 2 != 0:\n        n -= 2", verdicts.TimeLimit, true},
		{"a for first, which does nothing", "n = 2\n    while n > 1:\n        for i in range(2, n):\n            if n % i == 0:\n                n //= i", verdicts.TimeLimit, true},
		{"a list changed by position", "l = [2, 1, 3]\n    while len(l) > 1:\n        l[0], l[1] = l[1], l[0]", verdicts.TimeLimit, true},
		{"a list permuted by methods", "l = [2, 1, 3]\n    while len(l) > 1:\n        l.append(l.pop(0))", verdicts.TimeLimit, true},
		{"a nested list", "l = [[1], [2]]\n    while l:\n        l[0], l[1] = [y for y in l[1]], l[0][:]", verdicts.TimeLimit, true},
		{"a dict", "d = {1: 2}\n    while d:\n        d[1] = (d[1] + 1) % 5", verdicts.TimeLimit, true},
		{"a text that grows", "n, t = 5, ''\n    while n > 0:\n        t = str(n % 2) + t", verdicts.TimeLimit, true},
		{"numbers that grow, unseen", "a, b = 0, 1\n    while len([a]) < 5:\n        c = a + b\n        a = b\n        b = c", verdicts.TimeLimit, true},
		{"a quotient, unseen", "n, p = 2, 7\n    while n > 1:\n        p /= 2", verdicts.TimeLimit, true},
		{"its own function", "n = 9\n    while True:\n        if odd(n - 1): break", verdicts.TimeLimit, true},
		{"a counter that has passed its bounds", "d, i = [], 2\n    while len(d) < 5:\n        if 4 % i == 0:\n            d.append(i)\n        i += 1", verdicts.TimeLimit, true},
		{"a range that is empty for ever", "d, i = [2], 3\n    while len(d) < 5:\n        for k in range(i, int(5 ** 0.5) + 1, i):\n            d.append(k)\n        i += 1", verdicts.TimeLimit, true},
		{"it counts up and was to count down", "n = 5\n    while n > 0:\n        n *= 2", verdicts.TimeLimit, true},
		{"it steps over its end", "i = 0\n    while i != len('abc'):\n        i += 2", verdicts.TimeLimit, true},
		{"a branch that is not taken", "n = 5\n    while n:\n        if n < 0:\n            print(time.time())\n            return seen\n        elif n > 9:\n            raise KeyError", verdicts.TimeLimit, true},
		{"a list that only another branch reads", "s, n = [], 1\n    while n:\n        if n == 1:\n            s.append(n)\n        elif s.pop() == n:\n            n = 0", verdicts.TimeLimit, true},
		{"its own handler", "while True:\n        try:\n            n = int('x')\n            break\n        except ValueError:\n            continue", verdicts.TimeLimit, true},
		{"a counter with a bound", "n = 0\n    while True:\n        n += 1\n        if n > 300000:\n            break", verdicts.Accepted, false},
		{"a bound that is a list's", "l, n = [], 300000\n    while n > len(l):\n        l.append(0)\n        n += 0", verdicts.Accepted, false},
		{"a remainder of less than nothing", "n = 8\n    while -7 % n < 300000:\n        n += 1", verdicts.Accepted, false},
		{"a branch that is taken late", "n, m, d = 0, 0, 0\n    while m < 300000:\n        n = (n + 1) % 5000\n        if n == 4999:\n            d = 1\n        m += d", verdicts.Accepted, false},
		{"a handler that waits for an end", "l, n = [0] * 300000, 0\n    while True:\n        try:\n            l[n]\n        except IndexError:\n            break\n        n += 1", verdicts.Accepted, false},
		{"its own function, with state", "n = 9\n    while not counted(n): pass", verdicts.Accepted, false},
		{"a function by another", "l = [3]\n    while not max(l, key=counted) < 3 and len(seen) < 300000: pass", verdicts.Accepted, false},
		{"two names of a list", "a = [0]\n    b, i = a, 0\n    while b[0] < 300000:\n        a[0] += 1", verdicts.Accepted, false},
		{"a remainder of a multiple", "n = 1\n    while n % 7 != 0 or n % 1000003 != 0:\n        n += 3", verdicts.Accepted, false},
		{"a list is used up", "l = [1] * 250\n    for k in range(2000):\n        m = l[:]\n        while m:\n            m.pop()", verdicts.Accepted, false},
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

// TestEndlessClaims holds what is claimed of programs at random, 40 or $ASSAY_LOOPS, against what they do, and claims
// nothing of ten times as many that end.
func TestEndlessClaims(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skip(err)
	}
	n := cmp.Or(os.Getenv("ASSAY_LOOPS"), "40")
	if out, err := exec.Command(python, "testdata/loops.py", "python/endless.py", "1", n+"0", "ending").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(python, "testdata/loops.py", "python/endless.py", "1", n).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if f := strings.Fields(string(out)); len(f) != 3 || f[0] == "0" || f[1] == "0" {
		t.Errorf("the programs are too much alike: %s", out)
	}
}
