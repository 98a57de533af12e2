package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/data/sampled"
	"assay/scoring"
	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func check(t testing.TB, source string) Report {
	t.Helper()
	tree, err := syntax.Parse("python", []byte(source))
	fatal.If(t, err)
	return Check(tree)
}

func fired(r Report) []string {
	var ids []string
	for _, f := range r.Findings {
		ids = append(ids, f.Rule)
	}
	return ids
}

// Every rule reports its bad example; no rule reports any good example.
func TestExamples(t *testing.T) {
	for _, r := range All() {
		if !slices.Contains(fired(check(t, r.Bad)), r.ID) {
			t.Errorf("%s does not object to its bad example", r.ID)
		}
		for _, f := range check(t, r.Good).Findings {
			t.Errorf("the good example of %s: line %d: %s: %s", r.ID, f.Line, f.Rule, f.Message)
		}
	}
}

func TestRules(t *testing.T) {
	known := map[string]bool{}
	for _, r := range All() {
		if known[r.ID] || r.ID == "" || r.Title == "" || r.Bad == r.Good {
			t.Errorf("%s: twice, or incomplete", r.ID)
		}
		known[r.ID] = true
		if !strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: the title is no sentence", r.ID)
		}
		if _, err := quality.Rate([]quality.Finding{{Severity: r.Severity, Dimension: r.Dimension}}, r.Dimension); err != nil {
			t.Error(err)
		}
	}
	if len(known) < 40 {
		t.Errorf("%d rules", len(known))
	}
}

// A rule has the severity and the dimension of the first Sonar rule that it names
// (testdata/sonar.tsv, from the metadata of sonar-python bc71972).
func TestSeverities(t *testing.T) {
	text := fatal.Read(t, "testdata/sonar.tsv")
	sonar := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		sonar[f[0]] = f[1:]
	}
	dimension := map[string]quality.Dimension{"BUG": quality.Reliability, "VULNERABILITY": quality.Security, "CODE_SMELL": quality.Smell}
	for _, r := range All() {
		at := slices.IndexFunc(r.Known, func(k string) bool { return sonar[k] != nil })
		if at < 0 {
			continue
		}
		want := sonar[r.Known[at]]
		if dimension[want[0]] != r.Dimension || want[1] != string(r.Severity) {
			t.Errorf("%s is %s %s, %s is %v", r.ID, r.Dimension, r.Severity, r.Known[at], want)
		}
	}
}

func TestNotAnalysed(t *testing.T) {
	tree, err := syntax.Parse("javascript", []byte("x = y;"))
	fatal.If(t, err)
	if r := Check(tree); r.Rating(quality.Reliability) != scoring.NotAnalysed || r.Rating(quality.Security) != scoring.NotAnalysed {
		t.Errorf("a language without rules was rated: %+v", r)
	}
	if r := check(t, strings.Repeat("(", 5000)+"1"+strings.Repeat(")", 5000)); r.Reliability || r.Security {
		t.Errorf("a tree that was cut was rated")
	}
	broken := check(t, "def f(:\n    return eval(x)\n")
	if broken.Rating(quality.Reliability) != "E" || broken.Rating(quality.Security) != scoring.NotAnalysed || len(broken.Findings) != 1 {
		t.Errorf("what does not parse: %+v", broken)
	}
	if r := check(t, ""); r.Rating(quality.Reliability) != "A" || r.Rating(quality.Security) != "A" {
		t.Errorf("an empty file: %+v", r)
	}
}

