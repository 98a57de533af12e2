package repository

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark/repository/patch"
	"assay/scoring/syntax"
)

// testSource is a file of tests.
type testSource struct {
	path string
	text string
	mode patch.Mode
}

// unit is a test in the text of a file, with the values that it expects.
type unit struct {
	source     *testSource
	file       int    // the file's index
	name       string // of the function, or the title
	start, end int    // of what is copied, from the beginning of its line if it is alone there
	named      [2]int // where the name is
	expected   []expected
	copies     bool  // a copy of its text is another test
	beside     []int // ends of tests after which a copy may stand
}

// expected is a literal that a test expects.
type expected struct {
	start, end int
	kind, text string
}

// edit replaces a part of a text.
type edit struct {
	start, end int
	text       string
}

// applyEdits applies edits that do not overlap. Those at one place stand in their order.
func applyEdits(text string, edits []edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(b.start, a.start) })
	for _, e := range edits {
		text = text[:e.start] + e.text + text[e.end:]
	}
	return text
}

// grammar says where tests and what they expect stand in the syntax trees of a language.
type grammar struct {
	function  string   // the kind of definitions of tests; "": tests are calls
	named     string   // what their names are like
	call      string   // the kind of calls
	compare   []string // kinds of comparisons
	inside    []string // kinds that are looked into for expected values
	number    []string
	text      []string // of literals in quotes
	truth     map[string]string
	anonymous bool   // tests in calls with a title
	never     string // a statement that fails whatever a call returns, by a format for the call and a word; "": none
}

var grammars = map[string]grammar{
	"python": {function: "function_definition", named: `^test`, call: "call", compare: []string{"comparison_operator"},
		inside: strings.Fields("assert_statement expression_statement parenthesized_expression boolean_operator list tuple set dictionary pair unary_operator not_operator argument_list"),
		number: []string{"integer", "float"}, text: []string{"string"}, truth: map[string]string{"true": "False", "false": "True"}, never: "assert (%s) == %q"},
	"go": {function: "function_declaration", named: `^Test([^a-z]|$)`, call: "call_expression", compare: []string{"binary_expression"},
		inside: strings.Fields("if_statement parenthesized_expression expression_list composite_literal literal_value literal_element keyed_element unary_expression argument_list"),
		number: []string{"int_literal", "float_literal"}, text: []string{"interpreted_string_literal", "raw_string_literal"}, truth: map[string]string{"true": "false", "false": "true"}},
	"javascript": {call: "call_expression", compare: []string{"binary_expression"}, anonymous: true,
		inside: strings.Fields("expression_statement parenthesized_expression array object pair unary_expression await_expression arguments return_statement"),
		number: []string{"number"}, text: []string{"string", "template_string"}, truth: map[string]string{"true": "false", "false": "true"},
		never: "if ((%s) !== %q) throw new Error()"},
	"c": {function: "function_definition", named: `(?i)test|check`, call: "call_expression", compare: []string{"binary_expression"}, anonymous: true,
		inside: strings.Fields("expression_statement if_statement parenthesized_expression unary_expression initializer_list argument_list"),
		number: []string{"number_literal"}, text: []string{"string_literal"}, truth: map[string]string{"true": "false", "false": "true"}},
	"java": {function: "method_declaration", named: ``, call: "method_invocation", compare: []string{"binary_expression"},
		inside: strings.Fields("expression_statement if_statement parenthesized_expression unary_expression array_initializer argument_list"),
		number: []string{"decimal_integer_literal", "decimal_floating_point_literal"}, text: []string{"string_literal"}, truth: map[string]string{"true": "false", "false": "true"}},
}

var (
	// asserts matches the last word of what is called to compare a value with the expected one.
	asserts = regexp.MustCompile(`(?i)assert|equal|^to(be|contain|have|match|strict)|^(eq|eql|equals?|is|same|deep|expect\w*|check\w*|verify\w*|match|includes?|contains?|lengthof|property|len|ok|fail|raises)$|_(eq|ne|str|int)$`)
	// expects matches names of variables, fields and columns that hold expected values.
	expects = regexp.MustCompile(`(?i)^(want\w*|exp|expect\w*|correct|golden|result|output|out)$`)
	// titles matches the functions that define tests by a title.
	titles = regexp.MustCompile(`^(it|test|specify)(\.(only|concurrent|each|serial|sequential))?$`)
)

