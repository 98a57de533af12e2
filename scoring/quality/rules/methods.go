package rules

import (
	"slices"

	"assay/scoring/syntax"
)

// bases returns the base classes, without object, of the class that a method belongs to.
func (f *file) bases(fn *syntax.Node) []*syntax.Node {
	class := classOf(fn)
	if class == nil {
		return nil
	}
	return f.basesOf(class)
}

func (f *file) basesOf(class *syntax.Node) []*syntax.Node {
	return slices.DeleteFunc(parts(class.Child("superclasses")), func(b *syntax.Node) bool { return f.text(b) == "object" })
}

// classOf returns the class of a method, or nil.
func classOf(fn *syntax.Node) *syntax.Node {
	p := fn.Parent
	if p != nil && p.Kind == "decorated_definition" {
		p = p.Parent
	}
	if p != nil && p.Kind == "block" && p.Parent.Kind == "class_definition" {
		return p.Parent
	}
	return nil
}

// decorators returns the decorators of a definition.
func decorators(fn *syntax.Node) []*syntax.Node {
	if fn.Parent == nil || fn.Parent.Kind != "decorated_definition" {
		return nil
	}
	var list []*syntax.Node
	for _, c := range fn.Parent.Children {
		if c.Kind == "decorator" {
			list = append(list, parts(c)...)
		}
	}
	return list
}

func (f *file) decorated(fn *syntax.Node, with ...string) bool {
	return slices.ContainsFunc(decorators(fn), func(d *syntax.Node) bool { return slices.Contains(with, f.text(d)) })
}

func (f *file) isProperty(fn *syntax.Node) bool {
	return f.decorated(fn, "property", "functools.cached_property", "cached_property")
}

// selfName returns the first parameter of a method, "" if fn is not one.
func (f *file) selfName(fn *syntax.Node) string {
	if classOf(fn) == nil || f.decorated(fn, "staticmethod") {
		return ""
	}
	if p := parts(fn.Child("parameters")); len(p) > 0 {
		if id := parameterName(p[0]); id != nil {
			return f.text(id)
		}
	}
	return ""
}
