package quality

import "assay/scoring/syntax"

func rDialect() *dialect {
	return &dialect{
		roles: map[string]role{
			"function_definition": function,
			"if_statement":        structural | branch, "for_statement": structural | branch,
			"while_statement": structural | branch, "repeat_statement": structural | branch,
		},
		refine:   refiners(ifElse),
		nests:    braceNests(),
		name:     rName,
		operator: boolean("binary_operator", "&&", "||"),
		through:  "parenthesized_expression",
		constructs: map[string]Construct{
			"if_statement":  If,
			"for_statement": Loop, "while_statement": Loop, "repeat_statement": Loop,
			"call": Call, "function_definition": FunctionDef,
			"subset": Subscript, "subset2": Subscript, "unary_operator": Op,
			"extract_operator": Attribute, "namespace_operator": Attribute,
		},
		construct: binaryConstruct("binary_operator"),
		comments:  set("comment"), whole: set("string"),
		ledger: newNestedLedger,
	}
}

// rName returns the name that a function is assigned to.
func rName(t *syntax.Tree, n *syntax.Node) string {
	p := n.Parent
	if p == nil || p.Kind != "binary_operator" {
		return ""
	}
	side := "lhs"
	if n.Field == "lhs" {
		side = "rhs"
	}
	return fieldName(side)(t, p)
}
