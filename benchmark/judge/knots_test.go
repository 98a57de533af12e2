package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// A graph is a list of lists: each has a number twice and lists of the graph, by their places. The last is returned.
type graph [][]int

// tree returns the graph as it is written out, false if it contains itself or has more than so many lists.
func (g graph) tree(at, most int) (value []any, size int, ok bool) {
	value = []any{at, at}
	size = 1
	for _, part := range g[at] {
		if most <= size {
			return nil, size, false
		}
		inner, n, ok := g.tree(part, most-size)
		size += n
		if !ok {
			return nil, size, false
		}
		value = append(value, inner)
	}
	return value, size, true
}

// knotty is how a language makes such lists: where a list begins, what adds a list to another, and what adds a list
// that may contain the other ("": none can), with the function's frame around it.
var knotty = map[string]struct{ frame, list, add, back string }{
	"python":     {"def f():\n%s    return %s\n", "    v%[1]d = [%[1]d, %[1]d]\n", "    v%d.append(v%d)\n", "    v%d.append(v%d)\n"},
	"javascript": {"function f() {\n%s  return %s;\n}\n", "  const v%[1]d = [%[1]d, %[1]d];\n", "  v%d.push(v%d);\n", "  v%d.push(v%d);\n"},
	"typescript": {"function f(): any {\n%s  return %s;\n}\n", "  const v%[1]d: any[] = [%[1]d, %[1]d];\n", "  v%d.push(v%d);\n", "  v%d.push(v%d);\n"},
	"ruby":       {"def f\n%s  %s\nend\n", "  v%[1]d = [%[1]d, %[1]d]\n", "  v%d << v%d\n", "  v%d << v%d\n"},
	"php":        {"<?php\nfunction f() {\n%s  return %s;\n}\n", "  $v%[1]d = [%[1]d, %[1]d];\n", "  $v%d[] = $v%d;\n", "  $v%d[] = &$v%d;\n"},
	"r":          {"f <- function() {\n%s  %s\n}\n", "  v%[1]d <- list(%[1]d, %[1]d)\n", "  v%[1]d <- c(v%[1]d, list(v%[2]d))\n", ""},
	"go":         {"package main\nfunc f() any {\n%s\treturn %s\n}\n", "\tw%[1]d := []any{%[1]d, %[1]d}; v%[1]d := &w%[1]d; _ = v%[1]d\n", "\t*v%[1]d = append(*v%[1]d, v%[2]d)\n", "\t*v%[1]d = append(*v%[1]d, v%[2]d)\n"},
	"java":       {"import java.util.*;\nclass Solution { static List<Object> f() {\n%s  return %s;\n} }\n", "  List<Object> v%[1]d = new ArrayList<>(); v%[1]d.add(%[1]d); v%[1]d.add(%[1]d);\n", "  v%d.add(v%d);\n", "  v%d.add(v%d);\n"},
}

// program returns a function that makes the graph. Parts that come later are added when all is made.
func (g graph) program(language string) string {
	k, body := knotty[language], strings.Builder{}
	var back strings.Builder
	for i, parts := range g {
		fmt.Fprintf(&body, k.list, i)
		for _, part := range parts {
			if part < i {
				fmt.Fprintf(&body, k.add, i, part)
			} else {
				fmt.Fprintf(&back, k.back, i, part)
			}
		}
	}
	last := fmt.Sprintf("v%d", len(g)-1)
	if language == "php" {
		last = "$" + last
	}
	return fmt.Sprintf(k.frame, body.String()+back.String(), last)
}

// ordered reports whether every part comes before what has it.
func (g graph) ordered() bool {
	for i, parts := range g {
		for _, part := range parts {
			if part >= i {
				return false
			}
		}
	}
	return true
}

// someGraph makes a graph of lists that come before theirs, or of any.
func someGraph(random *rand.Rand, cyclic bool) graph {
	g := make(graph, 2+random.Intn(8))
	for i := range g {
		for range random.Intn(4) {
			if cyclic && random.Intn(4) == 0 {
				g[i] = append(g[i], i+random.Intn(len(g)-i))
			} else if i > 0 {
				g[i] = append(g[i], random.Intn(i))
			}
		}
	}
	return g
}

