package editor

import (
	"slices"
	"strings"
)

// pos is a position in the text: a line, and a byte of it.
type pos struct{ line, at int }

func (p pos) before(q pos) bool { return p.line < q.line || p.line == q.line && p.at < q.at }

// after returns where a text that begins at p ends.
func (p pos) after(text string) pos {
	last := strings.LastIndexByte(text, '\n')
	if last < 0 {
		return pos{p.line, p.at + len(text)}
	}
	return pos{p.line + strings.Count(text, "\n"), len(text) - last - 1}
}

// line is one line of the text, without its end.
type line struct {
	text  string
	rows  []int // where the rows after the first begin
	limit int   // width that the rows were made for; 0: not wrapped yet
}

// text is the edited text.
type text struct {
	lines   []line
	limit   int // columns of a row
	version uint64

	joined   string // the whole text
	joinedOf uint64 // version of joined; 0: never made

	knownLine, knownOffset int // offset in bytes of a line near the last edit
}

func newText(whole string, limit int) text {
	t := text{limit: limit, version: 1}
	parts := strings.Split(whole, "\n")
	t.lines = make([]line, len(parts))
	for i, part := range parts {
		t.lines[i].text = part
	}
	return t
}

// value returns the whole text.
func (t *text) value() string {
	if t.joinedOf == t.version {
		return t.joined
	}
	size := len(t.lines) - 1
	for i := range t.lines {
		size += len(t.lines[i].text)
	}
	var b strings.Builder
	b.Grow(size)
	for i := range t.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t.lines[i].text)
	}
	t.joined, t.joinedOf = b.String(), t.version
	return t.joined
}

func (t *text) end() pos {
	last := len(t.lines) - 1
	return pos{last, len(t.lines[last].text)}
}

// slice returns the text between two positions.
func (t *text) slice(from, to pos) string {
	if from.line == to.line {
		return t.lines[from.line].text[from.at:to.at]
	}
	var b strings.Builder
	b.WriteString(t.lines[from.line].text[from.at:])
	for i := from.line + 1; i < to.line; i++ {
		b.WriteByte('\n')
		b.WriteString(t.lines[i].text)
	}
	b.WriteByte('\n')
	b.WriteString(t.lines[to.line].text[:to.at])
	return b.String()
}

// replace replaces the text between from and to, and returns the end of the new text.
func (t *text) replace(from, to pos, insert string) pos {
	t.offset(from) // the known line is then before the change
	t.version++
	end := from.after(insert)
	first, last := &t.lines[from.line], &t.lines[to.line]
	head, tail := first.text[:from.at], last.text[to.at:]
	if from.line == to.line && end.line == from.line {
		first.text = head + insert + tail
		first.rewrap(from.at, to.at-from.at, len(insert), t.limit)
		return end
	}
	parts := strings.Split(insert, "\n")
	parts[len(parts)-1] += tail
	parts[0] = head + parts[0]
	lines := make([]line, len(parts))
	for i, part := range parts {
		lines[i].text = part
	}
	t.lines = slices.Replace(t.lines, from.line, to.line+1, lines...)
	return end
}

// offset returns the position of p in the whole text, in bytes. Edits are close to each other, so
// lines are counted from the last one.
func (t *text) offset(p pos) int {
	for t.knownLine < p.line {
		t.knownOffset += len(t.lines[t.knownLine].text) + 1
		t.knownLine++
	}
	for t.knownLine > p.line {
		t.knownLine--
		t.knownOffset -= len(t.lines[t.knownLine].text) + 1
	}
	return t.knownOffset + p.at
}

// position converts an offset in the whole text to a position.
func (t *text) position(offset int) pos {
	for i := range t.lines {
		if n := len(t.lines[i].text); offset <= n {
			return pos{i, offset}
		} else {
			offset -= n + 1
		}
	}
	return t.end()
}
