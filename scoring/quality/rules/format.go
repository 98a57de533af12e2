package rules

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func formatRules() []rule {
	return []rule{
		{Rule{ID: "percent-format", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A text and the values formatted into it by % do not fit.", Known: []string{"S2275", "E1305", "E1306", "F507"},
			Bad:  "def f(a, b):\n    return \"%s %s %s\" % (a, b)\n",
			Good: "def f(a, b):\n    return \"%s %s\" % (a, b)\n"}, percentFormat},
		{Rule{ID: "str-format", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A text asks format for a value that is not given.", Known: []string{"S2275", "W1303", "F524"},
			Bad:  "def f(a):\n    return \"{} {}\".format(a)\n",
			Good: "def f(a, b):\n    return \"{} {}\".format(a, b)\n"}, strFormat},
		{Rule{ID: "format-unused-argument", Dimension: quality.Smell, Severity: quality.Major,
			Title: "format is given a value that the text does not ask for.", Known: []string{"S3457", "E1305", "W1304", "F522"},
			Bad:  "def f(a, b):\n    return \"{}\".format(a, b)\n",
			Good: "def f(a, b):\n    return \"{}{}\".format(a, b)\n"}, unusedFormat},
		{Rule{ID: "f-string-without-placeholder", Dimension: quality.Smell, Severity: quality.Major,
			Title: "An f-string has no placeholder.", Known: []string{"S3457", "W1309", "F541"},
			Bad:  "def f():\n    return f\"name\"\n",
			Good: "def f(name):\n    return f\"{name}\"\n"}, emptyFString},
		{Rule{ID: "incompatible-operands", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "An operator is applied to types that do not go together.", Known: []string{"S5607", "E1131"},
			Bad:  "def f(xs):\n    return \"count: \" + len(xs)\n",
			Good: "def f(xs):\n    return \"count: \" + str(len(xs))\n"}, incompatible},
	}
}

var (
	percent = regexp.MustCompile(`%(?:\((\w*)\))?[#0\- +]*(\*|\d+)?(?:\.(\*|\d*))?[hlL]?(.)?`)
	field   = regexp.MustCompile(`^(\d*|[\p{L}_][\p{L}\p{N}_]*)((?:\.\w+|\[[^\]]*\])*)(![rsa])?(:.*)?$`)
)

// conversions parses a percent format: the number of values, the names, and what is wrong.
func conversions(s string) (positional int, names []string, wrong string) {
	for _, m := range percent.FindAllStringSubmatch(s, -1) {
		switch {
		case m[4] == "%":
			continue
		case m[4] == "":
			return 0, nil, "the text ends in a lone %"
		case !strings.Contains("diouxXeEfFgGcrsa", m[4]):
			return 0, nil, "there is no conversion %" + m[4]
		}
		if strings.HasPrefix(m[0], "%(") {
			names = append(names, m[1])
			continue
		}
		positional += 1 + strings.Count(m[0], "*")
	}
	return positional, names, ""
}

func percentFormat(f *file, say sayer) {
	for _, n := range f.kinds["binary_operator"] {
		if f.text(n.Child("operator")) != "%" {
			continue
		}
		s, ok := f.literal(n.Child("left"))
		if !ok || f.kind(n.Child("left")) != "str" {
			continue
		}
		positional, names, wrong := conversions(s)
		right := bare(n.Child("right"))
		given, certain := f.valuesOf(right)
		switch {
		case wrong != "":
			say(n, "%s", wrong)
		case len(names) > 0 && positional > 0:
			say(n, "the text mixes values by name and by position")
		case len(names) > 0:
			f.namedFormat(n, names, right, say)
		case certain && given != positional:
			say(n, "the text has %s, %d are given", count(positional, "place"), given)
		case !certain && positional == 0 && right.Kind != "identifier" && right.Kind != "dictionary":
			if k := f.kind(right); k != "" && k != "dict" {
				say(n, "the text has no place for the value")
			}
		}
		f.percentKinds(n, s, right, say)
	}
}

// valuesOf returns the number of values on the right side of %, and whether it is certain.
func (f *file) valuesOf(right *syntax.Node) (int, bool) {
	if right.Kind == "tuple" {
		for _, p := range parts(right) {
			if p.Kind == "list_splat" {
				return 0, false
			}
		}
		return len(parts(right)), true
	}
	switch f.kind(right) {
	case "str", "int", "float", "bool", "list":
		return 1, true
	}
	return 0, false
}

func (f *file) namedFormat(n *syntax.Node, names []string, right *syntax.Node, say sayer) {
	switch f.kind(right) {
	case "str", "int", "float", "tuple", "list":
		say(n, "the text asks for values by name: a mapping is needed")
		return
	}
	if right.Kind != "dictionary" {
		return
	}
	keys := map[string]bool{}
	for _, p := range parts(right) {
		key, ok := f.literal(p.Child("key"))
		if p.Kind != "pair" || !ok {
			return
		}
		keys[key] = true
	}
	for _, name := range names {
		if !keys[name] {
			say(n, "the value %s is not given", name)
		}
	}
}

// percentKinds reports %d and the like with a string.
func (f *file) percentKinds(n *syntax.Node, s string, right *syntax.Node, say sayer) {
	values := []*syntax.Node{right}
	if right.Kind == "tuple" {
		values = parts(right)
	}
	i := 0
	for _, m := range percent.FindAllStringSubmatch(s, -1) {
		if m[4] == "%" {
			continue
		}
		if strings.ContainsAny(m[0], "*(") || i >= len(values) {
			return
		}
		if strings.Contains("diouxXeEfFgG", m[4]) && m[4] != "" && f.kind(values[i]) == "str" {
			say(n, "%%%s needs a number, %s is text", m[4], short(f.text(values[i])))
		}
		i++
	}
}

