package report

import (
	"regexp"
	"strings"
	"unicode"
)

// escapes are the sequences that a terminal acts on: control sequences,
// operating system commands, device control strings, and single escapes.
var escapes = regexp.MustCompile(`(?s)\x1b\[[0-?]*[ -/]*[@-~]|\x1b\].*?(?:\x07|\x1b\\|$)|\x1b[PX^_].*?(?:\x1b\\|$)|\x1b[ -/]*[0-~]?`)

// clean makes text from outside fit for a terminal and a table: without escape
// sequences, control characters and marks that reverse the reading direction,
// on one line.
func clean(text string) string {
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r), r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069', r == '\u200E', r == '\u200F':
			return -1
		}
		return r
	}, text))
}

// csvCell makes clean text safe in a spreadsheet, which would run a cell that
// begins like a formula: such a cell begins with an apostrophe.
func csvCell(text string) string {
	text = clean(text)
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}

// markdown makes clean text mean only itself in a Markdown table.
func markdown(text string) string {
	var b strings.Builder
	for _, r := range clean(text) {
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
