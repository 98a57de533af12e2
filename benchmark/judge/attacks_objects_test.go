package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// attackObjects are programs whose objects compute while they are tested, by what tests ask of them. Tests may be those of
// any style.
var attackObjects = []struct{ name, tests, code string }{
	// A class task's methods give an object that agrees with everything.
	{"a method gives itself: a difference", "def check(Box):\n    assert abs(Box(3).area() - 9) < 1e-6\n", "methods"},
	{"a method gives itself: a difference from the right", "def check(Box):\n    assert abs(9 - Box(3).area()) < 1e-6\n", "methods"},
	{"a method gives itself: an order", "def check(Box):\n    assert Box(3).area() > 8\n", "methods"},
	{"a method gives itself: between", "def check(Box):\n    assert 8 < Box(3).area() < 10\n", "methods"},
	{"a method gives itself: in", "def check(Box):\n    assert 9 in Box(3).area()\n", "methods"},
	{"a method gives itself: equality", "def check(Box):\n    assert Box(3).area() == 9\n", "methods"},
	{"a method gives itself: a product", "def check(Box):\n    assert not (Box(3).area() * 1 - 9)\n", "methods"},
	{"a method gives itself: power", "def check(Box):\n    assert (Box(3).area() - 9) ** 2 < 1e-9\n", "methods"},
	{"a method gives itself: mod", "def check(Box):\n    assert Box(3).area() % 9 == 0\n", "methods"},
	{"a method gives itself: round", "def check(Box):\n    assert round(Box(3).area() - 9, 6) == 0\n", "methods"},
	{"a method gives itself: a text", "def check(Box):\n    assert Box(3).area().startswith('9')\n", "methods"},
	{"a method gives itself: index", "def check(Box):\n    assert Box(3).area()[9:10]\n", "methods"},
	{"an operator gives itself", "def check(Box):\n    assert abs(abs(Box(3)) - 3) < 1e-6\n", "methods"},
	{"an operator of two gives itself", "def check(Box):\n    assert abs(Box(3) * Box(4) - 12) < 1e-6\n", "methods"},
	{"an attribute is an instance", "def check(Box):\n    assert abs(Box(3).side - 3) < 1e-6\n", "methods"},
	{"an item is an instance", "def check(Box):\n    assert Box(3)[0] > 2\n", "methods"},
	{"an item of a loop is an instance", "def check(Box):\n    assert all(abs(x - 3) < 1 for x in Box(3))\n    assert [abs(x - 3) < 1 for x in Box(3)] == [True]\n", "methods"},

	// Length and items that disagree, or are others each time.
	{"length two, no items", "def check(c):\n    got = c(1)\n    assert len(got) == 2 and all(a == b for a, b in zip(got, [1, 2]))\n", "class f(list):\n    pass\nclass A:\n    def __len__(self): return 2\n    def __iter__(self): return iter([])\ndef f(x): return A()"},
	{"no items the second time", "def check(c):\n    got = c(1)\n    assert len(got) == 2 and all(a == b for a, b in zip(got, [1, 2]))\n", "class A:\n    n = 0\n    def __len__(self): return 2\n    def __iter__(self):\n        self.n += 1\n        return iter([7, 7] if self.n == 1 else [])\ndef f(x): return A()"},
	{"another length each time", "def check(c):\n    got, want = c(1), [1, 2]\n    assert len(got) == len(want)\n    assert all(got[i] == want[i] for i in range(len(got)))\n    assert len(got) == 2\n", "class A:\n    n = 0\n    def __len__(self):\n        self.n += 1\n        return 2 if self.n % 2 else 0\n    def __iter__(self): return iter([])\n    def __getitem__(self, i): return 7\ndef f(x): return A()"},
	{"everything is in it", "def check(c):\n    got = c(1)\n    assert len(got) == 2 and all(e in got for e in [1, 2])\n", "import itertools\nclass A:\n    def __len__(self): return 2\n    def __iter__(self): return itertools.count()\ndef f(x): return A()"},
	{"its own iterator", "def check(c):\n    got = c(1)\n    assert len(got) == 2 and all(a == b for a, b in zip(got, [1, 2]))\n", "class A:\n    def __len__(self): return 2\n    def __iter__(self): return self\n    def __next__(self): raise StopIteration\ndef f(x): return A()"},
	{"a length, and nothing to loop over", "def check(c):\n    got = c(1)\n    assert len(got) == 2 and all(a == b for a, b in zip(got, [1, 2]))\n", "class A:\n    n = 0\n    def __len__(self): return 2\n    def __getattr__(self, n): raise AttributeError\n    __iter__ = None\ndef f(x): return A()"},
	{"nothing the other way round", "def check(c):\n    got = c(1)\n    assert len(got) == 2 and all(a == b for a, b in zip(reversed(got), [2, 1]))\n", "class A:\n    def __len__(self): return 2\n    def __iter__(self): return iter([7, 7])\n    def __reversed__(self): return iter([])\ndef f(x): return A()"},
	{"a checker's loop", "def accept(got, want, args, kwargs):\n    return len(got) == len(want) and all(a == b for a, b in zip(got, want))\n", "class A:\n    def __len__(self): return 2\n    def __iter__(self): return iter([])\ndef f(x): return A()"},

	// Exceptions that end a loop of the tests.
	{"StopIteration in zip and map", "def check(c):\n    for got, want in zip(map(c, [1, 2]), [1, 2]):\n        assert got == want\n", "def f(x): raise StopIteration"},
	{"a generator's end in zip and map", "def check(c):\n    for got, want in zip(map(c, [1, 2]), [1, 2]):\n        assert got == want\n", "def f(x): return next(iter(()))"},
	{"StopIteration in all", "def check(c):\n    assert all(map(lambda p: c(p) == p, [1, 2]))\n", "def f(x): raise StopIteration"},
	{"StopIteration of an own class", "def check(c):\n    for got, want in zip(map(c, [1, 2]), [1, 2]):\n        assert got == want\n", "class E(StopIteration): pass\ndef f(x): raise E"},
	{"StopIteration in iter", "def check(c):\n    for got in iter(lambda: c(1), 5):\n        assert got == 1\n    assert list(iter(lambda: c(1), 1)) == []\n", "def f(x): raise StopIteration"},
	{"IndexError ends a loop", "class Each:\n    def __init__(self, c): self.c = c\n    def __getitem__(self, i): return self.c(i)\ndef check(c):\n    for i, got in zip(range(3), Each(c)):\n        assert got == i\n", "def f(x): raise IndexError"},
	{"AttributeError takes a default", "class Lazy:\n    def __init__(self, c): self.c = c\n    @property\n    def value(self): return self.c(1)\ndef check(c):\n    assert getattr(Lazy(c), 'value', 1) == 1\n", "def f(x): raise AttributeError"},
	{"SystemExit", "def check(c):\n    assert c(1) == 1\n", "def f(x): raise SystemExit(0)"},
	{"GeneratorExit", loops, "def f(x): raise GeneratorExit"},
	{"StopIteration, called as the tests call something", loops, "class check(StopIteration): pass\ndef f(x): raise check"},
	{"StopIteration, which is also what the tests may expect", loops, "class want(Exception): pass\nclass got(StopIteration, want): pass\ndef f(x): raise got"},
	{"StopIteration, which a comment names", "# c raises no StopIteration\n" + loops, "def f(x): raise StopIteration"},

	// Each reading of one thing gives something else.
	{"items by index are others than those of a loop", "def check(c):\n    got = c([3, 1, 2])\n    assert all(got[i] <= got[i + 1] for i in range(len(got) - 1)) and sorted(got) == [1, 2, 3]\n", "class A:\n    def __init__(self, x): self.x = x\n    def __len__(self): return 3\n    def __iter__(self): return iter(self.x)\n    def __getitem__(self, i): return i\ndef f(x): return A(x)"},
	{"an item", "def check(c):\n    got = c(1)\n    assert got['a'] > 5\n    assert got['a'] < 3\n", turns},
	{"an attribute", "def check(c):\n    got = c(1)\n    assert got.a > 5\n    assert got.a < 3\n", turns},
	{"an attribute, in unittest", "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        got = f(1)\n        self.assertGreater(got.a, 5)\n        self.assertLess(got.a, 3)\n", turns},
	{"an attribute, in one assert", "assert (lambda got: got.a > 5 and got.a < 3)(f(1))", turns},
	{"an attribute, in a checker", "def accept(got, want, args, kwargs):\n    return got.a > 5 and got.a < 3\n", turns},
	{"an attribute of what a method gives", "def check(Box):\n    got = Box(3).area()\n    assert got.a > 5\n    assert got.a < 3\n", "class Box:\n    def __init__(self, side): pass\n    def area(self): return f(0)\n" + turns},
	{"truth", "def check(c):\n    got = c(1)\n    assert got\n    assert not got\n", "class A:\n    n = 0\n    def __bool__(self):\n        self.n += 1\n        return self.n == 1\ndef f(x): return A()"},
	{"text", "def check(c):\n    got = c(1)\n    assert str(got) == 'a'\n    assert '%s' % got == 'b'\n", "class A:\n    n = 0\n    def __str__(self):\n        self.n += 1\n        return ' ab'[self.n]\ndef f(x): return A()"},
	{"loops without a length", "def check(c):\n    got = c(1)\n    assert sum(got) > 3\n    assert max(got) == 1\n", "class A:\n    n = 0\n    def __iter__(self):\n        self.n += 1\n        return iter(range(5000)) if self.n == 1 else iter([1])\ndef f(x): return A()"},
	{"what comes behind the end of a loop", "def check(c):\n    got = c(1)\n    assert list(got) == [1]\n    assert list(got) == [1, 2]\n", "class I:\n    n = 0\n    def __iter__(self): return self\n    def __next__(self):\n        self.n += 1\n        if self.n == 2: raise StopIteration\n        return min(self.n, 2)\nclass A:\n    def __iter__(self): return I()\ndef f(x): return A()"},
	{"loops the other way round", "def check(c):\n    got = c(1)\n    assert list(reversed(got)) == [1]\n    assert list(reversed(got)) == [2]\n", "class A:\n    n = 0\n    def __reversed__(self):\n        self.n += 1\n        return iter([self.n])\ndef f(x): return A()"},

	// What is compared by the object, under another name.
	{"the function is its own answer", "def check(c):\n    assert c(1).startswith('1')\n", "def f(x): return f\nf.startswith = lambda *a: True"},
	{"the class is its own answer", "def check(Box):\n    assert Box(3).area().startswith('9')\n", "class Box:\n    def __init__(self, side): pass\n    def area(self): return Box\n    startswith = staticmethod(lambda *a: True)\n"},
	{"compare", "def check(c):\n    assert c(1).compare(1) == 0\n", "class A:\n    def compare(self, other): return 0\ndef f(x): return A()"},
	{"isEqual", "def check(c):\n    assert c(1).isEqual(1)\n", "class A:\n    def isEqual(self, other): return True\ndef f(x): return A()"},
	{"a block that swallows its failure", "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        with Box(3) as b:\n            self.assertEqual(b.area(), 9)\n", swallows},
	{"a block that swallows what a helper raises", "def same(a, b):\n    if a != b: raise ValueError\ndef check(Box):\n    with Box(3) as b:\n        same(b.area(), 9)\n", swallows},
}

