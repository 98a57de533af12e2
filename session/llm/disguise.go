package llm

import (
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A program that knows its key may write it so that a search does not find it: with escapes, separated, encoded,
// reversed. What is stored or shown is therefore searched with escapes decoded, and without what separates letters.
// Ciphers, compression, and parts that lie in several files are not found.

// disguised are the forms of a long secret, as squeezed writes them.
func disguised(v string) []string {
	reversed := []byte(v)
	slices.Reverse(reversed)
	decimals, hexes := "", ""
	for _, c := range []byte(v) {
		decimals += strconv.Itoa(int(c))
		hexes += fmt.Sprintf("0x%02x", c)
	}
	forms := append(formsOf(v, true), string(reversed), hex.EncodeToString(reversed), decimals, hexes)
	for before := range 5 { // in base32 five bytes are eight letters
		first, last := (before*8+4)/5, (before+len(v))*8/5
		forms = append(forms, base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(append(make([]byte, before), v...))[first:last])
	}
	for i, form := range forms {
		form, _ := squeezed(form, false)
		forms[i] = string(form)
	}
	return slices.DeleteFunc(forms, func(form string) bool { return len(form) < shortestInText })
}

// escaped matches the beginning of a text that is an escape sequence, an escaped byte, or a character that nobody sees.
var escaped = regexp.MustCompile(`^(?:(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]|\\+(?:u\{0*|u00|U000000|x\{0*|x)([0-9a-fA-F]{2})\}?|` +
	`%(?:25)*([0-9a-fA-F]{2})|=([0-9A-F]{2})|&#[xX]0*([0-9a-fA-F]{2});|&#0*([0-9]{2,3});|\\+([0-7]{3})|\\+[nrtbfve]|[\x{80}-\x{9f}\x{ad}\x{34f}\x{61c}\x{180e}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{fe00}-\x{fe0f}\x{feff}\x{a0}])`)

// longestEscape is the longest escape sequence that is looked at.
const longestEscape = 200

// squeezed returns a text with escapes decoded, in lower case, without white space and what else may separate letters.
// If wanted, at has for each byte where it begins and ends in the text.
func squeezed(text string, wanted bool) (small []byte, at [][2]int) {
	small = make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c, size := text[i], 1
		switch {
		case c <= ' ' && c != 0x1b, strings.IndexByte("\"'`+,/|\x7f", c) >= 0:
			i++
			continue
		case c == 0x1b, c == '\\', c == '%', c == '&', c == '=', c == 0xc2, c == 0xcd, c == 0xd8, c == 0xe1, c == 0xe2, c == 0xef:
			if m := escaped.FindStringSubmatchIndex(text[i:min(len(text), i+longestEscape)]); m != nil {
				value, is := decoded(text[i:], m)
				if size = m[1]; !is {
					i += size
					continue
				}
				c = value
			} else if c == '\\' {
				i++
				continue
			}
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if strings.IndexByte("\"'`+,/|\\", c) < 0 {
			small = append(small, c)
			if wanted {
				at = append(at, [2]int{i, i + size})
			}
		}
		i += size
	}
	return small, at
}

// decoded returns the byte that a match of escaped stands for, if it stands for one.
func decoded(text string, m []int) (byte, bool) {
	for group, base := range []int{0, 16, 16, 16, 16, 10, 8} {
		if group > 0 && m[2*group] >= 0 {
			n, err := strconv.ParseUint(text[m[2*group]:m[2*group+1]], base, 8)
			return byte(n), err == nil && n > ' '
		}
	}
	return 0, false
}

// finished redacts a text that is complete.
func (r redactor) finished(text string) string {
	text = r.values(text)
	small, _ := squeezed(text, false)
	shown := string(small)
	if !slices.ContainsFunc(r.disguised, func(form string) bool { return strings.Contains(shown, form) }) {
		return text
	}
	_, at := squeezed(text, true)
	var spans [][2]int
	for _, form := range r.disguised {
		for from := 0; ; {
			i := strings.Index(shown[from:], form)
			if i < 0 {
				break
			}
			spans = append(spans, [2]int{at[from+i][0], at[from+i+len(form)-1][1]})
			from += i + len(form)
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var out strings.Builder
	end := 0
	for _, span := range spans {
		if span[0] >= end {
			out.WriteString(text[end:span[0]] + "[key]")
		}
		end = max(end, span[1])
	}
	return out.String() + text[end:]
}
