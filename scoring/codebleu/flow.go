package codebleu

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/scoring/syntax"
)

// edge is the origin of a variable's value at one place.
type edge struct {
	name  string
	at    int // the token's index in the text
	how   string
	names []string // the variables or values it comes from
	from  []int    // their tokens
}

// The kinds of edges.
const (
	comes    = "comesFrom"
	computed = "computedFrom"
)

// dataFlowMatch returns the share of the references' edges that the candidate has, and whether the references
// have any.
func dataFlowMatch(candidate *text, references []*text) (share float64, any bool) {
	matched, all := 0, 0
	for _, r := range references {
		have := map[string]int{}
		for _, e := range candidate.flow {
			have[e.key()]++
		}
		all += len(r.flow)
		for _, e := range r.flow {
			if have[e.key()] > 0 {
				have[e.key()]--
				matched++
			}
		}
	}
	if all == 0 {
		return 0, false
	}
	return float64(matched) / float64(all), true
}

func (e edge) key() string { return e.name + "\x00" + e.how + "\x00" + strings.Join(e.names, "\x00") }

// normalized renames variables to numbers in the order of their appearance.
func normalized(flow []edge) []edge {
	numbers := map[string]string{}
	number := func(name string) string {
		if _, known := numbers[name]; !known {
			numbers[name] = string(rune('0' + len(numbers)))
		}
		return numbers[name]
	}
	var all []edge
	for _, e := range flow {
		n := edge{how: e.how}
		for _, name := range e.names {
			n.names = append(n.names, number(name))
		}
		n.name = number(e.name)
		all = append(all, n)
	}
	return all
}

// dataFlow returns the edges of a program: those of variables that others depend on, or that depend on
// others, merged by place.
func dataFlow(t *syntax.Tree, mode Mode) ([]edge, error) {
	f := &flow{tree: t, index: map[*syntax.Node]int{}, code: map[*syntax.Node]string{}}
	f.number(mode)
	edges, err := f.safely()
	if err != nil {
		return nil, err
	}
	used := map[int]bool{}
	for _, e := range edges {
		if len(e.from) > 0 {
			used[e.at] = true
		}
		for _, i := range e.from {
			used[i] = true
		}
	}
	var merged []edge
	place := map[int]int{}
	for _, e := range edges {
		if !used[e.at] {
			continue
		}
		if i, known := place[e.at]; known {
			e.names, e.from = union(merged[i].names, e.names), union(merged[i].from, e.from)
			merged[i] = e
			continue
		}
		place[e.at] = len(merged)
		merged = append(merged, e)
	}
	return merged, nil
}

// union removes duplicates, keeping the order of first appearance.
func union[T comparable](a, b []T) []T {
	seen := map[T]bool{}
	var all []T
	for _, v := range slices.Concat(a, b) {
		if !seen[v] {
			seen[v] = true
			all = append(all, v)
		}
	}
	return all
}

// flow follows the values through a syntax tree.
type flow struct {
	tree  *syntax.Tree
	index map[*syntax.Node]int    // of the tokens
	code  map[*syntax.Node]string // their text
	steps int
}

// maxSteps bounds the work: each loop around a loop doubles it.
const maxSteps = 1_000_000

// number numbers the tokens and stores their text.
func (f *flow) number(mode Mode) {
	lines := strings.Split(string(f.tree.Source), "\n")
	tokens := leaves(f.tree.Root)
	last := map[[2]int]int{}
	for i, leaf := range tokens {
		f.index[leaf] = i
		f.code[leaf] = f.tree.Text(leaf)
		last[[2]int{leaf.Start, leaf.End}] = i
	}
	if mode != Reference {
		return
	}
	for _, leaf := range tokens {
		f.index[leaf] = last[[2]int{leaf.Start, leaf.End}]
		f.code[leaf] = shifted(lines, f.tree, leaf)
	}
}

