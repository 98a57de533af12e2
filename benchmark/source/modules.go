package source

import (
	"fmt"
	"strings"

	"assay/scoring/syntax"
)

// script returns a program in JavaScript without the statements of ECMAScript modules, which a script cannot have:
// imports become calls of require, and what is exported is only defined. entry is the name that it must define, or "".
func script(text, entry string) (script string, changed bool) {
	p, ok := Parse("javascript", text)
	if !ok {
		return text, false
	}
	var edits []edit
	for _, n := range p.tree.Root.Children {
		switch n.Kind {
		case "import_statement":
			edits = append(edits, edit{n.Start, n.End, p.required(n) + strings.Repeat("\n", n.EndLine-n.Line)})
		case "export_statement":
			edits = append(edits, p.unexported(n, entry)...)
		}
	}
	script = apply(text, edits)
	if _, defined := p.Definition(entry); entry != "" && !defined && strings.Contains(text, "exports") {
		script = strings.TrimRight(script, "\n") + fmt.Sprintf("\n;var %s = module.exports.%[1]s ?? module.exports;\n", entry)
	}
	return script, script != text
}

// required returns the call of require that does what an import does.
func (p *Program) required(n *syntax.Node) string {
	source := n.Child("source")
	if source == nil {
		return ""
	}
	call := "require(" + p.tree.Text(source) + ")"
	var names []string
	for _, clause := range n.Children {
		if clause.Kind != "import_clause" {
			continue
		}
		for _, part := range clause.Children {
			switch part.Kind {
			case "identifier":
				names = append(names, p.tree.Text(part))
			case "namespace_import":
				names = append(names, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(p.tree.Text(part)[1:]), "as")))
			case "named_imports":
				names = append(names, strings.ReplaceAll(strings.ReplaceAll(p.tree.Text(part), "\n", " "), " as ", ": "))
			}
		}
	}
	if len(names) == 0 {
		return call + ";"
	}
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + " = " + call
	}
	return "const " + strings.Join(parts, ", ") + ";"
}

// unexported returns the edits that make a definition of an export.
func (p *Program) unexported(n *syntax.Node, entry string) []edit {
	if d := n.Child("declaration"); d != nil {
		return []edit{{n.Start, d.Start, ""}}
	}
	value := n.Child("value")
	switch {
	case value == nil: // a list of names
		return []edit{blank(string(p.tree.Source), n.Start, n.End)}
	case value.Kind == "identifier":
		return []edit{blank(string(p.tree.Source), n.Start, n.End)}
	}
	if _, defined := p.Definition(entry); entry != "" && !defined {
		return []edit{{n.Start, value.Start, "var " + entry + " = "}}
	}
	return []edit{{n.Start, value.Start, "void "}}
}
