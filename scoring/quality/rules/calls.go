package rules

import (
	"maps"
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func callRules() []rule {
	return []rule{
		{Rule{ID: "wrong-arguments", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A function of the file is called with arguments that it does not take.", Known: []string{"S930", "E1120", "E1121", "E1123", "E1124"},
			Bad:  "def area(w, h):\n    return w * h\n\n\nprint(area(3))\n",
			Good: "def area(w, h):\n    return w * h\n\n\nprint(area(3, 4))\n"}, wrongArguments},
		{Rule{ID: "not-callable", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "Something is called that is no function.", Known: []string{"S5756", "E1102"},
			Bad:  "def f(x):\n    pairs = [(1, 2) (3, x)]\n    return pairs\n",
			Good: "def f(x):\n    pairs = [(1, 2), (3, x)]\n    return pairs\n"}, notCallable},
		{Rule{ID: "shadowed-builtin-called", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A built-in function is called under a name that holds something else.", Known: []string{"S5756", "S5806", "W0622"},
			Bad:  "def f(xs):\n    sum = 0\n    for x in xs:\n        sum += x\n    return sum(xs)\n",
			Good: "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return sum(xs) - total\n"}, shadowedBuiltin},
		{Rule{ID: "repeated-argument", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A call gives an argument twice, or one by position after one by name.", Known: []string{"S5549", "E1124"},
			Bad:  "def f(g):\n    return g(a=1, a=2)\n",
			Good: "def f(g):\n    return g(a=1, b=2)\n"}, repeatedArgument},
		{Rule{ID: "bad-parameters", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A function's parameters repeat a name, or one without a default follows one with.", Known: []string{"E0108", "F831"},
			Bad:  "def f(a, a):\n    return a\n",
			Good: "def f(a, b):\n    return a + b\n"}, badParameters},
		{Rule{ID: "result-of-nothing", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "The result of something that returns nothing is used.", Known: []string{"S3699", "E1111", "E1128"},
			Bad:  "def f():\n    xs = [3, 1]\n    return xs.sort()\n",
			Good: "def f():\n    xs = [3, 1]\n    xs.sort()\n    return xs\n"}, resultOfNothing},
		{Rule{ID: "ignored-result", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "The result of something without any other effect is dropped.", Known: []string{"S2201", "W0133"},
			Bad:  "def f(name):\n    text = str(name)\n    text.upper()\n    return text\n",
			Good: "def f(name):\n    text = str(name)\n    return text.upper()\n"}, ignoredResult},
		{Rule{ID: "not-awaited", Dimension: quality.Reliability, Severity: quality.Major,
			Title: "A coroutine is made and never awaited: nothing happens.", Known: []string{"RUF006"},
			Bad:  "async def save():\n    print(1)\n\n\nasync def run():\n    save()\n",
			Good: "async def save():\n    print(1)\n\n\nasync def run():\n    await save()\n"}, notAwaited},
		{Rule{ID: "unpacked-number", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A number is iterated over.", Known: []string{"S3862", "E1133"},
			Bad:  "def f(xs):\n    for i in len(xs):\n        print(i)\n",
			Good: "def f(xs):\n    for i in range(len(xs)):\n        print(i)\n"}, iteratedNumber},
		{Rule{ID: "bad-open-mode", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "open is called with a mode that does not exist.", Known: []string{"S5828", "W1501"},
			Bad:  "def f(p):\n    with open(p, \"rw\") as file:\n        return file.read()\n",
			Good: "def f(p):\n    with open(p, \"r+\") as file:\n        return file.read()\n"}, openMode},
	}
}

func wrongArguments(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		candidates, method, title := f.called(call)
		if len(candidates) == 0 {
			continue
		}
		positional, byName, open := f.arguments(call)
		keywords := slices.Sorted(maps.Keys(byName))
		n := len(positional)
		why := ""
		for _, fn := range candidates {
			if why = f.signature(fn, method).refuses(n, keywords, open); why == "" {
				break
			}
		}
		if why != "" {
			say(call, "%s %s", title, why)
		}
	}
}

