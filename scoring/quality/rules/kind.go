package rules

import (
	"bytes"
	"strings"

	"assay/scoring/syntax"
)

// kindOf is the type of an expression if it is certain; "" is unknown.
type kindOf string

// results maps built-in functions to their result type.
var results = map[string]kindOf{"str": "str", "repr": "str", "input": "str", "chr": "str", "hex": "str", "bin": "str", "oct": "str",
	"format": "str", "ascii": "str", "len": "int", "int": "int", "ord": "int", "hash": "int", "id": "int", "float": "float",
	"bool": "bool", "isinstance": "bool", "callable": "bool", "list": "list", "sorted": "list", "dict": "dict", "set": "set",
	"tuple": "tuple", "any": "bool", "all": "bool", "range": "range", "print": "None"}

// kind returns the type of an expression if it is certain.
func (f *file) kind(n *syntax.Node) kindOf { return f.kindWithin(n, 8) }

func (f *file) kindWithin(n *syntax.Node, depth int) kindOf {
	n = bare(n)
	if n == nil || depth == 0 {
		return ""
	}
	switch n.Kind {
	case "string", "concatenated_string":
		if strings.Contains(f.prefix(n), "b") || n.Kind == "concatenated_string" && strings.Contains(f.prefix(parts(n)[0]), "b") {
			return "bytes"
		}
		return "str"
	case "integer":
		if strings.HasSuffix(strings.ToLower(f.text(n)), "j") {
			return ""
		}
		return "int"
	case "float":
		return "float"
	case "true", "false", "not_operator":
		return "bool"
	case "none":
		return "None"
	case "list", "list_comprehension":
		return "list"
	case "dictionary", "dictionary_comprehension":
		return "dict"
	case "set", "set_comprehension":
		return "set"
	case "tuple":
		return "tuple"
	case "unary_operator":
		if k := f.kindWithin(n.Child("argument"), depth-1); k == "int" || k == "float" {
			return k
		}
	case "binary_operator":
		return f.sum(n, depth)
	case "call":
		fn := n.Child("function")
		if fn.Kind == "identifier" && f.names[fn] == nil && !f.star {
			return results[f.text(fn)]
		}
		if fn.Kind == "attribute" && f.kindWithin(fn.Child("object"), depth-1) == "str" {
			switch f.text(fn.Child("attribute")) {
			case "join", "upper", "lower", "strip", "replace", "format", "lstrip", "rstrip", "title", "capitalize":
				return "str"
			case "split":
				return "list"
			}
		}
	case "identifier":
		return f.kindOfName(f.names[n], depth-1)
	}
	return ""
}

// sum returns the type of an operation on two values.
func (f *file) sum(n *syntax.Node, depth int) kindOf {
	a, b := f.kindWithin(n.Child("left"), depth-1), f.kindWithin(n.Child("right"), depth-1)
	op := f.text(n.Child("operator"))
	switch {
	case op == "%" && a == "str":
		return "str"
	case op == "/" && (a == "int" || a == "float") && (b == "int" || b == "float"):
		return "float"
	case a == b && a == "int" && strings.Contains("+-*//%", op), a == b && a == "float" && strings.Contains("+-*/%", op):
		return a
	case a == b && op == "+" && (a == "str" || a == "list" || a == "tuple"):
		return a
	case op == "*" && (a == "str" || a == "list") && (b == "int" || b == ""):
		return a
	}
	return ""
}

// kindOfName returns the type that every value of a name has.
func (f *file) kindOfName(n *name, depth int) kindOf {
	if n == nil || depth <= 0 {
		return ""
	}
	if !n.asked {
		n.asked = true // also ends a cycle
		n.resolved = f.kindOfBindings(n, depth)
		if n.resolved == "None" && n.scope.kind != "function_definition" {
			n.resolved = "" // set later, elsewhere
		}
	}
	return n.resolved
}

func (f *file) kindOfBindings(n *name, depth int) kindOf {
	all := kindOf("")
	for i, b := range n.bindings {
		k := kindOf("")
		switch b.how {
		case assigned:
			if b.value.Kind == "augmented_assignment" || b.value.Kind == "yield" {
				return ""
			}
			k = f.kindWithin(b.value, depth)
		case looped:
			if r := b.value; r != nil && b.at.Field == "left" && r.Kind == "for_statement" && f.kindWithin(r.Child("right"), depth) == "range" {
				k = "int"
			}
		case augmented:
			if i > 0 && (all == "str" || all == "list") && f.text(b.value.Child("operator")) == "+=" {
				k = all
			}
		}
		if k == "" || i > 0 && k != all {
			return ""
		}
		all = k
	}
	return all
}

// path returns the dotted name that an expression refers to, through imports: sp.run with "import
// subprocess as sp" is subprocess.run. It is "" if the expression is not a dotted name or starts with a
// name defined in the file.
func (f *file) path(n *syntax.Node) string {
	n = bare(n)
	if n == nil {
		return ""
	}
	switch n.Kind {
	case "identifier":
		known := f.names[n]
		if known == nil {
			return f.text(n)
		}
		return known.path
	case "attribute":
		if base := f.path(n.Child("object")); base != "" {
			return base + "." + f.text(n.Child("attribute"))
		}
	}
	return ""
}

// target returns the path of the called function.
func (f *file) target(call *syntax.Node) string { return f.path(call.Child("function")) }

// targets maps called paths to their calls.
func (f *file) targets() map[string][]*syntax.Node {
	if f.byTarget == nil {
		f.byTarget = map[string][]*syntax.Node{}
		for _, call := range f.kinds["call"] {
			if p := f.target(call); p != "" {
				f.byTarget[p] = append(f.byTarget[p], call)
			}
		}
	}
	return f.byTarget
}

// mentions reports whether a text occurs anywhere in the file.
func (f *file) mentions(s string) bool {
	known, asked := f.mentioned[s]
	if !asked {
		known = bytes.Contains(f.tree.Source, []byte(s))
		f.mentioned[s] = known
	}
	return known
}

// arguments returns a call's arguments by position and by name. open reports that * or ** may add more.
func (f *file) arguments(call *syntax.Node) (positional []*syntax.Node, keywords map[string]*syntax.Node, open bool) {
	keywords = map[string]*syntax.Node{}
	args := call.Child("arguments")
	if args == nil {
		return nil, keywords, true
	}
	if args.Kind == "generator_expression" {
		return []*syntax.Node{args}, keywords, false
	}
	for _, a := range parts(args) {
		switch a.Kind {
		case "keyword_argument":
			keywords[f.text(a.Child("name"))] = a.Child("value")
		case "list_splat", "dictionary_splat", "list_splat_pattern":
			open = true
		case "parenthesized_expression":
			if p := parts(a); len(p) == 1 && p[0].Kind == "list_splat" {
				open = true
			}
			positional = append(positional, a)
		default:
			positional = append(positional, a)
		}
	}
	return positional, keywords, open
}

// argument returns the argument at a position or with a name, or nil.
func (f *file) argument(call *syntax.Node, i int, name string) *syntax.Node {
	positional, keywords, _ := f.arguments(call)
	if n := keywords[name]; n != nil {
		return n
	}
	if i >= 0 && i < len(positional) {
		return positional[i]
	}
	return nil
}