// alterable lists the tests of the task's test files that can be altered.
func (j *job) alterable() (units []unit) {
	ids := slices.Concat(j.task.Repository.FailToPass, j.task.Repository.PassToPass)
	for i, name := range j.tests.Paths() {
		file := j.tests[name]
		language := cmp.Or(languageOf(name), map[string]string{".ts": "javascript", ".tsx": "javascript", ".mts": "javascript"}[path.Ext(name)])
		g, known := grammars[language]
		if file == nil || file.Mode == patch.Link || !known {
			continue
		}
		tree, err := syntax.Parse(language, file.Data)
		if err != nil {
			continue
		}
		f := finder{grammar: g, tree: tree, ids: ids, source: &testSource{name, string(file.Data), file.Mode}, file: i}
		f.find()
		units = append(units, f.units...)
	}
	return units
}

// finder finds the tests of a file.
type finder struct {
	grammar
	tree   *syntax.Tree
	ids    []string
	source *testSource
	file   int
	units  []unit
	titles map[string]*syntax.Node // of functions that stand beside them in a table
}

func (f *finder) find() {
	f.titles = map[string]*syntax.Node{}
	syntax.Walk(f.tree.Root, func(n *syntax.Node) bool {
		if row := childrenOf(n); n.Kind == "initializer_list" && len(row) >= 2 && row[0].Kind == "string_literal" {
			if title := f.content(row[0]); title != nil && f.isNamed(title) {
				f.titles[strings.TrimPrefix(f.tree.Text(row[1]), "&")] = title
			}
		}
		return true
	})
	ends := map[*syntax.Node][]int{} // of tests, by what contains them
	var within []*syntax.Node        // what contains each unit
	syntax.Walk(f.tree.Root, func(n *syntax.Node) bool {
		name, titled := f.nameOf(n)
		if name == nil {
			return true
		}
		whole := n
		if p := n.Parent; p != nil && (p.Kind == "decorated_definition" || titled && p.Kind == "expression_statement") {
			whole = p
		}
		u := unit{source: f.source, file: f.file, name: f.source.text[name.Start:name.End], named: [2]int{name.Start, name.End}, start: whole.Start, end: whole.End}
		u.copies = whole.Parent != nil && (!titled || whole != n) && (titled || f.function != "" && f.tree.Language != "c")
		if line := strings.LastIndexByte(f.source.text[:whole.Start], '\n') + 1; strings.TrimSpace(f.source.text[line:whole.Start]) == "" {
			u.start = line
		} else if f.tree.Language == "python" {
			u.copies = false
		}
		if !f.broken(n) {
			f.values(n, &u, name)
			f.units, within = append(f.units, u), append(within, whole.Parent)
			ends[whole.Parent] = append(ends[whole.Parent], whole.End)
		}
		return false
	})
	for i := range f.units {
		f.units[i].beside = ends[within[i]]
	}
}

// broken reports whether a part of the text does not fit the grammar.
func (f *finder) broken(n *syntax.Node) (bad bool) {
	syntax.Walk(n, func(n *syntax.Node) bool {
		bad = bad || n.Kind == syntax.Error || n.Missing
		return !bad
	})
	return bad
}

// nameOf returns the name of the test that a node defines, or its title without quotes, or nil.
func (f *finder) nameOf(n *syntax.Node) (name *syntax.Node, titled bool) {
	if f.function != "" && n.Kind == f.function {
		name = n.Child("name")
		for d := n.Child("declarator"); name == nil && d != nil; d = d.Child("declarator") {
			if d.Kind == "identifier" {
				name = d
			}
		}
		switch {
		case name == nil || f.defines(n):
		case f.titles[f.tree.Text(name)] != nil:
			return f.titles[f.tree.Text(name)], false
		case regexp.MustCompile(f.named).MatchString(f.tree.Text(name)):
			return name, false
		}
		return nil, false
	}
	if !f.anonymous || n.Kind != f.call {
		return nil, false
	}
	args := n.Child("arguments")
	if args == nil {
		return nil, false
	}
	for i, arg := range childrenOf(args) {
		if !slices.Contains(f.text, arg.Kind) || len(childrenOf(arg)) != 1 {
			continue
		}
		inner := childrenOf(arg)[0]
		isTitle := f.tree.Language != "javascript" && f.isNamed(inner)
		if callee := n.Child("function"); f.tree.Language == "javascript" && i == 0 && callee != nil {
			what, _, _ := strings.Cut(f.tree.Text(callee), "(")
			isTitle = titles.MatchString(what)
		}
		if isTitle {
			return inner, true
		}
	}
	return nil, false
}

// isNamed reports whether a text is the name of one of the task's tests.
func (f *finder) isNamed(text *syntax.Node) bool {
	return slices.ContainsFunc(f.ids, func(id string) bool { return hasName(id, f.tree.Text(text)) })
}

