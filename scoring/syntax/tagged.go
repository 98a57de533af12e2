package syntax

import "bytes"

// tagged parses a JavaScript text again if its tagged templates have escapes that the grammar rejects. A
// tagged template may contain any: String.raw`\x` is what String.raw is for (ECMAScript 2018, section
// 12.2.9, NotEscapeSequence). For the second parse each backslash before x, u or a digit in them is
// replaced by a letter, which keeps all positions.
func (t *Tree) tagged(g *grammar) {
	for range 4 { // nested templates come to light one after the other
		masked, any := t.maskTagged()
		if !any {
			return
		}
		again := &Tree{Language: t.Language, Source: masked}
		if _, ok := again.parse(g, baseBudget+len(masked)*byteBudget); !ok {
			return
		}
		*t = *again
		if t.Valid {
			return
		}
	}
}

// maskTagged returns the source with the backslashes replaced, and whether there were any.
func (t *Tree) maskTagged() (masked []byte, any bool) {
	masked = bytes.Clone(t.Source)
	Walk(t.Root, func(n *Node) bool {
		if n.Kind != "template_string" || !Tagged(n) {
			return true
		}
		from := n.Start
		for _, c := range n.Children {
			if c.Kind == "template_substitution" {
				any = maskEscapes(masked[from:c.Start]) || any
				from = c.End
			}
		}
		any = maskEscapes(masked[from:n.End]) || any
		return true
	})
	return masked, any
}

// Tagged reports whether a JavaScript template belongs to a tag.
func Tagged(template *Node) bool {
	return template.Parent != nil && template.Parent.Kind == "call_expression" && template.Parent.Child("function") != template
}

func maskEscapes(text []byte) (any bool) {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if c := text[i+1]; c == 'x' || c == 'u' || '0' <= c && c <= '9' {
			text[i], any = '_', true
		}
		i++
	}
	return any
}
