package quality

import (
	"unicode"
	"unicode/utf8"

	"assay/scoring/syntax"
)

// javascriptDialect counts like SonarQube's JavaScript analyser: rules S1541 and S3776, as published in
// eslint-plugin-sonarjs.
func javascriptDialect() *dialect {
	return &dialect{
		roles: map[string]role{
			"function_declaration": function, "generator_function_declaration": function,
			"function_expression": function, "generator_function": function,
			"arrow_function": function, "method_definition": function,
			"if_statement": structural | branch, "else_clause": flat,
			"for_statement": structural | branch, "for_in_statement": structural | branch,
			"while_statement": structural | branch, "do_statement": structural | branch,
			"ternary_expression": structural | branch,
			"switch_statement":   structural, "switch_case": branch,
			"catch_clause": structural,
		},
		refine:     javascriptRefine,
		nests:      javascriptNests,
		name:       javascriptName,
		operator:   boolean("binary_expression", "&&", "||", "??"),
		free:       set("||", "??"),
		through:    "parenthesized_expression",
		shortens:   javascriptShortens,
		constructs: javascriptConstructs(),
		construct:  binaryConstruct("binary_expression"),
		comments:   set("comment", "html_comment"),
		whole:      set("template_string"),
		unmarked:   "NOSONAR",
		ledger:     newOwnLedger,
		invalid:    javascriptInvalid,
	}
}

func javascriptRefine(n *syntax.Node, r role) role {
	switch n.Kind {
	case "if_statement":
		if n.Parent != nil && n.Parent.Kind == "else_clause" {
			return branch | flat
		}
	case "else_clause":
		if body := firstNamed(n); body != nil && body.Kind == "if_statement" {
			return 0
		}
	case "break_statement", "continue_statement":
		if n.Child("label") != nil {
			return flat
		}
	}
	return r
}

func javascriptNests(n *syntax.Node) bool {
	if n.Kind == "parenthesized_expression" || isComment(n) {
		return false
	}
	n = outer(n)
	if n.Parent == nil {
		return false
	}
	switch n.Parent.Kind {
	case "if_statement":
		return n.Field == "consequence"
	case "else_clause":
		return n.Kind != "if_statement"
	case "for_statement", "for_in_statement", "while_statement", "do_statement", "catch_clause":
		return n.Field == "body"
	case "ternary_expression":
		return n.Field == "consequence" || n.Field == "alternative"
	case "switch_body":
		return true
	}
	return false
}

// javascriptName returns the name of a function, or of the variable it is assigned to.
func javascriptName(t *syntax.Tree, n *syntax.Node) string {
	if name := n.Child("name"); name != nil {
		return t.Text(name)
	}
	n = outer(n)
	if n.Parent == nil {
		return ""
	}
	switch p := n.Parent; p.Kind {
	case "variable_declarator":
		return fieldName("name")(t, p)
	case "pair":
		return fieldName("key")(t, p)
	case "field_definition":
		return fieldName("property")(t, p)
	case "assignment_expression":
		return fieldName("left")(t, p)
	}
	return ""
}

// javascriptShortens lists the boolean operations of {a && b && <c/>}, JSX's way of writing if, which cost
// nothing.
func javascriptShortens(n *syntax.Node) []*syntax.Node {
	if p := outer(n).Parent; p == nil || p.Kind != "jsx_expression" {
		return nil
	}
	operator := boolean("binary_expression", "&&", "||", "??")
	var all []*syntax.Node
	var plain func(at *syntax.Node) bool
	plain = func(at *syntax.Node) bool {
		at = inner(at)
		switch {
		case at == nil:
			return true
		case at.Kind == "ternary_expression":
			return false
		case operator(at) == "":
			return true
		case operator(at) != operator(n):
			return false
		}
		all = append(all, at)
		return plain(at.Child("left")) && plain(at.Child("right"))
	}
	if !plain(n) {
		return nil
	}
	return all
}

