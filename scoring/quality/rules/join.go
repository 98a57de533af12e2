package rules

import (
	"sort"

	"assay/scoring/syntax"
)

// The grammar rejects some expressions in brackets whose continuation lines are indented less than their
// statement. So a text with errors is parsed again with the lines within brackets joined: line ends and
// comments there become blanks, which keeps every offset.

// rejoined returns the file with its lines joined, and whether it is valid then.
func rejoined(tree *syntax.Tree) (*file, bool) {
	source, changed := join(tree.Source)
	if !changed {
		return nil, false
	}
	again, err := syntax.Parse(tree.Language, source)
	if err != nil {
		return nil, false
	}
	again.Own = tree.Own
	f := newFile(again)
	f.lines = []int{0}
	for i, b := range tree.Source {
		if b == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	at, _ := f.malformed()
	return f, at == nil
}

// line returns the line of a node in the original text's own part.
func (f *file) line(n *syntax.Node) int {
	line := n.Line
	if f.lines != nil {
		line = sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > n.Start })
	}
	return f.tree.Own.Line(line)
}

// join replaces line ends and comments within brackets by blanks.
func join(source []byte) (joined []byte, changed bool) {
	joined = append([]byte(nil), source...)
	depth := 0
	for i := 0; i < len(source); i++ {
		switch c := source[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case '\'', '"':
			i = endOfString(source, i)
		case '#':
			for ; i < len(source) && source[i] != '\n'; i++ {
				if depth > 0 {
					joined[i] = ' '
				}
			}
			i--
		case '\\':
			if depth > 0 && i+1 < len(source) && source[i+1] == '\n' {
				joined[i] = ' '
			} else {
				i++
			}
		case '\n', '\r':
			if depth > 0 {
				joined[i], changed = ' ', true
			}
		}
	}
	return joined, changed
}

// endOfString returns the offset of the closing quote of the string that starts at i.
func endOfString(source []byte, i int) int {
	quote, triple := source[i], false
	if i+2 < len(source) && source[i+1] == quote && source[i+2] == quote {
		triple = true
		i += 2
	}
	for i++; i < len(source); i++ {
		switch {
		case source[i] == '\\':
			i++
		case source[i] == '\n' && !triple:
			return i - 1
		case source[i] == quote && !triple:
			return i
		case source[i] == quote && i+2 < len(source) && source[i+1] == quote && source[i+2] == quote:
			return i + 2
		case source[i] == quote && triple && i+2 >= len(source):
			return len(source)
		}
	}
	return len(source)
}
