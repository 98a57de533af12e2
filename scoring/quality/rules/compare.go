package rules

import (
	"math/big"
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func compareRules() []rule {
	return []rule{
		{Rule{ID: "same-operands", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "An operator has the same expression on both sides.", Known: []string{"S1764", "R0124", "PLR0124"},
			Bad:  "def f(a, b):\n    return a == a and b > 0\n",
			Good: "def f(a, b):\n    return a == b and b > 0\n"}, sameOperands},
		{Rule{ID: "is-new-object", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "Something is compared by identity with an object made on the spot: never the same.", Known: []string{"S5796", "F632"},
			Bad:  "def f(x):\n    return x is []\n",
			Good: "def f(x):\n    return x == []\n"}, isNewObject},
		{Rule{ID: "is-literal", Dimension: quality.Smell, Severity: quality.Major,
			Title: "Something is compared by identity with a number or text.", Known: []string{"S5795", "R0123", "F632"},
			Bad:  "def f(x):\n    return x is \"a\"\n",
			Good: "def f(x):\n    return x == \"a\"\n"}, isLiteral},
		{Rule{ID: "none-comparison", Dimension: quality.Smell, Severity: quality.Minor,
			Title: "None is compared by == instead of is.", Known: []string{"C0121", "E711"},
			Bad:  "def f(x):\n    return x == None\n",
			Good: "def f(x):\n    return x is None\n"}, noneComparison},
		{Rule{ID: "float-equality", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "The result of arithmetic on fractions is compared for equality.", Known: []string{"S1244"},
			Bad:  "def f(x):\n    return x * 0.1 == 0.3\n",
			Good: "def f(x):\n    return abs(x * 0.1 - 0.3) < 1e-9\n"}, floatEquality},
		{Rule{ID: "size-comparison", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A size is compared so that the answer is always the same.", Known: []string{"S3981"},
			Bad:  "def f(xs):\n    return len(xs) >= 0\n",
			Good: "def f(xs):\n    return len(xs) > 0\n"}, sizeComparison},
		{Rule{ID: "unequal-types", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "Values of types that are never equal are compared for equality.", Known: []string{"S2159", "S3403"},
			Bad:  "def f(xs):\n    return len(xs) == \"3\"\n",
			Good: "def f(xs):\n    return len(xs) == 3\n"}, unequalTypes},
		{Rule{ID: "uncompared-method", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A method itself is compared or tested, not what it returns: its call is missing.", Known: []string{"W0143", "W0177"},
			Bad:  "def f(s):\n    if s.isdigit:\n        return 1\n    return 0\n",
			Good: "def f(s):\n    if s.isdigit():\n        return 1\n    return 0\n"}, methodTested},
		{Rule{ID: "nan-comparison", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "Nothing equals nan.", Known: []string{"S6725", "W0177"},
			Bad:  "import math\n\n\ndef f(x):\n    return x == math.nan\n",
			Good: "import math\n\n\ndef f(x):\n    return math.isnan(x)\n"}, nanComparison},
	}
}

// comparisons visits each pair of operands of a comparison: left, operator, right.
func (f *file) comparisons(visit func(n, left *syntax.Node, op string, right *syntax.Node)) {
	for _, n := range f.kinds["comparison_operator"] {
		var operands []*syntax.Node
		ops := children(n, "operators")
		for _, p := range parts(n) {
			if p.Field != "operators" {
				operands = append(operands, p)
			}
		}
		for i, op := range ops {
			if i+1 < len(operands) {
				visit(n, operands[i], strings.Join(strings.Fields(f.text(op)), " "), operands[i+1])
			}
		}
	}
}

func sameOperands(f *file, say sayer) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if !constant(a) && (pure(a) || f.stable(a)) && f.same(bare(a), bare(b)) && !f.nanCheck(n, op) {
			say(n, "both sides of %s are %s", op, short(f.text(a)))
		}
	})
	for _, n := range f.kinds["boolean_operator"] {
		a, b := bare(n.Child("left")), bare(n.Child("right"))
		if (pure(a) || f.stable(a)) && f.same(a, b) {
			say(n, "both sides of %s are the same", f.text(n.Child("operator")))
		}
	}
	for _, n := range f.kinds["binary_operator"] {
		a, b := bare(n.Child("left")), bare(n.Child("right"))
		op := f.text(n.Child("operator"))
		if slices.Contains([]string{"-", "/", "//", "%", "|", "&", "^"}, op) && !constant(a) && (pure(a) || f.stable(a)) && f.same(a, b) {
			say(n, "both sides of %s are %s", op, short(f.text(a)))
		}
	}
}

// nanCheck reports whether a comparison of a value with itself tests for NaN: x != x.
func (f *file) nanCheck(n *syntax.Node, op string) bool {
	return op == "!=" || op == "==" && strings.Contains(strings.ToLower(f.enclosingName(n)), "nan")
}

func (f *file) enclosingName(n *syntax.Node) string {
	if fn := above(n, "function_definition"); fn != nil {
		return f.text(fn.Child("name"))
	}
	return ""
}

// short abbreviates a piece of source for a message.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}