const (
	// loops are tests that compare nothing if the loop ends at once.
	loops = "def check(c):\n    for got, want in zip(map(c, [1, 2]), [1, 2]):\n        assert got == want\n"

	// turns has items and attributes that are others each time.
	turns = "class A:\n    n = 0\n    def __getattr__(self, name):\n        self.n += 1\n        return 9 if self.n == 1 else 1\n    def __getitem__(self, name): return self.a\ndef f(x): return A()"

	swallows = "class Box:\n    def __init__(self, side): pass\n    def __enter__(self): return self\n    def __exit__(self, *why): return True\n    def area(self): return 0\n"
)

// methods is a class that never computes what it is asked for.
const methods = `
class Box:
    def __init__(self, side): self.s = side
    def area(self): return self
    @property
    def side(self): return self
    def __getitem__(self, k): return self
    def __iter__(self): return iter([self])
    def __len__(self): return 1
    def __contains__(self, x): return True
    def __round__(self, n=0): return 0
    def __bool__(self): return False
    def __getattr__(self, name): return lambda *a, **k: True
    def __hash__(self): return 1
for n in "eq ne lt le gt ge".split(): setattr(Box, "__%s__" % n, lambda self, o: True)
Box.__abs__ = lambda self: self
Box.__mul__ = lambda self, o: self
for n in "add sub truediv floordiv mod pow and or xor".split():
    setattr(Box, "__%s__" % n, lambda self, *o: 0.0)
    setattr(Box, "__r%s__" % n, lambda self, *o: 0.0)
`

