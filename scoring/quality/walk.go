package quality

import "assay/scoring/syntax"

// walker walks a tree once, in the same way for every language. Its recursion is as deep as the tree, which
// package syntax limits.
type walker struct {
	*dialect
	tree       *syntax.Tree
	m          Measures
	ledger     ledger
	open       []int                 // indices of the open functions
	considered map[*syntax.Node]bool // boolean operations of runs already counted
}

// ledger computes cognitive complexity: languages differ in which functions a nested function adds to.
type ledger interface {
	enter(n *syntax.Node, nested bool) // a function that the walker has just opened
	leave(n *syntax.Node, nested bool)
	enterClass()
	leaveClass()
	deepen(by int)
	point(structural bool)
	file() int
}

func (w *walker) visit(n *syntax.Node) {
	if !w.tree.Own.Has(n) {
		return
	}
	r := w.roleOf(n)
	nested := n.Named && w.nests != nil && w.nests(n)
	if nested {
		w.ledger.deepen(1)
	}
	if r&function != 0 {
		w.begin(n)
		w.ledger.enter(n, nested)
	}
	if saw, ok := w.ledger.(interface{ sawReturn(*syntax.Node) }); ok && n.Kind == "return_statement" {
		saw.sawReturn(n)
	}
	w.score(n, r)
	deeper := r&(deepens|lambda) != 0
	if deeper {
		w.ledger.deepen(1)
	}
	if r&class != 0 {
		w.ledger.enterClass()
	}
	for _, c := range n.Children {
		w.visit(c)
	}
	if r&class != 0 {
		w.ledger.leaveClass()
	}
	if deeper {
		w.ledger.deepen(-1)
	}
	if nested {
		w.ledger.deepen(-1)
	}
	if r&function != 0 {
		w.ledger.leave(n, nested)
		w.open = w.open[:len(w.open)-1]
	}
}

// begin opens a function.
func (w *walker) begin(n *syntax.Node) {
	line := n.Line
	if w.line != nil {
		line = w.line(n)
	}
	w.m.Functions = append(w.m.Functions, Function{Name: w.name(w.tree, n), Line: w.tree.Own.Line(line)})
	w.open = append(w.open, len(w.m.Functions)-1)
}

// score adds a node's own complexity.
func (w *walker) score(n *syntax.Node, r role) {
	if r&(branch|function) != 0 {
		w.cyclomatic()
	}
	if r&structural != 0 {
		w.ledger.point(true)
	}
	if r&flat != 0 {
		w.ledger.point(false)
	}
	if n.Named && w.operator(n) != "" {
		w.cyclomatic()
		w.run(n)
	}
	if !n.Named {
		return
	}
	if c, known := w.dialect.constructs[n.Kind]; known {
		w.m.Constructs.add(c)
	}
	if w.construct != nil {
		w.construct(n, w.m.Constructs.add)
	}
}

// cyclomatic adds one to the file and to the innermost function.
func (w *walker) cyclomatic() {
	w.m.Cyclomatic++
	if len(w.open) > 0 {
		w.m.Functions[w.open[len(w.open)-1]].Cyclomatic++
	}
}

// run counts the changes of operator in a run of boolean operations, once for the
// outermost of them.
func (w *walker) run(n *syntax.Node) {
	if w.considered[n] {
		return
	}
	if w.shortens != nil {
		if free := w.shortens(n); free != nil {
			for _, f := range free {
				w.considered[f] = true
			}
			return
		}
	}
	previous := ""
	for _, operator := range w.flatten(n, nil) {
		if operator != previous && !w.free[operator] {
			w.ledger.point(false)
		}
		previous = operator
	}
}

// flatten lists the operators of a run in the order of the text.
func (w *walker) flatten(n *syntax.Node, operators []string) []string {
	for w.through != "" && n != nil && n.Kind == w.through {
		n = firstNamed(n)
	}
	if n == nil {
		return operators
	}
	operator := w.operator(n)
	if operator == "" {
		return operators
	}
	w.considered[n] = true
	sides := namedChildren(n)
	if len(sides) > 0 {
		operators = w.flatten(sides[0], operators)
	}
	operators = append(operators, operator)
	if len(sides) > 1 {
		operators = w.flatten(sides[len(sides)-1], operators)
	}
	return operators
}
