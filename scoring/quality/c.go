package quality

import "assay/scoring/syntax"

func cDialect() *dialect {
	return &dialect{
		roles: map[string]role{
			"function_definition": function, "lambda_expression": lambda,
			"if_statement": structural | branch, "for_statement": structural | branch,
			"for_range_loop": structural | branch, "while_statement": structural | branch,
			"do_statement": structural | branch, "conditional_expression": structural | branch,
			"switch_statement": structural, "case_statement": branch, "catch_clause": structural,
		},
		refine: refiners(ifElse, labelled, func(n *syntax.Node, r role) role {
			if n.Kind == "case_statement" && has(n, "default") {
				return 0
			}
			return r
		}),
		nests:    braceNests("case_statement"),
		name:     declaredName,
		operator: boolean("binary_expression", "&&", "||", "and", "or"),
		through:  "parenthesized_expression",
		constructs: map[string]Construct{
			"if_statement": If, "conditional_expression": If,
			"for_statement": Loop, "for_range_loop": Loop, "while_statement": Loop, "do_statement": Loop,
			"init_declarator": Assign, "assignment_expression": Assign,
			"call_expression": Call, "new_expression": Call, "function_definition": FunctionDef,
			"subscript_expression": Subscript, "unary_expression": Op, "update_expression": Op, "pointer_expression": Op,
			"initializer_list": DataStruct, "throw_statement": Raise, "try_statement": Try,
			"preproc_include": Import, "lambda_expression": Lambda, "field_expression": Attribute,
		},
		construct: binaryConstruct("binary_expression"),
		comments:  set("comment"), whole: set("raw_string_literal"),
		ledger: newNestedLedger,
	}
}

// cppDialect is also used for C: the kinds that only C++ has do not occur there.
func cppDialect() *dialect {
	d := cDialect()
	d.roles["class_specifier"], d.roles["struct_specifier"] = class, class
	return d
}

// declaredName returns the function's name from its declarators.
func declaredName(t *syntax.Tree, n *syntax.Node) string {
	for d := n.Child("declarator"); d != nil; {
		next := d.Child("declarator")
		if next == nil {
			if d.Kind == "reference_declarator" { // its declarator is not a field
				next = firstNamed(d)
			}
			if next == nil {
				return t.Text(d)
			}
		}
		d = next
	}
	return ""
}
