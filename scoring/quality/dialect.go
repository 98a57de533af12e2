package quality

import (
	"strings"

	"assay/scoring/syntax"
)

// role is the effect of a node on complexity; a node may have several.
type role uint16

const (
	branch     role = 1 << iota // cyclomatic +1
	structural                  // cognitive +1, and +1 for each level of nesting
	flat                        // cognitive +1
	deepens                     // its contents are nested one level deeper
	function                    // measured on its own
	class                       // nesting restarts inside it
	lambda                      // a function without measures of its own; it nests
)

// dialect describes a language to the walker. The functions may be nil, except name.
type dialect struct {
	roles    map[string]role
	refine   func(*syntax.Node, role) role           // for roles that depend on more than the kind
	nests    func(*syntax.Node) bool                 // nested one level deeper than its parent
	name     func(*syntax.Tree, *syntax.Node) string // of a function; "" if it has none
	line     func(*syntax.Node) int                  // of a function, if not its first line
	wraps    func(outer, inner *syntax.Node) bool    // outer is merely a decorator around inner
	operator func(*syntax.Node) string               // of a boolean operation, else ""
	free     map[string]bool                         // operators without cognitive cost
	// the kind of parentheses that do not interrupt a run of operators
	through    string
	shortens   func(*syntax.Node) []*syntax.Node // boolean operations without cost because of their position
	constructs map[string]Construct
	construct  func(n *syntax.Node, count func(Construct)) // for constructs that depend on more than the kind
	comments   map[string]bool                             // kinds of comments
	whole      map[string]bool                             // tokens that may span lines and count on each of them
	skip       map[string]bool                             // tokens that are not code
	docstrings func(*syntax.Tree) []*syntax.Node
	unmarked   string                  // a comment with this word is ignored, and so are others on its line
	invalid    func(*syntax.Tree) bool // the compiler rejects what the grammar accepts
	ledger     func(*walker) ledger
}

// roleOf returns the roles of a node in a language.
func (d *dialect) roleOf(n *syntax.Node) role {
	if !n.Named {
		return 0
	}
	r := d.roles[n.Kind]
	if d.refine != nil {
		r = d.refine(n, r)
	}
	return r
}

// fieldName returns the text of a node's field, reduced to the last name in it.
func fieldName(field string) func(*syntax.Tree, *syntax.Node) string {
	return func(t *syntax.Tree, n *syntax.Node) string {
		if name := n.Child(field); name != nil {
			return t.Text(name)
		}
		return ""
	}
}

// boolean returns the operator of a node of the given kind, if it is one of operators.
func boolean(kind string, operators ...string) func(*syntax.Node) string {
	return func(n *syntax.Node) string {
		if n.Kind != kind {
			return ""
		}
		for _, c := range n.Children {
			if !c.Named {
				for _, operator := range operators {
					if c.Kind == operator {
						return operator
					}
				}
			}
		}
		return ""
	}
}

// outer returns the outermost parentheses around an expression, or the expression itself.
func outer(n *syntax.Node) *syntax.Node {
	for n.Parent != nil && n.Parent.Kind == "parenthesized_expression" {
		n = n.Parent
	}
	return n
}

// inner returns the expression within parentheses.
func inner(n *syntax.Node) *syntax.Node {
	for n != nil && n.Kind == "parenthesized_expression" {
		n = firstNamed(n)
	}
	return n
}

// namedChildren returns the named children except comments.
func namedChildren(n *syntax.Node) []*syntax.Node {
	var list []*syntax.Node
	for _, c := range n.Children {
		if c.Named && !isComment(c) {
			list = append(list, c)
		}
	}
	return list
}

func firstNamed(n *syntax.Node) *syntax.Node {
	for _, c := range n.Children {
		if c.Named && !isComment(c) {
			return c
		}
	}
	return nil
}

func isComment(n *syntax.Node) bool { return strings.HasSuffix(n.Kind, "comment") }

func has(n *syntax.Node, kinds ...string) bool {
	for _, c := range n.Children {
		for _, kind := range kinds {
			if c.Kind == kind {
				return true
			}
		}
	}
	return false
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}
