package quality

import (
	"fmt"
	"maps"
	"slices"

	"assay/scoring/syntax"
)

// Measures are the measures of one source text, or of the part of one that a tree's Own names. Complexity and lines follow SonarQube's analysers, the tool
// of Su et al. 2023; other tools count differently.
type Measures struct {
	Language     string `json:"language"`
	Valid        bool   `json:"valid"`      // it parses as a program of its language
	Cyclomatic   int    `json:"cyclomatic"` // of the file: its functions and the code outside them
	Cognitive    int    `json:"cognitive"`  // of the file
	CodeLines    int    `json:"code_lines"`
	CommentLines int    `json:"comment_lines"`
	// comment lines in percent of comment and code lines; 0 for an empty text
	CommentRate float64    `json:"comment_rate"`
	Functions   []Function `json:"functions"` // in the order of the text, including nested ones
	Constructs  Constructs `json:"constructs"`
}

// Function is a function, method or constructor of a source text.
type Function struct {
	Name       string `json:"name"`
	Line       int    `json:"line"`       // its first line, from 1
	Cyclomatic int    `json:"cyclomatic"` // without nested functions
	Cognitive  int    `json:"cognitive"`  // with nested functions, except in JavaScript, as in SonarQube
}

// Measure measures a source text. A text with syntax errors is measured as far as it can be parsed; its
// Valid is false. Errors are those of syntax.Parse: the language has no grammar, or the text is too large
// or takes too long to parse.
func Measure(language string, source []byte) (Measures, error) {
	tree, err := syntax.Parse(language, source)
	if err != nil {
		return Measures{}, fmt.Errorf("measuring %s source: %w", language, err)
	}
	return MeasureTree(tree), nil
}

// MeasureTree measures a parsed text. Of a tree with context, Valid is that of the whole, and a function counts if
// any of it lies in the tree's own part.
func MeasureTree(tree *syntax.Tree) Measures {
	d := dialects[tree.Language]
	w := &walker{tree: tree, dialect: d, considered: map[*syntax.Node]bool{}}
	w.m = Measures{Language: tree.Language, Valid: tree.Valid, Functions: []Function{}, Constructs: newConstructs()}
	w.ledger = d.ledger(w)
	if w.m.Valid && d.invalid != nil {
		w.m.Valid = !d.invalid(tree)
	}
	w.visit(tree.Root)
	w.m.Cognitive = w.ledger.file()
	w.m.CodeLines, w.m.CommentLines = lines(tree, d)
	w.m.CommentRate = CommentRate(w.m.CodeLines, w.m.CommentLines)
	w.m.Constructs.perLine(w.m.CodeLines)
	return w.m
}

// CommentRate returns the percentage of comment lines among comment and code lines.
func CommentRate(code, comment int) float64 {
	if code+comment == 0 {
		return 0
	}
	return 100 * float64(comment) / float64(code+comment)
}

// Supported lists the languages that Measure supports, sorted.
func Supported() []string { return slices.Sorted(maps.Keys(dialects)) }

// dialects maps languages to what is specific to them, one file each.
var dialects = map[string]*dialect{
	"python": pythonDialect(), "javascript": javascriptDialect(), "r": rDialect(), "go": goDialect(),
	"java": javaDialect(), "cpp": cppDialect(), "c": cDialect(), "bash": bashDialect(),
}
