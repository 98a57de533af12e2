package codebleu

import (
	"strings"

	"assay/scoring/syntax"
)

// syntaxMatch returns the share of the references' subtrees that the candidate has. A subtree is a node with
// everything below it, without names and values.
func syntaxMatch(candidate *text, references []*text, mode Mode) float64 {
	have := subtrees(candidate.tree)
	matched, all := 0, 0
	for _, r := range references {
		for shape, count := range subtrees(r.tree) {
			all += count
			switch {
			case mode == Default:
				matched += min(count, have[shape])
			case have[shape] > 0:
				matched += count
			}
		}
	}
	return float64(matched) / float64(all)
}

// subtrees counts the shapes of the root and of all nodes with children.
func subtrees(t *syntax.Tree) map[string]int {
	counts := map[string]int{}
	var visit func(n *syntax.Node) string
	visit = func(n *syntax.Node) string {
		var b strings.Builder
		for _, c := range n.Children {
			below := visit(c)
			if below == "" {
				continue
			}
			b.WriteByte(' ')
			if c.Field != "" && (c.Named || c.Missing) {
				b.WriteString(c.Field + ": ")
			}
			b.WriteString(below)
		}
		inner, shape := b.String(), ""
		switch {
		case n.Missing:
			shape = "(MISSING " + n.Kind + ")"
		case n.Kind == "ERROR" && len(n.Children) == 0:
			shape = "(UNEXPECTED " + t.Text(n) + ")"
		case n.Named:
			shape = "(" + n.Kind + inner + ")"
		default:
			shape = strings.TrimPrefix(inner, " ")
		}
		if len(n.Children) > 0 || n.Parent == nil {
			counts[shape]++
		}
		return shape
	}
	visit(t.Root)
	return counts
}

// leaves returns the tokens of a tree: a string is one token, a comment is none.
func leaves(n *syntax.Node) []*syntax.Node {
	if isToken(n) {
		return []*syntax.Node{n}
	}
	var all []*syntax.Node
	for _, c := range n.Children {
		all = append(all, leaves(c)...)
	}
	return all
}

func isToken(n *syntax.Node) bool {
	return (len(n.Children) == 0 || n.Kind == "string") && n.Kind != "comment"
}
