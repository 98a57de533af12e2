package judge

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// TestObjectsOfTheProgram: tests reach objects that cannot be sent.
func TestObjectsOfTheProgram(t *testing.T) {
	j := newJudge(t)
	for _, tt := range []struct{ name, check, code, statuses string }{
		{"generator", "def check(c):\n    assert list(c(3)) == [0, 1, 4]\n    g = c(2)\n    assert next(g) == 0\n    assert next(g) == 1\n    assert next(g, 'end') == 'end'\n",
			"def f(n):\n    for i in range(n): yield i * i", "passed passed passed passed"},
		{"endless generator", "import itertools\ndef check(c):\n    assert list(itertools.islice(c(1), 3)) == [1, 2, 3]\n", "import itertools\ndef f(n): return itertools.count(n)", "passed"},
		{"generator, its kind and send", "import types\ndef check(c):\n    g = c(1)\n    assert isinstance(g, types.GeneratorType)\n    assert next(g) == 1\n    assert g.send(5) == 5\n", "def f(n):\n    while True: n = (yield n) or n", "passed passed passed"},
		{"closure", "def check(c):\n    add = c(3)\n    assert add(4) == 7\n    assert callable(add) and c(1)(1) == 2\n", "def f(n): return lambda m: n + m", "passed passed"},
		{"attributes", "def check(c):\n    n = c([1, 2])\n    assert n.val == 1\n    assert n.next.val == 2\n    assert n.next.next is None\n    assert not hasattr(n, 'other')\n",
			"class Node:\n    def __init__(self, v, n): self.val, self.next = v, n\ndef f(xs):\n    node = None\n    for x in reversed(xs): node = Node(x, node)\n    return node", "passed passed passed passed"},
		{"methods", "def check(c):\n    a = c(10)\n    a.deposit(5)\n    assert a.balance() == 15\n    a.owner = 'x'\n    assert a.owner == 'x'\n    assert str(a) == 'A15'\n",
			"class A:\n    def __init__(self, n): self.n = n\n    def deposit(self, k): self.n += k\n    def balance(self): return self.n\n    def __str__(self): return 'A%d' % self.n\ndef f(n): return A(n)", "passed passed passed"},
		{"handed back", "def check(c):\n    a = c(None)\n    assert c(a) == 1\n    assert c([a, a]) == 2\n", "class A: pass\ndef f(x): return A() if x is None else 1 if isinstance(x, A) else sum(isinstance(y, A) for y in x)", "passed passed"},
		{"the same object", "def check(c):\n    assert c(1) is c(1)\n    assert c(1) == c(2)\n", "class A: pass\na = A()\ndef f(x): return a", "passed passed"},
		{"equal objects are not equal here", "def check(c):\n    assert c(1) == c(1)\n", "class A:\n    def __eq__(self, o): return True\ndef f(x): return A()", "wrong_answer"},
		{"indexing and length", "def check(c):\n    v = c(3)\n    assert len(v) == 3\n    assert v[1] == 2\n    v[1] = 9\n    assert list(v) == [1, 9, 3]\n    assert 9 in v\n", "from array import array\ndef f(n): return array('i', range(1, n + 1))", "passed passed passed passed"},
		{"range", "def check(c):\n    assert c(range(4)) == range(5)\n", "def f(r): return range(len(r) + 1)", "passed"},
		{"iterators as arguments", "def check(c):\n    assert c(iter([1, 2])) == 3\n    assert c(x for x in (3, 4)) == 7\n    assert c(map(int, '56')) == 11\n", "def f(it): return next(it) + sum(it)", "passed passed passed"},
		{"endless iterator as an argument", "import itertools\ndef check(c):\n    assert c(itertools.count()) == 3\n", "def f(it): return 1", ""},
		{"builtins as arguments", "def check(c):\n    assert c(len, [1, 2]) == 2\n    assert c(int, '5') == 5\n", "def f(g, x): return g(x)", "passed passed"},
		{"sorts in place", "def check(c):\n    xs = [3, 1, 2]\n    assert c(xs) is None\n    assert xs == [1, 2, 3]\n", "def f(xs): xs.sort()", "passed passed"},
		{"changes inner lists in place", "def check(c):\n    row = [1, 2]\n    m = [row, [3, 4]]\n    d = {'k': {1}}\n    c(m, d=d)\n    assert row == [0, 2]\n    assert m[0] is row and m[1] == [3, 4, 5]\n    assert d == {'k': {1, 2}, 'n': [1]}\n",
			"def f(m, d):\n    m[0][0] = 0\n    m[1].append(5)\n    d['k'].add(2)\n    d['n'] = [1]", "passed passed passed"},
		{"does not change", "def check(c):\n    xs = [3, 1]\n    c(xs)\n    assert xs == [1, 3]\n", "def f(xs): return sorted(xs)", "wrong_answer"},
		{"raises within the object", "def check(c):\n    v = c(1)\n    try:\n        v.go()\n        assert False\n    except ValueError as e:\n        assert str(e) == 'no'\n", "class A:\n    def go(self): raise ValueError('no')\ndef f(n): return A()", "passed passed"},
		{"lost with its process", "def check(c):\n    v = c(1)\n    assert v.x == 1\n    assert c(2) == 2\n    assert v.x == 1\n    assert c(3).x == 3\n",
			"import os\nclass A:\n    def __init__(self, x): self.x = x\ndef f(n):\n    if n == 2: os._exit(0)\n    return A(n)", "passed runtime_error runtime_error passed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			if r := judgeCode(t, j, checkTask("", "f", tt.check), tt.code); statuses(r) != tt.statuses {
				t.Errorf("%s %q [%s] %+v, want [%s]", r.Verdict, r.Message, statuses(r), r.Cases, tt.statuses)
			}
		})
	}
}

