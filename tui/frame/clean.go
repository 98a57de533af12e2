package frame

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Turns reports whether a character changes the reading direction of others, with which code
// can be made to look like other code. The marks below that people type in texts from right to
// left, U+061C, U+200E and U+200F, have a direction themselves and turn nothing else.
func Turns(r rune) bool { return r > '\u200f' && unicode.Is(unicode.Bidi_Control, r) }

// endless matches the beginning of an escape sequence that has no end in its line: a terminal would swallow what
// follows.
var endless = regexp.MustCompile(`\x1b[\]PX^_]([^\x07\x1b\n]*(?:\n|$))`)

// Clean makes a text that somebody else wrote safe to draw: terminal escape sequences and
// control characters are taken out, and characters that change the reading direction of others
// are shown by their numbers.
func Clean(text string) string {
	text = ansi.Strip(endless.ReplaceAllString(strings.ToValidUTF8(text, "\ufffd"), "$1"))
	if strings.ContainsFunc(text, Turns) {
		var shown strings.Builder
		for _, r := range text {
			if Turns(r) {
				fmt.Fprintf(&shown, "⟨U+%04X⟩", r)
			} else {
				shown.WriteRune(r)
			}
		}
		text = shown.String()
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
	}, text)
}

// Plain is Clean with tabs as four spaces, for drawing as it stands.
func Plain(text string) string { return strings.ReplaceAll(Clean(text), "\t", "    ") }

// OneLine is Plain with line breaks as spaces, cut with a mark where it is longer than anybody reads in a line.
func OneLine(text string) string {
	if most := 1000; len(text) > most { // bytes
		for !utf8.RuneStart(text[most]) && most > 990 {
			most--
		}
		text = text[:most] + "…"
	}
	return strings.ReplaceAll(Plain(text), "\n", " ")
}