// content returns the first part of a literal in quotes that stands for itself, or nil.
func (f *finder) content(literal *syntax.Node) *syntax.Node {
	for _, c := range childrenOf(literal) {
		if !slices.Contains([]string{"string_start", "string_end", "interpolation", "template_substitution", "escape_sequence"}, c.Kind) {
			return c
		}
	}
	return nil
}

// defines reports whether a function calls others by which tests have titles: then these calls are the tests.
func (f *finder) defines(function *syntax.Node) (does bool) {
	if !f.anonymous {
		return false
	}
	syntax.Walk(function.Child("body"), func(n *syntax.Node) bool {
		name, titled := f.nameOf(n)
		does = does || name != nil && titled
		return !does
	})
	return does
}

// childrenOf returns the children of a node that are no tokens.
func childrenOf(n *syntax.Node) (children []*syntax.Node) {
	for _, c := range n.Children {
		if c.Named && !strings.Contains(c.Kind, "comment") {
			children = append(children, c)
		}
	}
	return children
}

// values collects what a test expects: literals in comparisons and arguments of assertions, and those of variables and
// columns whose names say so. Literals in other calls are what tests begin with, not what they expect.
func (f *finder) values(test *syntax.Node, u *unit, title *syntax.Node) {
	syntax.Walk(test, func(n *syntax.Node) bool {
		switch {
		case n.Kind == f.call:
			args := n.Child("arguments")
			if args != nil && raises.MatchString(f.lastWord(n)) && f.tree.Language == "python" && len(childrenOf(args)) > 0 {
				if class := childrenOf(args)[0]; class.Kind == "identifier" {
					u.expected = append(u.expected, expected{class.Start, class.End, "BufferError", f.tree.Text(class)})
				}
			}
			if args != nil && (asserts.MatchString(f.lastWord(n)) || n == test && f.tree.Language == "c") {
				for _, arg := range childrenOf(args) {
					f.literals(arg, u, title)
				}
			}
		case slices.Contains(f.compare, n.Kind):
			if f.isEquality(n) {
				for _, side := range childrenOf(n) {
					f.literals(side, u, title)
				}
			}
		case slices.Contains([]string{"assignment", "short_var_declaration", "variable_declarator", "init_declarator", "keyed_element", "pair", "var_spec", "range_clause", "for_statement"}, n.Kind):
			f.assigned(childrenOf(n), u, title)
		}
		return true
	})
	if len(u.expected) == 0 {
		f.opposites(test, u)
	}
	if len(u.expected) == 0 {
		f.helped(test, u, title)
	}
	slices.SortFunc(u.expected, func(a, b expected) int { return cmp.Compare(a.start, b.start) })
	u.expected = slices.CompactFunc(u.expected, func(a, b expected) bool { return a.start == b.start })
}

// assigned collects the literals of a value that a name for expected values gets, alone or among several names.
func (f *finder) assigned(parts []*syntax.Node, u *unit, title *syntax.Node) {
	if len(parts) < 2 {
		return
	}
	names, values := []*syntax.Node{parts[0]}, []*syntax.Node{parts[len(parts)-1]}
	isList := func(n *syntax.Node) bool { return n.Kind == "expression_list" || n.Kind == "pattern_list" }
	if isList(parts[0]) {
		names, values = childrenOf(parts[0]), []*syntax.Node{parts[1]}
		if isList(parts[1]) {
			values = childrenOf(parts[1])
		}
	}
	for i, name := range names {
		if expects.MatchString(strings.Trim(f.tree.Text(name), `"'*& `)) {
			f.literals(values[min(i, len(values)-1)], u, title)
		}
	}
}

// helped collects, of a test that asserts nothing itself, the last argument of calls of which it does not use the result.
// Without any, it only must not fail: then the last such call is asked to return what it does not.
func (f *finder) helped(test *syntax.Node, u *unit, title *syntax.Node) {
	var last *syntax.Node
	syntax.Walk(test, func(n *syntax.Node) bool {
		if args := n.Child("arguments"); n != test && n.Kind == f.call && args != nil && n.Parent != nil && strings.Contains(n.Parent.Kind, "statement") {
			if all := childrenOf(args); len(all) >= 2 {
				f.literals(all[len(all)-1], u, title)
			}
			if n.Parent.Kind == "expression_statement" {
				last = n
			}
		}
		return true
	})
	if len(u.expected) == 0 && last != nil && f.never != "" {
		call := f.tree.Text(last)
		u.expected = append(u.expected, expected{last.Start, last.End, fmt.Sprintf(f.never, call, randomName(" ")), call})
	}
}

