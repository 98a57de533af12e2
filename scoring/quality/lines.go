package quality

import (
	"strings"
	"unicode"

	"assay/scoring/syntax"
)

// lines counts the lines with code and those with comment; a line with both counts as both. A comment line
// contains a letter or digit. A docstring counts as comment, including blank lines in it, and not as code.
func lines(t *syntax.Tree, d *dialect) (code, comment int) {
	const isCode, isNote = 1, 2
	last := t.Root.EndLine
	marks := make([]byte, last+2)
	mark := func(n *syntax.Node, kind byte) {
		for line := n.Line; line <= min(n.EndLine, last); line++ {
			marks[line] |= kind
		}
	}
	syntax.Walk(t.Root, func(n *syntax.Node) bool {
		switch {
		case !t.Own.Has(n):
			return false
		case d.comments[n.Kind]:
			d.markComment(t, n, marks, isNote)
			return false
		case d.skip[n.Kind] || n.Missing || n.Start == n.End:
			return false
		case d.whole[n.Kind]:
			mark(n, isCode)
		case len(n.Children) == 0 && strings.TrimSpace(t.Text(n)) != "":
			mark(n, isCode)
		}
		return true
	})
	if d.docstrings != nil {
		for _, n := range d.docstrings(t) {
			if !t.Own.Has(n) {
				continue
			}
			for line := n.Line; line <= min(n.EndLine, last); line++ {
				marks[line] = isNote
			}
		}
	}
	for line, m := range marks {
		if !t.Own.HasLine(line) {
			continue
		}
		code += int(m & isCode)
		comment += int(m&isNote) / isNote
	}
	return code, comment
}

// markComment marks the lines of a comment that contain a letter or digit.
func (d *dialect) markComment(t *syntax.Tree, n *syntax.Node, marks []byte, isNote byte) {
	for i, text := range strings.Split(t.Text(n), "\n") {
		line := n.Line + i
		switch {
		case line >= len(marks):
		case d.unmarked != "" && strings.Contains(text, d.unmarked):
			marks[line] &^= isNote
		case strings.ContainsFunc(text, alphanumeric):
			marks[line] |= isNote
		}
	}
}

// alphanumeric is Java's Character.isLetterOrDigit(char), which knows no letters beyond the basic
// multilingual plane.
func alphanumeric(r rune) bool {
	return r <= 0xFFFF && r != unicode.ReplacementChar && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
