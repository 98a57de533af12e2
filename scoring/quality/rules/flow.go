package rules

import (
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func flowRules() []rule {
	return []rule{
		{Rule{ID: "unreachable-code", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "Code can never be reached.", Known: []string{"S1763", "W0101"},
			Bad:  "def f(x):\n    return x\n    print(x)\n",
			Good: "def f(x):\n    print(x)\n    return x\n"}, unreachable},
		{Rule{ID: "return-outside-function", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "return or yield stands outside a function.", Known: []string{"S2711", "E0104", "E0105", "F706"},
			Bad:  "x = 1\nreturn x\n",
			Good: "def f():\n    x = 1\n    return x\n"}, returnOutside},
		{Rule{ID: "await-outside-async", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "await stands outside an async function.", Known: []string{"E1142"},
			Bad:  "def f(g):\n    return await g()\n",
			Good: "async def f(g):\n    return await g()\n"}, awaitOutside},
		{Rule{ID: "break-outside-loop", Dimension: quality.Reliability, Severity: quality.Critical,
			Title: "break or continue stands outside a loop.", Known: []string{"S1716", "E0103", "F701"},
			Bad:  "def f(x):\n    if x:\n        break\n    return x\n",
			Good: "def f(xs):\n    for x in xs:\n        if x:\n            break\n    return xs\n"}, breakOutside},
		{Rule{ID: "loop-runs-once", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A loop ends in its first turn whatever happens.", Known: []string{"S1751"},
			Bad:  "def prime(n):\n    for i in range(2, n):\n        if n % i == 0:\n            return False\n        else:\n            return True\n",
			Good: "def prime(n):\n    for i in range(2, n):\n        if n % i == 0:\n            return False\n    return True\n"}, runsOnce},
		{Rule{ID: "endless-loop", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A loop has no way out: nothing in it leaves it or changes its condition.", Known: []string{"S2189"},
			Bad:  "def f(n):\n    i = 0\n    while i < n:\n        print(n)\n    return i\n",
			Good: "def f(n):\n    i = 0\n    while i < n:\n        i += 1\n    return i\n"}, endlessLoop},
		{Rule{ID: "jump-in-finally", Dimension: quality.Reliability, Severity: quality.Critical,
			Title: "Leaving a finally block silently drops an exception that is under way.", Known: []string{"S1143", "W0150", "B012"},
			Bad:  "def f(g):\n    try:\n        g()\n    finally:\n        return 1\n",
			Good: "def f(g):\n    try:\n        g()\n    finally:\n        print(1)\n    return 1\n"}, jumpInFinally},
		{Rule{ID: "infinite-recursion", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A function calls itself on every path, with no case that ends it.", Known: []string{"S2190"},
			Bad:  "def fact(n):\n    return n * fact(n - 1)\n",
			Good: "def fact(n):\n    if n < 2:\n        return 1\n    return n * fact(n - 1)\n"}, infiniteRecursion},
		{Rule{ID: "missing-return", Dimension: quality.Smell, Severity: quality.Major,
			Title: "A function returns a value on some paths and nothing on others.", Known: []string{"S3801", "R1710"},
			Bad:  "def sign(x):\n    if x > 0:\n        return 1\n    elif x < 0:\n        return -1\n",
			Good: "def sign(x):\n    if x > 0:\n        return 1\n    if x < 0:\n        return -1\n    return 0\n"}, missingReturn},
		{Rule{ID: "no-return-value", Dimension: quality.Smell, Severity: quality.Major,
			Title: "A function is declared to return a value and never does.", Known: []string{"S5886"},
			Bad:  "def add(a: int, b: int) -> int:\n    print(a + b)\n",
			Good: "def add(a: int, b: int) -> int:\n    return a + b\n"}, noReturn},
	}
}

// leaves reports whether the code after a statement or block is unreachable: every path ends in return,
// raise, break, continue, an exit or an endless loop.
func (f *file) leaves(n *syntax.Node) bool {
	if n == nil {
		return false
	}
	if known, asked := f.ends[n]; asked {
		return known
	}
	answer := f.leavesAnew(n)
	f.ends[n] = answer
	return answer
}

func (f *file) leavesAnew(n *syntax.Node) bool {
	switch n.Kind {
	case "return_statement", "raise_statement", "break_statement", "continue_statement":
		return true
	case "block", "module":
		return slices.ContainsFunc(parts(n), f.leaves)
	case "else_clause", "with_statement":
		if n.Kind == "with_statement" && !f.transparent(n) {
			return false
		}
		return f.leaves(n.Child("body"))
	case "finally_clause", "except_clause":
		list := parts(n)
		return len(list) > 0 && f.leaves(list[len(list)-1])
	case "if_statement":
		branches := branchesOf(n)
		return branches != nil && !slices.ContainsFunc(branches, func(b *syntax.Node) bool { return !f.leaves(b) })
	case "while_statement":
		return isTrue(f, n.Child("condition")) && !breaks(n)
	case "try_statement":
		return f.tryLeaves(n)
	case "expression_statement":
		p := parts(n)
		if len(p) == 1 && p[0].Kind == "call" {
			switch f.target(p[0]) {
			case "sys.exit", "os._exit", "exit", "quit":
				return true
			}
		}
	}
	return false
}

// transparent reports whether a with statement certainly does not suppress exceptions: an open file or a
// lock does not, contextlib.suppress does; others are assumed not to if nothing is raised inside.
func (f *file) transparent(n *syntax.Node) bool {
	text := f.text(parts(n)[0])
	switch {
	case strings.HasPrefix(text, "open("), strings.Contains(text, "lock"):
		return true
	case strings.Contains(text, "suppress"), strings.Contains(text, "aises"), strings.Contains(text, "catch"):
		return false
	}
	return !contains(n, "raise_statement")
}

// branchesOf returns the blocks of an if statement, or nil if it has no else.
func branchesOf(n *syntax.Node) []*syntax.Node {
	list := []*syntax.Node{n.Child("consequence")}
	for _, a := range children(n, "alternative") {
		if a.Kind == "else_clause" {
			return append(list, a.Child("body"))
		}
		list = append(list, a.Child("consequence"))
	}
	return nil
}

func (f *file) tryLeaves(n *syntax.Node) bool {
	body, handlers, others := f.leaves(n.Child("body")), true, false
	for _, c := range n.Children {
		switch c.Kind {
		case "except_clause":
			handlers = handlers && f.leaves(c)
		case "else_clause":
			others = f.leaves(c)
		case "finally_clause":
			if f.leaves(c) {
				return true
			}
		}
	}
	return (body || others) && handlers
}

// isTrue reports whether a condition always holds.
func isTrue(f *file, n *syntax.Node) bool {
	n = bare(n)
	if n == nil {
		return false
	}
	text := f.text(n)
	return n.Kind == "true" || n.Kind == "integer" && strings.Trim(text, "0_") != "" && !strings.ContainsAny(text, "xob")
}

func unreachable(f *file, say sayer) {
	for _, block := range append(f.kinds["block"], f.tree.Root) {
		list := parts(block)
		for i, s := range list[:max(0, len(list)-1)] {
			if !f.leaves(s) {
				continue
			}
			next := list[i+1]
			if isYield(next) || isDoc(next) || next.Kind == "pass_statement" {
				break // a yield makes the function a generator
			}
			say(next, "this can never be reached")
			break
		}
	}
}

func isYield(s *syntax.Node) bool {
	p := parts(s)
	return s.Kind == "expression_statement" && len(p) > 0 && p[0].Kind == "yield"
}

func returnOutside(f *file, say sayer) {
	for _, kind := range []string{"return_statement", "yield"} {
		for _, n := range f.kinds[kind] {
			if function(n) == nil {
				say(n, "%s stands outside a function", strings.TrimSuffix(kind, "_statement"))
			}
		}
	}
}

func awaitOutside(f *file, say sayer) {
	for _, n := range f.kinds["await"] {
		if fn := function(n); fn == nil || fn.Kind == "lambda" || !has(fn, "async") {
			say(n, "await stands outside an async function")
		}
	}
}

func breakOutside(f *file, say sayer) {
	for _, kind := range []string{"break_statement", "continue_statement"} {
		for _, n := range f.kinds[kind] {
			if !inLoop(n) {
				say(n, "%s stands outside a loop", strings.TrimSuffix(kind, "_statement"))
			}
		}
	}
}

func jumpInFinally(f *file, say sayer) {
	for _, c := range f.kinds["finally_clause"] {
		visitOwn(c, func(n *syntax.Node) {
			switch n.Kind {
			case "return_statement":
				say(n, "a return in finally drops an exception that is under way")
			case "break_statement", "continue_statement":
				if loop := above(n, "for_statement", "while_statement", "finally_clause"); loop == c {
					say(n, "leaving finally drops an exception that is under way")
				}
			}
		})
	}
}