// opposites collects, of a test that expects no literal, assertions that can be asked the other way round.
func (f *finder) opposites(test *syntax.Node, u *unit) {
	add := func(n *syntax.Node, other string) {
		if other != "" {
			u.expected = append(u.expected, expected{n.Start, n.End, other, f.tree.Text(n)})
		}
	}
	syntax.Walk(test, func(n *syntax.Node) bool {
		switch asserted := childrenOf(n); {
		case n.Kind == "assert_statement" && len(asserted) > 0 && asserted[0].Kind == "comparison_operator":
			for _, c := range asserted[0].Children {
				if !c.Named {
					add(c, contrary[f.tree.Text(c)])
				}
			}
		case n.Kind == "assert_statement" && len(asserted) > 0:
			add(asserted[0], "not ("+f.tree.Text(asserted[0])+")")
		case n.Kind == f.call:
			last := n.Child("function")
			for last != nil && len(last.Children) > 0 {
				last = last.Children[len(last.Children)-1]
			}
			if last != nil && !reportsFailure.MatchString(f.tree.Text(n.Child("function"))) {
				add(last, contrary[f.tree.Text(last)])
			}
		case n.Kind == "if_statement" && f.tree.Language == "go" && reportsFailure.MatchString(f.tree.Text(n)):
			if condition := n.Child("condition"); condition != nil {
				syntax.Walk(condition, func(c *syntax.Node) bool {
					if !c.Named {
						add(c, contrary[c.Kind])
					}
					return true
				})
			}
		}
		return true
	})
}

// reportsFailure matches a statement in Go that has a test fail.
var reportsFailure = regexp.MustCompile(`\b[tb]\.(Error|Fatal|Fail)`)

// contrary are operators and assertions, with those that hold where they do not.
var contrary = func() map[string]string {
	pairs := map[string]string{}
	for pair := range strings.SplitSeq("==/!= ===/!== in/not_in is/is_not </>= >/<= assertTrue/assertFalse assertIn/assertNotIn assertIs/assertIsNot assertIsNone/assertIsNotNone "+
		"assertEqual/assertNotEqual assertIsInstance/assertNotIsInstance assertRegex/assertNotRegex equal/notEqual strictEqual/notStrictEqual deepEqual/notDeepEqual "+
		"deepStrictEqual/notDeepStrictEqual toBeTruthy/toBeFalsy toBeDefined/toBeUndefined Equal/NotEqual True/False Nil/NotNil NoError/Error Contains/NotContains Empty/NotEmpty "+
		"assertEquals/assertNotEquals assertNull/assertNotNull assertSame/assertNotSame", " ") {
		a, b, _ := strings.Cut(strings.ReplaceAll(pair, "_", " "), "/")
		pairs[a], pairs[b] = b, a
	}
	return pairs
}()

// raises matches the last word of what is called with the class of an expected exception.
var raises = regexp.MustCompile(`^(raises|assertRaises\w*)$`)

// lastWord returns the last word of what a call calls.
func (f *finder) lastWord(call *syntax.Node) string {
	callee := call.Child("function")
	if callee == nil {
		callee = call.Child("name")
	}
	if callee == nil {
		return ""
	}
	words := strings.FieldsFunc(f.tree.Text(callee), func(r rune) bool { return r == '.' || r == ':' || r == '>' || r == '!' })
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// isEquality reports whether a comparison is one with an expected value.
func (f *finder) isEquality(n *syntax.Node) bool {
	for _, c := range n.Children {
		if !c.Named && slices.Contains([]string{"==", "!=", "===", "!==", "is", "in"}, c.Kind) {
			return true
		}
	}
	return false
}

// literals collects the literals of a value, also those within lists and other literals.
func (f *finder) literals(n *syntax.Node, u *unit, title *syntax.Node) {
	add := func(start, end int, kind string) {
		u.expected = append(u.expected, expected{start, end, kind, f.source.text[start:end]})
	}
	switch {
	case slices.Contains(f.number, n.Kind):
		add(n.Start, n.End, "number")
	case f.truth[n.Kind] != "":
		add(n.Start, n.End, f.truth[n.Kind])
	case slices.Contains(f.text, n.Kind):
		switch part := f.content(n); {
		case part != nil && part != title:
			add(part.Start, part.End, "text")
		case len(childrenOf(n)) == 0 && (n.End-n.Start == 2 || n.Kind == "raw_string_literal"): // an empty one, or one without parts
			add(n.Start+1, n.End-1, "text")
		}
	case slices.Contains(f.inside, n.Kind):
		for _, c := range childrenOf(n) {
			if c.Field != "key" {
				f.literals(c, u, title)
			}
		}
	}
}