func isNewObject(f *file, say sayer) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if op != "is" && op != "is not" {
			return
		}
		for _, side := range []*syntax.Node{bare(a), bare(b)} {
			switch side.Kind {
			case "list", "dictionary", "set", "list_comprehension", "set_comprehension", "dictionary_comprehension":
				say(n, "%s makes a new object, which nothing else is", short(f.text(side)))
			}
		}
	})
}

func isLiteral(f *file, say sayer) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if op != "is" && op != "is not" {
			return
		}
		for _, side := range []*syntax.Node{bare(a), bare(b)} {
			switch side.Kind {
			case "string", "integer", "float", "tuple", "concatenated_string", "unary_operator":
				say(n, "%s compares identity, not value: == is meant", op)
			}
		}
	})
}

func noneComparison(f *file, say sayer) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if (op == "==" || op == "!=") && (a.Kind == "none" || b.Kind == "none") {
			say(n, "None is compared by is, not by %s", op)
		}
	})
}

func floatEquality(f *file, say sayer) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if op != "==" && op != "!=" {
			return
		}
		if f.inexact(a) && f.number(b) || f.inexact(b) && f.number(a) {
			say(n, "%s between fractions that were computed is a matter of rounding", op)
		}
	})
}

// inexact reports whether an expression is, or computes with, a fraction without exact binary form.
func (f *file) inexact(n *syntax.Node) bool {
	n = bare(n)
	switch n.Kind {
	case "float":
		return !dyadic(f.text(n))
	case "binary_operator":
		return slices.Contains([]string{"+", "-", "*", "/"}, f.text(n.Child("operator"))) &&
			(f.inexact(n.Child("left")) || f.inexact(n.Child("right")))
	case "unary_operator":
		return f.inexact(n.Child("argument"))
	}
	return false
}

// dyadic reports whether a number is exact in binary, such as 0.5 but not 0.1.
func dyadic(s string) bool {
	r, ok := new(big.Rat).SetString(strings.ReplaceAll(s, "_", ""))
	if !ok || len(s) > 40 {
		return true
	}
	d := r.Denom()
	return d.TrailingZeroBits()+1 == uint(d.BitLen())
}

func (f *file) number(n *syntax.Node) bool {
	k := f.kind(n)
	return k == "" || k == "int" || k == "float"
}

func sizeComparison(f *file, say sayer) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if f.isLen(b) {
			a, b, op = b, a, map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}[op]
		}
		if !f.isLen(a) {
			return
		}
		value, negative := f.text(bare(b)), false
		if u := bare(b); u.Kind == "unary_operator" && f.text(u.Child("operator")) == "-" {
			negative = u.Child("argument").Kind == "integer" && f.text(u.Child("argument")) != "0"
		}
		switch {
		case value == "0" && (op == ">=" || op == "<"), negative:
			say(n, "a length is never below 0, so that this is always the same")
		}
	})
}

func (f *file) isLen(n *syntax.Node) bool {
	n = bare(n)
	return n.Kind == "call" && n.Child("function").Kind == "identifier" && f.names[n.Child("function")] == nil && f.text(n.Child("function")) == "len"
}

// family groups types whose values can be equal.
var family = map[kindOf]string{"int": "number", "float": "number", "bool": "number", "str": "str", "bytes": "bytes", "list": "list",
	"tuple": "tuple", "dict": "dict", "set": "set", "range": "range"}

func unequalTypes(f *file, say sayer) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if op != "==" && op != "!=" && op != "is" && op != "is not" {
			return
		}
		ka, kb := family[f.kind(a)], family[f.kind(b)]
		if ka != "" && kb != "" && ka != kb {
			say(n, "%s and %s are never equal", f.kind(a), f.kind(b))
		}
	})
}

var isTextMethod = wordSet("isdigit isalpha isalnum isupper islower isspace isnumeric isdecimal istitle startswith endswith")

func methodTested(f *file, say sayer) {
	flag := func(n *syntax.Node) {
		n = bare(n)
		if n != nil && n.Kind == "not_operator" {
			n = bare(n.Child("argument"))
		}
		if n != nil && n.Kind == "attribute" && isTextMethod(f.text(n.Child("attribute"))) && f.text(n.Child("object")) != "self" {
			say(n, "%s is a method and not called", f.text(n.Child("attribute")))
		}
	}
	for _, kind := range []string{"if_statement", "elif_clause", "while_statement"} {
		for _, n := range f.kinds[kind] {
			flag(n.Child("condition"))
		}
	}
	for _, n := range f.kinds["if_clause"] {
		for _, p := range parts(n) {
			flag(p)
		}
	}
	f.comparisons(func(_, a *syntax.Node, op string, b *syntax.Node) {
		if op == "==" || op == "!=" {
			flag(a)
			flag(b)
		}
	})
}

func nanComparison(f *file, say sayer) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if op != "==" && op != "!=" && op != "is" && op != "is not" {
			return
		}
		for _, side := range []*syntax.Node{a, b} {
			switch p := f.path(side); p {
			case "math.nan", "numpy.nan", "np.nan", "numpy.NaN", "np.NaN":
				say(n, "nothing equals %s, not even itself", p)
			}
			if c := bare(side); c.Kind == "call" && f.target(c) == "float" {
				if s, ok := f.literal(f.argument(c, 0, "")); ok && strings.EqualFold(strings.Trim(s, "+-"), "nan") {
					say(n, "nothing equals nan, not even itself")
				}
			}
		}
	})
}