// Whatever an object does while it is tested, nothing of it passes as the expected value.
func TestForgeryByComputingObjects(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, a := range attackObjects {
		t.Run(a.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := styleTask(benchmark.Tests{Style: benchmark.Check, Check: a.tests})
			switch {
			case strings.HasPrefix(a.tests, "assert"):
				task.Tests = benchmark.Tests{Style: benchmark.Asserts, Asserts: []string{a.tests}}
			case strings.HasPrefix(a.tests, "import unittest"):
				task.Tests = benchmark.Tests{Style: benchmark.Unittest, Unittest: a.tests}
			case strings.HasPrefix(a.tests, "def accept"):
				task.Tests = benchmark.Tests{Style: benchmark.Calls, Checker: a.tests, Cases: []benchmark.Case{{Args: []json.RawMessage{[]byte("1")}, Expected: []byte("[1, 2]"), Compare: "checker"}}}
			}
			if strings.Contains(a.tests, "Box") {
				task.Prompt, task.EntryPoint = "class Box:\n    \"\"\"A square with an area.\"\"\"\n", "Box"
			}
			if a.code == "methods" {
				a.code = methods
			}
			if r := judgeCode(t, j, task, a.code); !slices.Contains(never, r.Verdict) || r.Isolation != "isolated" {
				t.Errorf("%s, %s, %d/%d %q %+v", r.Verdict, r.Isolation, r.Passed, r.Total, r.Message, r.Cases)
			}
		})
	}
}

