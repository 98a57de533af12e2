package strength

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/scoring/syntax"
)

// Mutant is a program with one small fault.
type Mutant struct {
	Operator string // the mutation operator: "comparison", "constant", …
	Line     int    // from 1
	Was, Is  string // the text that was replaced, and its replacement
	Source   string // the whole program
}

// diff shows the lines in which a mutant differs from the program.
func (m Mutant) diff(original string) string {
	before, after := strings.Split(original, "\n"), strings.Split(m.Source, "\n")
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@@ line %d @@\n", head+1)
	for _, line := range before[head : len(before)-tail] {
		b.WriteString("-" + line + "\n")
	}
	for _, line := range after[head : len(after)-tail] {
		b.WriteString("+" + line + "\n")
	}
	return b.String()
}

// The mutation operators as named in results: the classical ones (DeMillo, Lipton and Sayward 1978; Offutt
// et al. 1996), adapted to Python's syntax.
const (
	Arithmetic = "arithmetic" // + for -, * for //, & for |, … also with =
	Comparison = "comparison" // < for <=, == for !=, in for not in, …: boundaries and negations
	Logic      = "logic"      // and for or; not x becomes x
	Constant   = "constant"   // a number plus or minus one, True for False, another string
	Condition  = "condition"  // the test of if, while, a conditional expression or a filter is always true, or never
	Return     = "return"     // None is returned instead
	Deletion   = "deletion"   // a statement is removed
	Jump       = "jump"       // break for continue
)

// Mutants lists the mutants of a Python program in text order. Each differs in one place and parses. It
// does not change docstrings and annotations, imports, definitions, messages of raised exceptions, and
// assert statements, since tests are not expected to notice.
func Mutants(source string) ([]Mutant, error) {
	tree, err := syntax.Parse("python", []byte(source))
	if err != nil {
		return nil, err
	}
	if !tree.Valid {
		return nil, fmt.Errorf("the program does not parse")
	}
	w := &walker{tree: tree, source: source}
	w.node(tree.Root)
	seen := map[string]bool{source: true}
	var valid []Mutant
	for _, m := range w.found {
		if seen[m.Source] {
			continue
		}
		seen[m.Source] = true
		if t, err := syntax.Parse("python", []byte(m.Source)); err == nil && t.Valid {
			valid = append(valid, m)
		}
	}
	slices.SortStableFunc(valid, func(a, b Mutant) int { return cmp.Compare(a.Line, b.Line) })
	return valid, nil
}

type walker struct {
	tree   *syntax.Tree
	source string
	found  []Mutant
}

// change adds the mutant with the node's text replaced.
func (w *walker) change(operator string, n *syntax.Node, is string) {
	w.replace(operator, n.Start, n.End, is)
}

func (w *walker) replace(operator string, start, end int, is string) {
	w.found = append(w.found, Mutant{
		Operator: operator, Line: 1 + strings.Count(w.source[:start], "\n"),
		Was: w.source[start:end], Is: is, Source: w.source[:start] + is + w.source[end:],
	})
}

var (
	arithmetic = map[string]string{
		"+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "//", "**": "*", "@": "+",
		"&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<",
	}
	comparison = map[string][]string{
		"<": {"<=", ">="}, "<=": {"<", ">"}, ">": {">=", "<="}, ">=": {">", "<"}, "==": {"!="}, "!=": {"=="}, "<>": {"=="},
		"in": {"not in"}, "not in": {"in"}, "is": {"is not"}, "is not": {"is"},
	}
	logic = map[string]string{"and": "or", "or": "and"}
)

// node mutates a node and its descendants.
func (w *walker) node(n *syntax.Node) {
	switch n.Kind {
	case "import_statement", "import_from_statement", "future_import_statement", "assert_statement", "type", "comment":
		return
	case "raise_statement": // its messages are for people
		w.delete(n)
		return
	case "string":
		w.text(n)
		return
	case "expression_statement":
		if docstring(n) {
			return
		}
	}
	w.statement(n)
	w.operator(n)
	w.condition(n)
	w.constant(n)
	for _, c := range n.Children {
		if c.Field == "type" || c.Field == "return_type" {
			continue // annotations
		}
		w.node(c)
	}
}

func (w *walker) statement(n *syntax.Node) {
	switch n.Kind {
	case "expression_statement", "delete_statement", "global_statement", "nonlocal_statement":
		w.delete(n)
	case "return_statement":
		if value := firstNamed(n); value != nil && w.tree.Text(value) != "None" {
			w.change(Return, n, "return None")
		}
	case "break_statement":
		w.change(Jump, n, "continue")
	case "continue_statement":
		w.change(Jump, n, "break")
	}
}