func javascriptConstructs() map[string]Construct {
	return map[string]Construct{
		"if_statement": If, "ternary_expression": If,
		"for_statement": Loop, "for_in_statement": Loop, "while_statement": Loop, "do_statement": Loop,
		"variable_declarator": Assign, "assignment_expression": Assign, "augmented_assignment_expression": Assign,
		"call_expression": Call, "new_expression": Call,
		"function_declaration": FunctionDef, "generator_function_declaration": FunctionDef,
		"method_definition": FunctionDef,
		"arrow_function":    Lambda, "function_expression": Lambda, "generator_function": Lambda,
		"subscript_expression": Subscript, "member_expression": Attribute,
		"unary_expression": Op, "update_expression": Op,
		"array": DataStruct, "object": DataStruct, "array_pattern": DataStruct, "object_pattern": DataStruct,
		"throw_statement": Raise, "try_statement": Try, "import_statement": Import,
	}
}

// ownLedger is the cognitive complexity of SonarQube's JavaScript analyser. A function's complexity
// excludes the functions inside it. The file's is the sum over its outermost functions. A function one
// level below counts as nested in an outermost function with control flow of its own; otherwise, or if the
// outer one is a React component, it counts for itself.
type ownLedger struct {
	w       *walker
	total   int
	nesting int
	own     []int // levels of control flow around, in each open function
	index   []int // of the open functions

	topOwn, topSecond, topAlone int  // of the outermost function: its own, and its inner functions' nested and not
	structural                  bool // it has control flow of its own
	capital, returnsJSX         bool // hints of a React component
}

func newOwnLedger(w *walker) ledger { return &ownLedger{w: w} }

func (l *ownLedger) enter(n *syntax.Node, _ bool) {
	switch len(l.own) {
	case 0:
		l.topOwn, l.topSecond, l.topAlone = 0, 0, 0
		l.structural, l.returnsJSX = false, false
		l.capital = capitalised(l.w.tree, n)
	case 1:
	default:
		l.nesting++
	}
	l.own = append(l.own, 0)
	l.index = append(l.index, len(l.w.m.Functions)-1)
}

// leave closes a function. A function that is itself the branch of a condition deepens the function around
// it but, as in the analyser, is undeepened while it is still open: what follows in the function around it
// stays one level deeper. And from the third level of functions on, the analyser notes such a function
// twice and releases it once.
func (l *ownLedger) leave(_ *syntax.Node, nested bool) {
	depth := len(l.own) - 1
	l.own, l.index = l.own[:depth], l.index[:depth]
	if depth >= 2 && !nested {
		l.nesting--
	}
	if depth == 0 {
		l.total += l.topOwn
		if l.structural && !(l.capital && l.returnsJSX) {
			l.total += l.topSecond
		} else {
			l.total += l.topAlone
		}
	}
}

func (l *ownLedger) enterClass() {}
func (l *ownLedger) leaveClass() {}
func (l *ownLedger) file() int   { return l.total }

func (l *ownLedger) deepen(by int) {
	l.nesting += by
	if len(l.own) > 0 {
		l.own[len(l.own)-1] += by
	}
}

func (l *ownLedger) point(structural bool) {
	added, mine := 1, 1
	if structural {
		added += l.nesting
		if len(l.own) > 0 {
			mine += l.own[len(l.own)-1]
		}
	}
	switch len(l.own) {
	case 0:
		l.total += added
		return
	case 1:
		l.topOwn += added
		l.structural = l.structural || structural
	default:
		l.topAlone += added
		l.topSecond += added
		if structural {
			l.topSecond++
		}
	}
	l.w.m.Functions[l.index[len(l.index)-1]].Cognitive += mine
}

// sawReturn records that the outermost function returns JSX.
func (l *ownLedger) sawReturn(n *syntax.Node) {
	if len(l.own) != 1 {
		return
	}
	if value := inner(firstNamed(n)); value != nil {
		l.returnsJSX = l.returnsJSX || value.Kind == "jsx_element" || value.Kind == "jsx_self_closing_element"
	}
}

// capitalised reports whether a function's name starts with a capital, like a component's.
func capitalised(t *syntax.Tree, n *syntax.Node) bool {
	name := n.Child("name")
	if n.Kind == "method_definition" {
		return false
	}
	if n = outer(n); name == nil && n.Parent != nil && n.Parent.Kind == "variable_declarator" {
		name = n.Parent.Child("name")
	}
	if name == nil || name.Kind != "identifier" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(t.Text(name))
	return unicode.ToUpper(r) == r
}
