package quality

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/scoring/syntax"
)

// javascriptInvalid finds escapes that JavaScript rejects although the grammar accepts them: code points
// out of range, and in an untagged template digits other than a single 0. Code that only strict mode
// rejects is valid here.
func javascriptInvalid(t *syntax.Tree) (found bool) {
	syntax.Walk(t.Root, func(n *syntax.Node) bool {
		if n.Kind != "escape_sequence" || n.Parent == nil {
			return !found
		}
		escape, template := t.Text(n), n.Parent.Kind == "template_string"
		if template && syntax.Tagged(n.Parent) {
			return false
		}
		if digits, ok := strings.CutPrefix(escape, `\u{`); ok {
			point, err := strconv.ParseUint(strings.TrimSuffix(digits, "}"), 16, 64)
			found = found || err != nil || point > utf8.MaxRune
		}
		if template && len(escape) > 1 && '0' <= escape[1] && escape[1] <= '9' {
			next := byte(0)
			if n.End < len(t.Source) {
				next = t.Source[n.End]
			}
			found = found || escape != `\0` || '0' <= next && next <= '9'
		}
		return false
	})
	return found
}
