package rules

import (
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

// file is a source text under analysis.
type file struct {
	tree                   *syntax.Tree
	kinds                  map[string][]*syntax.Node // all nodes, by kind, in the order of the text
	module                 *scope
	scopes                 []*scope
	names                  map[*syntax.Node]*name  // the name of each resolved identifier
	places                 map[*syntax.Node]*scope // the scope of each identifier
	scopeOf                map[*syntax.Node]*scope // by the node that opens the scope
	lazy                   map[*syntax.Node]bool   // identifiers in annotations that are never evaluated
	star                   bool                    // a star import of an unknown module: any name may exist
	said                   map[string]bool         // words in annotations and __all__, which are uses, too
	ends                   map[*syntax.Node]bool   // memo: blocks and statements after which nothing follows
	found                  []quality.Finding
	seen                   map[seen]bool
	byTarget               map[string][]*syntax.Node // calls; computed on first use
	set, dotted, mentioned map[string]bool           // computed on first use
	lines                  []int                     // line starts before lines were joined; nil if none were
}

type seen struct {
	rule string
	line int
}

func newFile(tree *syntax.Tree) *file {
	f := &file{tree: tree, kinds: map[string][]*syntax.Node{}, names: map[*syntax.Node]*name{}, places: map[*syntax.Node]*scope{},
		scopeOf: map[*syntax.Node]*scope{}, lazy: map[*syntax.Node]bool{},
		said: map[string]bool{}, ends: map[*syntax.Node]bool{}, seen: map[seen]bool{}, mentioned: map[string]bool{}}
	syntax.Walk(tree.Root, func(n *syntax.Node) bool {
		if n.Named || n.Kind == "<>" {
			f.kinds[n.Kind] = append(f.kinds[n.Kind], n)
		}
		return true
	})
	return f
}

func (f *file) text(n *syntax.Node) string {
	if n == nil {
		return ""
	}
	return f.tree.Text(n)
}

// parts returns the named children except comments.
func parts(n *syntax.Node) []*syntax.Node {
	if n == nil {
		return nil
	}
	var list []*syntax.Node
	for _, c := range n.Children {
		if c.Named && c.Kind != "comment" && c.Kind != "line_continuation" {
			list = append(list, c)
		}
	}
	return list
}

// has reports whether n has an anonymous token as a child.
func has(n *syntax.Node, token string) bool {
	return slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return c.Kind == token && !c.Named })
}

// children returns the children with the given field.
func children(n *syntax.Node, field string) []*syntax.Node {
	var list []*syntax.Node
	for _, c := range n.Children {
		if c.Field == field && c.Kind != "comment" {
			list = append(list, c)
		}
	}
	return list
}

// bare strips parentheses from an expression.
func bare(n *syntax.Node) *syntax.Node {
	for n != nil && n.Kind == "parenthesized_expression" {
		inner := parts(n)
		if len(inner) != 1 {
			return n
		}
		n = inner[0]
	}
	return n
}

// above returns the nearest enclosing node of one of the kinds, or nil. It stops at a function, lambda or
// class, which it can return.
func above(n *syntax.Node, kinds ...string) *syntax.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if slices.Contains(kinds, p.Kind) {
			return p
		}
		switch p.Kind {
		case "function_definition", "lambda", "class_definition":
			return nil
		}
	}
	return nil
}

// function returns the function or lambda that contains n, or nil in a module or class.
func function(n *syntax.Node) *syntax.Node { return above(n, "function_definition", "lambda") }

// inside reports whether n lies within outer.
func inside(n, outer *syntax.Node) bool {
	return outer != nil && n.Start >= outer.Start && n.End <= outer.End
}

// visitOwn visits the nodes of a function or class without nested functions, lambdas and classes (nor their
// decorators and defaults).
func visitOwn(n *syntax.Node, visit func(*syntax.Node)) {
	for _, c := range n.Children {
		switch c.Kind {
		case "function_definition", "lambda", "class_definition":
			continue
		}
		visit(c)
		visitOwn(c, visit)
	}
}

