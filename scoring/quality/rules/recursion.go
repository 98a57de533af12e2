package rules

import (
	"assay/scoring/syntax"
)

func infiniteRecursion(f *file, say sayer) {
	for _, fn := range f.kinds["function_definition"] {
		if has(fn, "async") || contains(fn.Child("body"), "yield") {
			continue
		}
		if call := f.recurses(fn, parts(fn.Child("body"))); call != nil {
			say(call, "%s calls itself on every path", f.text(fn.Child("name")))
		}
	}
}

// recurses returns a call of a function to itself that every path through the statements makes, or nil.
func (f *file) recurses(fn *syntax.Node, list []*syntax.Node) *syntax.Node {
	for _, s := range list {
		switch s.Kind {
		case "expression_statement", "return_statement", "assert_statement":
			if call := f.certainCall(fn, s); call != nil {
				return call
			}
		case "if_statement":
			if call := f.certainCall(fn, s.Child("condition")); call != nil {
				return call
			}
			if branches := branchesOf(s); branches != nil {
				var call *syntax.Node
				for _, b := range branches {
					if call = f.recurses(fn, parts(b)); call == nil {
						break
					}
				}
				if call != nil {
					return call
				}
			}
		}
		if s.Kind == "return_statement" || s.Kind == "raise_statement" || contains(s, "return_statement", "raise_statement", "break_statement") ||
			f.leaves(s) || f.mayExit(s) || s.Kind == "try_statement" || s.Kind == "assert_statement" {
			return nil
		}
	}
	return nil
}

// certainCall returns a call of fn to itself that evaluating n always makes, or nil.
func (f *file) certainCall(fn, n *syntax.Node) *syntax.Node {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case "lambda", "function_definition", "class_definition", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		return nil
	case "boolean_operator":
		return f.certainCall(fn, n.Child("left"))
	case "conditional_expression":
		if p := parts(n); len(p) == 3 {
			return f.certainCall(fn, p[1])
		}
		return nil
	case "call":
		if f.callsItself(fn, n.Child("function")) {
			return n
		}
	case "attribute":
		if f.isProperty(fn) && f.text(n) == f.selfName(fn)+"."+f.text(fn.Child("name")) && n.Field != "left" && n.Field != "function" {
			return n
		}
	}
	for _, c := range n.Children {
		if call := f.certainCall(fn, c); call != nil {
			return call
		}
	}
	return nil
}

// callsItself reports whether an expression denotes the enclosing function.
func (f *file) callsItself(fn, called *syntax.Node) bool {
	switch called.Kind {
	case "identifier":
		n := f.names[called]
		return n != nil && len(n.bindings) > 0 && n.bindings[len(n.bindings)-1].value == fn && n.bindings[0].how == defined
	case "attribute":
		self := f.selfName(fn)
		return self != "" && f.text(called) == self+"."+f.text(fn.Child("name")) && !f.isProperty(fn) && len(f.bases(fn)) == 0
	}
	return false
}