// TestClassTask: the entry point is a class, which the task's reference says.
func TestClassTask(t *testing.T) {
	j := newJudge(t)
	task := checkTask("", "Vec", `def check(Vec):
    v = Vec(1, 2)
    assert (v.x, v.y) == (1, 2)
    assert isinstance(v, Vec)
    assert (v + Vec(3, 4) + v).x == 5
    assert (2 * v).y == 4
    assert abs(Vec(3, 4)) == 5
    assert Vec(1, 1) < Vec(2, 2)
    assert 2 in v and 3 not in v
    assert v.index(2) == 1
    assert Vec.origin().x == 0
    assert v[0:2] == [1, 2]
    with v as w:
        assert w is v
`)
	const code = `class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __rmul__(self, k): return Vec(self.x * k, self.y * k)
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** .5
    def __lt__(self, o): return abs(self) < abs(o)
    def __contains__(self, k): return k in (self.x, self.y)
    def __getitem__(self, i): return [self.x, self.y][i]
    def __enter__(self): return self
    def __exit__(self, *a): pass
    def index(self, k): return [self.x, self.y].index(k)
    @classmethod
    def origin(cls): return cls(0, 0)
`
	task.Reference = code
	if r := judgeCode(t, j, task, code); r.Verdict != verdicts.Accepted || r.Total != 11 || r.Isolation != "isolated" {
		t.Errorf("%s %q %+v", r.Verdict, r.Message, r.Cases)
	}
	if r := judgeCode(t, j, task, strings.ReplaceAll(code, "self.x * k", "self.x")); r.Verdict != verdicts.Accepted {
		t.Errorf("the other half of a product: %s %q", r.Verdict, r.Message)
	}
	if r := judgeCode(t, j, task, strings.ReplaceAll(code, "self.y * k", "self.y")); r.Verdict != verdicts.WrongAnswer || r.Passed != 10 {
		t.Errorf("%s %q %+v", r.Verdict, r.Message, r.Cases)
	}
}

// magic is an object that would agree with everything, if it were asked.
const magic = `
class Yes:
    def __getattr__(self, name): return Yes()
    def __call__(self, *a, **k): return True
    def __bool__(self): return True
    def __len__(self): return 3
    def __hash__(self): return 1
    def __iter__(self): return iter([Yes(), Yes(), Yes()])
    def __getitem__(self, k): return Yes()
    def __float__(self): return 0.0
    __int__ = __index__ = __round__ = lambda self, *a: 0
for n in "eq ne lt le gt ge contains".split(): setattr(Yes, "__%s__" % n, lambda self, o: True)
for n in "add sub mul truediv floordiv mod pow and or xor abs neg".split():
    setattr(Yes, "__%s__" % n, lambda self, *o: 0.0)
    setattr(Yes, "__r%s__" % n, lambda self, *o: 0.0)
`

