package quality

import (
	"slices"
	"strings"

	"assay/scoring/syntax"
)

// pythonInvalid finds code that CPython's compiler rejects although the grammar accepts it: empty blocks,
// inconsistent indentation, misplaced return, yield, await, break and continue, repeated names, arguments
// out of order, and Python 2 syntax. It does not find everything.
func pythonInvalid(t *syntax.Tree) bool { return (&pythonCompiler{t}).refuses(t.Root, scope{}) }

type pythonCompiler struct{ tree *syntax.Tree }

// scope is the context of a statement.
type scope struct{ function, async, loop bool }

func (p *pythonCompiler) refuses(n *syntax.Node, s scope) bool {
	if p.refusesNode(n, s) {
		return true
	}
	return slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return p.refuses(c, within(n, c, s)) })
}

// within returns the scope of a child.
func within(n, child *syntax.Node, s scope) scope {
	if child.Field != "body" {
		return s
	}
	switch n.Kind {
	case "function_definition":
		return scope{function: true, async: has(n, "async")}
	case "lambda":
		return scope{function: true}
	case "class_definition":
		return scope{}
	case "for_statement", "while_statement":
		s.loop = true
	}
	return s
}

func (p *pythonCompiler) refusesNode(n *syntax.Node, s scope) bool {
	if !n.Named {
		return n.Kind == "<>"
	}
	switch n.Kind {
	case "module", "block":
		return p.refusesBlock(n)
	case "return_statement", "yield":
		return !s.function
	case "await":
		return !s.async
	case "for_statement", "with_statement":
		return !s.async && has(n, "async")
	case "break_statement", "continue_statement":
		return !s.loop
	case "print_statement", "exec_statement":
		return true
	case "integer":
		return oldInteger(p.tree.Text(n))
	case "wildcard_import":
		return s.function
	case "expression_statement":
		first := firstNamed(n)
		return first != nil && first.Kind == "named_expression"
	case "parameters", "lambda_parameters":
		return p.refusesParameters(n)
	case "argument_list":
		return p.refusesArguments(n)
	case "try_statement":
		return refusesHandlers(n)
	case "except_clause", "raise_statement": // except E, e; raise E, e
		return has(n, ",", "expression_list")
	}
	return false
}

// refusesBlock requires each block to have a statement, and all that start a line to be in the same column,
// with tabs counted as eight and as one.
func (p *pythonCompiler) refusesBlock(n *syntax.Node) bool {
	statements := namedChildren(n)
	if n.Kind == "block" && len(statements) == 0 {
		return true
	}
	wide, narrow := -1, -1
	if n.Kind == "module" {
		wide, narrow = 0, 0
	}
	for _, s := range statements {
		w, narrowIndent, first := p.indentation(s)
		switch {
		case !first || s.Kind == "line_continuation":
		case wide < 0:
			wide, narrow = w, narrowIndent
		case w != wide || narrowIndent != narrow:
			return true
		}
	}
	return false
}

// indentation returns the distance of a node from the start of its line, with tabs counted as eight and as one;
// first reports whether only white space lies between.
func (p *pythonCompiler) indentation(n *syntax.Node) (wide, narrow int, first bool) {
	line := p.tree.Source[n.Start-n.Column : n.Start]
	for _, b := range line {
		switch b {
		case ' ':
			wide, narrow = wide+1, narrow+1
		case '\t':
			wide, narrow = (wide/8+1)*8, narrow+1
		case '\f':
			wide, narrow = 0, 0
		case 0xEF, 0xBB, 0xBF: // a byte order mark
		default:
			return 0, 0, false
		}
	}
	// A line continued by a backslash has no indentation of its own.
	before := strings.TrimRight(string(p.tree.Source[:n.Start-n.Column]), "\r\n")
	return wide, narrow, !strings.HasSuffix(before, "\\")
}

// oldInteger reports whether a number is Python 2's: 0777, 10L.
func oldInteger(text string) bool {
	text = strings.ReplaceAll(text, "_", "")
	if strings.HasSuffix(strings.ToLower(text), "l") {
		return true
	}
	return len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' &&
		strings.Trim(text, "0") != "" && !strings.HasSuffix(strings.ToLower(text), "j")
}

// refusesParameters requires distinct names, and no parameter without a default after one with a default,
// unless a star is between them.
func (p *pythonCompiler) refusesParameters(n *syntax.Node) bool {
	seen, defaults, star := map[string]bool{}, false, false
	for _, c := range namedChildren(n) {
		kind, name := c.Kind, c
		if kind == "typed_parameter" && firstNamed(c) != nil {
			name = firstNamed(c)
			kind = name.Kind
		}
		switch kind {
		case "default_parameter", "typed_default_parameter":
			name, defaults = c.Child("name"), true
		case "identifier":
			if defaults && !star {
				return true
			}
		case "list_splat_pattern", "keyword_separator":
			star = true
		}
		for name != nil && name.Kind != "identifier" {
			name = firstNamed(name)
		}
		if name == nil {
			continue
		}
		text := p.tree.Text(name)
		if seen[text] {
			return true
		}
		seen[text] = true
	}
	return afterStar(n)
}

// afterStar reports whether nothing follows a bare star.
func afterStar(n *syntax.Node) bool {
	list := namedChildren(n)
	return len(list) > 0 && list[len(list)-1].Kind == "keyword_separator"
}

// refusesArguments requires distinct keywords, and no positional argument after one.
func (p *pythonCompiler) refusesArguments(n *syntax.Node) bool {
	seen, doubled := map[string]bool{}, false
	for _, c := range namedChildren(n) {
		switch c.Kind {
		case "keyword_argument":
			name := c.Child("name")
			if name == nil {
				return true
			}
			if seen[p.tree.Text(name)] {
				return true
			}
			seen[p.tree.Text(name)] = true
		case "dictionary_splat":
			doubled = true
		case "list_splat":
			if doubled {
				return true
			}
		default:
			if c.Kind != "line_continuation" && (doubled || len(seen) > 0) {
				return true
			}
		}
	}
	return false
}

// refusesHandlers requires a bare except to be last.
func refusesHandlers(n *syntax.Node) bool {
	bare := false
	for _, c := range n.Children {
		if c.Kind != "except_clause" {
			continue
		}
		if bare {
			return true
		}
		list := namedChildren(c)
		bare = len(list) > 0 && list[0].Kind == "block"
	}
	return false
}