func notCallable(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		fn := bare(call.Child("function"))
		if fn.Kind == "identifier" && isBuiltin(f.text(fn)) {
			continue // reported by the next rule
		}
		if k := f.kind(fn); k != "" {
			say(call, "%s is called, but is of type %s", short(f.text(fn)), k)
		}
	}
}

func shadowedBuiltin(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		fn := call.Child("function")
		n := f.names[fn]
		if fn.Kind != "identifier" || n == nil || !isBuiltin(n.text) {
			continue
		}
		k := f.kind(fn)
		if k == "" {
			k = f.mixed(n)
		}
		if k != "" {
			say(call, "%s is called, but holds something of type %s here", n.text, k)
		}
	}
}

// mixed returns a type that a name may have, if none of its values can be called.
func (f *file) mixed(n *name) kindOf {
	k := kindOf("")
	for _, b := range n.bindings {
		switch b.how {
		case assigned:
			if k = f.kind(b.value); k == "" {
				return ""
			}
		case augmented:
		case parameter:
			if b.value == nil || b.value.Child("type") == nil {
				return ""
			}
			said := f.text(b.value.Child("type"))
			base, _, _ := strings.Cut(said, "[")
			if k = kindOf(strings.ToLower(base)); family[k] == "" {
				return ""
			}
		default:
			return ""
		}
	}
	return k
}

func repeatedArgument(f *file, say sayer) {
	for _, args := range f.kinds["argument_list"] {
		given, byName := map[string]bool{}, false
		for _, a := range parts(args) {
			switch {
			case a.Kind == "keyword_argument":
				word := f.text(a.Child("name"))
				if given[word] {
					say(a, "%s is given twice", word)
				}
				given[word], byName = true, true
			case a.Kind != "list_splat" && a.Kind != "dictionary_splat" && a.Kind != "list_splat_pattern" && byName:
				say(a, "an argument by position follows one by name")
			}
		}
	}
}

func badParameters(f *file, say sayer) {
	for _, kind := range []string{"parameters", "lambda_parameters"} {
		for _, list := range f.kinds[kind] {
			names, optional, after := map[string]bool{}, false, false
			for _, p := range parts(list) {
				if p.Kind == "keyword_separator" || strings.HasPrefix(f.text(p), "*") {
					after = true
				}
				id := parameterName(p)
				if id == nil {
					continue
				}
				if names[f.text(id)] {
					say(p, "two parameters are named %s", f.text(id))
				}
				names[f.text(id)] = true
				isOptional := p.Kind == "default_parameter" || p.Kind == "typed_default_parameter"
				if optional && !isOptional && !after {
					say(p, "%s has no default, but the parameter before it has", f.text(id))
				}
				optional = optional || isOptional
			}
		}
	}
}

var (
	changesList = wordSet("append extend insert remove sort reverse clear")
	changesSet  = wordSet("add discard remove clear update")
)

func resultOfNothing(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		if !valueUsed(call) {
			continue
		}
		fn := call.Child("function")
		if fn.Kind == "attribute" {
			method, k := f.text(fn.Child("attribute")), f.kind(fn.Child("object"))
			if k == "list" && changesList(method) || k == "set" && changesSet(method) || k == "dict" && (method == "update" || method == "clear") {
				say(call, "%s changes the %s and returns nothing", method, k)
			}
			continue
		}
		candidates, _, title := f.called(call)
		if len(candidates) == 0 || fn.Kind != "identifier" || f.names[fn].bindings[0].how != defined {
			continue
		}
		if !slices.ContainsFunc(candidates, func(fn *syntax.Node) bool { return !returnsNothing(fn) }) {
			say(call, "%s returns nothing", title)
		}
	}
}

