package quality

import "assay/scoring/syntax"

// Rules shared by languages with braces. No SonarQube results are available to compare these languages
// with; the rules are those of the white paper "Cognitive Complexity" (Campbell 2018) without recursion,
// which none of SonarQube's analysers counts.

// ifElse refines the roles of an if whose else branch is a field (Go, Java, R) or a clause (C).
func ifElse(n *syntax.Node, r role) role {
	if n.Kind != "if_statement" {
		if n.Kind == "else_clause" {
			if body := firstNamed(n); body != nil && body.Kind != "if_statement" {
				return r | flat
			}
		}
		return r
	}
	if p := n.Parent; p != nil && (p.Kind == "else_clause" || p.Kind == "if_statement" && n.Field == "alternative") {
		return branch | flat
	}
	return r
}

// elseBranch reports whether a node is the else branch of an if and not itself an if.
func elseBranch(n *syntax.Node) bool {
	return n.Named && n.Field == "alternative" && n.Kind != "if_statement" && n.Kind != "else_clause" &&
		n.Parent != nil && n.Parent.Kind == "if_statement"
}

// braceNests returns the nesting rule of the languages with braces, by field names.
func braceNests(cases ...string) func(*syntax.Node) bool {
	inCase := set(cases...)
	return func(n *syntax.Node) bool {
		p := n.Parent
		if p == nil || isComment(n) {
			return false
		}
		switch p.Kind {
		case "if_statement":
			return n.Field == "consequence" || elseBranch(n)
		case "else_clause":
			return n.Kind != "if_statement"
		case "for_statement", "for_range_loop", "enhanced_for_statement", "while_statement", "do_statement",
			"repeat_statement", "catch_clause":
			return n.Field == "body"
		case "ternary_expression", "conditional_expression":
			return n.Field == "consequence" || n.Field == "alternative"
		}
		return inCase[n.Kind]
	}
}

// refiners chains refinements.
func refiners(all ...func(*syntax.Node, role) role) func(*syntax.Node, role) role {
	return func(n *syntax.Node, r role) role {
		for _, refine := range all {
			r = refine(n, r)
		}
		if elseBranch(n) {
			r |= flat
		}
		return r
	}
}

// labelled makes a jump to a label cost 1.
func labelled(n *syntax.Node, r role) role {
	switch n.Kind {
	case "break_statement", "continue_statement":
		if firstNamed(n) != nil {
			return r | flat
		}
	case "goto_statement":
		return r | flat
	}
	return r
}

// binaryConstruct distinguishes comparisons from arithmetic; a run of one boolean operator counts once.
func binaryConstruct(kinds ...string) func(*syntax.Node, func(Construct)) {
	is := set(kinds...)
	compares := set("==", "!=", "<", ">", "<=", ">=", "===", "!==", "<=>", "in", "instanceof", "%in%")
	plain := set("=", "<-", "<<-", "->", "->>", ":=", "~")
	runs := set("&&", "||", "??")
	sign := func(n *syntax.Node) string {
		for _, c := range n.Children {
			if !c.Named || c.Field == "operator" {
				return c.Kind
			}
		}
		return ""
	}
	return func(n *syntax.Node, count func(Construct)) {
		if !is[n.Kind] {
			if n.Kind == "augmented_assignment_expression" {
				count(Op)
			}
			return
		}
		switch operator := sign(n); {
		case compares[operator]:
			count(Compare)
		case plain[operator]:
			count(Assign)
		case runs[operator] && n.Field == "left" && n.Parent != nil && is[n.Parent.Kind] && sign(n.Parent) == operator:
		default:
			count(Op)
		}
	}
}
