// Package source reads what a program consists of, and makes a part of a larger program of it.
//
// Syntax trees (scoring/syntax) tell in eight languages what a text defines and imports, whether it is code at all,
// and whether a definition is only a stub. In all others, and for what can stand only once in a file, patterns are
// matched on the text without comments and strings (Mask). Part, InClass and Once take a whole file's package clause,
// imports, class and main function so that tests can follow; line numbers stay. It runs nothing.
//
// Callers are benchmark/extract, which chooses among an answer's blocks, and benchmark/judge, which joins prompt,
// answer and tests.
package source

import (
	"slices"
	"strings"

	"assay/scoring/syntax"
)

// Program is a source text with its syntax tree.
type Program struct {
	tree    *syntax.Tree
	grammar grammar
	defined []Definition
}

// Definition is a name that a program defines outside of functions.
type Definition struct {
	Name       string
	Start, End int  // bytes of the definition in the source
	Import     bool // the name is imported
	Member     bool // of a class
	Stub       bool // a function, or a class of functions, without a statement that does anything
}

// Known reports whether programs in the language can be parsed.
func Known(language string) bool {
	_, known := grammars[language]
	return known
}

// Parse reads a program. ok is false if the language has no grammar, or the text is too large or too hard to
// parse.
func Parse(language, text string) (p *Program, ok bool) {
	g, known := grammars[language]
	if !known {
		return nil, false
	}
	tree, err := syntax.Parse(language, []byte(text))
	if err != nil {
		return nil, false
	}
	p = &Program{tree: tree, grammar: g}
	p.collect(tree.Root, false)
	return p, true
}

// Valid reports whether the text fits the grammar.
func (p *Program) Valid() bool { return p.tree.Valid }

// Empty reports whether the program consists of comments alone.
func (p *Program) Empty() bool {
	return !slices.ContainsFunc(p.tree.Root.Children, func(n *syntax.Node) bool { return !comment(n) })
}

func comment(n *syntax.Node) bool { return strings.HasSuffix(n.Kind, "comment") }

// Definitions returns what the program defines outside of functions, in the order of the text.
func (p *Program) Definitions() []Definition { return p.defined }

// Definition returns the last definition of a name, which is the one that counts, members of classes excluded.
func (p *Program) Definition(name string) (d Definition, found bool) {
	for _, each := range p.defined {
		if each.Name == name && !each.Member {
			d, found = each, true
		}
	}
	return d, found
}

// collect finds what a node and its descendants define.
func (p *Program) collect(n *syntax.Node, member bool) {
	if p.grammar.imports[n.Kind] {
		p.defined = append(p.defined, p.imported(n)...)
		return
	}
	if p.defines(n) {
		d := Definition{Start: n.Start, End: n.End, Member: member, Stub: p.stub(n)}
		if n.Parent != nil && p.grammar.wrappers[n.Parent.Kind] {
			d.Start = n.Parent.Start
		}
		for _, d.Name = range p.namesIn(n, p.grammar.names[n.Kind]) {
			p.defined = append(p.defined, d)
		}
	}
	if p.grammar.functions[n.Kind] {
		return
	}
	for _, child := range n.Children {
		p.collect(child, member || p.grammar.classes[n.Kind])
	}
}

// defines reports whether a node is of a kind that defines names. A declaration of a function in C is none.
func (p *Program) defines(n *syntax.Node) bool {
	switch {
	case p.grammar.names[n.Kind] == "":
		return false
	case p.grammar.bodies[n.Kind]:
		return n.Child("body") != nil
	case n.Kind == "declaration":
		return !declaresFunction(n.Child("declarator"))
	case p.grammar.assigning != nil:
		return slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return p.grammar.assigning[c.Kind] })
	}
	return true
}

// declaresFunction reports whether a declarator of C is that of a function without a body.
func declaresFunction(n *syntax.Node) bool {
	for n != nil && n.Kind != "function_declarator" {
		n = n.Child("declarator")
	}
	return n != nil
}

// namesIn returns the names in a field of a node: an identifier, or those that a declarator or pattern
// introduces.
func (p *Program) namesIn(n *syntax.Node, field string) (names []string) {
	for _, part := range n.Children {
		if part.Field != field || part.Kind == "init_declarator" && n.Kind == "declaration" {
			continue
		}
		syntax.Walk(part, func(n *syntax.Node) bool {
			if p.grammar.identifiers[n.Kind] && n.Field != "size" {
				names = append(names, p.tree.Text(n))
			}
			return !p.grammar.opaque[n.Kind]
		})
	}
	return names
}

