package document

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// escapes are the sequences that a terminal acts on: control sequences,
// operating system commands and device control strings that end in their line,
// and single escapes.
var escapes = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\].*?(?:\x07|\x1b\\)|\x1b[PX^_].*?\x1b\\|\x1b[ -/]*[0-~]?`)

// Clean makes text from outside fit for a terminal and a table: without escape
// sequences, control characters and marks that reverse the reading direction,
// on one line.
func Clean(text string) string {
	if plain(text) {
		return strings.TrimSpace(text)
	}
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text))
}

// plain reports whether a text is printable ASCII, as nearly all are.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// Lines is Clean for a text of several lines. Marks that change the reading
// direction, with which code can be made to look like other code, are shown by
// their numbers.
func Lines(text string) string {
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case unicode.Is(unicode.Bidi_Control, r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		case unicode.IsControl(r):
		default:
			b.WriteRune(r)
		}
	}
	return strings.TrimRight(b.String(), "\n ")
}

// escapeMarkdown makes clean text mean only itself in a Markdown table.
func escapeMarkdown(text string) string {
	var b strings.Builder
	for _, r := range Clean(text) {
		switch r {
		case '<':
			b.WriteString("&lt;")
			continue
		case '&':
			b.WriteString("&amp;")
			continue
		case '\\', '|', '`', '*', '_', '[', ']', '#', '!', '~':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