// shifted returns the text of a token if byte columns are mistaken for character columns.
func shifted(lines []string, t *syntax.Tree, n *syntax.Node) string {
	cut := func(line int, from, to int) string {
		if line >= len(lines) || utf8.RuneCountInString(lines[line]) == len(lines[line]) {
			if line < len(lines) {
				s := lines[line]
				if to < 0 {
					to = len(s)
				}
				return s[min(from, len(s)):max(min(to, len(s)), min(from, len(s)))]
			}
			return ""
		}
		r := []rune(lines[line])
		if to < 0 {
			to = len(r)
		}
		from = min(from, len(r))
		return string(r[from:max(min(to, len(r)), from)])
	}
	first, last := n.Line-1, n.Line-1+strings.Count(t.Text(n), "\n")
	endColumn := n.End - (strings.LastIndexByte(string(t.Source[:n.End]), '\n') + 1)
	if first == last {
		return cut(first, n.Column, endColumn)
	}
	text := cut(first, n.Column, -1)
	for line := first + 1; line < last; line++ {
		text += cut(line, 0, -1)
	}
	return text + cut(last, 0, endColumn)
}

// missing is the panic value for a construct that lacks a part, as in broken code: such a program has no
// data flow.
type missing struct{}

// tooHard is the panic value beyond maxSteps.
type tooHard struct{}

func (f *flow) safely() (edges []edge, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case missing:
			edges = nil
		case tooHard:
			edges, err = nil, fmt.Errorf("following the data flow: %w", syntax.ErrTooHard)
		default:
			panic(r)
		}
	}()
	edges, _ = f.follow(f.tree.Root, states{})
	return edges, nil
}

// states maps each variable to the tokens that last gave it its value.
type states map[string][]int

func sorted(edges []edge) []edge {
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	return edges
}

// follow returns the edges below a node and the states after it. It does not modify the states passed in.
func (f *flow) follow(n *syntax.Node, s states) ([]edge, states) {
	if f.steps++; f.steps > maxSteps {
		panic(tooHard{})
	}
	s = maps.Clone(s)
	switch {
	case isToken(n):
		return f.token(n, s)
	case n.Kind == "default_parameter":
		return f.parameter(n, s)
	case n.Kind == "assignment" || n.Kind == "augmented_assignment" || n.Kind == "for_in_clause":
		return f.assign(n, s)
	case n.Kind == "if_statement":
		return f.branch(n, s)
	case n.Kind == "for_statement":
		return f.loop(n, s, func(s states) ([]edge, states) { return f.forOnce(n, s) })
	case n.Kind == "while_statement":
		return f.loop(n, s, func(s states) ([]edge, states) { return f.all(n.Children, s) })
	}
	// The clauses of a comprehension that bind names come before the parts that use them.
	var first, rest []*syntax.Node
	for _, c := range n.Children {
		if c.Kind == "for_in_clause" {
			first = append(first, c)
		} else {
			rest = append(rest, c)
		}
	}
	edges, s := f.all(append(first, rest...), s)
	return sorted(edges), s
}

func (f *flow) all(nodes []*syntax.Node, s states) ([]edge, states) {
	var edges []edge
	for _, c := range nodes {
		var more []edge
		more, s = f.follow(c, s)
		edges = append(edges, more...)
	}
	return edges, s
}

func (f *flow) token(n *syntax.Node, s states) ([]edge, states) {
	code, at := f.code[n], f.index[n]
	switch from, known := s[code]; {
	case n.Kind == code:
		return nil, s
	case known:
		return []edge{{code, at, comes, []string{code}, slices.Clone(from)}}, s
	}
	if n.Kind == "identifier" {
		s[code] = []int{at}
	}
	return []edge{{code, at, comes, nil, nil}}, s
}

// variables returns the tokens below a node that are neither operators nor keywords.
func (f *flow) variables(n *syntax.Node) []*syntax.Node {
	if n == nil {
		panic(missing{})
	}
	return slices.DeleteFunc(leaves(n), func(leaf *syntax.Node) bool { return leaf.Kind == f.code[leaf] })
}

func (f *flow) parameter(n *syntax.Node, s states) ([]edge, states) {
	name, value := n.Child("name"), n.Child("value")
	var edges []edge
	if value != nil {
		edges, s = f.follow(value, s)
	}
	for _, v := range f.variables(name) {
		if value == nil {
			edges = append(edges, edge{f.code[v], f.index[v], comes, nil, nil})
		} else {
			for _, from := range f.variables(value) {
				edges = append(edges, edge{f.code[v], f.index[v], comes, []string{f.code[from]}, []int{f.index[from]}})
			}
		}
		s[f.code[v]] = []int{f.index[v]}
	}
	return sorted(edges), s
}