// Code that no rule may report.
func TestSilence(t *testing.T) {
	for name, source := range map[string]string{
		"comprehension scopes":     "def f(xs):\n    return [y for x in xs for y in x if y]\n",
		"walrus leaves":            "def f(xs):\n    if any((last := x) > 1 for x in xs):\n        return last\n    return 0\n",
		"global set elsewhere":     "def init():\n    global state\n    state = 1\n\n\ndef use():\n    return state\n",
		"later function":           "def a():\n    return b()\n\n\ndef b():\n    return 1\n",
		"conditional definition":   "try:\n    import json\nexcept ImportError:\n    json = None\n\n\ndef f(x):\n    return json.dumps(x)\n",
		"name error caught":        "try:\n    text = unicode\nexcept NameError:\n    text = str\nprint(text)\n",
		"star import":              "from prepared import *\n\n\ndef f(x):\n    return anything(x)\n",
		"known star import":        "from math import *\n\n\ndef f(x):\n    return sqrt(x)\n",
		"match captures":           "def f(p):\n    match p:\n        case (x, y):\n            return x + y\n        case {\"a\": a, **rest}:\n            return a, rest\n        case [first, *others]:\n            return first, others\n        case str(s) as t:\n            return s, t\n    return None\n",
		"class scope":              "class A:\n    n = 1\n    m = n + 1\n\n    def f(self):\n        return self.m + A.n\n",
		"nonlocal":                 "def f():\n    n = 0\n\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return g\n",
		"string annotation":        "from typing import List\n\n\ndef f(x: 'List[int]') -> 'Later':\n    return x\n",
		"later annotation":         "from __future__ import annotations\n\n\ndef f(x: Later) -> Later:\n    return x\n",
		"local annotation":         "def f():\n    x: Unknown = 1\n    return x\n",
		"loop carried":             "def f(xs):\n    for i, x in enumerate(xs):\n        if i > 0:\n            print(before)\n        before = x\n",
		"redefined":                "def f(a, b):\n    \"\"\"Adds.\"\"\"\n\n\ndef f(a, b):\n    return a + b\n\n\nprint(f(1, 2))\n",
		"star arguments":           "def f(a, *rest, k=1, **more):\n    return a, rest, k, more\n\n\nprint(f(*[1, 2], **{}), f(1, 2, 3, k=2, z=1))\n",
		"decorated":                "import functools\n\n\n@functools.wraps(print)\ndef f(a):\n    return a\n\n\nprint(f())\n",
		"class call":               "class A:\n    def __init__(self, a, b=1):\n        self.a, self.b = a, b\n\n    @staticmethod\n    def g(x):\n        return x\n\n    def h(self):\n        return self.g(1) + self.a + self.b\n\n\nprint(A(1), A(1, b=2).h())\n",
		"generator expression":     "def f(xs):\n    return sum(x * x for x in xs)\n",
		"input reassigned":         "input = input()\nprint(input)\n",
		"removal and break":        "def f(xs):\n    for x in xs:\n        if x:\n            xs.remove(x)\n            break\n    return xs\n",
		"while true with return":   "def f(g):\n    while True:\n        x = g()\n        if x:\n            return x\n",
		"queue loop":               "def f(q):\n    while q:\n        x = q.pop()\n        print(x)\n",
		"first of a set":           "def f(xs):\n    for x in xs:\n        return x\n    return None\n",
		"generator for later":      "def f(g):\n    later = (row for _ in g)\n    row = 1\n    return later, row\n",
		"loop in a loop":           "def f(xs):\n    for x in xs:\n        if x:\n            for y in z:\n                print(y)\n        z = [x]\n",
		"lambda now":               "def f(xs):\n    return [sorted(xs, key=lambda x: x - i) for i in xs]\n",
		"percent with mapping":     "def f(d):\n    return \"%(a)s %(b)d\" % d\n",
		"percent with one":         "def f(x):\n    return \"%s%%\" % x\n",
		"format with index":        "def f(x):\n    return \"{0} {0!r:>10} {1[a]} {1.b}\".format(x, x)\n",
		"nested format":            "def f(x, n):\n    return \"{:{}}\".format(x, n)\n",
		"constant names":           "import os\n\nPASSWORD_FIELD = \"password-field\"\nTOKEN = os.environ.get(\"TOKEN\", \"\")\nprint(PASSWORD_FIELD, TOKEN)\n",
		"random number":            "import random\n\n\ndef dice():\n    return random.randint(1, 6)\n",
		"subprocess list":          "import subprocess\n\n\ndef f(name):\n    return subprocess.check_output([\"ls\", name])\n",
		"recursion with base":      "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n\n\ndef g(n):\n    return n and g(n - 1)\n",
		"exception group":          "def f(g):\n    try:\n        return g()\n    except (KeyError, IndexError) as e:\n        return e\n    except LookupError:\n        return None\n",
		"type parameters":          "def f[T](x: T) -> T:\n    return x\n",
		"class in function":        "def f():\n    class A:\n        x = 1\n\n        def g(self):\n            return self.x\n    return A\n",
		"except name reassigned":   "def f(g):\n    e = None\n    try:\n        g()\n    except ValueError as error:\n        e = error\n    return e\n",
		"semicolons":               "def f():\n    a = 1; b = 2\n    if a: a = 2; b = 3\n    return a, b\n",
		"continued lines":          "def f(a,\n      b):\n  return (a +\n b)\n",
		"comments at the margin":   "def f():\n# a comment\n    x = 1\n        # another\n    return x\n",
		"print with end":           "print('a', end='')\n",
		"two branches of a method": "class A:\n    def f(self, x):\n        self.x = x\n        return self\n\n    def g(self):\n        return self.f(1).x\n",
	} {
		for _, f := range check(t, source).Findings {
			t.Errorf("%s: line %d: %s: %s", name, f.Line, f.Rule, f.Message)
		}
	}
}