func (w *walker) operator(n *syntax.Node) {
	op := n.Child("operator")
	switch n.Kind {
	case "binary_operator":
		if op != nil && arithmetic[op.Kind] != "" && !textual(n) {
			w.change(Arithmetic, op, arithmetic[op.Kind])
		}
	case "augmented_assignment":
		if op != nil {
			if other, ok := arithmetic[strings.TrimSuffix(op.Kind, "=")]; ok {
				w.change(Arithmetic, op, other+"=")
			}
		}
	case "comparison_operator":
		for _, op := range n.Children {
			for _, other := range comparison[w.tree.Text(op)] {
				w.change(Comparison, op, other)
			}
		}
	case "boolean_operator":
		if op != nil && logic[op.Kind] != "" {
			w.change(Logic, op, logic[op.Kind])
		}
	case "not_operator":
		if value := n.Child("argument"); value != nil {
			w.change(Logic, n, "("+w.tree.Text(value)+")")
		}
	case "unary_operator":
		if value := n.Child("argument"); value != nil && w.tree.Text(n)[0] == '-' {
			w.change(Arithmetic, n, "("+w.tree.Text(value)+")")
		}
	}
}

func (w *walker) condition(n *syntax.Node) {
	switch n.Kind {
	case "if_statement", "elif_clause", "while_statement":
		if test := n.Child("condition"); test != nil {
			if n.Kind != "while_statement" && w.tree.Text(test) != "True" {
				w.change(Condition, test, "True")
			}
			w.change(Condition, test, "False")
		}
	case "conditional_expression":
		if children := namedChildren(n); len(children) == 3 {
			w.change(Condition, children[1], "True")
			w.change(Condition, children[1], "False")
		}
	case "if_clause": // in a comprehension
		if test := firstNamed(n); test != nil {
			w.change(Condition, test, "True")
		}
	}
}

func (w *walker) constant(n *syntax.Node) {
	switch n.Kind {
	case "integer":
		if value, err := strconv.ParseInt(strings.ReplaceAll(w.tree.Text(n), "_", ""), 0, 64); err == nil {
			w.change(Constant, n, strconv.FormatInt(value+1, 10))
			if value > 0 {
				w.change(Constant, n, strconv.FormatInt(value-1, 10))
			}
		}
	case "float":
		w.change(Constant, n, "("+w.tree.Text(n)+" + 1)")
	case "true":
		w.change(Constant, n, "False")
	case "false":
		w.change(Constant, n, "True")
	}
}

// text mutates a string: the empty one becomes "XX", and any other is framed by X. An f-string is mutated
// within its braces.
func (w *walker) text(n *syntax.Node) {
	if p := n.Parent; p != nil && p.Kind == "concatenated_string" && p.Children[0] != n {
		return // one change for all of its pieces
	}
	hasValue := false
	for _, c := range n.Children {
		if c.Kind == "interpolation" {
			hasValue = true
			w.node(c)
		}
	}
	if len(n.Children) < 2 {
		return
	}
	first, last := n.Children[0], n.Children[len(n.Children)-1]
	if first.Kind != "string_start" || last.Kind != "string_end" || hasValue {
		return
	}
	inner := w.source[first.End:last.Start]
	w.replace(Constant, first.End, last.Start, "X"+inner+"X")
}

// delete replaces a statement by one that does nothing.
func (w *walker) delete(n *syntax.Node) { w.change(Deletion, n, "pass") }

// docstring reports whether a statement is only a string, or "...".
func docstring(n *syntax.Node) bool {
	value := firstNamed(n)
	return value != nil && (value.Kind == "string" || value.Kind == "concatenated_string" || value.Kind == "ellipsis")
}

// textual reports whether an operator joins or formats text: replacing it is then an error that any test
// notices, which tells nothing.
func textual(n *syntax.Node) bool {
	for _, side := range []string{"left", "right"} {
		if c := n.Child(side); c != nil && (c.Kind == "string" || c.Kind == "concatenated_string") {
			return true
		}
	}
	return false
}

func firstNamed(n *syntax.Node) *syntax.Node {
	if children := namedChildren(n); len(children) > 0 {
		return children[0]
	}
	return nil
}

func namedChildren(n *syntax.Node) []*syntax.Node {
	var children []*syntax.Node
	for _, c := range n.Children {
		if c.Named && c.Kind != "comment" {
			children = append(children, c)
		}
	}
	return children
}