// contains reports whether n itself, without nested functions, contains a node of one of the kinds.
func contains(n *syntax.Node, kinds ...string) bool {
	found := false
	if n != nil {
		visitOwn(n, func(c *syntax.Node) { found = found || slices.Contains(kinds, c.Kind) && c.Named })
	}
	return found
}

// statements returns the statements of a block, without bare strings.
func statements(block *syntax.Node) []*syntax.Node {
	var list []*syntax.Node
	for _, s := range parts(block) {
		if !isDoc(s) {
			list = append(list, s)
		}
	}
	return list
}

func isDoc(s *syntax.Node) bool {
	if s.Kind != "expression_statement" {
		return false
	}
	p := parts(s)
	return len(p) == 1 && (p[0].Kind == "string" || p[0].Kind == "concatenated_string")
}

// statement returns the statement that contains n, and its block or module.
func statement(n *syntax.Node) (s, block *syntax.Node) {
	for s = n; s.Parent != nil; s = s.Parent {
		if s.Parent.Kind == "block" || s.Parent.Kind == "module" {
			return s, s.Parent
		}
	}
	return s, s
}

// same reports whether two nodes have the same source text, ignoring blanks and comments.
func (f *file) same(a, b *syntax.Node) bool {
	if a == nil || b == nil || a.Kind != b.Kind {
		return false
	}
	if f.text(a) == f.text(b) {
		return true
	}
	pa, pb := significant(a), significant(b)
	if len(pa) != len(pb) || len(pa) == 0 {
		return false
	}
	for i := range pa {
		if !f.same(pa[i], pb[i]) {
			return false
		}
	}
	return true
}

func significant(n *syntax.Node) []*syntax.Node {
	list := make([]*syntax.Node, 0, len(n.Children))
	for _, c := range n.Children {
		if c.Kind != "comment" && c.Kind != "line_continuation" {
			list = append(list, c)
		}
	}
	return list
}

// pure reports whether evaluating n twice must give the same value: it calls nothing.
func pure(n *syntax.Node) bool {
	switch n.Kind {
	case "call", "await", "yield", "named_expression":
		return false
	}
	return !slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return !pure(c) })
}

// literal returns the value of a string without interpolation, and whether n is one. Escapes are not
// decoded.
func (f *file) literal(n *syntax.Node) (string, bool) {
	n = bare(n)
	if n == nil {
		return "", false
	}
	switch n.Kind {
	case "concatenated_string":
		all := ""
		for _, p := range parts(n) {
			s, ok := f.literal(p)
			if !ok {
				return "", false
			}
			all += s
		}
		return all, true
	case "string":
		start, end := n.Start, n.End
		for _, c := range n.Children {
			switch c.Kind {
			case "string_start":
				start = c.End
			case "string_end":
				end = c.Start
			case "interpolation":
				return "", false
			}
		}
		return string(f.tree.Source[start:max(start, end)]), true
	}
	return "", false
}

// prefix returns a string's prefix in lower case: "rb", "f".
func (f *file) prefix(n *syntax.Node) string {
	for _, c := range n.Children {
		if c.Kind == "string_start" {
			return strings.ToLower(strings.TrimRight(f.text(c), `'"`))
		}
	}
	return ""
}

// constant reports whether n is a literal or consists only of literals.
func constant(n *syntax.Node) bool {
	switch n.Kind {
	case "identifier", "call", "attribute", "subscript", "interpolation", "await", "yield", "lambda":
		return false
	}
	return !slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return !constant(c) })
}

// words splits an identifier into lower-case words: get_userName -> get, user, name.
func words(s string) []string {
	var list []string
	word := ""
	flush := func() {
		if word != "" {
			list = append(list, strings.ToLower(word))
		}
		word = ""
	}
	lower := false
	for _, r := range s {
		upper := r >= 'A' && r <= 'Z'
		switch {
		case r == '_' || r == '.' || r == '-' || r == ' ':
			flush()
			lower = false
			continue
		case upper && lower:
			flush()
		}
		lower = !upper
		word += string(r)
	}
	flush()
	return list
}
