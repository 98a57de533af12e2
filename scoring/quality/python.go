package quality

import "assay/scoring/syntax"

// pythonDialect counts like SonarQube's Python analyser: ComplexityVisitor, CognitiveComplexityVisitor and
// FileLinesVisitor of sonar-python.
func pythonDialect() *dialect {
	return &dialect{
		roles: map[string]role{
			"if_statement": structural | branch, "elif_clause": flat, "else_clause": flat,
			"for_statement": structural | branch, "while_statement": structural | branch,
			"except_clause": structural, "except_group_clause": structural,
			"conditional_expression": structural | branch | deepens,
			"if_clause":              branch, // of a comprehension
			"function_definition":    function, "decorated_definition": function,
			"class_definition": class,
		},
		refine: func(n *syntax.Node, r role) role {
			switch n.Kind {
			case "if_clause":
				if n.Field == "guard" { // of a case
					return 0
				}
			case "decorated_definition": // decorators belong to their function
				if d := n.Child("definition"); d == nil || d.Kind != "function_definition" {
					return 0
				}
			case "function_definition":
				if n.Parent != nil && n.Parent.Kind == "decorated_definition" {
					return 0
				}
			}
			return r
		},
		nests: func(n *syntax.Node) bool {
			if n.Kind != "block" || n.Parent == nil {
				return false
			}
			switch n.Parent.Kind {
			case "if_statement", "elif_clause", "else_clause", "for_statement", "while_statement",
				"except_clause", "except_group_clause", "case_clause":
				return true
			}
			return false
		},
		name: func(t *syntax.Tree, n *syntax.Node) string {
			return fieldName("name")(t, pythonFunction(n))
		},
		line:       func(n *syntax.Node) int { return pythonFunction(n).Line },
		wraps:      pythonWraps,
		operator:   boolean("boolean_operator", "and", "or"),
		constructs: pythonConstructs(),
		construct:  pythonConstruct,
		comments:   set("comment"),
		whole:      set("string"),
		skip:       set("line_continuation"),
		docstrings: pythonDocstrings,
		unmarked:   "NOSONAR",
		invalid:    pythonInvalid,
		ledger:     newNestedLedger,
	}
}

// pythonFunction returns the function inside its decorators.
func pythonFunction(n *syntax.Node) *syntax.Node {
	if n.Kind == "decorated_definition" {
		return n.Child("definition")
	}
	return n
}

// pythonWraps reports whether a function only defines another one and returns a name: the pattern of a
// decorator, which does not nest.
func pythonWraps(outer, inner *syntax.Node) bool {
	body := pythonFunction(outer).Child("body")
	if body == nil {
		return false
	}
	for _, statement := range namedChildren(body) {
		if statement == inner {
			continue
		}
		if statement.Kind != "return_statement" {
			return false
		}
		value := firstNamed(statement)
		if value != nil && value.Kind == "expression_list" && len(namedChildren(value)) == 1 {
			value = firstNamed(value)
		}
		if value == nil || (value.Kind != "identifier" && value.Kind != "true" && value.Kind != "false") {
			return false
		}
	}
	return true
}

// pythonDocstrings returns the strings that come first in a file, class or function.
func pythonDocstrings(t *syntax.Tree) []*syntax.Node {
	var found []*syntax.Node
	look := func(body *syntax.Node) {
		if body == nil {
			return
		}
		first := firstNamed(body)
		if first == nil || first.Kind != "expression_statement" || len(namedChildren(first)) != 1 || has(first, ",") {
			return
		}
		switch s := firstNamed(first); s.Kind {
		case "string":
			found = append(found, s)
		case "concatenated_string":
			found = append(found, namedChildren(s)...)
		}
	}
	look(t.Root)
	syntax.Walk(t.Root, func(n *syntax.Node) bool {
		if n.Kind == "function_definition" || n.Kind == "class_definition" {
			look(n.Child("body"))
		}
		return true
	})
	return found
}

func pythonConstructs() map[string]Construct {
	return map[string]Construct{
		"if_statement": If, "elif_clause": If, "conditional_expression": If,
		"for_statement": Loop, "while_statement": Loop, "for_in_clause": Comprehension,
		"augmented_assignment": Assign, "named_expression": Assign,
		"comparison_operator": Compare, "call": Call, "function_definition": FunctionDef,
		"subscript": Subscript, "generic_type": Subscript,
		"binary_operator": Op, "unary_operator": Op, "not_operator": Op, "union_type": Op,
		"list": DataStruct, "tuple": DataStruct, "set": DataStruct, "dictionary": DataStruct,
		"pattern_list": DataStruct, "tuple_pattern": DataStruct, "list_pattern": DataStruct,
		"raise_statement": Raise, "try_statement": Try,
		"import_statement": Import, "import_from_statement": Import, "future_import_statement": Import,
		"lambda": Lambda, "attribute": Attribute,
	}
}

func pythonConstruct(n *syntax.Node, count func(Construct)) {
	switch n.Kind {
	case "assignment": // a = b = c counts once, and a: int counts
		if n.Parent == nil || n.Parent.Kind != "assignment" {
			count(Assign)
		}
	case "augmented_assignment":
		count(Op)
	case "boolean_operator": // a run of one operator counts once
		operator := boolean("boolean_operator", "and", "or")
		if n.Field != "left" || n.Parent == nil || operator(n.Parent) != operator(n) {
			count(Op)
		}
	case "expression_list":
		if n.Parent == nil || n.Parent.Kind != "delete_statement" {
			count(DataStruct)
		}
	case "expression_statement": // a, b
		if has(n, ",") {
			count(DataStruct)
		}
	case "subscript", "type_parameter": // a[1, 2] contains a tuple
		if has(n, ",") {
			count(DataStruct)
		}
	}
}