// TestKnots: a value that contains itself, or has one part so often that nothing could write it out, is wrong at once;
// one that is a tree when it is written out is compared as that.
func TestKnots(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	doubled := make(graph, 60)
	for i := range doubled[1:] {
		doubled[i+1] = []int{i, i}
	}
	graphs := map[string]graph{"doubled often": doubled, "itself": {{0}}, "itself twice": {{0, 0}}, "another and back": {{1, 1}, {0, 0}}, "one twice": {{}, {0, 0}}, "twice, deeply": append(doubled[:8:8], []int{7})}
	random := rand.New(rand.NewSource(1))
	for i := range 2 {
		graphs[fmt.Sprintf("tree %d", i)], graphs[fmt.Sprintf("any %d", i)] = someGraph(random, false), someGraph(random, true)
	}
	for _, language := range slices.Sorted(maps.Keys(knotty)) {
		k := knotty[language]
		t.Run(language, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			ready(t, j, &benchmark.Task{Language: language, Tests: benchmark.Tests{Style: benchmark.Calls}, EntryPoint: "f"})
			for name, g := range graphs {
				value, _, tree := g.tree(len(g)-1, 2000)
				if k.back == "" && !g.ordered() {
					continue
				}
				expected, verdict := []byte("[1]"), verdicts.WrongAnswer
				if tree {
					expected, _ = json.Marshal(value)
					verdict = verdicts.Accepted
				}
				task := callsTask(t, "f", `{"args":[],"expected":`+string(expected)+`}`)
				task.Language = language
				if r := judgeCode(t, j, task, g.program(language)); r.Verdict != verdict {
					t.Errorf("%s: %s %q in %d ms, want %s\n%s", name, r.Verdict, r.Message, r.CPUMS, verdict, g.program(language))
				} else {
					t.Logf("%s: %d ms of processor time", name, r.CPUMS)
				}
			}
		})
	}
}

// TestKnotsInArguments: what a function does to its arguments can be as knotty.
func TestKnotsInArguments(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for name, body := range map[string]string{
		"itself":        "x.append(x)",
		"itself twice":  "x.append(x); x.append(x)",
		"doubled often": "for i in range(60): x[:] = [list(x), list(x)] if i == 0 else [x[0], x[0]]\n    y = []\n    for i in range(60): y = [y, y]\n    x.append(y)",
		"a long row":    "x[:] = [[0] * 10**6] * 10**6",
	} {
		task := checkTask("", "f", "def check(candidate):\n    x = [1]\n    candidate(x)\n    assert x == [1, 2]\n")
		if r := judgeCode(t, j, task, "def f(x):\n    "+body+"\n"); r.Verdict != verdicts.WrongAnswer {
			t.Errorf("%s: %s %q in %d ms", name, r.Verdict, r.Message, r.CPUMS)
		}
	}
}