// Defects not in the examples of the rules.
func TestFindings(t *testing.T) {
	for _, c := range []struct{ name, source, rule string }{
		{"a comprehension's variable is its own", "def f(xs):\n    ys = [x for x in xs]\n    return ys, x\n", "undefined-name"},
		{"a class's names are not seen in its methods", "class A:\n    n = 1\n\n    def f(self):\n        return n\n", "undefined-name"},
		{"an annotation is evaluated", "def f(xs: List[int]):\n    return xs\n", "undefined-name"},
		{"a local hides the module's", "n = 0\n\n\ndef f():\n    n += 1\n    return n\n", "used-before-assignment"},
		{"except clears its name", "def f(g):\n    try:\n        g()\n    except ValueError as e:\n        print(e)\n    return e\n", "used-before-assignment"},
		{"del", "def f():\n    x = 1\n    del x\n    return x\n", "used-before-assignment"},
		{"a loop over its own variable", "def f():\n    for c in c:\n        print(c)\n", "used-before-assignment"},
		{"a comprehension, too early", "def f(g):\n    if all(row for x in g):\n        return 0\n    for row in g:\n        print(row)\n    return 1\n", "used-before-assignment"},
		{"a method of another type", "def f(x, y):\n    return (x, y).all(int)\n", "wrong-method"},
		{"a module's function, too early", "print(f())\n\n\ndef f():\n    return 1\n", "used-before-assignment"},
		{"too many", "def f(a):\n    return a\n\n\nf(1, 2)\n", "wrong-arguments"},
		{"an unknown name", "def f(a):\n    return a\n\n\nf(b=2)\n", "wrong-arguments"},
		{"a constructor", "class A:\n    def __init__(self, x):\n        self.x = x\n\n\nA()\n", "wrong-arguments"},
		{"a method", "class A:\n    def f(self, x):\n        return x\n\n    def g(self):\n        return self.f()\n", "wrong-arguments"},
		{"Python 2", "print \"a\"\n", "syntax-error"},
		{"no block", "def f():\n\n\nx = 1\n", "syntax-error"},
		{"indentation", "def f():\n    x = 1\n      y = 2\n    return x\n", "syntax-error"},
		{"dedent to nowhere", "def f():\n        x = 1\n    return x\n", "syntax-error"},
		{"a property of itself", "class A:\n    @property\n    def x(self):\n        return self.x\n", "infinite-recursion"},
		{"an alias of a module", "import subprocess as sp\n\n\ndef f(c):\n    sp.call(c, shell=True)\n", "shell-injection"},
		{"a name of a module", "from os import system\n\n\ndef f(c):\n    system(c)\n", "shell-injection"},
		{"a query in a variable", "def f(c, n):\n    q = f\"SELECT a FROM t WHERE n = {n}\"\n    c.execute(q)\n", "sql-injection"},
		{"star imports that are known", "from math import *\nfrom os.path import *\n\n\ndef f(x):\n    return squareroot(x)\n", "undefined-name"},
		{"a star import's name", "from os import *\n\n\ndef f(c):\n    system(c)\n", "shell-injection"},
		{"yaml", "import yaml\n\n\ndef f(t):\n    return yaml.load(t)\n", "unsafe-deserialization"},
	} {
		if !slices.Contains(fired(check(t, c.source)), c.rule) {
			t.Errorf("%s: no %s in %v", c.name, c.rule, fired(check(t, c.source)))
		}
	}
}

