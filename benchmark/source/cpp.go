package source

import (
	"strings"

	"assay/scoring/syntax"
)

// Overload is one definition of a function of C++.
type Overload struct {
	Parameters []string // their types; "" where the type is a template's or auto
	Required   int      // how many have no default
	Template   bool
}

// Overloads returns the definitions of a function of C++ outside of classes and namespaces.
func Overloads(text, name string) (all []Overload) {
	p, ok := Parse("cpp", text)
	if !ok {
		return nil
	}
	for _, n := range p.tree.Root.Children {
		types := map[string]bool{"auto": true}
		template := n.Kind == "template_declaration"
		if template {
			for _, each := range n.Child("parameters").Children {
				if len(each.Children) > 0 {
					types[p.tree.Text(each.Children[len(each.Children)-1])] = true
				}
			}
			n = n.Children[len(n.Children)-1]
		}
		declarator := n.Child("declarator")
		for declarator != nil && declarator.Kind != "function_declarator" {
			declarator = declarator.Child("declarator")
		}
		if n.Kind != "function_definition" || declarator == nil || p.tree.Text(declarator.Child("declarator")) != name {
			continue
		}
		o := p.overload(declarator.Child("parameters"), types)
		o.Template = o.Template || template
		all = append(all, o)
	}
	return all
}

func (p *Program) overload(parameters *syntax.Node, types map[string]bool) (o Overload) {
	for _, each := range parameters.Children {
		if each.Kind != "parameter_declaration" && each.Kind != "optional_parameter_declaration" || p.tree.Text(each) == "void" {
			continue
		}
		if each.Kind == "parameter_declaration" {
			o.Required++
		}
		text, open := p.typeOf(each), false
		syntax.Walk(each.Child("type"), func(n *syntax.Node) bool {
			open = open || types[p.tree.Text(n)]
			return !open
		})
		if open {
			text, o.Template = "", true
		}
		o.Parameters = append(o.Parameters, text)
	}
	return o
}

// typeOf returns a parameter's type: its text without its name and its default.
func (p *Program) typeOf(parameter *syntax.Node) string {
	end := parameter.End
	if value := parameter.Child("default_value"); value != nil {
		end = value.Start
	}
	text := string(p.tree.Source[parameter.Start:end])
	syntax.Walk(parameter.Child("declarator"), func(n *syntax.Node) bool {
		if n.Kind == "identifier" {
			text = string(p.tree.Source[parameter.Start:n.Start]) + string(p.tree.Source[n.End:end])
			return false
		}
		return n.Kind != "parameter_list"
	})
	return strings.TrimRight(text, " \t\n=")
}