// sides pairs assignment targets with values.
func sides(n *syntax.Node) (left, right []*syntax.Node) {
	l, r := n.Child("left"), n.Child("right")
	if l == nil || r == nil {
		panic(missing{})
	}
	comma := func(c *syntax.Node) bool { return c.Kind == "," }
	left = slices.DeleteFunc(slices.Clone(l.Children), comma)
	right = slices.DeleteFunc(slices.Clone(r.Children), comma)
	if len(left) != len(right) || len(left) == 0 {
		return []*syntax.Node{l}, []*syntax.Node{r}
	}
	return left, right
}

func (f *flow) assign(n *syntax.Node, s states) ([]edge, states) {
	var left, right []*syntax.Node
	switch {
	case n.Kind == "for_in_clause":
		left, right = []*syntax.Node{n.Child("left")}, n.Children[len(n.Children)-1:]
	case n.Child("right") == nil:
		return nil, s // a declaration
	default:
		left, right = sides(n)
	}
	edges, s := f.all(right, s)
	return sorted(append(edges, f.bind(left, right, s)...)), s
}

// bind adds edges from the variables on the right to those on the left.
func (f *flow) bind(left, right []*syntax.Node, s states) []edge {
	var edges []edge
	for i := range left {
		var names []string
		var from []int
		for _, v := range f.variables(right[i]) {
			names, from = append(names, f.code[v]), append(from, f.index[v])
		}
		for _, v := range f.variables(left[i]) {
			edges = append(edges, edge{f.code[v], f.index[v], computed, names, from})
			s[f.code[v]] = []int{f.index[v]}
		}
	}
	return edges
}

// branch joins the states after all branches.
func (f *flow) branch(n *syntax.Node, s states) ([]edge, states) {
	var edges, more []edge
	var ends []states
	current, hasElse := maps.Clone(s), false
	for _, c := range n.Children {
		hasElse = hasElse || strings.Contains(c.Kind, "else")
		if c.Kind != "elif_clause" && c.Kind != "else_clause" {
			more, current = f.follow(c, current)
		} else {
			var end states
			more, end = f.follow(c, s)
			ends = append(ends, end)
		}
		edges = append(edges, more...)
	}
	ends = append(ends, current)
	if !hasElse {
		ends = append(ends, s)
	}
	joined := states{}
	for _, end := range ends {
		for name, from := range end {
			joined[name] = append(joined[name][:len(joined[name]):len(joined[name])], from...)
		}
	}
	for name, from := range joined {
		slices.Sort(from)
		joined[name] = slices.Compact(from)
	}
	return sorted(edges), joined
}

// loop follows a loop twice, so that values of one round reach the next.
func (f *flow) loop(n *syntax.Node, s states, once func(states) ([]edge, states)) ([]edge, states) {
	var edges []edge
	for range 2 {
		var more []edge
		more, s = once(s)
		edges = append(edges, more...)
	}
	type place struct {
		name string
		at   int
		how  string
	}
	at := map[place]int{}
	var merged []edge
	for _, e := range edges {
		key := place{e.name, e.at, e.how}
		if i, known := at[key]; known {
			m := &merged[i]
			m.names, m.from = union(m.names, e.names), union(m.from, e.from)
			slices.Sort(m.from)
			continue
		}
		at[key] = len(merged)
		merged = append(merged, e)
	}
	return sorted(merged), s
}

// forOnce follows one round of a for statement.
func (f *flow) forOnce(n *syntax.Node, s states) ([]edge, states) {
	left, right := sides(n)
	edges, s := f.all(right, s)
	edges = append(edges, f.bind(left, right, s)...)
	if last := n.Children[len(n.Children)-1]; last.Kind == "block" {
		var more []edge
		more, s = f.follow(last, s)
		edges = append(edges, more...)
	}
	return edges, s
}
