package rules

import (
	"slices"
	"strings"

	"assay/scoring/syntax"
)

// returns lists the return statements of a function with and without a value (return None has a value).
func returns(fn *syntax.Node) (with, without []*syntax.Node) {
	visitOwn(fn.Child("body"), func(n *syntax.Node) {
		if n.Kind != "return_statement" {
			return
		}
		if len(parts(n)) > 0 {
			with = append(with, n)
		} else {
			without = append(without, n)
		}
	})
	return with, without
}

func missingReturn(f *file, say sayer) {
	for _, fn := range f.kinds["function_definition"] {
		body := fn.Child("body")
		with, without := returns(fn)
		if contains(body, "yield") || len(with) == 0 || !slices.ContainsFunc(with, func(r *syntax.Node) bool { return bare(parts(r)[0]).Kind != "none" }) {
			continue
		}
		if len(without) > 0 {
			say(without[0], "this returns nothing, other paths of %s return a value", f.text(fn.Child("name")))
			continue
		}
		if !f.leaves(body) && !f.matchAll(body) {
			say(fn, "%s ends without a value on some paths, others return one", f.text(fn.Child("name")))
		}
	}
}

// matchAll reports whether a body ends in a match statement, whose cases may be exhaustive, or a with
// statement, which may suppress exceptions.
func (f *file) matchAll(body *syntax.Node) bool {
	list := parts(body)
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	return last.Kind == "match_statement" || last.Kind == "with_statement" && f.leaves(last.Child("body")) || last.Kind == "assert_statement"
}

// isStub reports whether a function has no code to run yet.
func isStub(fn *syntax.Node) bool {
	for _, s := range statements(fn.Child("body")) {
		switch s.Kind {
		case "pass_statement", "raise_statement":
			continue
		case "expression_statement":
			if p := parts(s); len(p) == 1 && p[0].Kind == "ellipsis" {
				continue
			}
		}
		return false
	}
	return true
}

func noReturn(f *file, say sayer) {
	for _, fn := range f.kinds["function_definition"] {
		declared := fn.Child("return_type")
		with, _ := returns(fn)
		body := fn.Child("body")
		if declared == nil || len(with) > 0 || isStub(fn) || contains(body, "yield") || len(decorators(fn)) > 0 || f.leaves(body) {
			continue
		}
		said := f.text(declared)
		if strings.Contains(said, "None") || strings.Contains(said, "Optional") || strings.Contains(said, "Any") || strings.Contains(said, "NoReturn") || strings.Contains(said, "Never") || said == "object" {
			continue
		}
		say(fn, "%s is declared to return %s and returns nothing", f.text(fn.Child("name")), said)
	}
}
