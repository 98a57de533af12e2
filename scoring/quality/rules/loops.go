package rules

import (
	"slices"

	"assay/scoring/syntax"
)

// breaks reports whether a loop contains a break of its own.
func breaks(loop *syntax.Node) bool { return leavesLoop(loop.Child("body"), "break_statement") }

// leavesLoop reports whether a loop's body contains a statement of the kind that belongs to this loop.
func leavesLoop(n *syntax.Node, kind string) bool {
	if n == nil {
		return false
	}
	for _, c := range n.Children {
		switch c.Kind {
		case kind:
			return true
		case "function_definition", "class_definition", "lambda":
			continue
		case "for_statement", "while_statement":
			if alternative := c.Child("alternative"); alternative != nil && leavesLoop(alternative, kind) {
				return true
			}
			continue
		}
		if leavesLoop(c, kind) {
			return true
		}
	}
	return false
}

// inLoop reports whether a statement is in the body of a loop of the same function.
func inLoop(n *syntax.Node) bool {
	for p := n; p.Parent != nil; p = p.Parent {
		switch p.Parent.Kind {
		case "for_statement", "while_statement":
			if p.Field == "body" {
				return true
			}
		case "function_definition", "class_definition", "lambda":
			return false
		}
	}
	return false
}

func runsOnce(f *file, say sayer) {
	for _, kind := range []string{"for_statement", "while_statement"} {
		for _, n := range f.kinds[kind] {
			body := n.Child("body")
			if !f.leaves(body) || leavesLoop(body, "continue_statement") || contains(body, "yield", "try_statement") {
				continue
			}
			list := statements(body)
			if kind == "for_statement" && len(list) > 0 && (list[0].Kind == "return_statement" || list[0].Kind == "break_statement" || list[0].Kind == "raise_statement") {
				continue // gets the first element, or tests for one
			}
			if kind == "while_statement" && isTrue(f, n.Child("condition")) && !contains(body, "if_statement") {
				continue // a block to leave with break
			}
			if kind == "for_statement" && !contains(body, "if_statement") {
				continue // everything about the first element
			}
			if f.loopsElsewhere(body) {
				continue
			}
			say(n, "this loop always ends in its first turn")
		}
	}
}

// loopsElsewhere reports whether a body ends in an endless loop or an exit instead of leaving this loop.
func (f *file) loopsElsewhere(body *syntax.Node) bool {
	for _, s := range parts(body) {
		if f.leaves(s) {
			return s.Kind == "while_statement" || s.Kind == "expression_statement"
		}
	}
	return false
}

func endlessLoop(f *file, say sayer) {
	for _, n := range f.kinds["while_statement"] {
		condition, body := bare(n.Child("condition")), n.Child("body")
		if contains(body, "return_statement", "raise_statement", "yield", "await", "delete_statement") || breaks(n) || f.mayExit(body) {
			continue
		}
		if isTrue(f, condition) {
			if function(n) != nil && !contains(body, "call") {
				say(n, "nothing in this loop leaves it")
			}
			continue
		}
		if f.mayChange(n, condition, body) {
			continue
		}
		say(n, "nothing in this loop changes its condition or leaves it")
	}
}

func (f *file) mayExit(body *syntax.Node) bool {
	found := false
	visitOwn(body, func(c *syntax.Node) {
		if c.Kind == "call" {
			switch f.target(c) {
			case "sys.exit", "os._exit", "exit", "quit", "next":
				found = true
			}
		}
	})
	return found
}

// mayChange reports whether a loop's body may change its condition: it assigns one of its names, or one of
// them is not a plain local number or string.
func (f *file) mayChange(loop, condition, body *syntax.Node) bool {
	change, any := false, false
	syntax.Walk(condition, func(c *syntax.Node) bool {
		switch c.Kind {
		case "call":
			fn := c.Child("function")
			if !(fn.Kind == "identifier" && f.names[fn] == nil && slices.Contains([]string{"len", "abs", "int", "str"}, f.text(fn))) {
				change = true
			}
		case "attribute", "subscript", "await", "named_expression", "yield":
			change = true
		case "identifier":
			n := f.names[c]
			if n == nil {
				return true
			}
			any = true
			if n.scope.node != function(loop) || n.scope.kind != "function_definition" {
				change = true
				return true
			}
			for _, b := range n.bindings {
				change = change || inside(b.at, loop) || b.in != n.scope
			}
			for _, u := range n.uses { // anyone who holds a list may change it
				if inside(u, body) && !f.harmless(u) || f.places[u] != n.scope && f.places[u].kind != "comprehension" {
					change = true
				}
			}
			if k := f.kindOfName(n, 8); k != "int" && k != "str" && k != "float" && k != "bool" && !f.compared(c) {
				change = true
			}
		}
		return true
	})
	return change || !any
}

// harmless reports whether a use only reads a number or string.
func (f *file) harmless(u *syntax.Node) bool {
	switch u.Parent.Kind {
	case "binary_operator", "comparison_operator", "unary_operator", "augmented_assignment", "interpolation":
		return true
	case "argument_list":
		fn := u.Parent.Parent.Child("function")
		return fn != nil && fn.Kind == "identifier" && f.names[fn] == nil && isBuiltin(f.text(fn))
	case "subscript":
		return u.Field == "subscript"
	}
	return false
}

// compared reports whether a name is an operand of an ordering comparison of numbers.
func (f *file) compared(n *syntax.Node) bool {
	p := n.Parent
	if p.Kind != "comparison_operator" {
		return false
	}
	op := children(p, "operators")
	return len(op) > 0 && slices.Contains([]string{"<", ">", "<=", ">="}, f.text(op[0]))
}
