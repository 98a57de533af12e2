// Package syntax turns source text into syntax trees.
//
// The trees are tree-sitter's, copied into Go values, so that they can be walked
// freely and need no releasing. They are tolerant: text that is no program of its
// language becomes a tree with nodes of kind ERROR. All that is in C is
// native.c, which parses a text and lays its tree out in one call.
package syntax

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	r "github.com/tree-sitter/tree-sitter-r/bindings/go"
)

// What Parse takes on. The bounds are deterministic: the same text always has
// the same tree, or the same error, on any machine.
const (
	MaxSize  = 4 << 20 // bytes of source
	MaxDepth = 1500    // of the tree; what lies deeper is cut off
)

// What parsing a text may cost, in the bytes that native.c accounts for: the first
// for any text, the second for each of its bytes. Real programs of eight languages
// cost 60 to 100 for each byte at the median and 255 at most (small files); of
// 2,500 C headers that are full of macros, and so of errors, one was refused at
// 48 MB. A hostile text spends about 100 MB in a second.
const (
	baseBudget = 64 << 20
	byteBudget = 160
)

// Error is the kind of a node that holds text which the grammar has no place for.
const Error = "ERROR"

// Errors of Parse, to be tested with errors.Is.
var (
	ErrLanguage = errors.New("there is no grammar for this language")
	ErrTooLarge = errors.New("the source is too large to be parsed")
	ErrTooHard  = errors.New("parsing the source takes too long")
)

// languages has a grammar for each language, by the name that tasks use.
var languages = map[string]func() *grammar{
	"python":     once(python.Language),
	"javascript": once(javascript.Language),
	"r":          once(r.Language),
	"go":         once(golang.Language),
	"java":       once(java.Language),
	"cpp":        once(cpp.Language),
	"c":          once(c.Language),
	"bash":       once(bash.Language),
}

func once(language func() unsafe.Pointer) func() *grammar {
	return sync.OnceValue(func() *grammar { return newGrammar(language()) })
}

// Node is a piece of source text with its meaning in the grammar.
type Node struct {
	Kind     string // the grammar's name for it; for a bare token the token itself, as "+"
	Named    bool   // it has a name in the grammar: it is not a bare token
	Missing  bool   // the parser had to make it up
	Field    string // its role in the parent, as "body"; "" if it has none
	Start    int    // bytes from the beginning of the source
	End      int    // one past its last byte
	Line     int    // of its first byte, from 1
	EndLine  int    // of its last byte
	Column   int    // of its first byte in its line, in bytes from 0
	Parent   *Node
	Children []*Node
}

// Tree is a source text with its syntax.
type Tree struct {
	Language string
	Source   []byte
	Root     *Node
	Valid    bool // no error and nothing missing; false too for a tree that was cut
	Cut      bool // it was deeper than MaxDepth
}

// Parse parses a source text. Errors are ErrLanguage, ErrTooLarge and ErrTooHard;
// text that is wrong in its language is no error.
func Parse(language string, source []byte) (*Tree, error) {
	open := languages[language]
	switch {
	case open == nil:
		return nil, fmt.Errorf("%w: %q", ErrLanguage, language)
	case len(source) > MaxSize:
		return nil, fmt.Errorf("%w: %d bytes, at most %d are parsed", ErrTooLarge, len(source), MaxSize)
	}
	g := open()
	if g == nil {
		return nil, fmt.Errorf("%w: the grammar of %q is for another version of the parser", ErrLanguage, language)
	}
	t := &Tree{Language: language, Source: source}
	if _, ok := t.parse(g, baseBudget+len(source)*byteBudget); !ok {
		return nil, ErrTooHard
	}
	if language == "javascript" && !t.Valid {
		t.tagged(g)
		t.Source = source
	}
	return t, nil
}

// Text is a node's source text.
func (t *Tree) Text(n *Node) string { return string(t.Source[n.Start:n.End]) }

// Child is the first child with the given role, or nil.
func (n *Node) Child(field string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Field == field {
			return c
		}
	}
	return nil
}

// Walk visits a node and all below it, in the order of the text. What lies below
// a node is left out if enter answers false for it.
func Walk(n *Node, enter func(*Node) bool) {
	if n == nil || !enter(n) {
		return
	}
	for _, c := range n.Children {
		Walk(c, enter)
	}
}
