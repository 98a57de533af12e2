package frame

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// turning are the characters that change the reading direction of others, with which code can
// be made to look like other code, and what is drawn in their place.
var turning = strings.NewReplacer("\u202a", "⟨U+202A⟩", "\u202b", "⟨U+202B⟩", "\u202c", "⟨U+202C⟩", "\u202d", "⟨U+202D⟩", "\u202e", "⟨U+202E⟩",
	"\u2066", "⟨U+2066⟩", "\u2067", "⟨U+2067⟩", "\u2068", "⟨U+2068⟩", "\u2069", "⟨U+2069⟩")

// Clean makes a text that somebody else wrote safe to draw: terminal escape sequences and
// control characters are taken out, and characters that change the reading direction of others
// are shown by their numbers.
func Clean(text string) string {
	text = ansi.Strip(text)
	if strings.Contains(text, "\u202a"[:2]) || strings.Contains(text, "\u2066"[:2]) { // as they all begin
		text = turning.Replace(text)
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return '\t'
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// Plain is Clean with tabs as four spaces, for drawing as it stands.
func Plain(text string) string { return strings.ReplaceAll(Clean(text), "\t", "    ") }

// OneLine is Plain with line breaks as spaces, and no longer than anybody reads in a
// line.
func OneLine(text string) string {
	const most = 1000 // bytes
	if len(text) > most {
		text = text[:most]
	}
	return strings.ReplaceAll(Plain(text), "\n", " ")
}
