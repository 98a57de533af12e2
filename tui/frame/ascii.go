package frame

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"
)

// asciiGlyphs are the signs of the screens in ASCII, as wide as they are.
var asciiGlyphs = map[rune]string{
	'✓': "v", '✗': "x", '…': ".", '‖': "=", '▸': ">", '▾': "v", '↻': "o", '≠': "!", '·': "-", '•': "*", '–': "-", '—': "-", '−': "-",
	'─': "-", '━': "=", '═': "=", '│': "|", '┃': "|", '┼': "+", '├': "+", '┤': "+", '┬': "+", '┴': "+", '┌': "+", '┐': "+", '└': "+", '┘': "+", '╭': "+", '╮': "+", '╰': "+", '╯': "+",
	'╎': ":", '╌': "-", '†': "+", '┆': ":", '┊': ":", '⋮': ":", '╴': "-", '╶': "-", '╵': "|", '╷': "|",
	'█': "#", '▉': "#", '▊': "#", '▋': "#", '▌': "#", '▍': "|", '▎': "|", '▏': "|", '▐': "#", '▀': "#", '▄': "#", '▁': "_", '▂': "_", '▃': "_", '▅': "#", '▆': "#", '▇': "#",
	'░': ".", '▒': ":", '▓': "#", '■': "#", '□': "o", '▪': "#", '▫': "o", '●': "*", '○': "o", '◆': "*", '◇': "o", '▲': "^", '△': "^", '▼': "v", '▽': "v", '×': "x", '✕': "x",
	'→': ">", '←': "<", '↑': "^", '↓': "v", '↳': ">", '⏎': "$", '‹': "<", '›': ">", '«': "<", '»': ">", '“': "\"", '”': "\"", '„': "\"", '‘': "'", '’': "'", '‚': "'",
	'≤': "<", '≥': ">", '±': "~", '≈': "~", '÷': "/", 'µ': "u", 'μ': "u", 'α': "a", 'κ': "k", 'λ': "l", 'π': "p", 'ρ': "r", 'σ': "s", 'τ': "t", 'χ': "x", 'Δ': "D", '∞': "8", '√': "V", '°': "o", '\u00a0': " ",
}

// ASCII writes a text for a terminal whose locale is not UTF-8, every row as wide as it was:
// signs that look alike, letters without their accents, and ? for what has no likeness.
func ASCII(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		if text[0] < utf8.RuneSelf {
			n := strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
			if n < 0 {
				n = len(text)
			}
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		letter, width := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = text[len(letter):]
		b.WriteString(asciiLetter(letter, width))
	}
	return b.String()
}

// asciiLetter returns a letter that a reader sees as one, in so many columns.
func asciiLetter(letter string, width int) string {
	first, _ := utf8.DecodeRuneInString(letter)
	if sign, ok := asciiGlyphs[first]; ok {
		return sign
	}
	if base := norm.NFKD.String(letter)[0]; base < utf8.RuneSelf && base >= ' ' && width == 1 {
		return string(base)
	}
	return strings.Repeat("?", width)
}

// NeedsASCII reports whether a terminal's locale, by its environment, names another
// encoding than UTF-8. Where nothing names a locale nothing is known: then it does not.
func NeedsASCII(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// ASCIIWriter writes to another writer in ASCII.
type ASCIIWriter struct{ To io.Writer }

// Write takes whole letters only.
func (w ASCIIWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.To, ASCII(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
