// Package syntax turns source text into syntax trees.
//
// The trees are tree-sitter's, copied into Go values that need not be released. Parsing is tolerant: text
// that is not a valid program becomes a tree with nodes of kind ERROR. The only C code is native.c, which
// parses a text and lays out its tree in one call.
package syntax

import (
	"bytes"
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

// Limits of Parse. They are deterministic: the same text always has the same tree, or the same error, on
// any machine.
const (
	MaxSize  = 4 << 20 // bytes of source
	MaxDepth = 1500    // of the tree; anything deeper is cut off
)

// The cost limit of parsing a text, in bytes as native.c counts them: a base for any text, plus an amount
// for each of its bytes. Real programs of eight languages cost 60 to 100 for each byte at the median and
// 255 at most (small files); of 2,500 C headers that are full of macros, and so of errors, one was refused
// at 48 MB. A hostile text spends about 100 MB in a second.
const (
	baseBudget = 64 << 20
	byteBudget = 160
)

// Error is the kind of a node whose text does not fit the grammar.
const Error = "ERROR"

// Errors of Parse.
var (
	ErrLanguage = errors.New("there is no grammar for this language")
	ErrTooLarge = errors.New("the source is too large to be parsed")
	ErrTooHard  = errors.New("parsing the source takes too long")
)

// languages maps the language names of tasks to grammars.
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

// Node is a node of the syntax tree.
type Node struct {
	Kind     string // the grammar's name for it; for an anonymous token the token itself, such as "+"
	Named    bool   // not an anonymous token
	Missing  bool   // inserted by the parser to recover from an error
	Field    string // its role in the parent, such as "body"; "" if it has none
	Start    int    // bytes from the beginning of the source
	End      int    // one past its last byte
	Line     int    // of its first byte, from 1
	EndLine  int    // of its last byte
	Column   int    // of its first byte in its line, in bytes from 0
	Parent   *Node
	Children []*Node
}

// Tree is a source text with its syntax tree.
type Tree struct {
	Language string
	Source   []byte
	Root     *Node
	Valid    bool // no errors and nothing missing; false for a tree that was cut
	Cut      bool // it was deeper than MaxDepth
	Own      Own
}

// Own is the part of a source text that is analysed. The rest, such as the prompt before a completion, is
// context: it determines what the text means, and nothing in it is counted or reported.
type Own struct {
	Start, End int // bytes
	before     int // lines that end before it
	lines      int
}

// Parse parses a source text. Errors are ErrLanguage, ErrTooLarge and ErrTooHard; syntax errors in the text
// are not errors.
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
	t.own(0, len(source))
	return t, nil
}

// ParseWithin parses a text between what precedes and what follows it in a program. Errors are those of Parse.
func ParseWithin(language string, before, source, after []byte) (*Tree, error) {
	t, err := Parse(language, bytes.Join([][]byte{before, source, after}, nil))
	if err == nil {
		t.own(len(before), len(before)+len(source))
	}
	return t, err
}

func (t *Tree) own(start, end int) {
	t.Own = Own{start, end, bytes.Count(t.Source[:start], []byte("\n")), bytes.Count(t.Source[start:end], []byte("\n")) + 1}
}

// Has reports whether a node has any text in the part, or is a node without text within it.
func (o Own) Has(n *Node) bool {
	return n.Start < o.End && n.End > o.Start || n.Start == n.End && o.Start <= n.Start && n.Start <= o.End
}

// Line returns the number of a line of the source text within the part: the part's first line for those
// before it, its last line for those after it.
func (o Own) Line(line int) int { return min(max(line-o.before, 1), o.lines) }

// HasLine reports whether a line of the source text belongs to the part.
func (o Own) HasLine(line int) bool { return o.before < line && line <= o.before+o.lines }

// Text returns a node's source text.
func (t *Tree) Text(n *Node) string { return string(t.Source[n.Start:n.End]) }

// Child returns the first child with the given field, or nil.
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

// Walk visits a node and its descendants in the order of the text. It skips the descendants of a node for
// which enter returns false.
func Walk(n *Node, enter func(*Node) bool) {
	if n == nil || !enter(n) {
		return
	}
	for _, c := range n.Children {
		Walk(c, enter)
	}
}
