package syntax

/*
#cgo CFLAGS: -std=c11 -O2 -I${SRCDIR}/include
#include "native.h"
*/
import "C"

import (
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // the C library that native.c calls
)

// This runs before anything is parsed: the binding's own init has set an allocator that calls back into Go
// for each block, which costs more than all of the parsing.
func init() { C.assay_use_counting_allocator() }

// grammar is a language's grammar with its tables of names.
type grammar struct {
	language unsafe.Pointer
	kinds    []string
	fields   []string // from 1
}

// newGrammar reads the names of a grammar. It returns nil if the library does not support the grammar's
// version.
func newGrammar(language unsafe.Pointer) *grammar {
	l := (*C.TSLanguage)(language)
	if v := C.ts_language_abi_version(l); v < C.TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION || v > C.TREE_SITTER_LANGUAGE_VERSION {
		return nil
	}
	g := &grammar{language: language}
	for i := range C.ts_language_symbol_count(l) {
		g.kinds = append(g.kinds, C.GoString(C.ts_language_symbol_name(l, C.TSSymbol(i))))
	}
	g.fields = append(g.fields, "")
	for i := range C.ts_language_field_count(l) {
		g.fields = append(g.fields, C.GoString(C.ts_language_field_name_for_id(l, C.TSFieldId(i+1))))
	}
	return g
}

// kind returns the name of a numbered kind; errors have numbers that are in no table.
func (g *grammar) kind(n C.uint16_t) string {
	if int(n) < len(g.kinds) {
		return g.kinds[n]
	}
	return Error
}

// parse fills in the tree. It returns the bytes spent, and whether the budget sufficed; if not, the tree
// has no root.
func (t *Tree) parse(g *grammar, budget int) (spent int, ok bool) {
	var source *C.char
	if len(t.Source) > 0 {
		source = (*C.char)(unsafe.Pointer(&t.Source[0]))
	}
	laid := C.assay_parse(g.language, source, C.uint32_t(len(t.Source)), C.uint64_t(budget), MaxDepth)
	if laid.nodes == nil {
		return int(laid.spent), false
	}
	defer C.assay_free(laid)
	t.Cut = bool(laid.cut)
	t.Valid = !t.Cut
	native := unsafe.Slice(laid.nodes, int(laid.count))
	nodes := make([]Node, len(native))
	pointers := make([]*Node, len(native)) // one array; each parent's children are a slice of it
	used := 0
	for i := range native {
		from, n := &native[i], &nodes[i]
		*n = Node{
			Kind: g.kind(from.kind), Named: bool(from.named), Missing: bool(from.missing), Field: g.fields[from.field],
			Start: int(from.start), End: int(from.end),
			Line: int(from.row) + 1, EndLine: int(from.end_row) + 1, Column: int(from.column),
		}
		if n.Missing || n.Kind == Error {
			t.Valid = false
		}
		if count := int(from.children); count > 0 {
			n.Children = pointers[used : used : used+count]
			used += count
		}
		if i > 0 {
			n.Parent = &nodes[from.parent]
			n.Parent.Children = append(n.Parent.Children, n)
		}
	}
	t.Root = &nodes[0]
	return int(laid.spent), true
}
