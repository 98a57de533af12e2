package rules

import (
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func branchRules() []rule {
	return []rule{
		{Rule{ID: "identical-branches", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "All branches of a condition do the same.", Known: []string{"S3923"},
			Bad:  "def f(x):\n    if x > 0:\n        return 1\n    else:\n        return 1\n",
			Good: "def f(x):\n    if x > 0:\n        return 1\n    else:\n        return 2\n"}, identicalBranches},
		{Rule{ID: "identical-conditions", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A chain of conditions asks the same twice: the second is never reached.", Known: []string{"S1862"},
			Bad:  "def f(x):\n    if x == 1:\n        return \"a\"\n    elif x == 1:\n        return \"b\"\n    return \"c\"\n",
			Good: "def f(x):\n    if x == 1:\n        return \"a\"\n    elif x == 2:\n        return \"b\"\n    return \"c\"\n"}, identicalConditions},
		{Rule{ID: "repeated-branch", Dimension: quality.Smell, Severity: quality.Major,
			Title: "Two neighbouring branches of a condition do the same.", Known: []string{"S1871", "SIM114"},
			Bad:  "def f(x):\n    if x == 1:\n        y = x + 1\n        print(y)\n    elif x == 2:\n        y = x + 1\n        print(y)\n    else:\n        print(0)\n",
			Good: "def f(x):\n    if x in (1, 2):\n        y = x + 1\n        print(y)\n    else:\n        print(0)\n"}, repeatedBranch},
		{Rule{ID: "constant-condition", Dimension: quality.Smell, Severity: quality.Critical,
			Title: "A condition is a constant, so that a branch is dead or always taken.", Known: []string{"S5797", "W0125", "F634"},
			Bad:  "def f():\n    if \"a\":\n        return 1\n    return 0\n",
			Good: "def f(c):\n    if c == \"a\":\n        return 1\n    return 0\n"}, constantCondition},
		{Rule{ID: "always-true-or", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "An alternative of a condition is a literal, so that it always holds.", Known: []string{"R1726", "SIM222"},
			Bad:  "def f(c):\n    if c == \"a\" or \"b\":\n        return 1\n    return 0\n",
			Good: "def f(c):\n    if c == \"a\" or c == \"b\":\n        return 1\n    return 0\n"}, alwaysTrueOr},
		{Rule{ID: "assert-on-tuple", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "An assertion on a tuple always holds.", Known: []string{"S5905", "W0199", "F631"},
			Bad:  "def f(x):\n    assert (x > 0, \"positive\")\n    return x\n",
			Good: "def f(x):\n    assert x > 0, \"positive\"\n    return x\n"}, assertTuple},
	}
}

func identicalBranches(f *file, say sayer) {
	for _, n := range f.kinds["if_statement"] {
		if branches := branchesOf(n); branches != nil && f.allSame(branches) {
			say(n, "all branches do the same")
		}
	}
	for _, n := range f.kinds["conditional_expression"] {
		if p := parts(n); len(p) == 3 && f.same(p[0], p[2]) {
			say(n, "both values are the same")
		}
	}
}

func (f *file) allSame(blocks []*syntax.Node) bool {
	return !slices.ContainsFunc(blocks[1:], func(b *syntax.Node) bool { return !f.sameBlock(blocks[0], b) })
}

// sameBlock compares two blocks statement by statement.
func (f *file) sameBlock(a, b *syntax.Node) bool {
	la, lb := parts(a), parts(b)
	if len(la) != len(lb) || len(la) == 0 {
		return false
	}
	for i := range la {
		if !f.same(la[i], lb[i]) {
			return false
		}
	}
	return true
}

func identicalConditions(f *file, say sayer) {
	for _, n := range f.kinds["if_statement"] {
		asked := map[string]bool{}
		if c := n.Child("condition"); pure(c) || f.stable(c) {
			asked[f.text(bare(c))] = true
		}
		for _, a := range children(n, "alternative") {
			c := a.Child("condition")
			if c == nil || !pure(c) && !f.stable(c) {
				continue
			}
			if text := f.text(bare(c)); asked[text] {
				say(a, "%s was asked before in this chain", text)
			} else {
				asked[text] = true
			}
		}
	}
}

// stable reports whether an expression calls only built-in functions and methods that return the same value
// each time.
func (f *file) stable(n *syntax.Node) bool {
	switch n.Kind {
	case "await", "yield", "named_expression":
		return false
	case "call":
		fn := n.Child("function")
		switch {
		case fn.Kind == "identifier" && f.names[fn] == nil && isStable(f.text(fn)):
		case fn.Kind == "attribute" && isStableMethod(f.text(fn.Child("attribute"))):
		default:
			return false
		}
	}
	return !slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return !f.stable(c) })
}