// places are the fields of a format string: the number of automatic ones, the highest number, the names.
type places struct {
	auto    int
	highest int // -1: none
	used    map[string]bool
	wrong   string
}

// fieldsOf parses a format string, including fields within a field's format.
func fieldsOf(s string) places {
	p := places{highest: -1, used: map[string]bool{}}
	p.read(s)
	if p.auto > 0 && p.highest >= 0 && p.wrong == "" {
		p.wrong = "the text mixes numbered and automatic places"
	}
	return p
}

func (p *places) read(s string) {
	for i := 0; i < len(s) && p.wrong == ""; i++ {
		switch {
		case strings.HasPrefix(s[i:], "{{"), strings.HasPrefix(s[i:], "}}"):
			i++
		case s[i] == '}':
			p.wrong = "the text has a lone }"
		case s[i] == '{':
			end, depth := i+1, 1
			for ; end < len(s) && depth > 0; end++ {
				switch s[end] {
				case '{':
					depth++
				case '}':
					depth--
				}
			}
			if depth > 0 {
				p.wrong = "the text has a lone {"
				return
			}
			p.field(s[i+1 : end-1])
			i = end - 1
		}
	}
}

func (p *places) field(s string) {
	m := field.FindStringSubmatch(s)
	if m == nil {
		p.used["*"] = true // unusual syntax: nothing is certain
		return
	}
	switch n, err := strconv.Atoi(m[1]); {
	case m[1] == "":
		p.auto++
	case err == nil:
		p.highest = max(p.highest, n)
		p.used[m[1]] = true
	default:
		p.used[m[1]] = true
	}
	if strings.Contains(m[4], "{") {
		p.read(m[4])
	}
}

// formatCalls visits each call of format on a string literal.
func (f *file) formatCalls(visit func(call *syntax.Node, p places, positional int, keywords map[string]*syntax.Node, open bool)) {
	for _, call := range f.kinds["call"] {
		fn := call.Child("function")
		if fn.Kind != "attribute" || f.text(fn.Child("attribute")) != "format" {
			continue
		}
		object := bare(fn.Child("object"))
		s, ok := f.literal(object)
		if !ok || strings.Contains(s, `\N{`) || strings.Contains(s, `\x`) {
			continue
		}
		positional, keywords, open := f.arguments(call)
		visit(call, fieldsOf(s), len(positional), keywords, open)
	}
}

func strFormat(f *file, say sayer) {
	f.formatCalls(func(call *syntax.Node, p places, positional int, keywords map[string]*syntax.Node, open bool) {
		switch {
		case p.wrong != "":
			say(call, "%s", p.wrong)
		case open || p.used["*"]:
		case max(p.auto, p.highest+1) > positional:
			say(call, "the text has places for %s, %d are given", count(max(p.auto, p.highest+1), "value"), positional)
		default:
			for name := range p.used {
				if _, err := strconv.Atoi(name); err != nil && keywords[name] == nil {
					say(call, "a value that the text asks for by name is not given")
				}
			}
		}
	})
}

func unusedFormat(f *file, say sayer) {
	f.formatCalls(func(call *syntax.Node, p places, positional int, keywords map[string]*syntax.Node, open bool) {
		if p.wrong != "" || open || p.used["*"] {
			return
		}
		if positional > max(p.auto, p.highest+1) {
			say(call, "the text has places for %s, %d are given", count(max(p.auto, p.highest+1), "value"), positional)
		}
		for _, name := range slices.Sorted(maps.Keys(keywords)) {
			if !p.used[name] {
				say(call, "the text does not ask for %s", name)
			}
		}
	})
}

func emptyFString(f *file, say sayer) {
	for _, n := range f.kinds["string"] {
		if !strings.Contains(f.prefix(n), "f") || n.Parent.Kind == "concatenated_string" {
			continue
		}
		if !hasKind(n, "interpolation") {
			say(n, "this f-string has no placeholder")
		}
	}
}

func hasKind(n *syntax.Node, kind string) bool {
	return slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return c.Kind == kind })
}

func incompatible(f *file, say sayer) {
	for _, n := range f.kinds["binary_operator"] {
		if guarded(f, n) {
			continue
		}
		op := f.text(n.Child("operator"))
		a, b := f.kind(n.Child("left")), f.kind(n.Child("right"))
		if clash(op, a, b) {
			say(n, "%s cannot be applied to %s and %s", op, a, b)
		}
	}
}

// clash reports whether an operator certainly fails for two types.
func clash(op string, a, b kindOf) bool {
	fa, fb := family[a], family[b]
	if a == "None" && fb != "" || b == "None" && fa != "" {
		return strings.Contains("+-*/", op) && op != "%"
	}
	if fa == "" || fb == "" {
		return false
	}
	switch op {
	case "+":
		return fa != fb || fa == "dict" || fa == "set"
	case "-":
		return fa != "number" && fa != "set" || fa != fb
	case "/", "//", "**":
		return fa != "number" || fb != "number"
	case "*":
		return fa != "number" && fb != "number" || a == "float" && fb != "number" || b == "float" && fa != "number"
	}
	return false
}