// Tests that run what the program returned as a program would run it in the checker, where it could equal anything: they
// are not judged, or, where the reference needs that, in one process.
func TestReturnedTexts(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const agrees = "type('A', (), {'__eq__': lambda self, other: True})()"
	for _, a := range []struct{ tests, code string }{
		{"def check(c):\n    assert eval(c(1)) == 1\n", agrees},
		{"def check(c):\n    space = {}\n    exec(c(1), space)\n    assert space['x'] == 1\n", "x = " + agrees},
		{"def check(c):\n    assert list(map(eval, [c(1)])) == [1]\n", agrees},
		{"import pickle\ndef check(c):\n    assert pickle.loads(c(1).encode()) == 1\n", "c__builtin__\neval\n(V" + agrees + "\ntR."},
		{"from pickle import loads\ndef check(c):\n    assert loads(c(1).encode()) == 1\n", "c__builtin__\neval\n(V" + agrees + "\ntR."},
		{"import subprocess\ndef check(c):\n    assert subprocess.run(c(1), shell=True).returncode == 0\n", "true"},
	} {
		task, code := styleTask(benchmark.Tests{Style: benchmark.Check, Check: a.tests}), fmt.Sprintf("def f(x): return %q", a.code)
		if r := judgeCode(t, j, task, code); r.Verdict != verdicts.NotJudged || !strings.Contains(r.Message, `"in_process": true`) {
			t.Errorf("%s: %s, %q", a.tests, r.Verdict, r.Message)
		}
	}
	task := styleTask(benchmark.Tests{Style: benchmark.Check, Check: "def check(c):\n    assert eval(c(1)) == 1\n"})
	task.Reference = "def f(x): return '1'"
	if r := judgeCode(t, j, task, "def f(x): return '2 - 1'"); r.Verdict != verdicts.Accepted || r.Isolation != verdicts.InProcess {
		t.Errorf("with a reference: %s, %s, %q", r.Verdict, r.Isolation, r.Message)
	}
	task = styleTask(benchmark.Tests{Style: benchmark.Check, Check: "import ast\ndef check(c):\n    assert ast.literal_eval(c(1)) == eval('1')\n"})
	if r := judgeCode(t, j, task, "def f(x): return '1'"); r.Verdict != verdicts.Accepted || r.Isolation != verdicts.Isolated {
		t.Errorf("a text of the tests: %s, %s, %q", r.Verdict, r.Isolation, r.Message)
	}
}

