package rules

import "assay/scoring/syntax"

// binder walks the tree in text order and binds names.
type binder struct {
	*file
	later  bool     // annotations are not evaluated (from __future__ import annotations)
	lazy   bool     // within such an annotation
	bodies []func() // of functions; they see all names around them
}

func (b *binder) each(n *syntax.Node, s *scope) {
	for _, c := range n.Children {
		b.visit(c, s)
	}
}

// add binds an identifier.
func (b *binder) add(s *scope, id *syntax.Node, h how, from int, value *syntax.Node) *name {
	return b.bindWord(s, b.text(id), id, h, from, value)
}

// bindWord binds a word at a node, which for a star import is not the word itself.
func (b *binder) bindWord(s *scope, word string, id *syntax.Node, h how, from int, value *syntax.Node) *name {
	home := s
	if to := s.outward[word]; to != nil {
		home = to
	} else if s.kind == "comprehension" && h == walrus {
		for home.kind == "comprehension" {
			home = home.parent
		}
	}
	n := home.names[word]
	if n == nil {
		n = &name{text: word, scope: home}
		home.names[word] = n
		home.order = append(home.order, n)
	}
	n.deleted = n.deleted || h == deleted
	n.bindings = append(n.bindings, binding{how: h, at: id, from: from, value: value, in: s})
	b.names[id], b.places[id] = n, s
	return n
}

func (b *binder) visit(n *syntax.Node, s *scope) {
	switch n.Kind {
	case "identifier":
		s.uses = append(s.uses, use{n, b.lazy})
	case "function_definition", "lambda":
		b.function(n, s)
	case "class_definition":
		b.each2(n.Child("superclasses"), s)
		b.add(s, n.Child("name"), classed, n.End, n)
		inner := b.scope(n.Kind, n, s)
		b.typeParameters(n, inner)
		b.each(n.Child("body"), inner)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		b.comprehension(n, s)
	case "assignment":
		b.assignment(n, s)
	case "augmented_assignment":
		b.visit(n.Child("right"), s)
		b.target(n.Child("left"), s, augmented, n.End, n)
	case "for_statement":
		b.visit(n.Child("right"), s)
		b.target(n.Child("left"), s, looped, n.Child("right").End, n)
		b.each2(n.Child("body"), s)
		b.each2(n.Child("alternative"), s)
	case "as_pattern":
		b.asPattern(n, s)
	case "except_clause":
		b.except(n, s)
	case "named_expression":
		b.visit(n.Child("value"), s)
		b.add(s, n.Child("name"), walrus, n.End, n.Child("value"))
	case "import_statement", "import_from_statement", "future_import_statement":
		b.imports(n, s)
	case "global_statement", "nonlocal_statement":
		b.outward(n, s)
	case "delete_statement":
		b.delete(n, s)
	case "case_clause":
		b.clause(n, s)
	case "keyword_argument":
		b.visit(n.Child("value"), s)
	case "attribute":
		b.visit(n.Child("object"), s)
	case "type", "type_alias_statement":
		b.annotation(n, s, true)
	default:
		b.each(n, s)
	}
}

func (b *binder) each2(n *syntax.Node, s *scope) {
	if n != nil {
		b.each(n, s)
	}
}

// function binds a function's name, and its parameters and body in a new scope.
func (b *binder) function(n *syntax.Node, s *scope) {
	inner, outer := b.scope(n.Kind, n, s), s
	if n.Child("type_parameters") != nil {
		b.typeParameters(n, inner)
		outer = inner // its types see its type parameters
	}
	for _, p := range parts(n.Child("parameters")) {
		b.parameter(p, outer, inner)
	}
	if r := n.Child("return_type"); r != nil {
		b.annotation(r, outer, true)
	}
	if n.Kind == "lambda" {
		b.bodies = append(b.bodies, func() { b.visit(n.Child("body"), inner) })
		return
	}
	b.add(s, n.Child("name"), defined, n.End, n)
	b.bodies = append(b.bodies, func() { b.each(n.Child("body"), inner) })
}

// parameter binds a parameter; its default and its type belong to the outer scope.
func (b *binder) parameter(p *syntax.Node, outer, inner *scope) {
	if v := p.Child("value"); v != nil {
		b.visit(v, outer)
	}
	if t := p.Child("type"); t != nil {
		b.annotation(t, outer, true)
	}
	if id := parameterName(p); id != nil {
		b.add(inner, id, parameter, p.Start, p)
	}
}

// parameterName returns the identifier of a parameter, or nil for a separator.
func parameterName(p *syntax.Node) *syntax.Node {
	switch p.Kind {
	case "identifier":
		return p
	case "default_parameter", "typed_default_parameter":
		return parameterName(p.Child("name"))
	case "typed_parameter", "list_splat_pattern", "dictionary_splat_pattern":
		if inner := parts(p); len(inner) > 0 {
			return parameterName(inner[0])
		}
	}
	return nil
}

// typeParameters binds T of def f[T]().
func (b *binder) typeParameters(n *syntax.Node, s *scope) {
	if t := n.Child("type_parameters"); t != nil {
		syntax.Walk(t, func(c *syntax.Node) bool {
			if c.Kind == "identifier" {
				b.add(s, c, parameter, c.Start, nil)
			}
			return true
		})
	}
}

// comprehension opens a scope, but its first iterable belongs to the outer one.
func (b *binder) comprehension(n *syntax.Node, s *scope) {
	inner := b.scope("comprehension", n, s)
	first := true
	for _, c := range parts(n) {
		switch {
		case c.Kind == "for_in_clause":
			for _, r := range children(c, "right") {
				if first {
					b.visit(r, s)
				} else {
					b.visit(r, inner)
				}
			}
			first = false
			b.target(c.Child("left"), inner, looped, n.Start, c)
		case c.Field != "body":
			b.visit(c, inner)
		}
	}
	b.visit(n.Child("body"), inner)
}

