package rules

import (
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func nameRules() []rule {
	return []rule{
		{Rule{ID: "undefined-name", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A name is used that nothing defines or imports.", Known: []string{"S3827", "S5953", "E0602", "F821"},
			Bad:  "def root(x):\n    return math.sqrt(x)\n",
			Good: "import math\n\n\ndef root(x):\n    return math.sqrt(x)\n"}, undefinedName},
		{Rule{ID: "used-before-assignment", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A variable is read before anything is assigned to it.", Known: []string{"S3827", "E0601"},
			Bad:  "def total(xs):\n    for x in xs:\n        s += x\n    return s\n",
			Good: "def total(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n"}, usedBefore},
		{Rule{ID: "undefined-export", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "__all__ lists a name that does not exist.", Known: []string{"S5807", "E0603"},
			Bad:  "__all__ = [\"run\"]\n\n\ndef start():\n    return 1\n",
			Good: "__all__ = [\"start\"]\n\n\ndef start():\n    return 1\n"}, undefinedExport},
		{Rule{ID: "nonlocal-without-binding", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A nonlocal name does not exist in the functions around it.", Known: []string{"E0117"},
			Bad:  "def f():\n    nonlocal n\n    n = 1\n    return n\n",
			Good: "def f():\n    n = 0\n\n    def g():\n        nonlocal n\n        n = 1\n        return n\n    return g\n"}, badNonlocal},
		{Rule{ID: "global-after-use", Dimension: quality.Reliability, Severity: quality.Blocker,
			Title: "A name is declared global after it was used, or is a parameter.", Known: []string{"E0118"},
			Bad:  "count = 0\n\n\ndef f():\n    print(count)\n    global count\n    count = 1\n",
			Good: "count = 0\n\n\ndef f():\n    global count\n    print(count)\n    count = 1\n"}, lateGlobal},
		{Rule{ID: "unused-variable", Dimension: quality.Smell, Severity: quality.Minor,
			Title: "A local variable is never read.", Known: []string{"S1481", "W0612", "F841"},
			Bad:  "def f(xs):\n    n = len(xs)\n    return xs\n",
			Good: "def f(xs):\n    n = len(xs)\n    return n\n"}, unusedVariable},
		{Rule{ID: "unused-import", Dimension: quality.Smell, Severity: quality.Minor,
			Title: "An import is never used.", Known: []string{"S1128", "W0611", "F401"},
			Bad:  "import os\n\n\ndef f():\n    return 1\n",
			Good: "import os\n\n\ndef f():\n    return os.getcwd()\n"}, unusedImport},
	}
}

// dynamic reports whether names may be created dynamically.
func (f *file) dynamic() bool {
	if f.star || f.mentions("_convert_") || f.mentions("global_enum") {
		return true
	}
	for _, c := range f.kinds["call"] {
		fn := c.Child("function")
		switch f.text(fn) {
		case "exec", "globals", "locals", "vars", "execfile":
			return true
		case "setattr", "globals().update":
			return true
		}
	}
	return false
}

func undefinedName(f *file, say sayer) {
	if f.dynamic() {
		return
	}
	for _, s := range f.scopes {
		for _, u := range s.uses {
			word := f.text(u.at)
			if u.lazy || f.names[u.at] != nil || isBuiltin(word) || guarded(f, u.at) || s.declared(word) {
				continue
			}
			if word == "__class__" || word == "__qualname__" || word == "__module__" {
				continue
			}
			switch {
			case isModule(word):
				say(u.at, "%s is not defined: its import is missing", word)
			case f.classAttribute(s, word):
				say(u.at, "%s is not defined here: it is an attribute of the class, reached by self or the class's name", word)
			default:
				say(u.at, "%s is not defined", word)
			}
		}
	}
}

// declared reports whether a word is declared global in an enclosing scope: another function may assign it
// at any time.
func (s *scope) declared(word string) bool {
	for at := s; at != nil; at = at.parent {
		if to := at.outward[word]; to != nil {
			return to.names[word] != nil
		}
	}
	return false
}

func (f *file) classAttribute(s *scope, word string) bool {
	for at := s.parent; at != nil; at = at.parent {
		if at.kind == "class_definition" && at.names[word] != nil {
			return true
		}
	}
	return false
}

// guarded reports whether a NameError at n would be caught.
func guarded(f *file, n *syntax.Node) bool {
	for p := n; p.Parent != nil; p = p.Parent {
		if p.Parent.Kind != "try_statement" || p.Field != "body" {
			continue
		}
		for _, c := range p.Parent.Children {
			if c.Kind != "except_clause" {
				continue
			}
			values := children(c, "value")
			if len(values) == 0 {
				return true
			}
			said := f.text(values[0])
			if strings.Contains(said, "NameError") || strings.Contains(said, "UnboundLocalError") || strings.Contains(said, "Exception") {
				return true
			}
		}
	}
	return false
}

// manyBindings limits the bindings of a name for rules that compare its bindings with its uses, which would
// take quadratic time.
const manyBindings = 50

func usedBefore(f *file, say sayer) {
	for _, s := range f.scopes {
		if s.kind != "function_definition" && s.kind != "module" {
			continue
		}
		for _, n := range s.order {
			f.checkUnbound(s, n, say)
		}
	}
}

// checkUnbound finds the uses of a name, in its own scope, that no binding can precede.
func (f *file) checkUnbound(s *scope, n *name, say sayer) {
	if s.kind == "module" && (isBuiltin(n.text) || f.dynamic()) {
		return
	}
	for _, b := range n.bindings {
		if b.how == parameter || b.in != s && b.in.kind != "comprehension" {
			return
		}
	}
	if len(n.bindings) > manyBindings && n.deleted {
		return // too many to follow
	}
	for _, u := range n.uses {
		if f.runsIn(s, u) && !guarded(f, u) && f.unbound(n, u) && !f.lazy[u] {
			say(u, "%s is read here, but nothing has been assigned to it", n.text)
		}
	}
}

// runsIn reports whether a use is evaluated in a scope's own code: it belongs to the scope, or to a
// comprehension evaluated at once.
func (f *file) runsIn(s *scope, u *syntax.Node) bool {
	at := f.places[u]
	for at != s && at.kind == "comprehension" && (at.node.Kind != "generator_expression" || f.consumed(at.node)) {
		at = at.parent
	}
	return at == s
}

// consumed reports whether a generator is the argument of a built-in function that consumes it.
func (f *file) consumed(generator *syntax.Node) bool {
	call := generator.Parent
	if call.Kind != "call" {
		return false
	}
	fn := call.Child("function")
	return f.names[fn] == nil && isConsumer(f.text(fn))
}

var isConsumer = wordSet("all any sum min max sorted list set tuple dict frozenset")

// unbound reports whether no binding of a name can precede a use.
func (f *file) unbound(n *name, u *syntax.Node) bool {
	for _, b := range n.bindings {
		switch {
		case b.how == declared, b.how == deleted:
			continue
		case b.how == caught && !inside(u, b.value) && b.from <= u.Start:
			continue // unbound at the end of its clause
		case b.from <= u.Start:
			if !n.deleted || !deletedBetween(n, b, u) {
				return false
			}
		case loopCommon(b.at, u) && !leadsTo(u, b.at):
			return false
		}
	}
	return true
}

// deletedBetween reports whether a del of the name is certain to come between a binding and a use.
func deletedBetween(n *name, b binding, u *syntax.Node) bool {
	return slices.ContainsFunc(n.bindings, func(d binding) bool {
		return d.how == deleted && d.at != u && b.from <= d.at.Start && d.from <= u.Start && straight(d.at, u)
	})
}

// straight reports whether every path to b passes a: a's statement is in a block that contains b further
// down.
func straight(a, b *syntax.Node) bool {
	_, block := statement(a)
	return inside(b, block) && a.Start < b.Start
}

func common(a, b *syntax.Node, kinds ...string) *syntax.Node {
	for p := a.Parent; p != nil; p = p.Parent {
		switch p.Kind {
		case "function_definition", "lambda", "class_definition":
			return nil
		}
		if slices.Contains(kinds, p.Kind) && inside(b, p) {
			return p
		}
	}
	return nil
}

// loopCommon reports whether two places are in the same loop.
func loopCommon(a, b *syntax.Node) bool {
	for loop := common(a, b, "for_statement", "while_statement"); loop != nil; loop = common(loop, b, "for_statement", "while_statement") {
		if loop.Kind == "while_statement" || !inside(b, loop.Child("right")) {
			return true // the iterable of a for statement is evaluated once
		}
	}
	return false
}

// leadsTo reports whether every path to b has passed u in the same iteration of every loop: u's statement
// certainly evaluates it, and the statement's block contains b.
func leadsTo(u, b *syntax.Node) bool {
	s, block := statement(u)
	if !inside(b, block) || b.End < s.Start {
		return false
	}
	for p := u; p != s; p = p.Parent {
		switch p.Parent.Kind {
		case "boolean_operator", "conditional_expression", "lambda", "elif_clause", "list_comprehension", "set_comprehension",
			"dictionary_comprehension", "generator_expression", "assert_statement", "try_statement":
			return false
		}
	}
	for p := s; p != nil && p.Kind != "function_definition"; p = p.Parent {
		if p.Kind == "try_statement" {
			return false
		}
	}
	return true
}

func undefinedExport(f *file, say sayer) {
	n := f.module.names["__all__"]
	if n == nil || f.dynamic() || f.module.names["__getattr__"] != nil {
		return
	}
	missing := map[*syntax.Node]string{}
	listed := 0
	for _, b := range n.bindings {
		if b.how != assigned && b.how != augmented || b.value == nil {
			return
		}
		value := b.value
		if b.how == augmented {
			value = value.Child("right")
		}
		for _, item := range parts(value) {
			word, ok := f.literal(item)
			listed++
			if ok && f.module.names[word] == nil {
				missing[item] = word
			}
		}
	}
	if listed > 2 && 2*len(missing) > listed {
		return // a package's list of its modules
	}
	for item, word := range missing {
		say(item, "__all__ lists %s, which does not exist", word)
	}
}

func badNonlocal(f *file, say sayer) {
	for _, n := range f.kinds["nonlocal_statement"] {
		fn := function(n)
		if fn == nil {
			say(n, "nonlocal stands outside a function")
			continue
		}
		for _, id := range parts(n) {
			if f.scopeOf[fn].enclosing(f.text(id)) == nil {
				say(id, "no function around this one has the variable %s", f.text(id))
			}
		}
	}
}

func lateGlobal(f *file, say sayer) {
	for _, kind := range []string{"global_statement", "nonlocal_statement"} {
		for _, n := range f.kinds[kind] {
			if fn := function(n); fn != nil {
				f.checkLate(n, f.scopeOf[fn], say)
			}
		}
	}
}

func (f *file) checkLate(n *syntax.Node, s *scope, say sayer) {
	for _, id := range parts(n) {
		word := f.text(id)
		if local := s.names[word]; local != nil && local.bindings[0].at.Start < n.Start {
			say(id, "%s is a variable of this function already", word)
			continue
		}
		for _, u := range s.uses {
			if u.at.Start < n.Start && f.text(u.at) == word {
				say(id, "%s is used before it is declared here", word)
				break
			}
		}
	}
}

func unusedVariable(f *file, say sayer) {
	if f.dynamic() {
		return
	}
	for _, s := range f.scopes {
		if s.kind != "function_definition" {
			continue
		}
		for _, n := range s.order {
			if f.read(n) || strings.HasPrefix(n.text, "_") || f.said[n.text] {
				continue
			}
			b := n.bindings[0]
			if slices.ContainsFunc(n.bindings, func(b binding) bool {
				return b.how != assigned && b.how != augmented && b.how != walrus && b.how != caught
			}) {
				continue
			}
			say(b.at, "%s is never read", n.text)
		}
	}
}

// read reports whether a name is ever read; x += 1 alone does not read x.
func (f *file) read(n *name) bool {
	return slices.ContainsFunc(n.uses, func(u *syntax.Node) bool {
		return u.Parent.Kind != "augmented_assignment" || u.Field != "left" || f.places[u] != n.scope
	})
}

func unusedImport(f *file, say sayer) {
	if f.dynamic() || f.module.names["__all__"] != nil {
		return
	}
	for _, s := range f.scopes {
		for _, n := range s.order {
			b := n.bindings[0]
			if b.how != imported || b.at.Kind == "wildcard_import" || len(n.uses) > 0 || f.said[n.text] || len(n.bindings) > 1 || above(b.at, "try_statement") != nil {
				continue
			}
			say(b.at, "%s is imported and never used", n.text)
		}
	}
}