// TestForgeryByObjects: whatever an object of the program says about itself, it
// is not the expected value.
func TestForgeryByObjects(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const check = `
def check(c):
    assert c(1) == "xylograph"
    assert "xylograph" == c(2)
    assert not c(3) != 7
    assert abs(c(4) - 3.5) < 1e-6
    assert abs(3.5 - c(5)) < 1e-6
    assert c(6) > 3
    assert 5 in c(7)
    assert c(8) in (1, 2)
    assert c(9) in {1: 0, 2: 0}
    assert c(10).startswith("xylo")
    assert c(11).count(4) == 2
    assert sorted(c(12)) == [1, 2, 3]
    assert c(13)[0] == 1
    assert c(14).equals([1])
    assert c(15).__eq__(4) is True
    assert isinstance(c(16), (int, str, float, bool))
    assert [c(17)] == [3]
    assert set(c(18)) == {1, 2, 3}
    assert c(19) == c(19)
    assert max(c(20), 3) == 3
    assert round(c(21), 2) == 0.5
    assert tuple(c(22)) == (1, 2, 3)
    assert type(c(23)) in (int, str, tuple)
    assert {1, 2} <= c(24)
    assert {c(25): 1} == {5: 1}
    assert all(x in c(26) for x in (1, 2))
`
	frame := func(value string) string {
		return "import os, json\nn = 0\ndef f(x):\n    global n\n    n += 1\n    b = json.dumps({'k': 'value', 'id': n, 'v': " + value + "}).encode()\n    os.write(4, len(b).to_bytes(4, 'big') + b)\n    return 1"
	}
	for _, a := range []struct{ name, code string }{
		{"agrees with everything", magic + "def f(x): return Yes()"},
		{"in a list", magic + "def f(x): return [Yes(), Yes(), Yes()]"},
		{"the entry point is a class", magic + "f = type('f', (Yes,), {'__init__': lambda self, x: None})"},
		{"new gives a value of another class", magic + "class f:\n    def __new__(cls, x): return Yes()"},
		{"says it is a generator", magic + "Yes.__name__ = 'generator'\ndef f(x): return Yes()"},
		{"says its length is negative", "class A:\n    def __len__(self): return -1\n    def __iter__(self): return iter([])\ndef f(x): return A()"},
		{"a length to fill the memory", "class A:\n    def __len__(self): return 10 ** 15\n    def __length_hint__(self): return 10 ** 15\n    def __iter__(self): return iter([])\ndef f(x): return A()"},
		{"its kind is an int", frame("{'$remote': {'h': 1, 'type': 'int', 'text': '7'}}")},
		{"a handle never given", frame("{'$remote': {'h': 999999, 'type': 'A', 'text': 'xylograph'}}")},
		{"a handle out of range", frame("{'$remote': {'h': 1 << 80, 'type': 'A', 'text': ''}}")},
		{"a negative handle", frame("{'$remote': {'h': -1}}")},
		{"the entry point's handle", frame("{'$remote': {'h': 0}}")},
		{"a handle that is text", frame("{'$remote': {'h': 'xylograph'}}")},
		{"no handle", frame("{'$remote': 5}")},
		{"handles inside handles", frame("{'$remote': {'h': {'$remote': {'h': 1}}, 'type': {'$set': [1]}}}")},
		{"a method where a value was wanted", frame("{'$method': None}")},
		{"what only the checker sends", frame("{'$handle': 0}")},
		{"a name of the checker", frame("{'$builtin': 'Exception'}")},
	} {
		t.Run(a.name, func(t *testing.T) {
			sampled.Row(t, 6)
			task := checkTask("", "f", check)
			task.Limits = benchmark.Limits{CPUSeconds: 1, CPUTotal: 3}
			r := judgeCode(t, j, task, a.code)
			if !slices.Contains(never, r.Verdict) || r.Passed > 0 || r.Isolation != "isolated" {
				for _, c := range r.Cases {
					if c.Status == verdicts.Passed {
						t.Errorf("passed: %+v", c)
					}
				}
				t.Errorf("%s %d/%d %q", r.Verdict, r.Passed, r.Total, r.Message)
			}
		})
	}
}

// TestForgeryByChanges: a program's account of what it changed reaches the
// arguments of the call and nothing else.
func TestForgeryByChanges(t *testing.T) {
	j := newJudge(t)
	const check = `
WANTED = [1, 2, 3]
def check(c):
    xs, n = [3, 2, 1], 5
    got = c(xs, n)
    assert got == WANTED
    assert xs == WANTED
    assert n == 6
    assert WANTED == []
`
	for _, changed := range []string{"[[0, [1]]]", "[[1, 6]]", "[['WANTED', []]]", "[[9, []]]", "[[-1, 6]]", "5", "[[0, {'a': 1}]]", "[[0]]", "{'0': []}", "[[0, {'$remote': {'h': 3}}]]"} {
		code := "import os, json\ndef f(x, n):\n    b = json.dumps({'k': 'value', 'id': 1, 'v': [], 'changed': " + changed + "}).encode()\n    os.write(4, len(b).to_bytes(4, 'big') + b)\n    return 1"
		if r := judgeCode(t, j, checkTask("", "f", check), code); r.Passed > 0 || !slices.Contains(never, r.Verdict) {
			t.Errorf("%s: %s %d/%d %+v", changed, r.Verdict, r.Passed, r.Total, r.Cases)
		}
	}
}