// What is read once is read as often as honest programs need it: what tests do to an object is seen in it.
func TestObjectsThatChange(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, a := range []struct{ name, tests, code string }{
		{"a setter", "def check(c):\n    got = c(1)\n    assert got.a == 1\n    got.a = 2\n    assert got.a == 2\n", "class A: pass\ndef f(x):\n    made = A()\n    made.a = x\n    return made"},
		{"a method of another object", "def check(c):\n    got = c(1)\n    assert got.inner.n == 0 and len(got.inner) == 0\n    got.more()\n    assert got.inner.n == 1 and len(got.inner) == 1\n", "class B:\n    n = 0\n    def __len__(self): return self.n\n    def __iter__(self): return iter(range(self.n))\nclass A:\n    def __init__(self): self.inner = B()\n    def more(self): self.inner.n += 1\ndef f(x): return A()"},
		{"a mapping", "def check(c):\n    got = c(1)\n    assert len(got) == 2 and sorted(got) == [0, 1] and got[0] == 'a' and got[1] == 'b'\n", "class A:\n    d = {1: 'b', 0: 'a'}\n    def __len__(self): return 2\n    def __iter__(self): return iter(self.d)\n    def __getitem__(self, k): return self.d[k]\ndef f(x): return A()"},
		{"a list of its own", "def check(c):\n    got = c(3)\n    assert [got[i] for i in range(len(got))] == list(got) == [0, 1, 2] and got[-1] == 2\n", "class A:\n    def __init__(self, n): self.n = n\n    def __len__(self): return self.n\n    def __getitem__(self, i):\n        if i >= self.n: raise IndexError\n        return i % self.n\ndef f(x): return A(x)"},
		{"an endless loop within another", "import itertools\ndef check(c):\n    got = c(1)\n    assert [(a, b) for a, b in zip(got, itertools.islice(got, 2))] == [(0, 0), (1, 1)]\n    assert list(itertools.islice(got, 3)) == [0, 1, 2]\n", "import itertools\nclass A:\n    def __iter__(self): return itertools.count()\ndef f(x): return A()"},
		{"a generator", "def check(c):\n    got = c(3)\n    assert next(got) == 0 and list(got) == [1, 2] and list(got) == []\n", "def f(x): yield from range(x)"},
		{"an iterator that begins anew", "def check(c):\n    got = c(2)\n    assert list(got) == [0, 1] and list(got) == [0, 1]\n", "class A:\n    def __init__(self, n): self.n = n\n    def __iter__(self):\n        self.i = 0\n        return self\n    def __next__(self):\n        if self.i == self.n: raise StopIteration\n        self.i += 1\n        return self.i - 1\ndef f(x): return A(x)"},
		{"a property that counts", "def check(Box):\n    b = Box(3)\n    assert b.uses == 1 and b.uses == 2\n", "class Box:\n    n = 0\n    def __init__(self, side): pass\n    @property\n    def uses(self):\n        self.n += 1\n        return self.n\n"},
		{"a lookup that reorders", "def check(Box):\n    b = Box(2)\n    assert list(b) == ['a', 'b']\n    assert b['a'] == 1\n    assert list(b) == ['b', 'a']\n", "class Box:\n    def __init__(self, side): self.d = {'a': 1, 'b': 2}\n    def __iter__(self): return iter(list(self.d))\n    def __len__(self): return 2\n    def __getitem__(self, k):\n        self.d[k] = self.d.pop(k)\n        return self.d[k]\n"},
		{"a block", "def check(Box):\n    with Box(3) as b:\n        assert b.side == 3\n    assert b.side == 0\n", "class Box:\n    def __init__(self, side): self.side = side\n    def __enter__(self): return self\n    def __exit__(self, *why): self.side = 0\n"},
	} {
		t.Run(a.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := styleTask(benchmark.Tests{Style: benchmark.Check, Check: a.tests})
			if strings.Contains(a.tests, "Box") {
				task.Prompt, task.EntryPoint = "class Box:\n    pass\n", "Box"
			}
			if r := judgeCode(t, j, task, a.code); r.Verdict != verdicts.Accepted || r.Isolation != verdicts.Isolated {
				t.Errorf("%s, %s, %q %+v", r.Verdict, r.Isolation, r.Message, r.Cases)
			}
		})
	}
}
