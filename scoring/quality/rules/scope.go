package rules

import (
	"regexp"
	"slices"
	"strings"

	"assay/scoring/syntax"
)

// scope is a region of names: a module, function, lambda, class or comprehension.
type scope struct {
	kind    string // the kind of its node
	node    *syntax.Node
	parent  *scope
	names   map[string]*name
	order   []*name           // in text order
	outward map[string]*scope // the scopes of names declared global or nonlocal here
	uses    []use
}

// name is a name in a scope.
type name struct {
	text     string
	scope    *scope
	bindings []binding
	uses     []*syntax.Node
	deleted  bool   // by some del statement
	path     string // the dotted path of an import; "" otherwise
	resolved kindOf // its type; see asked
	asked    bool   // resolved was computed
}

// binding is a place that binds a name.
type binding struct {
	how   how
	at    *syntax.Node // the identifier
	from  int          // the offset from which it holds
	value *syntax.Node // the value if assigned alone and as a whole, the definition, or the import
	in    *scope       // where it is written; with global it differs from the name's scope
}

type how int

const (
	assigned how = iota
	augmented
	unpacked // one of several targets
	looped
	parameter
	imported
	defined
	classed
	managed // by with
	caught  // by except, and unbound after its clause
	walrus
	captured // by a pattern of match
	declared // annotated without a value
	deleted
)

// use is a read of an identifier.
type use struct {
	at   *syntax.Node
	lazy bool // in an annotation that is never evaluated
}

var word = regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_]*`)

// bind finds the scopes, the names and their uses.
func (f *file) bind() {
	f.module = f.scope("module", f.tree.Root, nil)
	b := binder{file: f}
	b.later = len(f.kinds["future_import_statement"]) > 0 && strings.Contains(f.text(f.kinds["future_import_statement"][0]), "annotations")
	b.each(f.tree.Root, f.module)
	for len(b.bodies) > 0 { // after the surrounding code, so that global and nonlocal find their names
		next := b.bodies
		b.bodies = nil
		for _, body := range next {
			body()
		}
	}
	f.replaced()
	for _, s := range f.scopes {
		for _, u := range s.uses {
			f.places[u.at] = s
			if u.lazy {
				f.lazy[u.at] = true
			}
			if n := s.find(f.text(u.at)); n != nil {
				f.names[u.at] = n
				n.uses = append(n.uses, u.at)
			}
		}
	}
}

// replaced drops the bindings of a context's names that the text's own part defines or imports again at the top
// level, as a whole function after a prompt with its signature does.
func (f *file) replaced() {
	for _, n := range f.module.order {
		context := func(b binding) bool { return b.at.End <= f.tree.Own.Start }
		if slices.ContainsFunc(n.bindings, func(b binding) bool {
			return !context(b) && b.value != nil && (b.how == defined || b.how == classed || b.how == imported) && b.value.Parent == f.tree.Root
		}) {
			n.bindings = slices.DeleteFunc(n.bindings, context)
		}
	}
}

func (f *file) scope(kind string, n *syntax.Node, parent *scope) *scope {
	s := &scope{kind: kind, node: n, parent: parent, names: map[string]*name{}, outward: map[string]*scope{}}
	f.scopes = append(f.scopes, s)
	f.scopeOf[n] = s
	return s
}

// find looks up a word from a scope outwards. A class scope is visible only to itself.
func (s *scope) find(word string) *name {
	for at := s; at != nil; at = at.parent {
		if at.kind == "class_definition" && at != s {
			continue
		}
		if to := at.outward[word]; to != nil {
			return to.names[word]
		}
		if n := at.names[word]; n != nil {
			return n
		}
	}
	return nil
}

// module returns the outermost scope.
func (s *scope) module() *scope {
	for s.parent != nil {
		s = s.parent
	}
	return s
}