var (
	isStable       = wordSet("len abs int str float bool isinstance issubclass min max sum sorted ord chr type all any round tuple set")
	isStableMethod = wordSet("startswith endswith isdigit isalpha isalnum isupper islower isspace lower upper strip lstrip rstrip count find index keys values items get split join isnumeric isdecimal")
)

func repeatedBranch(f *file, say sayer) {
	for _, n := range f.kinds["if_statement"] {
		before := n.Child("consequence")
		all := branchesOf(n)
		if all != nil && f.allSame(all) {
			continue
		}
		for _, a := range children(n, "alternative") {
			block := a.Child("consequence")
			if block == nil {
				block = a.Child("body")
			}
			if list := parts(block); f.sameBlock(before, block) && len(list) > 0 && list[len(list)-1].EndLine > list[0].Line {
				say(a, "this branch does the same as the one before")
			}
			before = block
		}
	}
}

func constantCondition(f *file, say sayer) {
	f.conditions(func(c *syntax.Node) { f.constantly(c, say) })
}

func alwaysTrueOr(f *file, say sayer) {
	f.conditions(func(c *syntax.Node) { f.literalAlternative(c, say) })
}

// conditions visits the conditions of if, elif, while and conditional expressions.
func (f *file) conditions(visit func(c *syntax.Node)) {
	for _, kind := range []string{"if_statement", "elif_clause", "while_statement", "conditional_expression", "if_clause"} {
		for _, n := range f.kinds[kind] {
			c := n.Child("condition")
			switch kind {
			case "conditional_expression":
				if p := parts(n); len(p) == 3 {
					c = p[1]
				}
			case "if_clause":
				if p := parts(n); len(p) == 1 {
					c = p[0]
				}
			}
			if c != nil {
				visit(c)
			}
		}
	}
}

// constantly reports a condition, or an operand of its and, that is a literal.
func (f *file) constantly(c *syntax.Node, say sayer) {
	switch c = bare(c); c.Kind {
	case "string", "list", "dictionary", "tuple", "set", "float", "lambda", "generator_expression":
		say(c, "this condition is always the same")
	case "boolean_operator":
		if f.text(c.Child("operator")) == "and" {
			f.constantly(c.Child("left"), say)
			f.constantly(c.Child("right"), say)
		}
	case "not_operator":
		f.constantly(c.Child("argument"), say)
	}
}

// literalAlternative reports an "or" with a literal that is true, such as x == 1 or 2.
func (f *file) literalAlternative(c *syntax.Node, say sayer) {
	switch c = bare(c); c.Kind {
	case "boolean_operator":
		left, right := bare(c.Child("left")), bare(c.Child("right"))
		if f.text(c.Child("operator")) == "or" && (f.truth(right) || f.truth(left)) {
			say(c, "this condition always holds: %s is true by itself", short(f.text(f.truthful(left, right))))
			return
		}
		f.literalAlternative(left, say)
		f.literalAlternative(right, say)
	case "not_operator":
		f.literalAlternative(c.Child("argument"), say)
	}
}

func (f *file) truthful(left, right *syntax.Node) *syntax.Node {
	if f.truth(right) {
		return right
	}
	return left
}

// truth reports whether a literal is truthy.
func (f *file) truth(n *syntax.Node) bool {
	switch n.Kind {
	case "string":
		s, ok := f.literal(n)
		return ok && s != ""
	case "integer":
		return strings.Trim(f.text(n), "0_") != ""
	case "true":
		return true
	case "list", "tuple", "set", "dictionary":
		return len(parts(n)) > 0
	}
	return false
}

func assertTuple(f *file, say sayer) {
	for _, n := range f.kinds["assert_statement"] {
		if p := parts(n); len(p) == 1 && p[0].Kind == "tuple" && len(parts(p[0])) > 0 {
			say(n, "a tuple is always true: leave the parentheses out")
		}
	}
}
