package judge

import (
	"encoding/json"
	"slices"
	"testing"

	"assay/benchmark"
)

// attackObjects are programs whose objects compute while they are tested, by what tests ask of them.
var attackObjects = []struct{ name, check, code string }{
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
	{"a checker's loop", "checker", "class A:\n    def __len__(self): return 2\n    def __iter__(self): return iter([])\ndef f(x): return A()"},

	// Exceptions that end a loop of the tests.
	{"StopIteration in zip and map", "def check(c):\n    for got, want in zip(map(c, [1, 2]), [1, 2]):\n        assert got == want\n", "def f(x): raise StopIteration"},
	{"a generator's end in zip and map", "def check(c):\n    for got, want in zip(map(c, [1, 2]), [1, 2]):\n        assert got == want\n", "def f(x): return next(iter(()))"},
	{"StopIteration in all", "def check(c):\n    assert all(map(lambda p: c(p) == p, [1, 2]))\n", "def f(x): raise StopIteration"},
	{"StopIteration of an own class", "def check(c):\n    for got, want in zip(map(c, [1, 2]), [1, 2]):\n        assert got == want\n", "class E(StopIteration): pass\ndef f(x): raise E"},
	{"StopIteration in iter", "def check(c):\n    for got in iter(lambda: c(1), 5):\n        assert got == 1\n    assert list(iter(lambda: c(1), 1)) == []\n", "def f(x): raise StopIteration"},
	{"IndexError ends a loop", "class Each:\n    def __init__(self, c): self.c = c\n    def __getitem__(self, i): return self.c(i)\ndef check(c):\n    for i, got in zip(range(3), Each(c)):\n        assert got == i\n", "def f(x): raise IndexError"},
	{"AttributeError takes a default", "class Lazy:\n    def __init__(self, c): self.c = c\n    @property\n    def value(self): return self.c(1)\ndef check(c):\n    assert getattr(Lazy(c), 'value', 1) == 1\n", "def f(x): raise AttributeError"},
	{"SystemExit", "def check(c):\n    assert c(1) == 1\n", "def f(x): raise SystemExit(0)"},
	{"GeneratorExit", "def check(c):\n    for got, want in zip(map(c, [1, 2]), [1, 2]):\n        assert got == want\n", "def f(x): raise GeneratorExit"},
}

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
			task := checkTask("", "f", a.check)
			if a.code == "methods" {
				task = checkTask("class Box:\n    \"\"\"A square with an area.\"\"\"\n", "Box", a.check)
				a.code = methods
			}
			if a.check == "checker" {
				task.Tests = benchmark.Tests{Style: benchmark.Calls, Checker: "def accept(got, want, args, kwargs):\n    return len(got) == len(want) and all(a == b for a, b in zip(got, want))\n",
					Cases: []benchmark.Case{{Args: []json.RawMessage{[]byte("1")}, Expected: []byte("[1, 2]"), Compare: "checker"}}}
			}
			if r := judgeCode(t, j, task, a.code); !slices.Contains(never, r.Verdict) || r.Isolation != "isolated" {
				t.Errorf("%s, %s, %d/%d %q %+v", r.Verdict, r.Isolation, r.Passed, r.Total, r.Message, r.Cases)
			}
		})
	}
}