func (b *binder) assignment(n *syntax.Node, s *scope) {
	if t := n.Child("type"); t != nil {
		b.annotation(t, s, s.kind != "function_definition")
	}
	right := n.Child("right")
	if right == nil {
		b.target(n.Child("left"), s, declared, n.End, nil)
		return
	}
	b.visit(right, s)
	for right.Kind == "assignment" { // a = b = value
		right = right.Child("right")
		if right == nil {
			return
		}
	}
	b.target(n.Child("left"), s, assigned, n.End, right)
}

// target binds an assignment target.
func (b *binder) target(t *syntax.Node, s *scope, h how, from int, value *syntax.Node) {
	if t == nil {
		return
	}
	switch t.Kind {
	case "identifier":
		if h == augmented {
			s.uses = append(s.uses, use{t, false})
		}
		b.add(s, t, h, from, value)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list", "list_splat_pattern", "list_splat", "parenthesized_expression", "as_pattern_target":
		if h == assigned && t.Kind != "parenthesized_expression" {
			h = unpacked
		}
		for _, c := range parts(t) {
			b.target(c, s, h, from, value)
		}
	default:
		b.visit(t, s)
	}
}

// asPattern binds name of "value as name" in a with statement.
func (b *binder) asPattern(n *syntax.Node, s *scope) {
	for _, c := range parts(n) {
		if c.Field == "alias" {
			p := parts(n)[0]
			for _, t := range parts(c) {
				b.target(t, s, managed, n.End, p)
			}
			continue
		}
		b.visit(c, s)
	}
}

func (b *binder) except(n *syntax.Node, s *scope) {
	for _, c := range n.Children {
		switch {
		case c.Field == "alias" && c.Kind == "identifier":
			b.add(s, c, caught, c.End, n)
		case c.Field == "value" && c.Kind == "as_pattern":
			b.visit(parts(c)[0], s)
			for _, alias := range children(c, "alias") {
				for _, id := range parts(alias) {
					if id.Kind == "identifier" {
						b.add(s, id, caught, id.End, n)
					}
				}
			}
		default:
			b.visit(c, s)
		}
	}
}

// outward records the scopes of names declared global or nonlocal.
func (b *binder) outward(n *syntax.Node, s *scope) {
	for _, id := range parts(n) {
		word := b.text(id)
		home := s.module()
		if n.Kind == "nonlocal_statement" {
			if home = s.enclosing(word); home == nil {
				continue
			}
		}
		if home == s || s.names[word] != nil {
			continue
		}
		s.outward[word] = home
	}
}

// enclosing returns the nearest enclosing function scope that has a name.
func (s *scope) enclosing(word string) *scope {
	for at := s.parent; at != nil; at = at.parent {
		if at.kind == "function_definition" && at.names[word] != nil {
			return at
		}
	}
	return nil
}

func (b *binder) delete(n *syntax.Node, s *scope) {
	var each func(*syntax.Node)
	each = func(c *syntax.Node) {
		switch c.Kind {
		case "identifier":
			s.uses = append(s.uses, use{c, false})
			b.add(s, c, deleted, n.End, n)
		case "expression_list", "tuple", "list", "parenthesized_expression":
			for _, p := range parts(c) {
				each(p)
			}
		default:
			b.visit(c, s)
		}
	}
	for _, c := range parts(n) {
		each(c)
	}
}

// clause binds what the pattern of a case captures.
func (b *binder) clause(n *syntax.Node, s *scope) {
	for _, c := range n.Children {
		switch {
		case c.Kind == "case_pattern":
			b.pattern(c, s)
		default:
			b.visit(c, s)
		}
	}
}

func (b *binder) pattern(n *syntax.Node, s *scope) {
	switch n.Kind {
	case "dotted_name":
		ids := parts(n)
		if len(ids) == 1 {
			b.add(s, ids[0], captured, n.End, nil)
		} else if len(ids) > 1 {
			s.uses = append(s.uses, use{ids[0], false})
		}
	case "identifier":
		b.add(s, n, captured, n.End, nil)
	case "class_pattern":
		for i, c := range parts(n) {
			if i == 0 {
				if ids := parts(c); len(ids) > 0 {
					s.uses = append(s.uses, use{ids[0], false})
				}
				continue
			}
			b.pattern(c, s)
		}
	case "keyword_pattern":
		for _, c := range parts(n)[1:] {
			b.pattern(c, s)
		}
	default:
		for _, c := range parts(n) {
			b.pattern(c, s)
		}
	}
}

// annotation reads a type. Words in strings are uses, too, though never evaluated.
func (b *binder) annotation(n *syntax.Node, s *scope, evaluated bool) {
	was := b.lazy
	b.lazy = was || !evaluated || b.later
	defer func() { b.lazy = was }()
	syntax.Walk(n, func(c *syntax.Node) bool {
		switch c.Kind {
		case "string":
			for _, w := range word.FindAllString(b.text(c), -1) {
				b.said[w] = true
			}
			return false
		case "identifier":
			if p := c.Parent; p.Kind == "member_type" && parts(p)[0] != c {
				return false
			}
			s.uses = append(s.uses, use{c, b.lazy})
			return false
		case "attribute":
			b.visit(c.Child("object"), s)
			return false
		case "lambda", "list_comprehension", "generator_expression", "call":
			b.visit(c, s)
			return false
		}
		return true
	})
}