// imported returns the names that an import introduces. Those of a star import are not known.
func (p *Program) imported(n *syntax.Node) (found []Definition) {
	for _, part := range n.Children {
		if part.Field == "module_name" {
			continue
		}
		name := p.tree.Text(part)
		switch {
		case part.Kind == "aliased_import":
			name = p.tree.Text(part.Child("alias"))
		case part.Kind == "dotted_name":
			name, _, _ = strings.Cut(name, ".")
		case part.Kind != "import_clause":
			continue
		}
		found = append(found, Definition{Name: name, Start: n.Start, End: n.End, Import: true})
	}
	return found
}

// stub reports whether a function or class does nothing: its body has only documentation, pass, an ellipsis, the
// error NotImplementedError, and members that are stubs.
func (p *Program) stub(n *syntax.Node) bool {
	body := n.Child("body")
	if body == nil {
		return false
	}
	for _, statement := range body.Children {
		if statement.Kind == "decorated_definition" {
			statement = statement.Child("definition")
		}
		switch {
		case statement == nil || !statement.Named || comment(statement):
		case statement.Kind == "pass_statement" || inert(statement):
		case statement.Kind == "raise_statement" && strings.Contains(p.tree.Text(statement), "NotImplementedError"):
		case p.stub(statement):
		default:
			return false
		}
	}
	return true
}

// inert reports whether a statement is only a text or an ellipsis.
func inert(n *syntax.Node) bool {
	return n.Kind == "expression_statement" && len(n.Children) == 1 && set("string concatenated_string ellipsis")[n.Children[0].Kind]
}

// Uses returns the identifiers in the program.
func (p *Program) Uses() map[string]bool { return p.uses(p.tree.Root) }

// UsesAtTop returns the identifiers in statements that are neither definitions nor imports: what an example
// calls.
func (p *Program) UsesAtTop() map[string]bool {
	used := map[string]bool{}
	for _, n := range p.tree.Root.Children {
		inner := n
		if p.grammar.wrappers[n.Kind] && len(n.Children) > 0 {
			inner = n.Children[len(n.Children)-1]
		}
		if p.grammar.imports[n.Kind] || p.grammar.functions[inner.Kind] || p.grammar.classes[inner.Kind] {
			continue
		}
		for name := range p.uses(n) {
			used[name] = true
		}
	}
	return used
}

func (p *Program) uses(n *syntax.Node) map[string]bool {
	used := map[string]bool{}
	syntax.Walk(n, func(n *syntax.Node) bool {
		if strings.HasSuffix(n.Kind, "identifier") {
			used[p.tree.Text(n)] = true
		}
		return true
	})
	return used
}

// Code reports whether the text, which may be prose that happens to parse, has what only programs have. A name or a
// text alone in a statement is a word of prose.
func (p *Program) Code() bool {
	found := false
	for _, n := range p.tree.Root.Children {
		if p.word(n) {
			return false
		}
	}
	syntax.Walk(p.tree.Root, func(n *syntax.Node) bool {
		found = found || p.sign(n)
		return !found
	})
	return found
}

// sign reports whether a node is one that prose does not have, even where it parses.
func (p *Program) sign(n *syntax.Node) bool {
	switch {
	case n.Kind == "command":
		return shellCommands[p.tree.Text(n.Child("name"))]
	case n.Kind == "assignment", n.Kind == "binary_operator" && p.grammar.assigning != nil:
		return p.defines(n) && slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return c.Kind == "=" || c.Kind == "<-" })
	}
	return signs[p.tree.Language][n.Kind]
}

// word reports whether a top-level statement is one that only prose has.
func (p *Program) word(n *syntax.Node) bool {
	if n.Kind == "command" && n.Child("name") != nil {
		name := p.tree.Text(n.Child("name"))
		return strings.ToUpper(name[:1]) == name[:1] && strings.ToLower(name[:1]) != name[:1]
	}
	if n.Kind == "expression_statement" && len(n.Children) > 0 {
		n = n.Children[0]
	}
	switch n.Kind {
	case "identifier", "labeled_statement":
		return true
	case "tuple", "expression_list", "sequence_expression":
		return !slices.ContainsFunc(n.Children, func(c *syntax.Node) bool { return c.Named && c.Kind != "identifier" })
	}
	return false
}
