package editor

import (
	"strings"
	"unicode/utf8"
)

// clean prepares a text for the editor: every kind of line break becomes "\n", terminal escape
// sequences and control characters other than tabs are removed, and invalid UTF-8 becomes U+FFFD.
// Of an unterminated escape sequence only the escape character is removed: text is never lost.
func clean(text string) string {
	if isClean(text) {
		return text
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\x1b' || r >= 0x80 && r < 0xa0:
			i += size + escapeEnd(r, text[i+size:])
			continue
		case r == '\r':
			if !strings.HasPrefix(text[i+1:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\u2028' || r == '\u2029':
			b.WriteByte('\n')
		case r == '\n' || r == '\t' || r >= 0x20 && r != 0x7f:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// isClean reports whether Clean would change nothing, as for nearly every text.
func isClean(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 && c != '\n' && c != '\t' || c == 0x7f || c == 0xc2 || c == 0xe2 && strings.HasPrefix(text[i+1:], "\x80") {
			return false
		}
	}
	return utf8.ValidString(text)
}

// escapeEnd returns how many bytes of rest belong to the escape sequence started by lead: the
// escape character, or a control character of the second set.
func escapeEnd(lead rune, rest string) int {
	kind, at := lead-0x40, 0 // a control character of the second set stands for ESC and this
	if lead == '\x1b' {
		if rest == "" || rest[0] < 0x20 || rest[0] > 0x7e {
			return 0
		}
		kind, at = rune(rest[0]), 1
	}
	switch kind {
	case '[': // parameters, intermediates, a final byte
		for i := at; i < len(rest); i++ {
			if c := rest[i]; c >= 0x40 && c <= 0x7e {
				return i + 1
			} else if c < 0x20 || c > 0x3f {
				return 0
			}
		}
		return 0
	case ']', 'P', 'X', '^', '_': // a text up to BEL or ST
		return stringEnd(rest, at)
	}
	if lead != '\x1b' {
		return 0
	}
	for i := 0; i < len(rest); i++ { // intermediates, a final byte
		if c := rest[i]; c >= 0x30 && c <= 0x7e {
			return i + 1
		} else if c < 0x20 || c > 0x2f {
			return 0
		}
	}
	return 0
}

// stringEnd returns where a control string that starts before from ends with BEL or ST. Real
// control strings have no line breaks and little length; anything else is not treated as one.
func stringEnd(rest string, from int) int {
	const most = 4096
	for i := from; i < min(len(rest), most); i++ {
		switch {
		case rest[i] == '\a':
			return i + 1
		case strings.HasPrefix(rest[i:], "\x1b\\"), strings.HasPrefix(rest[i:], "\u009c"):
			return i + 2
		case rest[i] == '\n' || rest[i] == '\r' || rest[i] == '\x1b':
			return 0
		}
	}
	return 0
}
