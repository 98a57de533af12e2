package figure

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// advances are the widths of the characters from space to tilde in Helvetica, in
// thousandths of the font's size (Adobe's font metrics; Arial and Liberation Sans
// have the same).
const advances = "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 " +
	"556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 " +
	"1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 " +
	"667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 " +
	"333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 " +
	"556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"

// widest is how much wider text is in the fonts that stand in for Helvetica where it is missing, such as DejaVu
// Sans: room is kept for them.
const widest = 1.15

// metrics measures text.
type metrics struct{ ascii [95]float64 }

func newMetrics() metrics {
	var m metrics
	for i, field := range strings.Fields(advances) {
		for _, digit := range field {
			m.ascii[i] = 10*m.ascii[i] + float64(digit-'0')
		}
	}
	return m
}

// rune returns the width of one character at size 1000; those outside ASCII are judged
// by their kind, rather too wide than too narrow.
func (m metrics) rune(r rune) float64 {
	switch {
	case r >= ' ' && r <= '~':
		return m.ascii[r-' ']
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF, r >= 0x1F1E6 && r <= 0x1F1FF:
		return 1400 // emoji
	case r >= 0x1100 && r <= 0x115F, r >= 0x2E80 && r <= 0xA4CF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFE30 && r <= 0xFE6F, r >= 0xFF00 && r <= 0xFF60, r >= 0xFFE0 && r <= 0xFFE6, r >= 0x20000 && r <= 0x3FFFD:
		return 1000 // East Asian
	case r == '–' || r == '·':
		return 556
	case r == '−':
		return 584
	case r == '’' || r == '‘':
		return 222
	case unicode.IsUpper(r):
		return 800
	case r < 0x250: // Latin
		return 600
	case r <= 0x5FF: // Greek, Cyrillic, Armenian, Hebrew
		return 700
	}
	return 1000
}

// style is a kind of text.
type style int

const (
	titleStyle style = iota
	bodyStyle
	tickStyle
	smallStyle
	strongStyle
)

func (s style) size() float64 { return [...]float64{16, 12, 11, 10, 11}[s] }

func (s style) class() string { return [...]string{"ttl", "txt", "tick", "sml", "str"}[s] }

func (s style) bold() bool { return s == titleStyle || s == strongStyle }

// width is the room for text in a style. Bold is a little wider than the table.
func (m metrics) width(text string, s style) float64 {
	sum := 0.0
	for _, r := range text {
		sum += m.rune(r)
	}
	if s.bold() {
		sum *= 1.08
	}
	return widest * sum * s.size() / 1000
}

// cut shortens text with an ellipsis until it fits: at the end, but a single word, such as an id, in the
// middle, since ids often differ at their ends. Not even an ellipsis may fit; then nothing is left.
func (m metrics) cut(text string, s style, width float64) string {
	if m.width(text, s) <= width {
		return text
	}
	if m.width("…", s) > width {
		return ""
	}
	runes := []rune(text)
	shortened := func(n int) string {
		first := n
		if !slices.Contains(runes, ' ') {
			first = n / 2
		}
		// An emoji is not joined to the ellipsis.
		return strings.TrimRight(string(runes[:first]), " \u200d") + "…" + strings.TrimLeft(string(runes[len(runes)-(n-first):]), "\u200d")
	}
	tooMany := sort.Search(len(runes), func(n int) bool { return m.width(shortened(n), s) > width })
	return shortened(max(tooMany-1, 0))
}

// wrap breaks text at spaces into at most so many lines of the width; words that
// are too long are broken anywhere, and the last line is cut. Whole reports whether
// all of the text is there, with no word broken.
func (m metrics) wrap(text string, s style, width float64, most int) (lines []string, whole bool) {
	whole = true
	rest := strings.Join(strings.Fields(text), " ")
	for rest != "" {
		if len(lines) == most-1 || m.width(rest, s) <= width {
			line := m.cut(rest, s, width)
			return append(lines, line), whole && line == rest
		}
		end, used := 0, 0.0
		space := -1
		for i, r := range rest {
			used = m.width(rest[:i]+string(r), s)
			if used > width && r != ' ' {
				break
			}
			if r == ' ' {
				space = i
			}
			end = i + len(string(r))
		}
		if space > 0 {
			lines, rest = append(lines, rest[:space]), strings.TrimSpace(rest[space:])
			continue
		}
		whole = false
		if end == 0 { // not even one character
			return append(lines, m.cut(rest, s, width)), false
		}
		lines, rest = append(lines, rest[:end]), strings.TrimSpace(rest[end:])
	}
	return lines, whole
}