// Code that cannot run has one finding: the first place, and why.
func TestWhyItCannotRun(t *testing.T) {
	for source, want := range map[string]string{
		"x = 1\nprint x\n":                        "2 print is a function in Python 3",
		"x = 1\nexec \"x\"\n":                     "2 exec is a function in Python 3",
		"if a <> b:\n    pass\n":                  "1 <> is Python 2",
		"x = 1\ny = 10L\nprint x\n":               "2 this number is Python 2",
		"x = 0755\n":                              "1 this number is Python 2",
		"def f():\n\n\nx = 1\n":                   "1 a block is expected after this",
		"def f():\n    x = 1\n      y = 2\n":      "3 the indentation fits no block around it",
		"try:\n    f()\nexcept A, B:\n    pass\n": "3 several exceptions need parentheses",
		"def f(x, (a, b)):\n    return a\n":       "1 a parameter cannot be a tuple in Python 3",
		"x = 1\ny = ]\n":                          "2 this cannot be parsed",
		"    print x\n":                           "1 print is a function in Python 3", // and its indentation fits nothing
	} {
		r := check(t, source)
		if len(r.Findings) != 1 || r.Security {
			t.Errorf("%q: %+v", source, r)
			continue
		}
		if got := fmt.Sprintf("%d %s", r.Findings[0].Line, r.Findings[0].Message); got != want {
			t.Errorf("%q: %s, want %s", source, got, want)
		}
	}
}

func TestEndOfString(t *testing.T) {
	for source, want := range map[string]int{
		`'a'+b`:          2,
		`'a\'b'c`:        5,
		`""`:             1,
		`"""a"b"""c"`:    8,
		`'''a\'''b'''`:   11,
		"'a\nb'":         1, // where the line ends
		"'''a\nb":        6, // it never ends
		`'''a'''`:        6,
		`'''a'''` + `''`: 6,
	} {
		if got := endOfString([]byte(source), 0); got != want {
			t.Errorf("%s ends at %d, want %d", source, got, want)
		}
	}
}

// A megabyte of functions takes at most two seconds, and a quarter of a megabyte
// of anything else takes no longer.
func TestTime(t *testing.T) {
	if !sampled.All {
		t.Skip("takes seconds")
	}
	repeat := func(s string) string { return strings.Repeat(s, 1<<18/len(s)) }
	for name, source := range map[string]string{
		"functions":      strings.Repeat("def f(a, b):\n    # adds\n    total = 0\n    for x in a:\n        if x > b:\n            total += x\n        else:\n            total -= 1\n    return f(total, [y for y in a if y])\n\n", 1<<20/165),
		"one name":       repeat("x = x + 1\n"),
		"augmented":      "def f():\n" + repeat("    x += 1\n"),
		"deleted":        "x = 1\n" + repeat("x = 1\ndel x\n"),
		"elif":           "def f(x):\n    if x:\n        pass\n" + repeat("    elif x == y():\n        pass\n"),
		"methods":        "class A:\n" + repeat("    def f(self):\n        return self.f()\n"),
		"imports":        repeat("import os\n"),
		"calls":          repeat("eval(os.system(x + f'{y}'))\n"),
		"one line":       "x = [" + repeat("(1, 'a' == b, {1: 2}), ") + "]\n",
		"nested loops":   repeat("for a in b:\n for c in a:\n  for d in c:\n   while d:\n    a.remove(c)\n"),
		"nested":         repeat(strings.Repeat("(", 300) + "x" + strings.Repeat(")", 300) + "\n"),
		"nested sums":    repeat("y = " + strings.Repeat("1 + (", 200) + "x" + strings.Repeat(")", 200) + "\n"),
		"long sum":       "y = x" + strings.Repeat(" + x", 700) + "\n" + repeat("y = x\n"),
		"reassigned":     "def f(x):\n" + repeat("    y = x\n    x = y\n"),
		"same functions": repeat("def f(a):\n    return a\nf(1, 2)\n"),
	} {
		tree, err := syntax.Parse("python", []byte(source))
		if err != nil {
			continue // the parser reports texts that are too costly
		}
		start := time.Now()
		Check(tree)
		if took := time.Since(start); took > 2*time.Second*slow {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// slow is how much slower than the machine of the limit a test machine may be.
const slow = 3

func FuzzCheck(f *testing.F) {
	for _, r := range All() {
		f.Add(r.Bad)
		f.Add(r.Good)
	}
	f.Fuzz(func(t *testing.T, source string) {
		tree, err := syntax.Parse("python", []byte(source))
		if err != nil {
			return
		}
		lines := strings.Count(source, "\n") + 1
		for _, found := range Check(tree).Findings {
			if found.Line < 1 || found.Line > lines {
				t.Fatalf("%+v", found)
			}
		}
	})
}
