package rules

import (
	_ "embed"
	"strings"
	"sync"

	"assay/scoring/syntax"
)

func (b *binder) imports(n *syntax.Node, s *scope) {
	base := ""
	if m := n.Child("module_name"); m != nil {
		base = b.text(m) + "."
	}
	if n.Kind == "future_import_statement" {
		return
	}
	for _, c := range parts(n) {
		switch {
		case c.Kind == "wildcard_import":
			b.star = !b.starImport(n, c, strings.TrimSuffix(base, "."), s) || b.star
		case c.Field == "name" && c.Kind == "aliased_import":
			b.add(s, c.Child("alias"), imported, n.End, n).path = base + b.text(c.Child("name"))
		case c.Field == "name":
			ids := parts(c)
			if len(ids) == 0 {
				continue
			}
			b.add(s, ids[0], imported, n.End, n).path = base + b.text(ids[0])
		}
	}
}

// starImport binds the names that a star import brings, and reports whether they are known.
func (b *binder) starImport(n, star *syntax.Node, module string, s *scope) bool {
	names, known := exports(module)
	for _, word := range names {
		b.bindWord(s, word, star, imported, n.End, n).path = module + "." + word
	}
	return known
}

// exportsText has a line for each module of Python's library that programs import by star, with the names that
// this brings: those of CPython 3.11 on Linux, and those that later versions added.
//
//go:embed exports.txt
var exportsText string

// exports returns the names that a star import of a module brings, and whether they are known.
func exports(module string) (names []string, known bool) {
	names, known = allExports()[module]
	return names, known
}

var allExports = sync.OnceValue(func() map[string][]string { // on first use, to keep the program's start fast
	all := map[string][]string{}
	for line := range strings.Lines(exportsText) {
		module, names, _ := strings.Cut(line, ":")
		all[module] = strings.Fields(names)
	}
	return all
})