// TestKnotsOfEveryKind: the same of every kind of container and object, in each way of running tests.
func TestKnotsOfEveryKind(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	const twice = "x = 1\n    for i in range(60): "
	kinds := map[string]string{
		"list in itself":      "x = []\n    x.append(x)",
		"list twice":          twice + "x = [x, x]",
		"tuple twice":         twice + "x = (x, x)",
		"tuple in itself":     "l = []\n    x = (l, l)\n    l.append(x)",
		"dict in itself":      "x = {}\n    x[1] = x; x['a'] = x",
		"dict twice":          twice + "x = {'a': x, 'b': x}",
		"dict of keys":        twice + "x = {1: x, 2: x}",
		"dict of frozen keys": "x = frozenset()\n    for i in range(60): x = frozenset([frozenset([x, frozenset([i])]), frozenset([x])])\n    x = {x: x}",
		"set of frozensets":   "x = frozenset()\n    for i in range(60): x = frozenset([frozenset([x, frozenset([i])]), frozenset([x])])\n    x = {x}",
		"cycle of two":        "a, b = [], []\n    a.append(b); b.append(a); a.append(b); b.append(a)\n    x = a",
		"list and dict":       "x, d = [], {}\n    x.append(d); x.append(d); d['x'] = x; d['y'] = x",
		"deep":                "x = []\n    for i in range(100000): x = [x]",
		"object":              "x = O()\n    x.o = x",
		"object, attributes":  twice + "x = O(x)",
		"dataclass in itself": "x = D(1)\n    x.o = [x, x]",
		"dataclass twice":     twice + "x = D([x, x])",
		"namedtuple":          twice + "x = N(x, x)",
		"deque":               twice + "x = collections.deque([x, x])",
		"deque in itself":     "x = collections.deque()\n    x.append(x); x.append(x)",
		"ordered":             twice + "x = collections.OrderedDict(a=x, b=x)",
		"default":             twice + "x = collections.defaultdict(list, a=x, b=x)",
		"counter":             twice + "x = collections.Counter(a=x, b=x)",
		"user list":           twice + "x = collections.UserList([x, x])",
		"subclass of list":    twice + "x = L([x, x])",
		"subclass, own repr":  twice + "x = R([x, x])",
		"exception":           twice + "x = ValueError(x, x)",
		"raise":               twice + "x = [x, x]\n    raise ValueError(x)",
		"partial":             twice + "x = functools.partial(print, x, x)",
		"namespace":           twice + "x = types.SimpleNamespace(a=x, b=x)",
		"mapping proxy":       twice + "x = types.MappingProxyType({'a': x, 'b': x})",
		"slice":               twice + "x = slice(x, x)",
		"chain map":           twice + "x = collections.ChainMap({'a': x, 'b': x})",
		"iterator":            "x = iter([])\n    for i in range(60): x = [x, x]\n    x = iter(x)",
		"array of lists":      "x = [[0] * 1000] * 1000000",
		"generator":           twice + "x = [x, x]\n    x = (y for y in x)",
		"map of itself":       "x = {}\n    x['a'] = [x] * 3\n    x['b'] = (x, x)",
	}
	const head = "import collections, dataclasses, functools, types\nclass O:\n    def __init__(self, o=None): self.o = o\n@dataclasses.dataclass\nclass D:\n    o: object\nN = collections.namedtuple('N', 'a b')\nclass L(list): pass\nclass R(list):\n    def __repr__(self): return 'R' + list.__repr__(self)\n"
	styles := map[string]func(*benchmark.Task){
		"calls": func(b *benchmark.Task) { *b = *callsTask(t, "f", `{"args":[1],"expected":[[1],2]}`) },
		"check": func(b *benchmark.Task) {
			*b = *checkTask("", "f", "def check(candidate):\n    assert candidate(1) == [[1], 2]\n    assert [[1], 2] == candidate(1), 'x'\n")
		},
		"unittest": func(b *benchmark.Task) {
			b.Tests = benchmark.Tests{Style: benchmark.Unittest, Unittest: "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), [[1], 2])\n"}
		},
		"in process": func(b *benchmark.Task) {
			*b = *checkTask("", "f", "def check(candidate):\n    assert candidate(1) == [[1], 2]\n")
			b.Tests.InProcess = true
		},
		"in process unittest": func(b *benchmark.Task) {
			b.Tests = benchmark.Tests{Style: benchmark.Unittest, InProcess: true, Unittest: "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), [[1], 2])\n"}
		},
	}
	for _, style := range slices.Sorted(maps.Keys(styles)) {
		tests := styles[style]
		t.Run(style, func(t *testing.T) {
			sampled.Row(t, 2)
			t.Parallel()
			for i, name := range slices.Sorted(maps.Keys(kinds)) {
				if !sampled.OneIn(3, i) {
					continue
				}
				body := kinds[name]
				task := &benchmark.Task{ID: "t/1", Language: "python", EntryPoint: "f"}
				tests(task)
				task.Limits.CPUSeconds = 3
				r := judgeCode(t, j, task, head+"def f(n):\n    "+body+"\n    return x\n")
				want := "wrong_answer"
				if name == "raise" {
					want = "runtime_error"
				}
				if string(r.Verdict) != want {
					t.Errorf("%s: %s %s %q in %d ms", name, r.Isolation, r.Verdict, r.Message, r.CPUMS)
				}
			}
		})
	}
}

// TestKnotsAgreeWithPython: of graphs at random, what arrives is equal to a tree where Python's own value is.
func TestKnotsAgreeWithPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(python, "testdata/knots.py", "python/codec.py", "python/standard.py", "python/compare.py", "1", "10000").CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) == "0" {
		t.Fatalf("%v: %s", err, out)
	}
}
