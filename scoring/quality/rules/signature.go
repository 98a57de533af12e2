package rules

import (
	"fmt"
	"slices"

	"assay/scoring/syntax"
)

// signature holds the parameters of a function.
type signature struct {
	names    []string // positional, without self
	required int      // the number of names without a default
	// Keyword-only parameters: all, and those without a default.
	only         map[string]bool
	onlyRequired []string
	positional   int  // the number of positional-only names
	any, anyName bool // there is a parameter *args, **kwargs
}

func (f *file) signature(fn *syntax.Node, method bool) signature {
	s := signature{only: map[string]bool{}}
	after := false
	list := parts(fn.Child("parameters"))
	for i, p := range list {
		if method && i == 0 && parameterName(p) != nil && p.Kind != "list_splat_pattern" {
			continue
		}
		switch {
		case p.Kind == "positional_separator":
			s.positional = len(s.names)
			continue
		case p.Kind == "keyword_separator":
			after = true
			continue
		case p.Kind == "list_splat_pattern" || p.Kind == "typed_parameter" && parts(p)[0].Kind == "list_splat_pattern":
			s.any, after = true, true
			continue
		case p.Kind == "dictionary_splat_pattern" || p.Kind == "typed_parameter" && parts(p)[0].Kind == "dictionary_splat_pattern":
			s.anyName = true
			continue
		}
		name := f.text(parameterName(p))
		optional := p.Kind == "default_parameter" || p.Kind == "typed_default_parameter"
		switch {
		case after:
			s.only[name] = true
			if !optional {
				s.onlyRequired = append(s.onlyRequired, name)
			}
		default:
			s.names = append(s.names, name)
			if !optional {
				s.required = len(s.names)
			}
		}
	}
	return s
}

// refuses explains why the arguments of a call do not fit a signature, "" if they may.
func (s signature) refuses(positional int, keywords []string, open bool) string {
	if !s.any && positional > len(s.names) {
		return fmt.Sprintf("takes %s, %d are given", count(len(s.names), "argument"), positional)
	}
	given := map[string]bool{}
	for _, n := range keywords {
		at := slices.Index(s.names, n)
		switch {
		case at >= 0 && at < positional:
			return fmt.Sprintf("gets %s twice", n)
		case at >= s.positional || s.only[n] || s.anyName:
			given[n] = true
		default:
			return fmt.Sprintf("takes no argument named %s", n)
		}
	}
	if open {
		return ""
	}
	for i, n := range s.names[:s.required] {
		if i >= positional && !given[n] {
			return fmt.Sprintf("needs the argument %s", n)
		}
	}
	for _, n := range s.onlyRequired {
		if !given[n] {
			return fmt.Sprintf("needs the argument %s", n)
		}
	}
	return ""
}

func count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// called returns the functions that a call may reach, if the file determines them: all definitions of a
// name that is nothing else, the constructor of a class, a method of self. method reports that the first
// parameter is already bound.
func (f *file) called(call *syntax.Node) (candidates []*syntax.Node, method bool, title string) {
	fn := call.Child("function")
	switch fn.Kind {
	case "identifier":
		n := f.names[fn]
		if n == nil || f.star || len(n.bindings) > manyBindings {
			return nil, false, ""
		}
		title = n.text
		if len(n.bindings) == 1 && n.bindings[0].how == classed {
			return f.constructor(n.bindings[0].value), true, title
		}
		for _, b := range n.bindings {
			if b.how != defined || len(decorators(b.value)) > 0 || n.scope.kind == "class_definition" || b.in != n.scope {
				return nil, false, ""
			}
			candidates = append(candidates, b.value)
		}
	case "attribute":
		return f.method(call, fn)
	}
	return candidates, false, title
}

func (f *file) constructor(class *syntax.Node) []*syntax.Node {
	if len(parts(class.Child("superclasses"))) > 0 && len(f.basesOf(class)) > 0 || len(decorators(class)) > 0 {
		return nil
	}
	scope := f.scopeOf[class]
	init := scope.names["__init__"]
	if init == nil || len(init.bindings) != 1 || init.bindings[0].how != defined || scope.names["__new__"] != nil || len(decorators(init.bindings[0].value)) > 0 {
		return nil
	}
	return []*syntax.Node{init.bindings[0].value}
}

// method finds the target of self.name(…) in a class without bases.
func (f *file) method(call, attribute *syntax.Node) (candidates []*syntax.Node, bound bool, title string) {
	fn := above(call, "function_definition")
	if fn == nil || classOf(fn) == nil || attribute.Child("object").Kind != "identifier" || f.text(attribute.Child("object")) != f.selfName(fn) || f.decorated(fn, "classmethod") {
		return nil, false, ""
	}
	class := classOf(fn)
	if len(f.basesOf(class)) > 0 || len(decorators(class)) > 0 {
		return nil, false, ""
	}
	word := f.text(attribute.Child("attribute"))
	n := f.scopeOf[class].names[word]
	if n == nil || len(n.bindings) != 1 || n.bindings[0].how != defined || f.settable()[word] {
		return nil, false, ""
	}
	target := n.bindings[0].value
	if isStub(target) {
		return nil, false, "" // for a subclass to define, with other parameters
	}
	switch d := decorators(target); {
	case len(d) == 0:
		bound = true
	case len(d) == 1 && f.decorated(target, "staticmethod"):
	case len(d) == 1 && f.decorated(target, "classmethod"):
		bound = true
	default:
		return nil, false, ""
	}
	return []*syntax.Node{target}, bound, word
}

// settable returns the attributes that the file assigns anywhere.
func (f *file) settable() map[string]bool {
	if f.set == nil {
		f.set = map[string]bool{}
		for _, a := range f.kinds["attribute"] {
			if a.Field != "object" && a.Field != "function" && f.assigned(a) {
				f.set[f.text(a.Child("attribute"))] = true
			}
		}
	}
	return f.set
}
