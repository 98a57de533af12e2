package judge

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
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
	for i := range 3 {
		graphs[fmt.Sprintf("tree %d", i)], graphs[fmt.Sprintf("any %d", i)] = someGraph(random, false), someGraph(random, true)
	}
	for language, k := range knotty {
		t.Run(language, func(t *testing.T) {
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
				if r := judgeCode(t, j, task, g.program(language)); r.Verdict != verdict || r.CPUMS > 2500 {
					t.Errorf("%s: %s %q in %d ms, want %s\n%s", name, r.Verdict, r.Message, r.CPUMS, verdict, g.program(language))
				} else if name == "doubled often" {
					t.Logf("%s: %d ms", name, r.CPUMS)
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
		if r := judgeCode(t, j, task, "def f(x):\n    "+body+"\n"); r.Verdict != verdicts.WrongAnswer || r.CPUMS > 2500 {
			t.Errorf("%s: %s %q in %d ms", name, r.Verdict, r.Message, r.CPUMS)
		}
	}
}
