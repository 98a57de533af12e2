package rules

import (
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func syntaxError() Rule {
	return Rule{ID: "syntax-error", Dimension: quality.Reliability, Severity: quality.Blocker,
		Title: "The code is no program of its language and cannot run.", Known: []string{"S2260", "E0001"},
		Bad: "def f(:\n    return 1\n", Good: "def f():\n    return 1\n"}
}

// malformed returns the first place at which the text is not Python 3, and why, or nil. The grammar is more
// tolerant than the language: it accepts Python 2, empty blocks and inconsistent indentation.
func (f *file) malformed() (at *syntax.Node, why string) {
	first := func(n *syntax.Node, says string) {
		if n != nil && (at == nil || n.Start < at.Start) {
			at, why = n, says
		}
	}
	if !f.tree.Valid {
		syntax.Walk(f.tree.Root, func(n *syntax.Node) bool {
			if n.Kind == "ERROR" || n.Missing {
				first(n, "this cannot be parsed")
			}
			return n.Kind != "ERROR"
		})
		if at == nil {
			first(f.tree.Root, "this cannot be parsed")
		}
	}
	for kind, says := range map[string]string{
		"print_statement": "print is a function in Python 3", "exec_statement": "exec is a function in Python 3", "<>": "<> is Python 2"} {
		if list := f.kinds[kind]; len(list) > 0 {
			first(list[0], says)
		}
	}
	for _, n := range f.kinds["integer"] {
		if badInteger(f.text(n)) {
			first(n, "this number is Python 2")
		}
	}
	for _, n := range f.kinds["block"] {
		if len(parts(n)) == 0 && n.Parent.Kind != "match_statement" {
			first(n.Parent, "a block is expected after this")
		}
		if n.Parent.Kind == "match_statement" {
			continue
		}
		if c := f.indentation(n); c != nil {
			first(c, "the indentation fits no block around it")
		}
	}
	if c := f.indentation(f.tree.Root); c != nil {
		first(c, "the indentation fits no block around it")
	}
	for _, n := range f.kinds["except_clause"] {
		if len(children(n, "value")) > 1 {
			first(n, "several exceptions need parentheses")
		}
	}
	for _, kind := range []string{"parameters", "lambda_parameters"} {
		for _, n := range f.kinds[kind] {
			for _, p := range parts(n) {
				if p.Kind == "tuple_pattern" {
					first(p, "a parameter cannot be a tuple in Python 3")
				}
			}
		}
	}
	return at, why
}

// badInteger reports whether a number is written as only Python 2 allows: 10L, 0755.
func badInteger(s string) bool {
	if strings.HasSuffix(strings.ToLower(s), "l") {
		return true
	}
	digits := strings.ReplaceAll(s, "_", "")
	return len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' &&
		strings.Trim(digits, "0") != "" && !strings.ContainsAny(digits, "jJ")
}

// indentation returns the first statement of a block whose column differs from the first statement's, or
// nil. Statements after a semicolon are skipped.
func (f *file) indentation(block *syntax.Node) *syntax.Node {
	list := parts(block)
	for i, s := range list {
		if i > 0 && s.Line == list[i-1].EndLine && s.Line == list[i-1].Line {
			continue
		}
		if i > 0 && f.afterSemicolon(s) {
			continue
		}
		if i > 0 && f.margin(s) != f.margin(list[0]) {
			return s
		}
		if i == 0 && block.Kind == "module" && s.Column > 0 && f.margin(s) != "" {
			return s
		}
	}
	return nil
}

func (f *file) afterSemicolon(n *syntax.Node) bool {
	return strings.Contains(string(f.tree.Source[n.Start-n.Column:n.Start]), ";")
}

// margin returns the white space before a node on its line, with tabs expanded as CPython does; "" if
// anything else precedes it.
func (f *file) margin(n *syntax.Node) string {
	before := string(f.tree.Source[n.Start-n.Column : n.Start])
	if strings.TrimLeft(before, " \t\f\ufeff") != "" {
		return ""
	}
	if i := strings.LastIndexAny(before, "\f\ufeff"); i >= 0 {
		before = strings.TrimLeft(before[i:], "\f\ufeff")
	}
	var wide strings.Builder
	for _, r := range before {
		if r == '\t' {
			wide.WriteString(strings.Repeat(" ", 8-wide.Len()%8))
			continue
		}
		wide.WriteRune(r)
	}
	return wide.String()
}
