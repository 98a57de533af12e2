package verdicts

import (
	"strings"
	"unicode/utf8"
)

// StripEscapes makes text from untrusted code safe to display: it removes whole terminal escape
// sequences and every other control character except newline and tab. Invalid UTF-8 becomes the
// replacement character. A carriage return before a newline is removed; any other becomes a
// newline, since it would overwrite what is already on the line.
func StripEscapes(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == 0x1b:
			i += escapeLength(text[i:])
			continue
		case r == 0x9b: // CSI as one C1 character
			i += size + controlLength(text[i+size:])
			continue
		case r == 0x90 || r == 0x98 || r == 0x9d || r == 0x9e || r == 0x9f:
			i += size + stringLength(text[i+size:])
			continue
		case r == '\r':
			if !strings.HasPrefix(text[i+1:], "\n") {
				b.WriteByte('\n')
			}
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case r == '\n' || r == '\t' || !isControl(r):
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf || c == 0x7f || c < 0x20 && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// isControl reports control characters, and those that reorder or hide the text around them.
func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f ||
		r == 0x2028 || r == 0x2029
}

// escapeLength returns the length of the escape sequence at the start of text, which begins with
// ESC (ECMA-48).
func escapeLength(text string) int {
	if len(text) < 2 {
		return 1
	}
	switch c := text[1]; {
	case c == '[':
		return 2 + controlLength(text[2:])
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return 2 + stringLength(text[2:])
	case c >= 0x20 && c <= 0x2f: // intermediate characters, then a final one
		i := 1
		for i < len(text) && text[i] >= 0x20 && text[i] <= 0x2f {
			i++
		}
		if i < len(text) && text[i] >= 0x30 && text[i] <= 0x7e {
			i++
		}
		return i
	case c >= 0x30 && c <= 0x7e:
		return 2
	}
	return 1
}

// controlLength returns the length of a control sequence after its introducer.
func controlLength(text string) int {
	i := 0
	for i < len(text) && text[i] >= 0x20 && text[i] <= 0x3f {
		i++
	}
	if i < len(text) && text[i] >= 0x40 && text[i] <= 0x7e {
		i++
	}
	return i
}

// stringLength returns the length of a control string, such as a window title, after its
// introducer and including its terminator. One without a terminator on its line does not count as
// a string: only its introducer is removed, so that a stray character cannot hide the rest of an
// output.
func stringLength(text string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == 0x07:
			return i + 1
		case text[i] == 0x1b && i+1 < len(text) && text[i+1] == '\\':
			return i + 2
		case text[i] == 0xc2 && i+1 < len(text) && text[i+1] == 0x9c:
			return i + 2
		case text[i] == '\n' || text[i] == 0x1b:
			return 0
		}
	}
	return 0
}

// Clip shortens a text to n bytes, at a character boundary.
func Clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n] + "…"
}