// returnsNothing reports whether a function always returns None.
func returnsNothing(fn *syntax.Node) bool {
	with, _ := returns(fn)
	return len(with) == 0 && !isStub(fn) && !contains(fn.Child("body"), "yield") && !has(fn, "async") && len(decorators(fn)) == 0 &&
		!contains(fn.Child("body"), "raise_statement")
}

// valueUsed reports whether the result of a call is used: assigned, returned as part of a value, or an
// operand. A plain "return f()" of a function does not count, since callers ask only about methods there.
func valueUsed(call *syntax.Node) bool {
	p := call.Parent
	for p.Kind == "parenthesized_expression" {
		p = p.Parent
	}
	switch p.Kind {
	case "assignment":
		return call.Field == "right"
	case "binary_operator", "comparison_operator", "subscript", "for_statement":
		return call.Field != "subscript"
	case "return_statement":
		fn := call.Child("function")
		return fn.Kind == "attribute"
	}
	return false
}

var textResult = wordSet("upper lower strip lstrip rstrip replace title capitalize split join format isdigit isalpha count find startswith endswith swapcase zfill")

func ignoredResult(f *file, say sayer) {
	for _, s := range f.kinds["expression_statement"] {
		p := parts(s)
		if len(p) != 1 || p[0].Kind != "call" {
			continue
		}
		fn := p[0].Child("function")
		switch fn.Kind {
		case "identifier":
			word := f.text(fn)
			if f.names[fn] == nil && !f.star && slices.Contains([]string{"sorted", "len", "reversed", "abs", "str", "list", "set", "tuple", "sum", "max", "min", "enumerate", "zip", "range", "round"}, word) && !guardedAny(s) {
				say(p[0], "what %s returns is dropped", word)
			}
		case "attribute":
			word := f.text(fn.Child("attribute"))
			if f.kind(fn.Child("object")) == "str" && textResult(word) || word == "replace" && f.twoTexts(p[0]) {
				say(p[0], "%s returns a new text, which is dropped", word)
			}
		}
	}
}

// guardedAny reports whether a statement is in a try, where it may be meant to fail.
func guardedAny(s *syntax.Node) bool { return above(s, "try_statement") != nil }

func (f *file) twoTexts(call *syntax.Node) bool {
	positional, keywords, open := f.arguments(call)
	return len(positional) == 2 && len(keywords) == 0 && !open && f.kind(positional[0]) == "str" && f.kind(positional[1]) == "str"
}

func notAwaited(f *file, say sayer) {
	for _, s := range f.kinds["expression_statement"] {
		p := parts(s)
		if len(p) != 1 || p[0].Kind != "call" {
			continue
		}
		if p[0].Child("function").Kind == "identifier" && f.names[p[0].Child("function")] != nil && f.names[p[0].Child("function")].bindings[0].how == classed {
			continue
		}
		candidates, _, title := f.called(p[0])
		if len(candidates) > 0 && !slices.ContainsFunc(candidates, func(fn *syntax.Node) bool {
			return !has(fn, "async") || contains(fn.Child("body"), "yield")
		}) {
			say(p[0], "%s is async: without await nothing happens", title)
		}
	}
}

func iteratedNumber(f *file, say sayer) {
	for _, kind := range []string{"for_statement", "for_in_clause"} {
		for _, n := range f.kinds[kind] {
			for _, r := range children(n, "right") {
				switch k := f.kind(r); k {
				case "int", "float", "bool", "None":
					say(r, "%s is of type %s and cannot be iterated over", short(f.text(r)), k)
				}
			}
		}
	}
}

func openMode(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		if f.target(call) != "open" {
			continue
		}
		mode := f.argument(call, 1, "mode")
		s, ok := f.literal(mode)
		if !ok {
			continue
		}
		kinds := 0
		for _, c := range "rwax" {
			kinds += strings.Count(s, string(c))
		}
		if kinds != 1 || strings.Trim(s, "rwaxbt+") != "" || strings.Contains(s, "b") && strings.Contains(s, "t") || strings.Count(s, "+") > 1 {
			say(mode, "open has no mode %q", s)
		}
	}
}
