package patch

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// change is what a diff does to one file.
type change struct {
	line     int    // of the header, from 1
	old, new string // paths without the first component; "" for /dev/null
	creates  bool
	deletes  bool
	renames  bool
	copies   bool
	oldMode  Mode // 0: not given
	newMode  Mode
	oldID    string // git's ids of the contents, as far as they are given
	newID    string
	hunks    []hunk
	binary   *binary

	maybeNew bool // a traditional header, which does not tell whether the file is new
}

// hunk is a group of changed lines.
type hunk struct {
	line               int // of its header, from 1
	oldStart, oldLines int
	newStart, newLines int
	body               []piece
	prefix, suffix     int // lines of context at both ends
}

// piece is a line of a hunk: ' ', '-' or '+', and the text with its line end.
type piece struct {
	op   byte
	text []byte
}

// side returns the lines of a hunk before ('-') or after ('+') the change.
func (h *hunk) side(op byte) [][]byte {
	lines := make([][]byte, 0, max(h.oldLines, h.newLines))
	for _, p := range h.body {
		if p.op == ' ' || p.op == op {
			lines = append(lines, p.text)
		}
	}
	return lines
}

// cursor reads a text line by line.
type cursor struct {
	text []byte
	at   int
	line int // of the line at the cursor, from 1
}

// peek returns the line at the cursor with its line end; nil at the end.
func (c *cursor) peek() []byte {
	rest := c.text[c.at:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return rest[: i+1 : i+1]
	}
	return rest[:len(rest):len(rest)]
}

func (c *cursor) done() bool { return c.at >= len(c.text) }

// skip moves past the line at the cursor.
func (c *cursor) skip() {
	c.at += len(c.peek())
	c.line++
}

// after returns the line that follows the one at the cursor.
func (c *cursor) after(n int) []byte {
	next := *c
	for range n {
		next.skip()
	}
	return next.peek()
}

// hunkHeader parses "@@ -1,2 +3,4 @@".
func hunkHeader(line []byte) (h hunk, ok bool) {
	rest, found := bytes.CutPrefix(line, []byte("@@ -"))
	if !found {
		return h, false
	}
	if h.oldStart, h.oldLines, rest, ok = span(rest); !ok {
		return h, false
	}
	if rest, found = bytes.CutPrefix(rest, []byte(" +")); !found {
		return h, false
	}
	if h.newStart, h.newLines, rest, ok = span(rest); !ok {
		return h, false
	}
	return h, bytes.HasPrefix(rest, []byte(" @@"))
}

// span parses "1,2" or "1".
func span(text []byte) (start, count int, rest []byte, ok bool) {
	start, rest, ok = number(text)
	count = 1
	if ok && len(rest) > 0 && rest[0] == ',' {
		count, rest, ok = number(rest[1:])
	}
	return start, count, rest, ok
}

func number(text []byte) (n int, rest []byte, ok bool) {
	i := 0
	for i < len(text) && i < 10 && text[i] >= '0' && text[i] <= '9' {
		n = 10*n + int(text[i]-'0')
		i++
	}
	return n, text[i:], i > 0
}

// unquote reads a name in git's quotes at the start of a text, and returns what follows it.
func unquote(text string) (name, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", text, false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), text[i+1:], true
		case c == '\n':
			return "", text, false
		case c != '\\':
			b.WriteByte(c)
		default:
			i++
			if i >= len(text) {
				return "", text, false
			}
			if at := strings.IndexByte(`abtnvfr"\`, text[i]); at >= 0 {
				b.WriteByte("\a\b\t\n\v\f\r\"\\"[at])
				continue
			}
			if i+3 > len(text) {
				return "", text, false
			}
			n, err := strconv.ParseUint(text[i:i+3], 8, 8)
			if err != nil {
				return "", text, false
			}
			b.WriteByte(byte(n))
			i += 2
		}
	}
	return "", text, false
}

// quote writes a name as git does, in quotes only if necessary.
func quote(name string) string {
	plain := true
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch at := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); {
		case at >= 0:
			plain = false
			b.WriteByte('\\')
			b.WriteByte(`abtnvfr"\`[at])
		case c < ' ' || c >= 0x7f:
			plain = false
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	if plain {
		return name
	}
	return `"` + b.String() + `"`
}

// strip removes the leading components of a path, and repeated slashes. It reports whether there were
// enough components.
func strip(name string, components int) (string, bool) {
	for range components {
		_, rest, found := strings.Cut(name, "/")
		if !found {
			return "", false
		}
		name = rest
	}
	name = squash(name)
	return name, name != ""
}

// squash removes repeated slashes.
func squash(name string) string {
	for strings.Contains(name, "//") {
		name = strings.ReplaceAll(name, "//", "/")
	}
	return name
}

// modeOf parses git's octal mode. Permissions are reduced to what git records.
func modeOf(text string) (Mode, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 8, 32)
	if err != nil {
		return 0, false
	}
	switch n & 0o170000 {
	case 0o120000:
		return Link, true
	case 0o100000, 0:
		if n&0o100 != 0 {
			return Executable, true
		}
		return Regular, true
	}
	return Mode(n), true
}

// dated matches the time that diff writes after a name.
var dated = regexp.MustCompile(`[ \t]+(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d{4})?)[ \r\n]*$`)

// undated removes the time after a name.
func undated(text string) string {
	if at := dated.FindStringIndex(text); at != nil {
		return text[:at[0]]
	}
	return text
}

// epoch reports whether the time after a name is the start of Unix time, by which diff marks a file that
// does not exist.
func epoch(text string) bool {
	at := dated.FindStringSubmatch(text)
	if at == nil {
		return false
	}
	for _, layout := range []string{"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05"} {
		if when, err := time.Parse(layout, at[1]); err == nil {
			return when.Unix() == 0
		}
	}
	return false
}
